"""Requests to the workers and to the scheduler itself, by code that a client sends as source text.

The code is installed once in each server, as a handler with a unique name; after that a request is one small RPC over
connections that the scheduler keeps. (Dask's own broadcast opens a connection to each worker each time, waits for the
slowest, and logs an error for each that has just left; its ``run`` writes a line into each worker's log.)
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable, Coroutine, Mapping
from operator import itemgetter
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import dask

from .names import Names
from .plain import text

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Represents the scheduler where ids of ``names.workers`` represent workers.
SCHEDULER = -1
#: Workers asked concurrently: the scheduler's event loop has other work to do in between.
AT_ONCE = 32
#: Timeout per server, seconds.
LONGEST = 20.0
#: Seconds for which a server is skipped after it did not answer or was unreachable: initial and maximum. Each
#: connection attempt is retried until its timeout, at some milliseconds each.
REST, LONGEST_REST = 10.0, 600.0
#: A server's error if a site has disabled a handler.
BLOCKED = "explicitly disallowed"
#: Workers that refuse code until none of the others is asked: each writes an error into its log.
REFUSALS = 3
#: Seconds that each of the first workers has until the next one is asked, too.
FIRST_SECONDS = 1.0


class Refused(Exception):
    """A server does not accept code (``blocked-handlers``)."""


class Replaced(Exception):
    """Another server is at a worker's address: it lacks the handler, and will receive it next time."""


class Rest(NamedTuple):
    """A server that is skipped for a while."""

    until: float
    seconds: float
    #: The error, for users.
    reason: str


class Reach:
    """Asks servers and remembers which of them know the answer to what.

    Parameters
    ----------
    scheduler : distributed.Scheduler
    names : Names
        Gives workers their ids.
    """

    def __init__(self, scheduler: Scheduler, names: Names) -> None:
        self._scheduler = scheduler
        self._names = names
        #: Handlers of each server, by its id.
        self._installed: dict[int, set[str]] = {}
        #: Why workers refused code, by id: as long as they are there, they are not asked to accept any.
        self._refusing: dict[int, str] = {}
        self._resting: dict[int, Rest] = {}

    async def ask(
        self,
        op: str,
        install: bytes,
        arguments: dict[str, Any],
        each: Mapping[int, dict[str, Any]],
        timeout: float,
        begin: int = 0,
        at_most: int = 0,
        insist: bool = False,
    ) -> dict[str, Any]:
        """Ask workers, or the scheduler.

        Parameters
        ----------
        op : str
            Name of the handler.
        install : bytes
            Pickle of a function that installs the handler in the given server.
        arguments : dict
            For servers that `each` does not name.
        each : mapping of int to dict
            Further arguments by id of a server. With the id -1 alone only the scheduler is asked.
        timeout : float
            Timeout per server, at most 20 seconds.
        begin, at_most : int
            First worker id and maximum number of workers, in the order of ids; 0 for all. The answers of thousands in
            one message would block the scheduler while it is serialized.
        insist : bool
            Ask also servers that are skipped for a while.

        Returns
        -------
        dict
            ``answers``: lists of id and answer; ``failed``: lists of id and error; ``refusal``: why none of the servers
            that were asked accepts code, else an empty text: where only some refuse it, they are in ``failed``;
            ``workers``: number in the cluster; ``next``: id of the first omitted worker, -1 if none. A worker that
            leaves meanwhile is in neither list. One that did not answer is skipped for a while, and is listed with its
            last error.
        """
        answers: list[list[Any]] = []
        failed: list[list[Any]] = []
        refused: list[int] = []
        replaced = "run_function" if list(each) == [SCHEDULER] else "broadcast"
        if replaced in self._scheduler.blocked_handlers:
            # If a site forbids Dask's own handler, ours is forbidden too.
            refusal = f"{BLOCKED}: {replaced} (distributed.scheduler.blocked-handlers)"
            return {"answers": answers, "failed": failed, "refusal": refusal, "workers": 0, "next": -1}
        gate = asyncio.Semaphore(AT_ONCE)
        limit = min(timeout, LONGEST)

        async def one(address: str | None, server: int) -> None:
            rest = self._resting.get(server)
            if rest is not None and monotonic() < rest.until and not insist:
                failed.append([server, rest.reason])
                return
            async with gate:
                try:
                    given = {**arguments, **each.get(server, {})}
                    answer = await asyncio.wait_for(self._one(address, server, op, install, given), limit)
                    answers.append([server, answer])
                    self._resting.pop(server, None)
                except Refused:
                    refused.append(server)
                except asyncio.TimeoutError:
                    failed.append([server, f"no answer within {limit:g} s"])
                    self._let_rest(server, failed[-1][1])
                except Replaced:
                    self._lacks(server, op)
                except OSError as error:
                    self._lacks(server, op)
                    if address in self._scheduler.workers:
                        failed.append([server, text(f"not reached: {error}", 500)])
                        self._let_rest(server, failed[-1][1])
                except Exception as error:
                    failed.append([server, text(f"{type(error).__name__}: {error}", 500)])

        known, left = len(self._scheduler.workers), -1
        if list(each) == [SCHEDULER]:
            await one(None, SCHEDULER)
        else:
            servers, left = self._page(begin, at_most)
            asking = await self._ask_first(one, servers, limit)
            if self._refusal():
                # One of those that are slow may accept it.
                await asyncio.gather(*asking)
            if not self._refusal():
                await asyncio.gather(*asking, *(one(address, server) for address, server in servers))
        refusal = self._refusal()
        if not refusal:
            failed += [[server, self._refusing[server]] for server in refused if server in self._refusing]
        return {"answers": answers, "failed": failed, "refusal": refusal, "workers": known, "next": left}

    async def _ask_first(
        self, one: Callable[[str, int], Coroutine[Any, Any, None]], servers: list[tuple[str, int]], limit: float
    ) -> list[asyncio.Task[None]]:
        """Ask workers one after another, as long as the cluster may be one that accepts no code.

        They are removed from `servers`. A slow one is not waited for: the tasks, of which some may not have ended, are
        returned.
        """
        asking: list[asyncio.Task[None]] = []
        end = monotonic() + limit
        while servers and monotonic() < end and not self._accepted() and not self._refusal():
            address, server = servers.pop(0)
            task = asyncio.create_task(one(address, server))
            asking.append(task)
            await asyncio.wait([task], timeout=FIRST_SECONDS)
            if task.done() and server not in self._refusing and server not in self._resting:
                # It has left, or the code was run and failed.
                break
        return asking

    def _page(self, begin: int, at_most: int) -> tuple[list[tuple[str, int]], int]:
        """Addresses and ids of workers in the order of ids, and the id of the first omitted one, -1 if none."""
        servers = [(address, self._names.worker_id(address)) for address in self._scheduler.workers]
        here = {server for _, server in servers}
        self._resting = {server: rest for server, rest in self._resting.items() if server in here}
        page = sorted((pair for pair in servers if pair[1] >= begin), key=itemgetter(1))
        if at_most and len(page) > at_most:
            return page[:at_most], page[at_most][1]
        return page, -1

    def _let_rest(self, server: int, reason: str) -> None:
        before = self._resting.get(server)
        seconds = min(LONGEST_REST, max(REST, 2 * before.seconds)) if before else REST
        self._resting[server] = Rest(monotonic() + seconds, seconds, reason)

    def leave(self) -> None:
        """Remove the code installed in the scheduler; that of the workers goes with them."""
        for op in self._installed.pop(SCHEDULER, ()):
            self._scheduler.handlers.pop(op, None)

    def forget(self, server: int) -> None:
        """A worker has left: its id is not used again."""
        self._installed.pop(server, None)
        # After a restart, the configuration of the workers may be another.
        self._refusing.pop(server, None)

    def _accepted(self) -> bool:
        """Whether some worker has accepted code."""
        return any(ops for server, ops in self._installed.items() if server != SCHEDULER)

    def _refusal(self) -> str:
        """Why no worker accepts code, as far as they were asked; else an empty text."""
        if not self._refusing or self._accepted():
            return ""
        enough = min(REFUSALS, len(self._scheduler.workers))
        return next(iter(self._refusing.values())) if len(self._refusing) >= enough else ""

    def _has(self, server: int, op: str) -> bool:
        return op in self._installed.get(server, ())

    def _lacks(self, server: int, op: str) -> None:
        self._installed.get(server, set()).discard(op)

    async def _one(self, address: str | None, server: int, op: str, install: bytes, given: dict[str, Any]) -> Any:
        if not self._has(server, op):
            await self._install(address, server, install)
            self._installed.setdefault(server, set()).add(op)
        if address is None:
            return self._scheduler.handlers[op](**given)
        answer = await getattr(self._scheduler.rpc(address), op)(**given)
        if answer is None:
            raise Replaced
        return answer

    async def _install(self, address: str | None, server: int, install: bytes) -> None:
        if address is None:
            pickle.loads(install)(self._scheduler)
            return
        if server in self._refusing:
            raise Refused
        if "run" in (dask.config.get("distributed.worker.blocked-handlers", None) or ()):
            raise self._refused(server)
        try:
            done = await self._scheduler.rpc(address).run(function=install)
        except OSError:
            raise
        except Exception as error:
            if BLOCKED not in str(error):
                raise
            raise self._refused(server) from error
        if isinstance(done, dict) and done.get("status") == "error":
            raise RuntimeError(str(done.get("exception_text", "the code could not be installed")))

    def _refused(self, server: int) -> Refused:
        self._refusing[server] = f"{BLOCKED}: run (distributed.worker.blocked-handlers)"
        return Refused()

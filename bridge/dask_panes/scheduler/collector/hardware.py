"""The hardware topic: what memory, disk and network of the workers reach.

Measured on request only, with the benchmarks that Dask's workers have: those of ``Client.benchmark_hardware``, worker
by worker, so that a slow one can be found and one that leaves costs nothing but its own figures.

Guarantees: one run at a time; a worker that does not answer in time is left out and named; the newest result stays.
"""

from __future__ import annotations

import asyncio
import random
from array import array
from collections.abc import Callable, Coroutine
from math import nan
from typing import TYPE_CHECKING, Any

from dask.utils import parse_bytes
from distributed.metrics import time

from .columns import unsigned, wire
from .faults import Refusal
from .names import Names
from .plain import number, text

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Kinds of the schema's enum ``hardwareKind``, in its order and that of the run.
KINDS = ("disk", "memory", "network")
#: Seconds for the answer of one worker to one of the three: they take 5, 1 and 6 where nothing else runs.
PATIENCE = 60.0
#: Seconds for the end of a run that is cancelled.
FAREWELL = 1.0
#: Failures that are reported, and sizes that are taken from one answer.
FAILURES = 20
SIZES = 20

Row = tuple[int, int, int, float, float]


def _bytes(size: object) -> float:
    """Bytes of a size such as "10 MiB"; 0 for any other text."""
    try:
        return float(parse_bytes(text(size, 100)))
    except ValueError:
        return 0.0


class Hardware:
    """The newest measurement of one scheduler.

    Parameters
    ----------
    names : Names
        The dictionary of workers.
    changed : callable
        Called when there is something new to read.
    """

    def __init__(self, names: Names, changed: Callable[[], None]) -> None:
        self._names, self._changed = names, changed
        self._task: asyncio.Task[None] | None = None
        self._rows: list[Row] = []
        self._failures: list[list[Any]] = []
        self._facts: dict[str, Any] = {"state": "none"}
        #: The state "none" is reported, too.
        self.version = 1

    def begin(self, scheduler: Scheduler) -> dict[str, Any]:
        """Start a run, and return at once.

        Returns
        -------
        dict
            ``workers``: how many are measured.

        Raises
        ------
        Refusal
            A run has not ended, there are no workers, or the site has blocked Dask's own request for it.
        """
        if "benchmark_hardware" in scheduler.blocked_handlers:
            raise Refusal(
                "The scheduler does not allow it (distributed.scheduler.blocked-handlers: benchmark_hardware)."
            )
        if self._task is not None:
            raise Refusal("The hardware is already being measured: wait until this has finished.")
        workers = list(scheduler.workers)
        if not workers:
            raise Refusal("The cluster has no workers to measure.")
        self._rows, self._failures = [], []
        self._facts = {"state": "running", "started": time(), "workers": len(workers), "failed": 0}
        self._task = asyncio.get_running_loop().create_task(self._run(scheduler, workers))
        self._publish()
        return {"workers": len(workers)}

    async def end(self) -> None:
        """Stop: the collector leaves the scheduler. Suspends only if a run is in progress."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task], timeout=FAREWELL)

    def take(self, rows: list[Row], failures: list[list[Any]], facts: dict[str, Any]) -> None:
        """Go on with the newest measurement of an older collector; one in progress ends with that collector."""
        self._rows, self._failures, self._facts = [*rows], [*failures], dict(facts)
        if self._facts.get("state") == "running":
            self._facts.update(state="failed", stage="", ended=time())
        self._publish()

    async def _run(self, scheduler: Scheduler, workers: list[str]) -> None:
        state = "done"
        try:
            for kind in KINDS:
                self._facts = {**self._facts, "stage": kind}
                self._publish()
                await asyncio.gather(*self._asked(scheduler, kind, workers))
            if not self._rows:
                state = "failed"
        except asyncio.CancelledError:
            state = "failed"
            raise
        except Exception as error:
            state = "failed"
            self._fail("", "", error)
        finally:
            self._task = None
            self._facts = {**self._facts, "state": state, "stage": "", "ended": time()}
            self._publish()

    def _asked(self, scheduler: Scheduler, kind: str, workers: list[str]) -> list[Coroutine[Any, Any, None]]:
        here = [address for address in workers if address in scheduler.workers]
        if kind != "network":
            return [self._ask(scheduler, kind, address) for address in here]
        # As Dask does: neighbours in the list are often on one host.
        random.shuffle(here)
        pairs = zip(here[::2], here[1::2])
        return [self._ask(scheduler, kind, address, peer) for address, peer in pairs]

    async def _ask(self, scheduler: Scheduler, kind: str, address: str, peer: str = "") -> None:
        try:
            ask = getattr(scheduler.rpc(address), f"benchmark_{kind}")
            rates = await asyncio.wait_for(ask(**({"address": peer} if peer else {})), PATIENCE)
            worker, other = self._names.worker_at(address), self._names.worker_at(peer) if peer else -1
            for size, rate in list(rates.items())[:SIZES]:
                value, block = number(rate, nan), _bytes(size)
                if value >= 0 and block > 0 and worker >= 0:
                    self._rows.append((worker, KINDS.index(kind), other + 1, block, value))
        except (asyncio.TimeoutError, TimeoutError):
            busy = "its threads were busy, or it is overloaded"
            self._fail(address, kind, f"no answer within {PATIENCE:.0f} s: {busy}")
        except Exception as error:
            self._fail(address, kind, error)

    def _fail(self, address: str, kind: str, reason: object) -> None:
        words = reason if isinstance(reason, str) else f"{type(reason).__name__}: {text(reason)}"
        self._facts = {**self._facts, "failed": self._facts["failed"] + 1}
        if len(self._failures) < FAILURES:
            self._failures.append([text(address, 1000), kind, text(words, 500)])

    def _publish(self) -> None:
        self.version += 1
        self._changed()

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """The newest run, whole: the topic body and the cursor after it."""
        rows = self._rows
        columns = {
            "worker": wire(unsigned((row[0] for row in rows), max((row[0] for row in rows), default=0))),
            "kind": wire(array("B", (row[1] for row in rows))),
            "peer": wire(unsigned((row[2] for row in rows), max((row[2] for row in rows), default=0))),
            "size": wire(array("d", (row[3] for row in rows))),
            "rate": wire(array("d", (row[4] for row in rows))),
        }
        return {"c": columns, "s": {**self._facts, "failures": list(self._failures)}}, self.version

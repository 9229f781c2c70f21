"""What a restart of a cluster, or the end of a worker, would cost; searches leave time for the scheduler's work."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from time import monotonic
from typing import TYPE_CHECKING, Any

from .clock import cpu_time
from .episodes import ACTIVE
from .faults import Refusal
from .plain import text
from .walk import SLICE

if TYPE_CHECKING:
    from distributed.scheduler import ClientState, Scheduler, TaskState

#: States of tasks that have not ended.
PENDING = frozenset(ACTIVE)
#: Seconds after which a search is given up.
LONGEST_SEARCH = 20.0
#: Tasks examined between two readings of the clock.
STRIDE = 256
#: Keys and clients that are named; the others are counted.
NAMED = 10
#: Id of a worker's client: `get_client` gives it this name, which is followed by a UUID. A user's may begin so, too.
_OF_WORKER = re.compile(r"Client-worker-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
#: Maximum characters of a name.
LONGEST_NAME = 400


class Turns:
    """Lets the scheduler's other events run; ends a search that takes too long."""

    def __init__(self) -> None:
        self._end = monotonic() + LONGEST_SEARCH
        self._began = cpu_time()

    async def rest(self) -> None:
        """Wait for the other events if this slice has used up its time.

        Raises
        ------
        Refusal
            The search has taken too long.
        """
        if cpu_time() - self._began < SLICE:
            return
        if monotonic() > self._end:
            raise Refusal(
                f"The graph is too large to be searched in {LONGEST_SEARCH:.0f} s. "
                "Cancel or retry single tasks, or use the futures in a cell."
            )
        await asyncio.sleep(0)
        self._began = cpu_time()


async def stakes(scheduler: Scheduler, args: dict[str, Any]) -> dict[str, Any]:
    """What the cluster has, for a restart of all of it, and what one worker has, if ``worker`` is its address.

    Raises
    ------
    Refusal
        There is no such worker.
    """
    turns = Turns()
    address = str(args.get("worker") or "")
    answer: dict[str, Any] = {
        "workers": len(scheduler.workers),
        "nannies": sum(1 for ws in scheduler.workers.values() if ws.nanny),
    }
    if address:
        return {**answer, "worker": await _worker(scheduler, address, turns)}
    states: Counter[str] = Counter()
    for i, ts in enumerate(list(scheduler.tasks.values())):
        states[ts.state] += 1
        if i % STRIDE == 0:
            await turns.rest()
    answer["results"] = states["memory"]
    answer["erred"] = states["erred"]
    answer["pending"] = sum(states[state] for state in PENDING)
    others = Counter({cs.client_key: len(cs.wants_what) for cs in scheduler.clients.values() if cs.wants_what})
    own = client_of(scheduler, str(args.get("client", "")))
    if own is not None:
        others.pop(own.client_key, None)
    answer["clients"] = by_client(scheduler, others)
    return answer


async def _worker(scheduler: Scheduler, address: str, turns: Turns) -> dict[str, Any]:
    ws = next((ws for known, ws in scheduler.workers.items() if text(known) == address), None)
    if ws is None:
        raise Refusal("The cluster does not have this worker any more.")
    only = 0
    for i, ts in enumerate(list(ws.has_what)):
        # An actor moves nowhere, and is computed by nobody again.
        only += not ts.actor and len(ts.who_has or ()) == 1
        if i % STRIDE == 0:
            await turns.rest()
    given_up = 0
    for i, ts in enumerate(list(ws.processing)):
        # Dask counts the end of a worker that it asked to end as a crash, too, for each task still assigned to it.
        given_up += (ts.suspicious or 0) >= scheduler.allowed_failures
        if i % STRIDE == 0:
            await turns.rest()
    return {
        "name": text(ws.name, LONGEST_NAME),
        "nanny": bool(ws.nanny),
        "only": only,
        "actors": len(ws.actors),
        "processing": len(ws.processing),
        "given_up": given_up,
    }


def by_client(scheduler: Scheduler, counts: Counter[str]) -> dict[str, Any]:
    """Numbers of results by client, those with most first.

    See `is_client` for what Dask keeps like clients.

    Returns
    -------
    dict
        ``count``: how many there are, ``clients``: how many of them are clients; ``named``: ``[name, results, whether
        it is a client]`` of the first.
    """
    named = [
        [text(client, LONGEST_NAME), count, is_client(scheduler, client)] for client, count in counts.most_common(NAMED)
    ]
    return {"count": len(counts), "clients": sum(is_client(scheduler, client) for client in counts), "named": named}


def is_client(scheduler: Scheduler, name: str) -> bool:
    """Whether a user can act with a client of the scheduler.

    Dask keeps what ``fire_and_forget``, variables, queues and published data sets hold as if they were clients, without
    a connection; a worker connects one for its tasks that use ``get_client``.
    """
    return name in scheduler.client_comms and not is_of_worker(name)


def client_of(scheduler: Scheduler, key: str) -> ClientState | None:
    """A client by its id, or by its id as pages know it; None if the scheduler does not know it."""
    found: ClientState | None = scheduler.clients.get(key)
    return found or next((cs for known, cs in scheduler.clients.items() if text(known) == key), None)


def is_of_worker(client: str) -> bool:
    """Whether an id is that of a client that a worker has for its tasks."""
    return _OF_WORKER.fullmatch(client) is not None


def wanted_by(scheduler: Scheduler, ts: TaskState) -> dict[str, Any]:
    """Who wants the result of a task: how many ``clients``, and what else holds it (``kept_by``)."""
    names = [cs.client_key for cs in ts.who_wants or ()]
    others = [name for name in names if not is_client(scheduler, name)]
    return {"clients": len(names) - len(others), "kept_by": [text(name, LONGEST_NAME) for name in others[:NAMED]]}

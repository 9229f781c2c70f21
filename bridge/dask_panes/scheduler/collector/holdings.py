"""The request ``holdings``: what one worker has, its tasks and its results.

Both may be a million. A request looks at some of them, in slices between the scheduler's other events, and says how
many it has looked at.
"""

from __future__ import annotations

from heapq import nlargest, nsmallest
from itertools import islice
from operator import attrgetter
from time import monotonic
from typing import TYPE_CHECKING, Any

from .faults import Refusal
from .plain import number, text, written
from .running import LONGEST_KEY
from .stakes import Turns

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler, TaskState, WorkerState

#: Tasks and results of a worker that are looked at: some 10 ms of the scheduler's time, in slices.
LOOKED = 20_000
#: Of these, between two readings of the clock: half a millisecond.
PIECE = 1_000
#: Tasks and results that are listed.
LISTED = 50
#: Seconds for which an answer is kept.
KEPT = 1.5
#: Resources that are listed.
NAMED = 20


class Holdings:
    """Answers that are kept for a moment: every page that shows a worker asks again after two seconds."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[float, dict[str, Any]]] = {}

    async def ask(self, scheduler: Scheduler, address: str) -> dict[str, Any]:
        """See `holdings`."""
        now = monotonic()
        self._kept = {known: kept for known, kept in self._kept.items() if now < kept[0] + KEPT}
        if address in self._kept:
            return self._kept[address][1]
        answer = await holdings(scheduler, address)
        self._kept[address] = monotonic(), answer
        return answer


async def holdings(scheduler: Scheduler, address: str) -> dict[str, Any]:
    """Tasks that are assigned to a worker and do not run there, its results, and its resources.

    Parameters
    ----------
    scheduler : Scheduler
        Where the worker is known.
    address : str
        Its address.

    Returns
    -------
    dict
        ``waiting``: number of its tasks that did not run at its last heartbeat; ``first``: ``[key, priority]`` of those
        that go first. ``results``: their number, ``nbytes``: what they weigh; ``largest``: ``[key, bytes, copies
        elsewhere]`` of the largest. ``waiting_looked``, ``results_looked``: among how many these were found, the newest
        results. ``resources``: ``[name, taken by tasks assigned to it, all that it has]``.

    Raises
    ------
    Refusal
        There is no such worker.
    """
    ws = scheduler.workers.get(address)
    if ws is None:
        # What is no plain text is known by the text that stands for it.
        ws = next((ws for known, ws in scheduler.workers.items() if text(known) == address), None)
    if ws is None:
        raise Refusal("The cluster does not have this worker any more.")
    turns = Turns()
    # A task that has ended since the last heartbeat is not among those that are assigned.
    running = sum(1 for ts in ws.executing if ts.processing_on is ws)
    waiting = {"waiting": len(ws.processing) - running, "results": len(ws.has_what), "nbytes": ws.nbytes}
    first, waiting_looked = await _first(ws, turns)
    largest, results_looked = await _largest(ws, turns)
    return {
        **waiting,
        "first": [[_key(ts), repr(ts.priority)[:200]] for ts in first],
        "waiting_looked": waiting_looked,
        "largest": [[_key(ts), ts.get_nbytes(), max(0, len(ts.who_has or ()) - 1)] for ts in largest],
        "results_looked": results_looked,
        "resources": [
            [text(name, 200), number(ws.used_resources.get(name, 0.0)), number(amount)]
            for name, amount in islice(ws.resources.items(), NAMED)
        ],
    }


async def _first(ws: WorkerState, turns: Turns) -> tuple[list[TaskState], int]:
    """Those of its tasks that go first of those that do not run, and among how many."""
    some = list(islice(ws.processing, LOOKED))
    first: list[TaskState] = []
    for at in range(0, len(some), PIECE):
        part = some[at : at + PIECE]
        if len(first) == LISTED:
            last = first[-1].priority
            part = [ts for ts in part if ts.priority < last]
        part = [ts for ts in part if ts not in ws.executing]
        first = nsmallest(LISTED, [*first, *part], key=attrgetter("priority"))
        await turns.rest()
    return first, len(some)


async def _largest(ws: WorkerState, turns: Turns) -> tuple[list[TaskState], int]:
    """Its largest results, and among how many: those that came last."""
    some = list(islice(reversed(ws.has_what), LOOKED))
    largest: list[TaskState] = []
    for at in range(0, len(some), PIECE):
        part = some[at : at + PIECE]
        if len(largest) == LISTED:
            least = largest[-1].nbytes
            part = [ts for ts in part if ts.nbytes > least]
        largest = nlargest(LISTED, [*largest, *part], key=attrgetter("nbytes"))
        await turns.rest()
    return largest, len(some)


def _key(ts: TaskState) -> str:
    return text(written(ts.key), LONGEST_KEY)

"""The request ``neighbours``: when and where the dependencies and dependents of an execution ran."""

from __future__ import annotations

from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Any

from dask.utils import key_split

from .graph import Graph
from .history import History
from .keys import literal
from .plain import text
from .task import find

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Neighbours looked for, of both kinds together; their counts are always exact.
LOOKED_FOR = 200
#: Seconds after which those not found yet are left out: each may be a search of the whole ring.
LONGEST = 2.0
#: Executions of a key that are compared where the newest one does not fit.
EXECUTIONS = 10

#: A neighbour: its key as text, and the name of its prefix.
Neighbour = tuple[str, str]


async def neighbours(scheduler: Scheduler, graph: Graph, history: History, args: dict[str, Any]) -> dict[str, Any]:
    """Find the executions before and after an execution.

    Parameters
    ----------
    scheduler, graph, history
        Where live tasks, stored edges and executions are.
    args : dict
        ``row``: number of the execution.

    Returns
    -------
    dict
        ``known``: whether the scheduler, or the stored graph, has the task; if not, there is nothing else.
        ``lost``: whether the scheduler has forgotten some of its dependencies. ``dependencies`` and ``dependents``:
        ``{"count": int, "at": [{"row", "lane", "start", "duration"}]}``, of at most `LOOKED_FOR` of them, of which
        those that have not run, or whose execution has left the ring, are left out. ``late``: whether the search was
        given up.
    """
    row = int(args["row"])
    own = history.execution(row)
    described = history.describe(row)
    if own is None or described is None:
        return {"known": False}
    ts = find(scheduler, described["key"])
    if ts is not None:
        counts = (len(ts.dependencies), len(ts.dependents))
        before, after = _share(counts)
        found = (
            [(text(near.key), near.prefix.name) for near in islice(ts.dependencies, before)],
            [(text(near.key), near.prefix.name) for near in islice(ts.dependents, after)],
        )
        lost = bool(ts.has_lost_dependencies)
    else:
        key = described["key"]
        number = max(graph.find(key, prefix) for prefix in {key_split(key), key_split(literal(key))})
        if number < 0:
            return {"known": False}
        stored = await graph.neighbours(number)
        counts = (len(stored[0]), len(stored[1]))
        before, after = _share(counts)
        found = (_stored(graph, stored[0][:before]), _stored(graph, stored[1][:after]))
        lost = False
    end = monotonic() + LONGEST
    dependencies = [await _ran(history, near, end, before=row) for near in found[0]]
    dependents = [await _ran(history, near, end, after=row) for near in found[1]]
    return {
        "known": True,
        "lost": lost,
        "late": monotonic() > end,
        "dependencies": {"count": counts[0], "at": [at for at in dependencies if at is not None]},
        "dependents": {"count": counts[1], "at": [at for at in dependents if at is not None]},
    }


def _share(counts: tuple[int, int]) -> tuple[int, int]:
    """How many of each are looked for: half each, or what the others leave."""
    half = LOOKED_FOR // 2
    before = min(counts[0], max(half, LOOKED_FOR - counts[1]))
    return before, min(counts[1], LOOKED_FOR - before)


def _stored(graph: Graph, numbers: list[int]) -> list[Neighbour]:
    described = (graph.describe(number) for number in numbers)
    return [(each["key"], each["prefix"]) for each in described if each is not None]


async def _ran(
    history: History, near: Neighbour, end: float, before: int | None = None, after: int | None = None
) -> dict[str, Any] | None:
    """The newest execution of a neighbour before a row, or after it; None if none is found."""
    if monotonic() > end:
        return None
    rows = await history.find(*near, 1)
    if rows and before is not None and rows[0] > before:
        # It has run again since.
        rows = [row for row in await history.find(*near, EXECUTIONS) if row < before]
    elif after is not None:
        rows = [row for row in rows if row > after]
    at = history.execution(rows[0]) if rows else None
    return None if at is None else {name: at[name] for name in ("row", "lane", "start", "duration")}

"""The request ``neighbours``: when and where the dependencies and dependents of an execution ran."""

from __future__ import annotations

import asyncio
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Any

from dask.utils import key_split

from .graph import Graph
from .history import History
from .key_search import Purse, paid
from .plain import literal, text
from .task import find

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler, TaskState

#: Neighbours looked for, of both kinds together; their counts are always exact.
LOOKED_FOR = 200
#: Seconds after which those not found yet are left out: each may be a search of the whole ring, which has to be paid.
LONGEST = 2.0
#: Executions of a key that are compared where the newest one does not fit.
EXECUTIONS = 10

#: States of tasks that have no execution, unless they have had a result.
_PENDING = frozenset(("waiting", "queued", "no-worker", "processing"))

#: A neighbour: its key as text, and the name of its prefix.
Neighbour = tuple[str, str]


async def neighbours(
    scheduler: Scheduler, graph: Graph, history: History, purse: Purse, args: dict[str, Any]
) -> dict[str, Any]:
    """Find the executions before and after an execution.

    Parameters
    ----------
    scheduler, graph, history
        Where live tasks, stored edges and executions are.
    purse : Purse
        Pays for searches of the ring.
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
            [(text(near.key), near.prefix.name) for near in islice(ts.dependencies, before) if _may_have_run(near)],
            [(text(near.key), near.prefix.name) for near in islice(ts.dependents, after) if _may_have_run(near)],
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

    async def ran(near: Neighbour, **where: int) -> dict[str, Any] | None:
        await asyncio.sleep(min(purse.wait(), max(0.0, end - monotonic())))
        return None if monotonic() > end else await paid(purse, _ran(history, near, **where))

    dependencies = [await ran(near, before=row) for near in found[0]]
    dependents = [await ran(near, after=row) for near in found[1]]
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


def _may_have_run(ts: TaskState) -> bool:
    """Whether an execution of a task may be found; to look for one that there is not is a search of the whole ring."""
    return ts.nbytes >= 0 or ts.state not in _PENDING


async def _ran(
    history: History, near: Neighbour, before: int | None = None, after: int | None = None
) -> dict[str, Any] | None:
    """The newest execution of a neighbour before a row, or after it; None if none is found."""
    rows = await history.find(*near, 1)
    if rows and before is not None and rows[0] > before:
        # It has run again since.
        rows = [row for row in await history.find(*near, EXECUTIONS) if row < before]
    elif after is not None:
        rows = [row for row in rows if row > after]
    at = history.execution(rows[0]) if rows else None
    return None if at is None else {name: at[name] for name in ("row", "lane", "start", "duration")}

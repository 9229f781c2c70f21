"""The held topic: what results in memory weigh, by prefix.

Dask's totals by prefix go down only when the scheduler forgets whole groups, so a future that is released would not
show. What is in memory now is counted instead: a walk over the keys that workers hold, in slices between other events,
only while somebody looks and something has moved, and so seldom that it takes 1 % of a core at most. Transitions pay
nothing.
"""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import TYPE_CHECKING, Any

from .clock import cpu_time
from .columns import unsigned, wire
from .names import Names

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler, TaskState

#: Keys that are looked at in one go: half a millisecond (250 ns a key).
SLICE = 2_000
#: Share of a core that walks may take.
BUDGET = 0.01

#: By prefix name: results, their bytes, bytes of further copies.
Totals = dict[str, list[int]]


def count_held(scheduler: Scheduler) -> Iterator[Totals | None]:
    """Count what workers hold, in slices; the last value is what was found, the others are None.

    Results in memory are counted once however many workers hold them; further copies have a column of their own.
    The two add up to the sum of ``WorkerState.nbytes``.
    """
    found: dict[Any, list[int]] = {}
    looked = 0
    for ws in list(scheduler.workers.values()):
        held: list[TaskState] = list(ws.has_what)
        for at in range(0, len(held), SLICE):
            part = held[at : at + SLICE]
            if looked + len(part) > SLICE:
                looked = 0
                yield None
            looked += len(part)
            for ts in part:
                totals = found.get(ts.prefix)
                if totals is None:
                    totals = found[ts.prefix] = [0, 0, 0]
                totals[0] += 1
                totals[1] += ts.nbytes if ts.nbytes >= 0 else ts.get_nbytes()
    for ts in list(scheduler.replicated_tasks):
        totals, more = found.get(ts.prefix), len(ts.who_has or ()) - 1
        if totals is not None and more > 0:
            nbytes = more * ts.get_nbytes()
            totals[0] -= more
            totals[1] -= nbytes
            totals[2] += nbytes
    yield {prefix.name: totals for prefix, totals in found.items()}


class Held:
    """Rows of all prefixes that have, or had, results in memory, with the version at which each last changed.

    Parameters
    ----------
    names : Names
        Dictionary of prefixes.
    changed : callable
        Called when a walk has found something new.
    failed : callable
        Called when a walk has raised; it is over then.
    """

    def __init__(self, names: Names, changed: Callable[[], None], failed: Callable[[Exception], None]) -> None:
        self._names = names
        self._changed, self._failed = changed, failed
        self._rows: dict[int, tuple[int, int, int]] = {}
        self._versions: dict[int, int] = {}
        self._walk: Iterator[Totals | None] | None = None
        self._handle: asyncio.Handle | None = None
        self._spent = 0.0
        self._next = 0.0
        self._seen: tuple[int, int] = (-1, -1)
        self.version = 0

    def scan(self, scheduler: Scheduler) -> None:
        """Begin a walk where something has moved since the last one, and the budget allows."""
        if self._walk is not None or perf_counter() < self._next:
            return
        seen = (scheduler.transition_counter, sum([ws.nbytes for ws in scheduler.workers.values()]))
        if seen == self._seen:
            return
        self._seen = seen
        self._walk = count_held(scheduler)
        self._spent = 0.0
        self._step()

    def stop(self) -> None:
        """Walk no more."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        self._walk = None

    def restart(self) -> None:
        """The scheduler forgot everything on purpose."""
        self.stop()
        self._rows.clear()
        self._versions.clear()
        self._seen = (-1, -1)
        self.version += 1

    def _step(self) -> None:
        self._handle = None
        if self._walk is None:
            return
        begin = cpu_time()
        try:
            totals = next(self._walk)
        except Exception as error:
            self._walk = None
            # The same is looked at again when the failure has been waited out.
            self._seen = (-1, -1)
            self._failed(error)
            return
        self._spent += cpu_time() - begin
        if totals is None:
            self._handle = asyncio.get_running_loop().call_soon(self._step)
            return
        self._walk = None
        self._next = perf_counter() + self._spent / BUDGET
        self._note(totals)

    def _note(self, totals: Totals) -> None:
        version = self.version + 1
        rows = {self._names.prefix_ids[name]: (count, nbytes, more) for name, (count, nbytes, more) in totals.items()}
        for found in rows.keys() | self._rows.keys():
            row = rows.get(found, (0, 0, 0))
            if self._rows.get(found) != row:
                self._rows[found] = row
                self._versions[found] = version
                self.version = version
        if self.version == version:
            self._changed()

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Rows that changed after a version; the topic body and the cursor after it."""
        ids = [found for found, version in self._versions.items() if version > cursor]
        rows = [self._rows[found] for found in ids]
        columns = {
            "id": wire(unsigned(ids, max(ids, default=0))),
            "results": wire(array("I", (row[0] for row in rows))),
            "nbytes": wire(array("d", (row[1] for row in rows))),
            "copies": wire(array("d", (row[2] for row in rows))),
        }
        return {"c": columns}, self.version

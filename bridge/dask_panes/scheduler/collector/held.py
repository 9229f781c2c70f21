"""The held topic: memory of results, by prefix.

Dask's totals by prefix decrease only when the scheduler forgets whole groups, so a released future would not show.
Instead, the current content of memory is counted: a walk over the keys on workers, in slices between other events,
only while there is a subscriber and something has changed, and rarely enough to use at most 1 % of a core.
Transitions cost nothing.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator
from operator import add
from typing import TYPE_CHECKING, Any

from .columns import unsigned, wire
from .names import Names
from .versions import changed, touch
from .walk import Walk

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler, TaskPrefix, TaskState

#: Keys per slice: half a millisecond (250 ns a key).
PIECE = 2_000
#: Minimum seconds from a walk that is not cheap, as with hundreds of workers, to the next.
REST = 1.0
#: Prefixes whose totals are combined in one go.
PREFIXES = 500
#: Rows per read.
READ_ROWS = 2_000

#: Results, their bytes, bytes of additional copies.
Totals = list[int]


def count_held(scheduler: Scheduler, found: dict[TaskPrefix, Totals]) -> Iterator[None]:
    """Count results on workers by prefix, in slices.

    A result in memory is counted once, however many workers have it; additional copies have a separate column. The
    two add up to the sum of ``WorkerState.nbytes``.
    """
    looked = 0
    for ws in list(scheduler.workers.values()):
        if looked + len(ws.has_what) <= PIECE:
            # Nothing changes before the next yield.
            parts: Iterable[Collection[TaskState]] = (ws.has_what,)
        else:
            held = list(ws.has_what)
            parts = [held[at : at + PIECE] for at in range(0, len(held), PIECE)]
        for part in parts:
            if looked + len(part) > PIECE:
                looked = 0
                yield
            looked += len(part)
            for ts in part:
                totals = found.get(ts.prefix)
                if totals is None:
                    totals = found[ts.prefix] = [0, 0, 0]
                totals[0] += 1
                totals[1] += ts.nbytes if ts.nbytes >= 0 else ts.get_nbytes()
    replicated = list(scheduler.replicated_tasks)
    for at in range(0, len(replicated), PIECE):
        yield
        for ts in replicated[at : at + PIECE]:
            known, more = found.get(ts.prefix), len(ts.who_has or ()) - 1
            if known is not None and more > 0:
                # Copies that arrived after their worker was counted are not among those: the next walk has them.
                more = min(more, known[0] - 1)
                nbytes = min(more * ts.get_nbytes(), known[1])
                known[0] -= more
                known[1] -= nbytes
                known[2] += nbytes


class Held:
    """Rows of all prefixes that have, or had, results in memory, with the version at which each last changed.

    Parameters
    ----------
    names : Names
        Dictionary of prefixes.
    changed : callable
        Called when a walk has found something new.
    failed : callable
        Called when a walk has raised, which ends it.
    """

    def __init__(self, names: Names, changed: Callable[[], None], failed: Callable[[Exception], None]) -> None:
        self._names = names
        self._changed, self._failed = changed, failed
        self._rows: dict[int, tuple[int, ...]] = {}
        self._versions: dict[int, int] = {}
        self.walk = Walk(self._fail, REST)
        self._seen: tuple[int, int] = (-1, -1)
        self.version = 0

    @property
    def end(self) -> int:
        """The newest version; -1 before the first walk."""
        return self.version if self.walk.ended else -1

    def scan(self, scheduler: Scheduler) -> None:
        """Begin a walk if something has changed since the last one, and the budget allows it."""
        if not self.walk.due:
            return
        seen = (scheduler.transition_counter, sum([ws.nbytes for ws in scheduler.workers.values()]))
        if seen == self._seen:
            return
        self._seen = seen
        self.walk.begin(self._count(scheduler))

    def stop(self) -> None:
        """Stop walking."""
        self.walk.stop()

    def restart(self) -> None:
        """The scheduler was cleared on purpose."""
        self.walk.restart()
        self._rows.clear()
        self._versions.clear()
        self._seen = (-1, -1)
        self.version += 1

    def _fail(self, error: Exception) -> None:
        # The walk is repeated after the suspension.
        self._seen = (-1, -1)
        self._failed(error)

    def _count(self, scheduler: Scheduler) -> Iterator[None]:
        found: dict[TaskPrefix, Totals] = {}
        yield from count_held(scheduler, found)
        # Several prefixes may share an entry.
        rows: dict[int, Totals] = {}
        for i, (prefix, totals) in enumerate(found.items(), 1):
            known = rows.setdefault(self._names.prefix_ids[prefix.name], [0, 0, 0])
            known[:] = map(add, known, totals)
            if not i % PREFIXES:
                yield
        self._note(rows)

    def _note(self, found: dict[int, Totals]) -> None:
        before = self.version
        for prefix in found.keys() | self._rows.keys():
            row = tuple(found.get(prefix, (0, 0, 0)))
            if self._rows.get(prefix) != row:
                self._rows[prefix] = row
                self.version += 1
                touch(self._versions, prefix, self.version)
        if self.version != before:
            self._changed()

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Rows that changed after a version; the topic body and the cursor after it."""
        ids, after = changed(self._versions, cursor, READ_ROWS, self.version)
        rows = [self._rows[found] for found in ids]
        columns = {
            "id": wire(unsigned(ids, max(ids, default=0))),
            "results": wire(array("I", (row[0] for row in rows))),
            "nbytes": wire(array("d", (row[1] for row in rows))),
            "copies": wire(array("d", (row[2] for row in rows))),
        }
        return {"c": columns}, after

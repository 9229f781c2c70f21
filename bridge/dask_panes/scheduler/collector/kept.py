"""Which computations are kept: those in progress, and those that ended last.

Guarantees: at most as many as asked for. One in progress is dropped only where all are; then the tasks that it has left
are counted until they have ended, so that readers know that there are tasks of others.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, takewhile
from math import isnan
from typing import Any

from .computation import Computation, is_halted

#: Of so many that have ended, the oldest ones, it is compared when they did: 40 µs.
COMPARED = 100


class Kept:
    """The computations by number, in order of arrival.

    Attributes
    ----------
    whole_from : int
        From this number on, all are kept.
    left : int
        Tasks that have not ended, of computations that are not kept: dropped in progress, or computed again since.
    """

    def __init__(self) -> None:
        self.rows: dict[int, Computation] = {}
        self.whole_from = 0
        self.left = 0

    def take(self, rows: dict[int, Computation], old: Any) -> None:
        """Go on with the computations of an older collector."""
        self.rows.update(rows)
        if hasattr(old, "kept"):
            self.whole_from, self.left = old.kept.whole_from, old.kept.left
        else:
            self.whole_from = next(iter(rows), old._next)

    def shrink(self, most: int, count: Callable[[], None]) -> list[int]:
        """Keep at most so many, and the newest in any case; returns the numbers of those that were dropped.

        Parameters
        ----------
        count : callable
            Counts the executions that have been noted: until then, those that have ended seem to be in progress.
        """
        gone = []
        while len(self.rows) > most:
            found = self._ended()
            if found is None:
                count()
                found = self._ended()
            oldest = next(iter(self.rows)) if found is None else found
            self.left += max(0, self.rows.pop(oldest).left)
            self.whole_from = max(self.whole_from, oldest + 1)
            gone.append(oldest)
        return gone

    def _ended(self) -> int | None:
        """The one that ended longest ago, except for the newest, whose tasks are not its own yet."""
        rows = islice(self.rows.items(), len(self.rows) - 1)
        ended = islice(((found, row) for found, row in rows if row.left <= 0), COMPARED)
        # Many have no task that has run.
        ends = ((row.last if isnan(row.stop) else max(row.last, row.stop), found) for found, row in ended)
        return min(ends, default=(0.0, None))[1]

    @property
    def older(self) -> list[int]:
        """Numbers of those that are kept since they had not ended when newer ones did that have been dropped."""
        return list(takewhile(lambda found: found < self.whole_from, self.rows))

    def end(self, owner: int, tasks: int) -> bool:
        """Tasks with an entry of `Claims.owners` ended, or are left after all (-1), of a computation that is not kept;
        returns whether they were the last, or are the first."""
        before = self.left
        if owner >= 0 and not is_halted(owner):
            self.left = max(0, self.left - tasks)
        return (before > 0) != (self.left > 0)

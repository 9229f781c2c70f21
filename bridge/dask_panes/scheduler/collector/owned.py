"""Which computation each execution of the topic tasks belongs to, as runs of rows.

Guarantees: executions are noted in batches, with the tick (0.01 µs each, 0.25 µs where each is of another computation
than the one before). Consecutive rows of one computation are one run, so a million tasks of one are 20 bytes; at most
`LIMIT` runs are kept. A row whose computation is not known yet, because its graph is still being claimed, holds back
those after it; what stays unknown belongs to no computation.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from operator import ne
from typing import Any

from .computation import number_of

#: Runs kept, and dropped together.
LIMIT = 50_000
CHUNK = 5_000
#: Runs per read.
READ_RUNS = 500
#: The computation of a row, plus one: not known, and not known yet.
_NONE = 0
_WAITS = -1


class Owned:
    """Runs of rows of the ring that belong to the same computation.

    Attributes
    ----------
    end : int
        Row after the last of the runs.
    """

    def __init__(self) -> None:
        self.end = 0
        self._starts, self._owners, self._versions = array("Q"), array("I"), array("Q")
        #: Computations, plus one, of the rows from `end` on: the first of them is not known yet.
        self._open: list[int] = []

    def take(self, old: Any) -> None:
        """Go on with the runs of an older collector."""
        self.end, self._open = old.end, list(old._open)
        self._starts, self._owners, self._versions = old._starts[:], old._owners[:], old._versions[:]

    def note(self, first: int, owners: Sequence[int | None], waiting: Sequence[int], version: int) -> int:
        """Executions were counted, those of the rows from `first` on.

        Parameters
        ----------
        owners : sequence
            Their entries in `Claims.owners`, None without one.
        waiting : sequence of int
            Which of them wait for their graph to be claimed, counted from 0: they are settled later.
        version : int
            The newest version.

        Returns
        -------
        int
            The newest version afterwards: each run that changes gets one.
        """
        next_row = self.end + len(self._open)
        if first != next_row:
            version = self.seal(version, finally_=True)
        if first < next_row:
            # The rows of the ring start over.
            self.end = first
            for column in (self._starts, self._owners, self._versions):
                del column[:]
        elif first > next_row:
            version = self._run(_NONE, first - next_row, version)
        entries = {owner: _NONE if owner is None else number_of(owner) + 1 for owner in set(owners)}
        if not waiting and not self._open and len({*entries.values()}) == 1:
            return self._run(next(iter(entries.values())), len(owners), version)
        begin = len(self._open)
        self._open.extend([entries[owner] for owner in owners])
        for at in waiting:
            self._open[begin + at] = _WAITS
        return self.seal(version)

    def settle(self, row: int, owner: int) -> None:
        """The computation of a row is known now; followed by `seal`."""
        at = row - self.end
        if 0 <= at < len(self._open) and self._open[at] == _WAITS:
            self._open[at] = number_of(owner) + 1

    def seal(self, version: int, finally_: bool = False) -> int:
        """Make runs of all rows up to the first that is not known yet; returns the newest version.

        Parameters
        ----------
        finally_ : bool
            Whether nothing more will be known: all rows.
        """
        rows = self._open
        if not rows:
            return version
        if finally_:
            rows = [_NONE if row == _WAITS else row for row in rows]
        known = rows if _WAITS not in rows else rows[: rows.index(_WAITS)]
        self._open = rows[len(known) :]
        changes = [at for at, other in enumerate(map(ne, known, known[1:]), 1) if other]
        # The first part may continue the newest run; of the others each is a run of its own.
        version = self._run(known[0], changes[0] if changes else len(known), version) if known else version
        if changes:
            begin = self.end - changes[0]
            self._starts.extend([begin + at for at in changes])
            self._owners.extend([known[at] for at in changes])
            self._versions.extend(range(version + 1, version + 1 + len(changes)))
            version += len(changes)
            self.end = begin + len(known)
            self._trim()
        return version

    def _run(self, owner: int, count: int, version: int) -> int:
        if not count:
            return version
        version += 1
        if self._owners and self._owners[-1] == owner:
            self._versions[-1] = version
        else:
            self._starts.append(self.end)
            self._owners.append(owner)
            self._versions.append(version)
            self._trim()
        self.end += count
        return version

    def _trim(self) -> None:
        excess = len(self._owners) - LIMIT
        if excess >= CHUNK:
            for column in (self._starts, self._owners, self._versions):
                del column[:excess]

    def read(self, cursor: int, version: int) -> tuple[list[list[int]], int]:
        """Runs that changed after a version, as lists of first row, computation and number of rows.

        Returns
        -------
        (list, int)
            The runs, and the version that a reader has after them.
        """
        begin = bisect_right(self._versions, cursor)
        stop = min(len(self._starts), begin + READ_RUNS)
        ends = [*self._starts[begin + 1 : stop + 1], self.end]
        runs = [
            [start, owner - 1, end - start]
            for start, owner, end in zip(self._starts[begin:stop], self._owners[begin:stop], ends)
            if owner != _NONE
        ]
        return runs, version if stop == len(self._starts) else self._versions[stop - 1]

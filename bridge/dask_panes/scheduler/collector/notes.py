"""Executions that the hook has recorded: those that are not in the ring yet, and those that do not count yet.

Guarantees: each execution is written exactly once, in the order in which it ended, before the next read and at the
latest with the next tick; it counts once in its function and its computation, in slices from that tick on, before
their tables are looked at; an execution that cannot be read is counted by the history and costs only itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from distributed.metrics import time

from .computation import number_of
from .computations import Computations
from .episodes import Episodes
from .faults import Faults
from .history import FIELDS, History

#: Values of pending executions beyond which the ring is written at once and not with the next tick or read.
BATCH = 2_000 * FIELDS
#: Executions counted in one slice: half a millisecond, or 2 ms where each is of another function.
PIECE = 250


class Notes:
    """Notes of executions, and the ring that they are written to.

    Attributes
    ----------
    pending : list
        Notes of executions that are not in the ring yet, flat: `FIELDS` values each. The hook extends it.
    failed : list of int
        Which of them failed, counted from 0.
    """

    def __init__(self, history: History, episodes: Episodes, computations: Computations, faults: Faults) -> None:
        self._history, self._episodes, self._computations, self._faults = history, episodes, computations, faults
        # The hook keeps references to these lists: they are emptied, never replaced.
        self.pending: list[Any] = []
        self.failed: list[int] = []
        #: The computation of each, see `Claims.owners`.
        self.owners: list[int | None] = []
        # The same for executions that are in the ring but are not counted yet. Counting them with each read, a few
        # dozen at a time and twenty times a second, costs three times as much as counting them with each tick.
        self._written: list[Any] = []
        self._written_failed: list[int] = []
        self._written_owners: list[int | None] = []
        #: Row of the ring of the first of them; None if they are not consecutive rows, since one could not be written.
        self._written_first: int | None = None

    @property
    def end(self) -> int:
        """Number of the next execution, pending ones included."""
        return self._history.end + len(self.pending) // FIELDS

    @property
    def counted(self) -> int:
        """Number of the first execution that does not count yet."""
        return self._history.end - len(self._written_owners)

    def write(self) -> None:
        """Write the pending executions into the ring."""
        if self.pending:
            notes, failed, owners = _taken(self.pending, self.failed, self.owners)
            row = self._history.end
            self._history.extend(notes, failed)
            before = len(self._written_owners)
            if self._history.end - row < len(owners):
                self._written_first = None
            elif not before:
                self._written_first = row
            self._written_failed.extend([before + i for i in failed])
            self._written.extend(notes)
            self._written_owners.extend(owners)

    def counting(self) -> Iterator[None]:
        """Count all executions that are in the ring, in slices."""
        while self._written_owners:
            self._count(PIECE)
            yield

    def drain(self) -> None:
        """Write the pending executions into the ring, and count all that do not count yet."""
        self.write()
        if self._written_owners:
            self._count(len(self._written_owners))

    def _count(self, count: int) -> None:
        """Count the first executions of those that are in the ring."""
        notes, owners, first = self._written[: count * FIELDS], self._written_owners[:count], self._written_first
        failed = [i for i in self._written_failed if i < count]
        del self._written[: count * FIELDS], self._written_owners[:count]
        self._written_failed = [i - count for i in self._written_failed[len(failed) :]]
        if first is not None:
            self._written_first = first + count
        known = {each for each in set(owners) if each is not None and self._computations.is_identified(number_of(each))}
        identified = [owner if owner in known else None for owner in owners]
        executed = (notes[1::FIELDS], notes[4::FIELDS], failed, time(), identified)
        self._faults.guard("prefixes", "note", lambda: self._episodes.ended(*executed), None)
        owned = (notes[::FIELDS], notes[1::FIELDS], owners, notes[4::FIELDS], notes[5::FIELDS], failed, first)

        def add() -> bool:
            self._computations.ended(*owned)
            return True

        if not self._faults.guard("computations", "note", add, False):
            # Dask has the counts of functions, but nobody those of computations.
            self._faults.skip("computations", len(owners))


def _taken(*lists: list[Any]) -> list[list[Any]]:
    """What lists have, and empty them: others refer to them."""
    taken = [each[:] for each in lists]
    for each in lists:
        each.clear()
    return taken

"""Executions that the hook has recorded and that are not in the ring yet.

Guarantees: each execution is written exactly once, in the order in which it ended, before the next read and at the
latest with the next tick; an execution that cannot be read is counted by the history and costs only itself.
"""

from __future__ import annotations

from typing import Any

from distributed.metrics import time

from .computations import Computations
from .episodes import Episodes
from .faults import Faults
from .history import FIELDS, History

#: Values of pending executions beyond which the ring is written at once and not with the next tick or read.
BATCH = 2_000 * FIELDS


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

    @property
    def end(self) -> int:
        """Number of the next execution, pending ones included."""
        return self._history.end + len(self.pending) // FIELDS

    def drain(self) -> None:
        """Write the pending executions into the ring."""
        if self.pending:
            notes, failed, owners = self.pending[:], self.failed[:], self.owners[:]
            for noted in (self.pending, self.failed, self.owners):
                noted.clear()
            self._history.extend(notes, failed)
            executed = (notes[1::FIELDS], notes[4::FIELDS], failed, time(), owners)
            self._faults.guard("prefixes", "note", lambda: self._episodes.ended(*executed), None)
            owned = (notes[::FIELDS], notes[1::FIELDS], owners, notes[4::FIELDS], notes[5::FIELDS], failed)
            self._faults.guard("computations", "note", lambda: self._computations.ended(*owned), None)

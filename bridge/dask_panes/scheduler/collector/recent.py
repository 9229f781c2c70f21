"""The graphs of one computation individually: the newest of them, and the extremes of all.

Guarantees: a computation has at most twice `LIMIT` graphs here, 40 bytes each, however many there were; each costs
1 µs.
"""

from __future__ import annotations

from array import array
from math import nan
from typing import Any

from .submission import Submission

#: Graphs listed.
LIMIT = 50
#: Values of each: see `FIELDS`.
FIELDS = ("time", "tasks", "graph", "packing", "reading")
_WIDTH = len(FIELDS)
#: Those of which the largest value is kept.
_LARGEST = ("tasks", "graph", "packing", "reading")


class RecentGraphs:
    """The newest graphs of a computation.

    Attributes
    ----------
    count : int
        Graphs that were added.
    """

    __slots__ = ("_most", "_values", "count")

    def __init__(self) -> None:
        self.count = 0
        self._values = array("d")
        #: Below 0: not known.
        self._most = [-1.0] * len(_LARGEST)

    @classmethod
    def like(cls, old: Any) -> RecentGraphs:
        """The same as an older collector had it; empty if it had none."""
        made = cls()
        if old is not None:
            made.count, made._values, made._most = old.count, old._values[:], list(old._most)
        return made

    def add(self, submission: Submission, tasks: int, now: float) -> None:
        """A graph has been read; what that took follows (`read`).

        Parameters
        ----------
        tasks : int
            Tasks of the graph, also those that were there before.
        now : float
            When it had been read, seconds.
        """
        self.count += 1
        values = self._values
        graph, packing = submission.nbytes, submission.packing
        values.extend((now, tasks, nan if graph is None else graph, nan if packing is None else packing, nan))
        if len(values) >= 2 * LIMIT * _WIDTH:
            del values[: LIMIT * _WIDTH]
        most = self._most
        # To compare takes a third of the time of `max`.
        if tasks > most[0]:
            most[0] = tasks
        if graph is not None and graph > most[1]:
            most[1] = graph
        if packing is not None and packing > most[2]:
            most[2] = packing

    def read(self, seconds: float) -> None:
        """What it took to read the newest graph."""
        if self._values:
            self._values[-1] = seconds
            self._most[3] = max(self._most[3], seconds)

    def describe(self) -> dict[str, Any]:
        """The extremes of all, and columns of the newest, earliest first; what is not known is None."""
        values = self._values[-LIMIT * _WIDTH :]
        return {
            "count": self.count,
            "most": {name: _known(value) for name, value in zip(_LARGEST, self._most)},
            "newest": {name: [_known(value) for value in values[i::_WIDTH]] for i, name in enumerate(FIELDS)},
        }


def _known(value: float) -> float | None:
    return value if value >= 0 else None

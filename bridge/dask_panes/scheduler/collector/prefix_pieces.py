"""Functions in pieces: rows are computed only of pieces in which something has moved since the last look.

Dask keeps every function that there ever was, and keys like ``load_17`` make one each. To compute the rows of 100,000
takes a second; to see that none has moved, 40 ms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from distributed.scheduler import TaskPrefix

#: Functions of a piece: their rows take a millisecond.
PIECE = 100
#: Pieces that moved last, which are looked at more often than all: where results are released, for example.
LATEST = 10

#: What moves with each change of a row, as sums over the functions of a piece.
State = tuple[float, ...]


class Piece:
    """Some functions.

    Attributes
    ----------
    prefixes : list of TaskPrefix
        In Dask's order.
    seen : tuple of float, optional
        Their state when their rows were last computed.
    """

    __slots__ = ("prefixes", "seen")

    def __init__(self) -> None:
        self.prefixes: list[TaskPrefix] = []
        self.seen: State | None = None


class Pieces:
    """All functions of a scheduler, in pieces.

    Parameters
    ----------
    moves : callable
        Receives names of functions; returns a number that is another one when an episode of them has moved.
    """

    def __init__(self, moves: Callable[[Iterable[str]], int]) -> None:
        self._moves = moves
        self._pieces: list[Piece] = []
        self._known = 0
        #: Number of the piece by the name of a function.
        self._of: dict[str, int] = {}
        #: Numbers of the pieces that moved last, the newest at the end.
        self._latest: dict[int, None] = {}

    def __len__(self) -> int:
        return len(self._pieces)

    def __getitem__(self, number: int) -> Piece:
        return self._pieces[number]

    def clear(self) -> None:
        """The scheduler was cleared on purpose."""
        self._pieces.clear()
        self._of.clear()
        self._latest.clear()
        self._known = 0

    def doubt(self) -> None:
        """Rows of unknown functions have changed: those of all are computed again."""
        for piece in self._pieces:
            piece.seen = None

    def adopt(self, prefixes: dict[str, TaskPrefix]) -> Iterator[None]:
        """Add the functions that are new, in slices; `prefixes` is ``Scheduler.task_prefixes``."""
        fresh = [*islice(reversed(prefixes.values()), max(0, len(prefixes) - self._known))]
        while fresh:
            if not self._pieces or len(self._pieces[-1].prefixes) >= PIECE:
                self._pieces.append(Piece())
            number, piece = len(self._pieces) - 1, self._pieces[-1]
            for _ in range(min(len(fresh), PIECE - len(piece.prefixes))):
                prefix = fresh.pop()
                piece.prefixes.append(prefix)
                self._of[prefix.name] = number
                self._known += 1
            piece.seen = None
            self._note(number)
            yield

    def likely(self, names: Iterable[str]) -> list[int]:
        """Numbers of the pieces that have these functions, and of those that moved last."""
        found = dict.fromkeys(self._of[name] for name in names if name in self._of)
        return [*found, *(number for number in self._latest if number not in found)]

    def moved(self, number: int) -> bool:
        """Whether a row of a piece may have changed since `took`."""
        piece = self._pieces[number]
        return piece.seen is None or piece.seen != self._state(piece.prefixes)

    def took(self, number: int) -> None:
        """The rows of a piece have just been computed."""
        piece = self._pieces[number]
        # Afterwards: to look at an episode may move it.
        piece.seen = self._state(piece.prefixes)
        self._note(number)

    def _note(self, number: int) -> None:
        self._latest.pop(number, None)
        self._latest[number] = None
        if len(self._latest) > LATEST:
            del self._latest[next(iter(self._latest))]

    def _state(self, prefixes: list[TaskPrefix]) -> State:
        return (
            # How often a task came into each state: it only grows.
            sum([sum(prefix.state_counts.values()) for prefix in prefixes]),
            # Data is scattered, and an average is given up, without a transition.
            sum([prefix.nbytes_total for prefix in prefixes]),
            sum([prefix.max_exec_time for prefix in prefixes]),
            sum([prefix.duration_average for prefix in prefixes]),
            self._moves([prefix.name for prefix in prefixes]),
        )

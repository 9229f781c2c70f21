"""Scans large structures in slices between the scheduler's other events, using at most 1 % of a core."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from time import perf_counter

from .clock import cpu_time

#: Fraction of a core for the walks of one kind.
BUDGET = 0.01
#: CPU seconds of one slice.
SLICE = 2e-3
#: CPU seconds of a walk below which the next may begin at once: the interval of the scans is a sufficient bound.
CHEAP = 5e-4


class Walk:
    """Runs one walk after another.

    A walk is a generator that yields at least every half a millisecond. Its first slice is executed at once, so a
    short walk has ended when `begin` returns.

    Parameters
    ----------
    failed : callable
        Called when a walk has raised, which ends it.
    rest : float
        Minimum seconds from the end of a walk that is not cheap to the next.
    """

    def __init__(self, failed: Callable[[Exception], None], rest: float = 0.0) -> None:
        self._failed, self._rest = failed, rest
        self._pieces: Iterator[None] | None = None
        self._handle: asyncio.Handle | None = None
        self._spent = 0.0
        self._next = 0.0
        #: See `Load.stretch`.
        self.stretch = 1.0
        #: CPU seconds of all walks, without their first slices, which are of the scan that begins them.
        self.total = 0.0
        #: Whether a walk has ended: before that there is no data.
        self.ended = False

    @property
    def due(self) -> bool:
        """Whether another walk may begin: none is in progress, and the last one is within the budget."""
        return self._pieces is None and perf_counter() >= self._next

    @property
    def walking(self) -> bool:
        """Whether a walk is in progress."""
        return self._pieces is not None

    def forgive(self) -> None:
        """Allow the next walk at once, whatever the last one cost."""
        self._next = 0.0

    def begin(self, pieces: Iterator[None]) -> None:
        """Begin a walk."""
        self._pieces, self._spent, total = pieces, 0.0, self.total
        self._step()
        self.total = total

    def stop(self) -> None:
        """Abort the walk."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        self._pieces = None

    def restart(self) -> None:
        """The results have no meaning any more: the next walk may begin at once."""
        self.stop()
        self._next = 0.0
        self.ended = False

    def _step(self) -> None:
        self._handle = None
        pieces = self._pieces
        if pieces is None:
            return
        begin = cpu_time()
        try:
            next(pieces)
            while cpu_time() - begin < SLICE:
                next(pieces)
        except StopIteration:
            self._pieces = None
            self.ended = True
        except Exception as error:
            self._pieces = None
            self._failed(error)
        finally:
            spent = cpu_time() - begin
            self._spent += spent
            self.total += spent
            rest = self.stretch * max(self._rest, self._spent / BUDGET)
            self._next = perf_counter() + (rest if self._spent > CHEAP else 0.0)
        if self._pieces is not None:
            self._handle = asyncio.get_running_loop().call_soon(self._step)

"""Looking through something large: in slices between the scheduler's other events, and within 1 % of a core."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from time import perf_counter

from .clock import cpu_time

#: Share of a core that the walks of one kind may take.
BUDGET = 0.01
#: CPU seconds of one slice.
SLICE = 2e-3
#: CPU seconds of a walk after which another one may begin at once: how often anybody looks is enough of a bound.
CHEAP = 5e-4


class Walk:
    """Runs one walk after another.

    A walk is a generator that yields after each piece of at most half a millisecond. Its first slice is done at once,
    so where there is little to look through it has ended when `begin` returns.

    Parameters
    ----------
    failed : callable
        Called when a walk has raised; it is over then.
    """

    def __init__(self, failed: Callable[[Exception], None]) -> None:
        self._failed = failed
        self._pieces: Iterator[None] | None = None
        self._handle: asyncio.Handle | None = None
        self._spent = 0.0
        self._next = 0.0
        #: Whether a walk has ended: before that nobody knows what there is.
        self.ended = False

    @property
    def due(self) -> bool:
        """Whether another walk may begin: none is under way, and the last one is paid for."""
        return self._pieces is None and perf_counter() >= self._next

    @property
    def walking(self) -> bool:
        """Whether a walk is under way."""
        return self._pieces is not None

    def forgive(self) -> None:
        """Let the next walk begin at once, whatever the last one cost."""
        self._next = 0.0

    def begin(self, pieces: Iterator[None]) -> None:
        """Begin a walk."""
        self._pieces, self._spent = pieces, 0.0
        self._step()

    def stop(self) -> None:
        """End the walk where it is."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        self._pieces = None

    def restart(self) -> None:
        """What was found means nothing any more: the next walk may begin at once."""
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
            self._spent += cpu_time() - begin
            self._next = perf_counter() + (self._spent / BUDGET if self._spent > CHEAP else 0.0)
        if self._pieces is not None:
            self._handle = asyncio.get_running_loop().call_soon(self._step)

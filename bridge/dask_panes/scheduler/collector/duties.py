"""Work in slices between the scheduler's other events.

Guarantees: a slice takes about 2 ms of CPU at most, then the event loop gets its turn; an error ends one duty and is
reported, the others go on; after `stop` nothing runs.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from typing import Any

from .clock import cpu_time
from .faults import Faults

#: CPU seconds of duties in one turn of the event loop.
TURN = 2e-3


class Duties:
    """Duties in their order, each a generator that yields at least every half a millisecond.

    Parameters
    ----------
    done : callable
        Called when all have been done.
    """

    def __init__(self, faults: Faults, done: Callable[[], None]) -> None:
        self._faults, self._done = faults, done
        #: Each with the part that is reported if it raises.
        self._duties: deque[tuple[str, Iterator[None]]] = deque()
        #: CPU seconds by part.
        self.spent = defaultdict[str, float](float)
        self._scheduled = False

    @property
    def left(self) -> bool:
        """Whether there is any to do."""
        return bool(self._duties)

    def add(self, part: str, duty: Iterator[None]) -> None:
        """Add a duty of a part of the collector, to be done by `go_on`."""
        self._duties.append((part, duty))

    def once(self, part: str, step: str, call: Callable[[], None]) -> None:
        """Add a duty that is done in one go."""
        self.add(part, self._once(part, step, call))

    def _once(self, part: str, step: str, call: Callable[[], None]) -> Iterator[None]:
        self._faults.guard(part, step, call, None)
        # It ends with its first step: each step is timed, which is a system call.
        yield from ()

    def go_on(self) -> None:
        """Do one slice now, and the others in later turns of the event loop."""
        begin = before = cpu_time()
        while self._duties:
            part, duty = self._duties[0]
            try:
                over = next(duty, duty) is duty
            except Exception as error:
                self._faults.note(part, error)
                over = True
            if over:
                self._duties.popleft()
            now = cpu_time()
            self.spent[part] += now - before
            before = now
            if now - begin > TURN:
                break
        if not self._duties:
            self._done()
        elif not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._go_on_later)

    def _go_on_later(self) -> None:
        self._scheduled = False
        if self._duties:
            self.go_on()

    def finish(self) -> None:
        """Do all that is left now."""
        while self._duties:
            for _ in self._duties.popleft()[1]:
                pass

    async def finished(self) -> None:
        """Wait until there are none left."""
        while self._duties:
            await asyncio.sleep(0)

    def stop(self) -> None:
        """Drop all."""
        self._duties.clear()


class Steps:
    """Repeats a step in turns of the event loop, until it returns False."""

    def __init__(self, step: Callable[[], bool]) -> None:
        self._step = step
        self._scheduled = False
        self._stopped = False

    def begin(self) -> None:
        """Do the steps, unless that is already under way."""
        if not self._scheduled and not self._stopped:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        self._scheduled = False
        if not self._stopped and self._step():
            self.begin()

    def stop(self) -> None:
        """Do no more steps."""
        self._stopped = True


def run_at_once(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine up to where it first suspends."""
    # It ended without suspending.
    with suppress(StopIteration):
        coroutine.send(None)

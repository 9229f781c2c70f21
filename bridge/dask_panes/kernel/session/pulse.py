"""Checks that a scheduler without news is still there.

A long poll on an idle cluster is answered after 25 s: until then an idle scheduler looks the same as one that has
stopped. While a pane is open, a scheduler without an answer for some seconds receives an empty request (Dask's own
RPC `echo`). A busy scheduler answers polls all the time and never receives one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any

logger = logging.getLogger(__name__)

#: Seconds between two checks of the clock.
TICK = 0.5
#: Seconds without an answer after which a scheduler is asked.
ASK_AFTER = 2.0
#: Timeout of the answer, seconds.
ANSWER_WITHIN = 2.5
#: What is not up to date where this fails, as the beginning of a message.
CHECK = "Whether the scheduler answers"
#: Seconds added to the interval per reading kernel: all of them together use 0.5 % of the scheduler's core, at 300 µs
#: an RPC.
PER_READER = 0.06


class Pulse:
    """When one scheduler last answered. Everything but `answered` and `patience` is for the Client's loop.

    Parameters
    ----------
    echo : callable
        Sends an empty request; raises OSError if the connection is lost. Returns None if there is no connection that
        could be lost: the scheduler runs on this loop.
    spawn : callable
        Runs a coroutine as a task that ends with the session.
    report : callable
        Notifies the tabs of a failure, or, without an error, that it is resolved; see `Work.report`.
    """

    def __init__(
        self,
        echo: Callable[[], Awaitable[Any] | None],
        spawn: Callable[[Any], asyncio.Task[Any]],
        report: Callable[[str, Exception | None], None],
    ) -> None:
        self._echo, self._spawn, self._report = echo, spawn, report
        self._running: asyncio.Task[Any] | None = None
        self._question: asyncio.Task[Any] | None = None
        #: When the scheduler last answered, `time.monotonic`.
        self.answered = monotonic()
        #: Number of kernels that read the scheduler.
        self.readers = 1

    @property
    def patience(self) -> float:
        """Seconds without an answer after which the scheduler counts as silent."""
        return self._interval + ANSWER_WITHIN

    @property
    def _interval(self) -> float:
        return max(ASK_AFTER, PER_READER * self.readers)

    def note(self) -> None:
        """The scheduler has answered any request."""
        self.answered = monotonic()

    def attend(self, wanted: bool) -> None:
        """Start or stop checking."""
        running = self._running is not None and not self._running.done()
        if wanted and not running:
            # Its behaviour before the first check does not count as silence.
            self.note()
            self._running = self._spawn(self._look())
        elif not wanted and self._running is not None:
            self._running.cancel()
            # It ends in a later turn of the loop; a tab may subscribe again in this one.
            self._running = None
            self._report(CHECK, None)

    async def _look(self) -> None:
        while True:
            try:
                self._check()
            except Exception as error:
                # Our own failure is no silence of the scheduler.
                self.note()
                self._report(CHECK, error)
            await asyncio.sleep(TICK)

    def _check(self) -> None:
        asking = self._question is not None and not self._question.done()
        if asking or monotonic() - self.answered < self._interval:
            return
        answer = self._echo()
        self._report(CHECK, None)
        if answer is None:
            self.note()
        else:
            self._question = self._spawn(self._ask(answer))

    async def _ask(self, answer: Awaitable[Any]) -> None:
        try:
            await answer
        except OSError:
            logger.debug("the scheduler could not be asked", exc_info=True)
        except Exception:
            # It refuses the request, which is also an answer.
            self.note()
        else:
            self.note()

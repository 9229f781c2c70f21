"""Notifies the tabs that show a cluster that the kernel is alive, and which schedulers do not answer.

A beat is one small message to a tab that has received nothing else for `PERIOD`. A tab that receives nothing for
longer can conclude that something is wrong without a request. Everything here runs on the control loop.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping
from time import monotonic
from typing import Protocol

from .client_like import ClientLike
from .loops import is_of_main_thread, on_loop_of

logger = logging.getLogger(__name__)

#: Maximum seconds between messages to a tab.
PERIOD = 2.0
#: Seconds between two checks.
TICK = 0.5
#: What is not up to date where this fails, as the beginning of a message.
CHECK = "Whether the kernel answers"


class Listener(Protocol):
    """A tab, as seen by beats."""

    @property
    def sent(self) -> float:
        """Time of the last message to it, ``time.monotonic``."""

    @property
    def sources(self) -> Collection[ClientLike]:
        """Its visible sources; a tab without any gets no beats."""

    def beat(self, silent: Mapping[str, float]) -> None:
        """Send a beat: seconds since the last answer, for each scheduler that does not answer."""


class Beats:
    """The beats of one kernel.

    Parameters
    ----------
    listeners : callable
        Returns the existing tabs.
    """

    def __init__(self, listeners: Callable[[], Collection[Listener]]) -> None:
        self._listeners = listeners
        self._timer: asyncio.TimerHandle | None = None
        #: By key: the last answer, and the number of checks without another one.
        self._seen: dict[str, tuple[float, int]] = {}
        self._silent: frozenset[str] = frozenset()
        #: Keys of sources whose loop has not run since it was asked to.
        self._stuck: set[str] = set()
        #: The sources that know of a failure of the last check, by key.
        self._notified: dict[str, ClientLike] = {}

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """There may be a visible tab: run until there is none."""
        if self._timer is None:
            self._timer = loop.call_later(TICK, self._look, loop)

    def end(self) -> None:
        """No tab is visible any more."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        self._seen.clear()
        self._silent = frozenset()

    def silence(self, sources: Collection[ClientLike]) -> dict[str, float]:
        """Seconds since the last answer, for each source whose scheduler does not answer."""
        now = monotonic()
        return {source.key: now - source.answered for source in sources if source.key in self._silent}

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        # Whatever fails below, there is another check.
        self._timer = loop.call_later(TICK, self._look, loop)
        try:
            self._check()
        except Exception as error:
            logger.debug("beats failed", exc_info=True)
            self._report(error)
        else:
            for source in self._notified.values():
                on_loop_of(source, source.report, CHECK, None)
            self._notified.clear()

    def _report(self, error: Exception) -> None:
        try:
            sources = {source.key: source for listener in self._listeners() for source in listener.sources}
        except Exception:
            # What failed is also what knows them.
            logger.debug("nobody could be notified", exc_info=True)
            return
        self._notified.update(sources)
        for source in sources.values():
            on_loop_of(source, source.report, CHECK, error)

    def _check(self) -> None:
        """Send the beats that are due."""
        listeners = [listener for listener in self._listeners() if listener.sources]
        if not listeners:
            self.end()
            return
        before = self._silent
        self._judge({source.key: source for listener in listeners for source in listener.sources})
        changed = before ^ self._silent
        now = monotonic()
        for listener in listeners:
            concerned = any(source.key in changed for source in listener.sources)
            if concerned or now - listener.sent >= PERIOD - TICK / 2:
                listener.beat(self.silence(listener.sources))

    def _judge(self, sources: Mapping[str, ClientLike]) -> None:
        """Count checks, not seconds: while the GIL is held no check runs, and afterwards an answer may be pending."""
        seen, silent = {}, set()
        for key, source in sources.items():
            answered, looks = self._seen.get(key, (source.answered, 0))
            if answered != source.answered:
                looks = 0
            elif self._turns(source):
                looks += 1
            seen[key] = (source.answered, looks)
            if looks * TICK >= source.patience and not source.closed:
                silent.add(key)
        self._seen, self._silent = seen, frozenset(silent)

    def _turns(self, source: ClientLike) -> bool:
        """Whether an answer could have been noted since the last check.

        The loop of an asynchronous client is the main thread's: while a cell computes, it does not run. A scheduler
        that runs on the loop that stands still does not answer then.
        """
        if not is_of_main_thread(source) or source.beside:
            return True
        if source.key in self._stuck:
            return False
        self._stuck.add(source.key)
        on_loop_of(source, self._stuck.discard, source.key)
        return True

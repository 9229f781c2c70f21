"""Tells the tabs that see a cluster that the kernel is there, and whose scheduler does not answer.

A beat is one small message to a tab that nothing else was sent for `PERIOD`. A tab that hears nothing for longer
knows that something is wrong without asking. Everything here runs on the control loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from time import monotonic
from typing import Protocol

from .source import Source

#: Seconds after which a tab hears from its kernel at the latest.
PERIOD = 2.0
#: Seconds between two looks.
TICK = 0.5


class Listener(Protocol):
    """A tab, as far as beats are concerned."""

    @property
    def sent(self) -> float:
        """When it was last sent something, ``time.monotonic``."""

    @property
    def sources(self) -> Collection[Source]:
        """What it sees; a tab that sees nothing gets no beats."""

    def beat(self, silent: Mapping[str, float]) -> None:
        """Send a beat: seconds since a scheduler answered, of those that do not answer."""


class Beats:
    """The beats of one kernel.

    Parameters
    ----------
    listeners : callable
        Gives the tabs there are.
    """

    def __init__(self, listeners: Callable[[], Collection[Listener]]) -> None:
        self._listeners = listeners
        self._timer: asyncio.TimerHandle | None = None
        #: By key: the answer that was last seen, and for how many looks there was no other.
        self._seen: dict[str, tuple[float, int]] = {}
        self._silent: frozenset[str] = frozenset()

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Somebody may look: go on until nobody does."""
        if self._timer is None:
            self._timer = loop.call_later(TICK, self._look, loop)

    def end(self) -> None:
        """Nobody looks any more."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        self._seen.clear()
        self._silent = frozenset()

    def silence(self, sources: Collection[Source]) -> dict[str, float]:
        """Seconds since a scheduler answered, for each source whose scheduler does not answer."""
        now = monotonic()
        return {source.key: now - source.answered for source in sources if source.key in self._silent}

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
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
        self._timer = loop.call_later(TICK, self._look, loop)

    def _judge(self, sources: Mapping[str, Source]) -> None:
        """Count looks and not seconds: while the GIL is held nobody looks, and afterwards an answer may be due."""
        seen, silent = {}, set()
        for key, source in sources.items():
            answered, looks = self._seen.get(key, (source.answered, 0))
            looks = looks + 1 if answered == source.answered else 0
            seen[key] = (source.answered, looks)
            if looks * TICK >= source.patience and not source.closed:
                silent.add(key)
        self._seen, self._silent = seen, frozenset(silent)

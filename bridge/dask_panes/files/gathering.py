"""What workers know themselves (profiles, transfers, log lines), gathered for one recording.

A recording has sources of its own beside those of the session: it begins at its block's start, and nothing from before
is asked for, while the panes' sources tell the past, too. Everything here runs on the Client's event loop.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Any

from ..kernel.probe import SCHEDULER, Probe, Reach
from ..kernel.session import make_sources
from ..kernel.sources import Source

logger = logging.getLogger(__name__)

HEARTBEAT = Probe.of("heartbeat", "dask_panes.kernel.probes", "heartbeat.py")

#: Takes bodies by topic, as a frame carries them.
Emit = Callable[[dict[str, Any]], None]


class Gathering:
    """The sources of one recording.

    Parameters
    ----------
    reach : Reach
        Asks the workers.
    emit : callable
        Takes what is new.
    topics : iterable of str
        Topics that are wanted; those that no source gathers are skipped.

    Attributes
    ----------
    unread : dict of int to str
        What went wrong, by id of the worker that did not answer when it was last asked.
    late : dict of int to str
        The same of those that did not answer at the begin.
    looked : int
        Topics that were looked at for the last time, of all `topics`.
    """

    def __init__(self, reach: Reach, emit: Emit, topics: Iterable[str]) -> None:
        wanted = set(topics)
        self._sources = [source for source in make_sources() if source.topic in wanted]
        self._reach, self._emit = reach, emit
        self._positions: dict[str, int] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._begun: list[asyncio.Task[None]] = []
        self._ending = asyncio.Event()
        #: Topics that have begun.
        self._standing: set[str] = set()
        self.unread: dict[int, str] = {}
        self.late: dict[int, str] = {}
        self.looked = 0

    @property
    def topics(self) -> frozenset[str]:
        """Topics that are gathered here."""
        return frozenset(source.topic for source in self._sources)

    async def begin(self, patience: float) -> None:
        """Begin at this moment; what takes longer than `patience` (seconds) goes on meanwhile."""
        await self._heartbeats(patience)
        self.late = self.unread
        # Each probe leaves a line in the log of a worker that is taught it: lines are counted from after that.
        ordered = sorted(self._sources, key=lambda source: source.topic == "logs")
        first = [asyncio.create_task(self._start(source)) for source in ordered if source.topic != "logs"]
        await self._at_most(first, patience)
        rest = [asyncio.create_task(self._start(source)) for source in ordered if source.topic == "logs"]
        await self._at_most(rest, patience)
        self._begun = first + rest
        self._tasks = [
            asyncio.create_task(self._watch(source, begun)) for source, begun in zip(ordered, self._begun, strict=True)
        ]

    async def _at_most(self, tasks: list[asyncio.Task[None]], seconds: float) -> None:
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)

    async def _start(self, source: Source) -> None:
        try:
            await source.begin(self._reach)
            self._standing.add(source.topic)
        except Exception:
            # It begins with the next attempt: a look without a begin would tell the past.
            logger.debug("%s did not begin", source.topic, exc_info=True)

    async def _watch(self, source: Source, begun: asyncio.Task[None]) -> None:
        await begun
        while not self._ending.is_set():
            try:
                await asyncio.wait_for(self._ending.wait(), source.interval)
                break
            except asyncio.TimeoutError:
                await self._look(source)

    async def _look(self, source: Source, last: bool = False) -> None:
        if source.topic not in self._standing:
            await self._start(source)
        try:
            if source.topic not in self._standing:
                raise RuntimeError("the workers could not be asked")
            await source.look(self._reach, last)
        except Exception as error:
            logger.debug("could not look for %s", source.topic, exc_info=True)
            if last:
                self.unread.setdefault(SCHEDULER, str(error) or type(error).__name__)
        self.looked += last
        self.tell(source)

    async def everything(self, patience: float) -> None:
        """Instead of `begin` and `end`: gather what servers have, from its oldest on, and no more."""
        self._standing.update(self.topics)
        await self.end(patience)

    async def end(self, patience: float) -> None:
        """Look for the last time: once more at everything, then no more. Takes `patience` seconds at most."""
        self._ending.set()
        task = asyncio.create_task(self._last())
        _, waiting = await asyncio.wait({task}, timeout=patience)
        for left in (*waiting, *self._tasks, *self._begun):
            left.cancel()
        await asyncio.gather(*waiting, *self._tasks, *self._begun, return_exceptions=True)
        if waiting:
            self.unread.setdefault(SCHEDULER, f"no answer within {patience:g} s")

    async def _last(self) -> None:
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._heartbeats()
        await asyncio.gather(*(self._look(source, last=True) for source in self._sources))
        for source in self._sources:
            self.unread.update(source.unread)

    def stop(self) -> None:
        """Look no more, whatever is missing."""
        self._ending.set()
        for task in (*self._tasks, *self._begun):
            task.cancel()

    async def _heartbeats(self, patience: float | None = None) -> None:
        """What workers tell with heartbeats is as of now: until their next one that is up to some seconds old."""
        try:
            asked = self._reach.workers(HEARTBEAT)
            answers = await (asked if patience is None else asyncio.wait_for(asked, patience))
            self.unread = dict(answers.failed)
        except Exception:
            logger.debug("no heartbeats", exc_info=True)

    def again(self) -> None:
        """The reader begins anew: it gets everything again."""
        self._positions.clear()
        for source in self._sources:
            self.tell(source)

    def tell(self, source: Source) -> None:
        """Emit what is new of a source; that there is nothing is told once."""
        topic = source.topic
        while self._positions.get(topic, -1) < source.end:
            body, after = source.read(self._positions.get(topic, 0))
            self._positions[topic] = after
            self._emit({topic: body})

"""Topics that a session gathers from the workers itself, in addition to those read from the collector.

A `Source` keeps its data with a separate cursor, so that late subscribers, reloads and further tabs receive the past;
`Sources` manages all of a session: it starts a read when one is due, never two of a source at a time, and none
without a tab, except of a source whose past would be lost (`Source.seldom`). Everything here runs on the Client's
event loop.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from math import inf
from time import monotonic
from types import MappingProxyType
from typing import Any
from uuid import uuid4

from .probe import WorkerReach

logger = logging.getLogger(__name__)

#: Minimum seconds between two reads of a topic that a pane shows.
LEAST_INTERVAL = 2.0
#: Factor of the interval while the cluster is idle and a read found nothing.
IDLE_FACTOR = 5.0
#: Factor of the pauses within a read that no pane waits for.
SELDOM_EASE = 2.0
#: Maximum factor after failed reads.
SLOWEST_FACTOR = 64.0

#: Body of a topic in the format of a collector's answer, and the cursor after it.
Reading = tuple[dict[str, Any], int]


class Source(ABC):
    """Gathers one topic.

    Attributes
    ----------
    topic : str
        Name of the topic in the schema.
    interval : float
        Seconds between two reads while a pane shows the topic.
    slow : float
        Seconds between two reads while panes show only other topics; infinite if nothing would be lost.
    seldom : float
        Seconds between two reads while no pane shows the topic, in a session that keeps history; infinite if nothing
        would be lost.
    ease : float
        Factor of the pauses within a read.
    history : bool or None
        Whether the session keeps history; None if it does not matter.
    unread : mapping of int to str
        Errors of servers that did not answer the last read, by id of ``names.workers``.
    """

    topic: str
    interval: float = LEAST_INTERVAL
    slow: float = inf
    seldom: float = inf
    ease: float = 1.0
    history: bool | None = None
    unread: Mapping[int, str] = MappingProxyType({})

    @property
    @abstractmethod
    def end(self) -> int:
        """Cursor of a reader that has everything; 0 while there is no data, never decreasing."""

    @abstractmethod
    def read(self, cursor: int) -> Reading:
        """Data after a cursor, at most some 100 kB, as ``{"c": columns, "s": scalars, "m": columns}``.

        The scalar ``first`` is the cursor before the body. If it is 0 a reader starts over: a source whose older
        content has changed answers an outdated cursor from the start.
        """

    @abstractmethod
    async def look(self, reach: WorkerReach, last: bool = False) -> bool:
        """Gather new data; returns whether there may be more soon (False on an idle cluster without news).

        May raise OSError or RuntimeError if the scheduler cannot be asked; a single worker without an answer is not
        an error.

        Parameters
        ----------
        reach : WorkerReach
        last : bool
            There will be no further read: incomplete data is included.
        """

    @abstractmethod
    async def begin(self, reach: WorkerReach) -> None:
        """Begin at this moment, before the first read: servers' earlier data is never read.

        Raises as `look`. A server that does not answer begins when it first does.
        """

    @abstractmethod
    def forget(self) -> None:
        """The scheduler is another one: gathered data has no meaning any more."""

    def belong(self, feed: str) -> None:  # noqa: B027
        """Data is that of this feed."""

    async def due(self, reach: WorkerReach) -> bool:
        """Whether there may be new data, without asking any worker; raises as `look`."""
        return True

    @property
    def elsewhere(self) -> float:
        """When another session of this kernel has read the same, `time.monotonic`; -inf if never."""
        return -inf


class Sources:
    """All sources of one session.

    Parameters
    ----------
    sources : sequence of Source
    reach : WorkerReach
        How they ask servers.
    spawn : callable
        Runs a coroutine until the session closes.
    changed : callable
        Called when a source has new data.
    intervals : mapping of str to float, optional
        Minimum seconds between two reads, by topic; others use the source's default.
    report : callable, optional
        Called with a topic and its error, or with None when it works again.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        reach: WorkerReach,
        spawn: Callable[[Coroutine[Any, Any, None]], Any],
        changed: Callable[[], None],
        intervals: Mapping[str, float] | None = None,
        report: Callable[[str, Exception | None], None] = lambda what, error: None,
    ) -> None:
        self._least = dict(intervals or {})
        self._sources = {source.topic: source for source in sources}
        self._reach, self._spawn, self._changed, self._report = reach, spawn, changed, report
        #: Distinguishes cursors of this session from those of an earlier kernel on the same feed.
        self._id = uuid4().hex[:8]
        self._wanted: frozenset[str] = frozenset()
        self._attended = False
        self._history = False
        self._feed = ""
        self._stirs = {topic: asyncio.Event() for topic in self._sources}
        self._started: set[str] = set()
        #: Topics that have been read in this feed.
        self._looked: set[str] = set()
        #: The session has ended: no more requests are possible. May be set on any thread.
        self.ended = False
        reach.heard = self._hear

    # -- reading ------------------------------------------------------------------------------------------------

    def split(self, topics: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Topics of the collector, and those gathered here.

        A reader of only the latter gets ``meta`` in addition: the collector's answer has the feed and epoch of a
        frame.
        """
        gathered = tuple(topic for topic in topics if topic in self._sources)
        collected = tuple(topic for topic in topics if topic not in self._sources)
        return collected or (("meta",) if gathered else ()), gathered

    def cursor_name(self, topic: str) -> str:
        """Name in a frame's cursor of a reader's position in a topic."""
        return f"{topic}@{self._id}"

    def positions(self, cursor: dict[str, int]) -> dict[str, int]:
        """Positions of a reader with a cursor, by topic; topics of another session start over."""
        names = {self.cursor_name(topic): topic for topic in self._sources}
        return {names[name]: count for name, count in cursor.items() if name in names}

    def cursor(self, positions: dict[str, int]) -> dict[str, int]:
        """The inverse of `positions`, for the cursor of a frame."""
        return {self.cursor_name(topic): count for topic, count in positions.items()}

    def news(self, topics: Iterable[str], positions: dict[str, int]) -> tuple[dict[str, Any], dict[str, int]]:
        """Bodies of the topics with new data for a reader, and its position after them."""
        bodies: dict[str, Any] = {}
        after: dict[str, int] = {}
        for topic in topics:
            source = self._sources[topic]
            try:
                # An empty topic is reported once, after a read.
                if positions.get(topic, -1 if topic in self._looked else 0) < source.end:
                    bodies[topic], after[topic] = source.read(positions.get(topic, 0))
            except Exception as error:
                self._report(topic, error)
        return bodies, after

    # -- looking ------------------------------------------------------------------------------------------------

    def attend(self, wanted: Iterable[str], attended: bool) -> None:
        """What panes want now, and whether there is any tab at all."""
        before = (self._wanted, self._attended)
        self._wanted, self._attended = frozenset(wanted) & self._sources.keys(), attended
        if (self._wanted, self._attended) != before:
            self._stir()

    def keep_history(self, keep: bool) -> None:
        """Whether to read what would be lost also while no pane is there."""
        self._history = keep
        for source in self._sources.values():
            source.history = keep and source.seldom < inf
        self._stir()

    def _stir(self) -> None:
        for topic, stir in self._stirs.items():
            if topic not in self._started and self._pace(topic) < inf:
                self._started.add(topic)
                self._spawn(self._watch(topic))
            stir.set()

    def belong(self, feed: str) -> None:
        """The session reads this feed: data gathered from another one is dropped."""
        if self._feed and feed != self._feed:
            self._id = uuid4().hex[:8]
            self._looked.clear()
            for source in self._sources.values():
                source.forget()
        if feed != self._feed:
            self._feed = feed
            for source in self._sources.values():
                source.belong(feed)

    def _hear(self, feed: str) -> None:
        """An answer about the workers is of this feed. While there are tabs, the reads for them report another one."""
        if not self._feed or not self._attended:
            self.belong(feed)

    def _seldom(self, topic: str) -> bool:
        """Whether a topic is only read for a later pane."""
        return self._history and topic not in self._wanted and self._sources[topic].seldom < inf

    def _pace(self, topic: str) -> float:
        source = self._sources[topic]
        if topic in self._wanted:
            pace = source.interval
        elif self._seldom(topic):
            pace = source.seldom
        else:
            pace = source.slow if self._attended else inf
        return max(pace, self._least.get(topic, 0.0))

    async def _watch(self, topic: str) -> None:
        source, stir = self._sources[topic], self._stirs[topic]
        looked, factor = -inf, 1.0
        while not self.ended:
            rest = max(looked, source.elsewhere) + self._pace(topic) * factor - monotonic()
            if rest > 0:
                stir.clear()
                try:
                    await asyncio.wait_for(stir.wait(), rest if rest < inf else None)
                    # A new pane must show the present state at once.
                    factor = 1.0
                except asyncio.TimeoutError:
                    if source.elsewhere > looked:
                        self._changed()
                continue
            try:
                found = await self._look(topic)
                factor = 1.0 if found or self._seldom(topic) else IDLE_FACTOR
                self._report(topic, None)
            except (OSError, RuntimeError, asyncio.TimeoutError):
                # The session itself detects and reports a scheduler that does not answer.
                logger.debug("could not look for %s", topic, exc_info=True)
            except Exception as error:
                factor = min(2 * factor, SLOWEST_FACTOR)
                self._report(topic, error)
            looked = monotonic()
            self._changed()

    async def _look(self, topic: str) -> bool:
        """Read a topic, if there may be anything new; returns whether there may be more soon."""
        source = self._sources[topic]
        seldom = self._seldom(topic)
        source.ease = SELDOM_EASE if seldom else 1.0
        # The scheduler shares the budget among the kernels that read: longer than until the next time.
        self._reach.again = 2 * source.seldom if seldom else 0.0
        if seldom and not await source.due(self._reach):
            return False
        found = await source.look(self._reach)
        self._looked.add(topic)
        return found

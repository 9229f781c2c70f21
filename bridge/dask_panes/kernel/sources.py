"""Topics that a session gathers from the workers itself, beside those that it reads from the collector.

A `Source` keeps what it gathered with a cursor of its own, so that late panes, reloads and further tabs get the past;
`Sources` looks after all of a session: it starts a look when one is due, never two of a source at a time, and none
while nobody is there. Everything here runs on the Client's event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from math import inf
from time import monotonic
from types import MappingProxyType
from typing import Any
from uuid import uuid4

from .probe import Reach

logger = logging.getLogger(__name__)

#: Factor on the interval while the cluster is idle and a look found nothing.
IDLE_FACTOR = 5.0
#: The same, at most, after looks that failed.
SLOWEST_FACTOR = 64.0

#: Body of a topic as a collector's answer has it, and the cursor after it.
Reading = tuple[dict[str, Any], int]


class Source(ABC):
    """Gathers one topic.

    Attributes
    ----------
    topic : str
        Name of the topic in the schema.
    interval : float
        Seconds between two looks while a pane shows the topic.
    slow : float
        Seconds between two looks while panes show only other topics; infinite where nothing is lost without.
    unread : mapping of int to str
        Servers that did not answer the last look, by id of ``names.workers``: what went wrong.
    """

    topic: str
    interval: float = 2.0
    slow: float = inf
    unread: Mapping[int, str] = MappingProxyType({})

    @property
    @abstractmethod
    def end(self) -> int:
        """Cursor of a reader that has everything; 0 while there is nothing to tell, never lower afterwards."""

    @abstractmethod
    def read(self, cursor: int) -> Reading:
        """What came after a cursor, at most some 100 kB of it, as ``{"c": columns, "s": scalars, "m": columns}``.

        The scalar ``first`` is the cursor that the body follows on. Where it is 0 a reader begins anew: a source whose
        older content has changed answers an outdated cursor from the start.
        """

    @abstractmethod
    async def look(self, reach: Reach, last: bool = False) -> bool:
        """Gather what is new; returns whether there may be more soon (False on an idle cluster without news).

        May raise OSError or RuntimeError where the scheduler cannot be asked; one worker without an answer is no error.

        Parameters
        ----------
        reach : Reach
        last : bool
            Nobody will look again: what is otherwise told only when it is whole is told as it is now.
        """

    @abstractmethod
    async def begin(self, reach: Reach) -> None:
        """Begin at this moment, before the first look: what servers have from before is never read.

        Raises as `look`. A server that does not answer begins when it first does.
        """

    @abstractmethod
    def forget(self) -> None:
        """The scheduler is another one: what was gathered means nothing any more."""


class Sources:
    """All sources of one session.

    Parameters
    ----------
    sources : sequence of Source
    reach : Reach
        How they ask servers.
    spawn : callable
        Runs a coroutine until the session closes.
    changed : callable
        Called when a source has news for its readers.
    intervals : mapping of str to float, optional
        Least seconds between two looks, by topic; those not named keep the source's own.
    report : callable, optional
        Told of a topic and what it raised; of None when it works again.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        reach: Reach,
        spawn: Callable[[Coroutine[Any, Any, None]], Any],
        changed: Callable[[], None],
        intervals: Mapping[str, float] | None = None,
        report: Callable[[str, Exception | None], None] = lambda what, error: None,
    ) -> None:
        self._least = dict(intervals or {})
        self._sources = {source.topic: source for source in sources}
        self._reach, self._spawn, self._changed, self._report = reach, spawn, changed, report
        #: Tells cursors of this session from those of an earlier kernel on the same feed.
        self._id = uuid4().hex[:8]
        self._wanted: frozenset[str] = frozenset()
        self._attended = False
        self._feed = ""
        self._stirs = {topic: asyncio.Event() for topic in self._sources}
        self._started: set[str] = set()
        #: Topics that have been looked for in this feed.
        self._looked: set[str] = set()
        #: The session has ended: nobody can be asked any more. May be set on any thread.
        self.ended = False

    # -- reading ------------------------------------------------------------------------------------------------

    def split(self, topics: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Topics of the collector, and those that are gathered here.

        Whoever wants only the latter gets ``meta`` besides: the collector says which feed and epoch a frame is of.
        """
        gathered = tuple(topic for topic in topics if topic in self._sources)
        collected = tuple(topic for topic in topics if topic not in self._sources)
        return collected or (("meta",) if gathered else ()), gathered

    def cursor_name(self, topic: str) -> str:
        """Under which name a frame's cursor tells where a reader of a topic stands."""
        return f"{topic}@{self._id}"

    def positions(self, cursor: dict[str, int]) -> dict[str, int]:
        """Where a reader with a cursor stands, by topic; topics of another session are begun anew."""
        names = {self.cursor_name(topic): topic for topic in self._sources}
        return {names[name]: count for name, count in cursor.items() if name in names}

    def cursor(self, positions: dict[str, int]) -> dict[str, int]:
        """The inverse of `positions`, for the cursor of a frame."""
        return {self.cursor_name(topic): count for topic, count in positions.items()}

    def news(self, topics: Iterable[str], positions: dict[str, int]) -> tuple[dict[str, Any], dict[str, int]]:
        """Bodies of the topics that have something new for a reader, and where it stands after them."""
        bodies: dict[str, Any] = {}
        after: dict[str, int] = {}
        for topic in topics:
            source = self._sources[topic]
            try:
                # That there is nothing is told once, when somebody has looked.
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
        if (self._wanted, self._attended) == before:
            return
        for topic, stir in self._stirs.items():
            if topic not in self._started and self._pace(topic) < inf:
                self._started.add(topic)
                self._spawn(self._watch(topic))
            stir.set()

    def belong(self, feed: str) -> None:
        """The session reads this feed: what was gathered from another one is forgotten."""
        if self._feed and feed != self._feed:
            self._id = uuid4().hex[:8]
            self._looked.clear()
            for source in self._sources.values():
                source.forget()
        self._feed = feed

    def _pace(self, topic: str) -> float:
        source = self._sources[topic]
        pace = source.interval if topic in self._wanted else source.slow if self._attended else inf
        return max(pace, self._least.get(topic, 0.0))

    async def _watch(self, topic: str) -> None:
        source, stir = self._sources[topic], self._stirs[topic]
        looked, factor = -inf, 1.0
        while not self.ended:
            rest = looked + self._pace(topic) * factor - monotonic()
            if rest > 0:
                stir.clear()
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(stir.wait(), rest if rest < inf else None)
                    # Whoever opens a pane wants to see now what there is.
                    factor = 1.0
                continue
            try:
                factor = 1.0 if await source.look(self._reach) else IDLE_FACTOR
                self._looked.add(topic)
                self._report(topic, None)
            except (OSError, RuntimeError, asyncio.TimeoutError):
                # The session itself notices and says when a scheduler does not answer.
                logger.debug("could not look for %s", topic, exc_info=True)
            except Exception as error:
                factor = min(2 * factor, SLOWEST_FACTOR)
                self._report(topic, error)
            looked = monotonic()
            self._changed()

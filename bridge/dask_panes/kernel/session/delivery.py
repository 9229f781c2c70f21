"""Passes what the scheduler sends to all tabs of one session.

A long poll goes from a position that no tab with credit has passed by much; each of these tabs gets what it lacks of
the answer. A tab further behind (new, slow, or with a new topic) catches up with separate reads.

Guarantees: each tab gets each row once and in order, at its own pace; a slow tab keeps no other back; a failure is
reported and tried again, later each time. Everything here runs on the Client's event loop; `end` on any thread.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from uuid import uuid4

from ...feed.schema import SCHEMA
from ...scheduler.collector.polls import LAST
from ..gather.probe import WorkerReach
from ..gather.sources import Sources
from ..gather.topics import make_sources
from .link import RETRY_SECONDS, Link
from .positions import Positions, base_of, elsewhere, lacks
from .sending import send, send_gathered
from .subscriber import Subscriber
from .trim import name_cursors, trim
from .work import Work

#: Seconds of one long poll; proxies between kernel and scheduler see traffic.
POLL_SECONDS = 25.0
#: Seconds until a failed operation is retried: initial and maximum.
REST, LONGEST_REST = 1.0, 60.0
#: Seconds between two separate reads, where the first has found nothing.
AGAIN = 0.05
#: Parts that fail, in messages for users: the poll for all tabs, and the reads for one.
READING, TAB = "The data from the scheduler", "One page"
ALL = frozenset(SCHEMA["topics"])


class Delivery:
    """Tabs, and what they get.

    Parameters
    ----------
    link : Link
        Reads the scheduler.
    work : Work
        Runs tasks and collects failures.
    reach : WorkerReach
        Asks the workers.
    intervals : mapping of str to float
        Minimum seconds between two reads of a gathered topic.
    closed : callable
        Returns whether the Client has closed.

    Attributes
    ----------
    subscribers : set of Subscriber
        The tabs.
    sources : Sources
        Topics gathered from the workers.
    """

    def __init__(
        self, link: Link, work: Work, reach: WorkerReach, intervals: Mapping[str, float], closed: Callable[[], bool]
    ) -> None:
        self._link, self._work, self._reach, self._closed = link, work, reach, closed
        self.subscribers: set[Subscriber] = set()
        self.sources = Sources(make_sources(), reach, work.spawn, self._serve_all, intervals, work.report)
        self._wanted = asyncio.Event()
        self._reader = uuid4().hex
        self._positions = Positions(self.subscribers)
        #: Topics of the poll in progress; every topic while there is none.
        self._polled = ALL

    def add(self, subscriber: Subscriber, topics: Iterable[str], feed: str, epoch: int, cursor: dict[str, int]) -> None:
        """Add a tab with its topics and position."""
        self.subscribers.add(subscriber)
        subscriber.topics, subscriber.gathered = self.sources.split(topics)
        subscriber.move(feed, epoch, {name: count for name, count in cursor.items() if "@" not in name})
        subscriber.positions = self.sources.positions(cursor)
        self._begin(subscriber)

    def remove(self, subscriber: Subscriber) -> None:
        """Remove a tab."""
        self.subscribers.discard(subscriber)
        self._attend()

    def retopic(self, subscriber: Subscriber, topics: Iterable[str]) -> None:
        """Change the topics of a tab."""
        subscriber.topics, subscriber.gathered = self.sources.split(topics)
        self._begin(subscriber)

    def acknowledge(self, subscriber: Subscriber, seq: int) -> None:
        """A tab has received frame `seq`."""
        subscriber.acknowledge(seq)
        self._advance(subscriber)

    @property
    def ended(self) -> bool:
        """Whether everything has been dropped."""
        return self.sources.ended

    def end(self) -> None:
        """No more requests are possible: drop the tabs and the gathered data. Any thread."""
        self.subscribers.clear()
        self.sources.ended = True
        self.sources = Sources([], self._reach, self._work.spawn, self._serve_all)
        self.sources.ended = True

    def _begin(self, subscriber: Subscriber) -> None:
        """A tab has other topics than before."""
        self._attend()
        self._advance(subscriber)
        if not subscriber.catching_up:
            # It is at the head's position, but the poll in progress may lack the topic that it subscribes to again.
            self._poll_for(subscriber)

    def _attend(self) -> None:
        wanted = {topic for subscriber in self.subscribers for topic in subscriber.gathered}
        self.sources.attend(wanted, bool(self.subscribers))
        self._link.pulse.attend(bool(self.subscribers))

    def _advance(self, subscriber: Subscriber) -> None:
        self._wanted.set()
        self._serve(subscriber)
        if self._positions.able(subscriber) and self._positions.behind(subscriber):
            self._catch_up_soon(subscriber)

    # -- one poll for all ---------------------------------------------------------------------------------------

    async def poll(self) -> None:
        """Poll until the session closes."""
        await self._link.registration()
        rest = REST
        while not self._closed():
            try:
                if self._link.readable:
                    await self._poll_once()
                    rest = REST
                    self._work.report(READING, None)
                    continue
                # Neither a collector nor the standard RPCs answer: reported in `limited`.
            except Exception as error:
                self._work.report(READING, error)
            await asyncio.sleep(rest)
            rest = min(2 * rest, LONGEST_REST)
            if not self._link.readable:
                await self._link.register()

    async def _poll_once(self) -> None:
        """Wait until a subscriber wants data, and pass on what there is."""
        ready = [s for s in self.subscribers if s.topics and s.cursor]
        if not ready:
            self._wanted.clear()
            await self._wanted.wait()
            return
        together = self._positions.together()
        if not together:
            for subscriber in ready:
                self._advance(subscriber)
            self._wanted.clear()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._wanted.wait(), RETRY_SECONDS)
            return
        base = base_of(together, self._positions.head())
        self._polled = frozenset(base.topics)
        try:
            answer = await self._read(base, self._reader, POLL_SECONDS)
        except (OSError, asyncio.TimeoutError):
            await self._link.recover()
            return
        finally:
            self._polled = ALL
        if answer is None:
            await self._link.recover()
        elif answer["topics"] or answer["names"] or answer["epoch"] != base.epoch or answer["feed"] != base.feed:
            self._deliver(base, answer)

    async def _read(self, where: Subscriber, reader: str, timeout: float) -> dict[str, Any] | None:
        answer = await self._link.read(where, reader, timeout)
        if answer is not None:
            self._positions.newest = (answer["feed"], answer["epoch"])
            self.sources.belong(answer["feed"])
        return answer

    async def read_last(self) -> None:
        """Send the tabs what ended since the last answer, before the Client closes."""
        base = self._positions.common()
        due = base.topics and self._link.last_answer_due
        if due and (answer := await self._read(base, f"{self._reader}{LAST}", 0.0)) is not None:
            self._deliver(base, answer)

    def _deliver(self, base: Subscriber, answer: dict[str, Any]) -> None:
        self._positions.count()
        for subscriber in list(self.subscribers):
            if not subscriber.topics or subscriber.catching_up:
                continue
            if elsewhere(subscriber, base) or lacks(subscriber, base):
                self._advance(subscriber)
            elif subscriber.credit:
                self._positions.answered(subscriber)
                try:
                    self._hand_on(base, answer, subscriber)
                except Exception as error:
                    # The others have theirs; this one reads separately.
                    self._work.report(TAB, error)
                    self._catch_up_soon(subscriber)

    def _hand_on(self, base: Subscriber, answer: dict[str, Any], subscriber: Subscriber) -> None:
        if answer["feed"] == base.feed and answer["epoch"] == base.epoch:
            trimmed = trim(answer, subscriber.topics, subscriber.cursor)
            if trimmed is not None:
                send(subscriber, trimmed, self.sources, self._work)
        else:
            send(subscriber, answer, self.sources, self._work)
            # An answer may be cut: the tab reads the rest separately, even if it acknowledges nothing.
            self._advance(subscriber)

    # -- a read for one -----------------------------------------------------------------------------------------

    def _catch_up_soon(self, subscriber: Subscriber) -> None:
        subscriber.catching_up = True
        self._work.spawn(self._catch_up(subscriber))

    async def _catch_up(self, subscriber: Subscriber) -> None:
        """Read for one tab until it reaches the head's position."""
        rest = REST
        try:
            await self._link.registration()
            while subscriber in self.subscribers and subscriber.topics and subscriber.credit and self._link.readable:
                try:
                    arrived = await self._read_for(subscriber)
                    self._work.report(TAB, None)
                    if arrived:
                        break
                except (OSError, asyncio.TimeoutError):
                    await self._link.recover()
                except Exception as error:
                    self._work.report(TAB, error)
                    await asyncio.sleep(rest)
                    rest = min(2 * rest, LONGEST_REST)
        finally:
            subscriber.catching_up = False
            self._wanted.set()
            self._serve(subscriber)
            self._poll_for(subscriber)

    async def _read_for(self, subscriber: Subscriber) -> bool:
        """One read for one tab; returns whether it is where the others were before it, or is gone."""
        before = self._positions.head()
        answer = await self._read(subscriber, f"{self._reader}/{id(subscriber)}", 0.0)
        if answer is None:
            await self._link.recover()
            return False
        if subscriber not in self.subscribers:
            return True
        restarted = subscriber.seq > 0 and (subscriber.feed, subscriber.epoch) != self._positions.newest
        if answer["topics"] or answer["names"] or restarted:
            send(subscriber, answer, self.sources, self._work)
        else:
            subscriber.move(answer["feed"], answer["epoch"], answer["cursor"])
        if not answer["topics"] and not answer["names"]:
            # No data yet, or an older collector does not know the topic, or sends names only with topics.
            for topic in subscriber.topics:
                subscriber.cursor.setdefault(topic, 0)
            there = self._positions.head().cursor
            for name in name_cursors(subscriber.topics):
                subscriber.cursor[name] = max(subscriber.cursor.get(name, 0), there.get(name, 0))
        arrived = self._positions.arrived(subscriber, before)
        if not arrived and not answer["topics"]:
            await asyncio.sleep(AGAIN)
        return arrived

    def _poll_for(self, subscriber: Subscriber) -> None:
        if not self._polled.issuperset(subscriber.topics):
            self._work.spawn(self._end_poll())

    async def _end_poll(self) -> None:
        """The poll in progress lacks a newly wanted topic: make it return, so that the next one includes it."""
        # If the scheduler does not answer, the poll in progress fails, too, and recovers the link.
        with contextlib.suppress(OSError, RuntimeError, asyncio.TimeoutError):
            await self._link.ready()
            await self._link.ask("wake", {"reader": self._reader})

    # -- topics gathered from the workers -----------------------------------------------------------------------

    def _serve_all(self) -> None:
        for subscriber in list(self.subscribers):
            self._serve(subscriber)

    def _serve(self, subscriber: Subscriber) -> None:
        """Send a tab what it lacks of the topics gathered here, while it has credit."""
        if not subscriber.feed or (subscriber.feed, subscriber.epoch) != self._positions.newest:
            # It has not reached this feed yet: data sent now would belong to another one.
            return
        while subscriber in self.subscribers and subscriber.credit:
            if not send_gathered(subscriber, self.sources, self._link, self._work):
                return

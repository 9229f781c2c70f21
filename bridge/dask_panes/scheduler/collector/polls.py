"""Long polls: a reader gets what it lacks as soon as there is some, at the pace that its cost allows.

Guarantees: an answer continues exactly at the reader's cursor, and no row arrives before the names that it refers to;
all readers together cost at most 1 % of a core (`pace`); an answer takes some milliseconds at most, the rest follows
with the next; a topic that fails keeps none of the others back.
"""

from __future__ import annotations

import asyncio
from functools import partial
from math import inf
from time import monotonic
from typing import Any

from distributed.metrics import time

from .clock import cpu_time
from .pace import EXPENSIVE, LONGEST_POLL, Reader, resolve
from .parts import Parts
from .topic import PROMPT, TASK_ROWS
from .upkeep import Upkeep

#: Few rows of tasks are sent sooner: a slow stream is shown at once, a fast one in frames large enough for their
#: envelope.
SOON = 0.02
FEW_ROWS = 20
#: Rows of workers per second to one reader, about 130 B each: on a busy cluster all rows change within a tick, and
#: thousands of workers at that rate would be most of the traffic, and more than a user can read.
WORKER_ROWS = 1500
#: CPU seconds of building an answer.
ANSWER = 4e-3
#: Bytes after which no more topics are added to an answer. Over a slow link nothing else arrives while a frame does,
#: and a tab without news for 4.5 s reports that the kernel does not answer.
ANSWER_BYTES = 131_072
#: End of the name of a reader that reads for the last time. Not an argument: older collectors would refuse it.
LAST = "/last"
#: Maximum pause of a topic after it was sent in many parts, seconds.
LONGEST_DEBT = 5.0


class Polls:
    """Answers the reads of all readers of one collector."""

    def __init__(self, parts: Parts, upkeep: Upkeep) -> None:
        self._parts, self._upkeep = parts, upkeep
        #: See `Pace.interval`: as it was when a reader was last looked at. It takes microseconds to determine.
        self._floor = 0.0

    async def read(
        self,
        reader: str,
        feed: str,
        epoch: int,
        cursor: dict[str, int] | None,
        topics: list[str] | None,
        timeout: float,
        beside: bool,
    ) -> dict[str, Any]:
        """See `Collector.read`."""
        parts = self._parts
        state, last = parts.pace.reader(reader), reader.endswith(LAST)
        if last:
            parts.pace.part(reader.removesuffix(LAST))
        wanted = [topic for topic in topics or () if topic in parts.topics]
        fresh = frozenset(wanted) - state.wanted
        state.seen, state.wanted = time(), frozenset(wanted)
        if fresh and not parts.closed:
            await self._upkeep.scan(fresh)
        state.polls, state.beside = state.polls or timeout > 0, beside
        # By a clock that nobody sets.
        deadline = monotonic() + (0.0 if state.woken else min(timeout, LONGEST_POLL))
        state.woken = False
        where = dict(cursor or {}) if feed == parts.feed and epoch == parts.epoch else {}
        began = parts.epoch
        if where and where == state.where and not fresh and not last and await self._rest(state, deadline):
            deadline = 0.0
        while True:
            state.seen = now = time()
            if began != parts.epoch:
                where, began = {}, parts.epoch
            if parts.closed:
                # The scheduler closes: this is the last answer, regardless of the rate.
                sent = self._allowed(wanted, where, state, last=True)
                news = [topic for topic in sent if self._end(topic, where) != where.get(topic, -1)]
                return self.answer(news, where, state, now)
            before = cpu_time()
            due, wait = self._due(self._allowed(wanted, where, state, last), where, state, now)
            state.looked += cpu_time() - before
            left = deadline - monotonic()
            if due or left <= 0:
                answer = self.answer(due, where, state, now)
                # All that was due is sent: nothing will be for a moment, whose end is known already.
                state.where = {**where} if due and not state.portions.cut else {}
                state.next_look = monotonic() + min(wait, max(self._floor, SOON))
                return answer
            held = parts.pace.held
            if await self._news(state, min(wait, left, held or wait)):
                deadline = 0.0

    async def _rest(self, state: Reader, deadline: float) -> bool:
        """Wait until a reader that has been sent all that was due may be sent more; returns as `_news`.

        Looking for news takes 40 to 80 µs, since it visits every topic. Without this rest it was done three times for
        each answer: just after it, with the next task that ends, and when the next answer is due.
        """
        rest = min(state.next_look, deadline) - monotonic()
        return rest > 0 and not self._parts.closed and await self._news(state, rest)

    def _allowed(self, wanted: list[str], where: dict[str, int], state: Reader, last: bool) -> list[str]:
        """The topics that a reader may be sent now: while readers are held, those of which it has nothing or a part.

        After its last answer it hears nothing more: that answer does not wait for the end of a doubt.
        """
        pace = self._parts.pace
        if not pace.closing and (last or not pace.doubted):
            return wanted
        ends = pace.ends if pace.closing else {}
        return [
            topic
            for topic in wanted
            if topic not in where or topic in state.portions.cut or where[topic] < ends.get(topic, where[topic])
        ]

    def _due(self, wanted: list[str], where: dict[str, int], state: Reader, now: float) -> tuple[list[str], float]:
        """Topics to send now, and how long to wait if there are none.

        An answer costs the scheduler as much as most topics in it, so a topic that only waits for its share of the
        budget goes with one that is due if it has waited half of that time. Otherwise each topic would have its own
        answers: 20 kernels had twice as many as `pace` pays for.
        """
        faults = self._parts.faults
        due: list[str] = []
        soon: list[str] = []
        wait = LONGEST_POLL
        floor, expensive = self._parts.pace.floors()
        self._floor = floor
        for topic in wanted:
            if faults.rest(topic) > 0:
                wait = min(wait, faults.rest(topic))
                continue
            end = self._end(topic, where)
            # A first request for a topic is answered even if it is empty.
            if end == where.get(topic, -1):
                state.portions.cut.discard(topic)
                continue
            interval = self.interval(topic)
            if interval == PROMPT and topic == "tasks" and end - where.get(topic, 0) < FEW_ROWS:
                interval = SOON
            waited = now - state.sent.get(topic, 0.0)
            if waited < -LONGEST_DEBT:
                # The clock was set back: how long it has waited is not known.
                waited = inf
            rest = max(interval, expensive.get(topic, floor)) - waited
            if rest <= 0 or topic not in where or topic in state.portions.cut or self._behind(topic, where):
                due.append(topic)
            else:
                wait = min(wait, rest)
                if waited >= max(interval, floor / 2) and topic not in expensive:
                    soon.append(topic)
        return [*due, *soon] if due else due, wait

    def _end(self, topic: str, where: dict[str, int]) -> int:
        """The newest position of a topic; for a failing one, that of the reader, which then receives nothing."""
        return self._parts.faults.guard(topic, "end", self._parts.topics[topic].end, where.get(topic, -1))

    def interval(self, topic: str) -> float:
        """Minimum seconds between two answers with a topic to one reader."""
        least = self._parts.topics[topic].interval
        return max(least, len(self._parts.scheduler.workers) / WORKER_ROWS) if topic == "workers" else least

    def _behind(self, topic: str, where: dict[str, int]) -> bool:
        """A reader that catches up with the ring is not rate-limited: it would never finish."""
        return topic == "tasks" and self._parts.notes.end - where.get(topic, 0) >= TASK_ROWS

    async def _news(self, state: Reader, timeout: float) -> bool:
        """Wait; returns whether the reader recalled its poll (`ask("wake")`)."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[bool] = loop.create_future()
        timer = loop.call_later(max(timeout, 0.001), resolve, future)
        polls = self._parts.pace.open_polls
        # Within the interval, and while readers are held, nothing can be sent: a wake-up is only useful after it.
        if timeout > max(self._floor, PROMPT) and not self._parts.pace.held:
            polls.append(future)
        state.future = future
        try:
            await future
        except asyncio.CancelledError:
            # Its session ends.
            state.polls = False
            raise
        finally:
            state.future = None
            timer.cancel()
            if future in polls:
                polls.remove(future)
        return future.result()

    def answer(self, due: list[str], where: dict[str, int], state: Reader, now: float) -> dict[str, Any]:
        """The answer with the topics that are due, as many as there is time for; `where` is the new position."""
        parts = self._parts
        begin, spent = cpu_time(), 0.0
        # The totals of functions and computations are updated with each tick, and at the end.
        if parts.closed:
            parts.drain()
        elif "tasks" in due:
            # Otherwise with the next tick: for few rows, most of the work is to begin it.
            parts.write()
        names, whole = parts.names.since(where, state.wanted)
        if not whole:
            # Rows are sent after the names they refer to; a frame has at least one topic.
            due = ["meta"]
        bodies: dict[str, Any] = {}
        nbytes = 0
        # Longest-waiting topics first, so that no other blocks one. Before them the facts: they say which collector it
        # is that numbers the others.
        for topic in sorted(due, key=lambda topic: (topic != "meta", state.sent.get(topic, 0.0))):
            before = cpu_time()
            if bodies and (before - begin > ANSWER or nbytes > ANSWER_BYTES):
                # The others follow with the next answer, soon.
                state.portions.cut.add(topic)
                continue
            part = self._part(topic, where, state, now)
            if part is not None:
                bodies[topic] = part[0]
                nbytes += _size(part[0])
                spent += part[1]
        answer = {
            "feed": parts.feed,
            "epoch": parts.epoch,
            "time": now,
            "names": names,
            "cursor": where,
            "topics": bodies,
            "readers": len(parts.pace.readers),
        }
        parts.pace.note_answer(state.looked + cpu_time() - begin - spent)
        state.looked = 0.0
        return answer

    def _part(
        self, topic: str, where: dict[str, int], state: Reader, now: float
    ) -> tuple[dict[str, Any], float] | None:
        """What a reader is sent of a topic now, and CPU seconds that count for the topic alone; None if it fails."""
        parts, portions = self._parts, state.portions
        begin, first = cpu_time(), topic not in where
        portions.begin(topic, self._end(topic, where), first)
        result = parts.faults.guard(topic, "read", partial(parts.topics[topic].read, where.get(topic, 0)), None)
        if result is None:
            return None
        body, where[topic] = result
        # Parts sent in sequence are charged when all have been sent.
        paid = state.sent.get(topic, 0.0) + self._floor if topic in portions.cut else 0.0
        state.sent[topic] = min(max(now, paid), now + LONGEST_DEBT)
        portions.end(topic, where[topic], self._end(topic, where))
        # The cost of a table depends on its rows; a history costs more for a while when a reader catches up.
        if parts.topics[topic].scan is None:
            return body, 0.0
        cost = cpu_time() - begin
        total = portions.cost(topic, cost, first)
        if total is not None:
            parts.pace.note_table(topic, total)
        return body, cost if cost > EXPENSIVE or parts.pace.is_expensive(topic) else 0.0


def _size(body: dict[str, Any]) -> int:
    """Bytes of the columns of a topic body."""
    columns = [*body.get("c", {}).values(), *body.get("m", {}).values()]
    return sum(len(column[1]) for column in columns)

"""How often readers receive updates: all reads together use at most 1 % of a core, unless a table would be older than
`RAREST` then."""

from __future__ import annotations

import asyncio
from time import monotonic

from distributed.metrics import time

from .load import Load
from .portions import Portions

#: Fraction of a core for all reads together. If a table is expensive, half of it is for expensive ones, with the scans
#: and samples of the same rows, and of that half reads have at least the second.
READ_BUDGET, LEAST_BUDGET = 0.01, 0.002
#: Maximum duration of a long poll, seconds: proxies see traffic.
LONGEST_POLL = 30.0
#: Overhead of one RPC besides building the answer (comm, msgpack, dispatch, waiting), seconds: 210 µs if 400 per
#: second share the turns of the event loop, 290 at 180 per second, 430 at 50 and below, which the budget allows.
RPC_COST = 430e-6
#: What the first reader is charged: less than it costs, so that a single subscriber gets an answer every 40 ms.
FIRST_RPC_COST = 250e-6
#: Maximum seconds from an answer to the reader's next poll.
BETWEEN_POLLS = 1.0
#: CPU seconds of sending a table once, in all its parts, above which it has a separate rate.
EXPENSIVE = 1e-3
#: Maximum seconds between two times that such a table is sent to a reader, whatever it costs: with many readers, or
#: tens of thousands of workers.
RAREST = 10.0
#: Weights of the newest value in the mean costs of answers and of reads of one table.
ANSWER_WEIGHT, TABLE_WEIGHT = 0.05, 0.2
#: Seconds for which a cluster is taken for one that is being closed after those who close it have gone.
GONE = 10.0
#: Seconds for which a loss of workers is not sent, and the least from one such time to the next.
DOUBT, BETWEEN_DOUBTS = 0.25, 2.0
#: Maximum kernels that are known to ask the workers without a pane, and seconds for which one counts.
MOST_ASKERS, LONGEST_ASKED = 1_000, 3600.0


def resolve(future: asyncio.Future[bool]) -> None:
    """End a long poll that was not recalled; one that has ended stays as it is."""
    if not future.done():
        future.set_result(False)


class Reader:
    """State of one reading kernel."""

    __slots__ = (
        "beside",
        "future",
        "looked",
        "next_look",
        "polls",
        "portions",
        "seen",
        "sent",
        "wanted",
        "where",
        "woken",
    )

    def __init__(self) -> None:
        #: Whether it waits for news; one that only catches up reads a few times and leaves.
        self.polls = False
        #: Whether it asks on the scheduler's own event loop.
        self.beside = False
        self.seen = 0.0
        #: CPU seconds of looking for news since its last answer.
        self.looked = 0.0
        #: Where it is after an answer with all that was due, and until when nothing will be, `time.monotonic`.
        self.where: dict[str, int] = {}
        self.next_look = 0.0
        self.future: asyncio.Future[bool] | None = None
        #: Its poll has been recalled, and has not returned yet.
        self.woken = False
        self.sent: dict[str, float] = {}
        self.wanted: frozenset[str] = frozenset()
        self.portions = Portions()

    def waits(self, now: float) -> bool:
        """Whether it waits for news, or is about to: a reader whose tabs or kernel are gone gets no share."""
        return self.polls and (self.future is not None or now - self.seen < BETWEEN_POLLS)

    def wake(self) -> None:
        """Make its current or next poll return."""
        if self.future is None:
            # The wake-up overtook the poll.
            self.woken = True
        elif not self.future.done():
            self.future.set_result(True)


class Pace:
    """All readers, the cost of their reads, and the resulting read rates."""

    def __init__(self) -> None:
        self.readers: dict[str, Reader] = {}
        self.load = Load()
        #: Long polls that news would end now: the others wait until something may be sent to their reader again.
        self.open_polls: list[asyncio.Future[bool]] = []
        #: Mean CPU seconds of an answer and of looking for news, without expensive topics, and of one read of each
        #: table.
        self.answer_cost = 30e-6
        self.table_costs: dict[str, float] = {}
        #: Until when a loss of workers is not sent, and from when on the next one is not, `time.monotonic`.
        self._doubted_until, self._next_doubt = 0.0, 0.0
        #: Until when readers are held since the cluster is being closed, `time.monotonic`.
        self._held_until = 0.0
        #: Ids of the clients whose kernels close it, empty for the process of the scheduler.
        self._closers: set[str] = set()
        #: Positions up to which histories are still sent then.
        self.ends: dict[str, int] = {}
        #: Until when a kernel without a pane has a share of the requests to the workers, by its id.
        self._askers: dict[str, float] = {}

    def note_asker(self, name: str, seconds: float) -> None:
        """A kernel without a pane asks the workers, and will again within `seconds`; 0 if a pane has opened."""
        now = time()
        self._askers = {each: until for each, until in self._askers.items() if until > now and each != name}
        if seconds > 0 and len(self._askers) < MOST_ASKERS:
            self._askers[name] = now + min(seconds, LONGEST_ASKED)

    @property
    def asking(self) -> int:
        """Number of kernels that share the requests to the workers."""
        now: float = time()
        return len(self.waiting()) + len([until for until in self._askers.values() if until > now])

    def reader(self, name: str) -> Reader:
        """The reader of a name, created if missing."""
        return self.readers.setdefault(name, Reader())

    def part(self, name: str) -> None:
        """A reader reads for the last time: a poll of it, whose end may not be known here, waits for nothing more."""
        reader = self.readers.get(name)
        if reader is not None:
            reader.polls = False
            if reader.future is not None:
                reader.wake()

    def forget(self, before: float) -> None:
        """Drop readers that were not seen since a time."""
        for name in [name for name, reader in self.readers.items() if reader.seen < before]:
            del self.readers[name]

    def wake(self) -> None:
        """There is news: end the long polls that wait for it."""
        waiting = self.open_polls[:]
        self.open_polls.clear()
        for future in waiting:
            resolve(future)

    def hurry(self) -> None:
        """Send all readers what they lack now, not at their next turn."""
        for reader in self.readers.values():
            reader.sent.clear()
            reader.next_look = 0.0
            if reader.future is not None:
                reader.wake()

    @property
    def caught_up(self) -> bool:
        """Whether all readers wait for news and have been sent what there was."""
        return all(reader.future is not None and not reader.portions.cut for reader in self.waiting())

    def hold(self, seconds: float, client: str = "", ends: dict[str, int] | None = None) -> None:
        """The cluster is being closed: send readers no more of what they have, for a while or until `release`.

        Parameters
        ----------
        client : str
            Id of the client whose kernel closes it, if that is not in the process of the scheduler.
        ends : dict of str to int, optional
            Positions in histories up to which readers are still sent what they lack.
        """
        if not self.closing:
            self._closers.clear()
            self.ends = ends or {}
        self._held_until = max(self._held_until, monotonic() + seconds)
        self._closers.add(client)

    def leave(self, client: str) -> None:
        """A client has gone. If the scheduler outlives those who close its cluster, readers are not held for long."""
        if client in self._closers and self.closing:
            self._closers.discard(client)
            if not self._closers:
                self._held_until = min(self._held_until, monotonic() + GONE)
                # They wait for the end that was.
                self.end()

    def doubt(self) -> None:
        """A worker has left: whether that begins the end of the cluster is known in a moment.

        Jupyter interrupts the processes of a kernel, workers among them, just before it asks the kernel to end.
        """
        now = monotonic()
        if now >= self._next_doubt:
            self._doubted_until, self._next_doubt = now + DOUBT, now + BETWEEN_DOUBTS

    @property
    def doubted(self) -> bool:
        """Whether a worker has left just now."""
        return monotonic() < self._doubted_until

    @property
    def closing(self) -> bool:
        """Whether readers are held since the cluster is being closed."""
        return monotonic() < self._held_until

    def release(self) -> None:
        """The cluster goes on: readers are sent what they lack."""
        # Nearly always neither was ever set, and this is called for every graph.
        if (self._held_until or self._doubted_until) and self.held > 0:
            self._held_until = self._doubted_until = 0.0
            self._closers.clear()
            self.end()

    @property
    def held(self) -> float:
        """Seconds for which readers are still held; 0 if they are not."""
        return max(0.0, max(self._held_until, self._doubted_until) - monotonic())

    def end(self) -> None:
        """End all long polls."""
        for reader in self.readers.values():
            if reader.future is not None:
                resolve(reader.future)

    def wanted(self) -> frozenset[str]:
        """Topics that any reader wants."""
        return frozenset[str]().union(*(reader.wanted for reader in self.readers.values()))

    def waiting(self) -> list[Reader]:
        """Readers that wait for news."""
        now = time()
        return [reader for reader in self.readers.values() if reader.waits(now)]

    def note_answer(self, seconds: float) -> None:
        """Record the CPU time of an answer and of looking for its news, without its expensive topics."""
        self.answer_cost += ANSWER_WEIGHT * (seconds - self.answer_cost)

    def note_table(self, topic: str, seconds: float) -> None:
        """Record the CPU time of sending what a reader lacked of a table, all parts together."""
        known = self.table_costs.get(topic, 0.0)
        self.table_costs[topic] = known + TABLE_WEIGHT * (seconds - known)

    def is_expensive(self, topic: str) -> bool:
        """Whether a table has a separate rate."""
        return self.table_costs.get(topic, 0.0) > EXPENSIVE

    @property
    def interval(self) -> float:
        """Minimum seconds between two answers to one reader."""
        return self.floors()[0]

    def floors(self) -> tuple[float, dict[str, float]]:
        """Minimum seconds between two answers to one reader, and between two with an expensive topic.

        If a topic is expensive (the workers topic, if there are many), half of the budget is for expensive topics:
        cheap ones do not wait for them. They share their half with scans and samples, which cost as much then.
        """
        waiting = self.waiting()
        count, remote = len(waiting), sum(not reader.beside for reader in waiting)
        expensive = {topic: cost for topic, cost in self.table_costs.items() if cost > EXPENSIVE}
        if expensive:
            # Looked up only where needed: this is called each time that a reader is looked at.
            wants = [reader.wanted for reader in self.readers.values()]
            expensive = {topic: cost for topic, cost in expensive.items() if any(topic in want for want in wants)}
        share = READ_BUDGET / 2 if expensive else READ_BUDGET
        left = max(LEAST_BUDGET, share - self.load.share)
        floors = {topic: min(RAREST, count * cost * len(expensive) / left) for topic, cost in expensive.items()}
        rpc = FIRST_RPC_COST + (remote - 1) * RPC_COST if remote else 0.0
        return (count * self.answer_cost + rpc) / share, floors

"""How often readers are told what they lack: all reads together take 1 % of a core at most."""

from __future__ import annotations

import asyncio

from distributed.metrics import time

#: Share of a core that all reads together may take.
READ_BUDGET = 0.01
#: What one RPC costs the scheduler besides building the answer (comm, msgpack, dispatch, waiting), seconds: 210 µs
#: where 400 a second share the turns of the event loop, 290 at 180 a second, 430 at 50.
RPC_COST = 250e-6
#: Seconds that a reader takes at most from an answer to its next poll.
BETWEEN_POLLS = 1.0
#: CPU seconds of one read from which on a topic has a rate of its own.
DEAR = 1e-3
#: Shares of the newest in the means of what answers and reads of one table cost.
ANSWER_WEIGHT, TABLE_WEIGHT = 0.05, 0.2


class Reader:
    """What the collector remembers of one kernel that reads."""

    __slots__ = ("beside", "cut", "future", "polls", "seen", "sent", "wanted", "woken")

    def __init__(self) -> None:
        #: Whether it waits for news; one that only catches up reads a few times and is gone.
        self.polls = False
        #: Whether it asks on the scheduler's own event loop.
        self.beside = False
        self.seen = 0.0
        self.future: asyncio.Future[bool] | None = None
        #: Its poll is wanted back, and has not come yet.
        self.woken = False
        self.sent: dict[str, float] = {}
        self.wanted: frozenset[str] = frozenset()
        #: Topics of which the last answer had a part only: the rest is not held to the rate.
        self.cut: set[str] = set()

    def waits(self, now: float) -> bool:
        """Whether it waits for news, or is about to: one whose tabs, or kernel, are gone takes no share any more."""
        return self.polls and (self.future is not None or now - self.seen < BETWEEN_POLLS)

    def wake(self) -> None:
        """Let its poll return, the one on its way or the next."""
        if self.future is None:
            # The question has overtaken the poll.
            self.woken = True
        elif not self.future.done():
            self.future.set_result(True)


class Pace:
    """All readers, what their reads cost, and how often they may read therefore."""

    def __init__(self) -> None:
        self.readers: dict[str, Reader] = {}
        #: Mean CPU seconds of an answer without its dear topics, and of one read of each table.
        self.answer_cost = 30e-6
        self.table_costs: dict[str, float] = {}

    def reader(self, name: str) -> Reader:
        """The reader of a name, new where there is none."""
        return self.readers.setdefault(name, Reader())

    def forget(self, before: float) -> None:
        """Forget readers that were not seen since a time."""
        for name in [name for name, reader in self.readers.items() if reader.seen < before]:
            del self.readers[name]

    def wanted(self) -> frozenset[str]:
        """Topics that any reader wants."""
        return frozenset[str]().union(*(reader.wanted for reader in self.readers.values()))

    def waiting(self) -> list[Reader]:
        """Readers that wait for news."""
        now = time()
        return [reader for reader in self.readers.values() if reader.waits(now)]

    def note_answer(self, seconds: float) -> None:
        """An answer took so much CPU time without its dear topics."""
        self.answer_cost += ANSWER_WEIGHT * (seconds - self.answer_cost)

    def note_table(self, topic: str, seconds: float) -> bool:
        """Reading a table took so much CPU time; whether it is dear."""
        known = self.table_costs.get(topic, 0.0)
        self.table_costs[topic] = known + TABLE_WEIGHT * (seconds - known)
        return self.table_costs[topic] > DEAR

    @property
    def interval(self) -> float:
        """Least seconds between two answers to one reader."""
        return self.floors()[0]

    def floors(self) -> tuple[float, dict[str, float]]:
        """Least seconds between two answers to one reader, and between two that carry a topic that is dear.

        Where a topic is dear (those of workers, where there are many), half of the budget is for the dear ones: what is
        cheap does not wait for them.
        """
        waiting = self.waiting()
        count, remote = len(waiting), sum(not reader.beside for reader in waiting)
        wanted = self.wanted()
        dear = {topic: cost for topic, cost in self.table_costs.items() if cost > DEAR and topic in wanted}
        share = READ_BUDGET / 2 if dear else READ_BUDGET
        floors = {topic: count * cost * len(dear) / share for topic, cost in dear.items()}
        return (count * self.answer_cost + remote * RPC_COST) / share, floors

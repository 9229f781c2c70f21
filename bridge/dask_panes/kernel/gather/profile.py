"""Topics `profile` and `loops`: the workers' statistical profiles of tasks and of event loops.

That of tasks is also read while no pane is open (`dask-panes.profile-history`): workers keep their cycles for some
minutes only, and what they have goes with them. Such reads begin once the scheduler has executed a task, since the
first one leaves a line in each worker's log; they are seldom, take half of the share of the scheduler that panes may
take, and pause while nothing runs.
"""

from __future__ import annotations

import asyncio
from typing import Any

from .answers import Answers
from .probe import SCHEDULER, Probe, Slices, WorkerReach
from .profile_log import ProfileLog, Row
from .profiles import Profiles, share
from .sources import LEAST_INTERVAL, Reading, Source

PROBE = Probe.of("profile", f"{__package__}.probes", "profile.py")

#: Workers whose whole history is read cycle by cycle; for more, several cycles are merged to keep the volume.
WORKERS_IN_FULL = 16
#: Maximum cycles per answer.
CYCLES = 120
#: The same for very many workers, whose cycles are merged.
MOST_CYCLES = 1_000
#: Seconds between two answers of a worker that has more: its event loop has other work to do.
PAUSE = 0.05
#: Minimum seconds between two reads while panes show only other topics.
SLOW = 60.0
#: Minimum seconds between two reads while no pane shows the topic.
SELDOM = 20.0
#: Factor of the pace of panes between two such reads, also where workers would drop cycles, and within one.
LEAST_EASE, EASE = 2.0, 4.0
#: Fraction of the time for which workers keep a cycle within which it is read.
SHARE_KEPT = 0.5


class ProfileSource(Source):
    """Reads every worker's profile from its last position.

    Parameters
    ----------
    topic : {"profile", "loops"}
        The profile of tasks, or of the event loops of workers and scheduler.
    """

    def __init__(self, topic: str) -> None:
        self.topic = topic
        self._loop = topic == "loops"
        self.slow = SLOW
        if not self._loop:
            self.seldom = SELDOM
        self.forget()

    def forget(self) -> None:
        """Begin with nothing."""
        self._kept = Profiles(self._loop)

    def belong(self, feed: str) -> None:
        """What was read for another client of this scheduler is known, too."""
        self._kept = share(feed, self.topic, self._kept)

    @property
    def end(self) -> int:
        """Number of the next batch."""
        return self._kept.size

    @property
    def nbytes(self) -> int:
        """Approximate memory of the history."""
        return self._kept.nbytes

    @property
    def elsewhere(self) -> float:
        """When another client's session has read the servers."""
        return self._kept.looked_by_others(self)

    @property
    def _log(self) -> ProfileLog:
        return self._kept.log

    def read(self, cursor: int) -> Reading:
        """Batches after a cursor, with facts valid for all of them."""
        return self._kept.read(cursor)

    async def begin(self, reach: WorkerReach) -> None:
        """Begin at this moment, in the middle of a cycle."""
        async for answers in self._ask(reach, 0, {"now": True}, 0.0):
            self._kept.late.update(answers.failed)
            for server, answer in answers.of.items():
                self._kept.begin(server, answer)

    async def due(self, reach: WorkerReach) -> bool:
        """Whether anything was executed since the last read, or is."""
        standing = await reach.stand()
        kept = self._kept
        if kept.executed < 0:
            # What ran before is read with the first task that we see, or when a pane asks for it.
            kept.executed = standing.executed
        return standing.working or not kept.settled or standing.executed != kept.executed

    async def look(self, reach: WorkerReach, last: bool = False) -> bool:
        """Read every worker up to its newest cycle; at the end also the cycle in progress."""
        standing = await reach.stand()
        kept = self._kept
        if not kept.take_turn(self):
            # Another client's session reads: its answers are ours, too.
            return True
        try:
            return await self._look(kept, reach, standing, last)
        finally:
            kept.end_turn(self)

    async def _look(self, kept: Profiles, reach: WorkerReach, stand: Answers, last: bool) -> bool:
        found, weight = 0, 0.0
        kept_for = 0.0
        kept.executed, kept.settled = stand.executed, stand.idle
        while True:
            more = False
            combined: Answers | None = None
            watched: set[tuple[Any, ...]] = set()
            async for answers in self._ask(reach, stand.workers, {"last": last}, 0.0 if last else self.ease):
                if kept is not self._kept:
                    # The scheduler was replaced meanwhile: these answers belong to the new one, but need no special
                    # handling.
                    return True
                combined = answers if combined is None else combined.and_of(answers)
                again, rows = await self._take(kept, answers, combined, watched)
                more, found = more or again, found + rows
            assert combined is not None
            self.unread = combined.failed
            kept.end(combined, self.history)
            weight += combined.pace
            kept_for = min((answer["kept"] for answer in combined.of.values() if answer["kept"]), default=kept_for)
            if not more:
                break
            await asyncio.sleep(PAUSE if last else max(PAUSE, self.ease * answers.pace))
        while kept.tidy():
            await asyncio.sleep(0)
        self.interval = max(LEAST_INTERVAL, answers.pace)
        self.slow = max(SLOW, self.interval)
        if not self._loop:
            seldom = max(SELDOM, EASE * weight)
            self.seldom = max(LEAST_EASE * weight, min(seldom, SHARE_KEPT * kept_for) if kept_for else seldom)
        return found > 0 or not answers.idle

    def _ask(self, reach: WorkerReach, workers: int, more: dict[str, bool], ease: float) -> Slices:
        kept = self._kept
        each: dict[int, dict[str, Any]] = {server: {"after": time} for server, time in kept.positions.items()}
        each |= {server: {"now": True} for server in kept.late}
        asked = each.pop(SCHEDULER, {})
        step = workers / WORKERS_IN_FULL if workers > WORKERS_IN_FULL else 0.0
        limit = min(MOST_CYCLES, int(CYCLES * max(1.0, step)))
        arguments = {"loop": self._loop, "limit": limit, "step": step, **more}
        return reach.slices(PROBE, arguments, each, {**arguments, **asked} if self._loop else None, ease=ease)

    async def _take(
        self, kept: Profiles, answers: Answers, combined: Answers, watched: set[tuple[Any, ...]]
    ) -> tuple[bool, int]:
        """Store the answers of some servers; returns whether they have more, and the number of rows.

        Parameters
        ----------
        kept : Profiles
        answers : Answers
        combined : Answers
            All of this read until now.
        watched : set
            See `Profiles.take`.
        """
        more = False
        rows: list[Row] = []
        try:
            for server, answer in answers.of.items():
                again, fresh = kept.take(server, answer, watched)
                more = more or again
                rows += fresh
                await asyncio.sleep(0)
        finally:
            # The positions are behind these rows: if this session is closed now, others do not read them again.
            if rows:
                kept.note(rows, combined, self.history)
        return more, len(rows)

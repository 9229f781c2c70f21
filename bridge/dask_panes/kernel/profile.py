"""Topics `profile` and `loops`: the workers' statistical profiles of tasks and of event loops."""

from __future__ import annotations

import asyncio
from typing import Any

from .probe import SCHEDULER, Answers, Probe, Reach
from .profile_log import ProfileLog, Row, Unfinished, rows_of
from .sources import Reading, Source

PROBE = Probe.of("profile", f"{__package__}.probes", "profile.py")

#: Workers whose whole history is read cycle by cycle; of more, as many cycles together as keep the volume.
WORKERS_IN_FULL = 16
#: Cycles of one answer, at most.
CYCLES = 120
#: Seconds between two answers of a worker that has more: its event loop has other things to do.
PAUSE = 0.05


class ProfileSource(Source):
    """Reads every worker's profile from where it last stood.

    Parameters
    ----------
    topic : {"profile", "loops"}
        The profile of tasks, or of the event loops of workers and scheduler.
    """

    def __init__(self, topic: str) -> None:
        self.topic = topic
        self._loop = topic == "loops"
        self.slow = 60.0
        self.forget()

    def forget(self) -> None:
        """Begin with nothing."""
        self._log = ProfileLog()
        #: Time of the last cycle read, by server.
        self._read: dict[int, float] = {}
        self._status: dict[str, Any] = {}
        #: Servers that have yet to say where they stand.
        self._late: set[int] = set()
        #: What the cycle in which we began had counted by then, by server.
        self._before: dict[int, Unfinished] = {}
        #: Workers that left, and periods that Dask had dropped before they were read.
        self._gone = self._dropped = 0

    @property
    def end(self) -> int:
        """Number of the next batch."""
        return self._log.end

    @property
    def nbytes(self) -> int:
        """About how much memory the history takes."""
        return self._log.nbytes

    def read(self, cursor: int) -> Reading:
        """Batches after a cursor, with what holds for all of them."""
        body, after = self._log.read(cursor)
        return {**body, "s": {**body["s"], **self._status}}, after

    async def begin(self, reach: Reach) -> None:
        """Begin at this moment, in the middle of a cycle."""
        answers = await self._ask(reach, {"now": True})
        self._late = set(answers.failed)
        for server, answer in answers.of.items():
            self._stand(server, answer)

    def _stand(self, server: int, answer: dict[str, Any]) -> None:
        """A server begins: note what its cycle has counted, which is to be taken off when it ends."""
        self._read[server] = answer["end"]
        self._before[server] = Unfinished.of(rows_of(answer, server + 1, self._log), self._log, answer["time"])

    async def look(self, reach: Reach, last: bool = False) -> bool:
        """Read every worker up to its newest cycle; at last also what the next cycle has so far."""
        found = 0
        log = self._log
        while True:
            answers = await self._ask(reach, {"last": last})
            if log is not self._log:
                # Meanwhile the scheduler was replaced: these answers belong to the new one, but are not worth a rule.
                return True
            more, rows = await self._take(answers)
            found += rows
            if not more:
                break
            await asyncio.sleep(PAUSE)
        while self._log.tidy():
            await asyncio.sleep(0)
        self.interval = max(2.0, answers.pace)
        self.slow = max(60.0, self.interval)
        return found > 0 or not answers.idle

    async def _ask(self, reach: Reach, more: dict[str, bool]) -> Answers:
        each: dict[int, dict[str, Any]] = {server: {"after": time} for server, time in self._read.items()}
        each |= {server: {"now": True} for server in self._late}
        asked = each.pop(SCHEDULER, {})
        step = len(self._read) / WORKERS_IN_FULL if len(self._read) > WORKERS_IN_FULL else 0.0
        arguments = {"loop": self._loop, "limit": CYCLES, "step": step, **more}
        answers = await reach.workers(PROBE, arguments, each)
        if not self._loop:
            return answers
        own = await reach.scheduler(PROBE, {**arguments, **asked})
        return answers._replace(of={**own.of, **answers.of}, failed={**own.failed, **answers.failed})

    async def _take(self, answers: Answers) -> tuple[bool, int]:
        """Note all answers; whether there is more to read, and how many rows there were."""
        more = False
        found = 0
        rows: list[Row] = []
        watched: set[tuple[Any, ...]] = set()
        self.unread = answers.failed
        for server, answer in answers.of.items():
            if server in self._late:
                self._late.discard(server)
                self._stand(server, answer)
                continue
            # Servers of one process share its event loop.
            loop = tuple(answer["watched"])
            if not self._loop or loop not in watched:
                watched.add(loop)
                fresh = rows_of(answer, server + 1, self._log)
                if fresh and server in self._before:
                    fresh = self._before.pop(server).off(fresh)
                rows += fresh
                more = more or bool(answer["more"])
                self._dropped += bool(answer["dropped"])
            else:
                self._before.pop(server, None)
            self._read[server] = answer["end"]
            await asyncio.sleep(0)
        gone = self._read.keys() - answers.of.keys() - answers.failed.keys()
        if not answers.refusal:
            self._gone += len(gone)
            for server in gone:
                del self._read[server]
                self._before.pop(server, None)
        status = self._describe(answers)
        if rows or status != self._status:
            self._status = status
            self._log.add(rows)
            found = len(rows)
        return more, found

    def _describe(self, answers: Answers) -> dict[str, Any]:
        given = list(answers.of.values())
        intervals = [answer["cycle" if self._loop else "interval"] for answer in given]
        return {
            # The sampling of an event loop is what it is; that of tasks is what the worker is told.
            "interval": round(max(intervals, default=0.0), 3),
            "cycle": round(max((answer["cycle"] for answer in given), default=0.0), 3),
            "servers": len(given),
            "off": sum(1 for answer in given if not answer["on"]),
            "python311": sum(1 for answer in given if self._loop and list(answer["python"]) == [3, 11]),
            "silent": len(answers.failed),
            "gone": self._gone,
            "dropped": self._dropped,
            "limited": answers.refusal,
        }

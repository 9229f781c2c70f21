"""Topics `profile` and `loops`: the workers' statistical profiles of tasks and of event loops."""

from __future__ import annotations

import asyncio
from typing import Any

from .probe import SCHEDULER, Answers, Probe, Reach, Slices
from .profile_log import ProfileLog, Row, Unfinished, rows_of
from .sources import Reading, Source

PROBE = Probe.of("profile", f"{__package__}.probes", "profile.py")

#: Workers whose whole history is read cycle by cycle; for more, several cycles are merged to keep the volume.
WORKERS_IN_FULL = 16
#: Maximum cycles per answer.
CYCLES = 120
#: The same for very many workers, whose cycles are merged.
MOST_CYCLES = 1_000
#: Seconds between two answers of a worker that has more: its event loop has other work to do.
PAUSE = 0.05


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
        self.slow = 60.0
        self.forget()

    def forget(self) -> None:
        """Begin with nothing."""
        self._log = ProfileLog()
        #: Time of the last cycle read, by server.
        self._read: dict[int, float] = {}
        self._status: dict[str, Any] = {}
        #: Servers whose position is not known yet.
        self._late: set[int] = set()
        #: Counts of the cycle in progress at the start, by server.
        self._before: dict[int, Unfinished] = {}
        #: Number of workers that left, and of periods that Dask dropped before they were read.
        self._gone = self._dropped = 0

    @property
    def end(self) -> int:
        """Number of the next batch."""
        return self._log.end

    @property
    def nbytes(self) -> int:
        """Approximate memory of the history."""
        return self._log.nbytes

    def read(self, cursor: int) -> Reading:
        """Batches after a cursor, with facts valid for all of them."""
        body, after = self._log.read(cursor)
        return {**body, "s": {**body["s"], **self._status}}, after

    async def begin(self, reach: Reach) -> None:
        """Begin at this moment, in the middle of a cycle."""
        async for answers in self._ask(reach, 0, {"now": True}, hurry=True):
            self._late.update(answers.failed)
            for server, answer in answers.of.items():
                self._stand(server, answer)

    def _stand(self, server: int, answer: dict[str, Any]) -> None:
        """A server begins: store the counts of its current cycle, to be subtracted when it ends."""
        self._read[server] = answer["end"]
        self._before[server] = Unfinished.of(rows_of(answer, server + 1, self._log), self._log, answer["time"])

    async def look(self, reach: Reach, last: bool = False) -> bool:
        """Read every worker up to its newest cycle; at the end also the cycle in progress."""
        found = 0
        log = self._log
        workers = await reach.count(PROBE)
        while True:
            more = False
            told: Answers | None = None
            watched: set[tuple[Any, ...]] = set()
            async for answers in self._ask(reach, workers, {"last": last}, hurry=last):
                if log is not self._log:
                    # The scheduler was replaced meanwhile: these answers belong to the new one, but need no special
                    # handling.
                    return True
                told = answers if told is None else told.and_of(answers)
                again, rows = await self._take(answers, watched)
                self._note(rows, self._status or self._describe(told))
                more, found = more or again, found + len(rows)
            assert told is not None
            self._end(told)
            if not more:
                break
            await asyncio.sleep(PAUSE if last else max(PAUSE, answers.pace))
        while self._log.tidy():
            await asyncio.sleep(0)
        self.interval = max(2.0, answers.pace)
        self.slow = max(60.0, self.interval)
        return found > 0 or not answers.idle

    def _ask(self, reach: Reach, workers: int, more: dict[str, bool], hurry: bool) -> Slices:
        each: dict[int, dict[str, Any]] = {server: {"after": time} for server, time in self._read.items()}
        each |= {server: {"now": True} for server in self._late}
        asked = each.pop(SCHEDULER, {})
        step = workers / WORKERS_IN_FULL if workers > WORKERS_IN_FULL else 0.0
        limit = min(MOST_CYCLES, int(CYCLES * max(1.0, step)))
        arguments = {"loop": self._loop, "limit": limit, "step": step, **more}
        return reach.slices(PROBE, arguments, each, {**arguments, **asked} if self._loop else None, hurry)

    async def _take(self, answers: Answers, watched: set[tuple[Any, ...]]) -> tuple[bool, list[Row]]:
        """Store the answers of some servers; returns whether they have more, and the rows.

        Parameters
        ----------
        answers : Answers
        watched : set
            Event loops whose profile was taken in this round.
        """
        more = False
        rows: list[Row] = []
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
        return more, rows

    def _end(self, answers: Answers) -> None:
        """All servers were asked."""
        self.unread = answers.failed
        gone = self._read.keys() - answers.of.keys() - answers.failed.keys()
        if not answers.refusal:
            self._gone += len(gone)
            for server in gone:
                del self._read[server]
                self._before.pop(server, None)
        self._note([], self._describe(answers))

    def _note(self, rows: list[Row], status: dict[str, Any]) -> None:
        if rows or status != self._status:
            self._status = status
            self._log.add(rows)

    def _describe(self, answers: Answers) -> dict[str, Any]:
        given = list(answers.of.values())
        intervals = [answer["cycle" if self._loop else "interval"] for answer in given]
        return {
            # The sampling interval of an event loop is measured; that of tasks is configured on the worker.
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

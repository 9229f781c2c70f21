"""Topic `logs`: the lines of the scheduler's and the workers' logs."""

from __future__ import annotations

import asyncio
from typing import Any

from .answers import Answers
from .probe import SCHEDULER, Probe, WorkerReach
from .row_log import RowLog
from .sources import LEAST_INTERVAL, Reading, Source

PROBE = Probe.of("logs", f"{__package__}.probes", "logs.py")

#: Maximum lines kept, lines per frame, and lines of a server per answer.
ROWS = 30_000
FRAME_ROWS = 300
LIMIT = 200
#: Lines read from the scheduler on the first request; the workers share the others.
OF_SCHEDULER = 10_000
#: Minimum seconds between two answers of a server that has more.
PAUSE = 0.05


class LogsSource(Source):
    """Reads every server's log from its last position."""

    topic = "logs"

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin with nothing."""
        self._log = RowLog({"time": "d", "level": "B", "server": "I"}, ("name", "logger", "text"), ROWS)
        #: Number of the next line, by server.
        self._next: dict[int, int] = {}
        #: Servers whose position is not known yet.
        self._late: set[int] = set()
        self._dropped = 0
        self._said: dict[str, Any] = {}

    @property
    def end(self) -> int:
        """Cursor of a reader that has everything."""
        return self._log.end

    def read(self, cursor: int) -> Reading:
        """Lines after a cursor, in order of discovery."""
        return self._log.read(cursor, FRAME_ROWS)

    async def begin(self, reach: WorkerReach) -> None:
        """Begin with the next line of every server."""
        answers = await reach.workers(PROBE, {"now": True})
        own = await reach.scheduler(PROBE, {"now": True})
        self._next = {server: answer["end"] for server, answer in (own.of | answers.of).items()}
        self._late = set(own.failed | answers.failed)

    async def look(self, reach: WorkerReach, last: bool = False) -> bool:
        """Read every server up to its newest line."""
        found = 0
        log = self._log
        workers = await reach.count()
        while True:
            each: dict[int, dict[str, Any]] = {
                server: {"after": after, "newest": 0} for server, after in self._next.items()
            }
            each |= {server: {"now": True} for server in self._late}
            # From a server read for the first time: its equal share of all kept lines.
            arguments = {"limit": LIMIT, "newest": max(1, (ROWS - OF_SCHEDULER) // max(1, workers))}
            asked = {"newest": OF_SCHEDULER, **each.pop(SCHEDULER, {})}
            combined: Answers | None = None
            async for answers in reach.slices(PROBE, arguments, each, {**arguments, **asked}, hurry=last):
                if log is not self._log:
                    return True
                combined = answers if combined is None else combined.and_of(answers)
                found += self._take(answers, combined)
            assert combined is not None
            self.unread = combined.failed
            for server in combined.gone(self._next):
                del self._next[server]
            self._late -= combined.gone(self._late)
            self._log.add([], self._facts(combined))
            if not any(answer["more"] for answer in combined.of.values()):
                break
            await asyncio.sleep(PAUSE if last else max(PAUSE, answers.pace))
        self.interval = max(LEAST_INTERVAL, answers.pace)
        return found > 0 or not answers.idle

    def _take(self, answers: Answers, combined: Answers) -> int:
        """Store the answers of some servers, the newest of a round; returns the number of lines."""
        rows: list[dict[str, Any]] = []
        for server, answer in answers.of.items():
            self._late.discard(server)
            self._next[server] = answer["end"]
            self._dropped += bool(answer["dropped"])
            rows += [_row(server, line) for line in answer.pop("lines")]
        rows.sort(key=lambda row: float(row["time"]))
        self._log.add(rows, self._said or self._facts(combined))
        return len(rows)

    def _facts(self, combined: Answers) -> dict[str, Any]:
        """Facts of the whole log at the end of a round."""
        self._said = {
            "servers": len(combined.of),
            "silent": len(combined.failed),
            "dropped": self._dropped,
            "limited": combined.refusal,
        }
        return self._said


def _row(server: int, line: list[Any]) -> dict[str, Any]:
    time, level, name, logger, text = line
    return {
        "time": time,
        "level": min(max(int(level), 0), 255),
        "server": server + 1,
        "name": name,
        "logger": logger,
        "text": text,
    }

"""Topic `logs`: the lines of the scheduler's and the workers' logs."""

from __future__ import annotations

from typing import Any

from .probe import SCHEDULER, Probe, Reach
from .row_log import RowLog
from .sources import Reading, Source

PROBE = Probe.of("logs", f"{__package__}.probes", "logs.py")

#: Lines kept, lines of one frame, lines of a server in one answer.
ROWS = 30_000
FRAME_ROWS = 300
LIMIT = 200


class LogsSource(Source):
    """Reads every server's log from where it last stood."""

    topic = "logs"

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin with nothing."""
        self._log = RowLog({"time": "d", "level": "B", "server": "I"}, ("name", "logger", "text"), ROWS)
        #: Number of the next line wanted, by server.
        self._next: dict[int, int] = {}
        #: Servers that have yet to say where they stand.
        self._late: set[int] = set()
        self._dropped = 0

    @property
    def end(self) -> int:
        """Cursor of a reader that has everything."""
        return self._log.end

    def read(self, cursor: int) -> Reading:
        """Lines after a cursor, in the order in which they were learnt of."""
        return self._log.read(cursor, FRAME_ROWS)

    async def begin(self, reach: Reach) -> None:
        """Begin with the next line of every server."""
        answers = await reach.workers(PROBE, {"now": True})
        own = await reach.scheduler(PROBE, {"now": True})
        self._next = {server: answer["end"] for server, answer in (own.of | answers.of).items()}
        self._late = set(own.failed | answers.failed)

    async def look(self, reach: Reach, last: bool = False) -> bool:
        """Read every server up to its newest line."""
        found = 0
        log = self._log
        while True:
            each: dict[int, dict[str, Any]] = {server: {"after": after} for server, after in self._next.items()}
            each |= {server: {"now": True} for server in self._late}
            asked = each.pop(SCHEDULER, {})
            answers = await reach.workers(PROBE, {"limit": LIMIT}, each)
            own = await reach.scheduler(PROBE, {"limit": LIMIT, **asked})
            if log is not self._log:
                return True
            given = {**own.of, **answers.of}
            self.unread = own.failed | answers.failed
            self._late -= given.keys()
            rows: list[dict[str, Any]] = []
            for server, answer in given.items():
                self._next[server] = answer["end"]
                self._dropped += bool(answer["dropped"])
                rows += [_row(server, line) for line in answer["lines"]]
            rows.sort(key=lambda row: float(row["time"]))
            found += len(rows)
            facts = {
                "servers": len(given),
                "silent": len(answers.failed) + len(own.failed),
                "dropped": self._dropped,
                "limited": answers.refusal,
            }
            self._log.add(rows, facts)
            if not any(answer["more"] for answer in given.values()):
                break
        self.interval = max(2.0, answers.pace)
        return found > 0 or not answers.idle


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

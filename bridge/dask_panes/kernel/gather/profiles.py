"""What a kernel knows of the profiles of one scheduler's servers.

Several clients of a scheduler in one kernel have one `Profiles` in common: no server is read twice, and what was read
for one client is there for the next. Clients may have event loops in different threads, so everything here may be
called on any thread; one session at a time has the `turn` to read.
"""

from __future__ import annotations

import threading
import weakref
from math import inf
from time import monotonic
from typing import Any

from .answers import Answers
from .profile_log import ProfileLog, Row, Unfinished, rows_of
from .sources import Reading

#: Seconds without an answer after which a turn counts as given up: the loop of its session has stopped.
GIVEN_UP = 600.0


class Profiles:
    """Samples of one topic, and up to where each server was read.

    Parameters
    ----------
    loop : bool
        Whether they are those of event loops.

    Attributes
    ----------
    positions : dict of int to float
        Time of the last cycle read, by server.
    late : set of int
        Servers whose position is not known yet.
    status : dict
        Facts of all samples, in the newest frame.
    executed : int
        Executions of the scheduler when the servers were last read; -1 before it is known.
    settled : bool
        Whether the cluster was idle then: nothing of that time is still to come.
    looked : float
        When the last read ended, `time.monotonic`.
    by : object or None
        Whose read it was.
    """

    def __init__(self, loop: bool) -> None:
        self._loop = loop
        self._lock = threading.RLock()
        self._log = ProfileLog()
        self.positions: dict[int, float] = {}
        self.late: set[int] = set()
        self.status: dict[str, Any] = {}
        #: Counts of the cycle in progress at the start, by server.
        self._before: dict[int, Unfinished] = {}
        #: Number of workers that left, and of periods that Dask dropped before they were read.
        self._gone = self._dropped = 0
        #: From when the samples of all servers are known that had older ones, and of any server.
        self._from, self._earliest = -inf, inf
        self.executed = -1
        self.settled = True
        self.looked = -inf
        self._by: weakref.ref[Any] | None = None
        self._turn: weakref.ref[Any] | None = None
        self._progress = -inf

    # -- turns --------------------------------------------------------------------------------------------------

    def take_turn(self, who: object) -> bool:
        """Begin to read; returns False if another session reads."""
        with self._lock:
            holder = self._turn() if self._turn is not None else None
            if holder is not None and holder is not who and monotonic() - self._progress < GIVEN_UP:
                return False
            self._turn, self._progress = weakref.ref(who), monotonic()
            return True

    def end_turn(self, who: object) -> None:
        """The read has ended, with or without success."""
        with self._lock:
            if self._turn is not None and self._turn() is who:
                self._turn, self._by, self.looked = None, weakref.ref(who), monotonic()

    def looked_by_others(self, who: object) -> float:
        """When a read of another session ended, `time.monotonic`; -inf if the last one was of this session."""
        return self.looked if self._by is not None and self._by() is not who else -inf

    # -- writing ------------------------------------------------------------------------------------------------

    def begin(self, server: int, answer: dict[str, Any]) -> None:
        """A server begins: store the counts of its current cycle, to be subtracted when it ends."""
        with self._lock:
            self.late.discard(server)
            self.positions[server] = answer["end"]
            self._before[server] = Unfinished.of(rows_of(answer, server + 1, self._log), self._log, answer["time"])
            self._from = max(self._from, float(answer["time"]))

    def take(self, server: int, answer: dict[str, Any], watched: set[tuple[Any, ...]]) -> tuple[bool, list[Row]]:
        """Take the answer of a server; returns whether it has more, and the rows.

        Parameters
        ----------
        server : int
        answer : dict
        watched : set
            Event loops whose profile was taken in this round.
        """
        with self._lock:
            self._progress = monotonic()
            if server in self.late:
                self.begin(server, answer)
                return False, []
            if server not in self.positions:
                since = float(answer["since"])
                self._from = max(self._from, since if answer["cut"] else -inf)
                self._earliest = min(self._earliest, since)
            self.positions[server] = answer["end"]
            # Servers of one process share its event loop.
            loop = tuple(answer["watched"])
            if self._loop and loop in watched:
                self._before.pop(server, None)
                return False, []
            watched.add(loop)
            rows = rows_of(answer, server + 1, self._log)
            if rows and server in self._before:
                rows = self._before.pop(server).off(rows)
            self._dropped += bool(answer["dropped"])
            return bool(answer["more"]), rows

    def note(self, rows: list[Row], answers: Answers, history: bool | None) -> None:
        """Append rows of some servers; facts stay those of the last read of all."""
        with self._lock:
            self.status = self.status or self._describe(answers, history)
            self._log.add(rows)

    def end(self, answers: Answers, history: bool | None) -> None:
        """All servers were asked."""
        with self._lock:
            gone = answers.gone(self.positions)
            self._gone += len(gone)
            for server in gone:
                del self.positions[server]
                self._before.pop(server, None)
            self.late -= answers.gone(self.late)
            status = self._describe(answers, history)
            if status != self.status:
                self.status = status
                self._log.add([])

    def tidy(self) -> bool:
        """Merge some older rows if there are too many; returns whether there is more to do."""
        with self._lock:
            return self._log.tidy()

    @property
    def known(self) -> float:
        """Scheduler time from which on the samples are known, seconds; 0 before the first read."""
        since = self._from if self._from > -inf else self._earliest
        return max(since, self._log.dropped_until) if since < inf else 0.0

    def _describe(self, answers: Answers, history: bool | None) -> dict[str, Any]:
        given = list(answers.of.values())
        intervals = [answer["cycle" if self._loop else "interval"] for answer in given]
        facts: dict[str, Any] = {
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
            "known": round(self.known, 3),
        }
        if history is not None:
            facts["history"] = history
        return facts

    # -- reading ------------------------------------------------------------------------------------------------

    @property
    def log(self) -> ProfileLog:
        """The samples; for the thread that has the turn."""
        return self._log

    @property
    def size(self) -> int:
        """Number of the next batch."""
        return self._log.end

    @property
    def nbytes(self) -> int:
        """Approximate memory of the samples."""
        return self._log.nbytes

    def read(self, cursor: int) -> Reading:
        """Batches after a cursor, with facts valid for all of them."""
        with self._lock:
            body, after = self._log.read(cursor)
            return {**body, "s": {**body["s"], **self.status}}, after


_lock = threading.Lock()
_shared: weakref.WeakValueDictionary[tuple[str, str], Profiles] = weakref.WeakValueDictionary()


def share(feed: str, topic: str, own: Profiles) -> Profiles:
    """The samples of a feed and topic that this kernel has; `own`, if it has none yet."""
    with _lock:
        return _shared.setdefault((feed, topic), own)

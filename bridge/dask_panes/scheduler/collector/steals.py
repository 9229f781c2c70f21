"""The steals topic: tasks that Dask tried to move from a busy worker to an idle one.

Guarantees: what the scheduler logs is put aside in a microsecond and read later, a bounded number in each tick; the
newest `LIMIT` steals are kept, older ones are counted. A task counts with what became of it: Dask asks the worker that
has it, which gives it up or has started it already.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Sequence
from itertools import islice
from typing import Any

from dask.utils import key_split

from .columns import unsigned, wire
from .names import Names
from .plain import number

#: Steals kept, and messages that wait to be read.
LIMIT = 20_000
#: Tasks read in one tick: about 3 µs each.
READ = 500
#: Steals per answer.
ROWS = 4_000
#: Codes of the schema's enum ``stealOutcome``.
OUTCOMES = {"confirm": 0, "already-computing": 1, "reschedule": 2, "already-aborted": 3, "stale-response": 3}

#: A request from before the observation: its time, and the estimated seconds of its work.
_UNKNOWN = (float("nan"), float("nan"))

#: Time, outcome, 1 + ids of the worker that had it and of the one that should get it (0: not known), prefix, seconds
#: since the request, estimated seconds of its work.
Steal = tuple[float, int, int, int, int, float, float]


class Steals:
    """The newest steals, numbered."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._aside: deque[tuple[float, Any]] = deque(maxlen=LIMIT)
        #: When a task was asked for, the estimated seconds of its work, and for which worker, by key.
        self._asked: dict[Any, Sequence[Any]] = {}
        self._ring: deque[Steal] = deque(maxlen=LIMIT)
        #: Number of the next steal.
        self.end = 0

    def note(self, time: float, message: Any) -> None:
        """Put a message of Dask's topic ``stealing`` aside.

        Parameters
        ----------
        time : float
            Scheduler clock, seconds.
        message : tuple
            What ``distributed.stealing.WorkStealing`` logs.
        """
        if len(self._aside) >= LIMIT:
            # Ticks do not keep up: the oldest is read now, so that each counts.
            self._next()
        self._aside.append((time, message))

    def look(self) -> None:
        """Read what was put aside."""
        left = READ
        while left > 0 and self._aside:
            left -= self._next()

    def _next(self) -> int:
        """Read the oldest message that was put aside; returns how many tasks it is about."""
        time, message = self._aside.popleft()
        try:
            return self._take(time, message)
        except (LookupError, TypeError, ValueError):
            # Anybody may log under this topic: what has another form is no steal.
            return 1

    def _take(self, time: float, message: Any) -> int:
        """Read one message; returns how many tasks it is about."""
        kind, *parts = message if isinstance(message, (list, tuple)) and message else ("",)
        if kind == "request" and parts and isinstance(parts[0], (list, tuple)):
            for each in parts[0]:
                self._asked[each[2]] = (time, number(each[3]), each[6])
            self._trim()
            return len(parts[0])
        outcome = OUTCOMES.get(kind) if isinstance(kind, str) else None
        if outcome is None:
            return 1
        if kind == "reschedule":
            parts = parts[1:]
        key = parts[0]
        # What was known of the request of a stale answer is that of the newest one now, whose answer still comes.
        asked, cost, *meant = _UNKNOWN if kind == "stale-response" else self._asked.pop(key, _UNKNOWN)
        # An outdated answer names the worker that gave it only; an older collector kept no more of requests.
        pair = (parts[2], parts[3]) if outcome < 3 else (parts[2], meant[0] if meant else None)
        victim, thief = (0 if address is None else 1 + self._names.worker_at(str(address)) for address in pair)
        prefix = self._names.prefix_ids[key_split(key)]
        self._ring.append((time, outcome, victim, thief, prefix, time - asked, cost))
        self.end += 1
        return 1

    def _trim(self) -> None:
        """Tasks that were released between request and answer never get one."""
        while len(self._asked) > LIMIT:
            del self._asked[next(iter(self._asked))]

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Steals from a cursor on: the topic body and the cursor after it."""
        first = max(cursor, self.end - len(self._ring))
        begin = len(self._ring) - (self.end - first)
        steals = list(islice(self._ring, begin, begin + ROWS))
        columns = {
            "time": wire(array("d", (s[0] for s in steals))),
            "outcome": wire(array("B", (s[1] for s in steals))),
            "victim": wire(unsigned([s[2] for s in steals], len(self._names.workers))),
            "thief": wire(unsigned([s[3] for s in steals], len(self._names.workers))),
            "prefix": wire(unsigned([s[4] for s in steals], len(self._names.prefixes))),
            "asked": wire(array("f", (s[5] for s in steals))),
            "cost": wire(array("f", (s[6] for s in steals))),
        }
        scalars: dict[str, Any] = {"first": first}
        if first > cursor:
            scalars["lost"] = first - cursor
        return {"c": columns, "s": scalars}, first + len(steals)

"""Tasks by function and state, and the results in memory over time: the topics ``prefixes`` and ``cache``."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from ..scheduler.collector.columns import unsigned, wire
from ..scheduler.collector.episodes import GAP, LAST, RecentEnds

#: Maximum points of results; beyond it, an eighth is dropped at once.
HELD_POINTS = 200_000
#: Number of moments into which a compute is divided if it has too many changes to keep each.
MOMENTS = 4000

_STATES = ("released", "waiting", "processing", "memory", "erred", "cancelled")
#: Columns of the topic that do not apply here.
_NO_COUNTS = ("queued", "no_worker", "forgotten", "forgotten_erred", "suspicious", "memory_before")
#: Columns after the states, with their array type codes.
_AMOUNTS = (
    *(("nbytes", "d"), ("duration_average", "f"), ("compute", "d"), ("since", "d"), ("until", "d")),
    *((name, "I") for name in ("order", "done_before", "erred_before", "recent")),
    ("recent_since", "d"),
)
_NO_SECONDS = ("transfer", "disk_read", "disk_write", "deserialize")


class Function:
    """Counts of one function, over all computes, and its two newest points of results."""

    __slots__ = (
        *("before", "before_at", "cancelled", "done", "done_before", "erred", "erred_before", "held", "last"),
        *("nbytes", "order", "recent", "seconds", "since", "total", "until"),
    )

    def __init__(self) -> None:
        self.total = self.done = self.erred = self.cancelled = self.held = 0
        self.nbytes = self.seconds = 0.0
        #: Numbers of the points, and the time of the older one.
        self.before = self.last = -1
        self.before_at = 0.0
        #: The newest episode (see `dask_panes.scheduler.collector.episodes`).
        self.since = self.until = 0.0
        self.order = LAST
        self.done_before = self.erred_before = 0
        self.recent = (0, 0.0)

    def begin(self, now: float, order: int) -> None:
        """Tasks will run."""
        if not self.since or (self.until and now - self.until >= GAP):
            self.since, self.order = now, order
            self.done_before, self.erred_before = self.done, self.erred
        self.until = 0.0


class Ledger:
    """Counts of all functions, by prefix id.

    Points of results: one per change. If changes are faster than a picture of the whole compute can show, a function
    keeps the peak and the last change of a moment, so that a million tasks do not displace each other.

    Parameters
    ----------
    limit : int
        Points kept.
    """

    def __init__(self, limit: int = HELD_POINTS) -> None:
        self._functions: list[Function] = []
        #: Bytes of the results in memory, by key.
        self._sizes: dict[Any, float] = {}
        self._rows: dict[int, tuple[float, ...]] = {}
        self._versions: dict[int, int] = {}
        self.version = 0
        self._limit = limit
        self._began = 0.0
        self._recent = RecentEnds()
        #: Number of the oldest kept point.
        self._first = 0
        #: Points below this number have been read and do not change any more.
        self._sealed = 0
        self._time = array("d")
        self._prefix = array("I")
        self._count = array("I")
        self._nbytes = array("d")

    def function(self, prefix: int) -> Function:
        """The counts of a function, created if missing."""
        while prefix >= len(self._functions):
            self._functions.append(Function())
        return self._functions[prefix]

    def begin(self, time: float) -> None:
        """A compute begins."""
        self._began = time

    def expect(self, prefixes: Iterable[int]) -> None:
        """Tasks of these functions will run."""
        for order, (prefix, count) in enumerate(Counter(prefixes).items()):
            counts = self.function(prefix)
            counts.begin(self._began, order)
            if counts.since == self._began:
                self._recent.forget(prefix)
            counts.total += count

    def add(
        self,
        keys: Sequence[Any],
        prefixes: Sequence[int],
        ends: Sequence[float],
        durations: Sequence[float],
        sizes: Sequence[float],
        freed: Sequence[int],
        gone: Sequence[Any],
        gone_prefixes: Sequence[int],
    ) -> None:
        """Note tasks that ended, in order.

        Parameters
        ----------
        keys, prefixes : sequence
            Which they are.
        ends, durations : sequence of float
            Seconds.
        sizes : sequence of float
            Bytes of the results, 0 where unknown.
        freed : sequence of int
            How many results went when each of them ended.
        gone, gone_prefixes : sequence
            Which they were, in this order.
        """
        self.function(max(prefixes))
        held, functions, change = self._sizes, self._functions, self._change
        starts = (end - duration for end, duration in zip(ends, durations))
        self._recent.add(prefixes, lambda: starts, Counter(prefixes), ends[-1])
        going = zip(gone, gone_prefixes)
        for key, prefix, end, duration, size, count in zip(keys, prefixes, ends, durations, sizes, freed):
            counts = functions[prefix]
            counts.done += 1
            counts.seconds += duration
            counts.held += 1
            counts.nbytes += size
            held[key] = size
            change(counts, prefix, end)
            for other, its_prefix in islice(going, count):
                # Data in the graph itself is not a result of a task.
                known = held.pop(other, None)
                if known is not None:
                    counts = functions[its_prefix]
                    counts.held -= 1
                    # Repeated addition and subtraction of floats leaves rounding errors.
                    counts.nbytes = counts.nbytes - known if counts.held else 0.0
                    change(counts, its_prefix, end)

    def forget_held(self) -> None:
        """The results in memory are unknown from now on."""
        self._sizes.clear()

    def end(self, time: float) -> None:
        """The compute is over: nothing is in memory, and unstarted tasks will not run."""
        self._sizes.clear()
        for prefix, counts in enumerate(self._functions):
            if counts.held:
                counts.held = 0
                counts.nbytes = 0.0
                self._change(counts, prefix, time)
            counts.cancelled = counts.total - counts.done - counts.erred
            if not counts.until:
                counts.until, counts.recent = time, self._recent.of(prefix)

    # -- held over time -----------------------------------------------------------------------------------------

    def _change(self, counts: Function, prefix: int, time: float) -> None:
        first, last = self._first, counts.last
        if counts.before >= max(first, self._sealed) and time - counts.before_at < (time - self._began) / MOMENTS:
            before, at = counts.before - first, last - first
            if self._count[at] > self._count[before]:
                self._time[before] = counts.before_at = self._time[at]
                self._count[before] = self._count[at]
                self._nbytes[before] = self._nbytes[at]
            self._time[at], self._count[at], self._nbytes[at] = time, counts.held, counts.nbytes
            return
        counts.before = last
        counts.before_at = self._time[last - first] if last >= first else 0.0
        counts.last = first + len(self._time)
        self._time.append(time)
        self._prefix.append(prefix)
        self._count.append(counts.held)
        self._nbytes.append(counts.nbytes)
        if len(self._time) > self._limit:
            self._drop(self._limit // 8)

    def _drop(self, count: int) -> None:
        self._first += count
        for column in (self._time, self._prefix, self._count, self._nbytes):
            del column[:count]

    @property
    def end_of_held(self) -> int:
        """Number of the next point."""
        return self._first + len(self._time)

    def read_held(self, cursor: int, limit: int) -> tuple[dict[str, Any], int]:
        """Points from a cursor on: the topic body and the cursor after it."""
        first = max(cursor, self._first)
        part = slice(first - self._first, first - self._first + limit)
        prefixes = self._prefix[part]
        after = first + len(prefixes)
        self._sealed = max(self._sealed, after)
        columns = {
            "time": wire(self._time[part]),
            "prefix": wire(unsigned(prefixes, len(self._functions))),
            "count": wire(self._count[part]),
            "nbytes": wire(self._nbytes[part]),
        }
        scalars = {"first": first, "end": self.end_of_held}
        if first > cursor:
            scalars["lost"] = first - cursor
        return {"c": columns, "s": scalars}, after

    # -- counts -------------------------------------------------------------------------------------------------

    def scan(self, running: Iterable[int], now: float) -> None:
        """Version the rows that changed.

        Parameters
        ----------
        running : iterable of int
            Prefix ids of the tasks that run now.
        now : float
            Seconds.
        """
        processing = Counter(running)
        self._recent.expire(now)
        version = self.version + 1
        for prefix, counts in enumerate(self._functions):
            row = _row(counts, processing[prefix], counts.recent if counts.until else self._recent.of(prefix))
            if self._rows.get(prefix) != row:
                self._rows[prefix] = row
                self._versions[prefix] = version
                self.version = version

    def read_counts(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Rows that changed after a version: the topic body and the cursor after it."""
        ids = [prefix for prefix, version in self._versions.items() if version > cursor]
        rows = [self._rows[prefix] for prefix in ids]
        columns = {"id": wire(unsigned(ids, max(ids, default=0)))}
        for at, state in enumerate(_STATES):
            columns[state] = wire(array("I", (int(row[at]) for row in rows)))
        for name in _NO_COUNTS:
            columns[name] = wire(array("I", bytes(4 * len(rows))))
        first = len(_STATES)
        for at, (name, code) in enumerate(_AMOUNTS):
            values = (row[first + at] for row in rows)
            columns[name] = wire(array(code, map(int, values) if code == "I" else values))
        columns["max_exec_time"] = wire(array("f", (-1.0 for _ in rows)))
        for name in _NO_SECONDS:
            columns[name] = wire(array("d", bytes(8 * len(rows))))
        return {"c": columns}, self.version


def _row(counts: Function, running: int, recent: tuple[int, float]) -> tuple[float, ...]:
    waiting = counts.total - counts.done - counts.erred - counts.cancelled - running
    return (
        counts.done - counts.held,
        max(0, waiting),
        running,
        counts.held,
        counts.erred,
        counts.cancelled,
        counts.nbytes,
        counts.seconds / counts.done if counts.done else -1.0,
        counts.seconds,
        counts.since,
        counts.until,
        counts.order,
        counts.done_before,
        counts.erred_before,
        *recent,
    )

"""Time series of single workers: a few values of every one."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from math import inf
from operator import itemgetter
from typing import Any

from .columns import wire
from .measures import MEASURES, WORKER_MEASURES

#: Maximum values of all workers together; beyond it, workers that left are dropped, then every second point.
WORKER_VALUES = 4_000_000
#: Workers that left whose values are kept while space permits.
MOST_LEFT = 2_000
#: Values that are looked through in one slice when every second one is dropped, and what a column counts for at least.
SLICE = 100_000
COLUMN = 250
#: Workers whose former columns are freed in one slice.
FREED = 200
_picked = itemgetter(*(MEASURES.index(name) for name in WORKER_MEASURES))


class WorkerSeries:
    """A few values of every worker over time, at most 4,000,000 in total; coarser if they do not fit.

    All workers share one time axis; a worker's columns begin at the index at which it joined. After `add` there may be
    too many values; `thin` then drops every second one.
    """

    def __init__(self, limit: int = WORKER_VALUES) -> None:
        self._limit = limit
        self._times = array("d")
        self._workers: dict[int, tuple[int, tuple[array[float], ...]]] = {}
        self._values = 0
        #: Samples per kept point.
        self.step = 1
        self._skip = 0

    def add(self, time: float, rows: dict[int, tuple[float, ...]]) -> None:
        """Append a sample of all workers: values by worker id, in the order of ``MEASURES``."""
        self._skip += 1
        if self._skip < self.step:
            return
        self._skip = 0
        at = len(self._times)
        self._times.append(time)
        for found, values in rows.items():
            known = self._workers.get(found)
            if known is None:
                known = self._workers[found] = (at, tuple(array("f") for _ in WORKER_MEASURES))
            start, columns = known
            if start + len(columns[0]) != at:
                continue
            for column, value in zip(columns, _picked(values)):
                column.append(value)
            self._values += len(columns)
        self._drop_left(rows)

    def _drop_left(self, alive: Mapping[int, object]) -> None:
        """Drop workers that left, earliest first, if there are too many or their space is needed."""
        left = len(self._workers) - len(alive)
        if left <= MOST_LEFT and (left <= 0 or self._values <= self._limit):
            return
        gone = [(start + len(columns[0]), found) for found, (start, columns) in self._workers.items()]
        for _, found in sorted(end for end in gone if end[1] not in alive):
            if left <= MOST_LEFT - MOST_LEFT // 10 and self._values <= self._limit - self._limit // 10:
                break
            left -= 1
            self._values -= sum(map(len, self._workers.pop(found)[1]))

    def thin(self) -> Iterator[None]:
        """Keep every second point, counted from the start of the time axis, if there are too many values; in slices.

        Readers see all of them until the last slice. If a sample is added meanwhile, nothing changes: another call is
        needed.
        """
        if self._values <= self._limit:
            return
        times, count = self._times, len(self._times)
        workers: dict[int, tuple[int, tuple[array[float], ...]]] = {}
        spent = values = 0
        for found, (start, columns) in list(self._workers.items()):
            kept: list[array[float]] = []
            for column in columns:
                kept.append(column[start % 2 :: 2])
                spent += max(COLUMN, len(column))
                values += len(kept[-1])
                if spent >= SLICE:
                    spent = 0
                    yield
                    if self._times is not times or len(times) != count:
                        return
            workers[found] = ((start + 1) // 2, tuple(kept))
        old, self._times, self._workers, self._values = self._workers, times[::2], workers, values
        self.step *= 2
        while old:
            # Python frees their columns one by one.
            yield
            for _ in range(min(FREED, len(old))):
                old.popitem()

    def read(self, found: int, after: float = -inf) -> dict[str, Any]:
        """The columns of one worker, ``{"time": ..., measure: ...}``, after a moment; empty if it has none."""
        start, columns = self._workers.get(found, (0, ()))
        if not columns:
            return {}
        end = start + len(columns[0])
        begin = bisect_right(self._times, after, start, end)
        parts = {name: wire(column[begin - start :]) for name, column in zip(WORKER_MEASURES, columns)}
        return {"time": wire(self._times[begin:end]), **parts}

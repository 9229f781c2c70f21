"""Time series of single workers: a few values of every one."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
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
#: Samples that are divided by worker at once, and workers of one slice of that.
DIVIDED, DIVIDED_WORKERS = 30, 200
_picked = itemgetter(*(MEASURES.index(name) for name in WORKER_MEASURES))


class _Newest:
    """Samples of the same workers: for each measure the values of all workers, sample after sample."""

    __slots__ = ("columns", "first", "ids", "places")

    def __init__(self, first: int, ids: list[int]) -> None:
        #: Index of the first of them on the common axis.
        self.first = first
        self.ids = ids
        #: Place in a sample by worker id.
        self.places = {found: at for at, found in enumerate(ids)}
        self.columns = tuple(array("f") for _ in WORKER_MEASURES)

    def of(self, found: int, begin: int, end: int) -> list[array[float]]:
        """The columns of one worker between two indices of the common axis."""
        width, place = len(self.ids), self.places[found]
        first, last = (begin - self.first) * width + place, (end - self.first) * width
        return [column[first:last:width] for column in self.columns]


class WorkerSeries:
    """A few values of every worker over time, at most 4,000,000 in total; coarser if they do not fit.

    All workers share one time axis; a worker's columns begin at the index at which it joined. The newest samples are
    not in them yet: with a thousand workers, an append to each column took milliseconds for each sample. After `add`
    there may be many of them, or too many values: `tidy` appends them, and `thin` drops every second value.
    """

    def __init__(self, limit: int = WORKER_VALUES) -> None:
        self._limit = limit
        self._times = array("d")
        self._workers: dict[int, tuple[int, tuple[array[float], ...]]] = {}
        self._newest = _Newest(0, [])
        self._values = 0
        #: Samples per kept point.
        self.step = 1
        self._skip = 0

    def add(self, time: float, ids: list[int], columns: Sequence[list[float]]) -> None:
        """Append a sample of all workers: their ids, and the values of each measure, in the order of ``MEASURES``."""
        self._skip += 1
        if self._skip < self.step:
            return
        self._skip = 0
        values = [array("f", column) for column in _picked(columns)]
        if ids != self._newest.ids:
            self._follow(ids)
        self._times.append(time)
        for kept, column in zip(self._newest.columns, values):
            kept.extend(column)
        self._values += len(ids) * len(WORKER_MEASURES)
        self._drop_left()

    def prepare(self, ids: list[int]) -> Iterator[None]:
        """Do in slices what `add` would do at once where other workers are there than before."""
        if ids != self._newest.ids:
            yield from self.divide()

    def _follow(self, ids: list[int]) -> None:
        """Other workers are there from the next sample on."""
        for _ in self.divide():
            pass
        at = len(self._times)
        for found in ids:
            start, columns = self._workers.get(found, (at, ()))
            if not columns or start + len(columns[0]) != at:
                self._values -= sum(map(len, columns))
                self._workers[found] = (at, tuple(array("f") for _ in WORKER_MEASURES))
        self._newest = _Newest(at, ids[:])

    def _drop_left(self) -> None:
        """Drop workers that left, earliest first, if there are too many or their space is needed."""
        alive = self._newest.places
        left = len(self._workers) - len(alive)
        if left <= MOST_LEFT and (left <= 0 or self._values <= self._limit):
            return
        gone = [(start + len(columns[0]), found) for found, (start, columns) in self._workers.items()]
        for _, found in sorted(end for end in gone if end[1] not in alive):
            if left <= MOST_LEFT - MOST_LEFT // 10 and self._values <= self._limit - self._limit // 10:
                break
            left -= 1
            self._values -= sum(map(len, self._workers.pop(found)[1]))

    def tidy(self) -> Iterator[None]:
        """Do in slices what is to do after a sample."""
        if len(self._times) - self._newest.first >= DIVIDED:
            yield from self.divide()
        yield from self.thin()

    def divide(self) -> Iterator[None]:
        """Append the newest samples to the columns of their workers; in slices.

        Readers see the same before and after. What is added meanwhile remains for the next time.
        """
        newest, end = self._newest, len(self._times)
        for at, found in enumerate(newest.ids):
            start, columns = self._workers[found]
            # More than `newest.first` where another call has been here.
            begin = start + len(columns[0])
            for column, more in zip(columns, newest.of(found, begin, end)):
                column.extend(more)
            if at % DIVIDED_WORKERS == DIVIDED_WORKERS - 1:
                yield
                if self._newest is not newest:
                    return
        self._newest = rest = _Newest(end, newest.ids)
        begin = (end - newest.first) * len(newest.ids)
        rest.columns = tuple(column[begin:] for column in newest.columns)

    def thin(self) -> Iterator[None]:
        """Keep every second point, counted from the start of the time axis, if there are too many values; in slices.

        Readers see all of them until the last slice. If a sample is added meanwhile, nothing changes: another call is
        needed.
        """
        if self._values <= self._limit:
            return
        times, count = self._times, len(self._times)
        yield from self.divide()
        if self._times is not times or len(times) != count:
            return
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
        self._newest = _Newest(len(self._times), self._newest.ids)
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
        divided = start + len(columns[0])
        end = len(self._times) if found in self._newest.places else divided
        begin = bisect_right(self._times, after, start, end)
        parts = [column[begin - start :] for column in columns]
        if end > divided:
            for part, more in zip(parts, self._newest.of(found, max(begin, divided), end)):
                part.extend(more)
        return {"time": wire(self._times[begin:end]), **dict(zip(WORKER_MEASURES, map(wire, parts)))}

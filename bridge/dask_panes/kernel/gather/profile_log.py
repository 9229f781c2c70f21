"""What workers' profilers counted, interned and bounded: rows of (time, worker, prefix, stack, samples).

Older rows are merged in time when there are too many: totals are preserved, periods get coarser.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ...feed.schema import DTYPES
from ...scheduler.collector.names import OTHER, PREFIXES
from .cell_text import text_of

#: Maximum rows; about 20 bytes each.
ROWS = 400_000
#: Maximum batches: one per read.
BATCHES = 1_000
#: Rows merged at once: the Client's event loop has other work to do.
AT_ONCE = 24_000
#: Approximate rows per frame.
FRAME_ROWS = 12_000
#: Rows that take as many bytes as the texts of one function.
FUNCTION_ROWS = 10
#: Seconds within which rows are merged, by level.
STEPS = (0.0, 10.0, 60.0, 600.0, 3600.0)
#: Maximum stacks; later ones count for their known part.
STACKS = 200_000
#: In place of the number of a frame that is not kept.
_NO_FRAME = -1
#: Seconds before the first row at which the milliseconds of the rows begin: other workers may have older ones.
EARLIER = 86_400.0

#: ``array`` type codes of the columns of a batch.
COLUMNS = {"at": "I", "span": "I", "worker": "I", "prefix": "I", "stack": "I", "samples": "I"}


class Row(NamedTuple):
    """Samples of one stack.

    Attributes
    ----------
    at : int
        End of the period, ms after `ProfileLog.since`.
    span : int
        Length of the period, ms.
    worker : int
        1 + id of ``names.workers``; 0 is the scheduler.
    prefix, stack : int
        Numbers in the log's dictionaries; stack 0 is the empty one.
    samples : int
    """

    at: int
    span: int
    worker: int
    prefix: int
    stack: int
    samples: int


class Batch:
    """Rows added together, from serial number `first` to `end`, with the sizes of the dictionaries after them."""

    __slots__ = ("columns", "end", "first", "level", "sizes")

    def __init__(self, first: int, end: int, level: int, rows: Iterable[Row], sizes: tuple[int, int, int]) -> None:
        self.first, self.end, self.level, self.sizes = first, end, level, sizes
        values = list(zip(*rows, strict=True)) or [()] * len(COLUMNS)
        self.columns = {name: array(code, column) for (name, code), column in zip(COLUMNS.items(), values, strict=True)}

    def __len__(self) -> int:
        return len(self.columns["at"])

    def rows(self) -> Iterable[Row]:
        """Its rows."""
        return map(Row._make, zip(*self.columns.values(), strict=True))


class ProfileLog:
    """Rows in batches, with the dictionaries that they refer to.

    Attributes
    ----------
    end : int
        Serial number of the next batch: the cursor of a reader that has everything.
    since : float
        Scheduler time of millisecond 0 of the rows, seconds.
    lost : int
        Samples of dropped batches.
    dropped_until : float
        Scheduler time up to which samples were dropped, seconds; 0 for none.
    """

    def __init__(self) -> None:
        self.end = 0
        self.since = 0.0
        self.lost = 0
        self.dropped_until = 0.0
        #: [name, file, first line, line seen first, its text]
        self.frames: list[list[Any]] = []
        self.prefixes: list[str] = []
        #: Parent and frame of each stack, flat; without stack 0, the empty one.
        self._stacks = array("I")
        self._frame_ids: dict[tuple[Any, ...], int] = {}
        self._stack_ids: dict[tuple[int, int], int] = {}
        self._prefix_ids: dict[str, int] = {}
        self._batches: list[Batch] = []
        self._rows = 0

    # -- writing ------------------------------------------------------------------------------------------------

    def stacks_of(self, frames: Sequence[Sequence[Any]], stacks: bytes) -> list[int]:
        """Numbers of a probe answer's stacks, by their number there (0 the empty stack)."""
        frame_ids = [0, *map(self._frame, frames)]
        pairs = _unsigned(stacks)
        numbers = [0]
        for parent, frame in zip(pairs[::2], pairs[1::2], strict=True):
            numbers.append(self._stack(numbers[parent], frame_ids[frame]))
        return numbers

    def prefixes_of(self, names: Iterable[str]) -> list[int]:
        """Numbers of prefixes."""
        return [self._prefix(str(name)) for name in names]

    def milliseconds(self, time: float) -> int:
        """A time in the format of rows."""
        if not self.since:
            self.since = float(int(time)) - EARLIER
        return min(max(0, round((time - self.since) * 1000)), 2**32 - 1)

    def add(self, rows: Sequence[Row]) -> None:
        """Append a batch; one without rows notifies readers that something else has changed."""
        sizes = (len(self.frames), len(self._stacks) // 2, len(self.prefixes))
        self._batches.append(Batch(self.end, self.end + 1, 0, rows, sizes))
        self.end += 1
        self._rows += len(rows)

    def tidy(self) -> bool:
        """Merge some older rows if there are too many; returns whether there is more to do."""
        if self._rows <= ROWS and len(self._batches) <= BATCHES:
            return False
        for level in range(len(STEPS)):
            found = [i for i, batch in enumerate(self._batches) if batch.level == level]
            # The newest are not merged, so that readers who follow do not have to start over.
            oldest = found[: len(found) - (len(found) // 4 + 1)]
            if len(oldest) > 1:
                self._merge(oldest, min(level + 1, len(STEPS) - 1))
                return True
        self._drop()
        return True

    def _merge(self, found: list[int], level: int) -> None:
        step = round(STEPS[level] * 1000)
        start = stop = found[0]
        count = 0
        while stop <= found[-1] and (stop - start < 2 or count < AT_ONCE):
            count += len(self._batches[stop])
            stop += 1
        old = self._batches[start:stop]
        sums: dict[tuple[int, int, int, int], list[int]] = {}
        for row in (row for batch in old for row in batch.rows()):
            # All rows of a period end where its newest does, and extend to its oldest.
            key = (row.at // step, row.worker, row.prefix, row.stack)
            found_sum = sums.get(key)
            if found_sum is None:
                sums[key] = [row.at - row.span, row.at, row.samples]
            else:
                found_sum[0] = min(found_sum[0], row.at - row.span)
                found_sum[1] = max(found_sum[1], row.at)
                found_sum[2] += row.samples
        rows = [Row(end, max(0, end - begin), *key[1:], samples) for key, (begin, end, samples) in sums.items()]
        self._batches[start:stop] = [Batch(old[0].first, old[-1].end, level, rows, old[-1].sizes)]
        self._rows += len(rows) - count

    def _drop(self) -> None:
        oldest = self._batches.pop(0)
        self._rows -= len(oldest)
        self.lost += sum(oldest.columns["samples"])
        if len(oldest):
            self.dropped_until = max(self.dropped_until, self.since + max(oldest.columns["at"]) / 1000)
        if self._batches:
            self._batches[0].first = 0

    def _frame(self, frame: Sequence[Any]) -> int:
        key = (frame[0], frame[1], frame[2])
        found = self._frame_ids.get(key)
        if found is None:
            if self.full:
                # No stack that is not known yet is added, so this one would be in none.
                return _NO_FRAME
            self.frames.append([*frame[:4], text_of(frame)])
            found = self._frame_ids[key] = len(self.frames)
        return found

    def _stack(self, parent: int, frame: int) -> int:
        key = (parent, frame)
        found = self._stack_ids.get(key)
        if found is None:
            if len(self._stacks) >= 2 * STACKS:
                return parent
            self._stacks.extend(key)
            found = self._stack_ids[key] = len(self._stacks) // 2
        return found

    def _prefix(self, name: str) -> int:
        found = self._prefix_ids.get(name)
        if found is None:
            if len(self.prefixes) >= PREFIXES:
                name = OTHER
            found = self._prefix_ids.get(name)
        if found is None:
            found = self._prefix_ids[name] = len(self.prefixes)
            self.prefixes.append(name)
        return found

    # -- reading ------------------------------------------------------------------------------------------------

    @property
    def full(self) -> bool:
        """Whether stacks are truncated because there are too many."""
        return len(self._stacks) >= 2 * STACKS

    @property
    def nbytes(self) -> int:
        """Approximate memory use."""
        rows = 4 * len(COLUMNS) * self._rows + 1000 * len(self._batches)
        return rows + 150 * len(self._stack_ids) + 500 * len(self.frames)

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Batches after a cursor, as a topic's body; a cursor within merged batches starts over."""
        start = bisect_left(self._batches, cursor, key=lambda batch: batch.first)
        if start < len(self._batches) and self._batches[start].first != cursor:
            cursor = start = 0
        stop, count = start, 0
        while stop < len(self._batches) and (stop == start or count < FRAME_ROWS):
            before = self._batches[stop - 1].sizes[0] if stop > 0 else 0
            count += len(self._batches[stop]) + FUNCTION_ROWS * (self._batches[stop].sizes[0] - before)
            stop += 1
        known = self._batches[start - 1].sizes if start > 0 else (0, 0, 0)
        sizes = self._batches[stop - 1].sizes if stop > start else known
        taken = self._batches[start:stop]
        columns = {
            name: array(code, (value for batch in taken for value in batch.columns[name]))
            for name, code in COLUMNS.items()
        }
        stacks = self._stacks[2 * known[1] : 2 * sizes[1]]
        body: dict[str, Any] = {
            "c": {name: narrow(column) for name, column in columns.items()},
            "s": {
                "first": cursor,
                "since": self.since,
                "frames": self.frames[known[0] : sizes[0]],
                "prefixes": self.prefixes[known[2] : sizes[2]],
                "lost": self.lost,
                "full": self.full,
            },
            "m": {"parent": narrow(stacks[::2]), "frame": narrow(stacks[1::2])},
        }
        return body, taken[-1].end if taken else self.end


def _unsigned(data: bytes) -> array[int]:
    values = array("I", bytes(data))
    if sys.byteorder == "big":
        values.byteswap()
    return values


def narrow(values: array[int]) -> tuple[str, bytes]:
    """Unsigned integers as a wire column of two bytes if they fit, else of four."""
    dtype = "u2" if max(values, default=0) < 65536 else "u4"
    column = array(DTYPES[dtype]["array"], values)
    if sys.byteorder == "big":
        column.byteswap()
    return dtype, column.tobytes()


def rows_of(answer: Mapping[str, Any], worker: int, log: ProfileLog) -> list[Row]:
    """Rows of a probe's answer, in the numbers of a log."""
    stacks = log.stacks_of(answer["frames"], answer["stacks"])
    prefixes = log.prefixes_of(answer["prefixes"])
    given = answer["rows"]
    times, spans = array("d", bytes(given["time"])), array("f", bytes(given["span"]))
    if sys.byteorder == "big":
        times.byteswap()
        spans.byteswap()
    columns = (times, spans, *(_unsigned(given[name]) for name in ("prefix", "stack", "samples")))
    return [
        Row(log.milliseconds(time), round(span * 1000), worker, prefixes[prefix], stacks[stack], samples)
        for time, span, prefix, stack, samples in zip(*columns, strict=True)
    ]


class Unfinished(NamedTuple):
    """Counts of a cycle at the time when a reader began in its middle.

    Attributes
    ----------
    at : int
        The time, in the format of rows.
    samples : dict
        By prefix and stack.
    """

    at: int
    samples: dict[tuple[int, int], int]

    @classmethod
    def of(cls, rows: Iterable[Row], log: ProfileLog, time: float) -> Unfinished:
        """The counts of a cycle's rows at a scheduler time."""
        return cls(log.milliseconds(time), {(row.prefix, row.stack): row.samples for row in rows})

    def off(self, rows: Sequence[Row]) -> list[Row]:
        """The rows of a server minus the counts before the start: the oldest of them are of the cycle in progress
        then.

        A sample may have been another stack's when it was first read, because Dask does not record which of several
        callees was innermost. Then it is subtracted from another stack of its prefix, so that the sums of prefixes
        are exact.
        """
        oldest = min(row.at for row in rows)
        counts = {(row.prefix, row.stack): row.samples for row in rows if row.at == oldest}
        for key, samples in self.samples.items():
            rest = samples
            others = sorted((other for other in counts if other[0] == key[0]), key=lambda other: -counts[other])
            for found in (key, *others):
                taken = min(rest, counts.get(found, 0))
                rest -= taken
                if taken:
                    counts[found] -= taken
        cut = []
        for row in rows:
            if row.at != oldest:
                cut.append(row)
            elif counts[row.prefix, row.stack]:
                # The period begins with the reader.
                at = max(row.at, self.at)
                cut.append(row._replace(at=at, span=min(row.span, at - self.at), samples=counts[row.prefix, row.stack]))
        return cut

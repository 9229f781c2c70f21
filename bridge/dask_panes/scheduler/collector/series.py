"""Time series of the cluster: sums and extremes over its workers, and what the scheduler's own process takes."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence
from math import isnan, nan, sqrt
from typing import Any

from . import bands
from .columns import wire
from .heartbeats import PATIENCE, patience
from .measures import MEASURES, MEMORY, TABLE
from .own import NO_OWN, OWN, same_own

#: Seconds between samples, and seconds per point of the long history.
STEP = 1.0
COARSE = 10
#: A longer time between two points was not measured.
GAP = 5.0
#: An hour at 1 s, a day at 10 s.
FINE_POINTS = 3600
COARSE_POINTS = 8640

#: Columns of topic `series`, in the order of a point's values.
NAMES = (
    *("time", "until", "workers"),
    *(f"{measure}_{what}" for measure in MEASURES for what in ("sum", "min", "max")),
    *OWN,
)
#: Position in a point of what the scheduler's own process takes.
_OWN = 3 + 3 * len(MEASURES)
#: Position of the longest time without a heartbeat of a worker.
_UNHEARD = 3 + 3 * MEASURES.index("unheard") + 2

#: Measures whose change alone is reported: their positions in a point and their dead-bands.
_BANDS = tuple((3 + 3 * i, measure.band) for i, measure in enumerate(TABLE) if measure.band is not None)
_PER_HOST = frozenset(3 + 3 * i for i, measure in enumerate(TABLE) if measure.per_host)

#: One point: time, until, workers, then sum, min, max of each measure, then what the scheduler's own process takes.
Point = list[float]


def sample_cluster(time: float, rows: list[tuple[str, tuple[float, ...]]]) -> Point:
    """Sums and extremes over workers, for network and disk over hosts.

    Parameters
    ----------
    time : float
        Scheduler clock, seconds.
    rows : list of (host, values)
        The measures of each worker.
    """
    columns = [*zip(*(values for _, values in rows))] or [()] * len(TABLE)
    return sum_up(time, [host for host, _ in rows], columns)


def sum_up(time: float, hosts: list[str], columns: Sequence[Sequence[float]]) -> Point:
    """As `sample_cluster`, of the hosts of all workers and of a column for each measure."""
    point: Point = [time, time, len(hosts)]
    for measure, column in zip(TABLE, columns):
        sample = _of_hosts(hosts, column) if measure.per_host else column
        if measure.may_lack:
            point += _known(sample)
        else:
            point += (sum(sample), min(sample), max(sample)) if sample else (0.0, 0.0, 0.0)
    return point


def _of_hosts(hosts: list[str], values: Collection[float]) -> Collection[float]:
    """The greatest value of each host that is known."""
    found: dict[str, float] = {}
    for host, value in zip(hosts, values):
        known = found.get(host, nan)
        if value > known or isnan(known):
            found[host] = value
    return found.values()


def _known(sample: Collection[float]) -> tuple[float, float, float]:
    """Sum and extremes of the values that are known; the sum as if the others were their mean."""
    total = sum(sample)
    if sample and not isnan(total):
        return total, min(sample), max(sample)
    known = [value for value in sample if not isnan(value)]
    return (sum(known) * len(sample) / len(known), min(known), max(known)) if known else (nan, nan, nan)


def _overdue(point: Point) -> float:
    """For how long a worker sent no heartbeat at most, seconds; 0 if none is overdue, or it is not known."""
    longest = point[_UNHEARD]
    return longest if longest > patience(int(point[2])) else 0.0


def _joins(points: list[Point], point: Point) -> bool:
    """Whether a point belongs to the same ten seconds; one of an idle cluster may have held for hours."""
    first, last = points[0], points[-1]
    # A mean number of workers would have to be rounded, and the mean of workers be above their maximum. Points without
    # workers have no extremes.
    return point[0] - last[1] <= GAP and point[2] == first[2] and point[1] - first[0] < COARSE


def _merged(points: list[Point]) -> Point:
    """Points as one: extremes stay, of all else the mean over time remains. What is not known does not count."""
    times = [p[1] - p[0] + STEP for p in points]

    def mean(at: int) -> float:
        known = [(p[at], time) for p, time in zip(points, times) if not isnan(p[at])]
        return sum(value * time for value, time in known) / sum(time for _, time in known) if known else nan

    def known(at: int) -> list[float]:
        return [p[at] for p in points if not isnan(p[at])]

    merged: Point = [points[0][0], points[-1][1], points[0][2]]
    for i in range(3, _OWN, 3):
        merged += (mean(i), min(known(i + 1), default=nan), max(known(i + 2), default=nan))
    merged += map(mean, range(_OWN, len(points[0])))
    return merged


def _table() -> list[array[float]]:
    """A table of points without rows: its columns have the types in which they are sent."""
    codes = "ddI" + "f" * (len(NAMES) - 3)
    return [array(code) for code in codes]


def _append(table: list[array[float]], point: Point) -> None:
    for column, value in zip(table, point):
        column.append(value)


def _take_first(table: list[array[float]]) -> Point:
    return [column.pop(0) for column in table]


class Series:
    """Cluster points: an hour at 1 s, before that a day at 10 s.

    Points are numbered; the newest number increases by one with each new point. An unchanged point of an idle cluster
    only extends its ``until``, so a reader receives its newest point again together with the next. Points are kept as
    columns: to read a day point by point would hold the scheduler's event loop for a tenth of a second.
    """

    def __init__(self) -> None:
        self._fine = _table()
        self._coarse = _table()
        #: Points between the two tables, not yet ten seconds.
        self._pending: list[Point] = []
        #: The newest point as it was measured: columns of four bytes round.
        self._newest: Point = []
        #: Number of the next point.
        self.end = 0

    def add(self, point: Point, memory_limit: float, quiet: bool, own: tuple[float, ...] = NO_OWN) -> None:
        """Append a sample.

        Parameters
        ----------
        point : list
            From `sample_cluster`.
        memory_limit : float
            Sum of the workers' limits, bytes.
        quiet : bool
            The cluster is idle: a sample within the dead-band only extends the newest point.
        own : tuple of float
            From `sample_own` and `Spending`.
        """
        point += own
        if quiet and self._newest and self._same(self._newest, point, memory_limit):
            self._fine[1][-1] = point[0]
            return
        if len(self._fine[0]) == FINE_POINTS:
            self._age(_take_first(self._fine))
        _append(self._fine, point)
        self._newest = point
        self.end += 1

    @staticmethod
    def _same(old: Point, new: Point, memory_limit: float) -> bool:
        """Whether two points of an idle cluster differ by no more than the natural variation of its workers.

        The variation of a sum of independent values grows with the square root of their number.
        """
        count = max(1.0, new[2])
        spread = sqrt(count)
        memory = spread * bands.memory_band(memory_limit / count)
        if old[2] != new[2]:
            return False
        for at, band in _BANDS:
            width = memory if band == MEMORY else band if at in _PER_HOST else spread * band
            if bands.differ(old[at], new[at], width):
                return False
        # While a worker is silent, nothing else changes.
        if bands.differ(_overdue(old), _overdue(new), PATIENCE):
            return False
        # Results that move from worker to worker do not change their sum.
        managed = 3 + 3 * MEASURES.index("managed")
        return old[managed : managed + 3] == new[managed : managed + 3] and same_own(old[_OWN:], new[_OWN:])

    def _age(self, point: Point) -> None:
        if self._pending and not _joins(self._pending, point):
            self._merge()
        self._pending.append(point)
        if point[1] - self._pending[0][0] + STEP >= COARSE:
            self._merge()

    def _merge(self) -> None:
        if len(self._coarse[0]) == COARSE_POINTS:
            _take_first(self._coarse)
        _append(self._coarse, _merged(self._pending))
        self._pending = []

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Points from the one before the cursor on (its ``until`` may have changed); all for a new reader."""
        fresh = self.end - cursor + 1
        kept = len(self._fine[0])
        if cursor == 0 or fresh > kept:
            between = _table()
            for point in self._pending:
                _append(between, point)
            columns = [coarse + some + fine for coarse, some, fine in zip(self._coarse, between, self._fine)]
        else:
            columns = [column[kept - fresh :] for column in self._fine]
        first = self.end - len(columns[0])
        scalars = {"first": first}
        if 0 < cursor < first:
            scalars["lost"] = first - cursor
        return {"c": dict(zip(NAMES, map(wire, columns))), "s": scalars}, self.end

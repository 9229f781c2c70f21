"""Samples the figures of all workers, once a second, for the history of the cluster and of each worker.

Guarantees: sliced, 200 workers at a time; a sample is added whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import nan
from typing import TYPE_CHECKING

from .clocks import Clocks
from .faults import Faults
from .heartbeats import Pauses
from .names import Names
from .own import NO_OWN, sample_own
from .series import Series, sample, sample_cluster
from .spending import NO_SPENT, Spending
from .worker_series import WorkerSeries

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Workers sampled in one go.
SAMPLED = 200
#: A longer time between two samples, in seconds: the scheduler was blocked, or there was no reader.
STOOD = 2.0


class Sampling:
    """Adds samples to the series."""

    def __init__(
        self, names: Names, clocks: Clocks, series: Series, worker_series: WorkerSeries, faults: Faults
    ) -> None:
        self._names, self._clocks, self._faults = names, clocks, faults
        self._series, self._worker_series = series, worker_series
        self._spending = Spending()
        self._pauses = Pauses(STOOD)

    def doubt(self, now: float) -> None:
        """As `Pauses.doubt`."""
        self._pauses.doubt(now)

    def sample(self, scheduler: Scheduler, now: float, idle: bool) -> Iterator[None]:
        """Sample all workers, in slices."""
        self._faults.guard("clocks", "look", lambda: self._clocks.note(scheduler.workers), None)
        yield
        workers = list(scheduler.workers.values())
        heard = nan if self._pauses.recent(now) else now
        rows: dict[int, tuple[str, tuple[float, ...]]] = {}
        for i in range(0, len(workers), SAMPLED):
            rows.update(sample(workers[i : i + SAMPLED], self._names, heard))
            yield
        limit = sum(ws.memory_limit or 0 for ws in workers)
        before = self._series.end
        own = self._faults.guard("series", "own", lambda: sample_own(scheduler), NO_OWN[: -len(NO_SPENT)])
        spent = self._faults.guard("series", "spending", lambda: self._spending.sample(scheduler, now), NO_SPENT)
        self._series.add(sample_cluster(now, list(rows.values())), limit, idle, own + spent)
        yield
        if self._series.end != before:
            self._worker_series.add(now, {found: values for found, (_, values) in rows.items()})
            yield
            yield from self._worker_series.thin()

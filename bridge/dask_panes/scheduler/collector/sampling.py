"""Samples the figures of all workers, once a second, for the history of the cluster and of each worker.

Guarantees: sliced, 50 heartbeats at a time; a sample is added whole or not at all; each heartbeat is read once, so that
with many workers, whose heartbeats are seconds apart, a sample is some operations on whole columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import nan
from operator import is_
from typing import TYPE_CHECKING

from .clocks import Clocks
from .faults import Faults
from .looks import Looks
from .measures import Heard, heard_of, measure
from .names import Names
from .own import NO_OWN, sample_own
from .reported import Reports
from .series import Series, sum_up
from .spending import NO_SPENT, Spending
from .worker_series import WorkerSeries

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler, WorkerState

#: Workers whose heartbeats are read in one go: some 8 µs each.
SAMPLED = 50


class _Cluster:
    """The workers of a sample, and what was heard of them."""

    def __init__(self, workers: list[WorkerState]) -> None:
        self.workers = workers
        self.ids: list[int] = []
        self.hosts: list[str] = []
        #: Sum of the limits of their memory, bytes.
        self.limit = 0
        self.heard: Heard = []
        #: Objects of Dask that the last heartbeats brought, in the order of the workers.
        self.metrics: list[object] = []

    def is_of(self, workers: list[WorkerState]) -> bool:
        """Whether these are its workers; one that has come back at the address of another is a new one."""
        # A worker has no id for the moment until it is announced.
        return len(workers) == len(self.workers) and all(map(is_, workers, self.workers)) and -1 not in self.ids

    def fill(self, names: Names, reports: Reports) -> Iterator[None]:
        """Read what is known of all workers, in slices."""
        rows: list[tuple[float, ...]] = []
        for i in range(0, len(self.workers), SAMPLED):
            for ws in self.workers[i : i + SAMPLED]:
                last = reports.of(ws)
                self.ids.append(names.worker_at(ws.address))
                self.hosts.append(ws.host)
                self.limit += ws.memory_limit or 0
                self.metrics.append(last.metrics)
                rows.append(heard_of(ws, last))
            yield
        self.heard = [list(column) for column in zip(*rows)]

    def hear(self, reports: Reports, clocks: Clocks, faults: Faults) -> Iterator[None]:
        """Read the heartbeats that have come since the last time, in slices."""
        fresh = [at for at, ws in enumerate(self.workers) if ws.metrics is not self.metrics[at]]
        for i in range(0, len(fresh), SAMPLED):
            some = fresh[i : i + SAMPLED]
            for at in some:
                last = reports.of(self.workers[at])
                for column, value in zip(self.heard, heard_of(self.workers[at], last)):
                    column[at] = value
                self.metrics[at] = last.metrics
            faults.guard("clocks", "look", partial(clocks.hear, [self.workers[at] for at in some]), None)
            yield


class Sampling:
    """Adds samples to the series."""

    def __init__(
        self,
        names: Names,
        clocks: Clocks,
        series: Series,
        worker_series: WorkerSeries,
        faults: Faults,
        looks: Looks,
        reports: Reports,
    ) -> None:
        self._names, self._clocks, self._faults, self._looks = names, clocks, faults, looks
        self._series, self._worker_series, self._reports = series, worker_series, reports
        self._spending = Spending()
        self._cluster = _Cluster([])

    def sample(self, scheduler: Scheduler, now: float, idle: bool) -> Iterator[None]:
        """Sample all workers, in slices."""
        cluster = self._cluster
        workers = list(scheduler.workers.values())
        if not cluster.is_of(workers):
            self._faults.guard("clocks", "look", lambda: self._clocks.note(scheduler.workers), None)
            yield
            cluster = _Cluster(workers)
            yield from cluster.fill(self._names, self._reports)
            self._cluster = cluster
        yield from cluster.hear(self._reports, self._clocks, self._faults)
        heard = now if self._looks.settled(now) else nan
        columns = measure(cluster.workers, cluster.heard, heard)
        yield
        before = self._series.end
        own = self._faults.guard("series", "own", lambda: sample_own(scheduler), NO_OWN[: -len(NO_SPENT)])
        spent = self._faults.guard("series", "spending", lambda: self._spending.sample(scheduler, now), NO_SPENT)
        self._series.add(sum_up(now, cluster.hosts, columns), cluster.limit, idle, own + spent)
        yield
        if self._series.end != before:
            yield from self._worker_series.prepare(cluster.ids)
            self._worker_series.add(now, cluster.ids, columns)
            yield
            yield from self._worker_series.tidy()

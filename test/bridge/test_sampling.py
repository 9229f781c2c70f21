"""Samples of all workers: what a heartbeat brought is read once, what the scheduler knows itself with each sample."""

from __future__ import annotations

import random
from math import isnan
from types import SimpleNamespace
from typing import Any

import pytest

from dask_panes.scheduler.collector import sampling as module
from dask_panes.scheduler.collector.clocks import Clocks
from dask_panes.scheduler.collector.faults import Faults
from dask_panes.scheduler.collector.looks import Looks
from dask_panes.scheduler.collector.measures import WORKER_MEASURES
from dask_panes.scheduler.collector.names import Names
from dask_panes.scheduler.collector.reported import Reports, report_of
from dask_panes.scheduler.collector.sampling import Sampling
from dask_panes.scheduler.collector.series import Series
from dask_panes.scheduler.collector.worker_series import WorkerSeries
from dask_panes.scheduler.collector.workers import read_memory
from test_series import measured, values
from test_worker_rows import beat, worker


class Cluster:
    """Workers of a scheduler that are sampled."""

    def __init__(self, count: int = 0) -> None:
        self.names, self.faults, self.looks = Names(), Faults(), Looks()
        self.series, self.worker_series = Series(), WorkerSeries()
        self.clocks = Clocks(self.names)
        parts = (self.names, self.clocks, self.series, self.worker_series, self.faults, self.looks, Reports())
        self.sampling = Sampling(*parts)
        self.scheduler: Any = SimpleNamespace(workers={}, cumulative_worker_metrics={})
        self.second = 0.0
        for i in range(count):
            self.join(f"tcp://10.0.0.{i % 3}:{i}")

    def join(self, address: str) -> Any:
        made = self.scheduler.workers[address] = worker(address)
        self.names.add_worker({"address": address, "name": address})
        return made

    def sample(self) -> None:
        self.second += 1
        for _ in self.sampling.sample(self.scheduler, self.second, False):
            pass
        assert self.faults.messages() == []

    def newest(self) -> dict[str, float]:
        columns = self.series.read(self.series.end - 1)[0]["c"]
        return {name: values(column)[-1] for name, column in columns.items()}

    def course(self, found: int) -> dict[str, list[float]]:
        return {name: values(column) for name, column in self.worker_series.read(found).items()}


def test_a_sample_reads_the_heartbeats_that_have_come_since_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster, read, heard_of = Cluster(50), [0], module.heard_of
    monkeypatch.setattr(module, "heard_of", lambda *args: (read.append(read.pop() + 1), heard_of(*args))[1])
    workers = list(cluster.scheduler.workers.values())
    for some, reads in (([], 50), ([], 50), ([3, 49], 52), ([], 52), ([3], 53)):
        for at in some:
            beat(workers[at], 10.0 * at)
        cluster.sample()
        assert read == [reads]
        newest = cluster.newest()
        assert newest["workers"] == 50
        for name in ("cpu", "process", "managed", "threads"):
            assert newest[f"{name}_sum"] == pytest.approx(sum(measured(ws)[name] for ws in workers))
    assert cluster.course(49)["cpu"] == [50.0, 50.0, 490.0, 490.0, 490.0]


def test_what_the_scheduler_knows_itself_is_that_of_the_sample() -> None:
    cluster = Cluster(3)
    first = next(iter(cluster.scheduler.workers.values()))
    cluster.sample()
    before = cluster.newest()
    # Tasks and results come between two heartbeats.
    first.processing = {"a", "b", "c"}
    first.nbytes += 5_000_000
    cluster.sample()
    after = cluster.newest()
    assert [after[f"{name}_max"] for name in ("processing", "assigned", "computing")] == [3, 2, 0]
    assert after["managed_sum"] - before["managed_sum"] == 5_000_000
    assert after["cpu_sum"] == before["cpu_sum"]
    first.executing = {"a": 1.0, "b": 1.0}
    beat(first, 100.0)
    first.long_running = {"a"}
    cluster.sample()
    after = cluster.newest()
    assert [after[f"{name}_max"] for name in ("executing", "assigned", "computing")] == [2, 2, 1]


def test_memory_is_that_of_dask() -> None:
    made, draw = worker("tcp://a:1"), random.Random(1)
    for _ in range(1_000):
        made.nbytes = draw.choice((0, draw.randrange(2**33)))
        made._memory_unmanaged_old = draw.choice((0, draw.randrange(2**33)))
        spilled = {"memory": draw.choice((0, draw.randrange(2**33))), "disk": draw.randrange(2**30)}
        made.metrics = {"memory": draw.randrange(2**33), "spilled_bytes": spilled}
        found, dask = measured(made), made.memory
        assert [found[name] for name in ("process", "managed", "spilled")] == [dask.process, dask.managed, dask.spilled]
        assert read_memory(made, report_of(made)) == (
            *(dask.process, dask.managed, dask.unmanaged_old, dask.unmanaged_recent),
            dask.spilled,
        )
    made.metrics = {}
    found = measured(made)
    assert [found[name] for name in ("process", "managed", "spilled")] == [0, 0, 0]
    assert read_memory(made, report_of(made)) == (0, 0, 0, 0, 0)


def test_a_worker_that_comes_back_at_its_address_is_another_one() -> None:
    cluster = Cluster(3)
    [address, *_] = cluster.scheduler.workers
    cluster.sample()
    # Between two samples, so that the number of workers stays.
    order = [*cluster.scheduler.workers]
    back = cluster.join(address)
    assert [*cluster.scheduler.workers] == order
    beat(back, 77.0)
    cluster.sample()
    assert cluster.newest()["cpu_max"] == 77.0
    assert (cluster.course(0)["cpu"], cluster.course(3)["cpu"], cluster.course(1)["cpu"]) == (
        [50.0],
        [77.0],
        [50.0] * 2,
    )
    # All leave, as while a cluster restarts, and come back.
    cluster.scheduler.workers.clear()
    cluster.sample()
    newest = cluster.newest()
    assert (newest["workers"], newest["cpu_sum"], isnan(newest["gil_max"])) == (0, 0, True)
    again = cluster.join(address)
    cluster.sample()
    beat(again, 12.0)
    cluster.sample()
    assert cluster.newest()["workers"] == 1
    assert cluster.course(4) == {
        **{name: [0.0, 0.0] for name in ("spilled", "executing")},
        **{"time": [4.0, 5.0], "cpu": [50.0, 12.0], "process": [1e9, 1e9]},
        **{name: pytest.approx([float("nan")] * 2, nan_ok=True) for name in WORKER_MEASURES if "_" in name},
    }


def test_a_worker_is_among_the_others_before_it_is_announced_and_has_its_values_after_that() -> None:
    cluster = Cluster(1)
    made = cluster.scheduler.workers["tcp://b:1"] = worker("tcp://b:1")
    cluster.sample()
    assert cluster.newest()["workers"] == 2
    cluster.names.add_worker({"address": "tcp://b:1", "name": "b"})
    beat(made, 20.0)
    cluster.sample()
    assert cluster.course(1)["cpu"] == [20.0]


def test_clocks_follow_the_heartbeats_and_forget_workers_that_left() -> None:
    cluster = Cluster(2)
    first, second = cluster.scheduler.workers.values()
    for at, delay in enumerate((5.0, 4.0, 6.0)):
        beat(first, 50.0)
        first.time_delay = delay
        cluster.sample()
        assert cluster.names.clock_delay(first.address) == min(5.0, delay) if at < 2 else 4.0
    assert cluster.names.clock_delay(second.address) == 0.0
    del cluster.scheduler.workers[first.address]
    cluster.sample()
    assert cluster.clocks._bounds == {}


def test_two_samplings_at_a_time_each_add_a_whole_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SAMPLED", 1)
    cluster = Cluster(4)
    one = cluster.sampling.sample(cluster.scheduler, 1.0, False)
    for _ in range(4):
        next(one)
    cluster.join("tcp://late:1")
    beat(cluster.scheduler.workers["tcp://10.0.0.0:0"], 90.0)
    # The one at the end of a recording, while the other one is under way.
    other = cluster.sampling.sample(cluster.scheduler, 2.0, False)
    for _ in range(5):
        next(other)
    for left in (one, other):
        for _ in left:
            pass
    found = {name: values(column) for name, column in cluster.series.read(0)[0]["c"].items()}
    assert found["workers"] == [4, 5]
    assert cluster.course(4)["cpu"] == [50.0]
    assert cluster.course(0)["time"] == [1.0, 2.0]

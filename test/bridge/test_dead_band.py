"""How soon an idle cluster sends what its workers' heartbeats bring, and how much may change before it does.

Nothing here depends on how fast a machine is: heartbeats and ticks are those of real parts, but at moments of a clock
that the test sets, and what is compared are the times in the data.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import distributed.scheduler
import pytest
from dask.sizeof import sizeof
from distributed import Client, Scheduler, Worker
from distributed.metrics import time

from dask_panes.scheduler.collector import bands
from dask_panes.scheduler.collector.idleness import IDLE_AFTER
from dask_panes.scheduler.collector.plugin import Collector
from dask_panes.scheduler.collector.topic import TICK
from reader import rows

#: Seconds between a heartbeat and the answer with what it brought.
SOON = 2.0
#: The first figures of the worker: bytes, and points of CPU.
BASE = {"cpu": 10.0, "memory": 2**30, "spilled": 0}
#: Their columns in the topics `workers` and `series`.
COLUMNS = {"cpu": "cpu", "memory": "process", "spilled": "spilled"}


class Clock:
    """What the scheduler, its collector and nobody else take for the time."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now = float(time())
        ours = [module for name, module in sys.modules.items() if name.startswith("dask_panes.scheduler.collector.")]
        for module in (distributed.scheduler, *ours):
            if getattr(module, "time", None) is time:
                patch.setattr(module, "time", lambda: self.now)


class Idle:
    """An idle scheduler with a worker, a collector and a reader that always asks."""

    def __init__(self, clock: Clock, worker: Worker, collector: Collector, metrics: dict[str, Any]) -> None:
        self._clock, self._worker, self._collector, self._metrics = clock, worker, collector, metrics
        self.address = worker.scheduler.address
        self._where: dict[str, Any] = {}
        #: What has been sent since the last heartbeat or `listen`: when it was answered, and the row or the point.
        self.workers: list[tuple[float, dict[str, float]]] = []
        self.points: list[tuple[float, dict[str, float]]] = []

    async def beat(self, **figures: float) -> float:
        """Let the worker send a heartbeat with changed figures; returns when the scheduler saw it."""
        for name, value in figures.items():
            if name == "spilled":
                self._metrics["spilled_bytes"] = {"memory": 0, "disk": value}
            else:
                self._metrics[name] = value
        await self._worker.heartbeat()
        return self.listen()

    def listen(self) -> float:
        """Forget what has been sent so far; returns the time."""
        self.workers, self.points = [], []
        return self._clock.now

    async def tick(self, seconds: float = TICK) -> None:
        """Let the collector look, and the reader ask."""
        self._clock.now += seconds
        self._collector._tick()
        await self._collector.upkeep._duties.finished()
        answer = await self._collector.read("reader", topics=["workers", "series"], **self._where)
        self._where = {name: answer[name] for name in ("feed", "epoch", "cursor")}
        topics = answer["topics"]
        self.workers += [(answer["time"], row) for row in rows(topics.get("workers", {"c": {}})["c"])]
        # The newest earlier point comes once more.
        received = rows(topics["series"]["c"])[1:] if "series" in topics else []
        self.points += [(answer["time"], point) for point in received]

    async def rest(self, seconds: float) -> None:
        """Let time pass."""
        for _ in range(round(seconds / TICK)):
            await self.tick()


@asynccontextmanager
async def idle(patch: pytest.MonkeyPatch, limit: float) -> AsyncIterator[Idle]:
    clock = Clock(patch)
    async with (
        Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler,
        Worker(scheduler.address, nthreads=1, memory_limit=limit, dashboard=False) as worker,
    ):
        for callback in worker.periodic_callbacks.values():
            callback.stop()
        metrics = await worker.get_metrics()

        async def fixed_metrics() -> dict[str, Any]:
            return dict(metrics)

        patch.setattr(worker, "get_metrics", fixed_metrics)
        collector = Collector()
        # Ticks are those of the test, and this process does more than a scheduler does.
        patch.setattr(collector, "_wait_for_tick", lambda: None)
        module: Any = sys.modules[type(collector.upkeep.sampling).__module__]
        patch.setattr(module, "sample_own", lambda _: module.NO_OWN[: -len(module.NO_SPENT)])
        patch.setattr(collector.upkeep.sampling._spending, "sample", lambda *_: module.NO_SPENT)
        await collector.start(scheduler)
        scheduler.add_plugin(collector, name=collector.name)
        made = Idle(clock, worker, collector, metrics)
        await made.beat(**BASE)
        await made.rest(IDLE_AFTER + 2)
        # Dask knows how much of it has long been unmanaged.
        for _ in range(round(scheduler.MEMORY_RECENT_TO_OLD_TIME) // 5 + 1):
            await made.beat()
            await made.rest(5)
        assert collector.idle
        # From this one on, changes are measured.
        await made.beat()
        await made.rest(2)
        yield made
        assert collector.idle
        await collector.close()


#: Bands of workers with a memory limit: 5 points; 8 MiB or, where that is more, 0.5 % of the limit.
BANDS = [
    ("cpu", 2**30, 5.0),
    ("memory", 2**30, 8 * 2**20),
    ("memory", 2**34, 85_899_345),
    ("spilled", 2**30, 8 * 2**20),
    ("spilled", 2**34, 85_899_345),
]


@pytest.mark.parametrize(("name", "limit", "band"), BANDS)
async def test_what_a_heartbeat_brings_is_sent_two_seconds_later(
    name: str, limit: float, band: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    column = COLUMNS[name]
    async with idle(monkeypatch, limit) as cluster:
        value = BASE[name]
        # Workers are looked at four times a second, and sampled once: heartbeats at different moments between.
        for part in range(1, 9):
            await cluster.tick(TICK * part / 9)
            # As far as it may go.
            await cluster.beat(**{name: value + band})
            await cluster.rest(3)
            assert (cluster.workers, cluster.points) == ([], [])
            await cluster.tick(TICK * part / 9)
            # Up and down.
            value += (band + 1) * (1 if part % 2 else -1)
            seen = await cluster.beat(**{name: value})
            await cluster.rest(SOON)
            ((answered, row),) = cluster.workers
            assert (row["last_seen"], row[column]) == (seen, value)
            assert seen < answered <= seen + SOON
            ((answered, point),) = cluster.points
            assert point[f"{column}_sum"] == pytest.approx(value, rel=1e-6)
            assert seen < point["time"] <= answered <= seen + SOON


async def test_bytes_of_results_are_sent_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    async with idle(monkeypatch, 2**34) as cluster, Client(cluster.address, asynchronous=True) as client:
        kept, size = [], 0.0
        for part in range(1, 9):
            await cluster.tick(TICK * part / 9)
            await cluster.beat()
            await cluster.tick(TICK * part / 9)
            changed = cluster.listen()
            # Far less than a dead-band, and before the next heartbeat.
            kept.append(await client.scatter(bytes(part)))
            size += sizeof(bytes(part))
            await cluster.rest(SOON)
            ((answered, row),) = cluster.workers
            assert (row["in_memory"], row["managed"]) == (part, size)
            assert changed < answered <= changed + SOON
            ((answered, point),) = cluster.points
            assert point["managed_sum"] == size
            assert changed < point["time"] <= answered <= changed + SOON


async def test_heartbeats_without_news_cost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async with idle(monkeypatch, 2**30) as cluster:
        for _ in range(20):
            await cluster.beat()
            await cluster.rest(1)
            assert (cluster.workers, cluster.points) == ([], [])


async def test_a_worker_that_has_become_silent_is_reported_and_that_it_is_heard_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with idle(monkeypatch, 2**30) as cluster:
        await cluster.beat()
        # Four heartbeats, half a second apart, may be missed for four more seconds.
        await cluster.rest(5)
        assert cluster.points == []
        await cluster.rest(20)
        silences = [point["unheard_max"] for _, point in cluster.points]
        assert 3 <= len(silences) <= 6
        assert silences == sorted(silences)
        assert 6 < silences[0] < 8 and silences[-1] > 20
        await cluster.beat()
        await cluster.rest(3)
        assert [point["unheard_max"] < 2 for _, point in cluster.points] == [True]


def test_the_bands_are_those_that_the_documents_name() -> None:
    assert bands.CPU == 5
    assert [bands.memory_band(limit) for limit in (0, 2**30, 2**34)] == [2**23, 2**23, 0.005 * 2**34]


async def test_unmanaged_memory_that_has_become_old_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    async with idle(monkeypatch, 2**34) as cluster:
        await cluster.beat(memory=3 * 2**30)
        await cluster.rest(SOON)
        ((_, row),) = cluster.workers
        assert (row["unmanaged_old"], row["unmanaged_recent"]) == (2**30, 2 * 2**30)
        # Dask calls it old after half a minute, with a heartbeat that brings nothing else.
        for _ in range(40):
            seen = await cluster.beat()
            await cluster.rest(1)
            if cluster.workers:
                break
        ((answered, row),) = cluster.workers
        assert (row["unmanaged_old"], row["unmanaged_recent"]) == (3 * 2**30, 0)
        assert seen < answered <= seen + SOON


@pytest.mark.parametrize(
    ("name", "values", "column"),
    [
        ("num_fds", (10_000, 10_005, 10_011), "num_fds"),
        ("event_loop_interval", (0.02, 0.1, 1.0), "event_loop_interval"),
        ("transfer", ({"outgoing_bytes": 2**20}, {"outgoing_bytes": 2**22}, {"outgoing_bytes": 2**30}), "transfer_out"),
        ("rows_read", (1000, 1009, 2000), ""),
        ("phase", ("load", "load", "fit"), ""),
    ],
)
async def test_other_figures_of_a_heartbeat_are_sent(
    name: str, values: tuple[Any, Any, Any], column: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, near, far = values
    async with idle(monkeypatch, 2**34) as cluster:
        await cluster.beat(**{name: first})
        await cluster.rest(SOON)
        await cluster.beat(**{name: near})
        await cluster.rest(SOON)
        assert cluster.workers == []
        await cluster.beat(**{name: far})
        await cluster.rest(SOON)
        ((_, row),) = cluster.workers
        if column:
            assert row[column] == pytest.approx(far["outgoing_bytes"] if isinstance(far, dict) else far)

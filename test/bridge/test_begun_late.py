"""A collector that begins while the scheduler has tasks already: how they ended is counted as it was."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from distributed import Client, LocalCluster, Scheduler

import dask_panes
from blocks import RecordedBlock
from dask_panes.scheduler.collector.plugin import Collector
from dask_panes.scheduler.collector.prefix_rows import PLACES

COUNTS = ("waiting", "released", "memory", "erred", "forgotten", "forgotten_erred", "cancelled")


def fail(x: object = None) -> None:
    raise ValueError("x")


def use(*parts: object) -> None:
    return None


async def begin(scheduler: Scheduler) -> Collector:
    collector = Collector()
    await collector.start(scheduler)
    scheduler.add_plugin(collector)
    return collector


def counts(collector: Collector, name: str) -> dict[str, int]:
    collector.prefixes.stop()
    collector.prefixes.scan(collector.scheduler)
    row = collector.prefixes._rows.get(collector.names.prefix_ids[name], ())
    return {count: int(row[PLACES[count]]) for count in COUNTS if row and row[PLACES[count]]}


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(6000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not become so")


async def test_tasks_that_had_failed_before_have_failed_when_they_are_forgotten() -> None:
    async with (
        LocalCluster(n_workers=1, processes=False, dashboard_address=None, asynchronous=True) as cluster,
        Client(cluster, asynchronous=True) as client,
    ):
        failing = client.submit(fail)
        await failing.exception()
        collector = await begin(cluster.scheduler)
        assert counts(collector, "fail") == {"erred": 1}
        failing.release()
        await until(lambda: not cluster.scheduler.tasks)
        assert counts(collector, "fail") == {"forgotten_erred": 1}


async def test_tasks_that_were_given_up_before_are_not_done() -> None:
    async with (
        LocalCluster(n_workers=1, processes=False, dashboard_address=None, asynchronous=True) as cluster,
        Client(cluster, asynchronous=True) as client,
    ):
        # With a resource that no worker has, so that it never runs.
        never = client.submit(use, resources={"X": 1}, key="never-1")
        failed = client.submit(fail)
        both = client.submit(use, never, failed, key="both-1")
        await both.exception()
        never.release()
        await until(lambda: cluster.scheduler.tasks["never-1"].state == "released")
        collector = await begin(cluster.scheduler)
        assert counts(collector, "never") == {"cancelled": 1}
        both.release()
        await until(lambda: "never-1" not in cluster.scheduler.tasks)
        assert counts(collector, "never") == {"cancelled": 1}


async def test_the_time_of_tasks_that_were_forgotten_before_is_there_without_the_tasks() -> None:
    """What the plot of compute time says where there are earlier tasks (`src/plots/time/function-time.ts`)."""
    async with (
        LocalCluster(n_workers=1, processes=False, dashboard_address=None, asynchronous=True) as cluster,
        Client(cluster, asynchronous=True) as client,
    ):
        await client.gather(client.map(time.sleep, [0.1, 0.1, 0.1], pure=False))
        await until(lambda: not cluster.scheduler.tasks)
        collector = await begin(cluster.scheduler)
        held = client.submit(time.sleep, 0.1)
        await held
        assert counts(collector, "sleep") == {"memory": 1}
        row = collector.prefixes._rows[collector.names.prefix_ids["sleep"]]
        assert row[PLACES["compute"]] > 0.35
        assert collector.earlier == 3
        # A restart forgets the times as well.
        await client.restart(wait_for_workers=False)
        assert counts(collector, "sleep") == {}
        assert collector.earlier == 0


async def test_the_time_of_tasks_that_were_forgotten_before_is_not_in_a_recording(tmp_path: Path) -> None:
    """In a script, the collector begins with the block."""
    async with (
        LocalCluster(n_workers=1, processes=False, dashboard_address=None, asynchronous=True) as cluster,
        Client(cluster, asynchronous=True) as client,
    ):
        await client.gather(client.map(time.sleep, [0.1, 0.1, 0.1], pure=False))
        await until(lambda: not cluster.scheduler.tasks)
        async with dask_panes.record(tmp_path / "late.dask-run", client=client) as recorder:
            await client.submit(time.sleep, 0.05)
    block = RecordedBlock(recorder.path)
    row = block.state("prefixes")[block.names["prefixes"].index("sleep")]
    (ran,) = block.rows("tasks")
    assert 0.05 <= row["compute"] < 0.05 + 0.2
    assert abs(row["compute"] - ran["duration"]) < 0.01

"""Scaling by hand while Dask decides on the number of workers."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from distributed import Client, LocalCluster, Scheduler, SpecCluster, Worker
from distributed.deploy import Adaptive
from distributed.deploy.spec import ProcessInterface

from dask_panes.kernel.cell.scaling import scale, scaling


@pytest.fixture
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        yield cluster


def test_a_decision_that_is_being_made_does_not_undo_what_a_user_asks_for(cluster: LocalCluster) -> None:
    deciding, go = threading.Event(), threading.Event()

    class Slow(Adaptive):  # type: ignore[misc]
        async def safe_target(self) -> int:
            deciding.set()
            while not go.is_set():
                await asyncio.sleep(0.01)
            return 3

    adaptive = cluster.adapt(Adaptive=Slow, minimum=3, maximum=4, interval="20 ms")
    assert deciding.wait(60)
    threading.Timer(0.3, go.set).start()
    scale(cluster, 2)
    end = time.monotonic() + 60
    while adaptive._adapting:
        assert time.monotonic() < end
        time.sleep(0.01)
    assert len(cluster.plan) == 2


def test_a_decision_that_does_not_end_is_not_waited_for(cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dask_panes.kernel.cell.scaling.DECISION_SECONDS", 0.1)
    cluster.adapt(minimum=1, maximum=4)._adapting = True
    scale(cluster, 2)
    assert len(cluster.plan) == 2


@pytest.mark.parametrize("by_hand", [True, False])
def test_what_a_worker_holds_that_ends_is_lost_by_hand_and_moved_by_adaptive_scaling(
    cluster: LocalCluster, by_hand: bool
) -> None:
    """The dialog of the page says so (`src/panes/forms/scale-dialog.ts`): where this fails, its words are not true."""
    cluster.scale(2)
    with Client(cluster, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
        workers = [*client.scheduler_info()["workers"]]
        held = [client.scatter(i, workers=[worker], hash=False) for i, worker in enumerate(workers)]
        if by_hand:
            scale(cluster, 1)
        else:
            cluster.adapt(minimum=1, maximum=1, interval="20 ms")
        end = time.monotonic() + 60
        while len(cluster.scheduler.workers) > 1:
            assert time.monotonic() < end
            time.sleep(0.01)
        there = [future.key in cluster.scheduler.tasks for future in held]
        assert there.count(True) == (1 if by_hand else 2)


class Job(ProcessInterface):  # type: ignore[misc]
    """A job of a batch system with two workers; all but the first wait in the queue."""

    GO: asyncio.Event

    def __init__(self, scheduler: str, name: Any, **_: Any) -> None:
        super().__init__(scheduler=scheduler, name=name)
        self.number = name
        self.workers = [Worker(scheduler, name=f"{name}-{i}", nthreads=1, dashboard=False) for i in range(2)]

    async def start(self) -> None:
        if self.number != 0:
            await self.GO.wait()
        await asyncio.gather(*self.workers)
        await super().start()

    async def close(self) -> None:
        await asyncio.gather(*[worker.close() for worker in self.workers])
        await super().close()


async def test_of_jobs_with_several_workers_dask_may_end_those_that_run_before_those_that_wait() -> None:
    """The dialog of the page asks for that reason: where this fails, its words are not true."""
    Job.GO = asyncio.Event()
    scheduler = {"cls": Scheduler, "options": {"dashboard_address": "127.0.0.1:0", "host": "127.0.0.1"}}
    worker = {"cls": Job, "options": {}, "group": ["-0", "-1"]}
    async with SpecCluster(scheduler=scheduler, worker=worker, asynchronous=True) as cluster:
        cluster.scale(1)
        while len(cluster.scheduler_info["workers"]) < 2:
            await asyncio.sleep(0.01)
        cluster.scale(2)
        found = scaling(cluster)
        assert (found["workers"], found["asked"], found["grouped"]) == (2, 4, True)
        cluster.scale(1)
        # That of the job which runs is gone.
        assert list(cluster.worker_spec) == [1]
        Job.GO.set()


def test_workers_of_a_local_cluster_are_no_jobs_of_several(cluster: LocalCluster) -> None:
    assert scaling(cluster)["grouped"] is False

"""Scaling by hand while Dask decides on the number of workers."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator

import pytest
from distributed import Client, LocalCluster
from distributed.deploy import Adaptive

from dask_panes.kernel.cell.scaling import scale


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

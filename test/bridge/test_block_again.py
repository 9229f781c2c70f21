"""What a recording says of work in its block that Dask counts with earlier work: repeated, or beside it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, LocalCluster, wait

import dask_panes
from blocks import RecordedBlock
from dask_panes.scheduler import ship
from jupyter import RealKernel


def counts(block: RecordedBlock, function: str) -> dict[str, float]:
    """The counts of a function that are not zero."""
    row = block.state("prefixes")[block.names["prefixes"].index(function)]
    names = ("memory", "released", "forgotten", "erred", "forgotten_erred")
    return {name: row[name] for name in names if row[name]}


def compute(block: RecordedBlock, function: str) -> float:
    """Seconds of computing of a function."""
    return float(block.state("prefixes")[block.names["prefixes"].index(function)]["compute"])


def totals(block: RecordedBlock) -> list[float]:
    """Tasks of the only computation: all, left, dropped, done, erred, failed."""
    (computation,) = block.state("computations").values()
    return [computation[name] for name in ("tasks", "left", "dropped", "done", "erred", "failed")]


def flaky_for(seconds: float = 0.0) -> Callable[[int, str], int]:
    """A function that fails until a file is there, which workers get whole: they cannot import this module."""

    def flaky(x: int, path: str) -> int:
        if not os.path.exists(path):
            raise ValueError("not yet")
        time.sleep(seconds)
        return x

    return flaky


@pytest.fixture
def client() -> Iterator[Client]:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster,
        Client(cluster) as client,
    ):
        # As in a kernel, tasks are followed from the first on.
        client.sync(ship.register, client)
        yield client


def test_tasks_that_failed_before_and_are_tried_again_in_the_block_are_of_it(client: Client, tmp_path: Path) -> None:
    flaky = flaky_for(0.1)
    failed = client.map(flaky, range(3), path=str(tmp_path / "flag"))
    wait(failed)
    (tmp_path / "flag").touch()
    with dask_panes.record(tmp_path / "again.dask-run", client=client) as recorder:
        for future in failed:
            future.retry()
        wait(failed)
    block = RecordedBlock(recorder.path)
    assert counts(block, "flaky") == {"memory": 3}
    assert compute(block, "flaky") >= 0.3
    (computation,) = block.state("computations").values()
    assert (computation["tasks"], computation["done"], computation["erred"]) == (3, 3, 0)


def test_results_that_are_lost_and_computed_again_in_the_block_are_of_it(client: Client, tmp_path: Path) -> None:
    def kept(x: int) -> int:
        time.sleep(0.1)
        return x

    results = client.map(kept, range(6))
    wait(results)
    address, keys = max(client.has_what().items(), key=lambda item: len(item[1]))
    with dask_panes.record(tmp_path / "lost.dask-run", client=client) as recorder:
        client.restart_workers([address])
        wait(results)
    block = RecordedBlock(recorder.path)
    assert compute(block, "kept") >= 0.1 * len(keys)
    # Whether a read saw that they were gone is chance.
    assert counts(block, "kept").get("memory", 0) <= len(keys)
    (computation,) = block.state("computations").values()
    assert computation["renewed"] == len(keys)


def test_results_of_a_cell_that_is_run_again_are_the_ones_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "again.dask-run"
    with RealKernel(activated=True) as kernel:
        kernel.run(
            "import dask_panes\nfrom distributed import Client, wait\n"
            "client = Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None)\n"
            "def f(x):\n    return x"
        )
        cell = "results = client.map(f, range(20), pure=False); wait(results)"
        kernel.run(cell)
        kernel.run(f"with dask_panes.record({str(path)!r}):\n    {cell}")
    assert counts(RecordedBlock(path), "f") == {"memory": 20}


def test_a_worker_that_did_not_answer_a_moment_ago_is_read(client: Client, tmp_path: Path) -> None:
    def rest(dask_scheduler: Any) -> int:
        from time import monotonic

        collector = dask_scheduler.plugins["dask-panes-1"]
        made = __import__(type(collector.reach).__module__, fromlist=["Rest"]).Rest
        workers = [collector.names.worker_id(address) for address in dask_scheduler.workers]
        collector.reach._resting = {worker: made(monotonic() + 600, 600.0, "no answer") for worker in workers}
        return len(workers)

    assert client.run_on_scheduler(rest) == 2
    with dask_panes.record(tmp_path / "rested.dask-run", client=client) as recorder:
        for _ in range(3):
            client.gather(client.map(time.sleep, [0.2] * 4, pure=False))
    assert recorder.missing == []
    assert sum(row["samples"] for row in RecordedBlock(recorder.path).rows("profile")) > 0


def test_what_fails_and_is_tried_again_in_the_block_is_no_error_at_its_end(client: Client, tmp_path: Path) -> None:
    flaky = flaky_for()
    with dask_panes.record(tmp_path / "tried.dask-run", client=client) as recorder:
        failed = client.map(flaky, range(3), path=str(tmp_path / "flag"))
        after = client.map(lambda x: x + 1, failed, key="after")
        wait(after)
        (tmp_path / "flag").touch()
        for future in after:
            future.retry()
        wait(after)
    block = RecordedBlock(recorder.path)
    assert totals(block) == [6, 0, 0, 6, 3, 0]
    assert {name: row["failed"] for name, row in shares(block).items()} == {"flaky": 0, "after": 0}


def test_what_failed_before_and_fails_again_in_the_block_is_of_it(client: Client, tmp_path: Path) -> None:
    failed = client.map(flaky_for(), range(3), path=str(tmp_path / "flag"))
    after = client.map(lambda x: x + 1, failed, key="after")
    wait(after)

    def erred(dask_scheduler: Any) -> int:
        return sum(ts.state == "erred" for ts in dask_scheduler.tasks.values())

    with dask_panes.record(tmp_path / "after.dask-run", client=client) as recorder:
        for future in after:
            future.retry()
        # A future may hear of its error before it hears that it is tried again, and would be waited for forever.
        while client.run_on_scheduler(erred) < 6:
            time.sleep(0.01)
    block = RecordedBlock(recorder.path)
    assert totals(block) == [6, 0, 3, 0, 3, 3]
    found = {name: (row["tasks"], row["left"], row["failed"]) for name, row in shares(block).items()}
    assert found == {"flaky": (3, 0, 3), "after": (3, 0, 3)}
    (row,) = block.state("errors").values()
    assert [row[name] for name in ("count", "now", "dependents", "again")] == [3, 6, 3, 0]


def test_what_failed_before_is_tried_again_in_the_block_with_what_needs_it(client: Client, tmp_path: Path) -> None:
    flaky = flaky_for()
    failed = client.map(flaky, range(3), path=str(tmp_path / "flag"))
    after = client.map(lambda x: x + 1, failed, key="after")
    wait(after)
    (tmp_path / "flag").touch()
    with dask_panes.record(tmp_path / "after.dask-run", client=client) as recorder:
        for future in after[:2]:
            future.retry()
        wait(after)
    block = RecordedBlock(recorder.path)
    assert totals(block) == [4, 0, 0, 4, 0, 0]
    found = {name: (row["tasks"], row["left"], row["failed"]) for name, row in shares(block).items()}
    assert found == {"flaky": (2, 0, 0), "after": (2, 0, 0)}


def shares(block: RecordedBlock) -> dict[str, dict[str, float]]:
    """The newest totals of each function in the computations of a block."""
    found = {}
    for body in block.bodies("computations"):
        table = body.get("m") or {}
        for values in zip(*table.values()):
            row = dict(zip(table, values))
            found[block.names["prefixes"][row["prefix"]]] = row
    return found


def test_a_computation_in_progress_has_in_the_block_what_is_left_and_each_retried_task_once(
    client: Client, tmp_path: Path
) -> None:
    flaky = flaky_for()

    def held(path: str) -> None:
        while not os.path.exists(path):
            time.sleep(0.01)

    wait(client.map(abs, range(6)))
    running = client.submit(held, str(tmp_path / "flag-of-held"))
    with dask_panes.record(tmp_path / "left.dask-run", client=client) as recorder:
        failed = client.map(flaky, range(3), path=str(tmp_path / "flag"))
        wait(failed)
        (tmp_path / "flag").touch()
        for future in failed:
            future.retry()
        wait(failed)
        (tmp_path / "flag-of-held").touch()
        wait(running)
    block = RecordedBlock(recorder.path)
    # The graphs of the block may be a computation of their own.
    rows = block.state("computations").values()
    assert sum(row["tasks"] for row in rows) == 4
    assert {name: row["tasks"] for name, row in shares(block).items() if row["tasks"]} == {"flaky": 3, "held": 1}
    assert [row["failed"] for row in rows] == [0] * len(rows)

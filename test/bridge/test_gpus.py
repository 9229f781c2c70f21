"""GPUs of workers: metrics of the shapes of Dask and dask-cuda on a real scheduler, beside workers without one."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan, nan
from typing import Any

import pytest
from distributed import Client, LocalCluster, Worker

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector import gpus
from dask_panes.scheduler.collector.gpus import COLUMNS, read_gpu, same_gpu
from reader import Reader
from test_collector_parts import Thing

GiB = 2**30
TITLE = "NVIDIA H100 <b>80GB</b> \udcff"


def constant(value: Any) -> Any:
    return lambda worker: value


#: As Dask's system monitor reports it where NVML is there.
MONITOR = {"gpu_utilization": 41, "gpu_memory_used": 3 * GiB, "gpu-memory-total": 80 * GiB}
#: As dask-cuda does, with RMM and cuDF.
CUDA = {
    "gpu": {"utilization": 97, "memory-used": 30 * GiB},
    "rmm": {"rmm-used": 20 * GiB, "rmm-total": 24 * GiB},
    "cudf": {"cudf-spilled": 2 * GiB},
}
HOSTILE = {
    "gpu_utilization": -1,
    "gpu_memory_used": nan,
    "gpu-memory-total": 2**63,
    "gpu": {"utilization": "<b>", "memory-used": [1]},
    "rmm": {"rmm-used": None, "rmm-total": True},
    "cudf": "all of it",
}


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """Workers in one process: with each shape of metrics, and without."""
    reports: dict[str, tuple[dict[str, Any], Any]] = {
        "plain": ({"gpu": 7, "mine": 1}, None),
        "monitor": (MONITOR, None),
        "cuda": (CUDA, {"memory-total": 40 * GiB, "name": TITLE}),
        "hostile": (HOSTILE, {"memory-total": "much", "name": 3}),
    }
    with LocalCluster(n_workers=0, processes=False, dashboard_address=None) as cluster:

        async def join() -> list[Worker]:
            return [
                await Worker(
                    cluster.scheduler_address,
                    name=name,
                    nthreads=1,
                    dashboard_address=":0",
                    metrics={key: constant(value) for key, value in metrics.items()},
                    startup_information={} if startup is None else {"gpu": constant(startup)},
                )
                for name, (metrics, startup) in reports.items()
            ]

        async def leave() -> None:
            for worker in workers:
                await worker.close()

        workers = cluster.sync(join)
        yield cluster
        cluster.sync(leave)


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as client:
        client.sync(ship.register, client)
        yield client


def rows_by_name(reader: Reader) -> dict[str, dict[str, float]]:
    return {reader.names["workers"][found]["name"]: row for found, row in reader.rows["workers"].items()}


def test_each_shape_is_read(client: Client) -> None:
    reader = Reader(client)
    reader.until(lambda: len(rows_by_name(reader)) == 4 and "rmm_used" in rows_by_name(reader)["cuda"], ["workers"])
    found = rows_by_name(reader)
    values = {name: [row.get(column, nan) for column in COLUMNS] for name, row in found.items()}
    unknown = [nan] * len(COLUMNS)
    assert values["plain"] == pytest.approx(unknown, nan_ok=True)
    assert values["monitor"] == pytest.approx([3 * GiB, 80 * GiB, 41, nan, nan, nan], nan_ok=True)
    assert values["cuda"] == pytest.approx([30 * GiB, 40 * GiB, 97, 20 * GiB, 24 * GiB, 2 * GiB], nan_ok=True)
    assert values["hostile"] == pytest.approx([nan, 2**63, nan, nan, nan, nan], nan_ok=True)
    names = {entry["name"]: entry.get("gpu") for entry in reader.names["workers"]}
    assert names == {"plain": None, "monitor": None, "cuda": TITLE.replace("\udcff", "\\udcff"), "hostile": "3"}
    # A number that is called "gpu" is the user's own metric.
    user = {i: own for answer in reader.answers for i, own in answer["topics"].get("workers", {}).get("s", {})["user"]}
    own = {reader.names["workers"][found]["name"]: metrics for found, metrics in user.items()}
    assert own["plain"] == {"gpu": 7, "mine": 1}


def test_the_figures_are_those_of_the_dashboard(client: Client) -> None:
    """The data sources of Dask's own plots on the same scheduler, of the workers that they can show."""

    def theirs(dask_scheduler: Any) -> tuple[dict[str, list[Any]], list[float]]:
        from distributed.dashboard.components.nvml import GPUCurrentLoad

        load = GPUCurrentLoad(dask_scheduler)
        states = dask_scheduler.workers
        # Theirs fails on metrics that are no numbers: they are out of its sight for the moment.
        dask_scheduler.workers = {a: ws for a, ws in states.items() if ws.name in ("plain", "monitor")}
        try:
            load.update()
        finally:
            dask_scheduler.workers = states
        cuda = next(ws for ws in states.values() if ws.name == "cuda")
        rmm, gpu, total = cuda.metrics["rmm"], cuda.metrics["gpu"], cuda.extra["gpu"]
        shown = [rmm["rmm-used"], rmm["rmm-total"], gpu["memory-used"], total["memory-total"]]
        return {name: list(values) for name, values in load.source.data.items()}, shown

    source, shown = client.run_on_scheduler(theirs)
    reader = Reader(client)
    reader.until(lambda: len(rows_by_name(reader)) == 4 and "rmm_used" in rows_by_name(reader)["cuda"], ["workers"])
    found = rows_by_name(reader)
    assert (source["memory"], source["utilization"]) == ([found["monitor"]["gpu_memory"]], [41])
    cuda = found["cuda"]
    assert shown == [cuda["rmm_used"], cuda["rmm_pool"], cuda["gpu_memory"], cuda["gpu_limit"]]


def state(metrics: dict[str, Any], extra: Any = None) -> Any:
    return Thing(metrics=metrics, extra=extra)


def test_workers_without_a_gpu_cost_no_columns() -> None:
    assert read_gpu(state({"cpu": 1.0, "memory": 3})) == {}
    assert read_gpu(state({"rmm": {"rmm-used": None, "rmm-total": None}}, {"gpu": None})) == {}
    assert read_gpu(state({"gpu": 7})) == {}
    assert set(read_gpu(state({"gpu_utilization": 0}))) == set(COLUMNS)


def test_what_a_row_may_be_is_bounded() -> None:
    row = read_gpu(state({"gpu_memory_used": 10**400, "gpu-memory-total": 1e25, "gpu_utilization": 5}))
    assert isnan(row["gpu_memory"]) and isnan(row["gpu_limit"])
    assert len(gpus.gpu_name(state({}, {"gpu": {"name": "x" * 9999}}))) == 200
    assert gpus.gpu_name(state({}, {"gpu": ["x"]})) == ""


def test_an_idle_gpu_is_not_sent_again() -> None:
    def row(**change: float) -> dict[str, float]:
        return {**read_gpu(state(dict(MONITOR))), **change}

    assert same_gpu(row(), row()) and same_gpu({}, {})
    assert same_gpu(row(gpu_memory=3 * GiB + 2**20, gpu_utilization=43), row())
    assert not same_gpu(row(gpu_memory=8 * GiB), row())
    assert not same_gpu(row(gpu_utilization=90), row())
    assert not same_gpu(row(rmm_used=0.0), row())
    assert not same_gpu(row(), {})
    assert same_gpu(row(gpu_limit=nan), row(gpu_limit=nan))


def test_of_two_reports_of_a_value_the_first_that_is_known_counts() -> None:
    def memory(**metrics: Any) -> float:
        return read_gpu(state({"gpu_utilization": 1, **metrics}))["gpu_memory"]

    assert memory(gpu_memory_used=1.0, gpu={"memory-used": 2.0}) == 1.0
    assert memory(gpu_memory_used=0, gpu={"memory-used": 2.0}) == 0
    for unknown in (None, nan, -1.0, "much", True, 10**400):
        assert memory(gpu_memory_used=unknown, gpu={"memory-used": 2.0}) == 2.0
        assert isnan(memory(gpu_memory_used=unknown, gpu={"memory-used": unknown}))

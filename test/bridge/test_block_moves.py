"""A recording has what Dask moved in its block, steals and shuffles, and nothing of what it moved before or after."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import dask
import dask.array as da
import pytest
from distributed import Client, Event, LocalCluster, wait

import dask_panes
from blocks import RecordedBlock, until_idle
from reader import Reader, rows


@pytest.fixture
def client() -> Iterator[Client]:
    with (
        dask.config.set({"array.chunk-size": "80kB"}),
        LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


def move(client: Client, reader: Reader, name: str) -> None:
    """Let one worker steal of the other, and shuffle an array, until the collector knows both."""
    shuffles = ids(reader, "shuffles", "id")
    gate = Event(f"gate {name}")

    def work(x: int) -> int:
        gate.wait()
        return x

    first = next(iter(client.nthreads()))
    keys = [f"{name}-{i}" for i in range(12)]
    futures = client.map(work, range(12), key=keys, workers=[first], allow_other_workers=True)
    reader.until(lambda: any(name in reader.names["prefixes"][prefix] for prefix in ids(reader, "steals", "prefix")))
    gate.set()
    wait(futures)
    ones = da.ones((400, 400), chunks=(40, 400), name=f"{name}-ones").rechunk((400, 40), method="p2p")
    assert ones.sum().compute() == 400 * 400
    reader.until(lambda: ids(reader, "shuffles", "id") > shuffles)
    del futures
    until_idle(client)


def ids(reader: Reader, topic: str, column: str) -> set[int]:
    bodies = [answer["topics"][topic] for answer in reader.answers if topic in answer["topics"]]
    return {int(row[column]) for body in bodies for row in rows(body["c"])}


def test_steals_and_shuffles_are_of_the_block(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "moves.dask-run"
    with dask_panes.record(tmp_path / "around.dask-run", client):
        reader = Reader(client)
        move(client, reader, "alpha")
        begin = time.time()
        with dask_panes.record(path, client):
            move(client, reader, "beta")
        end = time.time()
        move(client, reader, "gamma")
    inner, around = RecordedBlock(path), RecordedBlock(tmp_path / "around.dask-run")
    steals = [*inner.rows("steals")]
    assert inner.prefixes(row["prefix"] for row in steals) == {"beta"}
    assert all(begin - 0.05 <= row["time"] <= end for row in steals)
    assert {"alpha", "beta", "gamma"} <= around.prefixes(row["prefix"] for row in around.rows("steals"))
    ((number, shuffle),) = inner.state("shuffles").items()
    assert begin - 0.3 <= shuffle["start"] <= shuffle["stop"] <= end
    assert [text["id"] for text in inner.scalars("shuffles", "texts")][-1:] == [number]
    assert len(around.state("shuffles")) == 3

"""Shuffles of dataframes: their numbers are those that Dask and the data have.

They need PyArrow, which the environment of development does not have: run this file with the Python of another one that
has it as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import dask
import numpy as np
import pandas as pd
import pytest
from distributed import Client, Event, LocalCluster, wait

from dask_panes.scheduler import ship
from reader import Reader, beat
from test_shuffles import ShufflesReader

pytest.importorskip("pyarrow", reason="PyArrow is not installed, without which Dask has no P2P shuffles of dataframes")
dd = pytest.importorskip("dask.dataframe")

ROWS, PARTITIONS, NUMBER_BYTES = 20_000, 10, 8


@pytest.fixture
def client() -> Iterator[Client]:
    with (
        dask.config.set({"dataframe.shuffle.method": "p2p"}),
        LocalCluster(n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        yield client


def frame(partitions: int, name: str) -> Any:
    rows = np.arange(ROWS)
    return dd.from_pandas(pd.DataFrame({"k": rows[::-1] % 997, name: rows * 1.0}), npartitions=partitions)


def hold_first(part: Any, gate: str) -> Any:
    if part.x.min() == 0:
        Event(gate).wait()
    return part


def test_a_shuffle_of_a_dataframe_has_its_tasks_and_bytes(client: Client) -> None:
    reader = Reader(client)
    shuffles = ShufflesReader(reader)
    given = frame(PARTITIONS, "x")
    held = given.map_partitions(hold_first, "gate", meta=given._meta, enforce_metadata=False)
    kept = client.persist(held.shuffle("k", npartitions=7))
    # Two columns and the index of all partitions but one; Arrow writes some more around them.
    least = ROWS * 3 * NUMBER_BYTES * (PARTITIONS - 1) / PARTITIONS

    def all_but_one() -> bool:
        beat(client)
        sent = [each["sent"] + each["to_send"] for each in shuffles.list() if each["inputs_done"] == PARTITIONS - 1]
        return bool(sent) and sent[0] >= least

    reader.until(all_but_one)
    (found,) = shuffles.list()
    assert (found["kind"], found["on_disk"], found["workers"]) == ("DataFrameShuffleSpec", True, 2)
    assert (found["in"], found["inputs"], found["outputs"], found["outputs_done"]) == ("sending", PARTITIONS, 7, 0)
    for moved, waits in (("sent", "to_send"), ("stored", "to_store")):
        assert found[moved] + found[waits] < 2 * least
    Event("gate").set()
    wait(kept)
    reader.until(lambda: shuffles.states() == ["done"])
    (found,) = shuffles.list()
    assert (found["inputs_done"], found["outputs_done"]) == (PARTITIONS, 7)


def test_a_merge_is_two_shuffles_with_the_same_outputs(client: Client) -> None:
    reader = Reader(client)
    shuffles = ShufflesReader(reader)
    reader.until(lambda: bool(reader.rows["workers"]))
    merged = dd.merge(frame(10, "x"), frame(6, "y"), on="k", how="left", shuffle_method="p2p")
    counts = pd.Series(np.arange(ROWS) % 997).value_counts()
    assert client.compute(merged.x.count()).result() == int((counts**2).sum())
    reader.until(lambda: shuffles.states() == ["done", "done"])
    pairs = [(each["inputs"], each["inputs_done"], each["outputs"], each["outputs_done"]) for each in shuffles.list()]
    assert sorted(pairs) == [(6, 6, 10, 10), (10, 10, 10, 10)]

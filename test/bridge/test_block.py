"""A recording is of its block: nothing from before it, and nothing missing at its end."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

import dask_panes
from blocks import Told, work
from dask_panes.feed.schema import SCHEMA

#: How each topic shows whose work it tells of: by name, by the times of its rows, or not at all (the cluster's state).
ABOUT = {
    "meta": "state",
    "tasks": "name",
    "workers": "state",
    "running": "state",
    "prefixes": "name",
    "graph": "name",
    "states": "name",
    "groups": "name",
    "held": "name",
    "series": "time",
    "cache": "local",
    "events": "name",
    "bandwidth": "name",
    "activities": "name",
    "memory_samples": "time",
    "profile": "name",
    "loops": "loop",
    "transfers": "name",
    "logs": "name",
}


@pytest.fixture(scope="module")
def cluster():
    with LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=":0") as made:
        yield made


@pytest.fixture
def client(cluster):
    with Client(cluster) as made:
        yield made


def check(told: Told, begin: float, end: float, names: frozenset[str] = frozenset({"beta"})) -> None:
    """Every topic tells of these functions, and of nothing else."""
    assert told.complete
    assert told.why == ""
    assert told.missing == []
    about = {topic: told.about(topic) for topic, how in ABOUT.items() if how == "name"}
    assert about == dict.fromkeys(about, names)
    for topic, how in ABOUT.items():
        times = told.times(topic) if how in ("time", "loop") else [begin]
        # Event loops are not watched on Python 3.11.
        assert times or how == "loop", topic
        assert all(begin - 0.05 <= at <= end for at in times), (topic, begin, end, sorted(times))
        assert how == "local" or how == "loop" or any(told.bodies(topic)), topic


def test_every_topic_is_of_the_block(client, tmp_path: Path) -> None:
    assert ABOUT.keys() == SCHEMA["topics"].keys(), "a new topic needs a row in the table above"
    for path in (tmp_path / "first.dask-run", tmp_path / "second.dask-run"):
        work(client, "alpha")
        begin = time.time()
        with dask_panes.record(path, client):
            work(client, "beta")
        end = time.time()
        work(client, "gamma")
        check(Told(path), begin, end)

"""Task groups against what Dask says, where groups end badly, come again or come without a graph."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from distributed import Client, Event, LocalCluster, wait

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector.plugin import PLUGIN_NAME
from reader import Reader


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster:
        yield cluster


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as client:
        client.sync(ship.register, client)
        yield client
        Reader(client).ask("remove")


Groups = dict[str, dict[str, float]]


def read(client: Client, reader: Reader, true: Callable[[Groups], bool]) -> Groups:
    """Groups by prefix, as soon as something is so."""
    deadline = time.monotonic() + 180
    while True:
        reader.read(["groups", "prefixes"], timeout=0.5)
        names = reader.names["prefixes"]
        found = {names[int(row["prefix"])]: row for row in reader.rows["groups"].values()}
        if true(found):
            return found
        assert time.monotonic() < deadline, found


def test_cancelled_and_erred_tasks_are_not_finished(client: Client) -> None:
    def boom(x: int) -> None:
        raise ValueError(x)

    def block(x: int) -> int:
        return x

    def hold() -> int:
        Event("groups").wait()
        return 1

    gate = client.submit(hold)
    cancelled = [client.submit(block, gate, pure=False, key=f"block-{i}") for i in range(12)]
    broken = client.map(boom, range(6), pure=False)
    wait(broken)
    reader = Reader(client)
    read(client, reader, lambda groups: groups.get("block", {}).get("waiting") == 12)
    del cancelled, broken
    found = read(
        client,
        reader,
        lambda groups: groups["block"]["forgotten"] == 12 and groups.get("boom", {}).get("forgotten") == 6,
    )
    assert (found["block"]["cancelled"], found["block"]["forgotten_erred"]) == (12, 0)
    assert (found["boom"]["cancelled"], found["boom"]["forgotten_erred"]) == (0, 6)
    Event("groups").set()
    wait(gate)


def test_what_did_not_run_since_another_task_failed_is_not_finished(client: Client, tmp_path: Path) -> None:
    gate, failed = tmp_path / "gate", tmp_path / "failed"

    def part(i: int) -> int:
        # Three work, one fails, and those that have begun meanwhile wait.
        if gate.exists():
            return i
        (tmp_path / f"{i}").touch()
        if len([*tmp_path.iterdir()]) < 4:
            return i
        try:
            failed.touch(exist_ok=False)
        except FileExistsError:
            while not gate.exists():
                time.sleep(0.01)
            return i
        raise ValueError(i)

    def finished(row: dict[str, float]) -> float:
        ended = row["forgotten"] - row["forgotten_erred"] - row["cancelled"] if "prefix" in row else row["forgotten"]
        return row["released"] + row["memory"] + ended

    def rows() -> tuple[dict[str, float], dict[str, float]]:
        names = reader.names["prefixes"]
        (group,) = [row for row in reader.rows["groups"].values() if names[int(row["prefix"])] == "part"]
        (prefix,) = [row for found, row in reader.rows["prefixes"].items() if names[found] == "part"]
        return group, prefix

    graph: dict[Any, Any] = {("part", i): (part, i) for i in range(40)}
    total = client.get({**graph, "total-1": (sum, list(graph))}, "total-1", sync=False)
    reader = Reader(client)
    wait(total)
    # Its inputs stay as long as the client has its future.
    read(client, reader, lambda groups: groups.get("sum", groups.get("total", {})).get("erred") == 1)
    topics = ["groups", "prefixes", "tasks"]
    reader.until(lambda: any(row["status"] for row in reader.tasks) and rows()[1]["erred"] == 1, topics)
    ran = len(reader.tasks) - 1
    assert 0 < ran < 10
    for row in rows():
        assert (finished(row), row["cancelled"]) == (ran, 39 - ran)
    gate.touch()
    # As `Future.retry`, which fails where the client has no futures of the inputs.
    client.run_on_scheduler(lambda dask_scheduler: dask_scheduler.stimulus_retry(keys=["total-1"]))
    reader.until(lambda: all(finished(row) == 40 for row in rows()), topics)
    assert [row["cancelled"] for row in rows()] == [0, 0]


def test_scattered_data_is_there_at_once(client: Client) -> None:
    reader = Reader(client)
    first = client.scatter([b"a", b"b"], hash=False)
    read(client, reader, lambda groups: groups.get("bytes", {}).get("memory") == 2)
    second = client.scatter([b"c"], hash=False)
    read(client, reader, lambda groups: sum(row["memory"] for row in reader.rows["groups"].values()) >= 3)
    prefixes = dict(zip(reader.names["prefixes"], range(len(reader.names["prefixes"])), strict=True))
    deadline = time.monotonic() + 180
    while reader.rows["prefixes"].get(prefixes["bytes"], {}).get("memory") != 3:
        assert time.monotonic() < deadline
        reader.read(["groups", "prefixes"], timeout=0.5)
    del first, second


def test_a_group_that_comes_again_has_its_own_dependencies(client: Client) -> None:
    def ga() -> int:
        return 1

    def gb() -> int:
        return 2

    def f(x: int) -> int:
        return x

    reader = Reader(client)

    def needs() -> set[str]:
        names, prefixes, groups = reader.names["groups"], reader.names["prefixes"], reader.rows["groups"]
        sources = [source for source, target in reader.group_edges if names[target] == "f" and source in groups]
        return {prefixes[int(groups[source]["prefix"])] for source in sources}

    for source in (ga, gb):
        reader.group_edges = set()
        result = client.submit(f, client.submit(source, pure=False), key="f")
        wait(result)
        expected = {source.__name__}
        deadline = time.monotonic() + 180
        while needs() != expected:
            assert time.monotonic() < deadline, needs()
            reader.read(["groups", "prefixes"], timeout=0.5)
        del result
        read(client, reader, lambda groups: groups["f"]["forgotten"] == 1)


def test_it_is_known_when_results_were_last_read_and_when_they_were_freed(client: Client) -> None:
    def load(x: int) -> bytes:
        return bytes(1000) + bytes([x])

    def size(x: bytes) -> int:
        return len(x)

    reader = Reader(client)
    loaded = client.map(load, range(5), pure=False)
    wait(loaded)
    found = read(client, reader, lambda groups: groups.get("load", {}).get("memory") == 5)
    assert found["load"]["read"] == 0
    client.gather(client.map(size, loaded, pure=False))
    found = read(client, reader, lambda groups: groups["load"]["read"] > 0)
    assert found["load"]["read"] == found["size"]["stop"] >= found["load"]["stop"]
    assert found["load"]["freed"] == 0
    # Only gathered: no task has read them.
    client.gather(loaded)
    del loaded
    freed = read(client, reader, lambda groups: groups["load"]["freed"] > 0)["load"]
    assert freed["read"] == found["load"]["read"] <= freed["freed"]
    assert freed["freed_tasks"] == 5


def test_groups_that_have_ended_are_not_held_without_readers(client: Client) -> None:
    """Each refers to the one before: an iterative run is a chain, of which Dask holds a few."""
    collector = client.cluster.scheduler.plugins[PLUGIN_NAME]
    value = 0
    for _ in range(60):
        value = client.submit(abs, value, key=(f"chain-{uuid4().hex}", 0))
    assert value.result() == 0
    del value
    deadline = time.monotonic() + 60
    while client.cluster.scheduler.task_groups or collector.groups.held:
        assert time.monotonic() < deadline, len(collector.groups.held)
        time.sleep(0.05)
    # A reader has their last rows anyway.
    reader = Reader(client)
    reader.arrive(["groups", "prefixes"])
    chained = [row for row in reader.rows["groups"].values() if row["forgotten"] == 1]
    assert len(chained) == 60

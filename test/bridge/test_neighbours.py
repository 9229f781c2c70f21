"""The request ``neighbours`` on a real cluster: where the dependencies and dependents of an execution ran."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from time import monotonic, thread_time
from typing import Any

import pytest
from distributed import Client, Event, LocalCluster, wait

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector import neighbours
from dask_panes.scheduler.collector.key_search import BURST
from dask_panes.scheduler.collector.plugin import PLUGIN_NAME
from reader import Reader


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None) as cluster:
        yield cluster


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as client:
        client.sync(ship.register, client)
        yield client
        Reader(client).ask("remove")


def inc(x: int, *_: int) -> int:
    return x + 1


def hold(*_: int) -> None:
    Event("held").wait()


def row_of(reader: Reader, key: str) -> int:
    return int(reader.ask("task", key=key)["executions"][0]["row"])


def rows(side: dict[str, Any]) -> set[int]:
    return {at["row"] for at in side["at"]}


def test_dependencies_and_dependents_are_where_they_ran(client: Client) -> None:
    reader = Reader(client)
    first = [client.submit(inc, i, key=f"first-{i}") for i in range(3)]
    middle = client.submit(inc, first[0], first[1], first[2], key="middle")
    last = [client.submit(inc, middle, i, key=f"last-{i}") for i in range(2)]
    wait(last)
    held = client.submit(hold, middle, key="held")
    # What a client submits and what a reader asks come by different connections.
    end = monotonic() + 120
    while not client.run_on_scheduler(lambda dask_scheduler: "held" in dask_scheduler.tasks):
        assert monotonic() < end
    answer = reader.ask("neighbours", row=row_of(reader, "middle"))
    assert (answer["known"], answer["lost"], answer["late"]) == (True, False, False)
    assert answer["dependencies"]["count"] == 3
    assert rows(answer["dependencies"]) == {row_of(reader, f"first-{i}") for i in range(3)}
    assert rows(answer["dependents"]) == {row_of(reader, f"last-{i}") for i in range(2)}
    # What runs has no execution yet, and is counted.
    assert answer["dependents"]["count"] == 3
    execution = reader.ask("task", key="first-0")["executions"][0]
    at = next(at for at in answer["dependencies"]["at"] if at["row"] == execution["row"])
    assert (at["start"], at["duration"]) == (execution["start"], execution["duration"])
    alone = reader.ask("neighbours", row=row_of(reader, "first-0"))
    assert alone["dependencies"] == {"count": 0, "at": []}
    Event("held").set()
    wait(held)
    Event("held").clear()


def test_of_very_many_the_first_are_listed_and_all_are_counted(client: Client) -> None:
    reader = Reader(client)
    root = client.submit(inc, 0, key="root")
    many = [client.submit(inc, root, i, key=f"many-{i}") for i in range(neighbours.LOOKED_FOR + 50)]
    wait(many)
    answer = reader.ask("neighbours", row=row_of(reader, "root"))
    assert answer["dependents"]["count"] == neighbours.LOOKED_FOR + 50
    assert len(answer["dependents"]["at"]) == neighbours.LOOKED_FOR
    gathered = client.submit(inc, 1, *many, key="gathered")
    after = [client.submit(inc, gathered, i, key=f"after-{i}") for i in range(30)]
    wait(after)
    answer = reader.ask("neighbours", row=row_of(reader, "gathered"))
    assert [len(answer[side]["at"]) for side in ("dependencies", "dependents")] == [neighbours.LOOKED_FOR - 30, 30]


def test_of_a_forgotten_task_the_stored_graph_knows_what_it_needed(client: Client) -> None:
    reader = Reader(client)
    first = client.submit(inc, 5, key="short")
    second = client.submit(inc, first, key="lived")
    wait(second)
    before = reader.ask("neighbours", row=row_of(reader, "lived"))
    row, needed = row_of(reader, "lived"), row_of(reader, "short")
    assert rows(before["dependencies"]) == {needed}
    del first, second
    end = monotonic() + 120
    while client.run_on_scheduler(lambda dask_scheduler: "lived" in dask_scheduler.tasks):
        assert monotonic() < end
    after = reader.ask("neighbours", row=row)
    assert after == {**before, "dependents": {"count": 0, "at": []}}
    assert reader.ask("neighbours", row=10**9) == {"known": False}


def test_of_a_key_that_ran_twice_the_execution_before_counts(client: Client) -> None:
    reader = Reader(client)
    first = client.submit(inc, 5, key="again")
    second = client.submit(inc, first, key="user")
    wait(second)
    row, needed = row_of(reader, "user"), row_of(reader, "again")
    client.run_on_scheduler(lambda dask_scheduler: dask_scheduler.transitions({"again": "released"}, "again"))
    wait(client.submit(inc, first, key="asks-again"))
    assert row_of(reader, "again") > row
    answer = reader.ask("neighbours", row=row)
    assert rows(answer["dependencies"]) == {needed}
    assert rows(reader.ask("neighbours", row=needed)["dependents"]) >= {row}


def test_what_has_not_run_is_not_searched(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader(client)
    root = client.submit(inc, 0, key="root-1")
    wait(root)
    held = client.map(hold, [root] * 100, key=[f"held-{i}" for i in range(100)])
    end = monotonic() + 120
    while not client.run_on_scheduler(lambda dask_scheduler: "held-99" in dask_scheduler.tasks):
        assert monotonic() < end
    history, searched = client.cluster.scheduler.plugins[PLUGIN_NAME].history, list[str]()
    find = history.find
    row = row_of(reader, "root-1")
    monkeypatch.setattr(history, "find", lambda key, *rest: (searched.append(key), find(key, *rest))[1])
    assert reader.ask("neighbours", row=row)["dependents"] == {"count": 100, "at": []}
    assert searched == []
    Event("held").set()
    wait(held)
    Event("held").clear()


def test_the_search_for_what_has_left_the_ring_is_paid_for(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader(client)
    many = client.map(inc, range(100), key=[f"of-{i}" for i in range(100)])
    joined = client.submit(inc, many[0], *many, key="joined")
    wait(joined)
    history, spent = client.cluster.scheduler.plugins[PLUGIN_NAME].history, list[float]()
    row = row_of(reader, "joined")

    async def not_found(*_: Any) -> list[int]:
        for _ in range(10):
            begun = thread_time()
            while thread_time() - begun < 0.001:
                pass
            spent.append(thread_time() - begun)
            await asyncio.sleep(0)
        return []

    monkeypatch.setattr(history, "find", not_found)
    answer = reader.ask("neighbours", row=row)
    assert answer["late"]
    assert answer["dependencies"] == {"count": 100, "at": []}
    # What may be spent at once, 1 % of a core for two seconds, and the search that was begun.
    assert sum(spent) < BURST + 0.02 + 0.05

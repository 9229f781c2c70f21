"""What one worker has: what the request ``holdings`` answers, on a real cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic, sleep
from typing import Any

import pytest
from distributed import Client, Event, LocalCluster, Scheduler, wait

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector import holdings as module
from reader import Reader, beat

HOSTILE = "<img src=x onerror=alert(1)>\udcff"


@pytest.fixture(scope="module")
def one_worker() -> Iterator[LocalCluster]:
    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, resources={"GPU": 2, HOSTILE: 3}
    ) as cluster:
        yield cluster


@pytest.fixture
def client(one_worker: LocalCluster) -> Iterator[Client]:
    with Client(one_worker) as client:
        client.sync(ship.register, client)
        yield client
        Reader(client).ask("remove")


def scheduler_of(client: Client) -> Scheduler:
    return client.cluster.scheduler


def eventually(condition: Callable[[], bool]) -> None:
    end = monotonic() + 60
    while not condition():
        assert monotonic() < end
        sleep(0.05)


def address_of(client: Client) -> str:
    (address,) = scheduler_of(client).workers
    return str(address)


def hold(event: str, *_: object) -> None:
    Event(event).wait()


def test_tasks_that_wait_on_a_worker_are_listed_by_priority_with_the_resources_that_they_take(client: Client) -> None:
    reader, address, gate = Reader(client), address_of(client), Event("holdings")
    runs = client.submit(hold, "holdings", key="runs", resources={"GPU": 1})
    eventually(lambda: "runs" in scheduler_of(client).tasks and not scheduler_of(client).queued)
    later = client.submit(hold, "holdings", key="later", priority=-1, workers=[address])
    first = client.submit(hold, "holdings", 1, key=("first", 0), priority=9, workers=[address])

    def listed() -> bool:
        beat(client)
        answer = reader.ask("holdings", worker=address)
        keys = [key for key, _ in answer["first"]]
        return (answer["waiting"], keys, answer["resources"]) == (
            2,
            ["('first', 0)", "later"],
            [["GPU", 1.0, 2.0], ["<img src=x onerror=alert(1)>\\udcff", 0.0, 3.0]],
        )

    eventually(listed)
    (priority, *_) = [priority for key, priority in reader.ask("holdings", worker=address)["first"] if key == "later"]
    assert priority == repr(scheduler_of(client).tasks["later"].priority)
    gate.set()
    wait([runs, later, first])


def test_the_largest_results_come_first_and_as_many_as_are_listed(client: Client) -> None:
    reader, address = Reader(client), address_of(client)
    sizes = [1_000 * (i + 1) for i in range(module.LISTED + 10)]
    held = client.map(bytes, sizes, key=[f"held-{size}" for size in sizes])
    hostile = client.submit(bytes, 10_000_000, key=HOSTILE[:-1])
    wait([*held, hostile])
    answer = reader.ask("holdings", worker=address)
    tasks = scheduler_of(client).tasks
    (worker,) = scheduler_of(client).workers.values()
    assert (answer["results"], answer["nbytes"]) == (len(sizes) + 1, worker.nbytes)
    assert answer["results_looked"] == len(sizes) + 1
    assert answer["largest"][0] == [HOSTILE[:-1], tasks[HOSTILE[:-1]].nbytes, 0]
    assert [key for key, _, _ in answer["largest"][1:]] == [f"held-{size}" for size in sizes[::-1][: module.LISTED - 1]]


def test_of_many_tasks_and_results_only_some_are_looked_at(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOKED", 5)
    old = client.submit(bytes, 1_000_000, key="old")
    wait(old)
    new = client.map(bytes, range(5), key=[f"new-{i}" for i in range(5)])
    wait(new)
    answer: dict[str, Any] = client.sync(module.holdings, scheduler_of(client), address_of(client))
    assert (answer["results"], answer["results_looked"]) == (6, 5)
    assert sorted(key for key, _, _ in answer["largest"]) == [f"new-{i}" for i in range(5)]


def test_an_answer_to_one_page_a_moment_ago_is_that_to_another_one(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def holdings(scheduler: Any, address: str) -> dict[str, Any]:
        asked.append(address)
        return {"number": len(asked)}

    now = [1_000.0]
    monkeypatch.setattr(module, "holdings", holdings)
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    kept = module.Holdings()

    def ask(address: str) -> int:
        return int(client.sync(kept.ask, None, address)["number"])

    assert [ask("a"), ask("a"), ask("b")] == [1, 1, 2]
    now[0] += module.KEPT
    assert [ask("a"), list(kept._kept)] == [3, ["a"]]


def test_a_worker_that_has_gone_is_refused(client: Client) -> None:
    refused = Reader(client).ask("holdings", worker="tcp://gone:1")["refused"]
    assert refused == "The cluster does not have this worker any more."

"""What the scheduler logs: each event once, with those that Dask logs for a worker or itself only."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from time import sleep
from typing import Any

import pytest
from distributed import Client, LocalCluster, wait

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector.events import LIMIT, READ_ROWS, TEXT_LIMIT, Events
from reader import Reader


@pytest.fixture
def client() -> Iterator[Client]:
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        yield client


def events(reader: Reader) -> list[tuple[str, str, str]]:
    reader.read(["events"])
    bodies = [a["topics"]["events"]["s"] for a in reader.answers if "events" in a["topics"]]
    return [each for s in bodies for each in zip(s["topic"], s["action"], s["text"])]


def until(reader: Reader, action: str, count: int = 1) -> list[tuple[str, str, str]]:
    end = time.monotonic() + 180
    while True:
        found = events(reader)
        if sum(each[1] == action for each in found) >= count:
            return found
        assert time.monotonic() < end, found
        sleep(0.1)


def test_each_event_comes_once_with_pauses_and_reasons(client: Client) -> None:
    reader = Reader(client)
    address = min(client.nthreads())

    def set_status(status: str, dask_worker: Any) -> None:
        from distributed.core import Status

        dask_worker.status = Status.lookup[status]

    client.run(set_status, "paused")
    until(reader, "worker-status-change")
    client.run(set_status, "running")
    until(reader, "worker-status-change", 2)
    client.scatter([1, 2, 3])
    client.cluster.scale(2)
    client.wait_for_workers(2)
    client.log_event(["one", "two"], {"action": "said"})
    client.log_event("three", {"action": "add-worker"})
    with Client(client.cluster.scheduler_address):
        pass
    client.cluster.scale(1)
    until(reader, "remove-worker")
    found = until(reader, "remove-client")
    counts = Counter(action for _, action, _ in found)
    assert counts["add-worker"] == 2  # One of Dask's, and what the user logs under a topic of their own.
    # Of a client that leaves Dask itself logs twice where its connection ends first.
    assert {topic for topic, action, _ in found if action == "remove-client"} == {"all"}
    for action in ("remove-worker", "add-client", "scatter"):
        assert counts[action] == 1, counts
    assert counts["said"] == 1 and counts["update-graph"] == 0
    changes = [
        json.loads(text) for topic, action, text in found if action == "worker-status-change" and topic == address
    ]
    assert [change["status"] for change in changes] == ["paused", "running"]
    # Charts over time mark workers that were lost: those that did not say that they close before they went.
    (gone,) = (i for i, (_, action, _) in enumerate(found) if action == "remove-worker")
    left = json.loads(found[gone][2])["worker"]
    before = [text for topic, action, text in found[:gone] if (topic, action) == (left, "worker-status-change")]
    assert '"status": "clos' in before[-1]
    closing = [(topic, json.loads(text)) for topic, action, text in found if action == "closing-worker"]
    assert closing and all(topic != address and message["reason"] for topic, message in closing)


def test_a_worker_that_is_lost_was_not_expected_to_leave(client: Client) -> None:
    async def lose(dask_scheduler: Any) -> str:
        address = min(dask_scheduler.workers)
        await dask_scheduler.remove_worker(address, stimulus_id="test")
        return str(address)

    reader = Reader(client)
    address = client.run_on_scheduler(lose)
    (left,) = (text for _, action, text in until(reader, "remove-worker") if action == "remove-worker")
    assert '"expected": false' in left and f'"worker": "{address}"' in left


def test_a_graph_that_failed_is_an_event(client: Client) -> None:
    def fail(dask_scheduler: Any) -> None:
        dask_scheduler.log_event(["scheduler", "Client-x"], {"action": "update-graph", "status": "OK"})
        dask_scheduler.log_event(["scheduler", "Client-x"], {"action": "update-graph", "status": "error"})
        dask_scheduler.log_event("scheduler", {"action": "worker-ttl-timed-out", "workers": ["a"]})

    client.run_on_scheduler(fail)
    reader = Reader(client)
    actions = [(topic, action) for topic, action, _ in events(reader)]
    assert actions.count(("scheduler", "update-graph")) == 1
    assert ("Client-x", "update-graph") not in actions
    assert ("scheduler", "worker-ttl-timed-out") in actions


def test_a_worker_with_many_keys_leaves_in_little_time(client: Client) -> None:
    wait(client.map(abs, range(10)))
    keys = {("x-" + "0" * 32, i, j) for i in range(400) for j in range(250)}
    message = {
        "action": "remove-worker",
        "processing-tasks": keys,
        "stimulus_id": "s",
        "expected": False,
        "worker": "w",
    }
    known = Events()
    begin = time.thread_time()
    for _ in range(100):
        known.add(0.0, "all", dict(message))
    # A hundred such events take less than a json.dumps of one.
    assert time.thread_time() - begin < 0.5
    (text, *_) = known.read(0)[0]["s"]["text"]
    assert len(text) <= TEXT_LIMIT
    assert text.startswith('{"action": "remove-worker", "stimulus_id": "s", "expected": false, "worker": "w"')
    known.add(
        0.0, "all", {"action": "list", "keys": ["a"] * 30, "odd": {1: float("nan"), "b": b"\\xff", "d": {"e": 10**40}}}
    )
    assert "… 10 more" in json.loads(known.read(100)[0]["s"]["text"][0])["keys"]
    known.add(0.0, "all", {"action": "run-function", "function": b"\x80\x05" + bytes(998), "name": b"abs"})
    assert json.loads(known.read(100)[0]["s"]["text"][-1]) == {
        **{"action": "run-function", "function": "<1000 bytes>", "name": "b'abs'"}
    }
    deep: dict[str, Any] = {}
    for _ in range(400):
        deep = {"in": [deep, deep]}
    known.add(0.0, "all", deep)


def test_a_long_history_comes_in_parts_while_it_goes_on() -> None:
    known = Events()
    for i in range(LIMIT):
        known.add(float(i), "all", {"action": f"a{i}"})
    cursor, found, lost = 0, [], 0
    while cursor < known.end:
        body, after = known.read(cursor)
        assert len(body["s"]["action"]) == min(READ_ROWS, known.end - body["s"]["first"])
        assert after == body["s"]["first"] + len(body["s"]["action"])
        lost += body["s"].get("lost", 0)
        found += body["s"]["action"]
        cursor = after
        if cursor == READ_ROWS:
            # The ring goes on beyond what the reader has.
            for i in range(LIMIT, LIMIT + READ_ROWS + 3):
                known.add(float(i), "all", {"action": f"a{i}"})
    assert lost == 3
    assert found == [f"a{i}" for i in range(LIMIT + READ_ROWS + 3) if not READ_ROWS <= i < READ_ROWS + 3]
    assert known.read(cursor)[1] == cursor

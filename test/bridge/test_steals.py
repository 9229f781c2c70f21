"""Steals: what became of the tasks that Dask tried to move from a busy worker to an idle one."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from math import isnan
from typing import Any

import pytest
from distributed import Client, Event, LocalCluster, wait

from dask_panes.feed.schema import DTYPES, SCHEMA
from dask_panes.scheduler import ship
from dask_panes.scheduler.collector.names import Names
from dask_panes.scheduler.collector.steals import LIMIT, OUTCOMES, READ, ROWS, Steals
from reader import Reader, rows

NAMES = SCHEMA["enums"]["stealOutcome"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        yield cluster


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as client:
        client.sync(ship.register, client)
        yield client


def values(column: Any) -> list[float]:
    dtype, data = column
    return array(DTYPES[dtype]["array"], data).tolist()


def stolen(reader: Reader) -> list[dict[str, float]]:
    found: list[dict[str, float]] = []
    for answer in reader.answers:
        body = answer["topics"].get("steals")
        if body is not None:
            assert body["s"]["first"] == len(found)
            found += rows(body["c"])
    return found


def steal(client: Client, gate: Event, prefix: str) -> list[Any]:
    """One worker gets everything, so that the other one steals of it."""

    def work(x: int) -> int:
        gate.wait()
        return x

    first = next(iter(client.nthreads()))
    keys = [f"{prefix}-{i}" for i in range(12)]
    return client.map(work, range(12), key=keys, workers=[first], allow_other_workers=True)


def theirs(dask_scheduler: Any) -> list[tuple[str, str, str | None, str | None]]:
    """Outcome, key, victim and thief of what Dask logged."""
    moves = []
    thieves: dict[str, str] = {}
    for _, message in dask_scheduler.get_events("stealing"):
        kind, *parts = message
        if kind == "request":
            thieves.update({each[2]: each[6] for each in parts[0]})
        if kind in OUTCOMES:
            parts = parts[1:] if kind == "reschedule" else parts
            requested = None if kind == "stale-response" else thieves.get(parts[0])
            thief = parts[3] if OUTCOMES[kind] < 3 else requested
            moves.append((NAMES[OUTCOMES[kind]], parts[0], parts[2], thief))
    return moves


def test_steals_are_those_that_dask_logs(client: Client) -> None:
    reader = Reader(client)
    for run in ("first", "second"):
        gate = Event(f"gate {run}")
        futures = steal(client, gate, run)
        before = len(stolen(reader))
        reader.until(lambda before=before: len(stolen(reader)) > before, ["steals"])
        gate.set()
        wait(futures)
        reader.arrive()
        ours = stolen(reader)
        expected = client.run_on_scheduler(theirs)
        assert len(ours) == len(expected) > 0
        workers = [None, *(worker["address"] for worker in reader.names["workers"])]
        for found, (outcome, key, victim, thief) in zip(ours, expected):
            assert NAMES[int(found["outcome"])] == outcome
            assert (workers[int(found["victim"])], workers[int(found["thief"])]) == (victim, thief)
            assert reader.names["prefixes"][int(found["prefix"])] == key.split("-")[0]
            assert 0 <= found["asked"] < 180
        assert any(NAMES[int(found["outcome"])] == "confirmed" and found["cost"] > 0 for found in ours)


def test_an_idle_scheduler_sends_nothing_and_one_that_does_not_steal_says_so(client: Client) -> None:
    reader = Reader(client)
    reader.arrive()
    before = len(reader.answers)
    reader.arrive()
    assert not any("steals" in answer["topics"] for answer in reader.answers[before:])

    def stealing() -> bool:
        reported = [answer["topics"]["meta"]["s"] for answer in reader.answers if "meta" in answer["topics"]]
        return bool(reported[-1]["stealing"])

    assert stealing()

    async def switch(dask_scheduler: Any, on: bool) -> None:
        extension = dask_scheduler.extensions["stealing"]
        await (extension.start() if on else extension.stop())

    client.run_on_scheduler(switch, on=False)
    reader.until(lambda: not stealing())
    client.run_on_scheduler(switch, on=True)
    reader.until(stealing)


def confirm(i: int, victim: str = "tcp://a", thief: str = "tcp://b") -> tuple[Any, ...]:
    return ("confirm", f"inc-{i}", "ready", victim, thief, f"steal-{i}")


def test_an_outdated_answer_is_of_the_worker_that_was_to_get_the_task() -> None:
    names = Names()
    victim, thief = (1 + names.worker_at(address) for address in ("tcp://a", "tcp://b"))
    steals = Steals(names)
    steals.note(1.0, ("request", [(1.0, 3, "inc-1", 0.5, "tcp://a", 9.0, "tcp://b", 0.0)]))
    steals.note(2.0, ("stale-response", "inc-1", "ready", "tcp://a", "steal-0"))
    steals.note(3.0, ("already-aborted", "inc-1", "memory", "tcp://a", "steal-1"))
    steals.look()
    body, _ = steals.read(0)
    assert values(body["c"]["victim"]) == [victim, victim]
    # A stale answer is one to a request before the last.
    assert values(body["c"]["thief"]) == [0, thief]
    assert values(body["c"]["cost"])[1] == 0.5


def test_the_newest_are_kept_and_the_others_counted() -> None:
    steals = Steals(Names())
    for i in range(LIMIT + 3000):
        steals.note(1000.0 + i, confirm(i))
        if i % READ == READ - 1:
            steals.look()
    assert steals.end == LIMIT + 3000
    cursor, received = 0, 0
    while cursor < steals.end:
        body, cursor = steals.read(cursor)
        lost = body["s"].get("lost", 0)
        assert lost == (3000 if received == 0 else 0)
        count = len(values(body["c"]["time"]))
        assert count <= ROWS
        received += count
    assert received == LIMIT
    # A worker that was never seen is not known, and neither is a request from before the observation.
    assert set(values(body["c"]["victim"])) == {0}
    assert all(map(isnan, values(body["c"]["cost"])))


def test_steals_that_ticks_cannot_keep_up_with_are_counted() -> None:
    steals = Steals(Names())
    for i in range(LIMIT + 3000):
        steals.note(1.0, ("request", [(1.0, 3, f"inc-{i}", 0.5, "tcp://a", 9.0, "tcp://b", 0.0)]))
        steals.note(2.0, confirm(i))
    while steals._aside:
        assert len(steals._aside) <= LIMIT
        steals.look()
    assert steals.end == LIMIT + 3000
    body, _ = steals.read(0)
    assert body["s"]["lost"] == 3000
    # Each has its request.
    assert set(values(body["c"]["asked"])) == {1.0}


def test_a_tick_reads_a_bounded_number_and_requests_do_not_pile_up() -> None:
    steals = Steals(Names())
    for i in range(3 * LIMIT):
        steals.note(1.0, ("request", [(1.0, 3, f"inc-{i}", 0.5, "tcp://a", 9.0, "tcp://b", 0.0)]))
        if i % READ == 0:
            steals.look()
    assert len(steals._aside) <= LIMIT
    while steals._aside:
        before = len(steals._aside)
        steals.look()
        assert before - len(steals._aside) <= READ
    assert len(steals._asked) <= LIMIT
    steals.note(3.0, confirm(3 * LIMIT - 1))
    steals.look()
    body, _ = steals.read(0)
    assert (values(body["c"]["asked"]), values(body["c"]["cost"])) == ([2.0], [0.5])


def test_a_stale_answer_is_not_that_to_the_request_that_is_under_way() -> None:
    steals = Steals(Names())
    steals.note(1.0, ("request", [(1.0, 3, "inc-1", 0.5, "tcp://a", 9.0, "tcp://b", 0.0)]))
    steals.note(2.0, ("stale-response", "inc-1", "ready", "tcp://a", "steal-0"))
    steals.note(4.0, confirm(1))
    steals.look()
    body, _ = steals.read(0)
    asked, cost = values(body["c"]["asked"]), values(body["c"]["cost"])
    assert isnan(asked[0]) and isnan(cost[0])
    assert (asked[1], cost[1]) == (3.0, 0.5)


def test_what_others_log_under_the_topic_is_no_steal() -> None:
    steals = Steals(Names())
    odd: list[Any] = [
        *(None, "", 7, {}, [], (), ("request",), ("request", 5), ("request", [1]), ("confirm",), ("confirm", 1)),
        *(
            [["confirm"]],
            (["confirm"], 2),
            ("confirm", {}, "x", "a", "b", "s"),
            ("reschedule", True),
            b"\xff",
            float("nan"),
        ),
    ]
    for message in odd:
        steals.note(1.0, message)
    steals.note(1.0, ("confirm", ("tuple", 1), "ready", 5, None, "s"))
    steals.look()
    assert not steals._aside
    assert steals.end <= 2

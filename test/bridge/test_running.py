"""Running tasks: as the heartbeats say, and gone as soon as they end, however they end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import Client, Event, LocalCluster, Reschedule, get_worker, secede, wait
from distributed.core import Status
from distributed.metrics import time as dask_time

from dask_panes.feed.schema import SCHEMA
from dask_panes.scheduler import ship
from dask_panes.scheduler.collector import running as running_module
from dask_panes.scheduler.collector.history import History
from dask_panes.scheduler.collector.names import Names
from dask_panes.scheduler.collector.running import Running
from reader import Reader, beat, rows

STATES = SCHEMA["enums"]["runningState"]
TOPICS = ["running", "tasks", "workers"]


@pytest.fixture
def client() -> Iterator[Client]:
    with (
        LocalCluster(n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        yield client


#: When tasks of `hold` began, by key: the workers are in this process.
BEGUN: dict[str, float] = {}


def hold(x: object, event: str, leave_pool: bool = False) -> object:
    BEGUN[get_worker().get_current_task()] = dask_time()
    if leave_pool:
        secede()
    Event(event).wait()
    return x


def fail_once(event: str, tries: str) -> str:
    worker = get_worker()
    first = not worker.__dict__.get(tries)
    setattr(worker, tries, True)
    if first:
        Event(event).wait()
        raise ValueError
    Event(event + "-again").wait()
    return "done"


def until(reader: Reader, fits: Callable[[], bool]) -> None:
    """Read until something is so."""
    end = monotonic() + 180
    while not fits():
        assert monotonic() < end, (reader.running(), reader.tasks)
        reader.read(TOPICS, timeout=0.2)


def lose(client: Client, address: str) -> None:
    """Let the scheduler lose a worker."""

    async def remove(dask_scheduler: Any) -> None:
        await dask_scheduler.remove_worker(address, stimulus_id="test")

    client.run_on_scheduler(remove)


def test_tasks_that_run_are_listed_with_worker_function_and_start_and_go_when_they_end(client: Client) -> None:
    before = dask_time()
    held = client.map(hold, range(3), event="go", pure=False)
    free = client.submit(hold, 9, event="go", leave_pool=True, pure=False)
    reader = Reader(client)
    until(
        reader,
        lambda: {STATES[int(row["state"])] for row in reader.running().values()} == {"executing", "long-running"},
    )
    until(reader, lambda: len(reader.running()) == 4)
    # The estimate of the start is that of the execution, late by the way of the fastest heartbeat.
    until(reader, lambda: all(row["start"] - BEGUN[key] < 2 for key, row in reader.running().items()))
    found = reader.running()
    assert set(found) == {future.key for future in [*held, free]}
    assert STATES[int(found[free.key]["state"])] == "long-running"
    until(
        reader,
        lambda: (
            [sum(row[name] for row in reader.rows["workers"].values()) for name in ("executing", "seceded")] == [4, 1]
        ),
    )
    processing = client.processing()
    for key, row in found.items():
        address = reader.names["workers"][int(row["worker"])]["address"]
        assert key in processing[address]
        assert reader.names["prefixes"][int(row["prefix"])] == "hold"
        assert before < row["start"] <= row["as_of"] <= dask_time()
    Event("go").set()
    wait([*held, free])
    until(reader, lambda: len(reader.tasks) == 4)
    until(reader, lambda: not reader.running())
    assert {reader.ask("key", row=i)["key"] for i in range(4)} == set(found)
    # Quiet again: nothing more is sent.
    cursor = reader.cursor["running"]
    reader.read(TOPICS, timeout=0.6)
    assert reader.cursor["running"] == cursor


def test_an_attempt_that_failed_and_is_retried_is_another_run(client: Client) -> None:
    worker = next(iter(client.nthreads()))
    future = client.submit(fail_once, "fail", "tried", retries=1, workers=[worker], pure=False)
    reader = Reader(client)
    until(reader, lambda: future.key in reader.running())
    again = dask_time()
    assert reader.running()[future.key]["start"] < again
    Event("fail").set()
    # An estimate of a start is late, never early.
    until(reader, lambda: future.key in reader.running() and reader.running()[future.key]["start"] >= again)
    Event("fail-again").set()
    wait(future)
    until(reader, lambda: not reader.running())


def test_a_task_that_is_cancelled_or_loses_its_worker_does_not_run_any_more(client: Client) -> None:
    futures = [client.submit(hold, i, event="never", pure=False) for i in range(2)]
    reader = Reader(client)
    until(reader, lambda: len(reader.running()) == 2)
    futures[0].cancel()
    until(reader, lambda: set(reader.running()) == {futures[1].key})
    before = reader.running()[futures[1].key]
    address = reader.names["workers"][int(before["worker"])]["address"]
    lose(client, address)
    until(reader, lambda: all(row["worker"] != before["worker"] for row in reader.running().values()))
    Event("never").set()


def test_an_absent_reader_costs_nothing_and_sees_what_runs_when_it_returns(client: Client) -> None:
    future = client.submit(hold, 1, event="back")
    reader = Reader(client)
    until(reader, lambda: future.key in reader.running())

    def kept(dask_scheduler: Any) -> int:
        return len(dask_scheduler.plugins["dask-panes-1"].running.rows_of)

    end = monotonic() + 180
    while client.run_on_scheduler(kept):
        assert monotonic() < end
        reader.read(["workers"], timeout=0.3)
    until(reader, lambda: future.key in reader.running())
    other = Reader(client)
    until(other, lambda: future.key in other.running())
    Event("back").set()


def a_worker(name: str, tasks: int, last_seen: float = 100.0) -> Any:
    ws = SimpleNamespace(address=name, last_seen=last_seen, long_running=set(), executing={})
    for i in range(tasks):
        ts = Task(f"{name}-{i}", ws)
        ws.executing[ts] = float(i)
    return ws


class Task:
    """As much of a TaskState as is asked for."""

    prefix = SimpleNamespace(name="f")

    def __init__(self, key: str, ws: Any) -> None:
        self.key, self.processing_on = key, ws


def fold(running: Running, cursor: int, table: dict[int, dict[str, float]]) -> int:
    """Take over one read."""
    body, after = running.read(cursor)
    table.update((int(row["id"]), row) for row in rows(body["c"]))
    return after


def test_a_worker_with_ten_thousand_tasks_has_the_longest_and_a_count_of_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(running_module, "BUDGET", 1e9)
    running = Running(Names())
    ws = a_worker("w", 10_000)
    scheduler: Any = SimpleNamespace(workers={"w": ws})
    running.scan(scheduler)
    body, _ = running.read(0)
    assert body["s"]["unlisted"] == 9_900
    assert {row["start"] for row in rows(body["c"])} == {100.0 - i for i in range(9_900, 10_000)}
    # The longest end: others get their rows.
    for i in range(9_950, 10_000):
        running.end(f"w-{i}")
        ws.executing.pop(next(ts for ts in ws.executing if ts.key == f"w-{i}"))
    ws.last_seen = 101.0
    running.scan(scheduler)
    body, _ = running.read(0)
    assert (len(running.rows_of), body["s"]["unlisted"]) == (100, 9_850)
    running.leave("w")
    body, _ = running.read(0)
    assert body["s"]["unlisted"] == 0
    assert not any(row["state"] for row in rows(body["c"]))


def test_many_workers_are_read_in_slices_and_rows_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running_module, "BUDGET", 1e9)
    monkeypatch.setattr(running_module, "SLICE", 0.0)
    monkeypatch.setattr(running_module, "MOST_ROWS", 20)
    running = Running(Names())
    scheduler: Any = SimpleNamespace(workers={name: a_worker(name, 4) for name in "abcdefgh"})
    table: dict[int, dict[str, float]] = {}
    for expected in range(4, 24, 4):
        running.scan(scheduler)
        assert len(running.rows_of) == expected
    for _ in range(3):
        running.scan(scheduler)
    fold(running, 0, table)
    assert len(table) == len(running.rows_of) == 20
    assert running.read(0)[0]["s"]["unlisted"] == 12
    running.clear()
    assert running.read(0)[0]["s"]["unlisted"] == 0


def test_a_reader_gets_ends_at_once_and_running_tasks_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running_module, "BUDGET", 1e9)
    monkeypatch.setattr(running_module, "READ_ROWS", 10)
    running = Running(Names())
    scheduler: Any = SimpleNamespace(workers={"w": a_worker("w", 30)})
    running.scan(scheduler)
    table: dict[int, dict[str, float]] = {}
    cursor = fold(running, 0, table)
    assert len(table) == 10
    for key in list(running.rows_of)[:5]:
        running.end(key)
    cursor = fold(running, cursor, table)
    assert sum(not row["state"] for row in table.values()) == 5
    while cursor != running.version:
        cursor = fold(running, cursor, table)
    assert {found for found, row in table.items() if row["state"]} == set(running.rows_of.values())


def test_keys_that_cannot_be_encoded_and_late_heartbeats_do_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running_module, "BUDGET", 1e9)
    running = Running(Names())
    ws = a_worker("w", 0)
    ws.executing = {Task("\ud800" + "x" * 1000, ws): 5.0, Task("ended", None): 3.0}
    running.scan(SimpleNamespace(workers={"w": ws}))  # type: ignore[arg-type]
    body, _ = running.read(0)
    [[_, text]] = body["s"]["keys"]
    assert text.encode() and len(text) < 220
    # A heartbeat that was long on its way does not make the start later.
    ws.last_seen, ws.executing = 110.0, {next(iter(ws.executing)): 12.0}
    running.scan(SimpleNamespace(workers={"w": ws}))  # type: ignore[arg-type]
    assert rows(running.read(0)[0]["c"])[0]["start"] == 95.0


def test_a_heartbeat_that_was_on_its_way_when_a_run_ended_says_nothing_of_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(running_module, "BUDGET", 1e9)
    monkeypatch.setattr(running_module, "MOST_ENDS", 3)
    monkeypatch.setattr(running_module, "time", lambda: 101.0)
    running = Running(Names())
    ws = a_worker("w", 1)
    scheduler: Any = SimpleNamespace(workers={"w": ws})
    running.scan(scheduler)
    assert [row["start"] for row in rows(running.read(0)[0]["c"])] == [100.0]
    running.end("w-0")
    # It failed and is tried again; this heartbeat was sent before.
    [task] = ws.executing
    ws.last_seen, ws.executing = 101.5, {task: 1.4}
    running.scan(scheduler)
    assert not running.rows_of
    ws.last_seen, ws.executing = 102.0, {task: 0.5}
    running.scan(scheduler)
    assert [row["start"] for row in rows(running.read(0)[0]["c"])] == [101.5]
    # Ends are forgotten, the oldest first.
    for i in range(10):
        ws.last_seen, ws.executing = 103.0 + i, {Task(f"t-{i}", ws): 0.0}
        running.scan(scheduler)
        running.end(f"t-{i}")
    assert list(running._ended) == ["t-7", "t-8", "t-9"]


def test_a_task_that_was_cancelled_and_is_wanted_again_runs_since_its_thread_began(client: Client) -> None:
    worker = next(iter(client.nthreads()))

    def submit() -> Any:
        return client.submit(hold, 1, event="never", key="hold-1", workers=[worker])

    future = submit()
    reader = Reader(client)
    until(reader, lambda: "hold-1" in reader.running())
    begun = reader.running()["hold-1"]["start"]
    future.cancel()
    until(reader, lambda: not reader.running())
    # Python cannot stop a thread: its worker takes what it still does for the new run until it has ended.
    future = submit()
    until(reader, lambda: "hold-1" in reader.running())
    assert abs(reader.running()["hold-1"]["start"] - begun) < 0.5
    Event("never").set()
    wait(future)
    until(reader, lambda: not reader.running())


def ask_again(event: str, tries: str) -> str:
    worker = get_worker()
    if not worker.__dict__.get(tries):
        setattr(worker, tries, True)
        raise Reschedule
    Event(event).wait()
    return "done"


def test_attempts_without_a_record_are_counted_and_listed_with_their_task(client: Client) -> None:
    reader = Reader(client)
    address = next(iter(client.nthreads()))
    Event("fail").set()
    retried = client.submit(fail_once, "fail", "tried", retries=1, workers=[address], pure=False)
    rescheduled = client.submit(ask_again, "fail-again", "asked", workers=[address], pure=False)

    def counts() -> dict[str, tuple[float, ...]]:
        reader.read(["attempts", "running"], timeout=0.2)
        names = reader.names["prefixes"]
        return {
            names[found]: (row["retried"], row["rescheduled"], row["lost"])
            for found, row in reader.rows["attempts"].items()
        }

    def see(expected: dict[str, tuple[float, ...]]) -> None:
        end = monotonic() + 180
        while counts() != expected:
            assert monotonic() < end, reader.rows["attempts"]

    see({"fail_once": (1, 0, 0), "ask_again": (0, 1, 0)})
    [attempt] = reader.ask("task", key=retried.key)["attempts"]
    assert attempt["how"] == "retried"
    assert abs(attempt["end"] - dask_time()) < 30
    assert [each["how"] for each in reader.ask("task", key=rescheduled.key)["attempts"]] == ["rescheduled"]
    Event("fail-again").set()
    wait([retried, rescheduled])
    held = client.map(hold, range(12), event="never", workers=[address], allow_other_workers=True, pure=False)
    until(reader, lambda: len(reader.running()) == 4)
    # What is cancelled is not an attempt that is made again.
    cancelled = next(future for future in held if future.key in reader.running())
    cancelled.cancel()
    until(reader, lambda: len(reader.running()) == 3)
    on_worker = set(client.processing()[address])
    running = set(reader.running()) & on_worker
    assert running < on_worker
    lose(client, address)
    see({"fail_once": (1, 0, 0), "ask_again": (0, 1, 0), "hold": (0, 0, len(running))})
    Event("never").set()


def test_tasks_that_followed_others_after_the_last_heartbeat_of_a_worker_are_lost_with_it(client: Client) -> None:
    reader = Reader(client)
    address = next(iter(client.nthreads()))
    ahead = client.map(hold, range(2), event="ahead", workers=[address], allow_other_workers=True, pure=False)
    until(reader, lambda: len(reader.running()) == 2)

    def fall_silent(dask_worker: Any) -> None:
        dask_worker.periodic_callbacks["heartbeat"].stop()

    client.run(fall_silent, workers=[address])
    tasks = client.map(collect_after, ["never"] * 2, workers=[address], allow_other_workers=True, pure=False)
    Event("ahead").set()
    # The results are lost, too: they are computed again.
    until(reader, lambda: all(task.key in BEGUN for task in tasks))
    lose(client, address)
    reader.arrive()
    names = reader.names["prefixes"]
    counts = {names[found]: row["lost"] for found, row in reader.rows["attempts"].items()}
    assert counts == {"collect_after": 2}
    Event("never").set()
    wait([*ahead, *tasks])


def collect_after(event: str) -> None:
    hold(None, event)


def test_a_task_that_a_paused_worker_had_not_begun_is_not_lost_with_it(client: Client) -> None:
    reader = Reader(client)
    address = next(iter(client.nthreads()))
    ahead = client.map(hold, range(2), event="ahead", workers=[address], pure=False)
    until(reader, lambda: len(reader.running()) == 2)
    task = client.submit(collect, 1, workers=[address])
    until(reader, lambda: task.key in client.processing()[address])

    def pause(dask_worker: Any) -> None:
        dask_worker.status = Status.paused

    client.run(pause, workers=[address])
    Event("ahead").set()
    wait(ahead)
    beat(client)
    lose(client, address)
    reader.arrive()
    assert reader.rows["attempts"] == {}


def collect(*values: object) -> int:
    return len(values)


def fail_after(event: str) -> None:
    Event(event).wait()
    raise ValueError


def test_tasks_that_a_failure_leaves_unneeded_are_not_attempts_that_failed(client: Client) -> None:
    reader = Reader(client)
    held = client.map(hold, range(3), event="never", pure=False)
    failing = client.submit(fail_after, "fail", pure=False)
    last = client.submit(collect, *held, failing, pure=False)
    until(reader, lambda: len(reader.running()) == 4)
    unneeded = held[0].key
    del held, failing

    def wanted(dask_scheduler: Any) -> int:
        return sum(bool(ts.who_wants) for ts in dask_scheduler.tasks.values())

    until(reader, lambda: client.run_on_scheduler(wanted) == 1)
    Event("fail").set()
    wait(last)
    until(reader, lambda: not reader.running())
    reader.read(["attempts"], timeout=0.2)
    assert last.status == "error"
    assert reader.rows["attempts"] == {}
    assert reader.ask("task", key=unneeded)["attempts"] == []
    Event("never").set()


def test_an_attempt_whose_task_is_gone_with_its_data_is_not_made_again(client: Client) -> None:
    reader = Reader(client)
    address = next(iter(client.nthreads()))
    data = client.scatter("data", workers=[address], hash=False)
    held = client.submit(hold, data, event="never", workers=[address], key="hold-1")
    until(reader, lambda: "hold-1" in reader.running())
    lose(client, address)
    until(reader, lambda: not reader.running())
    Event("never").set()
    del data, held
    until(reader, lambda: "hold-1" not in client.futures)
    # Another task with its key.
    wait(client.submit(collect, 1, key="hold-1"))
    until(reader, lambda: len(reader.tasks) == 1)
    reader.arrive(["attempts"])
    ends = [row for answer in reader.answers for row in rows(answer["topics"].get("attempts", {}).get("m", {}))]
    assert [SCHEMA["enums"]["attemptEnd"][int(row["how"])] for row in ends] == ["lost"]


#: Keys of tasks of `hold_once` that have begun.
TRIED: set[str] = set()


def hold_once(event: str) -> None:
    key = get_worker().get_current_task()
    if key not in TRIED:
        TRIED.add(key)
        Event(event).wait()


def test_a_lost_attempt_is_repeated_although_its_task_was_queued_on_another_worker_that_was_lost() -> None:
    TRIED.clear()
    with (
        LocalCluster(n_workers=3, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        reader = Reader(client)
        one, two, _ = client.nthreads()
        ahead = client.submit(hold_once, "never", workers=[two], allow_other_workers=True, key="ahead-1")
        until(reader, lambda: set(reader.running()) == {"ahead-1"})
        task = client.submit(hold_once, "never", workers=[one], allow_other_workers=True, key="task-1")
        until(reader, lambda: set(reader.running()) == {"ahead-1", "task-1"})

        def prefer(dask_scheduler: Any) -> None:
            # Once the first has gone, the one that is busy.
            dask_scheduler.tasks["task-1"].worker_restrictions = {two}

        client.run_on_scheduler(prefer)
        lose(client, one)
        until(reader, lambda: set(client.processing().get(two, ())) == {"ahead-1", "task-1"})
        lose(client, two)
        wait([ahead, task])
        until(reader, lambda: len(reader.tasks) == 2)
        reader.arrive(["attempts"])
        ends = [row for answer in reader.answers for row in rows(answer["topics"].get("attempts", {}).get("m", {}))]
        found = {(reader.names["prefixes"][int(row["prefix"])], int(row["how"])) for row in ends}
        names = SCHEMA["enums"]["attemptEnd"]
        assert sorted((name, names[how]) for name, how in found) == [
            ("ahead", "lost"),
            ("ahead", "repeated"),
            ("task", "lost"),
            ("task", "repeated"),
        ]
        Event("never").set()


def test_intervals_of_an_earlier_execution_do_not_come_again() -> None:
    names = Names()
    history = History(names, 100)
    first = [
        {"action": "transfer", "start": 1.0, "stop": 2.0, "source": "a"},
        {"action": "compute", "start": 2.0, "stop": 3.0},
    ]
    again = [
        *first,
        {"action": "disk-read", "start": 8.0, "stop": 9.0},
        {"action": "compute", "start": 9.0, "stop": 10.0},
    ]
    ts = SimpleNamespace(prefix=SimpleNamespace(name="f"))
    for intervals in (first, again):
        history.extend(["f-1", ts, "w", 1, intervals, 8, "int"])
    body, _ = history.read(0, 10)
    assert [row["start"] for row in rows(body["c"])] == [2.0, 9.0]
    assert [(row["at"], row["start"]) for row in rows(body["m"])] == [(0, 1.0), (1, 8.0)]

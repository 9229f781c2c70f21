"""An idle cluster: what moves without a task is shown, and what only wobbles is not sent."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import dask
import pytest
from dask.system import CPU_COUNT
from distributed import Client, LocalCluster
from distributed import scheduler as scheduler_module

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector import bands
from dask_panes.scheduler.collector.heartbeats import MISSED, PATIENCE, Heartbeats
from dask_panes.scheduler.collector.idleness import Idleness
from dask_panes.scheduler.collector.looks import REMEMBERED, Looks
from dask_panes.scheduler.collector.plugin import PLUGIN_NAME
from reader import TOPICS, Reader

#: Points of CPU that a busy worker has more: more than what is not sent of an idle cluster.
MORE = 2 * bands.CPU


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    # Small results are moved, too.
    rules = {"measure": "managed", "sender-min": 0.0, "sender-recipient-gap": 0.0, "recipient-max": 1.0}
    with dask.config.set({f"distributed.worker.memory.rebalance.{name}": value for name, value in rules.items()}):
        cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster:
        yield cluster


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as client:
        client.sync(ship.register, client)
        yield client
        Reader(client).ask("remove")


def go_idle(client: Client, reader: Reader) -> None:
    """Let ten seconds without a task pass at once."""

    def quicken(dask_scheduler: Any) -> None:
        dask_scheduler.plugins[PLUGIN_NAME].idleness.active_at -= 60

    reader.arrive()
    client.run_on_scheduler(quicken)
    until(reader, lambda: idle_since(reader) is not None)
    reader.arrive()


def idle_since(reader: Reader) -> float | None:
    reported = [a["topics"]["meta"]["s"] for a in reader.answers if "meta" in a["topics"]]
    return reported[-1]["idle_since"] if reported else None


def until(reader: Reader, condition: Callable[[], bool], seconds: float = 180) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, {topic: list(rows.values()) for topic, rows in reader.rows.items()}
        reader.read(timeout=0.5)


def rest(reader: Reader) -> float:
    """Wait until the processes of the workers rest; CPU beyond which one is at work.

    What was sent of an idle cluster may be above the present value by as much as need not be sent.
    """
    until(reader, lambda: values_of(reader, "cpu")[-1] <= MORE)
    return values_of(reader, "cpu")[-1] + MORE


def values_of(reader: Reader, column: str) -> list[float]:
    return sorted(row[column] for row in reader.rows["workers"].values())


def test_results_that_move_without_a_task(client: Client) -> None:
    reader = Reader(client)
    go_idle(client, reader)
    first = min(client.nthreads())
    # Scattered, moved and copied without any transition.
    parts = client.scatter([bytes([i]) * 10**6 for i in range(4)], workers=[first])
    until(reader, lambda: values_of(reader, "in_memory") == [0, 4])
    # Dask moves what its workers have reported with a heartbeat.
    until(reader, lambda: values_of(reader, "managed")[-1] > 4 * 10**6 - 1)
    client.rebalance()
    until(reader, lambda: values_of(reader, "in_memory") == [2, 2])
    until(reader, lambda: values_of(reader, "managed")[0] > 2 * 10**6 - 1)
    client.replicate(parts)
    until(reader, lambda: values_of(reader, "in_memory") == [4, 4])
    assert idle_since(reader) is not None


def spin(stops: threading.Event) -> None:
    """Take much of a machine, also where others want it: by threads that do not wait for each other."""
    data = bytes(2**20)

    def turn() -> None:
        while not stops.is_set():
            hashlib.sha256(data)

    threads = [threading.Thread(target=turn) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_memory_and_cpu_of_what_is_no_task(client: Client) -> None:
    reader = Reader(client)
    go_idle(client, reader)
    busy = rest(reader)
    before = values_of(reader, "process")
    ballast = 600 * 2**20

    def take(dask_worker: Any) -> None:
        import threading

        dask_worker.ballast = bytearray(ballast)
        dask_worker.stops = threading.Event()
        threading.Thread(target=spin, args=(dask_worker.stops,), daemon=True).start()

    def drop(dask_worker: Any) -> None:
        dask_worker.stops.set()
        del dask_worker.ballast
        gc.collect()

    client.run(take)
    until(reader, lambda: values_of(reader, "process")[0] > before[-1] + ballast // 2)
    until(reader, lambda: values_of(reader, "cpu")[0] > busy)
    points = [a["topics"]["series"]["s"]["first"] for a in reader.answers if "series" in a["topics"]]
    client.run(drop)
    until(reader, lambda: values_of(reader, "process")[-1] < before[-1] + ballast // 2)
    until(reader, lambda: values_of(reader, "cpu")[-1] < busy)
    until(
        reader,
        lambda: (
            [a["topics"]["series"]["s"]["first"] for a in reader.answers if "series" in a["topics"]][-1] > points[-1]
        ),
    )
    assert idle_since(reader) is not None


class Spinner:
    def __init__(self) -> None:
        self.stops = threading.Event()

    def turn(self) -> None:
        spin(self.stops)

    async def stop(self) -> None:
        # On the worker's event loop, while the thread of the actor turns.
        self.stops.set()


def test_an_actor_is_seen_at_work(client: Client) -> None:
    spinner: Any = client.submit(Spinner, actor=True).result()
    reader = Reader(client)
    go_idle(client, reader)
    busy = rest(reader)
    turning = spinner.turn()
    until(reader, lambda: values_of(reader, "cpu")[-1] > busy)
    assert idle_since(reader) is not None
    spinner.stop().result()
    turning.result()
    until(reader, lambda: values_of(reader, "cpu")[-1] < busy)


def test_heartbeats_with_nothing_new_are_not_sent(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.gather(client.map(abs, range(10)))
    reader = Reader(client)
    go_idle(client, reader)

    def wobble(dask_scheduler: Any) -> None:
        import time

        for i, ws in enumerate(dask_scheduler.workers.values()):
            ws.last_seen = time.time() + i
            ws.metrics = {**ws.metrics, "cpu": ws.metrics["cpu"] + 1, "memory": ws.metrics["memory"] + 2**20}

    # What the machine does besides must not matter: of the workers' own heartbeats only that they arrive is taken
    # meanwhile, and of the scheduler's own process nothing.
    scheduler = client.cluster.scheduler

    def arrives(address: str, **_: Any) -> dict[str, Any]:
        scheduler.workers[address].last_seen = time.time()
        return {"status": "OK", "heartbeat-interval": 1, "time": time.time()}

    monkeypatch.setitem(scheduler.handlers, "heartbeat_worker", arrives)
    module = sys.modules[type(scheduler.plugins[PLUGIN_NAME].upkeep.sampling).__module__]
    monkeypatch.setattr(module, "sample_own", lambda _: module.NO_OWN)
    # The run itself is an event.
    topics = [topic for topic in TOPICS if topic != "events"]
    # Those that were on their way are reported first.
    until(reader, lambda: reader.read(topics, timeout=1.5)["topics"] == {})
    quiet = len(reader.answers)
    client.run_on_scheduler(wobble)
    # More than one sample, and several looks at the workers.
    reader.read(topics, timeout=2.0)
    assert reader.answers[quiet]["topics"] == {}
    # Small steps add up.
    for _ in range(9):
        client.run_on_scheduler(wobble)
    until(reader, lambda: any("workers" in a["topics"] for a in reader.answers[quiet + 1 :]))


def test_a_worker_whose_heartbeats_are_overdue_is_reported_also_while_the_cluster_is_idle(client: Client) -> None:
    reader = Reader(client)
    go_idle(client, reader)

    def overdue() -> list[float]:
        return [row["heartbeat"] for _, row in sorted(reader.rows["workers"].items())]

    until(reader, lambda: overdue() == [0, 0])
    pids = [worker["pid"] for worker in reader.names["workers"]]
    for which in (0, 1):
        os.kill(pids[which], signal.SIGSTOP)
        try:
            until(reader, lambda which=which: overdue() == [float(which == i) for i in range(2)])
            silent = reader.rows["workers"][which]["last_seen"]
        finally:
            os.kill(pids[which], signal.SIGCONT)
        until(reader, lambda: overdue() == [0, 0])
        assert reader.rows["workers"][which]["last_seen"] > silent
    assert idle_since(reader) is not None


def test_a_scheduler_that_stood_still_blames_no_worker() -> None:
    looks = Looks()
    heartbeats = Heartbeats(looks)

    def latest(workers: int, now: float) -> float | None:
        looks.look(now)
        return heartbeats.latest(workers, now)

    assert latest(2, 100.0) is None
    moments = [100.0 + i / 4 for i in range(1, 40)]
    known = [latest(2, moment) for moment in moments]
    assert known[:7] == [None] * 7
    assert known[7:] == [moment - PATIENCE - MISSED * 0.5 for moment in moments[7:]]
    # It reads the heartbeats that came meanwhile before it judges.
    assert latest(2, 130.0) is None
    assert latest(2, 130.9) is None
    assert latest(1000, 131.8) is None
    assert latest(1000, 132.5) == 132.5 - PATIENCE - MISSED * 6
    # Nor does it take scans that are far apart for such a time, where it looks at itself in between.
    asked: float | None = None
    for quarter in range(133 * 4, 160 * 4):
        looks.look(quarter / 4)
        if quarter % 10 == 0:
            asked = heartbeats.latest(1000, quarter / 4)
    assert asked == 157.5 - PATIENCE - MISSED * 6


def test_a_scheduler_that_reads_a_graph_is_not_idle(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader(client)
    go_idle(client, reader)
    go_on, offload = threading.Event(), scheduler_module.offload

    async def later(*args: Any, **kwargs: Any) -> Any:
        # As for a large graph, which the scheduler reads in another thread.
        while not go_on.is_set():
            await asyncio.sleep(0.01)
        return await offload(*args, **kwargs)

    monkeypatch.setattr(scheduler_module, "offload", later)
    future = client.submit(abs, -1)

    def reported_reading() -> bool:
        return any(a["topics"].get("meta", {}).get("s", {}).get("reading") for a in reader.answers)

    until(reader, reported_reading)
    meta = [a["topics"]["meta"]["s"] for a in reader.answers if "meta" in a["topics"]][-1]
    assert meta["reading"] == 1 and meta["idle_since"] is None
    assert meta["cores"] == CPU_COUNT
    go_on.set()
    assert future.result() == 1


def test_whether_a_graph_is_read_is_not_known_of_older_releases(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader(client)
    reader.arrive(["meta"])
    assert reader.answers[-1]["topics"].get("meta", reader.answers[0]["topics"]["meta"])["s"]["unknown"] == ()
    # As in 2024.8.
    monkeypatch.delattr(client.cluster.scheduler, "_active_graph_updates")
    later = Reader(client)

    def not_known() -> bool:
        meta = [a["topics"]["meta"]["s"] for a in later.answers if "meta" in a["topics"]]
        return any([*facts["unknown"]] == ["reading"] and "reading" not in facts for facts in meta)

    until(later, not_known)


def test_time_in_which_the_scheduler_did_not_look_is_not_idle_but_not_observed() -> None:
    scheduler = SimpleNamespace(transition_counter=3, queued=(), unrunnable=(), workers={})
    looks, idleness = Looks(), Idleness()
    begin = looks.at = idleness.active_at

    def look(*after: float) -> None:
        for seconds in after:
            idleness.look(scheduler, begin + seconds, looks.look(begin + seconds))

    look(0, 1, 4, 8)
    assert (idleness.since, looks.unobserved) == (None, [])
    # Its process was stopped for a minute.
    look(68, 72, 76)
    assert (idleness.since, looks.unobserved) == (None, [(begin + 8, begin + 68)])
    look(78.5)
    assert idleness.since == begin + 68
    # Also where it had been idle before.
    look(118)
    assert (idleness.since, looks.unobserved[-1]) == (None, (begin + 78.5, begin + 118))


def test_of_many_periods_those_with_little_time_between_them_are_joined_or_the_shortest_is_forgotten() -> None:
    looks = Looks()
    begin = now = looks.at

    def miss(seconds: float, then: int) -> None:
        nonlocal now
        for step in (seconds, *[1] * then):
            now += step
            looks.look(now)

    for i in range(REMEMBERED):
        # The third is the shortest.
        miss(20 if i == 2 else 30, 60)
    assert len(looks.unobserved) == REMEMBERED
    miss(30, 4)
    # A minute of observed time is no silence.
    assert len(looks.unobserved) == REMEMBERED
    assert {round(end - start) for start, end in looks.unobserved} == {30}
    miss(30, 60)
    periods = [(start - begin, end - begin) for start, end in looks.unobserved]
    assert len(periods) == REMEMBERED
    assert periods[-1][1] - periods[-1][0] == 64
    assert periods[0] == (0, 30)

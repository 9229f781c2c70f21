"""A recording is of its block: nothing from before it, and nothing missing at its end."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, LocalCluster, profile, wait
from distributed.metrics import time as dask_time

import dask_panes
from blocks import RecordedBlock, until_idle, work
from dask_panes.feed.schema import SCHEMA
from dask_panes.files.saving import save
from dask_panes.scheduler import ship
from dask_panes.scheduler.collector.plugin import PLUGIN_NAME
from tabs import session_of

#: How each topic shows whose work it reports: by name, by the times of its rows, or not at all (the cluster's state).
ABOUT = {
    "meta": "state",
    "tasks": "name",
    "workers": "state",
    "running": "state",
    "attempts": "name",
    "errors": "name",
    "prefixes": "name",
    "computations": "time",
    "graph": "name",
    "states": "name",
    "executed": "name",
    "groups": "name",
    "held": "name",
    "series": "time",
    "cache": "local",
    "events": "name",
    "steals": "maybe",
    "shuffles": "maybe",
    "hardware": "state",
    "bandwidth": "name",
    "activities": "name",
    "memory_samples": "time",
    "profile": "name",
    "loops": "loop",
    "transfers": "name",
    "logs": "name",
}


def inc(x: int) -> int:
    return x + 1


def double(x: int) -> int:
    return 2 * x


def spin(until: str) -> None:
    # A thread that keeps the GIL busy can starve the worker's profiler: one sample a second was seen.
    while not os.path.exists(until):
        time.sleep(0.001)


def samples_of(client: Client, prefix: str) -> tuple[int, int, int]:
    """Cycles in which the workers' profilers have samples of a function, how many, and how many until now in all."""

    def count(dask_worker) -> tuple[int, int, int]:
        trees = [trees[prefix] for _, trees in dask_worker.profile_keys_history if prefix in trees]
        newest = dask_worker.profile_keys[prefix]["count"] if prefix in dask_worker.profile_keys else 0
        return len(trees), newest, sum(tree["count"] for tree in trees) + newest

    cycles, newest, samples = zip(*client.run(count).values())
    return sum(cycles), sum(newest), sum(samples)


def in_a_cycle(client: Client, prefix: str, cycles: int) -> int:
    """Wait until this many cycles have ended and another one has begun; all samples until then."""
    patience = time.monotonic() + 180
    while True:
        ended, newest, samples = samples_of(client, prefix)
        if ended >= cycles and newest > 10:
            return samples
        assert time.monotonic() < patience
        time.sleep(0.02)


def check(recorded: RecordedBlock, begin: float, end: float, names: frozenset[str] = frozenset({"beta"})) -> None:
    """Every topic reports these functions, and nothing else."""
    assert recorded.complete
    assert recorded.why == ""
    assert recorded.missing == []
    about = {topic: recorded.about(topic) for topic, how in ABOUT.items() if how == "name"}
    assert about == dict.fromkeys(about, names)
    for topic, how in ABOUT.items():
        times = recorded.times(topic) if how in ("time", "loop", "maybe") else [begin]
        # Event loops have to do something, see below; Dask may neither steal nor shuffle, see `test_block_moves.py`.
        assert times or how in ("loop", "maybe"), topic
        assert all(begin - 0.05 <= at <= end for at in times), (topic, begin, end, sorted(times))
        assert how in ("local", "loop", "maybe") or any(recorded.bodies(topic)), topic


def test_every_topic_is_of_the_block(client, tmp_path: Path) -> None:
    assert ABOUT.keys() == SCHEMA["topics"].keys(), "a new topic needs a row in the table above"
    for path in (tmp_path / "first.dask-run", tmp_path / "second.dask-run"):
        work(client, "alpha")
        begin = time.time()
        with dask_panes.record(path, client) as recorder:
            work(client, "beta", recorder)
        end = time.time()
        work(client, "gamma")
        check(RecordedBlock(path), begin, end)


def hold(seconds: float, dask_worker: Any) -> None:
    """Compute on the event loop of a worker."""
    end = time.monotonic() + seconds
    noted = time.monotonic()
    while time.monotonic() < end:
        sum(range(1000))
        # Dask does not watch event loops on Python 3.11, which can lock up when it does: this is what it would note.
        if sys.version_info[:2] == (3, 11) and time.monotonic() > noted + 0.5:
            noted, tree = time.monotonic(), profile.create()
            profile.process(sys._getframe(), None, tree)
            dask_worker.io_loop.profile.append((dask_time(), tree))


def test_event_loops_are_of_the_block(client, tmp_path: Path) -> None:
    path = tmp_path / "loops.dask-run"
    client.run(hold, 1.5)
    begin = time.time()
    with dask_panes.record(path, client):
        # Dask writes their profiles down once a second, and has nothing of those that wait.
        client.run(hold, 2.5)
    end = time.time()
    client.run(hold, 1.5)
    times = RecordedBlock(path).times("loops")
    assert times
    assert all(begin - 0.05 <= at <= end for at in times), (begin, end, times)


def test_two_at_once_an_idle_one_and_one_that_raises(client, tmp_path: Path) -> None:
    with dask_panes.record(tmp_path / "outer.dask-run", client):
        work(client, "alpha")
        begin = time.time()
        with pytest.raises(KeyError), dask_panes.record(tmp_path / "inner.dask-run", client) as inner:
            work(client, "beta", inner)
            raise KeyError("mine")
        end = time.time()
    check(RecordedBlock(tmp_path / "inner.dask-run"), begin, end)
    outer = RecordedBlock(tmp_path / "outer.dask-run")
    for topic in ("tasks", "prefixes", "profile", "logs"):
        assert outer.about(topic) == {"alpha", "beta"}
    with dask_panes.record(tmp_path / "idle.dask-run", client):
        time.sleep(0.2)
    idle = RecordedBlock(tmp_path / "idle.dask-run")
    assert (idle.complete, idle.why, idle.missing) == (True, "", [])
    assert {topic: idle.about(topic) for topic, how in ABOUT.items() if how == "name"} == {
        topic: set() for topic, how in ABOUT.items() if how == "name"
    }
    assert len(idle.state("workers")) == 2


def test_results_of_before_that_are_released_in_the_block_are_not_of_it(client, tmp_path: Path) -> None:
    held = client.map(inc, range(20), pure=False)
    wait(held)
    with dask_panes.record(tmp_path / "run.dask-run", client):
        wait(client.map(double, range(10), pure=False))
        del held
        until_idle(client)
    recorded = RecordedBlock(tmp_path / "run.dask-run")
    counts = {recorded.names["prefixes"][found]: row for found, row in recorded.state("prefixes").items()}
    assert set(counts) == {"double"}
    assert counts["double"]["forgotten"] == 10
    assert recorded.about("graph") == recorded.about("states") == {"double"}


def test_everything_is_done_at_the_end(client, tmp_path: Path) -> None:
    """What the block waited for is done in every topic of the file, whatever interval a topic has."""
    for i in range(3):
        with dask_panes.record(tmp_path / f"{i}.dask-run", client):
            kept = client.map(inc, range(200), pure=False)
            total = client.submit(sum, kept, pure=False)
            assert total.result() == sum(range(1, 201))
        recorded = RecordedBlock(tmp_path / f"{i}.dask-run")
        assert len(list(recorded.rows("tasks"))) == 201
        assert set(recorded.states().values()) == {SCHEMA["enums"]["taskState"].index("memory")}
        assert len(recorded.states()) == 201
        workers = recorded.state("workers").values()
        assert sum(row["executing"] + row["processing"] for row in workers) == 0
        assert sum(row["in_memory"] for row in workers) >= 201
        rows = [*recorded.state("prefixes").values(), *recorded.state("groups").values()]
        assert sum(row["memory"] for row in rows) == 2 * 201
        assert not any(row["waiting"] + row["processing"] + row["queued"] for row in rows)
        assert sum(row["results"] for row in recorded.state("held").values()) == 201
        # Also in a script it is known what the client sent; it is marked during the block only.
        assert sum(row["graph"] for row in recorded.state("computations").values()) > 500
        patience = time.monotonic() + 30
        while "_send_to_scheduler" in vars(client):
            assert time.monotonic() < patience
            time.sleep(0.02)
        del kept, total


def test_the_profile_is_exact_to_a_sampling_tick(client, tmp_path: Path) -> None:
    """A function that runs before, in and after the block: samples of the block are those of its length."""
    over = tmp_path / "over"
    future = client.submit(spin, str(over), key="spin-1")
    before = in_a_cycle(client, "spin", 1)
    with dask_panes.record(tmp_path / "run.dask-run", client):
        ended, _, begin = samples_of(client, "spin")
        end = in_a_cycle(client, "spin", ended + 1)
    _, _, after = samples_of(client, "spin")
    over.touch()
    recorded = RecordedBlock(tmp_path / "run.dask-run")
    found = sum(row["samples"] for row in recorded.rows("profile"))
    # The block begins between the first two readings, and ends between the last two.
    assert before > 0
    assert end - begin <= found <= after - before
    future.result()


def report_of(client: Client) -> dict[str, Any]:
    """The facts of a report that is saved from a pane."""
    with session_of(client) as session:
        answer = client.sync(save, session, {"topics": ["meta", "tasks", "profile"]})
        while answer.get("pending"):
            answer = client.sync(save, session, {"id": answer["id"]})
        return dict(answer["facts"])


def test_a_worker_that_does_not_answer_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as made,
        Client(made) as client,
    ):
        stopped, other = client.run(os.getpid).items()
        path = tmp_path / "run.dask-run"
        client.sync(ship.register, client)
        reach = made.scheduler.plugins[PLUGIN_NAME].reach
        ask = reach._one

        async def impatient(address: str | None, *question: Any) -> Any:
            """On a busy machine, the one that is not stopped may take longer than a test can wait for the other."""
            return await (
                asyncio.wait_for(ask(address, *question), 2) if asks_stopped(address) else ask(address, *question)
            )

        def asks_stopped(address: str | None) -> bool:
            return ended is not None and address == stopped[0]

        monkeypatch.setattr(reach, "_one", impatient)
        ended: float | None = None
        try:
            begin = time.monotonic()
            with dask_panes.record(path, client):
                wait([client.submit(inc, i, key=f"inc-{i}", workers=[other[0]]) for i in range(10)])
                os.kill(stopped[1], signal.SIGSTOP)
                ended = time.monotonic()
            assert time.monotonic() - ended < 60
            of_report = report_of(client)["missing"]
        finally:
            os.kill(stopped[1], signal.SIGCONT)
        assert begin < ended
        recorded = RecordedBlock(path)
        assert recorded.why == ""
        (sentence,) = recorded.missing
        name = next(worker["name"] for worker in recorded.names["workers"] if worker["address"] == stopped[0])
        assert f"Worker {name} could not be read at the end" in sentence
        assert [f"Worker {name} could not be read at the end" in sentence for sentence in of_report] == [True]
        assert recorded.about("tasks") == {"inc"}
        # No attempt has ever failed in this cluster: that is reported, and does not look like a topic that is missing.
        assert any(True for _ in recorded.bodies("attempts"))
        assert recorded.about("attempts") == set()
        with dask_panes.record(path, client):
            client.submit(os.kill, stopped[1], signal.SIGKILL, workers=[other[0]]).result()
            patience = time.monotonic() + 30
            while stopped[0] in client.scheduler_info(n_workers=-1)["workers"]:
                assert time.monotonic() < patience
                time.sleep(0.05)
        assert any(f"Worker {name} left during the block" in sentence for sentence in RecordedBlock(path).missing)
        # A cluster that closes while a nanny replaces its worker waits forever.
        client.wait_for_workers(2)

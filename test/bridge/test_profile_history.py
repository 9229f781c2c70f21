"""Profiles are read from the first task on, also while no pane is open; on real clusters."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import dask
import pytest
from distributed import Client, LocalCluster, Scheduler

from dask_panes.kernel.gather import profile
from dask_panes.kernel.gather.answers import Answers
from dask_panes.kernel.gather.probe import WorkerReach
from dask_panes.kernel.gather.profile import ProfileSource
from dask_panes.kernel.gather.profile_log import Row
from dask_panes.kernel.gather.profiles import Profiles
from dask_panes.kernel.gather.sources import Sources
from dask_panes.kernel.options import KernelOptions
from dask_panes.kernel.session.session import Session
from dask_panes.scheduler.collector.plugin import Collector
from jupyter import RealKernel
from processes import end
from tabs import Tab, session_of

#: A scheduler with a worker, in a process that ends with its stdin; what it logs goes to a file.
SCHEDULER = """
import asyncio, logging, sys
from distributed import Scheduler, Worker

async def main(port, log):
    logging.getLogger("distributed").addHandler(logging.FileHandler(log))
    async with Scheduler(host="127.0.0.1", port=port, dashboard=False) as scheduler:
        async with Worker(scheduler.address, nthreads=2, dashboard=False):
            print(scheduler.address, flush=True)
            await asyncio.to_thread(sys.stdin.read)

asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
"""


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute of reads takes some seconds."""
    monkeypatch.setattr(profile, "SELDOM", 0.3)


def busy(number: int) -> int:
    end = time.time() + 0.1
    while time.time() < end:
        sum(range(500))
    return number


@contextmanager
def lasting(client: Client, history: bool = True) -> Iterator[Session]:
    """A session as a kernel has it."""
    with session_of(client, KernelOptions(profile_history=history), lasting=True) as session:
        yield session


@contextmanager
def in_process(workers: int = 2, **options: Any) -> Iterator[Client]:
    with (
        LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=False, dashboard_address=None, **options
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def kept(session: Session) -> Profiles:
    source: Any = session.delivery.sources._sources["profile"]
    found: Profiles = source._kept
    return found


def samples_of(tab: Tab) -> int:
    total = 0
    for body in tab.bodies("profile"):
        total = sum(body["c"]["samples"]) + (total if body["s"]["first"] else 0)
    return total


def wait_until(condition: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def sampled(client: Client) -> int:
    """Work until Dask has some samples; how many it takes depends on how busy the machine is."""
    while client.profile()["count"] <= 50:
        client.gather(client.map(busy, range(10), pure=False))
    return int(client.profile()["count"])


def taught(client: Client) -> int:
    """Workers in this process that were taught a probe."""
    return sum(
        any(op.startswith("dask_panes_profile") for op in worker.handlers) for worker in client.cluster.workers.values()
    )


def test_a_late_pane_shows_a_worker_that_left_before_it_was_opened() -> None:
    begun = time.time()
    with in_process() as client, lasting(client) as session:
        ready = time.time()
        total = sampled(client)
        wait_until(lambda: sum(sum(batch.columns["samples"]) for batch in kept(session).log._batches) >= total)
        victim = next(iter(client.scheduler_info()["workers"]))
        client.retire_workers([victim])
        wait_until(lambda: len(client.scheduler_info()["workers"]) == 1)
        assert client.profile()["count"] < total
        tab = Tab(client, session).want("meta", "profile").until(lambda tab: bool(tab.bodies("profile")))
        tab.until(lambda tab: tab.bodies("profile")[-1]["s"]["gone"] == 1)
        assert samples_of(tab) >= total
        facts = tab.bodies("profile")[-1]["s"]
    assert facts["history"] is True
    # From the first cycle of the workers on, whenever the pane was opened.
    assert begun - 5 < facts["known"] < ready + 5


def test_nothing_is_asked_before_a_task_and_nothing_while_nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    put = WorkerReach._put

    async def count(self: WorkerReach, *given: Any, **more: Any) -> Answers:
        asked.append(1)
        return await put(self, *given, **more)

    monkeypatch.setattr(WorkerReach, "_put", count)
    with in_process() as client, lasting(client) as session:
        wait_until(lambda: kept(session).executed == 0)
        time.sleep(1.5)
        # Not even the line in a worker's log that teaching it a probe leaves.
        assert (asked, taught(client)) == ([], 0)
        client.submit(busy, 1).result()
        wait_until(lambda: taught(client) == 2)
        # Idle is what has had no task for 10 s; one read comes after that.
        wait_until(lambda: kept(session).settled and kept(session).executed == 1)
        count_then = len(asked)
        time.sleep(1.5)
        assert len(asked) == count_then
        client.submit(busy, 2).result()
        wait_until(lambda: len(asked) > count_then)


def test_without_history_workers_are_asked_for_panes_only() -> None:
    with in_process() as client, lasting(client, history=False) as session:
        client.gather(client.map(busy, range(10)))
        time.sleep(1)
        assert taught(client) == 0
        tab = Tab(client, session).want("profile").until(lambda tab: bool(tab.bodies("profile")))
        assert tab.bodies("profile")[-1]["s"]["history"] is False
        tab.leave()


def test_a_session_of_a_block_keeps_no_history() -> None:
    with in_process() as client:
        session = Session(client, lambda: None, KernelOptions())
        client.sync(session.start)
        client.gather(client.map(busy, range(10)))
        time.sleep(1)
        assert taught(client) == 0
        client.sync(session.finish)


def test_two_clients_of_one_scheduler_read_its_workers_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Profiles] = []
    look = ProfileSource._look

    async def note(self: ProfileSource, found: Profiles, *given: Any) -> bool:
        looks.append(found)
        return await look(self, found, *given)

    monkeypatch.setattr(ProfileSource, "_look", note)
    monkeypatch.setattr(profile, "SELDOM", 1.0)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        # Each by the address: with a loop, and so a thread, of its own.
        first, second = Client(cluster.scheduler_address), Client(cluster.scheduler_address)
        with second, first, lasting(first) as one, lasting(second) as other:
            assert first.loop is not second.loop
            wait_until(lambda: kept(one) is kept(other))
            begin, count = time.monotonic(), len(looks)
            while len(looks) < count + 4:
                first.gather(first.map(busy, range(10), pure=False))
            # Each pace has one read, not one for each client.
            assert len(looks) - count <= time.monotonic() - begin + 1
            total = sampled(first)
            tab = Tab(second, other).want("profile").until(lambda tab: samples_of(tab) >= total)
            assert samples_of(tab) == second.profile()["count"]
            tab.leave()
            shared = kept(other)
            # The first client is gone, in the middle of a read or not: the second goes on.
            first.sync(_end, one)
            count = len(looks)
            second.gather(second.map(busy, range(10), pure=False))
            wait_until(lambda: len(looks) > count)
            assert kept(other) is shared


async def _end(session: Session) -> None:
    session.close()


def test_panes_of_two_clients_take_turns() -> None:
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster.scheduler_address) as first,
        Client(cluster.scheduler_address) as second,
        lasting(first) as one,
        lasting(second) as other,
    ):
        tabs = [Tab(client, session).want("profile") for client, session in ((first, one), (second, other))]
        total = sampled(first)
        for tab in tabs:
            # Also the one whose session has not read the newest samples itself.
            tab.until(lambda tab: samples_of(tab) >= total)
            tab.leave()


def test_a_replaced_scheduler_is_read_again_and_logs_nothing(own_port: int, tmp_path: Path) -> None:
    started: list[subprocess.Popen[str]] = []

    def start(log: str) -> str:
        command = [sys.executable, "-c", SCHEDULER, str(own_port), str(tmp_path / log)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout is not None
        return process.stdout.readline().strip()

    try:
        with Client(start("first")) as client, lasting(client) as session:
            client.gather(client.map(time.sleep, [0.1] * 10, pure=False))
            wait_until(lambda: kept(session).size > 0)
            before = kept(session)
            started[0].kill()
            wait_until(lambda: client.status == "connecting")
            start("second")
            wait_until(lambda: client.status == "running")
            while not (total := client.profile()["count"]):
                client.gather(client.map(time.sleep, [0.1] * 10, pure=False))
            wait_until(lambda: kept(session) is not before and kept(session).size > 0)
            tab = Tab(client, session).want("profile").until(lambda tab: samples_of(tab) >= total)
            # Nothing of the first scheduler is in it.
            assert samples_of(tab) == client.profile()["count"]
            tab.leave()
        assert "No handler" not in (tmp_path / "second").read_text()
    finally:
        for process in started:
            end(process)


def test_an_idle_scheduler_closes_when_its_idle_timeout_ends() -> None:
    # A cluster looks for a scheduler that has closed itself, by default for half a minute.
    with (
        dask.config.set({"distributed.scheduler.idle-timeout": "8s", "distributed.comm.timeouts.connect": "2s"}),
        in_process(1, silence_logs=logging.CRITICAL) as client,
        lasting(client) as session,
    ):
        client.submit(busy, 1).result()
        wait_until(lambda: kept(session).size > 0)
        wait_until(lambda: client.cluster.scheduler.status.name != "running")


def test_nothing_of_it_is_printed_in_a_kernel(new_kernel: RealKernel) -> None:
    new_kernel.run("from dask_panes.kernel.gather import profile\nprofile.SELDOM = 0.2")
    made = "from distributed import Client\nclient = Client(n_workers=1, processes=False, dashboard_address=None)"
    assert new_kernel.run(made) == ""
    read = "activate.channel().clients.sessions[client.id].delivery.sources._sources['profile'].end"
    code = f"""
        import time
        from dask_panes.kernel import activate
        client.gather(client.map(lambda x: time.sleep(0.1) or x, range(20)))
        begin = time.time()
        while not {read} and time.time() - begin < 60:
            time.sleep(0.1)
        client.close()
        client.cluster.close()
        time.sleep(1)
        print(bool(begin))
    """
    assert new_kernel.run("\n".join(line[8:] for line in code.splitlines())) == "True\n"


# -- how often -------------------------------------------------------------------------------------------------------


class Cluster:
    """Workers that answer a probe with a history of so many seconds, and with answers of some size."""

    def __init__(self, workers: int, kept: float, size: int = 0) -> None:
        self.workers, self.kept, self.size = workers, kept, size

    async def ask(self, name: str, args: dict[str, Any]) -> dict[str, Any]:
        ids = range(args["begin"], min(self.workers, args["begin"] + args["at_most"]))
        facts = {"end": 1.0, "more": False, "dropped": False, "since": 5.0, "cut": False, "kept": self.kept}
        status = {"on": True, "interval": 0.01, "cycle": 1.0, "watched": [], "python": [3, 12], "time": 9.0}
        empty = {"frames": [], "stacks": b"", "prefixes": ["." * self.size]}
        rows = {"rows": dict.fromkeys(("time", "span", "prefix", "stack", "samples"), b"")}
        answers = [[i, {"answer": {**facts, **status, **empty, **rows}}] for i in ids]
        left = ids.stop if 0 < ids.stop < self.workers else -1
        reply = {
            "answers": answers,
            "failed": [],
            "refusal": "",
            "idle": False,
            "readers": 1,
            "feed": "",
            "executed": 1,
        }
        return {**reply, "workers": self.workers, "next": left}


def seldom(monkeypatch: pytest.MonkeyPatch, workers: int, kept: float, size: int = 0) -> tuple[float, float]:
    """Seconds to the next read, and seconds that a read of all pauses."""
    monkeypatch.setattr(profile, "SELDOM", 20.0)
    pauses: list[float] = []
    sleep = asyncio.sleep

    async def note(seconds: float) -> None:
        pauses.append(seconds)
        await sleep(0)

    monkeypatch.setattr("dask_panes.kernel.gather.probe.asyncio", SimpleNamespace(sleep=note))
    source = ProfileSource("profile")
    source.ease = 2.0
    asyncio.run(source.look(WorkerReach(Cluster(workers, kept, size).ask)))
    return source.seldom, sum(pauses)


def test_workers_are_read_the_less_often_the_more_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    assert seldom(monkeypatch, 4, 1_000.0)[0] == 20.0
    # 200 µs for each worker and 10 ns for each byte are at most half of 1 %, and ordinarily a quarter.
    assert 80.0 < seldom(monkeypatch, 1_000, 1_000.0)[0] < 90.0
    assert 160.0 < seldom(monkeypatch, 1_000, 1_000.0, 20_000)[0] < 170.0
    # Before they drop what was not read, but never for more than half of 1 %.
    assert seldom(monkeypatch, 4, 30.0)[0] == 15.0
    pace, pauses = seldom(monkeypatch, 1_000, 30.0)
    assert 40.0 < pace < 45.0
    # While all are read, too.
    assert pauses > 2 * 0.02 * 900


def test_kernels_share_what_a_scheduler_gives_for_it() -> None:
    async def readers(again: float) -> list[int]:
        async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
            collector = Collector()
            await collector.start(scheduler)
            scheduler.plugins[collector.name] = collector
            counts: list[int] = []
            for kernel in ("a", "b", "a", "c"):
                asked = {"op": "", "install": b"", "arguments": {}, "each": [], "timeout": 1.0, "begin": 0}
                answer = await collector.ask("servers", {**asked, "asker": kernel, "again": again})
                counts.append(answer["readers"])
            await collector.close()
            return counts

    assert asyncio.run(readers(60.0)) == [1, 2, 2, 3]
    assert asyncio.run(readers(0.0)) == [0, 0, 0, 0]


def test_samples_are_known_from_where_all_of_them_are() -> None:
    source = ProfileSource("profile")

    def answer(since: float, cut: bool) -> dict[str, Any]:
        rows = dict.fromkeys(("time", "span", "prefix", "stack", "samples"), b"")
        facts = {"end": 90.0, "more": False, "dropped": False, "since": since, "cut": cut, "watched": []}
        return {**facts, "frames": [], "stacks": b"", "prefixes": [], "rows": rows, "time": 99.0}

    found = source._kept
    assert found.known == 0.0
    found.take(0, answer(40.0, False), set())
    found.take(1, answer(30.0, False), set())
    assert found.known == 30.0
    # Of a worker that has dropped older cycles nobody knows what it did before.
    found.take(2, answer(50.0, True), set())
    assert found.known == 50.0
    # One that joins later takes nothing away.
    found.take(3, answer(95.0, False), set())
    assert found.known == 50.0


def test_a_read_that_is_never_ended_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    found, one, other = Profiles(False), ProfileSource("profile"), ProfileSource("profile")
    assert found.take_turn(one)
    assert not found.take_turn(other)
    monkeypatch.setattr("dask_panes.kernel.gather.profiles.GIVEN_UP", 0.0)
    assert found.take_turn(other)
    # Its end counts for nothing then.
    found.end_turn(one)
    assert found.looked == -inf
    found.end_turn(other)
    assert found.looked_by_others(one) == found.looked > found.looked_by_others(other) == -inf


def test_sources_that_nobody_keeps_history_of_have_no_watch() -> None:
    spawned: list[Any] = []
    sources = Sources([ProfileSource("loops")], WorkerReach(Cluster(0, 0.0).ask), spawned.append, lambda: None)
    sources.keep_history(True)
    assert spawned == []


def test_what_a_session_has_taken_is_kept_if_it_is_closed_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another client of the scheduler goes on from the positions of the first."""
    taken: list[int] = []

    def take(self: Profiles, server: int, answer: Any, watched: Any) -> tuple[bool, list[Row]]:
        taken.append(server)
        return False, [Row(0, 1000, server, 0, 0, 1)]

    monkeypatch.setattr(Profiles, "take", take)
    source = ProfileSource("profile")

    async def close_in_the_middle() -> None:
        reading = asyncio.ensure_future(source.look(WorkerReach(Cluster(5, 1_000.0).ask)))
        while len(taken) < 2:
            await asyncio.sleep(0)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

    asyncio.run(close_in_the_middle())
    assert 2 <= len(taken) < 5
    assert sum(len(batch.columns["samples"]) for batch in source._log._batches) == len(taken)

"""Topics that a session gathers from the workers itself."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import dask
import pytest
from distributed import Client, LocalCluster, Worker, wait

from dask_panes.kernel.gather.probe import Probe, WorkerReach
from dask_panes.kernel.gather.probes.logs import probe as read_logs
from dask_panes.kernel.gather.sources import Reading, Source
from dask_panes.kernel.options import KernelOptions
from dask_panes.kernel.session import delivery
from dask_panes.scheduler.collector.names import Names
from dask_panes.scheduler.collector.plugin import PLUGIN_NAME
from dask_panes.scheduler.collector.reach import REST, Reach
from reader import Reader
from restart import restart, restartable
from tabs import Tab, session_of

#: Returns what it was asked, where it ran, and how often.
ECHO = """
import os

calls = []

def probe(server, say="", until="", fail=False):
    import time
    calls.append(say)
    while until and not os.path.exists(until):
        time.sleep(0.01)
    if fail:
        raise ValueError("as asked")
    return {"say": say, "pid": os.getpid(), "type": type(server).__name__, "calls": len(calls)}
"""


class Pids(Source):
    """One row for each look: the processes of the workers."""

    topic = "profile"
    interval = 0.1

    def __init__(self) -> None:
        self.looks: list[list[int]] = []
        #: Looks that have begun.
        self.begun = 0
        self.probe = Probe("echo", ECHO)

    @property
    def end(self) -> int:
        return len(self.looks)

    def read(self, cursor: int) -> Reading:
        return {"s": {"first": cursor, "looks": self.looks[cursor : cursor + 5]}}, min(self.end, cursor + 5)

    async def begin(self, reach: WorkerReach) -> None:
        """There is nothing from before."""

    async def look(self, reach: WorkerReach, last: bool = False) -> bool:
        self.begun += 1
        answers = await reach.workers(self.probe, {"say": "pid"})
        self.looks.append(sorted(answer["pid"] for answer in answers.of.values()))
        return True

    def forget(self) -> None:
        self.looks = []


@pytest.fixture
def pids(monkeypatch: pytest.MonkeyPatch) -> Pids:
    source = Pids()
    monkeypatch.setattr(delivery, "make_sources", lambda: [source])
    return source


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        yield cluster


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as client:
        yield client
        # The next test has a collector, and so questions to the workers, of its own.
        Reader(client).ask("remove")


def echo() -> Probe:
    """A probe that no worker knows yet."""
    return Probe("echo", f"{ECHO}\n# {uuid4().hex}\n")


def looks(tab: Tab) -> list[list[int]]:
    return [look for body in tab.bodies("profile") for look in body["s"]["looks"]]


def ask(session: Any, client: Client, *arguments: Any, scheduler: bool = False, patience: float = 10.0) -> Any:
    reach = WorkerReach(session.ask, patience)
    return client.sync(reach.scheduler if scheduler else reach.workers, *arguments)


def test_nobody_is_asked_while_nobody_looks(client: Client, pids: Pids) -> None:
    with session_of(client) as session:
        tab = Tab(client, session).want("meta", "tasks")
        tab.until(lambda tab: "meta" in tab.last["topics"] if tab.frames else False)
        time.sleep(0.5)
        assert pids.looks == []
        tab.retopic("meta", "tasks", "profile")
        tab.until(lambda tab: len(looks(tab)) >= 3)
        tab.retopic("meta")
        count = pids.begun
        time.sleep(0.5)
        assert pids.begun == count
        tab.leave()


def test_the_configuration_may_slow_a_topic_down(client: Client, pids: Pids) -> None:
    with session_of(client, KernelOptions(intervals={"profile": 30.0})) as session:
        Tab(client, session).want("profile").until(lambda tab: len(looks(tab)) == 1)
        time.sleep(0.5)
        assert len(pids.looks) == 1


def test_every_tab_gets_the_past_and_then_the_news(client: Client, pids: Pids) -> None:
    with session_of(client) as session:
        first = Tab(client, session).want("profile").until(lambda tab: len(looks(tab)) >= 8)
        late = Tab(client, session).want("meta", "profile").until(lambda tab: len(looks(tab)) >= 12)
        assert late.bodies("profile")[0]["s"]["first"] == 0
        for tab in (first, late):
            seen = looks(tab)
            assert seen == pids.looks[: len(seen)]
            assert seen[0] == sorted(client.run(os.getpid).values())
        # A reload goes on from where the tab stood.
        late.leave()
        count = len(looks(late))
        before = time.time()
        again = Tab(client, session).want("profile", after=late).until(lambda tab: len(looks(tab)) >= 2)
        assert again.bodies("profile")[0]["s"]["first"] == count
        # The scheduler's clock is this one; what is known of it is late by the way of an answer.
        assert before - 2 < again.last["time"] <= time.time() + 0.01


def test_a_cursor_of_an_earlier_kernel_starts_over(client: Client, pids: Pids) -> None:
    with session_of(client) as session:
        before = Tab(client, session).want("profile").until(lambda tab: len(looks(tab)) >= 3)
    with session_of(client) as session:
        pids.forget()
        tab = Tab(client, session).want("profile", after=before).until(lambda tab: len(looks(tab)) >= 1)
        assert tab.bodies("profile")[0]["s"]["first"] == 0


def test_a_tab_without_credit_gets_nothing_more(client: Client, pids: Pids, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dask_panes.kernel.session.subscriber.CREDIT_FRAMES", 4)
    with session_of(client) as session:
        tab = Tab(client, session)
        tab.prompt = False
        tab.want("profile").until(lambda tab: len(tab.frames) == 4)
        pids.looks += [[1]] * 20
        time.sleep(0.5)
        assert len(tab.frames) == 4

        async def acknowledge() -> None:
            session.acknowledge(tab.subscriber, 3)

        client.sync(acknowledge)
        tab.until(lambda tab: len(tab.frames) > 4)
        assert looks(tab) == pids.looks[: len(looks(tab))]


def test_history_comes_again_after_a_restart(pids: Pids) -> None:
    with restartable() as client, session_of(client) as session:
        tab = Tab(client, session).want("profile").until(lambda tab: len(looks(tab)) >= 3)
        restart(client)
        tab.until(lambda tab: tab.last["epoch"] == 1 and "profile" in tab.last["topics"])
        begun = [frame for frame in tab.frames if frame["epoch"] == 1 and "profile" in frame["topics"]]
        assert begun[0]["topics"]["profile"]["s"]["first"] == 0
        new = sorted(client.run(os.getpid).values())
        tab.until(lambda tab: looks(tab)[-1] == new)


@pytest.mark.parametrize("leaves", [False, True])
def test_a_topic_that_is_taken_up_again_does_not_wait_for_the_end_of_a_poll(
    leaves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def patient(dask_scheduler: Any) -> None:
        polls = sys.modules[type(dask_scheduler.plugins[PLUGIN_NAME].polls).__module__]
        polls.LONGEST_POLL = 600.0  # type: ignore[attr-defined]

    # Polls last longer than the test waits for anything, however busy the machine is.
    monkeypatch.setattr(delivery, "POLL_SECONDS", 600.0)
    with restartable() as client, session_of(client) as session:
        client.run_on_scheduler(patient)
        # Of runs of a MemorySampler nothing will ever be sent: a poll for them alone lasts.
        tab = Tab(client, session).want("memory_samples", "groups").until(lambda tab: bool(tab.bodies("groups")))
        tab.retopic("memory_samples")
        wait(client.map(abs, range(10)))
        time.sleep(1)
        assert len(tab.bodies("groups")) == 1
        if leaves:
            # As a tab does that hides its last pane before it shows another one.
            tab.leave()
            tab = Tab(client, session).want("memory_samples", "groups", after=tab)
        else:
            tab.retopic("memory_samples", "groups")
        tab.until(lambda tab: any(len(body["c"]["id"]) for body in tab.bodies("groups")))


def test_workers_come_and_go(pids: Pids, caplog: pytest.LogCaptureFixture) -> None:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
        session_of(client) as session,
        caplog.at_level(logging.WARNING),
    ):
        tab = Tab(client, session).want("profile").until(lambda tab: len(looks(tab)[-1:]) == 1)
        cluster.scale(3)
        tab.until(lambda tab: len(looks(tab)[-1]) == 3)
        victim = looks(tab)[-1][0]
        os.kill(victim, signal.SIGKILL)
        tab.until(lambda tab: victim not in looks(tab)[-1] and len(looks(tab)[-1]) == 3)
        assert not [
            record for record in caplog.records if "broadcast" in record.message or "dask_panes" in record.message
        ]


def test_a_line_of_workers_in_one_process_comes_once() -> None:
    logger = logging.getLogger("distributed.worker")

    def count_lines(workers: Iterable[Worker], text: str) -> int:
        return sum(text in line[4] for worker in workers for line in read_logs(worker)["lines"])

    with LocalCluster(n_workers=2, processes=False, dashboard_address=None, silence_logs=False) as cluster:
        workers = list(cluster.workers.values())
        logger.warning("a line of both")
        # The second reader gets it, too.
        assert [count_lines(workers, "a line of both"), count_lines(workers, "a line of both")] == [1, 1]
        # When the worker that reported it has closed, the other one does.
        first = next(worker for worker in workers if count_lines([worker], "a line of both"))
        cluster.sync(first.close)
        assert count_lines([worker for worker in workers if worker is not first], "a line of both") == 1


def test_a_probe_is_installed_once_and_answers_for_itself(client: Client) -> None:
    probe = echo()
    before = {address: len(log) for address, log in client.get_worker_logs().items()}
    with session_of(client) as session:
        one = ask(session, client, probe, {"say": "a"})
        two = ask(session, client, probe, {"say": "b"}, {min(one.of): {"say": "c"}})
        own = ask(session, client, probe, {"say": "d"}, scheduler=True)
    assert sorted(one.of) == sorted(two.of) == [0, 1]
    assert [answer["calls"] for answer in two.of.values()] == [2, 2]
    assert {answer["say"] for answer in two.of.values()} == {"b", "c"}
    assert {answer["type"] for answer in one.of.values()} <= {"Worker", "WorkerTable", "Nanny"}
    assert own.of[-1]["type"] == "Scheduler"
    # One line each for the installation, none for the questions.
    for address, log in client.get_worker_logs().items():
        # Dask gives the newest first.
        lines = [text for _, text in log[: len(log) - before[address]] if "out-of-band" in text]
        assert len(lines) <= 1
        # Whose it is can be read.
        assert all(probe.op in text for text in lines)


def test_lines_of_the_log_that_only_we_caused_are_left_out(client: Client) -> None:
    def of_the_user(dask_worker: Any) -> None:
        pass

    # Other tests of this cluster are users, too.
    before = {text for log in client.get_worker_logs().values() for _, text in log}
    with session_of(client) as session:
        ask(session, client, echo())
        client.run(of_the_user)
        tab = Tab(client, session).want("logs")

        def lines() -> list[str]:
            return [text for body in tab.bodies("logs") for text in body["s"]["text"]]

        tab.until(lambda _: sum("of_the_user" in line for line in lines()) == 2)
        assert "out-of-band" in "".join(lines())
        of_us = [line for line in lines() if "out-of-band" in line and "of_the_user" not in line]
        assert not set(of_us) - before


def test_one_slow_or_failing_worker_holds_nobody_up(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    probe, gate = echo(), tmp_path / "gate"
    with session_of(client) as session:
        reach = client.cluster.scheduler.plugins[PLUGIN_NAME].reach
        module = sys.modules[type(reach).__module__]
        # Until the test says that it is over.
        monkeypatch.setattr(module, "monotonic", lambda: 1000.0)
        assert sorted(ask(session, client, probe).of) == [0, 1]
        slow = ask(session, client, probe, {}, {0: {"until": str(gate)}}, patience=2)
        assert sorted(slow.of) == [1]
        assert slow.failed == {0: "no answer within 2 s"}
        failing = ask(session, client, probe, {}, {1: {"fail": True}})
        assert "as asked" in failing.failed[1]
        # It is not waited for again and again: for a while its last state is reported, and then it is asked again.
        begin = time.monotonic()
        assert ask(session, client, probe, patience=20.0).failed == slow.failed
        assert time.monotonic() - begin < 15
        gate.touch()
        assert ask(session, client, probe).failed == slow.failed
        monkeypatch.setattr(module, "monotonic", lambda: 1000.0 + module.REST)
        assert sorted(ask(session, client, probe, patience=20.0).of) == [0, 1]


def test_a_worker_that_cannot_be_reached_is_left_alone_longer_and_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    async def look(scheduler: Any) -> list[dict[str, Any]]:
        # It registers and works, and nothing listens at the address that it reports: a firewall, a wrong interface.
        reach = Reach(scheduler, Names())
        connect = scheduler.rpc.connect

        async def note(address: str, *args: Any, **kwargs: Any) -> Any:
            tried.append(address)
            return await connect(address, *args, **kwargs)

        scheduler.rpc.connect = note
        answers = []
        for moment in (0.0, 0.6 * REST, 1.2 * REST):
            monkeypatch.setattr("dask_panes.scheduler.collector.reach.monotonic", lambda moment=moment: moment)
            answers.append(await reach.ask("op", b"", {}, {}, 0.2))
        assert reach._resting[0].seconds == pytest.approx(2 * REST)
        return answers

    with LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster:
        (worker,) = cluster.workers.values()
        worker._stop_listeners()
        answers = cluster.sync(look, cluster.scheduler)
    assert [answer["answers"] for answer in answers] == [[], [], []]
    assert len(tried) == 2


def test_workers_that_take_no_code_are_asked_once() -> None:
    with (
        dask.config.set({"distributed.worker.blocked-handlers": ["run"]}),
        Client(n_workers=3, threads_per_worker=1, dashboard_address=None, processes=False) as client,
        session_of(client) as session,
    ):
        answers = ask(session, client, Probe("echo", ECHO))
        assert answers.of == {}
        assert "run" in answers.refusal
        assert "blocked-handlers" in answers.refusal


def test_nothing_is_left_when_the_client_closes(pids: Pids) -> None:
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        client = Client(cluster)
        with session_of(client) as session:
            tab = Tab(client, session).want("profile").until(lambda tab: len(looks(tab)) >= 2)

        async def ended() -> None:
            end = time.monotonic() + 180
            while left := [task for task in asyncio.all_tasks() if "Sources" in repr(task.get_coro())]:
                assert time.monotonic() < end, left
                await asyncio.sleep(0.02)

        client.sync(ended)
        count = len(pids.looks)
        client.close()
        time.sleep(0.3)
        assert len(pids.looks) == count
        assert tab.session.closed

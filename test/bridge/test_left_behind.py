"""What was given up, failed or replaced leaves no task, timer or data behind, and says nothing below a cell."""

from __future__ import annotations

import asyncio
import gc
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import Client, LocalCluster

import dask_panes
from dask_panes.files import saving
from dask_panes.files.block.gathering import Gathering
from dask_panes.files.page import ReportPageError, require_page
from dask_panes.kernel.channel.threads import in_thread
from dask_panes.kernel.gather import transfers
from dask_panes.kernel.gather.probe import SCHEDULER, WorkerReach
from dask_panes.kernel.gather.topics import make_sources
from dask_panes.kernel.options import KernelOptions, options
from dask_panes.kernel.session.link import Link
from dask_panes.kernel.session.session import Session
from dask_panes.kernel.session.subscriber import Subscriber
from dask_panes.kernel.session.work import Work
from dask_panes.scheduler.collector.plugin import PLUGIN_NAME


def eventually(condition: Callable[[], Any]) -> Any:
    end = time.monotonic() + 60
    while not (found := condition()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return found


def tasks_of(client: Client) -> list[str]:
    """Our tasks on the loop of a client."""

    async def found() -> list[str]:
        return [repr(task) for task in asyncio.all_tasks() if "/dask_panes/" in repr(task)]

    tasks: list[str] = client.sync(found)
    return tasks


def logged_of_ours(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What asyncio logged of our tasks.

    A `BatchedSend` of distributed that waits while its loop stops leaves a future of tornado, which is logged, too.
    """
    messages = [record.getMessage() for record in caplog.records if record.name == "asyncio"]
    return [message for message in messages if "/dask_panes/" in message]


def test_a_recording_that_cannot_begin_leaves_nothing(client: Client) -> None:
    with pytest.raises(OSError, match="No space left"), dask_panes.record("/dev/full", client):
        pytest.fail("it has begun")
    eventually(lambda: not tasks_of(client))


@pytest.mark.parametrize("moment", ["ready", "_await"])
def test_a_recording_that_is_interrupted_at_its_begin_leaves_nothing(
    moment: str, client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers may take ten seconds to answer."""

    async def interrupt(*_: Any) -> None:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        await asyncio.sleep(3600)

    place = "kernel.session.session.Session" if moment == "ready" else "files.block.feed.BlockFeed"
    monkeypatch.setattr(f"dask_panes.{place}.{moment}", interrupt)

    path = tmp_path / "run.dask-run"
    with pytest.raises(KeyboardInterrupt), dask_panes.record(path, client):
        pytest.fail("it has begun")
    eventually(lambda: not tasks_of(client))
    eventually(lambda: "dask-panes-recorder" not in [thread.name for thread in threading.enumerate()])
    assert not path.exists()


def test_a_recording_that_is_interrupted_while_its_loop_takes_over_leaves_nothing(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = asyncio.run_coroutine_threadsafe

    async def wait(*_: Any) -> None:
        await asyncio.sleep(3600)

    def interrupted(*args: Any) -> Any:
        given(*args)
        raise KeyboardInterrupt

    monkeypatch.setattr("dask_panes.kernel.session.session.Session.ready", wait)
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(asyncio, "run_coroutine_threadsafe", interrupted)
        with dask_panes.record(tmp_path / "run.dask-run", client):
            pytest.fail("it has begun")
    eventually(lambda: not tasks_of(client))


def test_a_report_for_which_no_page_asks_any_more_says_and_keeps_nothing(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What asyncio logs is printed below the user's cell."""
    monkeypatch.setattr(saving, "ANSWER_SECONDS", 0.0)

    gone = asyncio.Event()

    async def fails(*_: Any) -> list[bytes]:
        await gone.wait()
        raise RuntimeError("the scheduler is gone")

    monkeypatch.setattr(saving, "frames_of", fails)
    session = Session(client, lambda: None, options())

    async def begin() -> str:
        await session.start()
        return str((await saving.save(session, {}))["id"])

    name = client.sync(begin)
    client.loop.add_callback(gone.set)
    eventually(saving._kept[name].task.done)
    client.sync(session.finish)
    saving._kept.pop(name, None)
    gc.collect()
    assert logged_of_ours(caplog) == []


def test_a_report_that_is_not_fetched_goes_with_its_client(monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(saving._kept)
    with Client(n_workers=1, processes=False, dashboard_address=None, set_as_default=False) as client:
        session = Session(client, lambda: None, options())

        async def gathered() -> dict[str, Any]:
            await session.start()
            answer = await saving.save(session, {"topics": ["meta"]})
            while answer.get("pending"):
                answer = await saving.save(session, {"id": answer["id"]})
            return answer

        assert client.sync(gathered)["size"] > 0
        client.sync(session.finish)
    assert set(saving._kept) == before


async def noticed(cluster: LocalCluster, workers: int) -> None:
    """Wait until scheduler and cluster have as many: the latter fails if it hears of a leaving worker only."""
    while not len(cluster.scheduler.workers) == len(cluster.scheduler_info["workers"]) == workers:
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("topic", ["logs", "transfers", "profile"])
async def test_workers_that_have_left_are_not_asked_about_for_ever(topic: str) -> None:
    """On an adaptive cluster thousands come and go."""
    async with (
        LocalCluster(n_workers=2, processes=False, dashboard_address=None, asynchronous=True) as cluster,
        Client(cluster, asynchronous=True) as client,
    ):
        session = Session(client, lambda: None, options())
        await session.start()
        asked: set[int] = set()

        async def ask(name: str, args: dict[str, Any]) -> Any:
            asked.update(server for server, _ in args["each"])
            return await session.ask(name, args)

        source = next(each for each in make_sources() if each.topic == topic)
        reach = WorkerReach(ask)

        for _ in range(3):
            cluster.scale(0)
            await cluster
            await noticed(cluster, 0)
            cluster.scale(2)
            await client.wait_for_workers(2)
            await noticed(cluster, 2)
            await source.look(reach)
            asked.clear()
            await source.look(reach)
            assert len(asked - {SCHEDULER}) == 2
            known = cluster.scheduler.plugins[PLUGIN_NAME].reach._installed
            assert len(known.keys() - {SCHEDULER}) == 2
        await session.finish()


async def test_a_cluster_that_comes_together_with_the_request_to_stop_is_closed() -> None:
    """It may be jobs of a batch system."""
    go, done, dropped = threading.Event(), threading.Event(), threading.Event()

    def make() -> str:
        assert go.wait(60)
        done.set()
        return "cluster"

    task = asyncio.create_task(in_thread(make, lambda _: dropped.set()))
    await asyncio.sleep(0)
    go.set()
    # This loop is busy until the result is there, then both are in its queue.
    assert done.wait(60)
    while [thread for thread in threading.enumerate() if thread.name == "dask-panes-cluster"]:
        time.sleep(0.001)
    asyncio.get_running_loop().call_soon(task.cancel)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(dropped.wait, 5)


def test_keys_that_do_not_come_in_time_cost_only_themselves(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ask = Session.ask

    async def late(self: Session, op: str, args: dict[str, Any]) -> Any:
        if op == "keys":
            await asyncio.sleep(1)
        return await ask(self, op, args)

    path = tmp_path / "run.dask-run"
    with dask_panes.record(path, client) as recorder:
        client.gather(client.map(abs, range(10)))
        monkeypatch.setattr(Session, "ask", late)
        monkeypatch.setattr("dask_panes.files.block.feed.PATIENCE", 0.2)
    assert recorder.tasks == 10
    # In so little time, heartbeats may not come either.
    missing = [message for message in recorder.missing if "sent no heartbeat at the end" not in message]
    assert missing == ["Some keys of tasks are missing: the scheduler did not answer."]
    client.sync(asyncio.sleep, 1.5)
    gc.collect()
    assert logged_of_ours(caplog) == []


def test_a_tab_that_comes_just_after_the_end_of_a_session_begins_nothing(client: Client) -> None:
    """The control channel has asked for it before, on another thread."""
    session = Session(client, lambda: None, options())
    client.sync(session.start)

    async def end() -> None:
        session.close()
        session.add(Subscriber(lambda data, seq: None), ["meta", "profile"], "", -1, {})

    client.sync(end)
    client.sync(asyncio.sleep, 1)
    assert tasks_of(client) == []


def test_a_report_that_is_interrupted_at_its_end_leaves_nothing(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers may take ten seconds to answer then, too."""
    try:
        require_page()
    except ReportPageError:
        monkeypatch.setattr("dask_panes.files.report.require_page", lambda: None)

    ended = threading.Event()

    async def interrupt(*_: Any) -> None:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        try:
            await asyncio.sleep(3600)
        finally:
            ended.set()

    monkeypatch.setattr(Gathering, "_last", interrupt)
    with pytest.raises(KeyboardInterrupt), dask_panes.report(tmp_path / "report.html", client=client):
        client.submit(abs, 1).result()
    assert [*tmp_path.iterdir()] == []
    assert ended.wait(60)
    eventually(lambda: not tasks_of(client))


async def test_addresses_of_workers_that_have_left_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Transfers name workers by address; on an adaptive cluster each one has an address of its own."""
    monkeypatch.setattr(transfers, "LEFT", 2)
    async with (
        LocalCluster(n_workers=0, processes=False, dashboard_address=None, asynchronous=True) as cluster,
        Client(cluster, asynchronous=True) as client,
    ):
        session = Session(client, lambda: None, options())
        await session.start()
        source = transfers.TransfersSource()
        reach = WorkerReach(session.ask)
        seen: list[str] = []
        for _ in range(4):
            cluster.scale(2)
            await noticed(cluster, 2)
            seen += cluster.scheduler.workers
            await source.look(reach)
            cluster.scale(0)
            await cluster
            await noticed(cluster, 0)
            await source.look(reach)
        # The newest that have left stay: others may still report transfers with them.
        assert len(set(seen)) == 8
        assert list(source._ids) == seen[-2:]
        await session.finish()


@pytest.mark.parametrize("end", ["refused", "cancelled"])
async def test_a_stand_in_that_does_not_begin_leaves_no_timer(end: str) -> None:
    asked = asyncio.Event()

    async def identity() -> Any:
        return {"id": "s", "address": "tcp://10.0.0.1:1", "workers": {}}

    async def rows(**_: Any) -> Any:
        asked.set()
        if end == "refused":
            raise ValueError("The 'get_task_stream' handler has been explicitly disallowed")
        await asyncio.Event().wait()

    client: Any = SimpleNamespace(
        scheduler=SimpleNamespace(identity=identity, get_task_stream=rows), cluster=None, status="running"
    )
    link = Link(lambda: client, KernelOptions(), Work(lambda: None), lambda: None, lambda: None)
    task = asyncio.create_task(link._stand_in_for("no"))
    await asked.wait()
    if end == "cancelled":
        task.cancel()
    await asyncio.wait({task})
    loop: Any = asyncio.get_running_loop()
    ticks = [timer for timer in loop._scheduled if not timer.cancelled() and "Collector._tick" in repr(timer)]
    assert ticks == []

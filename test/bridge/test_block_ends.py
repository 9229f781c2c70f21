"""How a block ends: what its recording says of an end that was not whole."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, LocalCluster, wait

import dask_panes
from dask_panes.files.block.feed import BlockFeed
from dask_panes.files.block.gathering import Gathering
from dask_panes.files.block.thread import REPLACED
from dask_panes.files.record import Recorder
from dask_panes.files.recording import Recording
from dask_panes.kernel.session.session import Session
from dask_panes.scheduler.collector.plugin import PLUGIN_NAME
from tabs import session_of

SCHEDULER = """
import asyncio
from distributed import Scheduler

async def serve():
    async with Scheduler(host="127.0.0.1", port=0, dashboard_address=":0") as scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()

asyncio.run(serve())
"""


def inc(x: int) -> int:
    return x + 1


def until(condition: Callable[[], bool]) -> None:
    """Wait until something is so."""
    patience = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < patience
        time.sleep(0.02)


def interrupt_at_the_end(recorder: Recorder) -> None:
    """What Ctrl-C does, once the end of the block waits for the workers."""
    patience = time.monotonic() + 60
    while not recorder._feed._gathering._ending.is_set() and time.monotonic() < patience:
        time.sleep(0.02)
    os.kill(os.getpid(), signal.SIGINT)


def test_an_end_that_is_interrupted_is_reported_and_the_recorder_can_be_used_again(tmp_path: Path) -> None:
    path = tmp_path / "run.dask-run"
    with LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=None) as made, Client(made) as client:
        recorder = dask_panes.record(path, client)
        (worker,) = client.run(os.getpid).values()
        try:
            with pytest.raises(KeyboardInterrupt), recorder:
                wait(client.map(inc, range(10), pure=False))
                os.kill(worker, signal.SIGSTOP)
                threading.Thread(target=interrupt_at_the_end, args=[recorder]).start()
        finally:
            os.kill(worker, signal.SIGCONT)
        with Recording(path) as recording:
            assert "interrupted" in recording.why
        assert "interrupted" in recorder.missing[0]
        with recorder:
            wait(client.map(inc, range(20), pure=False))
        assert (recorder.tasks, recorder.missing) == (20, [])


def test_an_end_that_takes_long_says_how_far_it_is_and_prints_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with (
        LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=None) as made,
        Client(made) as client,
        session_of(client, lasting=True) as session,
    ):
        reports: list[Any] = []
        monkeypatch.setattr(session, "_changed", lambda: reports.append(session.info().get("ending")))
        # In a kernel, the session is the one that its tabs read.
        monkeypatch.setattr("dask_panes.files.block.feed.session_of", lambda _: (session, False))
        (worker,) = client.run(os.getpid).values()
        capfd.readouterr()
        try:
            with dask_panes.record(tmp_path / "run.dask-run", client):
                wait(client.map(inc, range(10), pure=False))
                os.kill(worker, signal.SIGSTOP)
        finally:
            os.kill(worker, signal.SIGCONT)
        assert {"what": "recording", "doing": "workers", "share": 0.0} in reports
        assert capfd.readouterr() == ("", "")
        until(lambda: session.info().get("ending") is None)


@pytest.mark.parametrize("again", [False, True])
def test_a_collector_that_is_removed_in_a_block_is_the_first_reason(tmp_path: Path, again: bool) -> None:
    path = tmp_path / "run.dask-run"
    with (
        Client(processes=False, n_workers=1, dashboard_address=None) as client,
        dask_panes.record(path, client) as recorder,
    ):
        client.unregister_scheduler_plugin(PLUGIN_NAME)
        if again:
            # The session of the block has noticed.
            until(lambda: PLUGIN_NAME in client.cluster.scheduler.plugins)
        wait(client.map(inc, range(20), pure=False))
    assert recorder.missing[0] == REPLACED
    with Recording(path) as recording:
        assert (recording.why, recording.problems) == (REPLACED, [REPLACED])


def test_a_client_that_closes_with_its_loop_in_an_idle_block_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "run.dask-run"
    client = Client(processes=False, n_workers=1, dashboard_address=None)
    with dask_panes.record(path, client):
        client.close()
        assert client.loop.asyncio_loop.is_closed()
    with Recording(path) as recording:
        assert recording.why == "The client was closed before the end of the block."


def test_a_client_that_another_thread_closes_at_the_end_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = threading.Event()

    async def no_answer(gathering: Gathering, patience: float) -> None:
        waiting.set()
        await asyncio.sleep(60)

    monkeypatch.setattr(Gathering, "end", no_answer)
    path = tmp_path / "run.dask-run"
    client = Client(processes=False, n_workers=1, dashboard_address=None)
    closing = threading.Thread(target=lambda: (waiting.wait(), client.close()))
    with dask_panes.record(path, client) as recorder:
        closing.start()
    closing.join()
    assert recorder.missing[0] == "The client was closed before the end of the block."
    with Recording(path) as recording:
        assert recording.why == "The client was closed before the end of the block."


def test_a_scheduler_that_stops_is_waited_for_no_longer_than_promised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = subprocess.Popen([sys.executable, "-c", SCHEDULER], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        with Client(process.stdout.readline().strip()) as client:
            recorder = dask_panes.record(tmp_path / "run.dask-run", client)
            with recorder:
                monkeypatch.setattr("dask_panes.files.block.feed.PATIENCE", 2.0)
                os.kill(process.pid, signal.SIGSTOP)
                stopped = time.monotonic()
            # Once for the workers, once for what has come; a request of its own would be given 30 s.
            assert time.monotonic() - stopped < 20
            os.kill(process.pid, signal.SIGCONT)
        assert recorder.missing == [
            "The scheduler did not answer at the end of the block: no answer within 2 s.",
            "Profiles, transfers and logs are not complete: no answer within 2 s.",
        ]
    finally:
        process.kill()
        process.communicate()


async def test_a_block_that_did_not_begin_leaves_an_older_file_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.dask-run"
    path.write_bytes(b"before")

    async def never(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(BlockFeed, "_await", never)
    async with (
        LocalCluster(n_workers=0, processes=False, dashboard_address=None, asynchronous=True) as made,
        Client(made, asynchronous=True) as client,
    ):
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(dask_panes.record(path, client).__aenter__(), 2)
    assert path.read_bytes() == b"before"
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


async def test_a_scheduler_that_does_not_answer_at_the_start_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = Session.ask

    async def silent(self: Session, what: str, *arguments: object) -> object:
        if what == "end":
            raise asyncio.TimeoutError
        return await ask(self, what, *arguments)

    monkeypatch.setattr(Session, "ask", silent)
    async with (
        LocalCluster(n_workers=0, processes=False, dashboard_address=None, asynchronous=True) as made,
        Client(made, asynchronous=True) as client,
    ):
        with pytest.raises(TimeoutError, match="does not answer: the block did not run"):
            await dask_panes.record(tmp_path / "run.dask-run", client).__aenter__()
        with pytest.raises(TimeoutError, match="The scheduler does not answer: try again"):
            await dask_panes.tasks(client)
    assert not [*tmp_path.iterdir()]


async def test_a_scheduler_that_takes_no_collector_in_time_is_not_waited_for_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a script each block sends it the collector; one that hangs answers nothing, and its connection stays."""

    async def never(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr("dask_panes.kernel.session.link.register", never)
    for where in ("block.feed", "history"):
        monkeypatch.setattr(f"dask_panes.files.{where}.REGISTERED", 0.5, raising=False)
    async with (
        LocalCluster(n_workers=0, processes=False, dashboard_address=None, asynchronous=True) as made,
        Client(made, asynchronous=True) as client,
    ):
        recorder = dask_panes.record(tmp_path / "run.dask-run", client)
        with pytest.raises(TimeoutError, match="does not answer: the block did not run"):
            await asyncio.wait_for(recorder.__aenter__(), 30)
        with pytest.raises(TimeoutError, match="The scheduler does not answer: try again"):
            await asyncio.wait_for(dask_panes.tasks(client), 30)
    assert not [*tmp_path.iterdir()]

"""What was given up, failed or replaced leaves no task, timer or data behind, and says nothing below a cell."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from distributed import Client

import dask_panes


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

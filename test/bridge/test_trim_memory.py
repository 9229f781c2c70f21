"""How much memory workers gave back, where several of them are in one process."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace
from typing import Any, cast

import pytest

from dask_panes.kernel.cell import client_actions
from dask_panes.kernel.gather import probe as probes
from dask_panes.kernel.gather.probes import trim

MIB = 2**20


class Process:
    """A process with memory that can be given back."""

    def __init__(self, pid: int) -> None:
        self.pid, self.rss = pid, 100 * MIB

    def memory_info(self) -> Any:
        return SimpleNamespace(rss=self.rss)


async def test_the_memory_of_a_process_with_several_workers_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    threads, other = Process(1), Process(2)
    servers = [
        SimpleNamespace(address=f"inproc://{i}", ip=ip, monitor=SimpleNamespace(proc=process))
        for i, (ip, process) in enumerate([("10.0.0.1", threads), ("10.0.0.1", threads), ("10.0.0.2", other)])
    ]

    class Reach:
        def __init__(self, _: object) -> None:
            pass

        async def workers(self, *_: object) -> Any:
            found = await asyncio.gather(*(trim.probe(server) for server in servers))
            return SimpleNamespace(of=dict(enumerate(found)), failed={}, refusal="")

    all_asked = threading.Barrier(3)

    def give_back() -> int:
        all_asked.wait(60)
        threads.rss, other.rss = 40 * MIB, 90 * MIB
        return 1

    monkeypatch.setattr(probes, "WorkerReach", Reach)
    monkeypatch.setattr(trim, "_trim", give_back)
    session = cast("Any", SimpleNamespace(ask=None))
    assert await client_actions.trim(session) == {"workers": 3, "failed": 0, "freed": 70 * MIB}

"""The subscriptions of tabs where what they are of is gone, or goes at the same moment."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from dask_panes.kernel.channel.loops import on_loop_of, spawn_on_loop_of
from dask_panes.kernel.channel.shows import WAITING, Request, Shows
from jupyter import RealKernel


class Closing:
    """A source whose thread closes its loop just after that was looked up."""

    key = "closing"

    def __init__(self) -> None:
        self.left: list[Any] = []

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        loop = asyncio.new_event_loop()
        loop.close()
        return loop

    def unsubscribe(self, subscriber: Any) -> None:
        self.left.append(subscriber)


def test_a_loop_that_is_closed_at_that_moment_is_no_error() -> None:
    source: Any = Closing()
    on_loop_of(source, source.unsubscribe, None)
    assert source.left == []

    async def nothing() -> None:
        pass

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not spawn_on_loop_of(source, nothing())


def test_a_tab_leaves_a_client_that_is_not_listed_any_more(kernel: RealKernel) -> None:
    kernel.run(
        "from distributed import Client, LocalCluster\nimport dask_panes.kernel.activate as a\n"
        "cluster = LocalCluster(n_workers=1, processes=False, dashboard_address=None)\nclient = Client(cluster)"
    )
    subscription = kernel.subscribe()
    key = kernel.run("print(client.id, end='')")
    subscription.ask("want", client=key, topics=["meta"], gen=1, feed="", epoch=-1, cursor={})
    kernel.run("client.close()\nfor _ in range(12):\n    with Client(cluster): pass\nlast = Client(cluster)")
    assert kernel.run(f"print({key!r} in a.channel().clients.sessions, end='')") == "False"
    held = "print(len(a.channel().tabs.known['tab'].subscribers), end='')"
    assert kernel.run(held) == "1"
    assert subscription.ask("want", client=key, topics=[]) == {}
    assert kernel.run(held) == "0"


@pytest.fixture
def eager_threads() -> Iterator[None]:
    """Threads take turns at nearly every instruction."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_each_request_to_show_is_answered_once(eager_threads: None) -> None:
    """A cell asks while the control thread hands out what others have asked before."""
    shown: list[str] = []
    tab: Any = SimpleNamespace(sessions={"s"}, push=lambda kind, what, **_: shown.append(what))
    shows = Shows(lambda: [tab], lambda seconds, function: None)
    asked = [str(n) for n in range(20_000)]
    done, end = threading.Event(), time.monotonic() + 120

    def hand_out() -> None:
        while not done.is_set():
            shows.settle()
        shows.settle()

    thread = threading.Thread(target=hand_out)
    thread.start()
    try:
        for n, what in enumerate(asked):
            while n - len(shown) > WAITING // 2:
                assert time.monotonic() < end
                time.sleep(0)
            shows.add(Request(time.monotonic(), what, "", "s"))
    finally:
        done.set()
        thread.join()
    assert shown == asked

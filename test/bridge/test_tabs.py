"""The subscriptions of tabs where what they are of is gone, or goes at the same moment."""

from __future__ import annotations

import asyncio
import warnings
from typing import Any


from dask_panes.kernel.channel.loops import on_loop_of, spawn_on_loop_of
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

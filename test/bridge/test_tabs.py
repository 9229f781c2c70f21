"""The subscriptions of tabs where what they are of is gone, or goes at the same moment."""

from __future__ import annotations

import asyncio
import warnings
from typing import Any


from dask_panes.kernel.channel.loops import on_loop_of, spawn_on_loop_of


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

"""A session of a real Client, with tabs that receive its frames as a browser does."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

from distributed import Client

from dask_panes.feed import FrameValidator, decode
from dask_panes.feed.schema import CREDIT_BYTES, CREDIT_FRAMES
from dask_panes.kernel.options import KernelOptions
from dask_panes.kernel.session.session import Session
from dask_panes.kernel.session.subscriber import Subscriber


class Tab:
    """One browser tab of a session."""

    def __init__(self, client: Client, session: Session) -> None:
        self._client, self.session = client, session
        self.frames: list[dict[str, Any]] = []
        self._validator = FrameValidator()
        self.subscriber = Subscriber(self._take)
        #: Whether the tab acknowledges its frames: as a page does, at half of the credit.
        self.prompt = True
        self._taken_frames = self._taken_bytes = 0

    def _take(self, data: bytes, seq: int) -> None:
        assert seq == len(self.frames)
        self._hold(data)
        self._taken_frames += 1
        self._taken_bytes += len(data)
        if self.prompt and (self._taken_frames >= CREDIT_FRAMES / 2 or self._taken_bytes >= CREDIT_BYTES / 2):
            self._taken_frames = self._taken_bytes = 0
            self._client.loop.asyncio_loop.call_soon(self.session.acknowledge, self.subscriber, seq)

    def _hold(self, data: bytes) -> None:
        assert self._validator.check(decode(data)) == []
        self.frames.append(decode(data))

    @property
    def last(self) -> dict[str, Any]:
        return self.frames[-1]

    def want(self, *topics: str, after: Tab | None = None) -> Tab:
        """Subscribe to topics, from another tab's position if there is one."""
        last = after.last if after is not None else {"feed": "", "epoch": -1, "cursor": {}}

        if after is not None:
            self._validator = deepcopy(after._validator)

        async def add() -> None:
            self.session.add(self.subscriber, list(topics), last["feed"], last["epoch"], last["cursor"])

        self._client.sync(add)
        return self

    def retopic(self, *topics: str) -> None:
        async def change() -> None:
            self.session.retopic(self.subscriber, list(topics))

        self._client.sync(change)

    def go_on(self) -> None:
        """Acknowledge what it has received, and from now on each frame."""
        self.prompt = True
        self._taken_frames = self._taken_bytes = 0
        if self.frames:
            self._client.loop.add_callback(self.session.acknowledge, self.subscriber, len(self.frames) - 1)

    def leave(self) -> None:
        async def unsubscribe() -> None:
            self.session.unsubscribe(self.subscriber)

        self._client.sync(unsubscribe)

    def bodies(self, topic: str) -> list[dict[str, Any]]:
        return [frame["topics"][topic] for frame in self.frames if topic in frame["topics"]]

    def until(self, condition: Callable[[Tab], bool], seconds: float = 180) -> Tab:
        end = time.monotonic() + seconds
        while not condition(self):
            assert time.monotonic() < end, [frame["topics"].keys() for frame in self.frames]
            time.sleep(0.05)
        return self


@contextmanager
def session_of(client: Client, options: KernelOptions | None = None, lasting: bool = False) -> Iterator[Session]:
    """A session that has begun; closed at the end, with nothing left of it on the Client's loop.

    Its scheduler has the collector, or has refused it: work from now on is observed from its first task, however long
    a busy machine takes to register it.
    """
    session = Session(client, lambda: None, options or KernelOptions(), lasting=lasting)
    client.sync(session.start)
    client.sync(session.link.registration)
    yield session

    async def close() -> None:
        session.close()

    if client.status == "running":
        client.sync(close)

"""The interface of what the channel serves to browser tabs: a Client's session, or anything similar."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from ..session.subscriber import Subscriber


class ClientLike(Protocol):
    """One entry of the kernel's list of clients, with its feed.

    Methods that change or request something are called on `loop`, the properties and `info` on any thread.
    """

    @property
    def key(self) -> str:
        """Unique over all kernels."""

    @property
    def closed(self) -> bool:
        """Whether no more data will arrive."""

    @property
    def answered(self) -> float:
        """Time of the last answer of the feed's origin, ``time.monotonic``; any thread."""

    @property
    def patience(self) -> float:
        """Seconds without an answer after which the feed's origin counts as silent; any thread."""

    @property
    def beside(self) -> bool:
        """Whether the feed's origin runs on `loop`: it stands still with it; any thread."""

    @property
    def loop(self) -> asyncio.AbstractEventLoop | None:
        """The source's event loop; None if it cannot be reached any more."""

    def info(self, namespace: dict[str, Any] | None = None) -> dict[str, Any]:
        """Its facts for the list of clients."""

    def add(self, subscriber: Subscriber, topics: list[str], feed: str, epoch: int, cursor: dict[str, int]) -> None:
        """Add a tab with its topics and position."""

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Remove a tab."""

    def retopic(self, subscriber: Subscriber, topics: list[str]) -> None:
        """Change the topics of a tab."""

    def acknowledge(self, subscriber: Subscriber, seq: int) -> None:
        """A tab has received all frames up to one."""

    def report(self, what: str, error: Exception | None) -> None:
        """Notify the tabs of a failure of ours, or, without an error, that it is resolved; see `Work.report`."""

    async def ask(self, op: str, args: dict[str, Any]) -> Any:
        """One request."""

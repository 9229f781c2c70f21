"""What the channel serves to browser tabs: a Client's session, or anything else that answers like one."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from .subscriber import Subscriber


class Source(Protocol):
    """One entry of the kernel's list of clients, with its feed.

    Methods that change or ask something are called on `loop`, the properties and `info` on any thread.
    """

    @property
    def key(self) -> str:
        """Unique over all kernels."""

    @property
    def closed(self) -> bool:
        """Whether nothing more will come."""

    @property
    def answered(self) -> float:
        """When whoever fills the feed last answered, ``time.monotonic``; any thread."""

    @property
    def patience(self) -> float:
        """Seconds without an answer after which whoever fills the feed does not answer; any thread."""

    @property
    def loop(self) -> asyncio.AbstractEventLoop | None:
        """Where the source lives; None where it cannot be reached any more."""

    def info(self, namespace: dict[str, Any] | None = None) -> dict[str, Any]:
        """What the list of clients says of it."""

    def add(self, subscriber: Subscriber, topics: list[str], feed: str, epoch: int, cursor: dict[str, int]) -> None:
        """Add a tab with what it wants and where it stands."""

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Forget a tab."""

    def retopic(self, subscriber: Subscriber, topics: list[str]) -> None:
        """Change the topics of a tab."""

    def acknowledge(self, subscriber: Subscriber, seq: int) -> None:
        """A tab has taken all frames up to one."""

    async def ask(self, op: str, args: dict[str, Any]) -> Any:
        """One question."""

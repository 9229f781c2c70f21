"""The subscription of one browser tab."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from time import monotonic
from typing import TYPE_CHECKING, Any

from .call import Call

if TYPE_CHECKING:
    from ..session.subscriber import Subscriber
    from .client_like import ClientLike


class Tab:
    """The subscription of one browser tab: a call with many replies.

    Attributes
    ----------
    id : str
        Of the subscription: a later one of the same tab has another id. "" for pages of an older version.
    sessions : frozenset of str
        Ids of the tab's connections to this kernel.
    """

    def __init__(self, call: Call) -> None:
        self.call = call
        self.id = str(call.arguments.get("subscription", ""))
        self.sessions = texts(call.arguments.get("sessions"))
        self.lease: asyncio.TimerHandle | None = None
        self.renewed = self.sent = monotonic()
        self.subscribers: dict[str, tuple[ClientLike, Subscriber]] = {}

    @property
    def sources(self) -> list[ClientLike]:
        """The tab's visible sources."""
        return [source for source, _ in self.subscribers.values()]

    def push(self, kind: str, **body: Any) -> None:
        """Send a message that is not a frame."""
        self.sent = monotonic()
        self.call.reply({"kind": kind, **body})

    def beat(self, silent: Mapping[str, float]) -> None:
        """Report that the kernel is alive, and since how many seconds which schedulers have not answered."""
        self.push("beat", **({"silent": silent} if silent else {}))

    def frame(self, client: str, generation: int, data: bytes, seq: int) -> None:
        """Send a frame of a client's feed; `generation` identifies the numbering of `seq`."""
        body = {"kind": "frame", "client": client, "gen": generation, "seq": seq}
        self.sent = monotonic()
        self.call.reply(body, buffers=[data])


def texts(value: Any) -> frozenset[str]:
    """The texts of a list; anything else that a page sent is dropped."""
    return frozenset(text for text in value if isinstance(text, str)) if isinstance(value, list) else frozenset()

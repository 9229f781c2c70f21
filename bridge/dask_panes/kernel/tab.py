"""The subscription of one browser tab."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from time import monotonic
from typing import TYPE_CHECKING, Any

from .call import Call

if TYPE_CHECKING:
    from .source import Source
    from .subscriber import Subscriber


class Tab:
    """The subscription of one browser tab: a call that is answered many times.

    Attributes
    ----------
    id : str
        Of the subscription: a later one of the same tab has another. "" for pages of an older version.
    sessions : frozenset of str
        Ids of the tab's connections to this kernel.
    """

    def __init__(self, call: Call) -> None:
        self.call = call
        self.id = str(call.arguments.get("subscription", ""))
        self.sessions = texts(call.arguments.get("sessions"))
        self.lease: asyncio.TimerHandle | None = None
        self.renewed = self.sent = monotonic()
        self.subscribers: dict[str, tuple[Source, Subscriber]] = {}

    @property
    def sources(self) -> list[Source]:
        """What the tab sees."""
        return [source for source, _ in self.subscribers.values()]

    def push(self, kind: str, **body: Any) -> None:
        """Send something that is no frame."""
        self.sent = monotonic()
        self.call.reply({"kind": kind, **body})

    def beat(self, silent: Mapping[str, float]) -> None:
        """Tell that the kernel is there, and whose scheduler has not answered for how many seconds."""
        self.push("beat", **({"silent": silent} if silent else {}))

    def frame(self, client: str, generation: int, data: bytes, seq: int) -> None:
        """Send a frame of a client's feed; `generation` tells the numbering that `seq` belongs to."""
        body = {"kind": "frame", "client": client, "gen": generation, "seq": seq}
        self.sent = monotonic()
        self.call.reply(body, buffers=[data])


def texts(value: Any) -> frozenset[str]:
    """The texts of a list; nothing else of what a page sent."""
    return frozenset(text for text in value if isinstance(text, str)) if isinstance(value, list) else frozenset()

"""One request of a page, and its replies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import zmq
from zmq.eventloop.zmqstream import ZMQStream

from ...feed.plain import for_json
from ..turns import short_turns

COMMAND = "daskPanes"


class Sender(Protocol):
    """Dependencies of a call on its channel."""

    kernel: Any

    def on_loop(self, function: Callable[..., None], *args: Any) -> None:
        """Run a function on the event loop of the control channel; from any thread."""


class Call:
    """One request with the return address for its replies. Replies may be sent from any thread."""

    def __init__(self, channel: Sender, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        self.channel = channel
        self._stream, self._ident, self._parent = stream, ident, parent
        content = parent.get("content", {})
        self._seq = content.get("seq", 0)
        arguments = content.get("arguments")
        self.arguments: dict[str, Any] = arguments if isinstance(arguments, dict) else {}

    def reply(self, body: Any, success: bool = True, buffers: list[bytes] | None = None) -> None:
        """Send one reply; one request may have many."""
        content = {
            "type": "response",
            "request_seq": self._seq,
            "success": success,
            "command": COMMAND,
            "body": for_json(body),
        }
        self.channel.on_loop(self._send, content, buffers)

    def fail(self, message: str, **more: Any) -> None:
        """Refuse, with a message for users."""
        self.reply({"message": message, **more}, success=False)

    def _send(self, content: dict[str, Any], buffers: list[bytes] | None) -> None:
        self.channel.kernel.session.send(
            self._stream, "debug_reply", content, self._parent, ident=self._ident, buffers=buffers
        )
        if isinstance(self._stream, ZMQStream):
            # Now and not in the event loop's next turn, which waits for the GIL while the main thread computes.
            with short_turns():
                self._stream.flush(zmq.POLLOUT)

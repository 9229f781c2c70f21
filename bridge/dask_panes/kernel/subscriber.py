"""What one browser tab wants of one client, and where it stands."""

from __future__ import annotations

from collections.abc import Callable

#: Frames that may be on their way to one tab.
CREDIT = 2

#: Takes one encoded frame and its number to a tab; called on the Client's loop.
Sink = Callable[[bytes, int], None]


class Subscriber:
    """Topics, cursor and credit of one tab.

    Parameters
    ----------
    sink : callable
        Takes the frames.
    """

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.topics: tuple[str, ...] = ()
        self.feed = ""
        self.epoch = -1
        self.cursor: dict[str, int] = {}
        #: Number of the next frame.
        self.seq = 0
        self.acknowledged = -1
        self.catching_up = False

    @property
    def credit(self) -> bool:
        """Whether another frame may be sent."""
        return self.seq - self.acknowledged <= CREDIT

"""Topics, position and credit of one browser tab for one client."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from ...feed.schema import CREDIT_BYTES, CREDIT_FRAMES

#: Number of an answer before all others.
NEVER = -(10**9)

#: Sends one encoded frame and its number to a tab; called on the Client's loop.
Sink = Callable[[bytes, int], None]


class Subscriber:
    """Topics, cursor and credit of one tab.

    Parameters
    ----------
    sink : callable
        Receives the frames.
    """

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        #: Topics of the collector.
        self.topics: tuple[str, ...] = ()
        #: Topics gathered by the session itself, and the tab's positions in them.
        self.gathered: tuple[str, ...] = ()
        self.positions: dict[str, int] = {}
        self.feed = ""
        self.epoch = -1
        self.cursor: dict[str, int] = {}
        #: Number of the next frame.
        self.seq = 0
        #: Sizes of the unacknowledged frames, oldest first.
        self._sizes: deque[int] = deque()
        self._bytes = 0
        self.catching_up = False
        #: Number of the newest answer to the common poll that it had part in; see `Delivery`.
        self.answered = NEVER

    @property
    def credit(self) -> bool:
        """Whether another frame may be sent: few frames and few bytes are unacknowledged."""
        return len(self._sizes) < CREDIT_FRAMES and self._bytes < CREDIT_BYTES

    def move(self, feed: str, epoch: int, cursor: dict[str, int]) -> None:
        """The tab has another position in the collector's topics; with another feed or epoch all topics start over."""
        if (feed, epoch) != (self.feed, self.epoch):
            self.positions = {}
        self.feed, self.epoch, self.cursor = feed, epoch, cursor

    def send(self, data: bytes) -> None:
        """Send the next frame."""
        seq = self.seq
        self.seq += 1
        self._sizes.append(len(data))
        self._bytes += len(data)
        self.sink(data, seq)

    def acknowledge(self, seq: int) -> None:
        """The tab has received all frames up to `seq`."""
        while self._sizes and self.seq - len(self._sizes) <= seq:
            self._bytes -= self._sizes.popleft()

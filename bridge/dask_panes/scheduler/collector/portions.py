"""What a reader is sent in several parts: which topics, up to where, and what all parts of a table cost.

Guarantees: the parts end, also where rows change while they are sent.
"""

from __future__ import annotations

from math import inf


class Portions:
    """The topics of which one reader has been sent a part.

    Attributes
    ----------
    cut : set of str
        Topics whose last part was not all: the rest is not rate-limited.
    """

    def __init__(self) -> None:
        self.cut: set[str] = set()
        #: Ends of topics when the first of the parts that are being sent was.
        self._goals: dict[str, int] = {}
        #: CPU seconds of the parts of tables that are not sent whole yet.
        self._costs: dict[str, float] = {}

    def begin(self, topic: str, end: int, first: bool) -> None:
        """A part is about to be read.

        Parameters
        ----------
        end : int
            The newest position.
        first : bool
            Whether the reader has nothing of the topic.
        """
        if first or topic not in self.cut or topic not in self._goals:
            self._goals[topic] = end

    def end(self, topic: str, position: int, end: int) -> None:
        """A part was read, up to a position."""
        # Rows that change while the parts are sent wait for the next time: it would never end.
        if position < min(self._goals[topic], end):
            self.cut.add(topic)
        else:
            self.cut.discard(topic)
            del self._goals[topic]

    def cost(self, topic: str, seconds: float, first: bool) -> float | None:
        """CPU seconds of a table, all parts together, after one of them was read; None if that is not known.

        All rows of a table that a reader sees for the first time say nothing about those that change afterwards.
        """
        known = self._costs.pop(topic, 0.0)
        spent = (-inf if first else known) + seconds
        if topic in self.cut:
            self._costs[topic] = spent
            return None
        return spent if spent > 0 else None

"""The events topic: the scheduler's log of itself, its workers and its clients."""

from __future__ import annotations

import json
from array import array
from collections import deque
from itertools import islice
from math import isfinite
from typing import Any

from .columns import wire
from .plain import DEEPEST, plain, text

#: Maximum number of events.
LIMIT = 10_000
#: Events of one read: with the longest texts a megabyte.
READ_ROWS = 500
#: Maximum characters of one event's JSON text.
TEXT_LIMIT = 2_000
#: Maximum items reported of one list, set or map of a message, and of all together.
ITEMS = 20
PARTS = 500
#: Dask's topics that are transports, or too verbose.
SKIPPED = frozenset(("stealing", "print", "warn", "transition-log"))
#: Events that Dask also logs for "all", or with each graph, if the topic is a worker, a client or the scheduler.
#: Events logged only there, such as pauses and the reason why a worker closes, are kept.
REPEATED = frozenset(
    "add-worker remove-worker add-client remove-client restart-workers scatter rebalance replicate-add retired "
    "could-not-retire update-graph".split()
)


class Events:
    """The newest events, numbered."""

    def __init__(self) -> None:
        self._last: tuple[str, Any] = ("", None)
        self._ring: deque[tuple[float, str, str, str]] = deque(maxlen=LIMIT)
        #: Number of the next event.
        self.end = 0

    def add(self, time: float, topic: str, message: Any) -> bool:
        """Record a message of ``Scheduler.log_event``.

        Parameters
        ----------
        time : float
            Scheduler clock, seconds.
        topic : str
            Topic of the message.
        message : object
            The logged message; stored as JSON text, with ``repr`` for types that JSON does not know.

        Returns
        -------
        bool
            Whether it was stored: a message logged under several topics is stored once.
        """
        given = message if isinstance(message, dict) else {}
        action = given.get("action", topic)
        if _of_one(topic) and action in REPEATED and given.get("status") != "error":
            return False
        again = given and message is self._last[1] and topic != self._last[0]
        if topic in SKIPPED or again:
            return False
        self._last = (topic, message if given else None)
        self._ring.append((time, text(topic, 200), text(action, 200), _json(message)))
        self.end += 1
        return True

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Events from a cursor on, `READ_ROWS` at most: the topic body and the cursor after it."""
        kept = self.end - len(self._ring)
        first = max(cursor, kept)
        events = list(islice(self._ring, first - kept, first - kept + READ_ROWS))
        scalars: dict[str, Any] = {
            "first": first,
            "topic": [e[1] for e in events],
            "action": [e[2] for e in events],
            "text": [e[3] for e in events],
        }
        if first > cursor:
            scalars["lost"] = first - cursor
        return {"c": {"time": wire(array("d", (e[0] for e in events)))}, "s": scalars}, min(self.end, first + READ_ROWS)


def _of_one(topic: str) -> bool:
    """Whether a topic is the scheduler, or Dask's address or name of a worker or a client."""
    return topic == "scheduler" or "://" in topic or topic.startswith("Client-")


def _json(message: Any) -> str:
    """A message as JSON text, cut before serializing: Dask's own messages may contain all keys of a worker, hundreds
    of thousands.
    """
    return json.dumps(_brief(message, [PARTS]))[:TEXT_LIMIT]


def _brief(value: Any, room: list[int], depth: int = DEEPEST) -> Any:
    """The beginning of a message, as JSON types; `room` is the remaining budget."""
    room[0] -= 1
    if room[0] < 0 or depth == 0:
        return "…"
    if isinstance(value, dict):
        # Plain values first: they remain readable when the text is cut.
        parts = sorted(islice(value.items(), ITEMS), key=lambda part: isinstance(part[1], _CONTAINERS))
        result = {text(name, TEXT_LIMIT): _brief(item, room, depth - 1) for name, item in parts}
        return {**result, "…": f"{len(value) - ITEMS} more"} if len(value) > ITEMS else result
    if isinstance(value, _CONTAINERS):
        items = [_brief(item, room, depth - 1) for item in islice(value, ITEMS)]
        return [*items, f"… {len(value) - ITEMS} more"] if len(value) > ITEMS else items
    if isinstance(value, (bytes, bytearray)):
        return _of_bytes(bytes(value))
    if isinstance(value, (str, int, float)) or value is None:
        result = plain(value[:TEXT_LIMIT] if isinstance(value, str) else value)
        return str(result) if isinstance(result, float) and not isfinite(result) else result
    return text(value, TEXT_LIMIT)


def _of_bytes(value: bytes) -> str:
    """Bytes as text in Python's notation if they are printable; otherwise (such as a pickled function) their number."""
    begin = value[:TEXT_LIMIT]
    readable = begin.isascii() and begin.decode("ascii").isprintable()
    return repr(begin)[:TEXT_LIMIT] if readable else f"<{len(value)} bytes>"


_CONTAINERS = (dict, list, tuple, set, frozenset, deque)

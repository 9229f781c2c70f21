"""The events topic: what the scheduler logs about itself, its workers and its clients."""

from __future__ import annotations

import json
from array import array
from collections import deque
from itertools import islice
from math import isfinite
from typing import Any

from .columns import wire
from .plain import plain, text

#: Events kept.
LIMIT = 10_000
#: Characters of one event's JSON text.
TEXT_LIMIT = 2_000
#: Topics of Dask that are transports or repeat what another topic carries.
SKIPPED = frozenset(("stealing", "print", "warn", "transitions", "transition-log", "scheduler"))


class Events:
    """The newest events, numbered."""

    def __init__(self) -> None:
        self._ring: deque[tuple[float, str, str, str]] = deque(maxlen=LIMIT)
        #: Number of the next event.
        self.end = 0

    def add(self, time: float, topic: str, message: Any) -> None:
        """Note a message of ``Scheduler.log_event``.

        Parameters
        ----------
        time : float
            Scheduler clock, seconds.
        topic : str
            Topic of the message.
        message : object
            What was logged; kept as JSON text, with ``repr`` for what JSON does not know.
        """
        action = message.get("action", topic) if isinstance(message, dict) else topic
        self._ring.append((time, text(topic, 200), text(action, 200), _json(message)))
        self.end += 1

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Events from a cursor on: the topic body and the cursor after it."""
        first = max(cursor, self.end - len(self._ring))
        events = list(islice(self._ring, len(self._ring) - (self.end - first), None))
        scalars: dict[str, Any] = {
            "first": first,
            "topic": [e[1] for e in events],
            "action": [e[2] for e in events],
            "text": [e[3] for e in events],
        }
        if first > cursor:
            scalars["lost"] = first - cursor
        return {"c": {"time": wire(array("d", (e[0] for e in events)))}, "s": scalars}, self.end


def _json(message: Any) -> str:
    """A message as JSON text, cut; what JSON does not know, as NaN or an integer of thousands of digits, as text."""
    try:
        told = json.dumps(message, default=repr, skipkeys=True, allow_nan=False)
    except Exception:
        told = json.dumps(_without_nan(plain(message)))
    return told[:TEXT_LIMIT]


def _without_nan(value: Any) -> Any:
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if isinstance(value, bytes):
        return repr(value)
    if isinstance(value, dict):
        return {name: _without_nan(item) for name, item in value.items()}
    return [_without_nan(item) for item in value] if isinstance(value, list) else value

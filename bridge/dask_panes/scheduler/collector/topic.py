"""How a topic is served, and how often at most.

A topic is four functions of a cursor; it knows neither readers nor their rates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

#: Seconds between two scans.
TICK = 0.25
#: Minimum seconds between two answers with rows of tasks or events to one reader.
PROMPT = 0.05
#: Seconds between two scans of all task groups: a thousand cost 0.3 ms.
GROUPS_INTERVAL = 1.0
#: Rows of tasks per read, and their moves: 200 kB each, a second and a half of a link of 1 Mbit/s.
TASK_ROWS = 8_192


class Topic(NamedTuple):
    """How one topic is served."""

    #: Minimum seconds between two answers with it to one reader.
    interval: float
    #: The newest position: a reader with this cursor lacks nothing.
    end: Callable[[], int]
    #: Receives a cursor; returns the body of what a reader there lacks, and the cursor after it.
    read: Callable[[int], tuple[dict[str, Any], int]]
    #: Scans the scheduler for changes: with the tick, at most once per interval, while a reader wants the topic.
    scan: Callable[[], None] | None = None
    #: Called when the first reader wants the topic, and when the last one leaves.
    watch: Callable[[bool], None] | None = None

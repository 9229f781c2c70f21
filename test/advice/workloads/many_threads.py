"""Tasks of 50 ms for more threads than the scheduler can keep busy; the twin has fewer and longer ones."""

from __future__ import annotations

import time

from distributed import Client

CAUSE = "queueing"
#: True as well.
ALSO = ("late-event-loops", "between-tasks", "large-graph")
CLUSTER = {"n_workers": 2, "threads_per_worker": 64}
TASKS = 5120


def process(number: int, seconds: float) -> int:
    """Waits for a service."""
    time.sleep(seconds)
    return number


def bad(client: Client) -> None:
    """2,500 tasks a second are needed for all threads."""
    client.gather(client.map(process, range(TASKS), seconds=0.05, pure=False))


def healthy(client: Client) -> None:
    """128 are needed."""
    client.gather(client.map(process, range(TASKS // 20), seconds=1, pure=False))

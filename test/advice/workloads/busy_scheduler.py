"""A plugin of the scheduler takes 0.15 s for every result; the twin goes without it."""

from __future__ import annotations

import time
from typing import Any

from distributed import Client, SchedulerPlugin

CAUSE = "late-event-loops"
#: True as well: tasks wait for the scheduler, however long they take.
ALSO = ("small-tasks", "late-start")
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


class Slow(SchedulerPlugin):
    """Notes something in a slow store."""

    name = "slow"

    def transition(self, key: Any, start: str, finish: str, *args: Any, **kwargs: Any) -> None:
        """Blocks the event loop."""
        if finish == "memory":
            time.sleep(0.15)


def process(number: int) -> int:
    """One piece of work."""
    time.sleep(0.2)
    return number


def run(client: Client) -> None:
    """Sixty pieces."""
    client.gather(client.map(process, range(60), pure=False))


def bad(client: Client) -> None:
    """Every result is noted."""
    client.register_plugin(Slow())
    run(client)


def healthy(client: Client) -> None:
    """Nothing is noted."""
    run(client)

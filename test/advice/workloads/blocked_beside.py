"""Coroutines that block one worker's event loop while the other one runs short tasks; the twin runs them in threads."""

from __future__ import annotations

import time

from distributed import Client

CAUSE = "event-loop-blocked"
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


async def blocking(number: int) -> int:
    """A coroutine in name only."""
    time.sleep(4)
    return number


def threaded(number: int) -> int:
    """The same in a thread."""
    time.sleep(4)
    return number


def short(number: int) -> int:
    """What all other threads do."""
    time.sleep(0.2)
    return number


def bad(client: Client) -> None:
    """The other thread of this worker has tasks, and does not begin them."""
    worker = min(client.scheduler_info()["workers"])
    slow = client.map(blocking, range(2), pure=False, workers=[worker], priority=10)
    client.gather(slow + client.map(short, range(70), pure=False))


def healthy(client: Client) -> None:
    """All threads work."""
    worker = min(client.scheduler_info()["workers"])
    slow = client.map(threaded, range(2), pure=False, workers=[worker], priority=10)
    client.gather(slow + client.map(short, range(70), pure=False))

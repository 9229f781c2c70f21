"""A coroutine that never awaits holds the worker's event loop; the twin runs in a thread."""

from __future__ import annotations

import time

from distributed import Client

CAUSE = "event-loop-blocked"
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


async def blocking(number: int) -> int:
    """A coroutine in name only."""
    time.sleep(3.6)
    return number


def threaded(number: int) -> int:
    """The same in a thread."""
    time.sleep(3.6)
    return number


def bad(client: Client) -> None:
    """Nothing else happens on the worker meanwhile, not even the other one."""
    client.gather(client.map(blocking, range(4), pure=False))


def healthy(client: Client) -> None:
    """All threads work."""
    client.gather(client.map(threaded, range(4), pure=False))

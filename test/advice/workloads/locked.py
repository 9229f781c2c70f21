"""Tasks that hold a lock while they work; the twin needs none."""

from __future__ import annotations

import time

from distributed import Client, Lock

CAUSE = "locks"
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def inside(number: int) -> int:
    """All of the work is done with the lock."""
    with Lock("table"):
        time.sleep(0.2)
    return number


def outside(number: int) -> int:
    """Each has a file of its own, say."""
    time.sleep(0.2)
    return number


def bad(client: Client) -> None:
    """One task works at a time."""
    client.gather(client.map(inside, range(40), pure=False))


def healthy(client: Client) -> None:
    """All threads work."""
    client.gather(client.map(outside, range(40), pure=False))

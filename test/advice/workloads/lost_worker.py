"""A worker ends while it computes; the twin's does not."""

from __future__ import annotations

import os
import time

from distributed import Client

CAUSE = "lost-worker"
#: True as well.
ALSO = ("retries",)
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def process(number: int) -> int:
    """One piece of work."""
    time.sleep(0.1)
    return number


def die() -> None:
    """What a crash in a library does."""
    os._exit(1)


def bad(client: Client) -> None:
    """In the middle of it."""
    futures = client.map(process, range(120), pure=False)
    time.sleep(1)
    address = sorted(client.scheduler_info()["workers"])[0]
    last = client.submit(die, workers=[address], pure=False, priority=100)
    client.gather(futures)
    last.cancel()


def healthy(client: Client) -> None:
    """Without it."""
    client.gather(client.map(process, range(120), pure=False))

"""A resource that no worker has; the twin asks for none."""

from __future__ import annotations

import time

from distributed import Client, Future, wait

CAUSE = "no-worker-fits"
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}
#: They wait as long as somebody wants them.
KEPT: list[Future] = []


def process(number: int) -> int:
    """One piece of work."""
    time.sleep(0.1)
    return number


def bad(client: Client) -> None:
    """Waits for a worker that never comes."""
    wait(client.map(process, range(20), pure=False))
    KEPT.extend(client.map(process, range(10), resources={"GPU": 1}, pure=False))
    time.sleep(4)


def healthy(client: Client) -> None:
    """Runs at once."""
    client.gather(client.map(process, range(60), pure=False))

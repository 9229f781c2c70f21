"""Tasks ask for so much of a resource that a worker may run one at a time; the twin's ask for half of it."""

from __future__ import annotations

import time

from distributed import Client

CAUSE = "held-back"
CLUSTER = {"n_workers": 2, "threads_per_worker": 2, "resources": {"GPU": 1}}


def process(number: int) -> int:
    """One piece of work."""
    time.sleep(1)
    return number


def bad(client: Client) -> None:
    """One thread of each worker has nothing to do."""
    client.gather(client.map(process, range(20), resources={"GPU": 1}, pure=False))


def healthy(client: Client) -> None:
    """Two share what a worker has."""
    client.gather(client.map(process, range(20), resources={"GPU": 0.5}, pure=False))

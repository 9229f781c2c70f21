"""A Python loop that asks for each result before it submits the next; the twin submits all."""

from __future__ import annotations

import time

from distributed import Client

CAUSE = "client-waits"
#: True as well.
ALSO = ("little-parallelism",)
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def evaluate(value: int) -> int:
    """One piece of work."""
    time.sleep(0.1)
    return value


def bad(client: Client) -> None:
    """One at a time."""
    for value in range(30):
        client.submit(evaluate, value, pure=False).result()


def healthy(client: Client) -> None:
    """All at once."""
    client.gather(client.map(evaluate, range(30), pure=False))

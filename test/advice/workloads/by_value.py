"""Arrays are made in the client and sent with the tasks; the twin makes them on the workers."""

from __future__ import annotations

import numpy as np
from distributed import Client

CAUSE = "data-by-value"
#: True as well.
ALSO = (
    "large-graph",
    "client-waits",
)
CLUSTER = {"n_workers": 2, "threads_per_worker": 2, "memory_limit": "2GiB"}
BYTES = 16 * 2**20


def total(block: np.ndarray) -> float:
    """Little work."""
    return float(block.sum())


def made(number: int) -> float:
    """The array is made where it is needed."""
    return total(np.full(BYTES // 8, float(number)))


def bad(client: Client) -> None:
    """With each task its data."""
    futures = [client.submit(total, np.full(BYTES // 8, float(i)), pure=False) for i in range(20)]
    client.gather(futures)


def healthy(client: Client) -> None:
    """With each task a number."""
    client.gather(client.map(made, range(20)))

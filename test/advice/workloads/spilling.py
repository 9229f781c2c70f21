"""Results of twice the workers' memory are kept; the workers of the twin have enough for them."""

from __future__ import annotations

import numpy as np
from distributed import Client, wait

CAUSE = "spilling"
#: True as well.
ALSO = (
    "paused",
    "unmanaged-memory",
)
CLUSTER = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": "300MiB"}
HEALTHY_CLUSTER = {**CLUSTER, "memory_limit": "1500MiB"}
BYTES = 24 * 2**20


def load(number: int) -> np.ndarray:
    """A block of data that does not compress."""
    return np.random.default_rng(number).random(BYTES // 8)


def total(block: np.ndarray) -> float:
    """What is wanted of it."""
    return float(block.sum())


def bad(client: Client) -> None:
    """All blocks first, then all sums."""
    blocks = client.map(load, range(50))
    wait(blocks)
    client.gather(client.map(total, blocks))


healthy = bad

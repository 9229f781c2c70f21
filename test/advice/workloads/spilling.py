"""Results of three times the workers' memory are kept; the twin keeps only their sums."""

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
BYTES = 24 * 2**20


def load(number: int) -> np.ndarray:
    """A block of data that does not compress."""
    return np.random.default_rng(number).random(BYTES // 8)


def total(block: np.ndarray) -> float:
    """What is wanted of it."""
    return float(block.sum())


def load_total(number: int) -> float:
    """Both at once."""
    return total(load(number))


def bad(client: Client) -> None:
    """All blocks first, then all sums."""
    blocks = client.map(load, range(50))
    wait(blocks)
    client.gather(client.map(total, blocks))


def healthy(client: Client) -> None:
    """A block is gone before the next one comes."""
    client.gather(client.map(load_total, range(50)))

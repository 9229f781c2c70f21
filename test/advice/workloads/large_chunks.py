"""Two steps on blocks of a seventh of a worker's memory; the twin has three times as many, a third as large."""

from __future__ import annotations

import numpy as np
from distributed import Client

CAUSE = "oversized-chunks"
#: True as well.
ALSO = (
    "spilling",
    "paused",
    "unmanaged-memory",
)
CLUSTER = {"n_workers": 2, "threads_per_worker": 2, "memory_limit": "700MiB"}
BYTES = 2 * 10**9
#: Ten of the small ones fit into what a worker has for each thread, and a task takes longer than 20 ms.
LARGE, SMALL = 96 * 2**20, 32 * 2**20


def load(number: int, size: int) -> np.ndarray:
    """A block of data that does not compress."""
    return np.random.default_rng(number).random(size // 8)


def scale(block: np.ndarray) -> np.ndarray:
    """Another block of the size."""
    return block * 2 + 1


def total(block: np.ndarray) -> float:
    """What is wanted of it."""
    return float(block.sum())


def run(client: Client, size: int) -> None:
    """Only the sums are kept."""
    blocks = client.map(load, range(BYTES // size), size=size, pure=False)
    sums = client.map(total, client.map(scale, blocks, pure=False), pure=False)
    del blocks
    client.gather(sums)


def bad(client: Client) -> None:
    """Blocks of 96 MiB."""
    run(client, LARGE)


def healthy(client: Client) -> None:
    """Blocks of 32 MiB."""
    run(client, SMALL)

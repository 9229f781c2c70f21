"""Four blocks at a time, each a fifth of a worker's memory; those of the twin are a third as large."""

from __future__ import annotations

import numpy as np
from distributed import Client

CAUSE = "oversized-chunks"
#: True as well.
ALSO = (
    "spilling",
    "transfers",
    "paused",
    "unmanaged-memory",
    # At 95 % of its limit, its nanny ends a worker: nobody else does.
    "lost-worker",
)
CLUSTER = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": "520MiB"}
BYTES = 12 * 10**8
LARGE, SMALL = 96 * 2**20, 32 * 2**20


def load(number: int, size: int) -> np.ndarray:
    """A block of data that does not compress."""
    return np.random.default_rng(number).random(size // 8)


def scale(block: np.ndarray, by: int) -> np.ndarray:
    """Another block of the size."""
    return block * by


def total(*blocks: np.ndarray) -> float:
    """What is wanted of them."""
    return float(sum(block.sum() for block in blocks))


def run(client: Client, size: int) -> None:
    """Only the sums are kept."""
    blocks = client.map(load, range(BYTES // size), size=size, pure=False)
    scaled = [client.map(scale, blocks, by=by, pure=False) for by in (2, 3, 5)]
    sums = client.map(total, *scaled, pure=False)
    del blocks, scaled
    client.gather(sums)


def bad(client: Client) -> None:
    """Blocks of 96 MiB."""
    run(client, LARGE)


def healthy(client: Client) -> None:
    """Blocks of 32 MiB."""
    run(client, SMALL)

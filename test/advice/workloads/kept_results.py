"""Blocks are kept after their mean is known, and fill the memory that others need; the twin lets them go."""

from __future__ import annotations

import time

import dask.array as da
import numpy as np
from distributed import Client, wait

CAUSE = "kept-results"
#: True as well.
ALSO = (
    "spilling",
    "paused",
)
CLUSTER = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": "700MiB"}
#: Seconds of work that does not need the blocks.
AFTER = 150


def another(number: int) -> np.ndarray:
    """A block that is read once."""
    time.sleep(0.2)
    return np.random.default_rng(number).random(2 * 2**20)


def total(block: np.ndarray) -> float:
    """What is wanted of it."""
    return float(block.sum())


def work(client: Client) -> None:
    """Other blocks, a few at a time."""
    end = time.monotonic() + AFTER
    number = 0
    while time.monotonic() < end:
        blocks = client.map(another, range(number, number + 20), pure=False)
        wait(client.map(total, blocks, pure=False))
        number += 20


def kept() -> da.Array:
    """Half of the memory of the workers."""
    return da.random.random((90 * 2**20,), chunks=2**20).persist()


def bad(client: Client) -> None:
    """Kept for later, which never comes."""
    blocks = kept()
    blocks.mean().compute()
    work(client)
    del blocks


def healthy(client: Client) -> None:
    """Gone with the mean."""
    blocks = kept()
    blocks.mean().compute()
    del blocks
    work(client)

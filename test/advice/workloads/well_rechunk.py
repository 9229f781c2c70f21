"""Series of each pixel out of maps of each day: one change of chunks, then work on the new ones."""

from __future__ import annotations

import dask.array as da
import numpy as np
from distributed import Client

CAUSE = ""
CLUSTER = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": "2GiB"}


def trend(block: np.ndarray) -> np.ndarray:
    """Of each pixel."""
    days = np.arange(block.shape[0]) - block.shape[0] / 2
    for _ in range(3):
        slope = np.tensordot(days, block, (0, 0))[None] / (days**2).sum()
    return slope


def healthy(client: Client) -> None:
    """500 MB, by shuffling between workers."""
    maps = da.random.default_rng(1).standard_normal((1600, 200, 200), chunks=(50, 200, 200))
    maps.rechunk((1600, 50, 50)).map_blocks(trend, chunks=(1, 50, 50)).mean().compute()

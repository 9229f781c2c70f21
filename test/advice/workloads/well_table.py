"""A group-by of a table with as many rows in each partition: partial sums, then a tree of merges."""

from __future__ import annotations

import numpy as np
from dask.delayed import delayed
from distributed import Client

CAUSE = ""
CLUSTER = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": "2GiB"}


def partial(seed: int) -> np.ndarray:
    """Sums and counts by key of one partition."""
    rng = np.random.default_rng(seed)
    keys = rng.integers(0, 50, 1_500_000)
    return np.array([np.bincount(keys, rng.random(1_500_000), 50), np.bincount(keys, minlength=50)])


def merge(parts: list[np.ndarray]) -> np.ndarray:
    """Of several partitions."""
    return np.sum(parts, axis=0)


def healthy(client: Client) -> None:
    """Thirty-two partitions, merged eight at a time."""
    level = [delayed(partial)(seed) for seed in range(32)]
    while len(level) > 1:
        level = [delayed(merge)(level[i : i + 8]) for i in range(0, len(level), 8)]
    client.compute(level[0]).result()

"""Two results of an array and a search at the same time."""

from __future__ import annotations

import time

import dask.array as da
from distributed import Client

CAUSE = ""
CLUSTER = {"n_workers": 2, "threads_per_worker": 2, "memory_limit": "2GiB"}


def score(seed: int) -> int:
    """One evaluation."""
    time.sleep(0.2)
    return seed


def healthy(client: Client) -> None:
    """All are submitted before any is asked for."""
    array = da.random.default_rng(1).random((6000, 6000), chunks=(1500, 1500))
    futures = client.map(score, range(60))
    means = client.compute([array.mean(), array.std()])
    client.gather([*futures, *means])

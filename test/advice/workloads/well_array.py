"""Reductions of arrays in blocks of a comfortable size."""

from __future__ import annotations

import dask.array as da
from distributed import Client

CAUSE = ""
CLUSTER = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": "2GiB"}


def healthy(client: Client) -> None:
    """One pass over 1.2 GB in blocks of 16 MB."""
    array = da.random.default_rng(1).standard_normal((12_000, 12_000), chunks=(1500, 1500))
    (array**2 + array).sum().compute()

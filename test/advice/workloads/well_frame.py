"""A group-by of a table with as many rows in each partition."""

from __future__ import annotations

import dask.dataframe as dd
import numpy as np
import pandas as pd
from distributed import Client

CAUSE = ""
CLUSTER = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": "2GiB"}


def part(seed: int) -> pd.DataFrame:
    """One partition."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame({"key": rng.integers(0, 50, 800_000), "value": rng.random(800_000)})


def healthy(client: Client) -> None:
    """Mean by key."""
    frame = dd.from_map(part, range(30))
    frame.groupby("key").value.agg(["mean", "std"]).compute()

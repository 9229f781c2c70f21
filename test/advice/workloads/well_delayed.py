"""A tree of delayed calls: load, clean, summarize."""

from __future__ import annotations

import time

from dask.delayed import delayed
from distributed import Client

CAUSE = ""
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def load(part: int) -> int:
    """Read."""
    time.sleep(0.1 + 0.01 * (part % 5))
    return part


def clean(part: int) -> int:
    """Work on it."""
    time.sleep(0.08)
    return part


def healthy(client: Client) -> None:
    """Eighty parts."""
    client.compute(delayed(sum)([delayed(clean)(delayed(load)(part)) for part in range(80)])).result()

"""Tasks leave memory behind that Dask does not manage, until workers pause; the twin frees it."""

from __future__ import annotations

import time

import numpy as np
from distributed import Client, wait

CAUSE = "paused"
#: True as well.
ALSO = (
    "unmanaged-memory",
    "spilling",
)
CLUSTER = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": "280MiB"}


def leak(number: int) -> int:
    """Keeps what it made."""
    import builtins

    kept = builtins.__dict__.setdefault("dask_panes_kept", [])
    kept.append(np.ones(3 * 2**20))
    time.sleep(0.2)
    return number


def clean(number: int) -> int:
    """Lets it go."""
    block = np.ones(3 * 2**20)
    time.sleep(0.2)
    return int(block[0]) + number


def free() -> None:
    """What a restart would do."""
    import builtins

    builtins.__dict__.pop("dask_panes_kept", None)


def bad(client: Client) -> None:
    """Workers stop at 80 % of their limit."""
    futures = client.map(leak, range(30), pure=False)
    wait(futures, return_when="FIRST_COMPLETED")
    time.sleep(8)
    client.run(free)
    client.cancel(futures)


def healthy(client: Client) -> None:
    """Memory stays low."""
    client.gather(client.map(clean, range(30), pure=False))

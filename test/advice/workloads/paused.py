"""Tasks leave memory behind that Dask does not manage, until workers pause; the twin keeps nothing."""

from __future__ import annotations

import time

import numpy as np
from distributed import Client

CAUSE = "paused"
#: True as well.
ALSO = (
    "unmanaged-memory",
    "spilling",
)
CLUSTER = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": "280MiB"}


def leak(number: int) -> int:
    """Keeps what it made, until somebody looks after it."""
    import builtins

    kept = builtins.__dict__.setdefault("dask_panes_kept", [])
    block = np.ones(3 * 2**20)
    if kept is not None:
        kept.append(block)
    time.sleep(0.2)
    return number


def clean(number: int) -> int:
    """Lets it go."""
    block = np.ones(3 * 2**20)
    time.sleep(0.2)
    return int(block[0]) + number


def free() -> None:
    """Somebody does."""
    import builtins

    builtins.__dict__["dask_panes_kept"] = None


def bad(client: Client) -> None:
    """Workers stop at 80 % of their limit, until somebody notices."""
    futures = client.map(leak, range(30), pure=False)
    until = time.monotonic() + 120
    while any(worker["status"] != "paused" for worker in client.scheduler_info()["workers"].values()):
        if time.monotonic() > until:
            raise TimeoutError("no worker has paused")
        time.sleep(0.1)
    time.sleep(6)
    client.run(free)
    client.gather(futures)


def healthy(client: Client) -> None:
    """Memory stays low."""
    client.gather(client.map(clean, range(30), pure=False))

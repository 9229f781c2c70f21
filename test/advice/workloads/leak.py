"""Memory that Dask does not manage grows with each task; the twin frees it."""

from __future__ import annotations

import time

import numpy as np
from distributed import Client

CAUSE = "unmanaged-memory"
#: True as well.
ALSO = (
    "paused",
    "spilling",
)
CLUSTER = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": "1GiB"}


def leak(number: int) -> int:
    """Keeps what it made."""
    import builtins

    builtins.__dict__.setdefault("dask_panes_kept", []).append(np.ones(2 * 2**20))
    time.sleep(0.15)
    return number


def clean(number: int) -> int:
    """Lets it go."""
    block = np.ones(2 * 2**20)
    time.sleep(0.15)
    return int(block[0]) + number


def bad(client: Client) -> None:
    """16 MiB a task."""
    client.gather(client.map(leak, range(60), pure=False))


def healthy(client: Client) -> None:
    """Nothing stays."""
    client.gather(client.map(clean, range(60), pure=False))

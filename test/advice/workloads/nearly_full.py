"""Each task needs so much memory that its worker is close to pausing; the twin's tasks need a quarter of it."""

from __future__ import annotations

import time

import numpy as np
from distributed import Client

CAUSE = "near-limit"
CLUSTER = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": "1GiB"}
#: Beside what a worker needs for itself, 27 to 129 MiB, it is 70 to 80 % of the limit.
MIB = 690


def process(number: int, mib: int) -> int:
    """Works on a large array that nobody else needs."""
    block = np.ones(mib * 2**17)
    time.sleep(2)
    return int(block[number])


def bad(client: Client) -> None:
    """Anything more, and workers pause."""
    client.gather(client.map(process, range(10), mib=MIB, pure=False))


def healthy(client: Client) -> None:
    """There is room."""
    client.gather(client.map(process, range(10), mib=MIB // 4, pure=False))

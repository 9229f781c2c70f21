"""Work stealing at its best: tasks that lie on one worker and are cheap to move are done by all."""

from __future__ import annotations

import time

import numpy as np
from distributed import Client, wait

CAUSE = ""
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def load(number: int) -> np.ndarray:
    """A small array."""
    return np.full(1000, float(number))


def process(block: np.ndarray) -> float:
    """One piece of work: much longer than a move, and some longer than others."""
    time.sleep(0.3 if block[0] % 7 == 0 else 0.15)
    return float(block.sum())


def healthy(client: Client) -> None:
    """All blocks are on the first worker; the second one gets its share of the tasks."""
    first = sorted(client.scheduler_info()["workers"])[:1]
    blocks = client.map(load, range(120), workers=first, pure=False)
    wait(blocks)
    client.gather(client.map(process, blocks, pure=False))

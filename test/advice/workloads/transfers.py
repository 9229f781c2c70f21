"""Every sum needs blocks of both workers; the twin adds what lies together."""

from __future__ import annotations

import numpy as np
from distributed import Client, wait

CAUSE = "transfers"
#: True as well.
ALSO = ("client-waits",)
CLUSTER = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": "1.5GiB"}
BYTES = 24 * 2**20


def load(number: int) -> np.ndarray:
    """A block of data."""
    return np.random.default_rng(number).random(BYTES // 8)


def first(*blocks: np.ndarray) -> float:
    """Needs whole blocks for next to nothing."""
    return float(sum(block[0] for block in blocks))


def loaded(client: Client) -> list[list[object]]:
    """Eight blocks on each worker."""
    addresses = sorted(client.scheduler_info()["workers"])
    found = [
        [client.submit(load, 10 * i + j, workers=[address], pure=False) for j in range(8)]
        for i, address in enumerate(addresses)
    ]
    wait([future for part in found for future in part])
    return found


def bad(client: Client) -> None:
    """Blocks of one worker are needed on the other, again and again."""
    left, right = loaded(client)
    addresses = sorted(client.scheduler_info()["workers"])
    for _ in range(3):
        ends = [
            client.submit(first, part[i], workers=[address], pure=False)
            for part, address in ((left, addresses[1]), (right, addresses[0]))
            for i in range(8)
        ]
        client.gather(ends)
        del ends
        left, right = loaded(client)


def healthy(client: Client) -> None:
    """Each sum runs where its blocks are."""
    left, right = loaded(client)
    addresses = sorted(client.scheduler_info()["workers"])
    for _ in range(3):
        ends = [
            client.submit(first, part[i], workers=[address], pure=False)
            for part, address in ((left, addresses[0]), (right, addresses[1]))
            for i in range(8)
        ]
        client.gather(ends)
        del ends
        left, right = loaded(client)

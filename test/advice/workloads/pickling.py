"""Results are lists of Python objects that other workers need; the twin has arrays of the same numbers."""

from __future__ import annotations

import time

import numpy as np
from distributed import Client, wait

CAUSE = "serialisation"
#: True as well.
ALSO = (
    "transfers",
    "client-waits",
)
CLUSTER = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": "1.5GiB"}
COUNT = 8_000


class Point:
    """One object of many."""

    def __init__(self, x: float, y: float) -> None:
        self.x, self.y = x, y


def objects(number: int) -> list[Point]:
    """Objects, each with its own dictionary."""
    time.sleep(0.1)
    return [Point(float(i), float(number)) for i in range(COUNT)]


def array(number: int) -> np.ndarray:
    """The same numbers."""
    time.sleep(0.1)
    return np.stack([np.arange(COUNT, dtype=float), np.full(COUNT, float(number))])


def first(block: list[Point] | np.ndarray) -> int:
    """Needs a whole block for next to nothing."""
    return len(block)


def run(client: Client, make: object) -> None:
    """Eight blocks of each worker, needed on the other."""
    one, other = sorted(client.scheduler_info()["workers"])
    ends = []
    for made, used in ((one, other), (other, one)):
        for i in range(8):
            block = client.submit(make, i, workers=[made], pure=False)
            ends.append(client.submit(first, block, workers=[used], pure=False))
    wait(ends)


def bad(client: Client) -> None:
    """Objects are pickled one by one."""
    run(client, objects)


def healthy(client: Client) -> None:
    """Arrays are sent as they are."""
    run(client, array)

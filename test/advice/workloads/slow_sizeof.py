"""To find out how large a result is takes 50 ms of the worker's event loop after each task; the twin knows it."""

from __future__ import annotations

import time

from distributed import Client, wait

CAUSE = "between-tasks"
CLUSTER = {"n_workers": 2, "threads_per_worker": 1}
TASKS = 200


class Tree:
    """Many objects that refer to each other."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def __sizeof__(self) -> int:
        """Adds them up."""
        end = time.perf_counter() + self.seconds
        while time.perf_counter() < end:
            pass
        return 1000


def grow(number: int, seconds: float) -> Tree:
    """One piece of work."""
    time.sleep(0.05)
    return Tree(seconds)


def bad(client: Client) -> None:
    """Dask asks for the size of each result."""
    wait(client.map(grow, range(TASKS), seconds=0.05, pure=False))


def healthy(client: Client) -> None:
    """It has been counted while the tree grew."""
    wait(client.map(grow, range(TASKS), seconds=0, pure=False))

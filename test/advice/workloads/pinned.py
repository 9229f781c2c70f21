"""All tasks are given to one of two workers; the twin leaves it to Dask."""

from __future__ import annotations

import time

from distributed import Client

CAUSE = "uneven-workers"
#: True as well.
ALSO = ("little-parallelism",)
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def process(number: int) -> int:
    """One piece of work."""
    time.sleep(0.15)
    return number


def bad(client: Client) -> None:
    """Where the files are, say."""
    first = sorted(client.scheduler_info()["workers"])[0]
    client.gather(client.map(process, range(80), workers=[first], pure=False))


def healthy(client: Client) -> None:
    """Anywhere."""
    client.gather(client.map(process, range(80), pure=False))

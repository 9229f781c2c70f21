"""A group-by whose groups are uneven: one of twelve has most rows."""

from __future__ import annotations

import time

from dask.delayed import delayed
from distributed import Client

CAUSE = "straggler"
#: True as well.
ALSO = ("little-parallelism",)
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def aggregate(rows: int) -> int:
    """Work in proportion to the rows."""
    time.sleep(rows / 1000)
    return rows


def run(client: Client, sizes: list[int]) -> None:
    """Aggregate all groups."""
    client.compute(delayed(sum)([delayed(aggregate)(size) for size in sizes])).result()


def bad(client: Client) -> None:
    """Most rows have one key."""
    run(client, [100, 120, 90, 110, 3000, 105, 95, 100, 130, 100, 90, 115])


def healthy(client: Client) -> None:
    """The rows of that key are divided."""
    run(client, [100, 120, 90, 110, *[150] * 20, 105, 95, 100, 130, 100, 90, 115])

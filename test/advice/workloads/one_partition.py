"""A bag of one partition; the twin has sixteen."""

from __future__ import annotations

import time

import dask.bag as bag
from distributed import Client

CAUSE = "little-parallelism"
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def parse(value: int) -> int:
    """Work on one item."""
    time.sleep(0.02)
    return value * 2


def bad(client: Client) -> None:
    """One task does it all."""
    bag.from_sequence(range(160), npartitions=1).map(parse).sum().compute()


def healthy(client: Client) -> None:
    """Each thread has a share."""
    bag.from_sequence(range(160), npartitions=16).map(parse).sum().compute()

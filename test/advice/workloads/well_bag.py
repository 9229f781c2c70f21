"""Words counted in partitions that take a while each."""

from __future__ import annotations

import dask.bag as bag
from distributed import Client

CAUSE = ""
CLUSTER = {"n_workers": 2, "threads_per_worker": 1}


def expand(seed: int) -> list[str]:
    """A document."""
    return [f"word{(seed * k) % 97}" for k in range(30_000)]


def healthy(client: Client) -> None:
    """Twenty-four partitions."""
    bag.from_sequence(range(240), npartitions=24).map(expand).flatten().frequencies(split_every=8).topk(10).compute()

"""A function with a table of 32 MB in its closure is mapped over parameters; the twin scatters the table once."""

from __future__ import annotations

import time

import numpy as np
from distributed import Client

CAUSE = "data-by-value"
#: True as well: each task unpacks its own.
ALSO = ("unmanaged-memory", "serialisation", "large-graph")
CLUSTER = {"n_workers": 2, "threads_per_worker": 2, "memory_limit": "2GiB"}


def made() -> np.ndarray:
    """The table."""
    return np.random.default_rng(1).random(4_000_000)


def bad(client: Client) -> None:
    """It travels with each task."""
    table = made()

    def look_up(row: int) -> float:
        time.sleep(0.1)
        return float(table[row])

    client.gather(client.map(look_up, range(60)))


def healthy(client: Client) -> None:
    """It is there already."""

    def look_up(row: int, table: np.ndarray) -> float:
        time.sleep(0.1)
        return float(table[row])

    table = client.scatter(made(), broadcast=True)
    client.gather(client.map(look_up, range(60), table=table))

"""An array in 900 blocks of 2,500 elements; the twin has 36 of 62,500."""

from __future__ import annotations

import dask.array as da
from distributed import Client

CAUSE = "small-tasks"
#: True as well.
ALSO = (
    "small-tasks",
    "transfers",
    "late-event-loops",
)
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def run(chunk: int) -> None:
    """One reduction."""
    array = da.random.default_rng(1).random((1500, 1500), chunks=(chunk, chunk))
    (array + array.T).sum().compute()


def bad(client: Client) -> None:
    """Tiny blocks."""
    run(50)


def healthy(client: Client) -> None:
    """Large ones."""
    run(250)

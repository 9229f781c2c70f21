"""Six hundred steps on an array, a layer of the graph each for the scheduler to read; the twin has one layer."""

from __future__ import annotations

import dask.array as da
import numpy as np
from distributed import Client

CAUSE = "large-graph"
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}
STEPS = 600


def steps(block: np.ndarray) -> np.ndarray:
    """All steps on one block."""
    for _ in range(STEPS):
        block = block + 1
    return block


def bad(client: Client) -> None:
    """A layer for each step."""
    array = da.zeros((160, 160), chunks=(20, 20))
    for _ in range(STEPS):
        array = array + 1
    array.sum().compute()


def healthy(client: Client) -> None:
    """One layer."""
    da.zeros((160, 160), chunks=(20, 20)).map_blocks(steps).sum().compute()

"""Four results of the same blocks, computed one after the other; the twin persists the blocks."""

from __future__ import annotations

import time

import dask.array as da
import numpy as np
from distributed import Client

CAUSE = "computed-again"
#: True as well.
ALSO = ("client-waits",)
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def read_block(block: np.ndarray) -> np.ndarray:
    """As slow as a read from a store."""
    time.sleep(0.15)
    return block + 1


def blocks() -> da.Array:
    """Sixteen of them."""
    return da.ones((400, 400), chunks=(100, 100)).map_blocks(read_block, dtype=float)


def results(array: da.Array) -> None:
    """Four reductions."""
    array.sum().compute()
    array.mean().compute()
    array.std().compute()
    array.max().compute()


def bad(client: Client) -> None:
    """Read for each of them."""
    results(blocks())


def healthy(client: Client) -> None:
    """Read once."""
    results(blocks().persist())

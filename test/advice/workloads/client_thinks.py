"""Work in the notebook between computations; the twin does that on the workers."""

from __future__ import annotations

import time

from dask.delayed import delayed
from distributed import Client

CAUSE = "client-waits"
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def simulate(seed: int) -> int:
    """Work of a worker."""
    time.sleep(0.05)
    return seed


def fit(values: list[int]) -> int:
    """Work of the notebook."""
    time.sleep(0.3)
    return sum(values)


def bad(client: Client) -> None:
    """Fit here."""
    for _ in range(8):
        fit(client.gather(client.map(simulate, range(16), pure=False)))


def healthy(client: Client) -> None:
    """Fit there."""
    rounds = [
        delayed(fit)([delayed(simulate)(i, dask_key_name=f"simulate-{r}-{i}") for i in range(16)]) for r in range(8)
    ]
    client.gather(client.compute(rounds))

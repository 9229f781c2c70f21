"""Thirty steps, each of which needs the one before; the twin has four independent parts."""

from __future__ import annotations

import time
from typing import Any

from dask.delayed import delayed
from distributed import Client

CAUSE = "little-parallelism"
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def advance(value: Any) -> int:
    """One step."""
    time.sleep(0.1)
    return 1 if value is None else int(value) + 1


def steps(count: int) -> Any:
    """A chain of steps."""
    value = None
    for _ in range(count):
        value = delayed(advance)(value)
    return value


def bad(client: Client) -> None:
    """One chain."""
    client.compute(steps(32)).result()


def healthy(client: Client) -> None:
    """Four chains of a quarter of the length."""
    client.gather(client.compute([steps(8) for _ in range(4)]))

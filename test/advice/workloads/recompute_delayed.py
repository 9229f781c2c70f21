"""A delayed table that three results need, computed for each; the twin computes them together."""

from __future__ import annotations

import time

from dask.base import compute
from dask.delayed import delayed
from distributed import Client

CAUSE = "computed-again"
#: True as well.
ALSO = ("client-waits",)
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


@delayed(pure=True)
def load(part: int) -> list[int]:
    """A slow part."""
    time.sleep(0.2)
    return list(range(part))


@delayed(pure=True)
def combine(parts: list[list[int]], how: str) -> int:
    """A quick result of all parts."""
    return len(parts) + len(how)


def bad(client: Client) -> None:
    """One after the other."""
    parts = [load(i) for i in range(12)]
    for how in ("sum", "mean", "max", "min"):
        combine(parts, how).compute()


def healthy(client: Client) -> None:
    """At once."""
    parts = [load(i) for i in range(12)]
    compute(*[combine(parts, how) for how in ("sum", "mean", "max", "min")])

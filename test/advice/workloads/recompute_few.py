"""Three results of twelve slow parts with quick steps of their own; the twin keeps the parts."""

from __future__ import annotations

import time
from typing import Any

from dask.base import persist
from dask.delayed import delayed
from distributed import Client

CAUSE = "computed-again"
#: True as well.
ALSO = ("client-waits",)
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


@delayed(pure=True)
def read(part: int) -> int:
    """A slow part."""
    time.sleep(0.3)
    return part


@delayed(pure=True)
def column(part: int, name: str) -> int:
    """A quick step, another one for each result."""
    return part + len(name)


def results(parts: list[Any]) -> None:
    """Each needs all parts, and two columns of them."""
    for name in ("mean", "median", "maximum"):
        columns = [column(part, f"{name}{i}") for part in parts for i in range(2)]
        delayed(sum)(columns).compute()


def bad(client: Client) -> None:
    """Read for each."""
    results([read(i) for i in range(12)])


def healthy(client: Client) -> None:
    """Read once."""
    results(list(persist(*[read(i) for i in range(12)])))

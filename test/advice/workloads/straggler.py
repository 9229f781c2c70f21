"""One of forty tasks takes fifty times as long; the twin divides its work."""

from __future__ import annotations

import time

from distributed import Client

CAUSE = "straggler"
#: True as well.
ALSO = ("little-parallelism",)
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def process(seconds: float) -> float:
    """Work of a known length."""
    time.sleep(seconds)
    return seconds


def bad(client: Client) -> None:
    """The long one comes last."""
    client.gather(client.map(process, [0.08] * 40 + [4.0], pure=False))


def healthy(client: Client) -> None:
    """The long one in pieces."""
    client.gather(client.map(process, [0.08] * 40 + [0.1] * 40, pure=False))

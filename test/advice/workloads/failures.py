"""Most tasks end with an error, which those that need them inherit; the twin's do not."""

from __future__ import annotations

import time

from distributed import Client, wait

CAUSE = "failures"
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def convert(value: int, strict: bool) -> int:
    """Fails late."""
    time.sleep(0.1)
    if strict and value % 3:
        raise ValueError(value)
    return value


def bad(client: Client) -> None:
    """Two of three fail."""
    wait(client.map(convert, range(60), [True] * 60, pure=False))


def healthy(client: Client) -> None:
    """None fails."""
    wait(client.map(convert, range(60), [False] * 60, pure=False))

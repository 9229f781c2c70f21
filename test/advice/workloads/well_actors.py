"""Gradients of workers that an actor adds up."""

from __future__ import annotations

import time
from typing import Any

from distributed import Client

CAUSE = ""
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


class Sum:
    """Lives on one worker."""

    def __init__(self) -> None:
        self.value = 0

    def add(self, value: int) -> int:
        """Called by tasks of all workers."""
        self.value += value
        return self.value


def gradient(number: int, total: Any) -> int:
    """Work, then one call of the actor."""
    time.sleep(0.15)
    return int(total.add(number).result())


def healthy(client: Client) -> None:
    """Eighty gradients."""
    total = client.submit(Sum, actor=True).result()
    client.gather(client.map(gradient, range(80), total=total, pure=False))

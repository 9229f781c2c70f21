"""Epochs of a model, each submitted once the one before is there; a step of the workers takes long beside that."""

from __future__ import annotations

import time

from distributed import Client

CAUSE = ""
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def gradient(epoch: int, part: int) -> int:
    """One part of the data."""
    time.sleep(0.4 + 0.01 * (part % 3))
    return epoch * part


def healthy(client: Client) -> None:
    """Six epochs of eight parts."""
    for epoch in range(6):
        client.gather([client.submit(gradient, epoch, part, pure=False) for part in range(8)])

"""Batches that come in real time, every half a second: the cluster has more threads than they need."""

from __future__ import annotations

import time

from distributed import Client

CAUSE = ""
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def handle(batch: int, part: int) -> int:
    """One part of a batch."""
    time.sleep(0.1 + (batch * 7 % 5) * 0.02)
    return batch * part


def healthy(client: Client) -> None:
    """Results are taken as soon as they are there, then the next batch is awaited."""
    begin = time.monotonic()
    for batch in range(24):
        client.gather([client.submit(handle, batch, part, pure=False) for part in range(4)])
        time.sleep(max(0, begin + 0.5 * (batch + 1) - time.monotonic()))

"""Tasks of six seconds are cancelled after one, and the next ones wait for their threads; the twin has none."""

from __future__ import annotations

import time

from distributed import Client

CAUSE = "cancelled-tasks"
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def nap(seconds: float) -> float:
    """Sleep."""
    time.sleep(seconds)
    return seconds


def work(client: Client) -> None:
    """Three seconds of work for every thread."""
    client.gather(client.map(nap, [0.25] * 48, pure=False))


def bad(client: Client) -> None:
    """Every thread is taken for five seconds more."""
    long = client.map(nap, [6.0] * 4, pure=False)
    time.sleep(1)
    client.cancel(long)
    work(client)


def healthy(client: Client) -> None:
    """Nothing is cancelled."""
    work(client)

"""A loop that submits the next trial when one has ended, two at a time on four threads; the twin keeps eight ahead."""

from __future__ import annotations

import time

from distributed import Client, as_completed

CAUSE = "client-waits"
#: True as well.
ALSO = ("little-parallelism",)
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def trial(number: int) -> int:
    """One evaluation."""
    time.sleep(0.25 + (number % 5) * 0.02)
    return number


def search(client: Client, ahead: int) -> None:
    """Forty trials."""
    trials = as_completed([client.submit(trial, number, pure=False) for number in range(ahead)])
    for number, future in enumerate(trials, start=ahead):
        future.result()
        if number < 40:
            trials.add(client.submit(trial, number, pure=False))


def bad(client: Client) -> None:
    """Half of the threads have nothing to do."""
    search(client, 2)


def healthy(client: Client) -> None:
    """All have a next one."""
    search(client, 8)

"""One of two workers takes three times as long for the same; the twin has two that are equal."""

from __future__ import annotations

import time

from distributed import Client, get_worker

CAUSE = "slow-worker"
#: True as well.
ALSO = (
    "straggler",
    "little-parallelism",
)
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def work(number: int, slow: bool) -> int:
    """As on a machine that does something else besides."""
    time.sleep(0.45 if slow and get_worker().name == 0 else 0.15)
    return number


def run(client: Client, slow: bool) -> None:
    """Each worker has its half: what is where its data is, stays there."""
    workers = list(client.scheduler_info()["workers"])
    futures = [client.submit(work, i, slow, workers=[workers[i % 2]], pure=False) for i in range(64)]
    client.gather(futures)


def bad(client: Client) -> None:
    """With a slow worker."""
    run(client, slow=True)


def healthy(client: Client) -> None:
    """With equal ones."""
    run(client, slow=False)

"""A search that submits a new trial whenever one has ended: always twice as many as there are threads."""

from __future__ import annotations

import time

from distributed import Client, as_completed

CAUSE = ""
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def loss(trial: int) -> int:
    """One trial."""
    time.sleep(0.25 + (trial % 5) / 20)
    return trial * trial


def healthy(client: Client) -> None:
    """Sixty trials."""
    trials = as_completed([client.submit(loss, trial, pure=False) for trial in range(8)])
    submitted = 8
    for future in trials:
        future.result()
        if submitted < 60:
            trials.add(client.submit(loss, submitted, pure=False))
            submitted += 1

"""Futures with results taken as they complete."""

from __future__ import annotations

import time

from distributed import Client, as_completed

CAUSE = ""
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def score(seed: int) -> float:
    """One evaluation."""
    time.sleep(0.05 + (seed % 7) * 0.02)
    return seed / 2


def healthy(client: Client) -> None:
    """Best of 120."""
    max(result for _, result in as_completed(client.map(score, range(120)), with_results=True))

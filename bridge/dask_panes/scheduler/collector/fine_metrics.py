"""Keys of Dask's fine metrics (``Scheduler.cumulative_worker_metrics``): context, further words, activity, unit."""

from __future__ import annotations

from typing import Any

#: Context of what a P2P shuffle measures; its tasks measure some of it as well, as an activity with this prefix.
SHUFFLE, PREFIX = "p2p", "p2p-"
#: Metrics that are read at most. Also in `src/run/tables/activities.ts`.
MOST = 20_000


def is_counted(key: tuple[Any, ...]) -> bool:
    """Whether a metric is an amount of its own that was spent.

    What a P2P shuffle measures in the foreground, its tasks measure, too (``ShuffleRun._capture_metrics``); its
    background tasks measure how long they wait for something to do, several of them at the same time. The bytes and
    the number of what is stored come once more as what is written (``ShardsBuffer.process``), where it goes to disk.
    """
    if key[0] != SHUFFLE:
        return True
    again = key[1] == "background-disk" and key[-2] == "process" and key[-1] != "seconds"
    return not (again or key[1] == "foreground" or key[-2] == "idle")


def is_shuffling(key: tuple[Any, ...]) -> bool:
    """Whether a P2P shuffle has measured it."""
    return key[0] == SHUFFLE or str(key[-2]).startswith(PREFIX)

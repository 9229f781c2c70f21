"""Metrics of a heartbeat that user code has added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .plain import number, text

if TYPE_CHECKING:
    from distributed.scheduler import WorkerState

#: Dask's own metrics in a heartbeat: all others are the user's.
DASK_METRICS = frozenset(
    "task_counts bandwidth managed_bytes spilled_bytes transfer event_loop_interval cpu memory time host_net_io "
    "host_disk_io num_fds gil_contention host_cpu gpu_utilization gpu_memory_used gpu-memory-total gpu-name "
    "digests_total_since_heartbeat executing in_flight in_memory ready".split()
)


def seceded_tasks(ws: WorkerState) -> int:
    """Tasks that ran at the last heartbeat of a worker and occupied none of its threads."""
    seceded = ws.long_running
    return sum([ts in ws.executing for ts in seceded]) if seceded else 0


def cancelled_tasks(ws: WorkerState) -> int:
    """Tasks in the worker's state ``cancelled`` at its heartbeat.

    The scheduler has released or forgotten them. One that had begun keeps its thread until it ends, since Python cannot
    stop a thread; one whose data was being fetched is there only until the data has come.
    """
    counts = ws.metrics.get("task_counts")
    found = number(counts.get("cancelled", 0)) if isinstance(counts, dict) else 0.0
    return int(found) if 0 <= found < 2**32 else 0


def user_metrics(ws: WorkerState) -> dict[str, float | str]:
    """Scalar metrics of a heartbeat that are not Dask's own; texts are cut at 200 characters, at most 50 metrics."""
    own: dict[str, float | str] = {}
    if DASK_METRICS.issuperset(ws.metrics):
        return own
    for name, value in ws.metrics.items():
        if name in DASK_METRICS or len(own) >= 50:
            continue
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            own[text(name, 200)] = number(value)
        elif isinstance(value, (str, bool)):
            own[text(name, 200)] = text(value, 200)
    return own

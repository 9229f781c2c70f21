"""The part of a scheduler that the collector uses, as far as Dask's standard RPCs tell it (`stand_in`)."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import nan
from types import SimpleNamespace
from typing import Any

from distributed.core import Status

#: States of a worker's tasks in which the scheduler has not assigned them to it: what it fetches are results of others.
NOT_ASSIGNED = frozenset({"memory", "released", "error", "erred", "cancelled", "fetch", "flight", "missing"})


class Mirror(SimpleNamespace):
    """A scheduler in the eyes of a collector."""

    def __init__(self) -> None:
        super().__init__(
            address="",
            id="",
            workers={},
            tasks={},
            task_prefixes={},
            task_groups={},
            saturated=(),
            idle={},
            queued=(),
            unrunnable=(),
            clients={},
            plugins={},
            status=Status.undefined,
            handlers={},
            extensions={},
            cumulative_worker_metrics={},
            periodic_callbacks={},
            computations=(),
            replicated_tasks=(),
            transition_counter=0,
        )


def mirror_prefix(name: str) -> SimpleNamespace:
    """An empty TaskPrefix; its `state_counts` have to change with its `states`: rows are computed of what has moved."""
    return SimpleNamespace(
        name=name,
        states=Counter[str](),
        state_counts=Counter[str](),
        all_durations=defaultdict[str, float](float),
        nbytes_total=0,
        duration_average=-1.0,
        max_exec_time=-1.0,
        suspicious=0,
        groups=(),
    )


def update_worker(ws: SimpleNamespace, facts: dict[str, Any], ahead: float = 0.0) -> None:
    """Update the mirror of a WorkerState from `identity`; the kernel's clock is `ahead` of the scheduler's, seconds."""
    metrics = facts.get("metrics") or {}
    counts = metrics.get("task_counts") or {}
    spilled = metrics.get("spilled_bytes") or {}
    process = int(metrics.get("memory", 0))
    # What has been written to disk is among the results, with its size in memory.
    nbytes = int(metrics.get("managed_bytes", 0))
    managed = min(process, max(0, nbytes - int(spilled.get("memory", 0))))
    seceded = int(counts.get("long-running", 0))
    running = int(counts.get("executing", 0)) + seceded
    assigned = sum(int(n) for state, n in counts.items() if state not in NOT_ASSIGNED)
    ws.__dict__.update(
        status=getattr(Status, str(facts.get("status", "running")), Status.undefined),
        nthreads=int(facts.get("nthreads", 0)),
        memory_limit=facts.get("memory_limit") or 0,
        last_seen=float(facts.get("last_seen", 0.0)) + ahead,
        metrics=metrics,
        nbytes=nbytes,
        processing=range(max(assigned, running)),
        executing=range(running),
        long_running=range(seceded),
        has_what=range(int(counts.get("memory", 0))),
        # Only the scheduler knows how long memory has been unmanaged: all of it counts as old, none as recent.
        memory=SimpleNamespace(
            process=process,
            managed=managed,
            unmanaged_old=process - managed,
            unmanaged_recent=nan,
            spilled=int(spilled.get("disk", 0)),
        ),
    )

"""The layouts and plots of the extension, so that a misspelt name is an error in the cell."""

from __future__ import annotations

from difflib import get_close_matches

#: Ids of layouts and plots, in order (``src/panes/docking/layouts.ts``, ``src/plots/index.ts``; a test compares them).
KNOWN = (
    "advice",
    "aggregate-time-per-action",
    "bandwidth-types",
    "bandwidth-workers",
    "cluster-memory",
    "compare-computations",
    "computations",
    "compute-time-per-key",
    "contention",
    "costs",
    "cpu",
    "cpu-timeseries",
    "critical-path",
    "disk-timeseries",
    "errors",
    "events",
    "fine-metrics",
    "gpu-memory",
    "gpu-utilization",
    "group-progress",
    "hardware",
    "local",
    "local-cache",
    "local-resources",
    "local-tasks",
    "logs",
    "memory",
    "memory-by-key",
    "memory-sampler",
    "memory-timeseries",
    "network-timeseries",
    "nprocessing",
    "occupancy",
    "profile",
    "profile-server",
    "progress",
    "rmm-memory",
    "running",
    "shuffle",
    "status",
    "system",
    "task",
    "task-graph",
    "task-groups",
    "task-stream",
    "tasks",
    "transfers",
    "work-stealing",
    "worker",
    "workers",
    "workers-disk",
    "workers-map",
    "workers-memory",
    "workers-network",
    "workers-transfer-bytes",
)


def require_known(what: str) -> None:
    """Check that a layout or plot exists.

    Raises
    ------
    ValueError
        There is none; the message lists similar names.
    """
    if what in KNOWN:
        return
    near = get_close_matches(str(what), KNOWN, n=3, cutoff=0.5)
    hint = f"Did you mean {' or '.join(map(repr, near))}?" if near else f"There are: {', '.join(KNOWN)}."
    raise ValueError(f"There is no layout or plot {what!r}. {hint}")

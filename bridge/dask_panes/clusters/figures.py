"""Facts of a card that only a class or a scheduler knows."""

from __future__ import annotations

from typing import Any

#: The numbers of a card without a cluster.
NOTHING: dict[str, Any] = {
    "class": "",
    "fixed": "",
    "workers": 0,
    "asked": 0,
    "threads": 0,
    "memory": 0,
    "machine": 0,
    "grouped": False,
    "adaptive": None,
    "tasks": 0,
    "clients": 0,
    "dashboard": "",
}


async def tasks_of(scheduler: Any) -> int:
    """Number of tasks of a scheduler in another process; while it has workers, without those that are queued."""
    counts = await scheduler.get_task_prefix_states()
    found = sum(sum(states.values()) for states in counts.values())
    if not await scheduler.ncores():
        # Dask counts neither queued tasks nor those that no worker may run there. For such a short time, and without
        # workers, it asks for a worker for each of them.
        found += await scheduler.adaptive_target(target_duration=1e-9)
    return found


def threads_of(cluster: Any) -> int:
    """Threads of all workers that a cluster knows; 0 if its class says none."""
    try:
        return sum(int(worker["nthreads"]) for worker in list(cluster.scheduler_info["workers"].values()))
    except Exception:
        # A third-party class has fewer facts, or its loop is changing them at this moment.
        return 0


def link_of(cluster: Any) -> str | None:
    """Where a cluster says that its dashboard is; None where the template of the configuration cannot be filled in.

    On a hub it is a path there; the page checks where a link leads.
    """
    try:
        link = cluster.dashboard_link
    except (KeyError, IndexError, ValueError):
        return None
    except Exception:
        # A property of a third-party class.
        return ""
    return link if isinstance(link, str) else ""

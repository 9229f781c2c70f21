"""Why a task does not run now, from the state that the scheduler decides by. A part of the request ``task``.

It only counts, and is bounded: what would require examining more than `LOOKED` tasks is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from .metrics import cancelled_tasks
from .plain import number, text

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler, TaskState, WorkerState

#: Tasks of the queue, or of a worker, whose priority is compared.
LOOKED = 20_000
#: Names of a list.
NAMED = 20


def reasons(scheduler: Scheduler, ts: TaskState) -> dict[str, Any]:
    """What holds up a task that is queued, unrunnable or assigned to a worker; empty in other states.

    Returns
    -------
    dict
        ``queued`` and ``ahead``: tasks in the queue, and those of them that go first (None: too many to compare).
        ``workers``, ``running``, ``paused``: workers by status. ``fitting``: workers that the task names which are
        there, None if it names none. ``able``: workers that it may run on and that have all resources that it needs,
        whatever their status, and ``ready``: those of them that take tasks. ``resources``: ``[name, needed, most that a
        worker has, taken by tasks that ran there]``.
        Of a worker: ``status``, ``executing`` (seconds at its last heartbeat, None if it did not run), ``seceded``,
        ``ahead`` (tasks there that go first and did not run), ``busy`` (tasks that ran), ``cancelled`` (tasks
        that nobody wants any more, nearly all of which keep a thread), ``threads``, ``seen`` (scheduler clock).
    """
    if ts.state == "queued":
        return {"queued": len(scheduler.queued), "ahead": _ahead(ts, scheduler.queued), **_workers(scheduler, ts)}
    if ts.state == "no-worker":
        return _workers(scheduler, ts)
    if ts.state == "processing" and ts.processing_on is not None:
        return _on_worker(ts, ts.processing_on)
    return {}


def _ahead(ts: TaskState, others: Collection[TaskState], but: Iterable[TaskState] = ()) -> int | None:
    """Tasks that go first, or None if there are too many to compare."""
    if len(others) > LOOKED:
        return None
    skipped = {*but}
    return sum(1 for other in others if other not in skipped and other.priority < ts.priority)


def _workers(scheduler: Scheduler, ts: TaskState) -> dict[str, Any]:
    status = [ws.status.name for ws in scheduler.workers.values()]
    facts: dict[str, Any] = {
        "workers": len(status),
        "running": status.count("running"),
        "paused": status.count("paused"),
        "fitting": None,
        "able": 0,
        "ready": 0,
        "resources": [],
    }
    named = list(scheduler.workers.values())
    if ts.worker_restrictions or ts.host_restrictions:
        hosts = {scheduler.coerce_hostname(host) for host in ts.host_restrictions or ()}
        named = [ws for ws in named if ws.address in (ts.worker_restrictions or ()) or ws.host in hosts]
        facts["fitting"] = len(named)
    needs = (ts.resource_restrictions or {}).items()
    able = [ws for ws in named if all(ws.resources.get(name, 0.0) >= needed for name, needed in needs)]
    facts["able"] = len(able)
    facts["ready"] = sum(1 for ws in able if ws.status.name == "running")
    for resource, needed in [*(ts.resource_restrictions or {}).items()][:NAMED]:
        supplied = [ws.resources.get(resource, 0.0) for ws in scheduler.workers.values()]
        facts["resources"].append([text(resource, 200), number(needed), max(map(number, supplied), default=0.0), 0.0])
    return facts


def _on_worker(ts: TaskState, ws: WorkerState) -> dict[str, Any]:
    executing = ws.executing.get(ts)
    # What has ended since the last heartbeat is among those that it reported.
    others = [other for other in ws.executing if other is not ts and other.processing_on is ws]
    busy = [ts, *others] if executing is not None else others
    return {
        "status": ws.status.name,
        "executing": None if executing is None else number(executing),
        "seceded": ts in ws.long_running,
        "ahead": _ahead(ts, ws.processing, ws.executing),
        "busy": sum(1 for other in busy if other not in ws.long_running),
        "cancelled": cancelled_tasks(ws),
        "threads": ws.nthreads,
        "seen": number(ws.last_seen),
        "resources": [
            [text(resource, 200), number(needed), number(ws.resources.get(resource, 0.0)), _taken(others, resource)]
            for resource, needed in [*(ts.resource_restrictions or {}).items()][:NAMED]
        ],
    }


def _taken(running: Iterable[TaskState], resource: str) -> float:
    """What running tasks take of a resource; the scheduler counts all that are assigned to a worker."""
    return sum(number((ts.resource_restrictions or {}).get(resource, 0.0)) for ts in running)

"""Exceptions that the scheduler itself raises for a task: Dask keeps a pickle of them, and no text.

Nothing is unpickled: the name of the class is at the start of its pickle, in plain text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .plain import number

if TYPE_CHECKING:
    from distributed.scheduler import TaskState, WorkerState

#: Too many workers died; none had what the task asks for; none was there. The last two after `no-workers-timeout`.
KILLED, NO_VALID_WORKER, NO_WORKER = "KilledWorker()", "NoValidWorkerError()", "NoWorkerError()"
#: What clients get of an actor whose worker was lost.
ACTOR_LOST = "RuntimeError('Worker holding Actor was lost')"
#: Its inputs are larger than the memory limit of the worker that it was to run on.
TOO_LARGE = "MemoryError('the inputs of the task are larger than the memory limit of its worker')"
#: Bytes of a pickle that have the name of the class; its arguments, such as keys of users, come after it.
BEGIN = 200


def scheduler_exception(ts: TaskState, start: str = "", worker: str | None = None) -> str:
    """The scheduler's exception for an erred task, as Python writes one; empty if it is not known.

    Parameters
    ----------
    start, worker : str, optional
        State of the task before, and the worker that it erred on, for releases of Dask that say it in no other way.
    """
    raised: object = ts.exception
    if isinstance(raised, (bytes, bytearray)):
        begin = bytes(raised[:BEGIN])
        raisable = (KILLED, NO_VALID_WORKER, NO_WORKER, TOO_LARGE)
        places = {begin.find(text.partition("(")[0].encode()): text for text in raisable}
        places.pop(-1, None)
        if places:
            return places[min(places)]
    elif ts.actor and raised is not None and not ts.exception_text:
        return ACTOR_LOST
    if start == "no-worker":
        return NO_VALID_WORKER
    return KILLED if worker is not None and ts.suspicious else ""


def death(ts: TaskState, lost: WorkerState | None) -> dict[str, Any]:
    """How many workers died while they had a task, and the last one's memory at its last heartbeat, if it is known."""
    if lost is None:
        return {"deaths": int(ts.suspicious)}
    used, limit = number(lost.metrics.get("memory", 0.0)), number(lost.memory_limit)
    return {"deaths": int(ts.suspicious), "memory": used, "limit": limit}

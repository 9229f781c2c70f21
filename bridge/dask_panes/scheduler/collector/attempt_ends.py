"""How attempts ended, and when they began, by the stimuli and the entries of Dask's log of transitions."""

from __future__ import annotations

from itertools import islice
from math import nan
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Columns of the topic, in the order of a row.
COLUMNS = ("retried", "rescheduled", "lost")
RETRIED, RESCHEDULED, LOST = range(3)
#: Prefixes of the stimuli with which a worker reports such an end.
#: (`execute-unknown-error`: it could not begin, as without its executor, or where that has ended.)
STIMULI = (("task-erred", RETRIED), ("execute-unknown-error", RETRIED), ("reschedule", RESCHEDULED))
#: Prefixes of the stimuli with which the scheduler removes a worker.
#: (`worker-close-gracefully`: its `--lifetime` has ended. `client-restart-workers`: it has no nanny, or a late one.)
REMOVALS = (
    *("handle-worker-cleanup", "retire-workers", "check-worker-ttl"),
    *("nanny-close", "worker-send-comm-fail", "send-all-comm-fail"),
    *("worker-close-gracefully", "client-restart-workers"),
)
#: Entries of Dask's transition log searched for one task.
SEARCHED = 20_000
#: Entries searched for the starts of all attempts that ended since the last tick.
BEGINS_SEARCHED = 5_000


def end_of(stimulus: str | None) -> int | None:
    """How an attempt ended, if the worker reported it with a stimulus; else None."""
    return next((how for begin, how in STIMULI if stimulus is not None and stimulus.startswith(begin)), None)


def begins_of(scheduler: Scheduler, ended: list[tuple[Any, float]]) -> list[float]:
    """When workers got attempts that have just ended: key and end of each, in order of their ends; NaN if not found."""
    begins = [nan] * len(ended)
    wanted: dict[Any, list[int]] = {}
    for i, (key, _) in enumerate(ended):
        wanted.setdefault(key, []).append(i)
    for entry in islice(reversed(scheduler.transition_log), BEGINS_SEARCHED):
        if not wanted:
            break
        key, _, finish, _, _, at = entry
        places = wanted.get(key) if finish == "processing" else None
        # The task may be tried again already.
        if places and at <= ended[places[-1]][1]:
            begins[places.pop()] = at
            if not places:
                del wanted[key]
    return begins


def attempts_of(scheduler: Scheduler, key: Any) -> list[dict[str, Any]]:
    """Attempts of a task that are still in Dask's transition log, newest first.

    Returns
    -------
    list of dict
        ``{"end": seconds, scheduler clock, "how": "retried" | "rescheduled" | "left" | "lost"}``; left means that the
        worker left, lost that the task left the worker without a report from it.
    """
    found = []
    for entry in islice(reversed(scheduler.transition_log), SEARCHED):
        name, start, finish, next_states, stimulus, time = entry
        # What nobody needs any more, or was cancelled, is not tried again.
        if name == key and start == "processing" and finish == "released" and next_states.get(key) == "waiting":
            how = end_of(stimulus)
            left = "left" if stimulus is not None and stimulus.startswith(REMOVALS) else COLUMNS[LOST]
            found.append({"end": time, "how": left if how is None else COLUMNS[how]})
    return found[:10]

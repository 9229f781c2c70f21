"""How attempts ended, and when they began, by the stimuli and the entries of Dask's log of transitions."""

from __future__ import annotations

from itertools import islice
from math import nan
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Columns of the topic, in the order of a row. The last one is no end of an attempt with times.
COLUMNS = ("retried", "rescheduled", "lost", "erred")
RETRIED, RESCHEDULED, LOST, ERRED = range(4)
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
        worker left, lost that it may have: Dask's event about it is gone. What was taken back from a worker before it
        began is not listed: one of its inputs was lost, or the worker to which it was to be moved.
    """
    found: list[dict[str, Any]] = []
    removed: dict[str | None, set[Any]] | None = None
    for name, start, finish, next_states, stimulus, time in islice(reversed(scheduler.transition_log), SEARCHED):
        # What nobody needs any more, or was cancelled, is not tried again.
        if name != key or start != "processing" or finish != "released" or next_states.get(key) != "waiting":
            continue
        how = end_of(stimulus)
        if how is not None:
            found.append({"end": time, "how": COLUMNS[how]})
        elif stimulus is not None and stimulus.startswith(REMOVALS):
            removed = _removed(scheduler) if removed is None else removed
            if stimulus not in removed:
                found.append({"end": time, "how": COLUMNS[LOST]})
            elif key in removed[stimulus]:
                found.append({"end": time, "how": "left"})
    return found[:10]


def _removed(scheduler: Scheduler) -> dict[str | None, set[Any]]:
    """Keys that were assigned to removed workers, by the stimulus with which these were removed."""
    removed: dict[str | None, set[Any]] = {}
    for _, message in scheduler.get_events("all"):
        if isinstance(message, dict) and message.get("action") == "remove-worker":
            removed.setdefault(message.get("stimulus_id"), set()).update(message.get("processing-tasks", ()))
    return removed

"""The attempts topic: executions without a result and without a record in Dask, counted by prefix.

A task that fails while it may be retried, that asks to be rescheduled, or whose worker is lost goes back to the
queue: Dask drops the times of that execution, so it has no row among the tasks.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING, Any

from .columns import unsigned, wire
from .names import Names
from .versions import changed, touch

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler, TaskState, WorkerState

#: Columns of the topic, in the order of a row.
COLUMNS = ("retried", "rescheduled", "lost")
RETRIED, RESCHEDULED, LOST = range(3)
#: Prefixes of the stimuli with which a worker reports such an end.
STIMULI = (("task-erred", RETRIED), ("reschedule", RESCHEDULED))
#: Tasks that left a worker for another reason, until it is known whether the worker was lost.
MOST_LEFT = 100_000
#: Entries of Dask's transition log searched for one task.
SEARCHED = 20_000
#: Rows of one read.
READ_ROWS = 2_000


def end_of(stimulus: str | None) -> int | None:
    """How an attempt ended, if the worker reported it with a stimulus; else None."""
    return next((how for begin, how in STIMULI if stimulus is not None and stimulus.startswith(begin)), None)


class Attempts:
    """Counts by prefix with the version at which each last changed.

    Parameters
    ----------
    names : Names
        Dictionary of prefixes.
    retried : callable, optional
        Receives each task that has failed and is tried again.
    """

    def __init__(self, names: Names, retried: Callable[[TaskState], None] | None = None) -> None:
        self._names = names
        self._retried = retried
        self._rows: dict[int, list[int]] = {}
        self._versions: dict[int, int] = {}
        self._left: list[tuple[TaskState, str | None]] = []
        self.version = 0

    def leave(self, ts: TaskState, stimulus: str | None) -> None:
        """A task left its worker without a result."""
        how = end_of(stimulus)
        if how is not None:
            self._count(ts, how)
            if how == RETRIED and self._retried is not None:
                self._retried(ts)
        else:
            self.give_up(ts, stimulus)

    def give_up(self, ts: TaskState, stimulus: str | None) -> None:
        """A task left its worker for a reason other than its own end."""
        if len(self._left) < MOST_LEFT:
            self._left.append((ts, stimulus))

    def lose(self, ws: WorkerState, stimulus: str | None) -> None:
        """A worker was lost, after the tasks assigned to it: those running at its last heartbeat count."""
        for ts, reason in self._left:
            if reason == stimulus and ts in ws.executing:
                self._count(ts, LOST)
        self._left.clear()

    def settle(self) -> None:
        """Tasks that left before now did so for other reasons."""
        self._left.clear()

    def restart(self) -> None:
        """The scheduler was cleared on purpose."""
        self._rows.clear()
        self._versions.clear()
        self._left.clear()
        self.version += 1

    def _count(self, ts: TaskState, how: int) -> None:
        found = self._names.prefix_ids[ts.prefix.name]
        self._rows.setdefault(found, [0, 0, 0])[how] += 1
        self.version += 1
        touch(self._versions, found, self.version)

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Rows that changed after a version; the topic body and the cursor after it."""
        ids, after = changed(self._versions, cursor, READ_ROWS, self.version)
        columns = {"id": wire(unsigned(ids, max(ids, default=0)))}
        for at, name in enumerate(COLUMNS):
            columns[name] = wire(array("I", (self._rows[found][at] for found in ids)))
        return {"c": columns}, after


def attempts_of(scheduler: Scheduler, key: Any) -> list[dict[str, Any]]:
    """Attempts of a task that are still in Dask's transition log, newest first.

    Returns
    -------
    list of dict
        ``{"end": seconds, scheduler clock, "how": "retried" | "rescheduled" | "lost"}``; lost means that the task
        left the worker without a report from it.
    """
    found = []
    for entry in islice(reversed(scheduler.transition_log), SEARCHED):
        name, start, finish, _, stimulus, time = entry
        if name == key and start == "processing" and finish == "released":
            how = end_of(stimulus)
            found.append({"end": time, "how": COLUMNS[LOST if how is None else how]})
    return found[:10]

"""The attempts topic: executions without a result and without a record in Dask, counted by prefix.

A task that fails while it may be retried, that asks to be rescheduled, or whose worker is lost goes back to the
queue: Dask drops the times of that execution, so it has no row among the tasks. Nor has an error whose exception cannot
be written: Dask reports no times. That a task ran on a lost worker is known from heartbeats, and for those that began
after the last one from the worker's free threads. When its worker got it is searched in Dask's log of transitions with
the next tick, only for what has ended so: the log may be too short for it. Heartbeats show when it began: a worker may
import packages for seconds before its first task. Executions that make up for what was lost with a worker are noted
with their times, too: they are what it costs.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from distributed.metrics import time

from .attempt_ends import COLUMNS, ERRED, LOST, RETRIED, begins_of, end_of
from .columns import unsigned, wire
from .episodes import ACTIVE
from .marks import ATTEMPT
from .metrics import cancelled_tasks
from .names import Names
from .versions import changed, touch

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler, TaskState, WorkerState

#: Executions with a result that make up for something lost: a result, or an attempt.
RENEWED, REPEATED = 3, 4
#: Tasks that left a worker for another reason, until it is known whether the worker was lost.
MOST_LEFT = 100_000
#: Attempts that ended since the last tick whose starts are searched for.
BEGINS = 5_000
#: Rows of one read.
READ_ROWS = 2_000
#: Workers whose heartbeats are looked at in each tick, for attempts that have failed.
LOOKS = 20_000
#: Attempts whose times are kept.
TIMED = 20_000
#: Lost results and attempts at a time whose executions will be noted.
RENEWING = 10_000


class Attempts:
    """Counts by prefix with the version at which each last changed.

    Parameters
    ----------
    names : Names
        Dictionary of prefixes.
    retried : callable, optional
        Receives each task that has failed and is tried again.
    marked : dict, optional
        Marks of the transition hook, which calls `renew` for tasks that have one.
    workers : callable, optional
        Returns the scheduler's workers.
    """

    def __init__(
        self,
        names: Names,
        retried: Callable[[TaskState], None] | None = None,
        marked: dict[Any, str] | None = None,
        workers: Callable[[], Mapping[str, WorkerState]] = dict,
    ) -> None:
        self._names = names
        self._retried = retried
        self._marked = {} if marked is None else marked
        self._workers = workers
        self._looks = LOOKS
        self._rows: dict[int, list[int]] = {}
        self._versions: dict[int, int] = {}
        self._left: list[tuple[TaskState, str | None]] = []
        #: Attempts whose start is searched for with the next tick: key, prefix, how, earliest start, end.
        self._ended: list[tuple[Any, int, int, float, float]] = []
        #: Prefix, how, start, end; and the version with which it came.
        self._timed: deque[tuple[int, int, float, float, int]] = deque(maxlen=TIMED)
        #: Number of the next attempt with times.
        self._next = 0
        #: Tasks whose results or attempts were lost, and tasks whose results these need, until they have a result
        #: again.
        self._renewing: dict[Any, int] = {}
        #: Stimulus with which the newest of them was lost.
        self._losing: str | None = None
        #: Addresses of workers that begin no task: they are paused, or about to leave.
        self._resting: set[str] = set()
        self.version = 0

    def begin(self, workers: Iterable[WorkerState]) -> None:
        """Workers that were there before."""
        self._resting.update([ws.address for ws in workers if ws.status.name not in ("init", "running")])

    def logged(self, topic: str, message: Any) -> None:
        """Dask's event about a worker that begins no task any more, or does so again."""
        if isinstance(message, dict) and message.get("action") == "worker-status-change":
            if message.get("status") == "running":
                self._resting.discard(topic)
            elif topic in self._workers():
                self._resting.add(topic)

    def leave(self, ts: TaskState, stimulus: str | None) -> None:
        """A task left its worker without a result."""
        how = end_of(stimulus)
        # Where one fails, others that only its dependents needed are released with the same stimulus.
        if how is not None and (ts.who_wants or ts.waiters):
            self._count(ts, how)
            if len(self._ended) < BEGINS:
                self._ended.append((ts.key, self._names.prefix_ids[ts.prefix.name], how, self._earliest(ts), time()))
            if how == RETRIED and self._retried is not None:
                self._retried(ts)
        else:
            self.give_up(ts, stimulus)

    def fail(self, ts: TaskState, stimulus: str | None) -> None:
        """A task erred, and Dask reports no execution of it."""
        if end_of(stimulus) == RETRIED:
            # The worker reported it: it could not begin, or its exception cannot be written.
            self._count(ts, ERRED)
        else:
            self.give_up(ts, stimulus)

    def give_up(self, ts: TaskState, stimulus: str | None) -> None:
        """A task left its worker for a reason other than its own end."""
        if len(self._left) < MOST_LEFT:
            self._left.append((ts, stimulus))

    def lose(self, ws: WorkerState, stimulus: str | None) -> None:
        """A worker was lost, after the tasks assigned to it: those count that ran."""
        now = time()
        left = [ts for ts, reason in self._left if reason == stimulus]
        self._left.clear()
        for ts in left:
            if ts in ws.executing:
                self._lose_attempt(ts)
                self._keep(self._names.prefix_ids[ts.prefix.name], LOST, ws.last_seen - ws.executing[ts], now)
        for ts in () if ws.address in self._resting else begun_since(ws, left):
            self._lose_attempt(ts)
            if len(self._ended) < BEGINS:
                self._ended.append((ts.key, self._names.prefix_ids[ts.prefix.name], LOST, float(ws.last_seen), now))
        self._resting.discard(ws.address)

    def _lose_attempt(self, ts: TaskState) -> None:
        self._count(ts, LOST)
        # With scattered data that only this worker had, the task is gone, too.
        made_again = ts.state in ACTIVE and ts.key not in self._marked
        if made_again and len(self._renewing) < RENEWING:
            self._renewing[ts.key] = REPEATED
            self._marked[ts.key] = ATTEMPT

    def lose_result(self, key: Any, stimulus: str | None, lost: bool) -> None:
        """A result must be computed again: it was lost, or had been released and may be needed by one that was."""
        if lost:
            if stimulus != self._losing and len(self._renewing) >= RENEWING:
                # Some of them failed since.
                self._renewing.clear()
            self._losing = stimulus
        elif stimulus is None or stimulus != self._losing:
            return
        if len(self._renewing) < RENEWING:
            self._renewing[key] = RENEWED

    def renew(self, ts: TaskState, startstops: list[dict[str, Any]]) -> None:
        """A task with a mark, such as one whose result was lost, has a result."""
        how = self._renewing.pop(ts.key, None)
        if how is not None and (ts.who_wants or ts.waiters):
            now = time()
            seconds = sum(each["stop"] - each["start"] for each in startstops if each["action"] == "compute")
            self._keep(self._names.prefix_ids[ts.prefix.name], how, now - seconds, now)

    def repeats(self, key: Any) -> bool:
        """Whether the next execution of a task makes up for an attempt that was lost."""
        return self._renewing.get(key) == REPEATED

    def forget_result(self, key: Any) -> None:
        """A task with a mark is forgotten."""
        self._renewing.pop(key, None)

    def settle(self, scheduler: Scheduler) -> None:
        """Tasks that left before now did so for other reasons; attempts that ended get their times."""
        self._left.clear()
        self._looks = LOOKS
        if self._ended:
            ended, self._ended = self._ended, []
            begins = begins_of(scheduler, [(key, end) for key, _, _, _, end in ended])
            for (_, prefix, how, earliest, end), begin in zip(ended, begins):
                self._keep(prefix, how, max(begin, earliest), end)

    def _earliest(self, ts: TaskState) -> float:
        """When an attempt that has just ended began at the earliest, by the last heartbeats; 0 if that is not known."""
        workers = self._workers()
        self._looks -= len(workers)
        if self._looks < 0:
            return 0.0
        for ws in workers.values():
            if ts in ws.executing:
                return float(ws.last_seen - ws.executing[ts])
        return min((float(ws.last_seen) for ws in workers.values()), default=0.0)

    def _keep(self, prefix: int, how: int, begin: float, end: float) -> None:
        self.version += 1
        self._timed.append((prefix, how, min(begin, end), end, self.version))
        self._next += 1

    def restart(self) -> None:
        """The scheduler was cleared on purpose."""
        self._rows.clear()
        self._versions.clear()
        self._left.clear()
        self._renewing.clear()
        # What has happened stays, as executions do.
        self.version += 1

    def widen(self) -> None:
        """Rows are those of an older collector, which may have had fewer columns."""
        for row in self._rows.values():
            row.extend([0] * (len(COLUMNS) - len(row)))

    def _count(self, ts: TaskState, how: int) -> None:
        found = self._names.prefix_ids[ts.prefix.name]
        self._rows.setdefault(found, [0] * len(COLUMNS))[how] += 1
        self.version += 1
        touch(self._versions, found, self.version)

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Rows that changed after a version; the topic body and the cursor after it."""
        ids, after = changed(self._versions, cursor, READ_ROWS, self.version)
        columns = {"id": wire(unsigned(ids, max(ids, default=0)))}
        for at, name in enumerate(COLUMNS):
            columns[name] = wire(array("I", (self._rows[found][at] for found in ids)))
        body: dict[str, Any] = {"c": columns, "s": {"first": self._next - len(self._timed)}}
        news = [*takewhile(lambda each: each[-1] > cursor, reversed(self._timed))]
        if news:
            news.reverse()
            body["m"] = {
                "number": wire(array("I", range(self._next - len(news), self._next))),
                "prefix": wire(unsigned((each[0] for each in news), len(self._names.prefixes))),
                "how": wire(array("B", (each[1] for each in news))),
                "begin": wire(array("d", (each[2] for each in news))),
                "end": wire(array("d", (each[3] for each in news))),
            }
        return body, after


def begun_since(ws: WorkerState, left: list[TaskState]) -> list[TaskState]:
    """Which of the tasks that were assigned to a worker that died had begun since its last heartbeat.

    A task that ends its process at once is in no heartbeat. A worker gives each free thread the next task by priority
    whose data it has; so those count for which it had threads. Left out are tasks of which that is not known: they need
    resources, or data that another worker has and that may have been on its way.
    """
    # Dask suspects the tasks of a worker that died, and not those of one that was closed.
    new = [ts for ts in left if ts.suspicious and ts not in ws.executing]
    if not new:
        return []
    here = {*left}
    # What was cancelled since keeps its thread, and what has ended does not, whatever became of its result.
    kept = [ts for ts in ws.executing if ts in here or (ts.nbytes < 0 and ts.state != "erred")]
    busy = len(kept) + cancelled_tasks(ws)
    new.sort(key=lambda ts: ts.priority)
    return [ts for ts in new[: max(0, ws.nthreads - busy)] if not ts.resource_restrictions and _had_data(ts)]


def _had_data(ts: TaskState) -> bool:
    """Whether the worker that is gone had all data that a task needs: then nobody else has it now."""
    return not any(dependency.who_has for dependency in ts.dependencies)

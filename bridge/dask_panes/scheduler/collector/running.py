"""The running topic: tasks that ran at the last heartbeat of their worker and have not ended since.

A worker's heartbeat reports which tasks it executes and for how long. Nothing else does, and the thread is unknown. A
task shorter than the time between two heartbeats may never appear here.
"""

from __future__ import annotations

from array import array
from heapq import heappop, heappush, nlargest
from math import inf
from operator import itemgetter
from time import perf_counter
from typing import TYPE_CHECKING, Any

from distributed.metrics import time

from . import plain
from .clock import cpu_time
from .columns import unsigned, wire
from .names import Names

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler, WorkerState

#: Codes of the schema's enum ``runningState``.
ENDED, EXECUTING, LONG_RUNNING = range(3)

#: Maximum rows for tasks of one worker, and of all workers: the longest-running ones. The others are counted.
MOST_OF_WORKER = 100
MOST_ROWS = 20_000
#: Maximum characters of a key.
LONGEST_KEY = 200
#: Rows with a task per read; rows that end a task are not limited.
READ_ROWS = 500
#: Ends of runs remembered, newest.
MOST_ENDS = 1000
#: CPU seconds per scan, and the fraction of a core for scans. A heartbeat of four tasks costs 10 µs.
SLICE = 1e-3
BUDGET = 0.005
#: A heartbeat with a longer delay gives a later start: only a start earlier by this many seconds is reported.
EARLIER = 0.05

#: state, worker, prefix, start, as_of, key
Row = tuple[int, int, int, float, float, str]

_NOTHING: Row = (ENDED, 0, 0, 0.0, 0.0, "")


class Running:
    """Rows of running tasks with the version at which each last changed.

    A row number is free again when its task has ended.

    Parameters
    ----------
    names : Names
        Dictionaries of workers and prefixes.

    Attributes
    ----------
    rows_of : dict
        Row number by the key of a running task. The transition hook checks it for each task that leaves a worker.
    """

    def __init__(self, names: Names) -> None:
        self._names = names
        self.rows_of: dict[Any, int] = {}
        self._rows: list[Row] = []
        self._keys: list[Any] = []
        self._free: list[int] = []
        #: In order of version.
        self._versions: dict[int, int] = {}
        #: Rows by worker id, their heartbeat, and the number of tasks without a row, by address.
        self._of_worker: dict[int, set[int]] = {}
        self._seen: dict[str, float] = {}
        self._unlisted: dict[str, int] = {}
        #: When the last run of a key ended. A heartbeat in transit at that time still reports that run, though the
        #: task may run again.
        self._ended: dict[Any, float] = {}
        #: See `Load.stretch`.
        self.stretch = 1.0
        self._next_worker = 0
        self._next_scan = 0.0
        self.version = 0

    def watch(self, on: bool) -> None:
        """Start or stop scanning; without a reader nothing is known."""
        if not on:
            self.clear()

    def clear(self) -> None:
        """No task is known to run."""
        for row in list(self.rows_of.values()):
            self._end(row)
        self._seen.clear()
        self._of_worker.clear()
        self._ended.clear()
        if self._unlisted:
            self._unlisted.clear()
            self.version += 1
        self._next_scan = 0.0

    def end(self, key: Any) -> None:
        """A task left its worker, for any reason."""
        row = self.rows_of.get(key)
        if row is not None:
            self._ended.pop(key, None)
            self._ended[key] = time()
            if len(self._ended) > MOST_ENDS:
                del self._ended[next(iter(self._ended))]
            self._end(row)

    def leave(self, address: str) -> None:
        """A worker left."""
        self._seen.pop(address, None)
        if self._unlisted.pop(address, 0):
            self.version += 1
        for row in list(self._of_worker.pop(self._names.worker_at(address), ())):
            self._end(row)

    def scan(self, scheduler: Scheduler) -> None:
        """Read the heartbeats since the last scan, as many as the budget allows."""
        if perf_counter() < self._next_scan:
            return
        begin = cpu_time()
        workers: list[WorkerState] = list(scheduler.workers.values())
        first = self._next_worker % max(1, len(workers))
        seen = self._seen.get
        fresh = [
            (at, ws) for at, ws in enumerate(workers[first:] + workers[:first]) if seen(ws.address) != ws.last_seen
        ]
        for at, ws in fresh:
            earlier = seen(ws.address, -inf)
            self._seen[ws.address] = ws.last_seen
            self._take(ws, earlier)
            if cpu_time() - begin > SLICE:
                self._next_worker = first + at + 1
                break
        self._next_scan = perf_counter() + self.stretch * (cpu_time() - begin) / BUDGET

    def _take(self, ws: WorkerState, earlier: float) -> None:
        """Read a heartbeat; the one before had arrived at `earlier`."""
        # A heartbeat may arrive after the end of a task that it reports. The next one is sent only when it has been
        # answered: then the thread goes on with a task that was cancelled and is wanted again.
        tasks = [
            (ts, seconds)
            for ts, seconds in ws.executing.items()
            if ts.processing_on is ws and max(ws.last_seen - seconds, earlier) >= self._ended.get(ts.key, -inf)
        ]
        unlisted = max(0, len(tasks) - MOST_OF_WORKER)
        if unlisted:
            tasks = nlargest(MOST_OF_WORKER, tasks, key=itemgetter(1))
        worker = self._names.worker_id(ws.address)
        before = self._of_worker.get(worker)
        now: set[int] = set()
        for ts, seconds in tasks:
            state = LONG_RUNNING if ts in ws.long_running else EXECUTING
            row = self._note(ts.key, state, worker, ts.prefix.name, ws.last_seen - seconds, ws.last_seen)
            if row is None:
                unlisted += 1
            else:
                now.add(row)
        for row in (before or set()) - now:
            self._end(row)
        if now:
            self._of_worker[worker] = now
        if unlisted != self._unlisted.get(ws.address, 0):
            self.version += 1
            self._unlisted[ws.address] = unlisted

    def _note(self, key: Any, state: int, worker: int, prefix: str, start: float, as_of: float) -> int | None:
        """The row of a running task; None if there are too many."""
        row = self.rows_of.get(key)
        if row is not None:
            known = self._rows[row]
            if known[:2] == (state, worker) and start > known[3] - EARLIER:
                return row
            if known[1] == worker:
                start = min(start, known[3])
            else:
                self._of_worker.get(known[1], set()).discard(row)
        elif self._free:
            row = heappop(self._free)
        elif len(self._rows) < MOST_ROWS:
            row = len(self._rows)
            self._rows.append(_NOTHING)
            self._keys.append(None)
        else:
            return None
        self.rows_of[key] = row
        self._keys[row] = key
        self._change(row, (state, worker, self._names.prefix_ids[prefix], start, as_of, _text(key)))
        return row

    def _end(self, row: int) -> None:
        worker = self._rows[row][1]
        self._of_worker.get(worker, set()).discard(row)
        del self.rows_of[self._keys[row]]
        self._keys[row] = None
        heappush(self._free, row)
        self._change(row, _NOTHING)

    def _change(self, row: int, values: Row) -> None:
        self.version += 1
        self._rows[row] = values
        self._versions.pop(row, None)
        self._versions[row] = self.version

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Rows that changed after a version; the topic body and the cursor after it."""
        changed: list[int] = []
        for row in reversed(self._versions):
            if self._versions[row] <= cursor:
                break
            changed.append(row)
        changed.reverse()
        after = self.version
        running = [row for row in changed if self._rows[row][0] != ENDED]
        if len(running) > READ_ROWS:
            after = self._versions[running[READ_ROWS - 1]]
            changed = [row for row in changed if self._rows[row][0] == ENDED or self._versions[row] <= after]
        rows = [self._rows[row] for row in changed]
        columns = {
            "id": wire(unsigned(changed, max(changed, default=0))),
            "state": wire(array("B", (row[0] for row in rows))),
            "worker": wire(unsigned((row[1] for row in rows), len(self._names.workers))),
            "prefix": wire(unsigned((row[2] for row in rows), len(self._names.prefixes))),
            "start": wire(array("d", (row[3] for row in rows))),
            "as_of": wire(array("d", (row[4] for row in rows))),
        }
        scalars: dict[str, Any] = {"unlisted": sum(self._unlisted.values())}
        keys = [[row, values[5]] for row, values in zip(changed, rows) if values[0] != ENDED]
        if keys:
            scalars["keys"] = keys
        return {"c": columns, "s": scalars}, after


def _text(key: Any) -> str:
    return plain.text(plain.written(key), LONGEST_KEY)

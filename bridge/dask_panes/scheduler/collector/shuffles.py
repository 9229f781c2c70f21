"""The shuffles topic: how far each P2P shuffle is, and what its workers have sent, received, stored and read back.

Dask's scheduler knows which shuffles are active and which workers take part. Workers report their bytes with their
heartbeats, and the scheduler drops them when the shuffle ends: what is kept here is as of the last heartbeat before.

Guarantees: the newest `SHUFFLES` are kept, and of each the `WORKERS` that moved most; an update reads a bounded number
of heartbeats and tasks, and all updates together take `BUDGET` of a core.
"""

from __future__ import annotations

from array import array
from itertools import islice
from math import isnan, nan
from typing import TYPE_CHECKING, Any

from distributed.metrics import time

from .clock import cpu_time
from .columns import unsigned, wire
from .names import Names
from .plain import number, text
from .versions import changed, touch

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Shuffles kept, and workers of one that are reported individually.
SHUFFLES, WORKERS = 50, 100
#: Shuffles per read: below 100 kB.
READ_ROWS = 8
#: Fraction of a core for updates; what one update may cost, in tasks; what a worker's heartbeat costs, in tasks.
BUDGET, COST, HEARTBEAT = 0.005, 30_000, 15
#: Characters of the id of a shuffle, and of what kind it is.
LONGEST = 200
#: A larger amount is not a number of bytes.
_MOST = 1e24
#: Codes of the schema's enum ``shuffleState``.
SENDING, UNPACKING, DONE, FAILED, STOPPED = range(5)
#: States of a task that has a result, or had one.
_RAN = frozenset(("memory", "released", "forgotten"))
#: Bytes in a worker's heartbeat, in the order of the columns: part and name.
BYTES = {
    "sent": ("comm", "written"),
    "received": ("comm", "read"),
    "to_send": ("comm", "memory"),
    "stored": ("disk", "written"),
    "to_store": ("disk", "memory"),
    "read_back": ("disk", "read"),
}


class Shuffle:
    """One run of a P2P shuffle; Dask starts another one where a worker that takes part is lost."""

    __slots__ = ("active", "at", "figures", "kind", "name", "on_disk", "row", "start")

    def __init__(self, active: Any, start: float) -> None:
        #: Dask's own state; None once it has ended.
        self.active: Any = active
        self.start = start
        spec = active.run_spec.spec
        self.name = text(spec.id, LONGEST)
        self.kind = text(type(spec).__name__, LONGEST)
        self.on_disk = bool(spec.disk)
        #: State, stop, workers, inputs, inputs done, outputs, outputs done.
        self.row: tuple[float, ...] = (SENDING, nan, 0, nan, nan, nan, nan)
        #: Workers that reported their bytes, and the sums of `BYTES`; not known before the first heartbeat.
        self.figures: tuple[float, ...] = (0, *(nan for _ in BYTES))
        #: The same for each worker: its id and `BYTES`.
        self.at: list[list[float]] = []


class Shuffles:
    """The newest shuffles with the version at which each last changed.

    Parameters
    ----------
    names : Names
        Dictionary of workers.
    """

    def __init__(self, names: Names) -> None:
        self._names = names
        self._shuffles: dict[int, Shuffle] = {}
        #: Numbers by Dask's number of the run, of those that have not ended, the one updated longest ago first.
        self._active: dict[int, int] = {}
        #: Runs that Dask still has and that are known here.
        self._known: set[int] = set()
        self._versions: dict[int, int] = {}
        self._next = 0
        self._next_look = 0.0
        self._begun = False
        self.version = 0

    def look(self, scheduler: Scheduler) -> None:
        """Take what is new about shuffles."""
        plugin = scheduler.plugins.get("shuffle")
        runs = getattr(plugin, "_shuffles", None)
        active = getattr(plugin, "active_shuffles", None)
        if not isinstance(runs, dict) or not isinstance(active, dict):
            return
        now = time()
        if runs or self._known:
            self._find(plugin, runs, now)
        self._begun = True
        for run, found in list(self._active.items()):
            shuffle = self._shuffles[found]
            if active.get(shuffle.active.id) is not shuffle.active:
                self._end(run, found, now)
        if self._active and now >= self._next_look:
            begin = cpu_time()
            self._measure(scheduler, plugin)
            self._next_look = now + (cpu_time() - begin) / BUDGET

    def _find(self, plugin: Any, runs: dict[Any, Any], now: float) -> None:
        """Take the runs that are not known yet; those that ended before the observation began are left out."""
        there = {each.run_id: each for states in runs.values() for each in states}
        for run in sorted(there.keys() - self._known):
            # Older releases of Dask have no `archived`.
            if self._begun or there[run]._archived_by is None:
                start = now if self._begun else self._earliest(plugin.heartbeats.get(there[run].id))
                self._active[run] = self._next
                self._shuffles[self._next] = Shuffle(there[run], start)
                self._touch(self._next)
                self._next += 1
        self._known = set(there)
        while len(self._shuffles) > SHUFFLES:
            # Those that have ended go first.
            under_way = set(self._active.values())
            oldest = next((each for each in self._shuffles if each not in under_way), next(iter(self._shuffles)))
            del self._shuffles[oldest]
            self._versions.pop(oldest, None)
            self._active = {run: found for run, found in self._active.items() if found != oldest}

    def _earliest(self, heartbeats: Any) -> float:
        """When the first worker took part, in the scheduler's time; NaN if not known."""
        beats = heartbeats.items() if isinstance(heartbeats, dict) else ()
        starts = [
            start + self._names.clock_delay(address)
            for address, beat in beats
            if isinstance(beat, dict) and (start := number(beat.get("start"), nan)) > 0
        ]
        return min(starts, default=nan)

    def _end(self, run: int, found: int, now: float) -> None:
        shuffle = self._shuffles[found]
        del self._active[run]
        by = text(shuffle.active._archived_by or "")
        # Dask releases the barrier when the last task that needs it has its result.
        failed = shuffle.active._failed or by.startswith("task-erred")
        state = FAILED if failed else DONE if by.startswith("task-finished") else STOPPED
        workers = len(shuffle.active.participating_workers)
        _, _, _, inputs, inputs_done, outputs, outputs_done = shuffle.row
        if state == DONE:
            inputs_done, outputs_done = inputs, outputs
        shuffle.row = (state, now, workers, inputs, inputs_done, outputs, outputs_done)
        shuffle.active = None
        self._touch(found)

    def _measure(self, scheduler: Scheduler, plugin: Any) -> None:
        """Update the shuffles that were updated longest ago, as many as the cost of one update allows."""
        left = COST
        for run, found in list(self._active.items()):
            if left <= 0:
                break
            shuffle = self._shuffles[found]
            self._active[run] = self._active.pop(run)
            before = (shuffle.row, shuffle.figures)
            left -= _count(scheduler, shuffle) + self._sum(plugin.heartbeats.get(shuffle.active.id), shuffle)
            if repr((shuffle.row, shuffle.figures)) != repr(before):
                self._touch(found)

    def _sum(self, heartbeats: Any, shuffle: Shuffle) -> int:
        """Sum up the workers' bytes; returns the cost."""
        if not isinstance(heartbeats, dict) or not heartbeats:
            return 0
        rows = [(address, [_bytes(beat, *path) for path in BYTES.values()]) for address, beat in heartbeats.items()]
        sums = [sum(row[i] for _, row in rows if not isnan(row[i])) for i in range(len(BYTES))]
        shuffle.figures = (len(rows), *sums)
        rows.sort(key=lambda each: -sum(value for value in each[1][:2] if not isnan(value)))
        shuffle.at = [
            [worker, *values]
            for address, values in islice(rows, WORKERS)
            if (worker := self._names.worker_at(address)) >= 0
        ]
        return HEARTBEAT * len(rows)

    def _touch(self, found: int) -> None:
        self.version += 1
        touch(self._versions, found, self.version)

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Shuffles that changed after a version: the topic body and the cursor after it."""
        ids, after = changed(self._versions, cursor, READ_ROWS, self.version)
        shuffles = [self._shuffles[found] for found in ids]
        row = ("stop", "workers", "inputs", "inputs_done", "outputs", "outputs_done")
        columns = {
            "id": wire(unsigned(ids, max(ids, default=0))),
            "state": wire(array("B", (int(each.row[0]) for each in shuffles))),
            "start": wire(array("d", (each.start for each in shuffles))),
            **{name: wire(array("d", (each.row[i] for each in shuffles))) for i, name in enumerate(row, 1)},
            **{
                name: wire(array("d", (each.figures[i] for each in shuffles)))
                for i, name in enumerate(("told", *BYTES))
            },
        }
        scalars = {
            "kept": next(iter(self._shuffles), 0),
            "texts": [
                {"id": found, "name": each.name, "kind": each.kind, "on_disk": each.on_disk}
                for found, each in zip(ids, shuffles, strict=True)
            ],
            "at": [[found, *row] for found, each in zip(ids, shuffles, strict=True) for row in each.at],
        }
        return {"c": columns, "s": scalars}, after


def _count(scheduler: Scheduler, shuffle: Shuffle) -> int:
    """Count the tasks before and after the barrier that have run; returns the cost."""
    workers = len(shuffle.active.participating_workers)
    barrier = scheduler.tasks.get(f"shuffle-barrier-{shuffle.active.id}")
    if barrier is None:
        shuffle.row = (shuffle.row[0], nan, workers, *shuffle.row[3:])
        return 1
    opened = barrier.state == "memory"
    before, after = len(barrier.dependencies), len(barrier.dependents)
    known = before + after <= COST
    sent = before if opened else sum(ts.state in _RAN for ts in barrier.dependencies) if known else nan
    # Those that are forgotten have left the barrier's dependents.
    _, _, _, _, _, most, _ = shuffle.row
    outputs = after if isnan(most) else max(most, after)
    ran = outputs - sum(ts.state not in _RAN for ts in barrier.dependents) if known and opened else nan if opened else 0
    shuffle.row = (UNPACKING if opened else SENDING, nan, workers, before, sent, outputs, ran)
    return before + after if known else 1


def _bytes(beat: Any, part: str, name: str) -> float:
    """An amount in a heartbeat; NaN if it is not valid."""
    amounts = beat.get(part) if isinstance(beat, dict) else None
    value = number(amounts.get(name), nan) if isinstance(amounts, dict) else nan
    return value if 0 <= value <= _MOST else nan

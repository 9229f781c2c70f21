"""The shuffles topic: how far each P2P shuffle is, and what its workers have sent, received, stored and read back.

Dask's scheduler knows which shuffles are active and which workers take part. Workers report their bytes with their
heartbeats, and the scheduler drops them when the shuffle ends: what is kept here is as of the last heartbeat before.
A look every quarter of a second would miss a short shuffle, of which Dask keeps nothing once its tasks are forgotten.
All shuffles have a barrier, the task between those that send input and those that take output: the transition hook
notes when one changes its state.

Guarantees: the newest `SHUFFLES` are kept, however short, and of each the `WORKERS` that moved most; an update reads a
bounded number of heartbeats and tasks, and all updates together take `BUDGET` of a core. Of more than `BARRIERS` that
wait at once, and of those that wait at the start, among many tasks, the others are known only if a look finds them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import islice
from math import isnan, nan
from typing import TYPE_CHECKING, Any

from distributed.metrics import time

from .clock import cpu_time
from .columns import unsigned, wire
from .names import Names
from .plain import number, text
from .shuffle import (
    BARRIER,
    BYTES,
    COST,
    DONE,
    FAILED,
    LONGEST,
    STOPPED,
    Shuffle,
    bytes_of,
    count_tasks,
    has_failed,
    row_at,
)
from .versions import changed, touch

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Shuffles kept, and workers of one that are reported individually.
SHUFFLES, WORKERS = 50, 100
#: Shuffles per read: below 100 kB.
READ_ROWS = 8
#: Fraction of a core for updates; what a worker's heartbeat costs, in tasks.
BUDGET, HEARTBEAT = 0.005, 15
#: Barriers that the hook notes at the same time.
BARRIERS = 10_000
#: Tasks looked at when the collector begins to observe: some milliseconds.
EARLIER = 50_000
#: Name of the function of barriers.
_FUNCTION = "shuffle-barrier"
#: States of a barrier that end a shuffle: Dask's own plugin ends it then.
_OVER = frozenset(("released", "erred", "forgotten"))


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
        #: The last look before each of `_active` was found: it began after that. Without those that were there before.
        self._after: dict[int, float] = {}
        self._next = 0
        self._next_look = self._looked_at = 0.0
        self._begun = False
        #: Keys of the barriers that the scheduler has. The transition hook has a reference to it.
        self.barriers: set[Any] = set()
        self.version = 0

    def begin(self, scheduler: Scheduler) -> None:
        """Start; shuffles that have ended before are left out."""
        self.look(scheduler)
        self.expect(scheduler, islice(scheduler.tasks, EARLIER))

    def restart(self) -> None:
        """The scheduler was cleared on purpose: its tasks are gone, the shuffles that were stay."""
        self.barriers.clear()

    def expect(self, scheduler: Scheduler, keys: Iterable[Any]) -> None:
        """A graph has arrived."""
        # The keys are only read where there are barriers at all: 50 ns each.
        if _FUNCTION in scheduler.task_prefixes:
            if len(self.barriers) >= BARRIERS:
                # Of an older collector, or of Dask's faults.
                self.barriers.difference_update([key for key in self.barriers if key not in scheduler.tasks])
            found = (key for key in keys if isinstance(key, str) and key.startswith(BARRIER))
            self.barriers.update(islice(found, BARRIERS - len(self.barriers)))

    def passed(self, scheduler: Scheduler, key: str, start: str, finish: str) -> None:
        """A barrier has changed its state; called after Dask's own plugin has been."""
        plugin = _plugin(scheduler)
        if plugin is None:
            return
        now, barrier, shuffle_id = time(), scheduler.tasks[key], key.removeprefix(BARRIER)
        self._find(scheduler, plugin._shuffles.get(shuffle_id, ()), now)
        for run, found in self._active.items():
            shuffle = self._shuffles[found]
            if shuffle.active.id == shuffle_id:
                shuffle.row = row_at(barrier, shuffle, start, finish)
                if start == "waiting":
                    # All that sends input has ended: how it began is known now, if ever.
                    shuffle.start = self._start(scheduler, run, shuffle_id, shuffle.start)
                self._touch(found)
        if finish in _OVER:
            self._end_others(scheduler, plugin.active_shuffles, now)

    def look(self, scheduler: Scheduler) -> None:
        """Take what is new about shuffles."""
        plugin = _plugin(scheduler)
        if plugin is None:
            return
        now = time()
        if plugin._shuffles or self._known:
            there = [each for states in plugin._shuffles.values() for each in states]
            self._find(scheduler, there, now)
            self._known = {each.run_id for each in there}
        self._begun, self._looked_at = True, now
        self._end_others(scheduler, plugin.active_shuffles, now)
        if self._active and now >= self._next_look:
            begin = cpu_time()
            self._measure(scheduler, plugin)
            self._next_look = now + (cpu_time() - begin) / BUDGET

    def _find(self, scheduler: Scheduler, states: Iterable[Any], now: float) -> None:
        """Take the runs that are not known yet; those that ended before the observation began are left out."""
        there = {each.run_id: each for each in states}
        for run in sorted(there.keys() - self._known):
            self._known.add(run)
            # Older releases of Dask have no `archived`.
            if self._begun or there[run]._archived_by is None:
                if self._begun:
                    self._after[run] = self._after_that(there[run].id, now)
                # It may not be as we know it: then nothing has changed.
                shuffle = Shuffle(there[run], self._start(scheduler, run, there[run].id, now))
                self._active[run], self._shuffles[self._next] = self._next, shuffle
                self._touch(self._next)
                self._next += 1
        while len(self._shuffles) > SHUFFLES:
            # Those that have ended go first.
            under_way = set(self._active.values())
            oldest = next((each for each in self._shuffles if each not in under_way), next(iter(self._shuffles)))
            del self._shuffles[oldest]
            self._versions.pop(oldest, None)
            self._active = {run: found for run, found in self._active.items() if found != oldest}
            self._after = {run: at for run, at in self._after.items() if run in self._active}

    def _after_that(self, shuffle_id: Any, now: float) -> float:
        """After what a run that was found now began: the last look, and the end of one that it replaces."""
        name = text(shuffle_id, LONGEST)
        stops: list[float] = [
            each.row[1] for each in self._shuffles.values() if each.active is None and each.name == name
        ]
        # A collector that has just taken over has not looked yet: the one before it has, a moment ago.
        return max([self._looked_at or now, *stops])

    def _start(self, scheduler: Scheduler, run: int, shuffle_id: Any, latest: float) -> float:
        """When a run began, in the scheduler's time; NaN if not known."""
        reported = self._earliest(scheduler.plugins["shuffle"].heartbeats.get(shuffle_id))
        after = self._after.get(run)
        if after is None:
            return reported if isnan(latest) or not self._begun else latest
        # The first task that sends input begins it.
        barrier = scheduler.tasks.get(f"{BARRIER}{shuffle_id}")
        first = next(iter(barrier.dependencies), None) if barrier is not None else None
        began = reported if reported > 0 else number(first.group.start, nan) if first is not None else nan
        if began > 0 and first is not None and barrier is not None and len(first.group) > len(barrier.dependencies):
            # A rechunk in several parts has one group for all parts: only a heartbeat is of this one.
            latest = time()
        return min(max(began, after), latest) if began > 0 else latest

    def _earliest(self, heartbeats: Any) -> float:
        """When the first worker took part, in the scheduler's time; NaN if not known."""
        beats = heartbeats.items() if isinstance(heartbeats, dict) else ()
        starts = [
            start + self._names.clock_delay(address)
            for address, beat in beats
            if isinstance(beat, dict) and (start := number(beat.get("start"), nan)) > 0
        ]
        return min(starts, default=nan)

    def _end_others(self, scheduler: Scheduler, active: dict[Any, Any], now: float) -> None:
        """End those that are not active any more."""
        for run, found in list(self._active.items()):
            shuffle = self._shuffles[found]
            if active.get(shuffle.active.id) is not shuffle.active:
                self._end(scheduler, run, found, now)

    def _end(self, scheduler: Scheduler, run: int, found: int, now: float) -> None:
        shuffle = self._shuffles[found]
        del self._active[run]
        self._after.pop(run, None)
        by = text(shuffle.active._archived_by or "")
        # Dask releases the barrier when the last task that needs it has its result.
        failed = has_failed(scheduler.tasks.get(f"{BARRIER}{shuffle.active.id}"), shuffle.active)
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
            left -= count_tasks(scheduler, shuffle) + self._sum(plugin.heartbeats.get(shuffle.active.id), shuffle)
            if repr((shuffle.row, shuffle.figures)) != repr(before):
                self._touch(found)

    def _sum(self, heartbeats: Any, shuffle: Shuffle) -> int:
        """Sum up the workers' bytes; returns the cost."""
        if not isinstance(heartbeats, dict) or not heartbeats:
            return 0
        rows = [(address, [bytes_of(beat, *path) for path in BYTES.values()]) for address, beat in heartbeats.items()]
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

    def _kept(self) -> dict[str, Any]:
        """From which number on all are kept, and which earlier ones are, too."""
        whole_from = self._next
        while whole_from - 1 in self._shuffles:
            whole_from -= 1
        return {"kept": whole_from, "older": [found for found in self._shuffles if found < whole_from]}

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
            **self._kept(),
            "texts": [
                {"id": found, "name": each.name, "kind": each.kind, "on_disk": each.on_disk}
                for found, each in zip(ids, shuffles)
            ],
            "at": [[found, *row] for found, each in zip(ids, shuffles) for row in each.at],
        }
        return {"c": columns, "s": scalars}, after


def _plugin(scheduler: Scheduler) -> Any:
    """Dask's own plugin for shuffles; None without one, or where it is not as we know it."""
    plugin = scheduler.plugins.get("shuffle")
    known = (getattr(plugin, name, None) for name in ("_shuffles", "active_shuffles", "heartbeats"))
    return plugin if all(isinstance(each, dict) for each in known) else None

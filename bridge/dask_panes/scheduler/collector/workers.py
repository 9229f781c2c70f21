"""The workers topic: one row for each worker, sent again only when something in it changed."""

from __future__ import annotations

from array import array
from math import isnan, nan
from typing import TYPE_CHECKING, Any

from distributed.metrics import time

from . import gpus
from .columns import unsigned, wire
from .heartbeats import Heartbeats
from .looks import Looks
from .metrics import seceded_tasks
from .names import Names
from .packages import WorkerPackages, packages_of
from .plain import number, text
from .reported import Reported, Reports
from .versions import changed, touch
from .worker_figures import Figures, figures_of

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler, WorkerState

#: Codes of the schema's enum ``workerStatus``.
STATUS_CODES = {
    "init": 1,
    "running": 2,
    "paused": 3,
    "closing_gracefully": 4,
    "closing": 5,
    "closed": 6,
    "failed": 7,
}
LOST = 8
#: Number of workers that left whose last row and facts are kept.
LOST_LIMIT = 10_000
#: Rows per read: 20 µs each.
READ_ROWS = 200

#: Columns with their type codes: `read_worker` gives their values in this order.
_COLUMNS = tuple(
    (name, code)
    for code, names in (
        ("B", "status load"),
        ("I", "nthreads"),
        (
            "d",
            "memory_limit last_seen process managed unmanaged_old unmanaged_recent spilled occupancy transfer_in"
            " transfer_out",
        ),
        ("f", "cpu net_read net_write disk_read disk_write event_loop_interval gil_contention"),
        ("I", "processing executing seceded cancelled in_memory num_fds"),
    )
    for name in names.split()
)


def read_worker(scheduler: Scheduler, ws: WorkerState, last: Reported) -> tuple[float, ...]:
    """Values of a worker's row, one for each of `_COLUMNS`; units as in the frame schema.

    Parameters
    ----------
    scheduler : distributed.Scheduler
    ws : distributed.scheduler.WorkerState
    last : Reported
        Its last heartbeat.
    """
    return (
        STATUS_CODES.get(ws.status.name, 0),
        2 if ws in scheduler.saturated else 0 if ws.address in scheduler.idle else 1,
        # Dask takes any number, as of `cpu_count() / 4`.
        int(ws.nthreads),
        ws.memory_limit or 0,
        ws.last_seen,
        *read_memory(ws, last),
        ws.occupancy,
        *last.transfer,
        last.cpu,
        *last.network,
        *last.disk,
        0.0 if isnan(last.event_loop) else last.event_loop,
        last.gil,
        len(ws.processing),
        len(ws.executing),
        seceded_tasks(ws),
        last.cancelled,
        len(ws.has_what),
        last.fds,
    )


def _left(known: dict[str, float]) -> tuple[float, ...]:
    """The row of a worker that left, of which only `known` is still known."""
    return tuple(known.get(name, 0.0) if code in "df" else int(known.get(name, 0)) for name, code in _COLUMNS)


def managed_of(ws: WorkerState, process: float, unloaded: float) -> float:
    """Bytes of a worker's results in memory, as in Dask's ``WorkerState.memory``: `process` and `unloaded` of its last
    heartbeat (`Reported`), the results of this moment."""
    managed = ws.nbytes - unloaded
    return (managed if managed < process else process) if managed > 0 else 0.0


def read_memory(ws: WorkerState, last: Reported) -> tuple[float, float, float, float, float]:
    """A worker's memory by category, as in Dask's ``WorkerState.memory``, bytes; zeros before the first heartbeat.

    Returns
    -------
    tuple of float
        That of the process, and what of it is managed, old unmanaged and recent unmanaged; what is spilled.
    """
    old = getattr(ws, "_memory_unmanaged_old", None)
    if old is None:
        # The mirror of a scheduler that takes no plugin.
        memory = ws.memory
        return memory.process, memory.managed, memory.unmanaged_old, memory.unmanaged_recent, memory.spilled
    managed = managed_of(ws, last.process, last.unloaded)
    unmanaged = last.process - managed
    old = min(old, unmanaged)
    return last.process, managed, old, unmanaged - old, last.spilled


class Workers:
    """Rows of all workers with the version at which each last changed.

    One scan compares (last_seen, number of processing tasks, nbytes, status, load) of every worker, 0.1 µs each, and
    versions what changed; values are computed only for rows that a reader asks for. On an idle cluster a heartbeat is
    only reported if its values have left the dead-band around those of the last version.
    """

    def __init__(self, names: Names, looks: Looks) -> None:
        self._names = names
        self.reports = Reports()
        self.packages = WorkerPackages()
        self._seen: dict[int, tuple[Any, ...]] = {}
        #: Centre of the dead-band: values of each worker at its last version, as long as the cluster is idle.
        self._reported: dict[int, Figures] = {}
        self._versions: dict[int, int] = {}
        self._lost: dict[int, dict[str, float]] = {}
        self._states: dict[int, WorkerState] = {}
        self._heartbeats = Heartbeats(looks)
        #: Workers whose heartbeats are overdue.
        self._overdue: set[int] = set()
        self.version = 0

    def begin(self, scheduler: Scheduler, ws: WorkerState) -> None:
        """Announce a worker that was there before; Dask's log of its address may show when it joined."""
        joined = None
        for when, event in scheduler.get_events(ws.address):
            if isinstance(event, dict) and event.get("action") == "add-worker":
                joined = number(when) or None
        self.add(ws, joined)

    def add(self, ws: WorkerState, joined: float | None = None) -> int:
        """Announce a worker that joined at a time of the scheduler's clock; None where that is not known."""
        services = ws.services or {}
        extra = ws.extra or {}
        packages = packages_of(getattr(ws, "versions", None))
        self.packages.note(packages)
        gpu = gpus.gpu_name(ws)
        found = self._names.add_worker(
            {
                "address": text(ws.address, 1000),
                "name": text(ws.name, 1000),
                "host": text(ws.host, 1000),
                "nthreads": ws.nthreads,
                "memory_limit": ws.memory_limit or 0,
                "pid": ws.pid,
                "dashboard": text(services.get("dashboard", ""), 100),
                "version": text(packages.get("distributed", extra.get("version", "")), 100),
                **({} if joined is None else {"joined": joined}),
                **({"gpu": gpu} if gpu else {}),
            }
        )
        self._states[found] = ws
        self._note(found)
        return found

    def of(self, found: int) -> WorkerState | None:
        """The worker of an id, None if it has left."""
        return self._states.get(found)

    def at(self, address: str) -> WorkerState | None:
        """The worker at an address, including one that the scheduler has just removed."""
        return self._states.get(self._names.worker_at(address))

    def remove(self, address: str) -> None:
        """Mark the worker at an address as lost; its row stays for views of the past."""
        found = self._names.worker_at(address)
        ws = self._states.pop(found, None)
        if ws is None:
            return
        self._seen.pop(found, None)
        self._reported.pop(found, None)
        self._overdue.discard(found)
        self.reports.forget(ws.address)
        self._lost[found] = {
            "status": LOST,
            "nthreads": ws.nthreads,
            "memory_limit": ws.memory_limit or 0,
            "last_seen": ws.last_seen,
            "left": time(),
            "gil_contention": float("nan"),
        }
        self._note(found)
        # Thousands of threads where tasks secede. The executions of all have been written.
        self._names.forget_lanes(address)
        while len(self._lost) > LOST_LIMIT:
            oldest = next(iter(self._lost))
            del self._versions[oldest], self._lost[oldest]
            self._names.drop_worker(oldest)

    def scan(self, scheduler: Scheduler, quiet: bool) -> None:
        """Version the rows that changed since the last scan.

        Parameters
        ----------
        quiet : bool
            The cluster is idle: values within the dead-band are not reported.
        """
        idle, saturated = scheduler.idle, scheduler.saturated
        latest = self._heartbeats.latest(len(self._states), time())
        for found, ws in self._states.items():
            load = 2 if ws in saturated else ws.address in idle
            overdue = found in self._overdue if latest is None else ws.last_seen < latest
            state = (ws.last_seen, len(ws.processing), ws.nbytes, load, ws.status, ws.nthreads, overdue)
            if self._seen.get(found) == state:
                continue
            self._seen[found] = state
            (self._overdue.add if overdue else self._overdue.discard)(found)
            if quiet:
                figures = figures_of(ws, load, overdue, self.reports.of(ws))
                if figures.like(self._reported.get(found)):
                    continue
                self._reported[found] = figures
            else:  # Figures take four fifths of a scan.
                self._reported.pop(found, None)
            self._note(found)

    def _note(self, found: int) -> None:
        self.version += 1
        touch(self._versions, found, self.version)

    def read(self, scheduler: Scheduler, cursor: int) -> tuple[dict[str, Any], int]:
        """Rows that changed after a version, `READ_ROWS` at most.

        Returns
        -------
        (dict, int)
            The topic body and the cursor after it.
        """
        ids, after = changed(self._versions, cursor, READ_ROWS, self.version)
        rows: list[tuple[float, ...]] = []
        user: list[list[Any]] = []
        gpu: list[dict[str, float]] = []
        left = array("d")
        for found in ids:
            ws = self._states.get(found)
            if ws is None:
                lost = self._lost[found]
                rows.append(_left(lost))
                left.append(lost.get("left", nan))
                gpu.append({})
                continue
            last = self.reports.of(ws)
            rows.append(read_worker(scheduler, ws, last))
            left.append(nan)
            gpu.append(last.gpu)
            if last.own:
                user.append([found, last.own])
        values = zip(*rows) if rows else ((),) * len(_COLUMNS)
        columns = {
            "id": wire(unsigned(ids, max(ids, default=0))),
            "heartbeat": wire(array("B", [found in self._overdue for found in ids])),
            "left": wire(left),
            **{
                name: wire(unsigned(column, max(column, default=0)) if name == "nthreads" else array(code, column))
                for (name, code), column in zip(_COLUMNS, values)
            },
        }
        if any(gpu):
            for name in gpus.COLUMNS:
                columns[name] = wire(array("d", [row.get(name, nan) for row in gpu]))
        return {"c": columns, **({"s": {"user": user}} if user else {})}, after

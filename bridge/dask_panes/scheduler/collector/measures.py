"""What is measured of workers over time: each measure is a line of `TABLE` and a column of `measure`.

With many workers there are several samples between two heartbeats of one: what it reported is taken from each heartbeat
once (`heard_of`), what the scheduler knows itself with each sample.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

from . import bands
from .metrics import seceded_tasks
from .reported import Reported
from .workers import managed_of

if TYPE_CHECKING:
    from distributed.scheduler import WorkerState

#: Stands for the dead-band of a worker's memory, which depends on its limit.
MEMORY = inf


class Measure(NamedTuple):
    """One measure.

    Attributes
    ----------
    name : str
        As in the schema's enum ``measure``.
    band : float or None
        Change of one worker, or of one host, that is not reported while the cluster is idle; 0 for none. None: a
        change of this measure alone is not reported.
    per_host : bool
        Whether it is a total of the host: all its workers report the same value.
    may_lack : bool
        Whether workers may not know it: NaN. The GIL's without gilknocker; disk and network where Dask's configuration
        switches them off, or the machine has no counters.
    by_worker : bool
        Whether it is also kept for each worker, so that a plot can show one. All workers share one bound
        (``WORKER_VALUES``): each further measure makes their history shorter or coarser.
    """

    name: str
    band: float | None = None
    per_host: bool = False
    may_lack: bool = False
    by_worker: bool = False


#: In the order of the schema.
TABLE = (
    Measure("cpu", band=bands.CPU, by_worker=True),
    Measure("process", band=MEMORY, by_worker=True),
    Measure("managed", band=0.0),
    Measure("spilled", band=MEMORY, by_worker=True),
    Measure("net_read", band=bands.RATE, per_host=True, may_lack=True, by_worker=True),
    Measure("net_write", band=bands.RATE, per_host=True, may_lack=True, by_worker=True),
    Measure("disk_read", band=bands.RATE, per_host=True, may_lack=True, by_worker=True),
    Measure("disk_write", band=bands.RATE, per_host=True, may_lack=True, by_worker=True),
    Measure("processing"),
    Measure("executing", band=0.0, by_worker=True),
    Measure("threads", band=0.0),
    Measure("assigned"),
    Measure("computing"),
    Measure("event_loop", band=bands.LOOP, may_lack=True),
    Measure("gil", band=bands.GIL, may_lack=True),
    Measure("cancelled", band=0.0),
    Measure("unheard", may_lack=True),
)
#: Names of all, and of those that are kept for each worker.
MEASURES = tuple(measure.name for measure in TABLE)
#: Those of hosts are the last: a collector of an older version has its columns in this order.
WORKER_MEASURES = tuple(
    measure.name for measure in sorted(TABLE, key=lambda measure: measure.per_host) if measure.by_worker
)
MAY_LACK = frozenset(measure.name for measure in TABLE if measure.may_lack)


#: Columns of what heartbeats reported, in the order of `heard_of`.
Heard = list[list[float]]


def heard_of(ws: WorkerState, last: Reported) -> tuple[float, ...]:
    """What a sample takes from the last heartbeat of a worker."""
    return (
        last.cpu,
        last.process,
        last.spilled,
        last.unloaded,
        *last.network,
        *last.disk,
        len(ws.executing),
        last.event_loop,
        last.gil,
        last.cancelled,
    )


def measure(workers: list[WorkerState], heard: Heard, now: float) -> list[list[float]]:
    """The measures of workers: a column for each of ``TABLE``, in its order.

    Parameters
    ----------
    workers : list of WorkerState
    heard : list of list of float
        Columns of `heard_of`, in the order of the workers.
    now : float
        Scheduler clock, seconds; NaN where heartbeats may have arrived that the scheduler has not read.
    """
    if not workers:
        return [[] for _ in TABLE]
    cpu, process, spilled, unloaded, net_read, net_write, disk_read, disk_write, executing, loop, gil, kept = heard
    threads: list[float] = [ws.nthreads for ws in workers]
    processing: list[float] = [len(ws.processing) for ws in workers]
    assigned, running = processing, executing
    seceding = [at for at, ws in enumerate(workers) if ws.long_running]
    if seceding:
        # Seceded tasks occupy no thread of the pool.
        assigned, running = assigned[:], running[:]
        for at in seceding:
            assigned[at] -= len(workers[at].long_running)
            running[at] -= seceded_tasks(workers[at])
    assigned = [count if count < most else most for count, most in zip(assigned, threads)]
    # A heartbeat may be older than the end of a task.
    computing = [count if count < most else most for count, most in zip(running, assigned)]
    cancelled = kept
    if any(kept):
        cancelled = [min(count, max(0, most - busy)) for count, most, busy in zip(kept, threads, running)]
    return [
        cpu,
        process,
        [managed_of(ws, used, gone) for ws, used, gone in zip(workers, process, unloaded)],
        spilled,
        net_read,
        net_write,
        disk_read,
        disk_write,
        processing,
        executing,
        threads,
        assigned,
        computing,
        loop,
        gil,
        cancelled,
        # NaN stays NaN in this order.
        [max(now - ws.last_seen, 0.0) for ws in workers],
    ]

"""What is measured of workers over time: each measure is a line of `TABLE` and a value of `sample_worker`."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

from . import bands
from .metrics import seceded_tasks
from .reported import Reported
from .workers import read_memory

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


def sample_worker(ws: WorkerState, now: float, last: Reported) -> tuple[float, ...]:
    """The measures of one worker, in the order of ``TABLE``.

    Parameters
    ----------
    ws : WorkerState
        The worker.
    now : float
        Scheduler clock, seconds; NaN where heartbeats may have arrived that the scheduler has not read.
    last : Reported
        Its last heartbeat.
    """
    process, managed, _, _, spilled = read_memory(ws)
    assigned, computing = threads_of(ws)
    return (
        last.cpu,
        process,
        managed,
        spilled,
        *last.network,
        *last.disk,
        len(ws.processing),
        len(ws.executing),
        ws.nthreads,
        assigned,
        computing,
        last.event_loop,
        last.gil,
        # Nearly always none.
        last.cancelled and min(last.cancelled, max(0, ws.nthreads - _running(ws))),
        # NaN stays NaN in this order.
        max(now - ws.last_seen, 0.0),
    )


def threads_of(ws: WorkerState) -> tuple[int, int]:
    """Threads of a worker that have tasks, and that ran one at its last heartbeat; seceded tasks occupy none."""
    assigned = min(ws.nthreads, len(ws.processing) - len(ws.long_running))
    return assigned, min(assigned, _running(ws))


def _running(ws: WorkerState) -> int:
    """Tasks that occupied a thread of a worker at its last heartbeat."""
    return len(ws.executing) - seceded_tasks(ws)

"""What the scheduler's own process takes, as its `SystemMonitor` measures it, and how promptly its event loop turns.

Guarantees: reads what Dask has measured and measures nothing itself; what Dask does not measure is NaN.
"""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING, Any

from . import bands
from .plain import number
from .spending import SPENT

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Columns of topic `series`, in the order of `sample_own`, with the quantity of the monitor; None where it has none.
_QUANTITIES = {
    "scheduler_cpu": "cpu",
    "scheduler_memory": "memory",
    "scheduler_net_read": "host_net_io.read_bps",
    "scheduler_net_write": "host_net_io.write_bps",
    "scheduler_disk_read": "host_disk_io.read_bps",
    "scheduler_disk_write": "host_disk_io.write_bps",
    "scheduler_fds": "num_fds",
    "scheduler_tick": None,
    "scheduler_gil": "gil_contention",
}
#: Numbers of workers that the scheduler considers idle and saturated: what work stealing goes by.
_LOADS = {"scheduler_idle": "idle", "scheduler_saturated": "saturated"}
#: Of `sample_own`, then those of `Spending`.
OWN = (*_QUANTITIES, *_LOADS, *SPENT)
#: Levels, of which the newest sample counts; all others are means over the time between two samples.
_LEVELS = frozenset(("memory", "num_fds"))
#: Samples of the monitor, half a second each, in one of ours.
_SAMPLES = 2
#: Nothing is known.
NO_OWN = (nan,) * len(OWN)
#: Changes that are not reported while the cluster is idle. An idle scheduler still has heartbeats to answer.
_BANDS = {
    "scheduler_cpu": 4 * bands.CPU,
    "scheduler_memory": 4 * bands.MEMORY_BYTES,
    "scheduler_tick": 0.1,
    "scheduler_gil": 0.2,
    **dict.fromkeys((*_LOADS, *SPENT), 0.0),
}


def sample_own(scheduler: Scheduler) -> tuple[float, ...]:
    """The columns of the scheduler: per cent of one core, bytes, bytes per second, seconds, 0 to 1, workers."""
    monitor = getattr(scheduler, "monitor", None)
    if monitor is None:
        # The mirror of a scheduler that takes no plugin.
        return NO_OWN[: -len(SPENT)]
    quantities = getattr(monitor, "quantities", {})
    loads = (getattr(scheduler, name, None) for name in _LOADS.values())
    measured = tuple(
        number(getattr(scheduler, "_tick_interval_observed", None), nan) if name is None else _recent(quantities, name)
        for name in _QUANTITIES.values()
    )
    return (*measured, *(nan if load is None else float(len(load)) for load in loads))


def _recent(quantities: dict[str, Any], name: str) -> float:
    samples = quantities.get(name)
    if not samples:
        return nan
    newest = 1 if name in _LEVELS else min(_SAMPLES, len(samples))
    return sum(number(samples[-1 - i], nan) for i in range(newest)) / newest


def same_own(old: list[float], new: list[float]) -> bool:
    """Whether two samples of an idle scheduler differ by no more than its natural variation."""
    return not any(bands.differ(a, b, _BANDS[name]) for name, a, b in zip(OWN, old, new) if name in _BANDS)

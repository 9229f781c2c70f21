"""What the cluster spends time on: Dask's fine metrics as amounts per second, by kind of activity.

Guarantees: the same columns, whatever activities user code measures; at most `ITEMS` metrics are read for a second.
With more than `MOST` (Dask keeps those of every function that there ever was) nothing is known.
"""

from __future__ import annotations

from math import ceil, isfinite, nan
from typing import TYPE_CHECKING, Any

from .fine_metrics import MOST, is_counted, is_shuffling
from .plain import number

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Columns of topic `series`, with the activities of Dask that they sum. `spent_shuffle` has what else a P2P shuffle
#: measures, the last one all others, also of user code.
SPENT: dict[str, tuple[str, ...]] = {
    "spent_cpu": ("thread-cpu",),
    "spent_noncpu": ("thread-noncpu",),
    "spent_executor": ("executor",),
    "spent_network": ("network",),
    "spent_disk": ("disk-read", "disk-write"),
    "spent_serialize": ("serialize", "deserialize"),
    "spent_compress": ("compress", "decompress"),
    "spent_shuffle": (),
    "spent_other": (),
}
#: Nothing is known.
NO_SPENT = (nan,) * len(SPENT)
#: Metrics that are read for each second that passes.
ITEMS = 2_000

_PLACES = {activity: at for at, activities in enumerate(SPENT.values()) for activity in activities}
_SHUFFLE, _OTHER = len(SPENT) - 2, len(SPENT) - 1


def _place(key: tuple[Any, ...]) -> int:
    found = _PLACES.get(key[-2])
    return found if found is not None else _SHUFFLE if is_shuffling(key) else _OTHER


class Spending:
    """Rates of the metrics in seconds since the last time that they were read."""

    def __init__(self) -> None:
        self._time = nan
        self._sums: list[float] = []
        self._rates: tuple[float, ...] = NO_SPENT

    def sample(self, scheduler: Scheduler, now: float) -> tuple[float, ...]:
        """The columns of `SPENT`: thread-seconds and seconds of event loops, per second.

        With many metrics the rates are those of the last reading for some seconds.
        """
        metrics = scheduler.cumulative_worker_metrics
        if not metrics:
            # No worker has reported any yet, or this is a mirror of a scheduler that takes no plugin.
            self._time, self._sums = now, [0.0] * len(SPENT)
            return NO_SPENT
        if len(metrics) > MOST:
            # The functions that run now are at the end: without them, a part would look like all.
            self._time, self._rates = nan, NO_SPENT
            return NO_SPENT
        shared = ceil(len(metrics) / ITEMS)
        # What one second's reading holds is read for each sample, also where two follow closely after a blocked event
        # loop: rates times the time between samples have to add up.
        if shared > 1 and now - self._time < shared - 0.5:
            return self._rates
        sums = [0.0] * len(SPENT)
        for key, amount in metrics.items():
            if type(key) is tuple and len(key) > 2 and key[-1] == "seconds" and is_counted(key):
                value = number(amount)
                if isfinite(value):
                    sums[_place(key)] += value
        passed = now - self._time
        if passed > 0:
            self._rates = tuple(max(0.0, (new - old) / passed) for new, old in zip(sums, self._sums))
        self._time, self._sums = now, sums
        return self._rates

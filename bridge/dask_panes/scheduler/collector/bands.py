"""Dead-bands: the change of a value on an idle cluster that is not reported.

Heartbeats continue, and CPU and memory of an idle process still vary slightly with each.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan

#: Points of a worker's CPU.
CPU = 5.0
#: Bytes of a worker's memory: the larger of a fraction of its limit and a fixed amount.
MEMORY_SHARE = 0.005
MEMORY_BYTES = 8 * 2**20
#: Bytes per second of a host's network and disk.
RATE = 2**20
#: Open file descriptors of a worker.
FDS = 5.0
#: Seconds of the event loop's mean tick, and the GIL's share of time: they vary on an idle worker.
LOOP = 0.1
GIL = 0.2
#: Fraction of a metric of user code.
OWN_SHARE = 0.01


def memory_band(limit: float) -> float:
    """Dead-band of a worker's memory in bytes; `limit` is its limit in bytes, 0 for none."""
    return max(MEMORY_SHARE * limit, MEMORY_BYTES)


def differ(old: float, new: float, band: float) -> bool:
    """Whether a value has left its dead-band; NaN, a value that is not known, is outside every other value's band."""
    return isnan(old) != isnan(new) or abs(old - new) > band


def same_metrics(old: Mapping[str, float | str], new: Mapping[str, float | str]) -> bool:
    """Whether metrics of user code are the same: texts exactly, numbers within their dead-band."""
    return old.keys() == new.keys() and all(_same_metric(before, new[name]) for name, before in old.items())


def _same_metric(old: float | str, new: float | str) -> bool:
    if isinstance(old, str) or isinstance(new, str):
        return old == new
    return not differ(old, new, OWN_SHARE * max(abs(old), abs(new)))

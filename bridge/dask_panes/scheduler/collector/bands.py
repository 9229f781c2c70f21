"""Dead-bands: the change of a value on an idle cluster that is not reported.

Heartbeats continue, and CPU and memory of an idle process still vary slightly with each.
"""

from __future__ import annotations

from math import isnan

#: Points of a worker's CPU.
CPU = 5.0
#: Bytes of a worker's memory: the larger of a fraction of its limit and a fixed amount.
MEMORY_SHARE = 0.005
MEMORY_BYTES = 8 * 2**20
#: Bytes per second of a host's network and disk.
RATE = 2**20


def memory_band(limit: float) -> float:
    """Dead-band of a worker's memory in bytes; `limit` is its limit in bytes, 0 for none."""
    return max(MEMORY_SHARE * limit, MEMORY_BYTES)


def differ(old: float, new: float, band: float) -> bool:
    """Whether a value has left its dead-band; NaN, a value that is not known, is outside every other value's band."""
    return isnan(old) != isnan(new) or abs(old - new) > band

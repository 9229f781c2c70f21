"""Dead-bands: by how much a value may move on an idle cluster without being news.

Heartbeats go on there, and CPU and memory of a process that does nothing still vary a little with each.
"""

from __future__ import annotations

#: Points of a worker's CPU.
CPU = 5.0
#: Bytes of a worker's memory: the larger of a share of its limit and a fixed amount.
MEMORY_SHARE = 0.005
MEMORY_BYTES = 8 * 2**20
#: Bytes per second of a host's network and disk.
RATE = 2**20


def memory_band(limit: float) -> float:
    """Bytes by which a worker's memory may move; `limit` is its limit in bytes, 0 for none."""
    return max(MEMORY_SHARE * limit, MEMORY_BYTES)

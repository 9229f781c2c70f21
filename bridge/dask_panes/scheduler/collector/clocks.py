"""Offsets of the workers' clocks: what to add to a worker's time to get the scheduler's.

``WorkerState.time_delay`` is the offset of the clocks plus the time that one heartbeat took, with the scheduler's lag
in it. The least of a minute or two is the offset plus the fastest way, which is half of the fastest round trip.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import TYPE_CHECKING

from .names import Names
from .plain import number

if TYPE_CHECKING:
    from distributed.scheduler import WorkerState

#: Seconds after which older heartbeats count no more; those of the window before still do.
WINDOW = 60.0


class _Least:
    """The least values of heartbeats in this window and in the one before."""

    __slots__ = ("before", "now", "seen", "since")

    def __init__(self, since: float) -> None:
        self.since = since
        #: When the newest heartbeat came, scheduler's clock.
        self.seen = 0.0
        #: Delay and round trip, seconds.
        self.now = self.before = (inf, inf)

    def add(self, delay: float, trip: float, time: float) -> float:
        """Note a heartbeat; the offset of the clocks as it is known then, seconds."""
        if not 0 <= time - self.since < WINDOW:
            self.since, self.before, self.now = time, self.now, (inf, inf)
        self.now = (min(self.now[0], delay), min(self.now[1], trip))
        least, fastest = (min(pair) for pair in zip(self.now, self.before))
        return least - (fastest / 2 if fastest < inf else 0.0)


class Clocks:
    """Offsets of the clocks of all workers.

    Parameters
    ----------
    names : Names
        Is told the offsets.
    """

    def __init__(self, names: Names) -> None:
        self._names = names
        self._least: dict[str, _Least] = {}

    def join(self, ws: WorkerState) -> None:
        """A worker has joined; at the address of an earlier one it is another one."""
        self._least.pop(ws.address, None)
        self._note(ws)

    def note(self, workers: Mapping[str, WorkerState]) -> None:
        """Take note of the newest heartbeat of every worker."""
        for address in self._least.keys() - workers.keys():
            del self._least[address]
        for ws in workers.values():
            self._note(ws)

    def _note(self, ws: WorkerState) -> None:
        delay, seen = ws.time_delay, ws.last_seen
        if not delay:
            # No heartbeat yet, or one that told no time.
            return
        least = self._least.get(ws.address)
        if least is None:
            least = self._least[ws.address] = _Least(seen)
        if seen == least.seen:
            return
        least.seen = seen
        trip = number((ws.metrics.get("digests_total_since_heartbeat") or {}).get("latency"))
        self._names.set_clock_delay(ws.address, least.add(delay, trip if trip > 0 else inf, seen))

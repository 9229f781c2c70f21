"""Offsets of the workers' clocks: the difference between scheduler time and a worker's time.

``WorkerState.time_delay`` is the offset of the clocks plus the time that the heartbeat took to arrive and be handled,
so the least delay is an upper bound of the offset. The next heartbeat reports the round trip of this one; a delay minus
its own round trip is a lower bound. The offset is taken as the middle of both bounds (as NTP does for one exchange).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from typing import TYPE_CHECKING

from .names import Names
from .plain import number

if TYPE_CHECKING:
    from distributed.scheduler import WorkerState

#: Seconds after which heartbeats no longer count; those of the previous window still do.
WINDOW = 60.0


class _Bounds:
    """Bounds of an offset by the heartbeats of this window and the one before, seconds."""

    __slots__ = ("before", "delay", "now", "seen", "since")

    def __init__(self, since: float) -> None:
        self.since = since
        #: Arrival of the newest heartbeat, scheduler time, and its delay.
        self.seen = 0.0
        self.delay = -inf
        #: Greatest lower bound and least upper bound.
        self.now = self.before = (-inf, inf)

    def add(self, delay: float, trip: float, time: float) -> float:
        """Add a heartbeat, with the round trip of the previous one; returns the current estimate of the offset."""
        if not 0 <= time - self.since < WINDOW:
            self.since, self.before, self.now = time, self.now, (-inf, inf)
        low, high = self.now
        self.now = (max(low, self.delay - trip), min(high, delay))
        self.delay = delay
        low, high = (max(self.now[0], self.before[0]), min(self.now[1], self.before[1]))
        if low > high:
            # A heartbeat was missed, so that the round trip is of another one, or a clock was set.
            self.now, self.before = (-inf, self.now[1]), (-inf, self.before[1])
            low = -inf
        return (low + high) / 2 if low > -inf else high


class Clocks:
    """Offsets of the clocks of all workers.

    Parameters
    ----------
    names : Names
        Receives the offsets.
    """

    def __init__(self, names: Names) -> None:
        self._names = names
        self._bounds: dict[str, _Bounds] = {}

    def join(self, ws: WorkerState) -> None:
        """A worker has joined; at the address of an earlier one it is a new worker."""
        self._bounds.pop(ws.address, None)
        self._note(ws)

    def note(self, workers: Mapping[str, WorkerState]) -> None:
        """Read the newest heartbeat of every worker."""
        for address in self._bounds.keys() - workers.keys():
            del self._bounds[address]
        self.hear(workers.values())

    def hear(self, workers: Iterable[WorkerState]) -> None:
        """Read the newest heartbeats of some workers."""
        for ws in workers:
            self._note(ws)

    def _note(self, ws: WorkerState) -> None:
        delay, seen = ws.time_delay, ws.last_seen
        if not delay:
            # No heartbeat yet, or one without a time.
            return
        bounds = self._bounds.get(ws.address)
        if bounds is None:
            bounds = self._bounds[ws.address] = _Bounds(seen)
        if seen == bounds.seen:
            return
        bounds.seen = seen
        trip = number((ws.metrics.get("digests_total_since_heartbeat") or {}).get("latency"))
        self._names.set_clock_delay(ws.address, bounds.add(delay, trip if trip > 0 else inf, seen))

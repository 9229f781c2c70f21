"""Whether a worker has missed its heartbeats: all figures of such a worker are of its last one.

Dask says so only after minutes (``distributed.scheduler.worker-ttl``), when it gives the worker up.
"""

from __future__ import annotations

from math import inf

from distributed.scheduler import heartbeat_interval

#: Seconds after which a heartbeat is overdue, besides the intervals that a worker may miss.
PATIENCE = 4.0
MISSED = 4
#: A longer time between two looks, in seconds: the scheduler was blocked, or there was no reader.
STOOD = 1.0
#: Seconds for which nothing is known of heartbeats after that: those that had arrived meanwhile are read first.
SETTLING = 2.0


class Heartbeats:
    """When heartbeats are overdue; a scheduler that stood still itself blames no worker."""

    def __init__(self) -> None:
        self._looked = -inf
        self._again = -inf

    def latest(self, workers: int, now: float) -> float | None:
        """The moment before which a last heartbeat is overdue.

        Parameters
        ----------
        workers : int
            Their number: with more of them, Dask asks for heartbeats less often.
        now : float
            Scheduler clock, seconds.

        Returns
        -------
        float or None
            Seconds; None if this look does not show it, so that what was known stays.
        """
        if now - self._looked > STOOD:
            self._again = now + SETTLING
        self._looked = now
        if now < self._again:
            return None
        return now - PATIENCE - MISSED * float(heartbeat_interval(workers))

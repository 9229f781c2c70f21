"""Whether a worker has missed its heartbeats: all figures of such a worker are of its last one.

Dask says so only after minutes (``distributed.scheduler.worker-ttl``), when it gives the worker up.
"""

from __future__ import annotations

from math import inf

from distributed.scheduler import heartbeat_interval

#: Seconds after which a heartbeat is overdue, besides the intervals that a worker may miss. Also in
#: `src/selectors/unheard.ts`.
PATIENCE = 4.0
MISSED = 4
#: A longer time between two checks, in seconds: the scheduler was blocked, or there was no reader.
STOOD = 1.0
#: Seconds for which nothing is known of heartbeats after that: those that had arrived meanwhile are read first.
SETTLING = 2.0


def patience(workers: int) -> float:
    """Seconds without a heartbeat after which it is overdue: with more workers, Dask asks for heartbeats less often."""
    return PATIENCE + MISSED * float(heartbeat_interval(workers))


class Pauses:
    """Whether the scheduler stood still a moment ago: heartbeats may have arrived that it has not read.

    Parameters
    ----------
    longest : float
        Longest usual time between two checks, seconds.
    """

    def __init__(self, longest: float) -> None:
        self._longest = longest
        self._looked = -inf
        self._again = -inf

    def recent(self, now: float) -> bool:
        """Whether it stood still a moment before `now`, scheduler clock, seconds; called at each check."""
        if now - self._looked > self._longest:
            self._again = now + SETTLING
        self._looked = now
        return now < self._again

    def doubt(self, now: float) -> None:
        """Nothing is known of heartbeats at `now`, scheduler clock, seconds, nor a moment after."""
        self._again = now + SETTLING


class Heartbeats:
    """When heartbeats are overdue; a scheduler that stood still itself blames no worker.

    Parameters
    ----------
    longest : float
        Usual time between two looks at most, seconds.
    """

    def __init__(self, longest: float = STOOD) -> None:
        self._pauses = Pauses(longest)

    def look(self, now: float) -> None:
        """Check that the scheduler goes on, more often than `latest` is asked for."""
        self._pauses.recent(now)

    def doubt(self, now: float) -> None:
        """As `Pauses.doubt`."""
        self._pauses.doubt(now)

    def latest(self, workers: int, now: float) -> float | None:
        """The moment before which a last heartbeat is overdue.

        Parameters
        ----------
        workers : int
            Their number.
        now : float
            Scheduler clock, seconds.

        Returns
        -------
        float or None
            Seconds; None if it is not known now: then what was known before still holds.
        """
        if self._pauses.recent(now):
            return None
        return now - patience(workers)

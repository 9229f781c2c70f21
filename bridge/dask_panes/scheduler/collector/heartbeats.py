"""Whether a worker has missed its heartbeats: all figures of such a worker are of its last one.

Dask says so only after minutes (``distributed.scheduler.worker-ttl``), when it gives the worker up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from distributed.scheduler import heartbeat_interval

from .looks import Looks

if TYPE_CHECKING:
    from distributed.scheduler import WorkerState

#: Seconds after which a heartbeat is overdue, besides the intervals that a worker may miss. Also in
#: `src/selectors/unheard.ts`.
PATIENCE = 4.0
MISSED = 4


def patience(workers: int) -> float:
    """Seconds without a heartbeat after which it is overdue: with more workers, Dask asks for heartbeats less often."""
    return PATIENCE + MISSED * float(heartbeat_interval(workers))


def began(ws: WorkerState) -> float:
    """When the last heartbeat of a worker began, by the worker's clock, seconds."""
    # A heartbeat says so; Dask keeps the difference from its arrival.
    return float(ws.last_seen - ws.time_delay)


class Heartbeats:
    """When heartbeats are overdue; a scheduler that stood still itself blames no worker.

    Parameters
    ----------
    looks : Looks
        When the scheduler stood still.
    """

    def __init__(self, looks: Looks) -> None:
        self._looks = looks

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
        if not self._looks.settled(now):
            return None
        return now - patience(workers)

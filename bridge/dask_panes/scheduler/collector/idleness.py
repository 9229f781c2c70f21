"""Since when the cluster has had nothing to do.

Guarantees: a cluster is idle only after 10 s without a transition, a queued or assigned task, or a graph that the
scheduler is reading, as far as its release says so (2024.8 does not); the time is that of the last activity; any
activity ends it at once. Time in which nobody looked,
as while the scheduler's process was stopped, does not count as idle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from distributed.metrics import time

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Seconds without a transition after which the cluster counts as idle.
IDLE_AFTER = 10.0


def graphs_read(scheduler: Scheduler) -> int | None:
    """Number of graphs that the scheduler is unpacking and ordering: up to minutes without a transition.

    None where its release does not say so.
    """
    found = getattr(scheduler, "_active_graph_updates", None)
    return None if found is None else int(found)


class Idleness:
    """Whether the cluster has something to do.

    Attributes
    ----------
    active_at : float
        Time of the last activity, seconds.
    since : float or None
        The same, if the cluster is idle; None if not.
    """

    def __init__(self) -> None:
        self.since: float | None = None
        self._transitions = -1
        self.active_at = time()

    def look(self, scheduler: Scheduler, now: float, missed: bool) -> None:
        """Check whether anything has happened since the last check.

        Parameters
        ----------
        missed : bool
            Whether the time since then was not observed, see `Looks`.
        """
        moved = scheduler.transition_counter != self._transitions
        self._transitions = scheduler.transition_counter
        waiting = scheduler.queued or scheduler.unrunnable or graphs_read(scheduler)
        if missed or moved or waiting or any(w.processing for w in scheduler.workers.values()):
            self.active_at = now
            self.since = None
        elif now < self.active_at:
            # The clock was set back.
            self.active_at = now
        elif self.since is None and now - self.active_at > IDLE_AFTER:
            self.since = self.active_at

    def take(self, old: Any) -> None:
        """Go on from the last check of an older collector.

        Raises
        ------
        AttributeError
            It had none: nothing has changed here.
        """
        self.active_at, self._transitions = old.active_at, old._transitions

    def end(self) -> None:
        """Something happened: the cluster is not idle."""
        self.active_at = time()
        self.since = None

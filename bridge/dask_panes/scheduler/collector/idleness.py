"""Since when the cluster has had nothing to do.

Guarantees: a cluster is idle only after 10 s without a transition, a queued or assigned task, or a graph that the
scheduler is reading; the time is that of the last activity; any activity ends it at once. Time in which nobody looked,
as while the scheduler's process was stopped, does not count as idle; of more than `REMEMBERED` such periods, the
shortest are forgotten.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from distributed.metrics import time

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Seconds without a transition after which the cluster counts as idle.
IDLE_AFTER = 10.0
#: Seconds without a look, of which there are four per second, after which the time between two was not observed.
UNOBSERVED_AFTER = 5.0
#: Periods that were not observed and are remembered, as many as a reader takes.
REMEMBERED = 100
#: Beyond that, two become one if the time between them is at most this fraction of both.
JOINED = 0.1


def graphs_read(scheduler: Scheduler) -> int:
    """Number of graphs that the scheduler is unpacking and ordering: up to minutes without a transition."""
    return int(getattr(scheduler, "_active_graph_updates", 0))


class Idleness:
    """Whether the cluster has something to do.

    Attributes
    ----------
    active_at : float
        Time of the last activity, seconds.
    since : float or None
        The same, if the cluster is idle; None if not.
    unobserved : list of (begin, end)
        Periods in which nobody looked, and, where there were many, short times between some of them.
    """

    def __init__(self) -> None:
        self.since: float | None = None
        self._transitions = -1
        self._looked_at = self.active_at = time()
        self.unobserved: list[tuple[float, float]] = []

    def look(self, scheduler: Scheduler, now: float) -> None:
        """Check whether anything has happened since the last check."""
        missed = now - self._looked_at > UNOBSERVED_AFTER
        if missed:
            self._miss(self._looked_at, now)
        self._looked_at = now
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

    def _miss(self, begin: float, end: float) -> None:
        """Nobody looked between two times."""
        periods = self.unobserved
        periods.append((begin, end))
        if len(periods) > REMEMBERED:
            at = min(range(1, len(periods)), key=lambda i: periods[i][0] - periods[i - 1][1])
            (first, last), (again, newest) = periods[at - 1 : at + 1]
            if again - last <= JOINED * (last - first + newest - again):
                periods[at - 1 : at + 1] = [(min(first, again), max(last, newest))]
            else:
                # Joined, they would say of observed time that it was not.
                periods.remove(min(periods, key=lambda period: period[1] - period[0]))

    def take(self, old: Any) -> None:
        """Go on from the last look of an older collector.

        Raises
        ------
        AttributeError
            It had none, or others: nothing has changed here.
        """
        found = [(float(begin), float(end)) for begin, end in old.unobserved]
        looks = old.active_at, old._looked_at, old._transitions
        self.active_at, self._looked_at, self._transitions = looks
        self.unobserved = found

    def end(self) -> None:
        """Something happened: the cluster is not idle."""
        self.active_at = time()
        self.since = None

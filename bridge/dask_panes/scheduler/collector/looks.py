"""When the collector looked at the scheduler, as it does four times per second: between two looks that are far apart
the event loop was blocked, or its process stopped.

Guarantees: such time counts neither as idle nor as the silence of a worker; of more than `REMEMBERED` such periods, the
shortest are forgotten.
"""

from __future__ import annotations

from typing import Any

from distributed.metrics import time

#: Seconds between two looks after which the scheduler stood still.
STOOD = 1.0
#: Seconds for which nothing is known of heartbeats after that: those that had arrived meanwhile are read first.
SETTLING = 2.0
#: Seconds between two looks after which the time between them was not observed.
UNOBSERVED_AFTER = 5.0
#: Periods that were not observed and are remembered, as many as a reader takes.
REMEMBERED = 100
#: Beyond that, two become one if the time between them is at most this fraction of both.
JOINED = 0.1


class Looks:
    """The looks so far.

    Attributes
    ----------
    at : float
        Time of the last look, scheduler clock, seconds.
    unobserved : list of (begin, end)
        Periods in which nobody looked, and, where there were many, short times between some of them.
    """

    def __init__(self) -> None:
        self.at: float = time()
        self.unobserved: list[tuple[float, float]] = []
        #: From when on heartbeats are known to have been read; None before the first look.
        self._settled: float | None = None

    def look(self, now: float) -> bool:
        """Note a look; returns whether the time since the last one was not observed."""
        begin, self.at = self.at, now
        if self._settled is None or now - begin > STOOD:
            self._settled = now + SETTLING
        missed = now - begin > UNOBSERVED_AFTER
        if missed:
            self._miss(begin, now)
        return missed

    def settled(self, now: float) -> bool:
        """Whether the scheduler has not stood still a moment before `now`: else heartbeats may have arrived that it has
        not read."""
        return self._settled is not None and now >= self._settled and now - self.at <= STOOD

    def doubt(self, now: float) -> None:
        """Nothing is known of heartbeats at `now`, nor a moment after."""
        self._settled = now + SETTLING

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

    def take(self, at: float, unobserved: Any) -> None:
        """Go on from the last look of an older collector.

        Raises
        ------
        TypeError, ValueError
            It had others: nothing has changed here.
        """
        found = [(float(begin), float(end)) for begin, end in unobserved]
        self.at, self.unobserved = float(at), found

"""The workload of all benchmarks that make tasks, and how their figures are printed.

Durations are log-normal (median 20 ms, 50 µs to 10 min), functions follow a Zipf law over 30 of them, 5 % of the tasks
have a transfer that overlaps the end of their wait, 1 % are recorded up to 5 s after their end. Live runs cap durations
at 200 ms. Everything comes from one printed seed.
"""

from __future__ import annotations

import json
import math
import os
import random
import statistics
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

SEED = 20261121
FUNCTIONS = 30
MEDIAN_SECONDS = 0.02
SPREAD = 1.5
SHORTEST, LONGEST = 50e-6, 600.0
#: The longest duration of a run in real time.
LIVE_LONGEST = 0.2


@dataclass(frozen=True)
class Drawn:
    """One task: its function, and what its worker reports of it."""

    function: str
    seconds: float
    #: Length of its transfer, 0 where it has none.
    transfer: float
    #: Seconds between its end and the news of it.
    late: float
    nbytes: int


class Workload:
    """Draws tasks.

    Parameters
    ----------
    seed : int
    longest : float
        Seconds at which durations are cut.
    """

    def __init__(self, seed: int = SEED, longest: float = LONGEST) -> None:
        self.random = random.Random(seed)
        self._longest = longest
        self._weights = [1 / (i + 1) for i in range(FUNCTIONS)]
        self._group = self.unique()

    def unique(self) -> str:
        """32 hexadecimal digits."""
        return uuid.UUID(int=self.random.getrandbits(128)).hex

    def draw(self) -> Drawn:
        """The next task."""
        rng = self.random
        seconds = rng.lognormvariate(math.log(MEDIAN_SECONDS), SPREAD)
        return Drawn(
            function=f"function_{rng.choices(range(FUNCTIONS), self._weights)[0]}",
            seconds=max(SHORTEST, min(seconds, self._longest)),
            transfer=rng.uniform(0.001, 0.05) if rng.random() < 0.05 else 0.0,
            late=rng.uniform(0, 5) if rng.random() < 0.01 else 0.0,
            nbytes=rng.randrange(10**7),
        )

    def key(self, function: str, number: int) -> str | tuple[str, int, int]:
        """A key as Dask makes them: with a token of its own, or of a collection."""
        return f"{function}-{self.unique()}" if number % 2 else (f"{function}-{self._group}", number, 0)


def status_topics() -> list[str]:
    """Topics that the panes of the Status layout subscribe to, as `npm run bench` finds them in the plots.

    Raises
    ------
    RuntimeError
        Where a benchmark was not started by ``npm run bench``.
    """
    topics = os.environ.get("DASK_PANES_STATUS_TOPICS")
    if topics is None:
        raise RuntimeError("DASK_PANES_STATUS_TOPICS is not set: start benchmarks with `npm run bench -- NAME`")
    return list(json.loads(topics))


def median_interval(values: Sequence[float], level: float = 0.95) -> tuple[float, float, float]:
    """Median with the interval between two ordered values that holds it with at least `level`, any distribution.

    Raises
    ------
    ValueError
        Where there are too few values for the level.
    """
    ordered, n = sorted(values), len(values)
    tail, cut = 0.0, -1
    while tail + math.comb(n, cut + 1) / 2**n <= (1 - level) / 2:
        cut += 1
        tail += math.comb(n, cut) / 2**n
    if cut < 0:
        raise ValueError(f"{n} values hold no interval of {level}")
    return statistics.median(ordered), ordered[cut], ordered[n - 1 - cut]


def reporter(bench: str) -> Callable[..., None]:
    """What prints the rows of one benchmark."""

    def report(name: str, value: float, unit: str, baseline: float | None = None, **more: object) -> None:
        ratio = None if not baseline else round(value / baseline, 3)
        row = {"bench": bench, "name": name, "value": round(value, 3), "unit": unit, "baseline": baseline}
        print(json.dumps({**row, "ratio": ratio, **more}), flush=True)

    return report

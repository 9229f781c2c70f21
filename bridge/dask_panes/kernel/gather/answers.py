"""What servers answered to a probe, and how soon they may be asked again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

#: Seconds between two reads per worker and per reading kernel: all together stay within 1 % of the scheduler's core.
PER_WORKER = 0.02
#: The same per byte of the answers: the scheduler reads and writes it, about 10 ns in total.
PER_BYTE = 1e-6


class Answers(NamedTuple):
    """What servers answered to a probe.

    Attributes
    ----------
    of : dict of int
        The answer by id of ``names.workers``; -1 is the scheduler.
    failed : dict of int to str
        What went wrong, by id: a server that took too long, a probe that raised. A worker that has gone is nowhere.
    refusal : str
        Why no server takes code (``blocked-handlers``), else an empty text.
    idle : bool
        Whether the cluster has nothing to do.
    readers : int
        Kernels that read this scheduler, this one included.
    nbytes : int
        About how large all answers are.
    workers : int
        Workers that the cluster has.
    left : int
        Id of the first worker that was not asked, -1 where there is none.
    feed : str
        Id of the collector that asked them; empty if not reported.
    executed : int
        Executions of tasks since the collector started; -1 if not reported.
    working : bool
        Whether workers have tasks now.
    """

    of: dict[int, Any]
    failed: dict[int, str]
    refusal: str
    idle: bool
    readers: int
    nbytes: int = 0
    workers: int = 0
    left: int = -1
    feed: str = ""
    executed: int = -1
    working: bool = False

    @property
    def pace(self) -> float:
        """Minimum seconds until the next such request."""
        return (PER_WORKER * (len(self.of) + len(self.failed)) + PER_BYTE * self.nbytes) * self.readers

    def gone(self, known: Iterable[int]) -> set[int]:
        """Servers of those known that have left, if these are the answers of all: ids are not used again."""
        return set() if self.refusal else {*known} - self.of.keys() - self.failed.keys()

    def and_of(self, other: Answers) -> Answers:
        """These answers and additional ones."""
        return other._replace(
            of={**self.of, **other.of},
            failed={**self.failed, **other.failed},
            refusal=self.refusal or other.refusal,
            nbytes=self.nbytes + other.nbytes,
        )

"""The bandwidth topic: Dask's own averages of transfer rates between workers, and by result type.

Workers measure transfers above 1 MB as receivers, and report them with their heartbeats; the scheduler averages them.
Its table is keyed (receiver, sender).
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from .columns import unsigned, wire
from .names import Names
from .plain import text
from .versions import changed, touch
from .walk import Walk

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Maximum pairs reported: those measured first.
PAIRS = 20_000
TYPES = 500
#: Pairs per slice of a walk.
PIECE = 1_000
#: Pairs per read.
READ_ROWS = 4_000

_GONE = float("nan")


class Bandwidth:
    """Rows of all pairs of workers with the version at which each last changed.

    Parameters
    ----------
    names : Names
        Dictionary of workers.
    failed : callable
        Called when a walk has raised, which ends it.
    """

    def __init__(self, names: Names, failed: Callable[[Exception], None]) -> None:
        self._names = names
        #: By (receiver's address, sender's address), with the worker ids that these addresses had then.
        self._ids: dict[tuple[str, str], int] = {}
        self._pairs: list[tuple[int, int]] = []
        self._rates: list[float] = []
        self._versions: dict[int, int] = {}
        self._types: dict[str, float] = {}
        self._total = 0.0
        #: Numbers of removed pairs.
        self._free: deque[int] = deque()
        self.walk = Walk(failed)
        self.version = 0

    @property
    def end(self) -> int:
        """The newest version; -1 before the first walk."""
        return self.version if self.walk.ended else -1

    def scan(self, scheduler: Scheduler) -> None:
        """Version the pairs that changed."""
        if self.walk.due:
            self.walk.begin(self._look(scheduler))

    def stop(self) -> None:
        """Stop walking."""
        self.walk.stop()

    def _look(self, scheduler: Scheduler) -> Iterator[None]:
        workers: dict[tuple[str, str], float] = scheduler.bandwidth_workers
        known = [*self._ids]
        for i in range(0, len(known), PIECE):
            for pair in known[i : i + PIECE]:
                if pair not in workers or self._has_returned(pair):
                    # The scheduler drops the pairs of a worker that leaves; a worker that returns is a new one.
                    found = self._ids.pop(pair)
                    self._set(found, _GONE)
                    self._free.append(found)
            yield
        pairs = [*islice(workers.items(), PAIRS)]
        for i in range(0, len(pairs), PIECE):
            for pair, rate in pairs[i : i + PIECE]:
                place = self._ids.get(pair)
                if place is None:
                    self._add(pair, rate)
                elif self._rates[place] != rate:
                    self._set(place, rate)
            yield
        types = {text(name, 200): rate for name, rate in islice(scheduler.bandwidth_types.items(), TYPES)}
        # The total changes with each heartbeat, by invisible amounts.
        if types != self._types or abs(scheduler.bandwidth - self._total) > 0.01 * self._total:
            self._types, self._total = types, scheduler.bandwidth
            self.version += 1

    def _has_returned(self, pair: tuple[str, str]) -> bool:
        """Whether another worker is at one of the addresses since: a late heartbeat may keep the pair of the former."""
        known = self._pairs[self._ids[pair]]
        return any(self._names.worker_at(address) > before for address, before in zip(pair, known))

    def _add(self, pair: tuple[str, str], rate: float) -> None:
        if len(self._pairs) >= PAIRS and not self._free:
            return
        # If all numbers are in use, the number of a removed pair is reused.
        found = len(self._pairs)
        if found >= PAIRS and self._free:
            found = self._free.popleft()
        if found == len(self._pairs):
            self._pairs.append((0, 0))
            self._rates.append(rate)
        receiver, sender = (self._names.worker_id(address) for address in pair)
        self._ids[pair] = found
        self._pairs[found] = (receiver, sender)
        self._set(found, rate)

    def _set(self, found: int, rate: float) -> None:
        self._rates[found] = rate
        self.version += 1
        touch(self._versions, found, self.version)

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Pairs that changed after a version, and all types: the topic body and the cursor after it."""
        ids, after = changed(self._versions, cursor, READ_ROWS, self.version)
        largest = len(self._names.workers)
        columns = {
            "id": wire(unsigned(ids, max(ids, default=0))),
            "receiver": wire(unsigned((self._pairs[found][0] for found in ids), largest)),
            "sender": wire(unsigned((self._pairs[found][1] for found in ids), largest)),
            "rate": wire(array("d", (self._rates[found] for found in ids))),
        }
        scalars = {"total": self._total, "types": [[name, rate] for name, rate in self._types.items()]}
        return {"c": columns, "s": scalars}, after

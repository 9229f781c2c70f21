"""The bandwidth topic: Dask's own averages of how fast workers receive from each other, and results of which type.

Workers measure transfers above 1 MB as they receive them, and tell with their heartbeats; the scheduler averages. Its
table is keyed (receiver, sender).
"""

from __future__ import annotations

from array import array
from time import perf_counter
from typing import TYPE_CHECKING, Any

from .clock import cpu_time
from .columns import unsigned, wire
from .names import Names
from .plain import text

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Share of a core that looking through all pairs may take.
BUDGET = 0.01
#: Pairs that are told; of more, those that were measured first.
PAIRS = 20_000
TYPES = 500

_GONE = float("nan")


class Bandwidth:
    """Rows of all pairs of workers with the version at which each last changed."""

    def __init__(self, names: Names) -> None:
        self._names = names
        #: By (receiver's address, sender's address), with the worker ids that these addresses had then.
        self._ids: dict[tuple[str, str], int] = {}
        self._pairs: list[tuple[int, int]] = []
        self._rates: list[float] = []
        self._versions: list[int] = []
        self._types: dict[str, float] = {}
        self._total = 0.0
        self._next = 0.0
        self.version = 0

    def scan(self, scheduler: Scheduler) -> None:
        """Version the pairs that changed."""
        if perf_counter() < self._next:
            return
        begin = cpu_time()
        version = self.version + 1
        workers: dict[tuple[str, str], float] = scheduler.bandwidth_workers
        for pair, rate in workers.items():
            found = self._ids.get(pair)
            if found is None:
                if len(self._pairs) < PAIRS:
                    self._add(pair, rate, version)
            elif self._rates[found] != rate:
                self._set(found, rate, version)
        for pair in [pair for pair in self._ids if pair not in workers]:
            # The scheduler forgets the pairs of a worker that leaves; one that comes back is another worker.
            self._set(self._ids.pop(pair), _GONE, version)
        types = {text(name, 200): rate for name, rate in list(scheduler.bandwidth_types.items())[:TYPES]}
        # The total wanders with each heartbeat, by what cannot be seen.
        if types != self._types or abs(scheduler.bandwidth - self._total) > 0.01 * self._total:
            self._types, self._total = types, scheduler.bandwidth
            self.version = version
        self._next = perf_counter() + (cpu_time() - begin) / BUDGET

    def _add(self, pair: tuple[str, str], rate: float, version: int) -> None:
        receiver, sender = (self._names.worker_id(address) for address in pair)
        self._ids[pair] = len(self._pairs)
        self._pairs.append((receiver, sender))
        self._rates.append(rate)
        self._versions.append(version)
        self.version = version

    def _set(self, found: int, rate: float, version: int) -> None:
        self._rates[found] = rate
        self._versions[found] = version
        self.version = version

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Pairs that changed after a version, and all types: the topic body and the cursor after it."""
        ids = [found for found, version in enumerate(self._versions) if version > cursor]
        largest = len(self._names.workers)
        columns = {
            "id": wire(unsigned(ids, max(ids, default=0))),
            "receiver": wire(unsigned((self._pairs[found][0] for found in ids), largest)),
            "sender": wire(unsigned((self._pairs[found][1] for found in ids), largest)),
            "rate": wire(array("d", (self._rates[found] for found in ids))),
        }
        scalars = {"total": self._total, "types": [[name, rate] for name, rate in self._types.items()]}
        return {"c": columns, "s": scalars}, self.version

"""Dictionaries of repeated texts: a frame carries small integers, these say what they mean.

They only grow while a collector lives: an id never changes its meaning, so the colour of a prefix and the row of a
worker's thread stay what they are. A worker that comes back at an address is a new worker with a new id.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .plain import plain, text


class Ids(dict[Any, int]):
    """Ids by name; a name that is not there is made by a function. Lookups of known names stay in C."""

    def __init__(self, make: Callable[[Any], int]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, name: Any) -> int:
        found = self[name] = self._make(name)
        return found


class Names:
    """Ids of prefixes, groups, workers and lanes.

    Attributes
    ----------
    prefixes : list of str
        Prefix names in order of first appearance: the position is the colour slot.
    groups : list of str
        Names of task groups in order of first appearance.
    workers : list of dict
        Static facts of every worker ever seen.
    lanes : list of [int, int]
        (worker id, thread id) of every thread that ran a task.
    """

    def __init__(self) -> None:
        self.prefixes: list[str] = []
        self.groups: list[str] = []
        self.workers: list[dict[str, Any]] = []
        self.lanes: list[list[int]] = []
        #: Id by prefix name.
        self.prefix_ids = Ids(self._new_prefix)
        #: Id by name of a task group.
        self.group_ids = Ids(self._new_group)
        #: Id by (worker address, thread).
        self.lane_ids = Ids(self._new_lane)
        self._worker_ids: dict[str, int] = {}
        self._delays: dict[str, float] = {}

    def _new_prefix(self, name: str) -> int:
        self.prefixes.append(text(name, 1000))
        return len(self.prefixes) - 1

    def _new_group(self, name: str) -> int:
        self.groups.append(text(name, 1000))
        return len(self.groups) - 1

    def _new_lane(self, pair: tuple[str, int | None]) -> int:
        address, thread = pair
        self.lanes.append([self.worker_id(address), thread or 0])
        return len(self.lanes) - 1

    def worker_id(self, address: str) -> int:
        """Id of the newest worker at an address; a worker that was never announced gets a bare entry."""
        found = self._worker_ids.get(address)
        return self.add_worker({"address": address, "name": address}) if found is None else found

    def worker_at(self, address: str | None) -> int:
        """Id of the newest worker at an address, -1 where there was none."""
        return self._worker_ids.get(address, -1) if address else -1

    def add_worker(self, facts: dict[str, Any]) -> int:
        """Announce a worker; one that has the address of an earlier one is a new worker."""
        address = facts["address"]
        found = self._worker_ids[address] = len(self.workers)
        self.workers.append(plain(facts))
        self.forget_lanes(address)
        return found

    def forget_lanes(self, address: str) -> None:
        """Threads of the next worker at this address are new lanes."""
        for pair in [pair for pair in self.lane_ids if pair[0] == address]:
            del self.lane_ids[pair]

    def set_clock_delay(self, address: str, seconds: float) -> None:
        """Note Dask's estimate of a worker's clock: scheduler's time minus worker's time."""
        self._delays[address] = seconds

    def clock_delay(self, address: str) -> float:
        """Seconds to add to a worker's own clock to get the scheduler's; 0 where unknown."""
        return self._delays.get(address, 0.0)

    def since(self, cursor: dict[str, int]) -> dict[str, Any]:
        """The entries that a reader lacks, as the frame's ``names``; advances the cursor in place."""
        news: dict[str, Any] = {}
        lists: tuple[tuple[str, list[Any]], ...] = (
            ("prefixes", self.prefixes),
            ("groups", self.groups),
            ("workers", self.workers),
            ("lanes", self.lanes),
        )
        for name, values in lists:
            have = cursor.get("n_" + name, 0)
            if len(values) > have:
                news[name] = {"from": have, "values": values[have:]}
            cursor["n_" + name] = len(values)
        return news

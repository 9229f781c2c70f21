"""Dictionaries of repeated texts: frames contain small integers that refer to them.

An index never changes its meaning while a collector lives: the colour of a prefix and the row of a worker's thread do
not change. A worker that returns at an address is a new worker with a new id. Each dictionary is bounded:

- Prefixes whose names differ in numbers only (``load_17``) share one entry from the hundredth on, and when all
  entries are in use, all further prefixes share one. The name of a shared entry says so.
- Of groups the newest names are kept; rows of older ones have no name any more.
- Threads of one worker beyond a number share the entry of unknown threads.
- Of workers that left long ago, and of their threads, only the indices are kept. When these are used up, another
  collector begins.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from .plain import plain, text

#: Maximum characters of a name.
LONGEST = 1_000
#: Maximum prefixes with a separate entry, and among them of names that differ in numbers only.
PREFIXES = 5_000
ALIKE = 100
#: How the entry of further prefixes ends whose names differ in numbers only.
MORE = " (more)"
#: Maximum characters of a name compared with others by its numbers.
SHAPE = 900
#: The entry of all further prefixes.
OTHER = "(other functions)"
#: Maximum number of group names.
GROUPS = 20_000
#: Group index at which indices start over: a frame may have 1,048,576.
LAST_GROUP = 1_000_000
#: Threads of one worker with a separate entry: each task that secedes makes the worker start another thread.
THREADS = 500
#: Workers and threads, each since the start, at which another collector begins: a frame may have 1,048,576, and a large
#: cluster may add some 10,000 between two ticks.
LAST_INDEX = 800_000
#: Maximum entries per answer.
AT_ONCE = 4_000
#: Topics whose rows carry groups.
GROUPED = frozenset(("graph", "groups"))

_NUMBER = re.compile(r"\d+")
_LEFT = {"address": "", "name": "left"}


def dictionaries(topics: Iterable[str]) -> tuple[str, ...]:
    """The dictionaries needed by the rows of some topics; a reader of other topics does not need all group names."""
    few = ("prefixes", "workers", "lanes")
    return few if GROUPED.isdisjoint(topics) else (*few, "groups")


class Ids(dict[Any, int]):
    """Ids by name; a function creates missing ones. Lookups of known names stay in C.

    Parameters
    ----------
    make : callable
        Receives a missing name and returns its id; ``~id`` if the name must not be stored.
    """

    def __init__(self, make: Callable[[Any], int]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, name: Any) -> int:
        found = self._make(name)
        if found < 0:
            return ~found
        self[name] = found
        return found


class Names:
    """Ids of prefixes, groups, workers and lanes.

    Attributes
    ----------
    prefixes : list of str
        Prefix names in order of first appearance: the index is the colour slot.
    groups : list of str
        Names of task groups in order of first appearance, from index `first_group` on.
    workers : list of dict
        Static facts of every worker ever seen.
    lanes : list of [int, int]
        (worker id, thread id) of every thread that ran a task.
    """

    def __init__(self) -> None:
        self.prefixes: list[str] = []
        self.groups: list[str] = []
        self.first_group = 0
        self.workers: list[dict[str, Any]] = []
        self.lanes: list[list[int]] = []
        #: Id by prefix name.
        self.prefix_ids = Ids(self._new_prefix)
        #: Ids of prefixes that represent several.
        self.shared: set[int] = set()
        #: Whether the text of a prefix's entry may differ from the prefix's name.
        self.inexact = False
        self._alike: dict[str, int] = {}
        self._shared_ids: dict[str, int] = {}
        #: Id by name of a task group.
        self.group_ids = Ids(self._new_group)
        #: Id by (worker address, thread).
        self.lane_ids = Ids(self._new_lane)
        self._lanes_at: dict[str, list[tuple[str, int | None]]] = {}
        self._lanes_of: dict[int, list[int]] = {}
        self._worker_ids: dict[str, int] = {}
        self._delays: dict[str, float] = {}

    def renew(self) -> None:
        """Rebuild data derived from the dictionaries: an older version has filled them."""
        self.prefixes = [text(name, LONGEST) for name in self.prefixes]
        self.groups = [text(name, LONGEST) for name in self.groups]
        self.workers = [plain(facts) for facts in self.workers]
        self._lanes_at, self._lanes_of = {}, {}
        for pair in self.lane_ids:
            self._lanes_at.setdefault(pair[0], []).append(pair)
        for lane, (worker, _) in enumerate(self.lanes):
            self._lanes_of.setdefault(worker, []).append(lane)
        self._alike = Counter(_NUMBER.sub("*", name[:LONGEST]) for name in self.prefix_ids)

    def _new_prefix(self, name: str) -> int:
        alike = _NUMBER.sub("*", name[:LONGEST])
        count = self._alike.get(alike, 0)
        if alike != name and count >= ALIKE:
            return ~self._shared(text(alike[:SHAPE] + MORE))
        if len(self.prefixes) >= PREFIXES:
            return ~self._shared(OTHER)
        self._alike[alike] = count + 1
        shown = text(name, LONGEST)
        self.inexact = self.inexact or shown != name
        self.prefixes.append(shown)
        return len(self.prefixes) - 1

    def _shared(self, entry: str) -> int:
        self.inexact = True
        found = self._shared_ids.get(entry)
        if found is None:
            found = self._shared_ids[entry] = len(self.prefixes)
            self.prefixes.append(entry)
            self.shared.add(found)
        return found

    def _new_group(self, name: str) -> int:
        if len(self.groups) >= GROUPS + GROUPS // 10:
            over = len(self.groups) - GROUPS
            for known in list(islice(self.group_ids, over)):
                del self.group_ids[known]
            del self.groups[:over]
            self.first_group += over
        self.groups.append(text(name, LONGEST))
        return self.first_group + len(self.groups) - 1

    @property
    def used_up(self) -> bool:
        """Whether readers will soon accept no further workers or threads."""
        return max(len(self.workers), len(self.lanes)) >= LAST_INDEX

    @property
    def must_renew_groups(self) -> bool:
        """Whether group indices have to start over: readers accept no larger ones."""
        return self.first_group >= LAST_GROUP

    def renew_groups(self) -> int:
        """Renumber the kept groups from 1 on, which requires a new epoch.

        Index 0 then represents every group whose name was dropped.

        Returns
        -------
        int
            Amount to subtract from an index; results below 1 become 0.
        """
        less = self.first_group - 1
        for name in self.group_ids:
            self.group_ids[name] = max(0, self.group_ids[name] - less)
        self.groups.insert(0, "")
        self.first_group = 0
        return less

    def group(self, found: int) -> str:
        """Name of a group, empty if it was dropped."""
        return self.groups[found - self.first_group] if found >= self.first_group else ""

    def _new_lane(self, pair: tuple[str, int | None]) -> int:
        address, thread = pair
        known = self._lanes_at.setdefault(address, [])
        if len(known) >= THREADS and thread is not None:
            return ~self.lane_ids[address, None]
        worker = self.worker_id(address)
        known.append(pair)
        self.lanes.append([worker, thread or 0])
        self._lanes_of.setdefault(worker, []).append(len(self.lanes) - 1)
        return len(self.lanes) - 1

    def worker_id(self, address: str) -> int:
        """Id of the newest worker at an address; an unannounced worker gets an entry without facts."""
        found = self._worker_ids.get(address)
        return self.add_worker({"address": address, "name": address}) if found is None else found

    def worker_at(self, address: str | None) -> int:
        """Id of the newest worker at an address, -1 if there was none."""
        return self._worker_ids.get(address, -1) if address else -1

    def add_worker(self, facts: dict[str, Any]) -> int:
        """Announce a worker; at the address of an earlier one it is a new worker."""
        address = facts["address"]
        found = self._worker_ids[address] = len(self.workers)
        self.workers.append(plain(facts))
        self.forget_lanes(address)
        return found

    def forget_lanes(self, address: str) -> None:
        """The worker has left, or another one is at its address: its threads are new lanes from now on."""
        for pair in self._lanes_at.pop(address, ()):
            self.lane_ids.pop(pair, None)

    def drop_worker(self, found: int) -> None:
        """Keep only the indices of a worker that left long ago, and of its threads."""
        address = self.workers[found]["address"]
        if self._worker_ids.get(address) == found:
            del self._worker_ids[address]
            self._delays.pop(address, None)
            self.forget_lanes(address)
        self.workers[found] = _LEFT
        bare = [found, 0]
        for lane in self._lanes_of.pop(found, ()):
            self.lanes[lane] = bare

    def set_clock_delay(self, address: str, seconds: float) -> None:
        """Store the offset of a worker's clock: scheduler time minus worker time."""
        self._delays[address] = seconds

    def clock_delay(self, address: str) -> float:
        """Seconds to add to a worker's own clock to get scheduler time; 0 if unknown."""
        return self._delays.get(address, 0.0)

    def since(self, cursor: dict[str, int], topics: Iterable[str], at_once: int = 0) -> tuple[dict[str, Any], bool]:
        """The entries that a reader lacks, as the frame's ``names``; advances the cursor in place.

        Parameters
        ----------
        cursor : dict
            Position of the reader.
        topics : iterable of str
            Topics of the reader: group names are sent only for topics with groups.
        at_once : int
            Maximum number of entries; 0 for a suitable number for a frame.

        Returns
        -------
        (dict, bool)
            The entries, and whether these are all.
        """
        news: dict[str, Any] = {}
        lists: dict[str, tuple[int, list[Any]]] = {
            "prefixes": (0, self.prefixes),
            "workers": (0, self.workers),
            "lanes": (0, self.lanes),
            "groups": (self.first_group, self.groups),
        }
        room = at_once or AT_ONCE
        whole = True
        for name in dictionaries(topics):
            first, values = lists[name]
            begin = max(cursor.get("n_" + name, 0), first)
            end = min(first + len(values), begin + room)
            if end > begin:
                news[name] = {"from": begin, "values": values[begin - first : end - first]}
                room -= end - begin
            cursor["n_" + name] = max(begin, end)
            whole = whole and end >= first + len(values)
        return news, whole

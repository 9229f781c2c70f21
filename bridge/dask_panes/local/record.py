"""The record of this process's local computes, in the columns of the feed.

The computing thread appends notes; the reader (the control thread) converts them into columns. Both hold a lock for
the time of a few thousand notes, some milliseconds at most.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
from collections.abc import Mapping, Sequence
from math import isnan
from time import perf_counter, time
from typing import Any

import dask
from dask.utils import key_split

from ..scheduler.collector.names import Ids, Names
from ..scheduler.collector.series import Series
from .columns import Executions
from .compute import Compute, Outcome, Place, call_of
from .ledger import Ledger
from .running import RunningHere

logger = logging.getLogger(__name__)

#: Maximum executions.
RING_ROWS = 1_000_000
#: Rows per read.
READ_ROWS = 16_384
#: Values of one execution in the list of notes: key, start, end, worker, type of the result, bytes, number of the
#: results that Dask released when it ended.
FIELDS = 7
#: Values of notes beyond which they are converted at once: 2 ms.
BATCH = 500 * FIELDS

#: Topics filled here.
TOPICS = ("meta", "tasks", "running", "prefixes", "series", "cache")
_UNITS = {"threads": ("thread", "threads"), "processes": ("process", "processes"), "sync": ("synchronous",) * 2}


class Record:
    """The history of the local schedulers of a process.

    Attributes
    ----------
    notes : list
        ``FIELDS`` values for each task that ended, flat, in order.
    gone : list
        The keys of the released results, in the order of the notes.
    starts : dict
        When each running task started, by key (``perf_counter``).
    compute : Compute or None
        The newest compute.
    """

    def __init__(self) -> None:
        self.notes: list[Any] = []
        self.gone: list[Any] = []
        self.starts: dict[Any, float] = {}
        self.compute: Compute | None = None
        self.lock = threading.RLock()
        self._begin()

    def _begin(self) -> None:
        self.feed = os.urandom(8).hex()
        self.epoch = 0
        self.names = Names()
        self.executions = Executions(self.names, RING_ROWS)
        self.ledger = Ledger()
        self.series = Series()
        self.live = RunningHere(self.names)
        self._computes = 0
        self._meta: dict[str, Any] = {}
        self._meta_version = 0
        #: The call made by tasks of a function, by prefix id: the newest, since a name may change its meaning.
        self._calls: dict[int, str] = {}
        self._typenames: dict[type, str] = Typenames()
        self._groups: dict[str, int] = Ids(lambda name: self.names.prefix_ids[key_split(name)])
        self._address = ""
        self._slots: dict[str, Slots] = {}
        #: Seconds to add to ``perf_counter`` to get the wall clock.
        self._offset = time() - perf_counter()

    # -- the compute --------------------------------------------------------------------------------------------

    @property
    def running(self) -> bool:
        """Whether a compute runs."""
        compute = self.compute
        return compute is not None and compute.ended is None

    def now(self) -> float:
        """Wall clock, seconds; steady within a compute."""
        return perf_counter() + self._offset

    def start(self, graph: Mapping[Any, Any], place: Place) -> None:
        """A compute begins."""
        with self.lock:
            self.notes.clear()
            self.gone.clear()
            self.starts.clear()
            self.live.clear()
            self._offset = time() - perf_counter()
            self.compute = Compute(graph, place, self.now())
            self.ledger.begin(self.compute.began)
            self._computes += 1
            self._announce(place)

    def expect(self, state: Mapping[str, Any]) -> None:
        """The compute has its state."""
        with self.lock:
            compute = self.compute
            if compute is None:
                return
            keys = compute.know(state)
            prefixes = self._prefixes(keys)
            self.ledger.expect(prefixes)
            for prefix, key in dict(zip(prefixes, keys)).items():
                self._calls[prefix] = call_of(compute.graph.get(key))

    def finish(self, outcome: Outcome, failed: Any = None) -> None:
        """The compute is over.

        Parameters
        ----------
        outcome : Outcome
            How it ended.
        failed : optional
            Key of the task that raised, where it is known.
        """
        with self.lock:
            self.drain()
            compute = self.compute
            if compute is None:
                return
            end = self.now()
            if failed is not None and failed in self.starts:
                self._fail(compute, failed, end)
            compute.end(end, outcome)
            self.ledger.end(end)
            # User classes must not be kept alive for their names.
            self._typenames.clear()
            self._groups.clear()
            self.starts.clear()
            self.live.clear()

    def _announce(self, place: Place) -> None:
        one, many = _UNITS[place.scheduler]
        name = many if place.scheduler == "sync" else f"{place.workers} {one if place.workers == 1 else many}"
        self._address = f"local://{place.scheduler}/{place.workers}"
        if self.names.worker_at(self._address) < 0:
            facts = {"address": self._address, "name": name, "host": socket.gethostname(), "nthreads": place.workers}
            self.names.add_worker({**facts, "memory_limit": 0, "pid": os.getpid(), "lane": one})
        self._slots.setdefault(self._address, Slots()).begin()

    def _fail(self, compute: Compute, key: Any, end: float) -> None:
        """Dask does not report the thread or process of a task that raised, unless there is only one."""
        prefix = self._prefix(key)
        self.ledger.function(prefix).erred += 1
        start = self.starts[key]
        address = self._address
        if compute.place.scheduler != "sync":
            address = "local://unknown"
            if self.names.worker_at(address) < 0:
                facts = {"address": address, "name": "unknown", "host": socket.gethostname(), "nthreads": 1}
                self.names.add_worker({**facts, "memory_limit": 0, "pid": 0, "lane": "worker"})
        lane = self.names.lane_ids[address, 0 if address != self._address else self._slots[address].of(None)]
        begin, duration = start + self._offset, end - self._offset - start
        self.executions.append([key], [prefix], [lane], [begin], [duration], [0.0], [""], erred=True)

    # -- notes to columns ---------------------------------------------------------------------------------------

    def drain(self) -> None:
        """Convert notes into columns; any thread."""
        with self.lock:
            notes = self.notes
            count = len(notes) // FIELDS
            if not count or self.compute is None:
                return
            part = notes[: count * FIELDS]
            del notes[: count * FIELDS]
            # The computing thread records released results before the task that released them.
            freed = sum(part[FIELDS - 1 :: FIELDS])
            gone = self.gone[:freed]
            del self.gone[:freed]
            try:
                self._write(self.compute, part, gone)
            except BaseException:
                # Inconsistent columns (after a user's interrupt, or an error of ours) would mislead every reader:
                # start over.
                self._begin()
                self.ledger.forget_held()
                self._announce(self.compute.place)
                raise

    def _write(self, compute: Compute, notes: list[Any], gone: list[Any]) -> None:
        keys, starts, ends, workers, types, sizes, freed = (notes[i::FIELDS] for i in range(FIELDS))
        prefixes = self._prefixes(keys)
        offset = self._offset
        slot = self._slots[self._address].of
        lanes_of = {worker: self.names.lane_ids[self._address, slot(worker)] for worker in dict.fromkeys(workers)}
        if compute.place.scheduler != "sync" and None in lanes_of:
            free = self._slots[self._address].free
            lanes = [self.names.lane_ids[self._address, free(start, end)] for start, end in zip(starts, ends)]
        else:
            lanes = [lanes_of[worker] for worker in workers]
        durations = [end - start for start, end in zip(starts, ends)]
        typenames = [self._typenames[kind] for kind in types]
        self.executions.append(keys, prefixes, lanes, [s + offset for s in starts], durations, sizes, typenames)
        ends = [end + offset for end in ends]
        known = [0.0 if isnan(size) else size for size in sizes]
        self.ledger.add(keys, prefixes, ends, durations, known, freed, gone, self._prefixes(gone))
        compute.done += len(keys)

    def _prefix(self, key: Any) -> int:
        return self._prefixes((key,))[0]

    def _prefixes(self, keys: Sequence[Any]) -> list[int]:
        # The parts of a collection share the first part of their keys: nearly all lookups stay in C.
        groups, ids = self._groups, self.names.prefix_ids
        return [
            groups[key[0]] if type(key) is tuple and key and type(key[0]) is str else ids[key_split(key)]
            for key in keys
        ]

    # -- reading ------------------------------------------------------------------------------------------------

    def scan(self, live: bool = False, counts: bool = True) -> None:
        """Update counts and facts; a few times per second while there is a subscriber.

        Parameters
        ----------
        live : bool
            Whether a subscriber wants to know each task that runs now.
        counts : bool
            Whether to count by function, which takes 4 µs for each function that there ever was.
        """
        with self.lock:
            self.drain()
            if live and self.running:
                starts = self.starts.copy()
                offset = self._offset
                self.live.look({key: start + offset for key, start in starts.items()}, self._address, self.now())
            else:
                self.live.clear()
            if counts:
                self.ledger.scan(self._prefixes(list(self.starts)) if self.running else (), self.now())
            meta = self._facts()
            if meta != self._meta:
                self._meta = meta
                self._meta_version += 1

    def _facts(self) -> dict[str, Any]:
        compute = self.compute
        local = None
        if compute is not None:
            local = {
                "scheduler": compute.place.scheduler,
                "workers": compute.place.workers,
                "computes": self._computes,
                "began": compute.began,
                "ended": compute.ended,
                "total": compute.total,
                "done": compute.done,
                "running": len(self.starts),
                "outcome": compute.outcome,
            }
        return {
            "address": "",
            "id": self.feed,
            "started": compute.began if compute else 0.0,
            "earlier_tasks": 0,
            "idle_since": compute.ended if compute else None,
            "ring_rows": RING_ROWS,
            "python": ".".join(map(str, sys.version_info[:3])),
            "versions": {"dask": dask.__version__},
            "local": local,
        }

    def end(self, topic: str) -> int:
        """The cursor of a topic after all existing data."""
        if topic == "tasks":
            return self.executions.end
        if topic == "cache":
            return self.ledger.end_of_held
        if topic == "prefixes":
            return self.ledger.version
        if topic == "series":
            return self.series.end
        if topic == "running":
            return self.live.version
        return self._meta_version if topic == "meta" else 0

    def read(self, topics: Sequence[str], feed: str, epoch: int, cursor: Mapping[str, int]) -> dict[str, Any]:
        """What a reader lacks of some topics, as an answer of a collector; of long topics the first 16,384 rows."""
        with self.lock:
            self.drain()
            same = feed == self.feed and epoch == self.epoch
            where = dict(cursor) if same else {}
            bodies: dict[str, Any] = {}
            for topic in topics:
                if self.end(topic) != where.get(topic, 0):
                    bodies[topic], where[topic] = self._body(topic, where.get(topic, 0))
            return {
                "feed": self.feed,
                "epoch": self.epoch,
                "time": self.now(),
                "names": self.names.since(where, topics, sys.maxsize)[0],
                "cursor": where,
                "topics": bodies,
            }

    def _body(self, topic: str, cursor: int) -> tuple[dict[str, Any], int]:
        if topic == "tasks":
            return self.executions.read(cursor, READ_ROWS)
        if topic == "cache":
            return self.ledger.read_held(cursor, READ_ROWS)
        if topic == "prefixes":
            return self.ledger.read_counts(cursor)
        if topic == "series":
            return self.series.read(cursor)
        if topic == "running":
            return self.live.read(cursor)
        return {"c": {}, "s": self._meta}, self._meta_version

    def describe(self, row: int) -> dict[str, Any] | None:
        """Key, type and task of a row; None if it has left the ring."""
        with self.lock:
            self.drain()
            found = self.executions.describe(row)
            if found is not None:
                found["task"] = self._calls.get(self.executions.prefix(row), "")
            return found


class Typenames(dict[type, str]):
    """Names of types as formatted by Dask; lookups of known ones stay in C."""

    def __missing__(self, kind: type) -> str:
        module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
        found = self[kind] = f"{module}{kind.__qualname__}"
        return found


class Slots:
    """Numbers threads and processes from 0: a pool of the next compute uses the rows of the last one."""

    def __init__(self) -> None:
        self._known: dict[Any, int] = {}
        self._used: dict[Any, int] = {}
        self._ends: list[float] = []

    def begin(self) -> None:
        """Another compute: numbers are free again, but known threads get theirs back."""
        self._known = {**self._known, **self._used} if len(self._known) < 1000 else self._used
        self._used = {}
        self._ends = []

    def of(self, worker: Any) -> int:
        """The number of a thread or process of this compute."""
        found = self._used.get(worker)
        if found is None:
            taken = set(self._used.values())
            found = self._known.get(worker, -1)
            if found < 0 or found in taken:
                found = next(number for number in range(len(taken) + 1) if number not in taken)
            self._used[worker] = found
        return found

    def free(self, start: float, end: float) -> int:
        """A number for a task that does not tell its thread: one that was free when it started, last used latest."""
        free = (number for number, last in enumerate(self._ends) if last <= start)
        found = max(free, key=self._ends.__getitem__, default=len(self._ends))
        self._ends[found : found + 1] = [end]
        return found

"""Totals and texts of one computation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isnan, nan
from typing import Any

from dask.utils import key_split

from .recent import RecentGraphs
from .submission import SPAN, Submission

#: Tasks of a graph whose functions are looked at.
SAMPLED = 10
#: Seconds without a submission or an end after which a loop whose last task still runs begins another computation.
UNDER_WAY = 60.0
#: Spans of one computation that are named.
SPANS = 4

_DISK = ("disk-read", "disk-write")
#: Added to the number of a computation in `Claims.owners` for a task that is computed again after it had ended.
_RENEWED = 1 << 40
#: Added for a task that counts as dropped: it was released before it ran and is not needed now, or, in the complement,
#: one that it needs has failed.
HALTED_OWNER = 1 << 41
#: What collectors of earlier versions do not have.
_NEW: dict[str, Any] = {
    **{"erred_before": 0, "renewing": 0, "renewed": 0, "lost": nan, "packing": 0.0, "packed": 0, "recent": None},
    "spans": (),
    "begun": nan,
    "functions": (),
    "failed": 0,
    "undropped": 0,
}


def functions_of(keys: Sequence[Any]) -> tuple[str, ...]:
    """The functions of the first tasks of a graph, which stand for its code where that is not known; never empty."""
    return tuple(sorted({key_split(key) for key in keys[:SAMPLED]})) or ("",)


def number_of(owner: int) -> int:
    """The computation of an entry of `Claims.owners`."""
    return (owner if owner >= 0 else ~owner) % _RENEWED


def renews(owner: int) -> bool:
    """Whether the task of an entry of `Claims.owners` is computed again after its computation had ended."""
    return (owner if owner >= 0 else ~owner) % HALTED_OWNER >= _RENEWED


def is_halted(owner: int) -> bool:
    """Whether the task of an entry of `Claims.owners` has not run and is not needed now; see `Halted`."""
    return owner >= HALTED_OWNER


class Computation:
    """Totals of one computation; see topic ``computations`` of the schema."""

    __slots__ = (
        *("cell", "cell_id", "client", "code", "line", "origin", "span"),
        *("begun", "since", "last", "submissions", "tasks", "unfollowed", "again", "left", "dropped", "done", "erred"),
        *("erred_before", "renewing", "renewed", "lost", "failed", "undropped"),
        *("start", "stop", "compute", "transfer", "disk", "nbytes", "reading", "read", "graph", "sized"),
        *("packing", "packed", "recent", "spans", "functions"),
    )

    def __init__(self, submission: Submission, now: float, functions: tuple[str, ...] = ()) -> None:
        self.client = submission.client
        self.since = self.last = now
        #: When the client began to pack its first graph, or else the scheduler to read it; NaN if that is not known.
        self.begun = submission.begun - (submission.packing or 0.0) if 0 < submission.begun <= now else nan
        self.submissions = self.tasks = self.unfollowed = self.again = self.left = self.dropped = self.done = (
            self.erred
        ) = self.erred_before = self.renewing = self.renewed = self.failed = self.undropped = 0
        self.start = self.stop = self.lost = nan
        self.compute = self.transfer = self.disk = self.nbytes = 0.0
        #: Seconds of reading graphs and of packing them, bytes of graphs, and for how many submissions each is known.
        self.reading = self.graph = self.packing = 0.0
        self.read = self.sized = self.packed = 0
        self.recent = RecentGraphs()
        #: Functions of its first tasks, where neither a cell nor its code is known.
        self.functions = functions
        self.span = ""
        #: Names of the spans of its graphs, empty for none: at most one more than are named.
        self.spans: tuple[str, ...] = ()
        self.within(submission.spans)
        #: Number that the notebook shows for the cell, 0 if it is not known; and the cell's id in its notebook.
        self.cell, self.cell_id = 0, ""
        #: Where the code is from: ``"dask"``, ``"cell"``, or empty if it is not known; ``"earlier"`` for tasks that
        #: were in progress when the collector began to observe.
        self.code, self.line, self.origin = "", 0, ""

    def submit(self, submission: Submission, tasks: int, now: float) -> None:
        """Count one graph of it, with its number of tasks."""
        self.submissions += 1
        self.recent.add(submission, tasks, now)
        self.last = now
        if submission.nbytes is not None:
            self.graph += submission.nbytes
            self.sized += 1
        if submission.packing is not None:
            self.packing += submission.packing
            self.packed += 1

    def claim(self, tasks: int, unfollowed: int, again: int, erred_before: int) -> None:
        """Tasks are its own from now on; see `Claims`."""
        self.tasks += tasks + unfollowed
        self.left += tasks
        self.unfollowed += unfollowed
        self.again += again
        self.erred_before += erred_before

    def has_read(self, seconds: float) -> None:
        """What reading its newest graph took."""
        self.recent.read(seconds)
        self.reading += seconds
        self.read += 1

    def is_followed_by(self, functions: tuple[str, ...], begun: float, apart: float) -> bool:
        """Whether a later graph from the same code, which began to be read at a time, belongs to it.

        A loop submits the next task when one has ended, which may take longer than `apart` (seconds). Code that is not
        known may be another's: the functions must be the same.
        """
        if functions != self.functions:
            return False
        return begun - self.stop < apart or (self.left > 0 and begun - max(self.last, self.stop) < UNDER_WAY)

    def within(self, spans: Iterable[str]) -> bool:
        """One of its graphs has tasks in these spans, empty for none; returns whether that changed its texts."""
        if spans == self.spans:
            return False
        fresh = tuple(span for span in spans if span not in self.spans)[: SPANS + 1 - len(self.spans)]
        if not fresh:
            return False
        self.spans = (*self.spans, *fresh)
        named = [each for each in self.spans[:SPANS] if each]
        self.span = " + ".join([*named, "…"] if 0 < len(named) < len(self.spans) else named)
        if len(self.span) > SPAN:
            self.span = f"{self.span[: SPAN - 1]}…"
        return True

    def describe(self, cell: int, code: str, cell_id: str, line: int = 0) -> None:
        """The kernel reports which cell it was; what Dask recorded as its code stays."""
        self.cell, self.cell_id = cell, cell_id
        if code and self.origin != "dask":
            self.code, self.origin = code, "cell"
            # The code may be cut before the line.
            self.line = line if 0 < line <= code.count("\n") + 1 else 0

    @property
    def texts(self) -> dict[str, Any]:
        """What does not change with every task."""
        names = ("client", "cell", "cell_id", "code", "line", "origin", "span")
        return {name: getattr(self, name) for name in names}

    @classmethod
    def like(cls, old: Any) -> Computation:
        """The same as an older collector had it.

        Raises
        ------
        AttributeError
            It had something else.
        """
        made = cls.__new__(cls)
        for name in cls.__slots__:
            setattr(made, name, getattr(old, name, _NEW[name]) if name in _NEW else getattr(old, name))
        made.failed = getattr(old, "failed", old.erred)
        made.recent = RecentGraphs.like(made.recent)
        made.spans = made.spans or (made.span,)
        return made

    def lose(self, asked: bool, lost: float | None) -> int:
        """A result must be computed again; returns what to add to the number of the computation for it.

        Parameters
        ----------
        asked : bool
            Whether a graph of this computation asks for it: then it belongs to its run, as while tasks are left.
        lost : float or None
            When it was lost while something needed it; None if it had been released.
        """
        over = self.left == self.renewing and not asked
        self.left += 1
        if not over:
            return 0
        self.renewing += 1
        self.lost = self.lost if lost is None else lost
        return _RENEWED

    def retry(self, renewed: bool, dropped: bool) -> None:
        """A task is tried again that had failed, or had been dropped since one that it needs had."""
        if dropped:
            self.drop(renewed, -1)
        else:
            self.failed -= 1
            self.left += 1
            self.renewing += renewed

    def drop(self, renewed: bool, tasks: int = 1, undone: bool = False) -> None:
        """Tasks will not run, or may after all (-1), or were not dropped (`undone`): those computed again had run."""
        self.left -= tasks
        self.renewing -= tasks * renewed
        self.dropped += tasks * (not renewed)
        self.undropped += max(0, -tasks) * (not renewed and not undone)

    @property
    def dropped_ever(self) -> int:
        """As `dropped`, with those that may run after all."""
        return self.dropped + self.undropped

    def drop_all(self) -> None:
        """No task that is left will run."""
        self.dropped += self.left - self.renewing
        self.left = self.renewing = 0

    def renew(self, rows: list[Any], sizes: list[Any], erred: int, again: bool) -> Sequence[float]:
        """Count executions after the computation had ended: they do not count in its times. See `add`."""
        if not again:
            self.left -= len(rows)
            self.renewing -= len(rows)
        self.erred += erred
        self.failed += erred
        self.renewed += len(rows) - erred
        return ()

    def add(self, rows: list[Any], sizes: list[Any], erred: int, again: bool) -> Sequence[float] | None:
        """Count executions; returns the seconds of each that computed, None if they cannot be read.

        Parameters
        ----------
        rows : list
            Dask's intervals of each.
        sizes : list
            Bytes of each result.
        erred : int
            How many failed.
        again : bool
            Whether their tasks had been executed before.
        """
        if not again:
            self.left -= len(rows)
        self.erred += erred
        self.failed += erred
        self.done += len(rows) - erred
        # Where a worker's report cannot be read, its sums are not known from now on.
        try:
            self.nbytes += sum([size for size in sizes if size])
        except Exception:
            self.nbytes = nan
        try:
            return self._add_times(rows)
        except Exception:
            self.compute = self.transfer = self.disk = nan
            return None

    def _add_times(self, rows: list[Any]) -> Sequence[float]:
        # Nearly always one interval each.
        intervals = [row[0] for row in rows if len(row) == 1]
        if len(intervals) < len(rows):
            intervals = [interval for row in rows for interval in _newest(row)]
        computes = [interval for interval in intervals if interval["action"] == "compute"]
        durations: list[float] = []
        if computes:
            starts = [interval["start"] for interval in computes]
            stops = [interval["stop"] for interval in computes]
            durations = [stop - start for start, stop in zip(starts, stops)]
            self.compute += sum(durations)
            self.start = min(starts if isnan(self.start) else [self.start, *starts])
            self.stop = max(stops if isnan(self.stop) else [self.stop, *stops])
        if len(computes) < len(intervals):
            self.transfer += _seconds(intervals, ("transfer",))
            self.disk += _seconds(intervals, _DISK)
        return durations


def _newest(intervals: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    """Those of the newest execution: a worker that keeps a released task reports its older intervals again."""
    computes = [at for at, interval in enumerate(intervals) if interval["action"] == "compute"]
    return intervals[computes[-2] + 1 :] if len(computes) > 1 else intervals


def _seconds(intervals: Sequence[dict[str, Any]], actions: tuple[str, ...]) -> float:
    return float(sum([interval["stop"] - interval["start"] for interval in intervals if interval["action"] in actions]))

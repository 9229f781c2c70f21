"""Finished profilers of ``dask.diagnostics`` as pictures in a cell: the panes' own views, fed from the output."""

from __future__ import annotations

import sys
from array import array
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from math import nan
from time import perf_counter, time
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from dask.diagnostics import CacheProfiler, Profiler, ResourceProfiler
from dask.utils import format_bytes, key_split

from ..feed.codec import encode
from ..scheduler.collector.columns import unsigned, wire
from ..scheduler.collector.measures import MAY_LACK, MEASURES
from ..scheduler.collector.names import Names
from ..scheduler.collector.series import Series, sample_cluster
from .columns import Executions

if TYPE_CHECKING:
    from typing import TypeAlias

#: What the front end renders; safe: numbers and texts, no code and no markup.
MIME_TYPE = "application/vnd.dask-panes.profile+json"
#: Version of the JSON under ``MIME_TYPE``; incremented when older readers would fail.
VERSION = 1
#: Tasks with keys and calls in the output, which is saved with the notebook.
DESCRIBED = 20_000
#: Seconds between two samples above which a reader would show a gap.
SELDOM = 4.0
#: Maximum characters of a key or call.
LONGEST = 300

AnyProfiler: TypeAlias = "Profiler | ResourceProfiler | CacheProfiler"


def visualize(profilers: AnyProfiler | Sequence[AnyProfiler]) -> Visualization:
    """Show what profilers of ``dask.diagnostics`` have recorded: interactive, below each other, on one time axis.

    Parameters
    ----------
    profilers : Profiler, ResourceProfiler, CacheProfiler or a sequence of them
        Their ``results`` are used as they are. Several of one kind are shown as one.

    Returns
    -------
    Visualization
        Is shown as an output where it is the last expression of a cell, or is given to ``display``. Without the
        extension it is a sentence.

    Raises
    ------
    TypeError
        For anything else than a profiler.
    ValueError
        For cache profilers of different metrics: their values cannot share an axis.

    Examples
    --------
    >>> with Profiler() as prof, ResourceProfiler(dt=0.25) as rprof, CacheProfiler() as cprof:  # doctest: +SKIP
    ...     out = a.compute()
    >>> dask_panes.visualize([prof, rprof, cprof])  # doctest: +SKIP
    """
    several = list(profilers) if isinstance(profilers, (list, tuple, set)) else [profilers]
    for profiler in several:
        if not isinstance(profiler, (Profiler, ResourceProfiler, CacheProfiler)):
            raise TypeError(
                f"visualize() shows Profiler, ResourceProfiler and CacheProfiler, not {type(profiler).__name__}"
            )
    return Visualization(several)


class Visualization:
    """An output that shows finished profilers. Made by `visualize`; later changes of the profilers do not reach it."""

    def __init__(self, profilers: Sequence[AnyProfiler]) -> None:
        self._profile = _Profile(profilers)

    def __repr__(self) -> str:
        return self._profile.words()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {"text/plain": repr(self), MIME_TYPE: self._profile.payload()}


class _Held(NamedTuple):
    """A result in the cache of a scheduler, from one time to another."""

    key: Any
    metric: float
    begin: float
    end: float


class _Profile:
    """The results of profilers, and the frame that they make."""

    def __init__(self, profilers: Sequence[AnyProfiler]) -> None:
        self._plots = [plot for plot, kind in _PLOTS if any(isinstance(p, kind) for p in profilers)]
        self._tasks = sorted(_results(profilers, Profiler), key=lambda task: task.start_time)
        self._resources = sorted(_results(profilers, ResourceProfiler), key=lambda sample: sample.time)
        self._held = [
            _Held(data.key, float(data.metric), data.cache_time, data.free_time)
            for data in _results(profilers, CacheProfiler)
        ]
        metrics = sorted({p._metric_name for p in profilers if isinstance(p, CacheProfiler)})
        if len(metrics) > 1:
            raise ValueError(f"visualize() shows cache profilers of one metric at a time, not of {', '.join(metrics)}")
        self._metric = str(metrics[0])[:LONGEST] if metrics else "count"
        # Profilers use an arbitrary time origin; users expect the time of day.
        self._offset = time() - perf_counter()
        self._names = Names()

    # -- words --------------------------------------------------------------------------------------------------

    def words(self) -> str:
        """One sentence for front ends without the extension."""
        if not (self._tasks or self._resources or self._held):
            return "Dask profile: no results. Use the profilers with `with` around a compute on a local scheduler."
        parts: list[str] = []
        if self._tasks:
            last = max(task.end_time for task in self._tasks)
            workers = len({task.worker_id for task in self._tasks})
            parts.append(
                f"{len(self._tasks):,} tasks in {last - self._tasks[0].start_time:.3g} s on {workers} "
                f"{'worker' if workers == 1 else 'workers'}"
            )
        if self._resources:
            parts.append(f"at most {max(r.cpu for r in self._resources):.0f} % CPU")
            parts.append(f"{format_bytes(int(max(r.mem for r in self._resources) * 1e6))} of memory")
        if self._held:
            parts.append(f"at most {max(count for _, _, count, _ in _changes(self._held)):,} results held")
        return f"Dask profile: {', '.join(parts)}."

    # -- the frame ----------------------------------------------------------------------------------------------

    def payload(self) -> dict[str, Any]:
        """The JSON under ``MIME_TYPE``."""
        described = self._tasks[:DESCRIBED]
        return {
            "version": VERSION,
            "plots": self._plots,
            "frames": [b64encode(encode(answer, seq)).decode("ascii") for seq, answer in enumerate(self._answers())],
            "keys": [str(task.key)[:LONGEST] for task in described],
            "tasks": [_text(task.task) for task in described],
        }

    def _answers(self) -> Iterator[dict[str, Any]]:
        self._names = Names()
        topics: dict[str, Any] = {"meta": {"c": {}, "s": self._meta()}}
        executions = self._executions()
        if self._held:
            topics["cache"] = self._held_topic()
        if self._resources:
            topics["series"] = self._series_topic()
        feed, cursor = uuid4().hex, 0
        while cursor < executions.end or topics:
            if cursor < executions.end:
                topics["tasks"], cursor = executions.read(cursor, executions.end)
            yield {
                "feed": feed,
                "epoch": 0,
                "time": self._end(),
                "cursor": {},
                "names": self._names.since({}, topics, sys.maxsize)[0],
                "topics": topics,
            }
            topics = {}

    def _end(self) -> float:
        times = [
            *(task.end_time for task in self._tasks),
            *(sample.time for sample in self._resources),
            *(held.end for held in self._held),
        ]
        return max(times, default=perf_counter()) + self._offset

    def _meta(self) -> dict[str, Any]:
        return {"idle_since": self._end(), "local": {"outcome": "done", "metric": self._metric}}

    def _executions(self) -> Executions:
        executions = Executions(self._names, max(1, len(self._tasks)))
        workers = list(dict.fromkeys(task.worker_id for task in self._tasks))
        facts = {"address": "", "name": "workers", "host": "", "nthreads": len(workers), "memory_limit": 0}
        self._names.add_worker({**facts, "lane": "worker"})
        lanes = {worker: self._names.lane_ids["", number] for number, worker in enumerate(workers)}
        tasks = self._tasks
        executions.append(
            [task.key for task in tasks],
            [self._prefix(task.key) for task in tasks],
            [lanes[task.worker_id] for task in tasks],
            [task.start_time + self._offset for task in tasks],
            [task.end_time - task.start_time for task in tasks],
            [float("nan")] * len(tasks),
            [""] * len(tasks),
        )
        return executions

    def _held_topic(self) -> dict[str, Any]:
        rows = [(when, self._prefix(key), held) for when, key, held in _by_function(self._held)]
        columns = {
            "time": wire(array("d", (when + self._offset for when, _, _ in rows))),
            "prefix": wire(unsigned((prefix for _, prefix, _ in rows), len(self._names.prefixes))),
            "count": wire(array("I", (count for _, _, (count, _) in rows))),
            "nbytes": wire(array("d", (metric for _, _, (_, metric) in rows))),
        }
        return {"c": columns, "s": {"first": 0, "end": len(rows)}}

    def _series_topic(self) -> dict[str, Any]:
        series = Series()
        times = [sample.time + self._offset for sample in self._resources]
        for sample, when, until in zip(self._resources, times, [*times[1:], times[-1]]):
            values = {"cpu": sample.cpu, "process": sample.mem * 1e6}
            point = sample_cluster(
                when, [("", tuple(values.get(name, nan if name in MAY_LACK else 0.0) for name in MEASURES))]
            )
            # A profiler with a long interval leaves no gaps.
            point[1] = until if until - when > SELDOM else when
            series.add(point, 0, False)
        return series.read(0)[0]

    def _prefix(self, key: Any) -> int:
        return self._names.prefix_ids[key_split(key)]


_PLOTS = (("local-tasks", Profiler), ("local-resources", ResourceProfiler), ("local-cache", CacheProfiler))


def _results(profilers: Iterable[Any], kind: type) -> list[Any]:
    fitting: list[Any] = [profiler for profiler in profilers if isinstance(profiler, kind)]
    return [result for profiler in fitting for result in profiler.results]


def _text(task: Any) -> str:
    """A task as Dask formats it; the ``repr`` of user objects in a graph may be malformed, or raise."""
    try:
        return repr(task)[:LONGEST]
    except Exception:
        return f"<{type(task).__name__}>"


def _changes(held: Iterable[_Held]) -> Iterator[tuple[float, Any, int, float]]:
    """Time, key, total number of results in memory, and the change of its function's metric."""
    events = [event for h in held for event in ((h.begin, 1, h.key, h.metric), (h.end, -1, h.key, -h.metric))]
    count = 0
    # At the same time, new results come before released ones, as in the scheduler.
    for when, change, key, metric in sorted(events, key=lambda event: (event[0], -event[1])):
        count += change
        yield when, key, count, metric


def _by_function(held: Iterable[_Held]) -> Iterator[tuple[float, Any, tuple[int, float]]]:
    """Time, key, and the function's number of results and metric in memory."""
    now: dict[str, tuple[int, float]] = {}
    total = 0
    for when, key, count, metric in _changes(held):
        name = key_split(key)
        before = now.get(name, (0, 0.0))
        number = before[0] + count - total
        total = count
        now[name] = (number, before[1] + metric if number else 0.0)
        yield when, key, now[name]

"""The activities topic: Dask's fine metrics, and the scheduler's own load."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping
from itertools import count, islice
from typing import TYPE_CHECKING, Any

from . import bands
from .columns import unsigned, wire
from .fine_metrics import MOST, SHUFFLE, is_counted
from .plain import number, text
from .spans import CONTEXT, Spans
from .versions import changed, touch
from .walk import Walk

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Maximum metrics reported: contexts by functions, and spans, by activities by units.
ROWS = MOST
#: Metrics per slice of a walk, half a millisecond; and per read, with their names 50 kB.
PIECE, READ_ROWS = 500, 500
#: Samples of the scheduler's monitor to average, half a second each.
SAMPLES = 120


class Activities:
    """Rows of ``Scheduler.cumulative_worker_metrics`` with the version at which each last changed.

    Parameters
    ----------
    failed : callable
        Called when a walk has raised, which ends it.
    """

    def __init__(self, failed: Callable[[Exception], None]) -> None:
        self.walk = Walk(failed)
        self._ids: dict[Any, int] = {}
        self._names: list[list[str]] = []
        self._values: list[float] = []
        #: Values of the metrics when the collector started.
        self._before: dict[Any, float] = {}
        self._base: list[float] = []
        self._versions: dict[int, int] = {}
        self._scheduler: dict[str, float] = {}
        self._spans = Spans()
        self.version = 0

    @property
    def end(self) -> int:
        """The newest version; -1 before the first walk."""
        return self.version if self.walk.ended else -1

    def begin(self, scheduler: Scheduler) -> None:
        """Record the values before the start: they belong to no execution that is kept."""
        self._before = {**scheduler.cumulative_worker_metrics, **self._of_spans(scheduler)}

    def stop(self) -> None:
        """Stop walking, after one last scan of the present state."""
        self.walk.restart()

    def scan(self, scheduler: Scheduler, quiet: bool) -> None:
        """Version the metrics that changed.

        Parameters
        ----------
        quiet : bool
            The cluster is idle: increments from heartbeats (``latency``, ``tick-duration``) are not reported.
        """
        if self.walk.due:
            self.walk.begin(self._look(scheduler, quiet))

    def _look(self, scheduler: Scheduler, quiet: bool) -> Iterator[None]:
        yield from self._look_at(scheduler.cumulative_worker_metrics, quiet)
        yield from self._look_at(self._of_spans(scheduler), quiet)
        own = _scheduler(scheduler)
        if self._scheduler.get("transitions") != own["transitions"] or self._moved(own["scheduler_cpu"]):
            self._scheduler = own
            self.version += 1

    def _look_at(self, metrics: Mapping[Any, float], quiet: bool) -> Iterator[None]:
        for first in count(0, PIECE):
            # By position: Dask adds some between two slices, at the end.
            part = [*islice(metrics.items(), first, first + PIECE)]
            for key, amount in part:
                if _is_read(key, quiet) and not self._note(key, number(amount)):
                    # Those after it are newer. Dask keeps all, of every function that there ever was.
                    return
            if len(part) < PIECE:
                return
            yield

    def _note(self, key: Any, value: float) -> bool:
        """Note the value of a metric; returns whether there is room for it."""
        found = self._ids.get(key)
        if found is None:
            if len(self._values) >= ROWS:
                return False
            found = self._ids[key] = len(self._values)
            self._names.append(_names(key))
            self._values.append(float("nan"))
            self._base.append(float(self._before.get(key, 0.0)))
        if self._values[found] != value:
            self._values[found] = value
            self.version += 1
            touch(self._versions, found, self.version)
        return True

    def _of_spans(self, scheduler: Scheduler) -> dict[Any, float]:
        return {(CONTEXT, *label): value for label, value in self._spans.sums(scheduler).items()}

    def _moved(self, cpu: float) -> bool:
        """Whether the scheduler's CPU changed enough to report: on an idle one it varies slightly with each sample."""
        return abs(self._scheduler.get("scheduler_cpu", -100.0) - cpu) > bands.CPU

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Metrics that changed after a version, `READ_ROWS` at most: the topic body and the cursor after it."""
        ids, after = changed(self._versions, cursor, READ_ROWS, self.version)
        columns = {
            "id": wire(unsigned(ids, max(ids, default=0))),
            "value": wire(array("d", (self._values[found] for found in ids))),
        }
        # A new reader receives all names once; a metric keeps its number, so later only new names are sent.
        named = [[found, *self._names[found]] for found in ids]
        base = [[found, self._base[found]] for found in ids if self._base[found]]
        return {"c": columns, "s": {"names": named, "base": base, **self._scheduler}}, after


def _is_read(key: Any, quiet: bool) -> bool:
    if isinstance(key, tuple):
        return len(key) < 3 or is_counted(key)
    return not quiet


def _names(key: Any) -> list[str]:
    """Context, function, activity and unit of a metric; most contexts use only some of them."""
    if not isinstance(key, tuple):
        return [text(key, 200), "", "", ""]
    parts = [text(part, 200) for part in key]
    if len(parts) > 3 and parts[0] == SHUFFLE:
        # The place where a shuffle worked, not a function.
        parts[:2] = [f"{SHUFFLE} {parts[1]}"]
    if len(parts) < 3:
        return [parts[0] if parts else "", "", "", parts[-1] if len(parts) == 2 else ""]
    return [parts[0], ":".join(parts[1:-2]), parts[-2], parts[-1]]


def _scheduler(scheduler: Scheduler) -> dict[str, float]:
    """CPU of the scheduler's process in the last minute, in per cent of a core, and the mean interval of its event
    loop tick.
    """
    history = getattr(scheduler.monitor, "quantities", {}).get("cpu") or ()
    recent = list(islice(reversed(history), SAMPLES))
    return {
        "scheduler_cpu": round(sum(recent) / len(recent), 1) if recent else 0.0,
        "scheduler_tick": round(getattr(scheduler, "_tick_interval_observed", 0.0), 4),
        "transitions": float(scheduler.transition_counter),
    }

"""The memory_samples topic: the records of Dask's MemorySampler, while it records.

The scheduler's extension keeps the samples of a sampler until that stops, then returns and drops them. The collector
only reads: while nothing samples, a tick costs the check of two empty dicts. A reference to the list of a run is kept,
so the samples between the last tick and the end are read although the extension has dropped them.
"""

from __future__ import annotations

import inspect
from array import array
from typing import TYPE_CHECKING, Any

from .columns import unsigned, wire
from .plain import text

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Maximum samples of all runs together (20 bytes each), and maximum runs.
SAMPLES = 500_000
RUNS = 200
#: Samples of one read.
READ_ROWS = 5_000

_NO_SAMPLE = float("nan")


class SampledRun:
    """Facts of one ``with ms.sample(...)``."""

    __slots__ = ("interval", "key", "label", "measure", "seen", "source", "stopped")

    def __init__(self, key: str, source: list[tuple[float, int]], measure: str, interval: float) -> None:
        self.key = key
        #: The extension's own list of (time, bytes); None once all of it has been copied.
        self.source: list[tuple[float, int]] | None = source
        #: Number of its samples copied.
        self.seen = 0
        self.measure = measure
        #: Seconds; 0 if unknown.
        self.interval = interval
        #: The client's label; empty until the client reports one.
        self.label = ""
        self.stopped = False


class MemorySamples:
    """Samples of all runs in order of discovery, as one numbered log."""

    def __init__(self) -> None:
        self._runs: dict[int, SampledRun] = {}
        self._ids: dict[str, int] = {}
        self._next_run = 0
        self._run = array("I")
        self._time = array("d")
        self._nbytes = array("d")
        #: Number of the next row.
        self.end = 0

    def scan(self, scheduler: Scheduler) -> None:
        """Copy the samples since the last scan."""
        extension = scheduler.extensions.get("memory_sampler")
        samples: dict[str, list[tuple[float, int]]] = getattr(extension, "samples", None) or {}
        for key, source in samples.items():
            if key not in self._ids:
                self._begin(scheduler, key, source)
        for key, found in list(self._ids.items()):
            run = self._runs[found]
            self._take(found, run)
            if key not in samples:
                del self._ids[key]
                run.source, run.stopped = None, True
                self._append(found, 0.0, _NO_SAMPLE)
        self._trim()

    def label(self, scheduler: Scheduler, key: str, label: str) -> None:
        """Store the client's label of a run; a run not seen by any tick yet is searched for at once."""
        self.scan(scheduler)
        for found, run in reversed(self._runs.items()):
            if run.key == key:
                run.label = text(label, 1000)
                self._append(found, 0.0, _NO_SAMPLE)
                return

    def _begin(self, scheduler: Scheduler, key: str, source: list[tuple[float, int]]) -> None:
        found = self._ids[key] = self._next_run
        self._next_run += 1
        self._runs[found] = SampledRun(key, source, *_settings(scheduler, key))

    def _take(self, found: int, run: SampledRun) -> None:
        if run.source is not None and len(run.source) > run.seen:
            for time, nbytes in run.source[run.seen :]:
                self._append(found, time, nbytes)
            run.seen = len(run.source)

    def _append(self, found: int, time: float, nbytes: float) -> None:
        self._run.append(found)
        self._time.append(time)
        self._nbytes.append(nbytes)
        self.end += 1

    def _trim(self) -> None:
        while len(self._runs) > RUNS:
            oldest = next((found for found, run in self._runs.items() if run.stopped), None)
            if oldest is None:
                break
            del self._runs[oldest]
        over = len(self._run) - SAMPLES
        if over > 0:
            # A tenth more, so that a long run does not shift all columns with each tick.
            for column in (self._run, self._time, self._nbytes):
                del column[: over + SAMPLES // 10]

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Rows after a cursor, `READ_ROWS` at most, with all kept runs: the topic body and the cursor after it."""
        kept = self.end - len(self._run)
        first = max(cursor, kept)
        at = first - kept
        to = min(len(self._run), at + READ_ROWS)
        scalars: dict[str, Any] = {
            "first": first,
            "runs": [
                {
                    "id": found,
                    "key": text(run.key, 1000),
                    "label": run.label,
                    "measure": run.measure,
                    "interval": run.interval,
                    "stopped": run.stopped,
                }
                for found, run in self._runs.items()
            ],
        }
        if first > cursor:
            scalars["lost"] = first - cursor
        columns = {
            "run": wire(unsigned(self._run[at:to], self._next_run)),
            "time": wire(self._time[at:to]),
            "nbytes": wire(self._nbytes[at:to]),
        }
        return {"c": columns, "s": scalars}, kept + to


def _settings(scheduler: Scheduler, key: str) -> tuple[str, float]:
    """Measure and interval (seconds) of a sampler; ``("", 0.0)`` for values that cannot be found.

    The extension stores neither: the measure is a variable of its timer's function.
    """
    timer = scheduler.periodic_callbacks.get(f"MemorySampler-{key}")
    callback = getattr(timer, "callback", None)
    interval = getattr(timer, "callback_time", 0.0) / 1000
    if not inspect.isfunction(callback):
        return "", interval
    measure = inspect.getclosurevars(callback).nonlocals.get("measure", "")
    return text(measure if isinstance(measure, str) else "", 100), interval

"""CPU and memory of this process and its children, sampled while a compute runs and there is a subscriber."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from math import nan
from typing import Any

from ..scheduler.collector.measures import MAY_LACK, MEASURES
from ..scheduler.collector.series import STEP, sample_cluster
from .record import Record

logger = logging.getLogger(__name__)

#: Seconds from the start of a compute to its first sample.
FIRST = 0.25
#: Samples from one search for children to the next, where a compute needs none of them; `src/plots/local/resources.ts`
#: says so.
SEARCHED = 5


class Sampler:
    """One daemon thread, which exists only while needed. Dask's own profiler forks a process, which would copy a
    kernel.

    Parameters
    ----------
    record : Record
        Gets a point of its series once a second.
    wanted : callable
        Whether there is a subscriber; called on the sampler's thread.
    """

    def __init__(self, record: Record, wanted: Callable[[], bool]) -> None:
        self._record = record
        self._wanted = wanted
        self._lock = threading.Lock()
        #: Set when the newest thread must end, or has found that it must.
        self._stop = threading.Event()
        self._stop.set()

    def nudge(self) -> None:
        """A compute began or ended, or a subscriber arrived: start or stop sampling. Any thread; returns at once."""
        with self._lock:
            if not self._record.running:
                self._stop.set()
            elif self._wanted() and self._stop.is_set():
                # The thread of a compute that has just ended may still take its last sample.
                self._stop = threading.Event()
                threading.Thread(target=self._run, args=(self._stop,), name="dask-panes-resources", daemon=True).start()

    def _run(self, stop: threading.Event) -> None:
        try:
            import psutil

            processes = Processes(psutil)
            # CPU is measured since the last sample: the first one is early, and meaningless.
            processes.sample(True)
            wait = FIRST
            while True:
                stop.wait(wait)
                self._add(processes)
                if self._over(stop):
                    return
                wait = STEP
        except Exception:
            logger.debug("resources are not sampled", exc_info=True)
            stop.set()

    def _over(self, stop: threading.Event) -> bool:
        """Whether to sample no more; a later request starts another thread."""
        with self._lock:
            if not self._record.running or not self._wanted():
                stop.set()
            return stop.is_set()

    def _add(self, processes: Processes) -> None:
        compute = self._record.compute
        rows = processes.sample(compute is not None and compute.place.scheduler == "processes")
        with self._record.lock:
            self._record.series.add(sample_cluster(self._record.now(), rows), 0, False)


class Processes:
    """This process and its children."""

    def __init__(self, psutil: Any) -> None:
        self._psutil = psutil
        self._own = psutil.Process()
        self._known: dict[int, Any] = {self._own.pid: self._own}
        self._samples = 0

    def sample(self, often: bool) -> list[tuple[str, tuple[float, ...]]]:
        """Measures of each process, in the order of ``MEASURES``.

        Parameters
        ----------
        often : bool
            Search for children each time: a pool of processes starts after its compute. A search reads the process
            table, milliseconds on a large host.
        """
        due = often or self._samples % SEARCHED == 0
        self._samples += 1
        if due:
            for child in self._own.children(recursive=True):
                self._known.setdefault(child.pid, child)
        rows: list[tuple[str, tuple[float, ...]]] = []
        for pid, process in list(self._known.items()):
            try:
                with process.oneshot():
                    values = {"cpu": process.cpu_percent(), "process": float(process.memory_info().rss)}
                rows.append(("", tuple(values.get(name, nan if name in MAY_LACK else 0.0) for name in MEASURES)))
            except self._psutil.Error:
                del self._known[pid]
        return rows

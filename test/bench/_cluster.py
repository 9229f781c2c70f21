"""A scheduler in a process of its own, with the farm's workers, and a client that submits tasks."""

from __future__ import annotations

import copy
import json
import operator
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psutil
from distributed import Client, Future, LocalCluster, wait

from _workload import LIVE_LONGEST, SEED, Workload

HERE = Path(__file__).resolve().parent
#: Seconds for a scheduler to be there, and for a farm to have joined.
PATIENCE = 120
#: Tasks that are submitted and not forgotten: late news of a few must not stop the others.
MOST_HELD = 10_000


def record_metrics(beats: int = 24) -> list[dict[str, Any]]:
    """What a real worker of 2 threads reported in this number of heartbeats (two a second) while it computed."""
    recorded: list[dict[str, Any]] = []
    with (
        LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=":0", memory_limit="4GiB") as cluster,
        Client(cluster) as client,
    ):
        (worker,) = cluster.scheduler.workers.values()
        workload = Workload(longest=LIVE_LONGEST)
        seen, end = worker.last_seen, time.monotonic() + PATIENCE
        futures = deque[Future]()
        while len(recorded) < beats:
            if time.monotonic() > end:
                raise TimeoutError("the worker sends no heartbeats")
            while len(futures) < 20:
                futures.append(client.submit(_hold, workload.draw().seconds, pure=False))
            while futures and futures[0].done():
                futures.popleft()
            if worker.last_seen != seen:
                seen = worker.last_seen
                recorded.append(copy.deepcopy(worker.metrics))
            time.sleep(0.05)
        wait(futures)
    return recorded


def _hold(seconds: float) -> bytes:
    time.sleep(seconds)
    return b"." * int(seconds * 10**7)


#: What tasks are made of: something that every process can import, since the farm only reports that it was done.
nothing = operator.neg


class Cluster:
    """A scheduler as ``dask scheduler`` starts it, and a farm.

    Parameters
    ----------
    workers, threads : int
    metrics : list
        From `record_metrics`.
    dashboard : bool
        Whether Dask's own dashboard is served.
    cycles : list, optional
        Trees of the profiler's cycles, by function.
    """

    def __init__(
        self,
        workers: int,
        threads: int,
        metrics: list[dict[str, Any]],
        dashboard: bool = False,
        cycles: list[dict[str, Any]] | None = None,
    ) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._facts = Path(self._folder.name) / "scheduler.json"
        self._metrics = Path(self._folder.name) / "metrics"
        self._metrics.write_bytes(pickle.dumps((metrics, cycles or [])))
        self._size = (workers, threads)
        self._dashboard = dashboard
        self._processes: list[subprocess.Popen[Any]] = []
        self.address = ""
        #: Where the dashboard is, without a slash at the end.
        self.dashboard = ""

    def __enter__(self) -> Cluster:
        # Whatever fails from here on, and an end by a signal, must not leave processes.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _start(self) -> None:
        place = ["--dashboard-address", "127.0.0.1:0", "--dashboard" if self._dashboard else "--no-dashboard"]
        command = ["-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", *place]
        self._spawn(*command, "--scheduler-file", str(self._facts), errors=subprocess.DEVNULL)
        self._scheduler = psutil.Process(self._processes[0].pid)
        end = time.monotonic() + PATIENCE
        while not self._facts.exists() or not self._facts.read_text().strip():
            if time.monotonic() > end:
                raise TimeoutError("no scheduler")
            time.sleep(0.05)
        facts = json.loads(self._facts.read_text())
        self.address = facts["address"]
        self.dashboard = f"http://127.0.0.1:{facts['services'].get('dashboard', 0)}"
        farm = self._farm = self._spawn(
            str(HERE / "_farm.py"), self.address, *map(str, self._size), str(self._metrics), str(SEED)
        )
        assert farm.stdout is not None
        if farm.stdout.readline().strip() != b"ready":
            raise RuntimeError("the farm did not join")

    def _spawn(self, *command: str, errors: int | None = None) -> subprocess.Popen[Any]:
        process = subprocess.Popen(
            [sys.executable, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
        )
        self._processes.append(process)
        return process

    def __exit__(self, *_: object) -> None:
        for process in reversed(self._processes):
            process.terminate()
            process.wait(PATIENCE)
        self._folder.cleanup()

    def profile(self, cycles: int) -> None:
        """Let this many cycles of the workers' profilers pass."""
        assert self._farm.stdin is not None
        self._farm.stdin.write(f"{cycles}\n".encode())
        self._farm.stdin.flush()

    @contextmanager
    def viewed(self, *viewers: str) -> Iterator[None]:
        """With viewers, as `_viewers.py` takes them."""
        if not viewers:
            yield
            return
        kind, *counts = viewers
        place = self.address if kind == "panes" else self.dashboard
        process = self._spawn(str(HERE / "_viewers.py"), kind, place, *counts)
        assert process.stdout is not None
        if process.stdout.readline().strip() != b"ready":
            raise RuntimeError("the viewers did not come")
        yield
        size, _ = process.communicate(timeout=PATIENCE)
        if process.returncode or (int(size) == 0 and "0" not in counts):
            raise RuntimeError("the viewers saw nothing")

    @property
    def cpu_seconds(self) -> float:
        """CPU time of the scheduler's process so far."""
        times = self._scheduler.cpu_times()
        return float(times.user + times.system)

    @property
    def rss(self) -> int:
        """Resident bytes of the scheduler's process."""
        return int(self._scheduler.memory_info().rss)


class Submitter:
    """Submits tasks of the workload at a rate, those of 50 ms at once, and forgets them when they are done."""

    def __init__(self, client: Client, rate: float) -> None:
        self._client, self._rate = client, rate
        self._workload = Workload()
        self._held: deque[list[Future]] = deque()
        self.submitted = 0

    @contextmanager
    def submitting(self) -> Iterator[None]:
        """Submit all the while, beside what the caller does."""
        ended = Event()
        thread = Thread(target=self.run, args=(inf, ended))
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def run(self, seconds: float, ended: Event | None = None) -> None:
        """Submit for a while, or until an event; fewer where the scheduler does not come along."""
        last = time.monotonic()
        end = last + seconds
        due = 0.0
        while (now := time.monotonic()) < end and not (ended and ended.is_set()):
            due += (now - last) * self._rate
            last = now
            self._forget()
            count = min(int(due), MOST_HELD - sum(map(len, self._held)))
            if count > 0:
                keys = [self._workload.key(self._workload.draw().function, self.submitted + i) for i in range(count)]
                self._held.append(list(self._client.map(nothing, range(count), key=keys)))
                self.submitted += count
            due -= int(due)
            time.sleep(0.05)

    def finish(self) -> None:
        """Wait for all."""
        for futures in self._held:
            wait(futures, PATIENCE)
        self._held.clear()

    def _forget(self) -> None:
        while self._held and all(future.done() for future in self._held[0]):
            self._held.popleft()

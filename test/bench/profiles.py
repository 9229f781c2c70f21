"""What reading the workers' profiles costs while no pane is open.

The farm's workers have a profile that a real worker of 2 threads recorded: Python code with deep stacks. A read takes
the cycles of the time since the one before. There are no heartbeats meanwhile, which cost more. Rows, at 100 and 1,000
workers:

- history_core_percent: CPU time of the scheduler for a read, over the time until the next. The bar is 0.5.
- history_seconds: that time.
- history_scheduler_ms, history_kernel_ms: CPU time of one read in the scheduler and in the kernel beside it.
- history_bytes: of the samples in the kernel after all reads.
- history_idle_us: CPU time of the scheduler for the question whether anything was executed.
"""

from __future__ import annotations

import ast
import inspect
import logging
import os
import statistics
import sys
import time
import warnings
from typing import Any

from distributed import Client, LocalCluster, wait

from _bridge import session_of
from _cluster import Cluster, record_metrics
from _workload import reporter
from dask_panes.kernel.gather.probe import WorkerReach
from dask_panes.kernel.gather.profile import ProfileSource

WORKERS, THREADS = (100, 1_000), 2
READS, QUESTIONS = 4, 500
BAR = 0.5


report = reporter("profiles")


def unparse(tree: ast.AST, seconds: float) -> int:
    """Work in pure Python whose stacks are deep and many."""
    end, size = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        size += len(ast.unparse(tree))
    return size


def record_cycles(seconds: float = 20.0) -> list[dict[str, Any]]:
    """Trees of the cycles of a real worker's profiler."""
    with (
        LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        tree = ast.parse(inspect.getsource(statistics))
        wait([client.submit(unparse, tree, seconds / 4, pure=False) for _ in range(8)])
        recorded = client.run(lambda dask_worker: [trees for _, trees in dask_worker.profile_keys_history if trees])
        cycles: list[dict[str, Any]] = next(iter(recorded.values()))
        return cycles


class Meter:
    """CPU time of the scheduler and of this process, more than what passes without us."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._rates = self._rate()

    def _rate(self) -> tuple[float, float]:
        begin, before = time.monotonic(), (self._cluster.cpu_seconds, time.process_time())
        time.sleep(10)
        after, passed = (self._cluster.cpu_seconds, time.process_time()), time.monotonic() - begin
        return (after[0] - before[0]) / passed, (after[1] - before[1]) / passed

    def of(self, client: Client, coroutine: Any, *args: Any) -> tuple[float, float]:
        """Seconds of both for a coroutine on the client's loop."""
        begin, before = time.monotonic(), (self._cluster.cpu_seconds, time.process_time())
        client.sync(coroutine, *args)
        after, passed = (self._cluster.cpu_seconds, time.process_time()), time.monotonic() - begin
        return after[0] - before[0] - passed * self._rates[0], after[1] - before[1] - passed * self._rates[1]


def measure(workers: int, metrics: list[dict[str, Any]], cycles: list[dict[str, Any]]) -> None:
    with (
        Cluster(workers, THREADS, metrics, cycles=cycles) as cluster,
        Client(cluster.address) as client,
        session_of(client) as session,
    ):
        source, reach = ProfileSource("profile"), WorkerReach(session.ask, 60.0)
        # Without pauses: what passes meanwhile in the scheduler is little then.
        source.ease = 0.0
        cluster.profile(1)
        # The first read teaches the workers the question.
        client.sync(source.look, reach)
        meter = Meter(cluster)
        reads: list[tuple[float, float]] = []
        for _ in range(READS):
            cluster.profile(round(source.seldom))
            time.sleep(1)
            reads.append(meter.of(client, source.look, reach))
        scheduler, kernel = (statistics.median(values) for values in zip(*reads, strict=True))
        rows = len(source._kept.positions)
        if rows != workers:
            raise RuntimeError(f"only {rows} workers were read")
        if source.unread:
            raise RuntimeError(f"{len(source.unread)} workers did not answer")
        report("history_core_percent", 100 * scheduler / source.seldom, "%", BAR, workers=workers)
        report("history_seconds", source.seldom, "s", workers=workers)
        report("history_scheduler_ms", 1000 * scheduler, "ms", workers=workers)
        report("history_kernel_ms", 1000 * kernel, "ms", workers=workers)
        report("history_bytes", source.nbytes, "B", workers=workers)

        async def ask() -> None:
            for _ in range(QUESTIONS):
                await source.due(reach)

        idle, _ = meter.of(client, ask)
        report("history_idle_us", 1e6 * idle / QUESTIONS, "us", workers=workers)


def main() -> None:
    logging.disable(logging.WARNING)
    # The farm reports no versions of packages.
    warnings.simplefilter("ignore")
    os.environ["DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL"] = "1 hour"
    metrics, cycles = record_metrics(), record_cycles()
    for workers in map(int, sys.argv[1:] or WORKERS):
        measure(workers, metrics, cycles)


if __name__ == "__main__":
    main()

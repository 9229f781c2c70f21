"""What observing a local scheduler costs a computation, per task.

Rows:

- local_us_per_task: CPU time of a synchronous compute of tasks that do nothing, with our callbacks over without them:
  both calls a task, and the columns that are written from time to time. The baseline is Dask's own Profiler, measured
  in the same rounds. The bar is 5 µs.
- local_with_panes_us_per_task: the same with what a tab that reads every topic costs the process in all. In a kernel
  that is work of the control thread.

The rounds take turns, so that a busy machine slows all of them; the medians of their differences are reported.
"""

from __future__ import annotations

import gc
import json
import statistics
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from operator import add
from typing import Any

import dask
from dask.callbacks import Callback
from dask.diagnostics import Profiler

from dask_panes.feed.codec import encode
from dask_panes.local.observe import Observer
from dask_panes.local.record import TOPICS, Record

#: Tasks of one compute: two layers with a dependency each, and a reduction.
TASKS = 20_001
ROUNDS = 9


def make_graph() -> dict[Any, Any]:
    half = TASKS // 2
    graph: dict[Any, Any] = {("inc-0123456789abcdef", i): (add, i, 1) for i in range(half)}
    graph.update({("double-0123456789abcdef", i): (add, ("inc-0123456789abcdef", i), 1) for i in range(half)})
    graph["sum-0123456789abcdef"] = (sum, [("double-0123456789abcdef", i) for i in range(half)])
    return graph


def cpu_seconds(graph: dict[Any, Any], context: AbstractContextManager[object]) -> float:
    gc.collect()
    with context:
        begin = time.process_time()
        dask.get(graph, "sum-0123456789abcdef")
        return time.process_time() - begin


@contextmanager
def observed(callbacks: Any) -> Iterator[None]:
    Callback.active.add(callbacks)
    try:
        yield
    finally:
        Callback.active.discard(callbacks)


def report(name: str, value: float, baseline: float) -> None:
    ratio = round(value / baseline, 3) if baseline > 0 else None
    row = {"bench": "local", "name": name, "value": round(value, 3), "unit": "us", "baseline": round(baseline, 3)}
    print(json.dumps({**row, "ratio": ratio}), flush=True)


def main() -> None:
    graph = make_graph()
    record = Record()
    callbacks = Observer(record, lambda: None).callbacks
    cursor: dict[str, int] = {}

    def read() -> None:
        nonlocal cursor
        begin = time.process_time()
        record.scan()
        while any(record.end(topic) != cursor.get(topic, 0) for topic in TOPICS):
            answer = record.read(TOPICS, record.feed, record.epoch, cursor)
            encode(answer, 0)
            cursor = answer["cursor"]
        reading.append((time.process_time() - begin) / TASKS * 1e6)

    ours: list[float] = []
    theirs: list[float] = []
    reading: list[float] = []
    cpu_seconds(graph, nullcontext())
    for _ in range(ROUNDS):
        bare = cpu_seconds(graph, nullcontext())
        ours.append((cpu_seconds(graph, observed(callbacks)) - bare) / TASKS * 1e6)
        read()
        theirs.append((cpu_seconds(graph, Profiler()) - bare) / TASKS * 1e6)
    profiler = statistics.median(theirs)
    report("local_us_per_task", statistics.median(ours), profiler)
    report("local_with_panes_us_per_task", statistics.median(a + b for a, b in zip(ours, reading)), profiler)


if __name__ == "__main__":
    main()

"""Transitions of the workload's tasks, called on plugins as the scheduler calls them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import msgpack
from distributed import Scheduler

from _workload import Workload
from dask_panes.scheduler.collector.plugin import Collector

#: Tasks whose messages arrive together.
BURST = 50

_NONE: dict[str, Any] = {}


async def make_collector(scheduler: Scheduler) -> Collector:
    """A collector that has begun, and that nobody polls."""
    collector = Collector()
    # Registered, or it would close with its first tick; an earlier one is not to be taken over.
    scheduler.plugins.pop(collector.name, None)
    await collector.start(scheduler)
    scheduler.plugins[collector.name] = collector
    return collector


class Transitions:
    """Tasks of 16 workers, 1,000 a second, half with uuid keys and half with tuple keys."""

    def __init__(self, scheduler: Scheduler, count: int) -> None:
        workload = Workload()
        rng = workload.random
        self.workers = [f"tcp://10.0.0.{i}:4000" for i in range(16)]
        self.tasks: list[tuple[Any, str, bytes]] = []
        now = time.time()
        for i in range(count):
            drawn = workload.draw()
            key = workload.key(drawn.function, i)
            # A late one is reported in its turn, but ended before.
            begin = now + i / 1000 - drawn.late
            startstops = [{"action": "compute", "start": begin, "stop": begin + drawn.seconds}]
            worker = rng.choice(self.workers)
            if drawn.transfer:
                source = rng.choice(self.workers)
                transfer = {"action": "transfer", "start": begin - drawn.transfer, "stop": begin, "source": source}
                startstops.insert(0, transfer)
            kwargs = {
                "nbytes": drawn.nbytes,
                "typename": "numpy.ndarray",
                "type": b"pickled type",
                "metadata": {},
                "run_id": i,
                "thread": 140_000_000_000_000 + rng.randrange(4),
                "startstops": startstops,
            }
            scheduler.new_task(key, None, "released").nbytes = drawn.nbytes
            self.tasks.append((key, worker, msgpack.packb(kwargs)))

    def play(
        self, plugins: dict[str, Any], after: Callable[[], None] = lambda: None, first: int = 0, count: int = 10**9
    ) -> tuple[float, float]:
        """Microseconds of CPU a task, of the transitions and of `after`, which is called after each burst.

        The loop is that of `Scheduler._transition`. As in the scheduler, a task's message has just been unpacked when
        its transition comes; unpacking is not timed.
        """
        tasks = self.tasks[first : first + count]
        spent = later = 0.0
        for i in range(0, len(tasks), BURST):
            burst = [(key, {"worker": w, **msgpack.unpackb(data)}) for key, w, data in tasks[i : i + BURST]]
            begin = time.process_time()
            for key, kwargs in burst:
                for start, finish, stimulus, extra in (
                    ("released", "waiting", "update-graph", _NONE),
                    ("waiting", "processing", "update-graph", _NONE),
                    ("processing", "memory", "task-finished", kwargs),
                    ("memory", "released", "client-releases-keys", _NONE),
                    ("released", "forgotten", "client-releases-keys", _NONE),
                ):
                    for plugin in list(plugins.values()):
                        try:
                            plugin.transition(key, start, finish, stimulus_id=stimulus, **extra)
                        except Exception:
                            raise
            end = time.process_time()
            after()
            spent += end - begin
            later += time.process_time() - end
        return spent / len(tasks) * 1e6, later / len(tasks) * 1e6

"""What the collector costs the scheduler, and what a task costs on the wire.

Rows:

- hook_us_per_task: `transition` called as the scheduler calls it (keyword arguments and all, five transitions a
  task) over the bare loop; beside it, in the same rounds, an empty plugin and Dask's own TaskStreamPlugin (baseline).
- ring_us_per_task: what the next tick or read does with it: columns and packed keys. Dask's plugin has no such part,
  so scheduler_us_per_task, the sum, is what to compare with it.
- bytes_per_task: bytes of the `tasks` topic in encoded frames at 1,000 tasks/s, 20 frames a second; the baseline is
  what Bokeh's stream was measured to send (175-188).
- envelope_bytes_per_frame: a frame of the same stream without its topic, plus the reply's JSON around it.
- collector_bytes_per_task: columns and packed keys of the ring.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import statistics
import time
import uuid
from collections.abc import Callable
from typing import Any

import msgpack
from distributed import Scheduler
from distributed.diagnostics.plugin import SchedulerPlugin
from distributed.diagnostics.task_stream import TaskStreamPlugin

from dask_panes.feed.codec import encode
from dask_panes.scheduler.collector.plugin import Collector

TASKS = 50_000
ROUNDS = 9
SEED = 20261121
#: Tasks whose messages arrive together.
BURST = 50
BOKEH_STREAM_BYTES = 180


class Empty(SchedulerPlugin):
    """The floor: what any plugin with a `transition` costs."""

    def transition(self, key: Any, start: Any, finish: Any, *args: Any, **kwargs: Any) -> None:
        pass


def report(name: str, value: float, unit: str, baseline: float | None = None) -> None:
    ratio = None if baseline is None else round(value / baseline, 3)
    row = {
        "bench": "overhead",
        "name": name,
        "value": round(value, 3),
        "unit": unit,
        "baseline": baseline,
        "ratio": ratio,
    }
    print(json.dumps(row), flush=True)


class Workload:
    """Tasks of 30 functions (Zipf), half with uuid keys and half with tuple keys, 5 % with a transfer before them."""

    def __init__(self, scheduler: Scheduler, count: int) -> None:
        rng = random.Random(SEED)
        weights = [1 / (i + 1) for i in range(30)]
        functions = rng.choices(range(30), weights, k=count)
        group = uuid.UUID(int=rng.getrandbits(128)).hex
        self.scheduler = scheduler
        self.workers = [f"tcp://10.0.0.{i}:4000" for i in range(16)]
        self.tasks: list[tuple[Any, str, bytes]] = []
        now = time.time()
        for i, function in enumerate(functions):
            name = f"function_{function}"
            unique = uuid.UUID(int=rng.getrandbits(128)).hex
            key: Any = f"{name}-{unique}" if i % 2 else (f"{name}-{group}", i, 0)
            duration = min(rng.lognormvariate(-3.9, 1.5), 600)
            begin = now + i / 1000
            startstops = [{"action": "compute", "start": begin, "stop": begin + duration}]
            worker = rng.choice(self.workers)
            if i % 20 == 0:
                source = rng.choice(self.workers)
                startstops.insert(0, {"action": "transfer", "start": begin - 0.01, "stop": begin, "source": source})
            kwargs = {
                "worker": worker,
                "nbytes": rng.randrange(10**7),
                "typename": "numpy.ndarray",
                "type": b"pickled type",
                "metadata": {},
                "run_id": i,
                "thread": 140_000_000_000_000 + rng.randrange(4),
                "startstops": startstops,
            }
            ts = scheduler.new_task(key, None, "released")
            ts.nbytes = kwargs["nbytes"]
            self.tasks.append((key, worker, msgpack.packb({k: v for k, v in kwargs.items() if k != "worker"})))

    def play(self, plugins: dict[str, Any], after: Callable[[], None] = lambda: None) -> tuple[float, float]:
        """Microseconds of CPU a task, of the transitions and of `after`, which is called after each burst.

        The loop is that of `Scheduler._transition`. As in the scheduler, a task's message has just been unpacked when
        its transition comes; unpacking is not timed.
        """
        spent = later = 0.0
        for i in range(0, len(self.tasks), BURST):
            burst = [(key, {"worker": w, **msgpack.unpackb(data)}) for key, w, data in self.tasks[i : i + BURST]]
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
        return spent / len(self.tasks) * 1e6, later / len(self.tasks) * 1e6


_NONE: dict[str, Any] = {}


async def make_collector(scheduler: Scheduler) -> Collector:
    collector = Collector()
    await collector.start(scheduler)
    return collector


async def hooks(scheduler: Scheduler) -> None:
    workload = Workload(scheduler, TASKS)
    over: dict[str, list[float]] = {"collector": [], "ring": [], "sum": [], "empty": [], "TaskStreamPlugin": []}
    size = 0.0
    for _ in range(ROUNDS):
        bare, nothing = workload.play({})
        collector = await make_collector(scheduler)
        hook, ring = workload.play({"p": collector}, collector._drain)
        over["collector"].append(hook - bare)
        over["ring"].append(ring - nothing)
        over["sum"].append(hook - bare + ring - nothing)
        size = collector.history.nbytes / TASKS
        await collector.close()
        over["empty"].append(workload.play({"p": Empty()})[0] - bare)
        over["TaskStreamPlugin"].append(workload.play({"p": TaskStreamPlugin(scheduler)})[0] - bare)
    median = {name: statistics.median(values) for name, values in over.items()}
    dask = round(median["TaskStreamPlugin"], 3)
    report("hook_us_per_task", median["collector"], "us", dask)
    report("ring_us_per_task", median["ring"], "us")
    report("scheduler_us_per_task", median["sum"], "us", dask)
    report("hook_us_per_task_empty_plugin", median["empty"], "us", dask)
    report("collector_bytes_per_task", size, "B")


async def wire(scheduler: Scheduler) -> None:
    """20 frames of 50 tasks each second, read and encoded as a session does."""
    collector = await make_collector(scheduler)
    workload = Workload(scheduler, 10_000)
    for worker in workload.workers:
        collector.names.worker_id(worker)
    plugins = {"p": collector}
    topic_bytes = envelope_bytes = frames = 0
    cursor: dict[str, int] = {}
    for i in range(0, len(workload.tasks), 50):
        part = Workload.__new__(Workload)
        part.tasks = workload.tasks[i : i + 50]
        part.play(plugins)
        # A reader of its own each time, so that the rate does not hold the answer back.
        answer = await collector.read(f"bench{i}", collector.feed, collector.epoch, cursor, ["tasks"], 0.0)
        collector._readers.clear()
        cursor = answer["cursor"]
        if i == 0:
            continue
        data = encode(answer, frames)
        topic = len(msgpack.packb({"tasks": encoded_topic(answer)}))
        reply = {"kind": "frame", "client": "Client-" + "0" * 36, "gen": 1, "seq": frames}
        content = {"type": "response", "request_seq": frames, "success": True, "command": "daskPanes", "body": reply}
        topic_bytes += topic
        envelope_bytes += len(data) - topic + len(json.dumps(content))
        frames += 1
    await collector.close()
    report("bytes_per_task", topic_bytes / (frames * 50), "B", BOKEH_STREAM_BYTES)
    report("envelope_bytes_per_frame", envelope_bytes / frames, "B")


def encoded_topic(answer: dict[str, Any]) -> Any:
    frame = msgpack.unpackb(encode(answer, 0), strict_map_key=False)
    return frame["topics"]["tasks"]


async def main() -> None:
    logging.disable(logging.WARNING)
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        await hooks(scheduler)
        await wire(scheduler)


if __name__ == "__main__":
    asyncio.run(main())

"""How long the collector blocks the scheduler's event loop at a time.

A real scheduler with 1,000 workers' states, and 100,000 tasks with the names, groups and dependencies that arrays and
dataframes make: many small graphs, some large, one task with 50,000 dependencies. Two readers want every topic, one of
them late. Each call of ours from the event loop is timed in its CPU time, without that of Python's garbage collector,
so what else runs on the machine is not in it. Nothing is computed: tasks only go through their states.

Rows:

- longest_block_ms: the longest of these calls; an answer to a reader with what Dask needs to write it. The bar is 10.
- block_NAME_ms: the longest by what was called; `count` and `sum_ms` of all, and how many were `over` the bar;
  `system_ms` and `faults` of the longest are the operating system's part and page faults. A name with a dot is a part
  of such a call.
- tasks: how many there were.
- prefixes_longest_block_ms, prefixes_block_NAME_ms, prefixes_tasks: the same with as many functions as tasks, since for
  Dask each key such as `load_17` is a function of its own.
- prefixes_cpu_us_per_task: all calls together, by the number of these tasks.
- prefixes_walk_ms, prefixes_check_ms: CPU time of one look at all functions when they are that many, which is in
  slices: the first, that computes the rows of all, and one that finds that none has moved.

`python test/bench/blocks.py [prefixes] [TASKS [WORKERS]]` tries fewer, or only the rows of many functions.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import random
import resource
import sys
from collections.abc import Callable, Iterator
from threading import get_ident
from time import thread_time, time
from typing import Any

from distributed import Scheduler
from distributed.core import Status
from distributed.protocol import dumps
from distributed.scheduler import TaskState, WorkerState

from _workload import SEED, reporter
from dask_panes.scheduler.collector.plugin import Collector
from dask_panes.scheduler.collector.walk import Walk

TASKS, WORKERS, THREADS = 100_000, 1_000, 2
BAR = 10.0
_STEP = Walk._step
#: Tasks of a graph, and dependencies of the widest task.
SMALL, LARGE, WIDE = 500, 20_000, 50_000

#: Dask's fine metrics of a task.
ACTIVITIES = ("thread-cpu", "thread-noncpu", "deserialize", "executor")

report = reporter("blocks")


class Blocks:
    """CPU seconds of calls, by name."""

    def __init__(self) -> None:
        self.spent: dict[str, list[float]] = {}
        #: Of the longest call of each name: seconds in the operating system, and page faults.
        self.system: dict[str, tuple[float, int]] = {}
        self._most: dict[str, float] = {}
        self._depth = 0
        self._collected = self._begun = 0.0
        self._thread = get_ident()
        gc.callbacks.append(self._note_collection)

    def _note_collection(self, phase: str, _: Any) -> None:
        # A collection in another thread costs this one nothing.
        if get_ident() != self._thread:
            return
        if phase == "start":
            self._begun = thread_time()
        else:
            self._collected += thread_time() - self._begun

    def timed(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        """A function that is timed; a name with a dot also within another one."""

        def call(*args: Any, **kwargs: Any) -> Any:
            usage = resource.getrusage(resource.RUSAGE_THREAD)
            begin, before = thread_time(), self._collected
            self._depth += 1
            try:
                return method(*args, **kwargs)
            finally:
                self._depth -= 1
                if name.startswith(".") or not self._depth:
                    spent = thread_time() - begin - (self._collected - before)
                    known = self.spent.setdefault(name, [])
                    if spent > self._most.get(name, 0):
                        self._most[name] = spent
                        now = resource.getrusage(resource.RUSAGE_THREAD)
                        self.system[name] = (now.ru_stime - usage.ru_stime, now.ru_minflt - usage.ru_minflt)
                    known.append(spent)

        return call

    async def asked(self, name: str, coroutine: Any) -> Any:
        """Await a coroutine with each of its steps timed, and the writing of what it answers."""
        answer = await _Stepped(self, name, coroutine)
        self.timed("write_" + name, dumps)(answer)
        return answer

    def watch(self, collector: Collector) -> None:
        """Time what the event loop calls of a collector."""
        for owner, name in (
            (collector, "update_graph"),
            (collector, "_tick"),
            (collector, "log_event"),
            (collector.graph_steps, "_next"),
            (collector.halted_steps, "_next"),
            (collector.notes, "drain"),
            # What is left of a tick.
            (collector.upkeep._duties, "_go_on_later"),
        ):
            setattr(owner, name, self.timed(name.strip("_"), getattr(owner, name)))
        Walk._step = self.timed("walk", _STEP)
        for name, topic in collector.topics.items():
            scan = None if topic.scan is None else self.timed(f".{name}.scan", topic.scan)
            collector.topics[name] = topic._replace(scan=scan, read=self.timed(f".{name}.read", topic.read))
        for owner, names in (
            (collector.idleness, ("look",)),
            (collector.upkeep.sampling, ("sample",)),
            (collector.graph, ("_number", "_connect", "_evict", "_mark", "_arrive", "publish", "submit")),
            (collector.prefixes.episodes, ("settle", "ended")),
            (collector.groups, ("_trim",)),
            (collector.names, ("since",)),
            (collector.tasks, ("_live",)),
        ):
            for name in names:
                made = self.timed(f".{type(owner).__name__}.{name.strip('_')}", getattr(owner, name))
                setattr(owner, name, made)


class _Stepped:
    """Awaits a coroutine; each step is timed."""

    def __init__(self, blocks: Blocks, name: str, coroutine: Any) -> None:
        self._coroutine = coroutine
        self._send = blocks.timed(name, coroutine.send)

    def __await__(self) -> Iterator[Any]:
        while True:
            try:
                future = self._send(None)
            except StopIteration as end:
                return end.value
            yield future


def add_workers(scheduler: Scheduler, count: int) -> list[WorkerState]:
    """Workers as the scheduler has them after a heartbeat."""
    made = []
    for i in range(count):
        ws = WorkerState(
            address=f"tcp://10.0.{i // 250}.{i % 250}:4000",
            status=Status.running,
            pid=i,
            name=f"worker-{i}",
            nthreads=THREADS,
            memory_limit=2**32,
            local_directory="",
            nanny="",
            server_id=f"Worker-{i}",
            scheduler=scheduler,
            services={},
            versions={},
            extra={},
        )
        scheduler.workers[ws.address] = ws
        made.append(ws)
        beat(ws)
    return made


def beat(ws: WorkerState) -> None:
    """A heartbeat of a worker."""
    rate = {"read_bps": random.random() * 1e6, "write_bps": random.random() * 1e6}
    ws.last_seen = time()
    ws.metrics = {
        "cpu": random.random() * 100,
        "memory": random.randrange(2**30),
        "time": time(),
        "host_net_io": rate,
        "host_disk_io": rate,
        "num_fds": 30,
        "managed_bytes": 0,
        "spilled_bytes": {"memory": 0, "disk": 0},
        "transfer": {"incoming_bytes": 0, "outgoing_bytes": 0},
        "event_loop_interval": 0.02,
    }


def layers(number: int, size: int) -> Iterator[tuple[Any, list[Any]]]:
    """Keys and dependencies of a graph: an array's (a map, a transposition, a sum) or a dataframe's."""
    token = f"{random.getrandbits(128):032x}"
    if number % 2:
        side = max(2, int((size / 3) ** 0.5))
        blocks = [(i, j) for i in range(side) for j in range(side)]
        yield from (((f"random_sample-{token}", *at), []) for at in blocks)
        for i, j in blocks:
            yield (f"add-{token}", i, j), [(f"random_sample-{token}", *at) for at in {(i, j), (j, i)}]
        yield from (((f"sum-{token}", i, j), [(f"add-{token}", i, j)]) for i, j in blocks)
        yield f"sum-aggregate-{token}", [(f"sum-{token}", *at) for at in blocks]
        return
    parts = range(max(2, size // 4))
    yield from (((f"read-csv-{token}", i), []) for i in parts)
    yield from (((f"assign-{token}", i), [(f"read-csv-{token}", i)]) for i in parts)
    yield from (((f"split-shuffle-{token}", i), [(f"assign-{token}", i)]) for i in parts)
    for i in parts:
        yield (f"groupby-{token}", i), [(f"split-shuffle-{token}", j) for j in parts[max(0, i - 3) : i + 1]]
    # A key with a number is a function of its own for Dask.
    yield f"report_{number}", [(f"groupby-{token}", i) for i in parts]


def loads(number: int, size: int) -> Iterator[tuple[Any, list[Any]]]:
    """Keys of a graph as they are given by hand: each is a function of its own for Dask, and two need each other."""
    for i in range(size):
        # The size of a graph is bounded by `LARGE`.
        yield f"load_{number * LARGE + i}", [f"load_{number * LARGE + i - 1}"] if i % 2 else []


Layers = Callable[[int, int], Iterator[tuple[Any, list[Any]]]]


class Cluster:
    """Lets tasks go through their states."""

    def __init__(self, scheduler: Scheduler, collector: Collector, workers: list[WorkerState], graphs: Layers) -> None:
        self.scheduler, self.collector, self.workers, self._graphs = scheduler, collector, workers, graphs
        self.made = 0

    def graph(self, number: int, size: int) -> list[TaskState]:
        """A graph arrives."""
        tasks = []
        for key, dependencies in self._graphs(number, size):
            ts = self.scheduler.new_task(key, None, "released")
            ts.priority = (0, number, len(tasks))
            for name in dependencies:
                ts.add_dependency(self.scheduler.tasks[name])
            tasks.append(ts)
        self.made += len(tasks)
        self.collector.update_graph(self.scheduler, tasks=[ts.key for ts in tasks])
        return tasks

    def move(self, ts: TaskState, finish: str, **more: Any) -> None:
        """A transition."""
        start, ts.state = ts.state, finish
        self.scheduler.transition_counter += 1
        self.collector.transition(ts.key, start, finish, stimulus_id="bench", **more)

    def run(self, tasks: list[TaskState]) -> None:
        """Tasks are computed; some heartbeats come."""
        for ts in tasks:
            self.move(ts, "waiting")
        for ts in tasks:
            ws = random.choice(self.workers)
            self.move(ts, "processing")
            now = time()
            startstops = [{"action": "compute", "start": now - 0.02, "stop": now}]
            more = {"worker": ws.address, "nbytes": 1000, "typename": "ndarray", "thread": 1, "startstops": startstops}
            self.move(ts, "memory", **more)
            ws._has_what[ts] = None
            for activity in ACTIVITIES:
                self.scheduler.cumulative_worker_metrics["execute", ts.prefix.name, activity, "seconds"] += 0.01
        for ws in random.sample(self.workers, len(self.workers) // 20 + 1):
            beat(ws)

    def forget(self, tasks: list[TaskState]) -> None:
        """Tasks are forgotten, what depends on others first, as Dask does it."""
        for ts in reversed(tasks):
            self.move(ts, "released")
            self.move(ts, "forgotten")
            del self.scheduler.tasks[ts.key]


async def settle(collector: Collector) -> None:
    """Wait until the graph has nothing to do."""
    while collector.graph.busy:
        if collector.faults.messages():
            raise RuntimeError(collector.faults.messages())
        await asyncio.sleep(0)


async def walked(collector: Collector) -> float:
    """CPU seconds of one look at all functions."""
    walk = collector.prefixes.walk
    while walk.walking or collector.prefixes.quick.walking:
        await asyncio.sleep(0)
    walk.begin(collector.prefixes._look(collector.scheduler))
    while walk.walking:
        await asyncio.sleep(0)
    return walk._spent


async def measure(count: int, workers: int, graphs: Layers, prefix: str = "") -> Blocks:
    blocks = Blocks()
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        states = add_workers(scheduler, workers)
        collector = Collector()
        await collector.start(scheduler)
        scheduler.add_plugin(collector, name=collector.name)
        blocks.watch(collector)
        cluster = Cluster(scheduler, collector, states, graphs)
        cursors: dict[str, dict[str, int]] = {}

        async def read(reader: str) -> None:
            where = cursors.setdefault(reader, {})
            coroutine = collector.read(reader, collector.feed, collector.epoch, where, list(collector.topics), 0.001)
            cursors[reader] = (await blocks.asked("read", coroutine))["cursor"]

        held: list[list[TaskState]] = []
        number = 0
        while cluster.made < count:
            number += 1
            size = LARGE if number % 30 == 15 else SMALL
            tasks = cluster.graph(number, size)
            for i in range(0, len(tasks), SMALL):
                cluster.run(tasks[i : i + SMALL])
                for _ in range(3):
                    await asyncio.sleep(0)
                await read("early")
            held.append(tasks)
            if len(held) > 10:
                gone = held.pop(0)
                for ws in states:
                    for ts in [ts for ts in ws._has_what if ts.state != "memory"]:
                        del ws._has_what[ts]
                cluster.forget(gone)
            for _ in range(20):
                await asyncio.sleep(0)
        wide = f"wide-{number:032x}"
        some = [ts for tasks in held for ts in tasks][:WIDE]
        ts = scheduler.new_task(wide, None, "released")
        for other in some:
            ts.add_dependency(other)
        collector.update_graph(scheduler, tasks=[wide])
        await settle(collector)
        await blocks.asked("ask", collector.ask("task", {"key": wide}))
        for _ in range(200):
            await read("late")
            await asyncio.sleep(0.005)
        held.append([ts])
        for tasks in reversed(held):
            cluster.forget(tasks)
        held.clear()
        await settle(collector)
        for _ in range(100):
            await read("late")
            await asyncio.sleep(0.005)
        report(f"{prefix}tasks", cluster.made, "1", workers=workers, prefixes=len(scheduler.task_prefixes))
        if prefix:
            await walked(collector)
            report(f"{prefix}check_ms", 1e3 * await walked(collector), "ms")
            collector.prefixes._pieces.doubt()
            report(f"{prefix}walk_ms", 1e3 * await walked(collector), "ms")
        scheduler.workers.clear()
        await collector.close()
    return blocks


def report_all(blocks: Blocks, prefix: str = "") -> None:
    spent = blocks.spent
    longest = max((max(values), name) for name, values in spent.items() if not name.startswith("."))
    report(f"{prefix}longest_block_ms", 1e3 * longest[0], "ms", BAR, of=longest[1])
    for name, values in sorted(spent.items()):
        over = sum(1e3 * seconds > BAR for seconds in values)
        system, faults = blocks.system[name]
        more: dict[str, float] = {"count": len(values), "sum_ms": round(1e3 * sum(values)), "over": over}
        more |= {"system_ms": round(1e3 * system, 2), "faults": faults}
        report(f"{prefix}block_{name}_ms", 1e3 * max(values), "ms", BAR, **more)


def main() -> None:
    logging.disable(logging.WARNING)
    random.seed(SEED)
    only = sys.argv[1:2] == ["prefixes"]
    given = [int(value) for value in sys.argv[1 + only :]]
    count, workers = (*given, *(TASKS, WORKERS)[len(given) :])
    if not only:
        report_all(asyncio.run(measure(count, workers, layers)))
    blocks = asyncio.run(measure(count, workers, loads, "prefixes_"))
    report_all(blocks, "prefixes_")
    ours = sum(sum(values) for name, values in blocks.spent.items() if not name.startswith("."))
    report("prefixes_cpu_us_per_task", 1e6 * ours / count, "us")


if __name__ == "__main__":
    main()

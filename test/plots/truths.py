"""What plots that the original dashboard does not have should show: read from Dask itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import Any

from distributed import Client, Scheduler, Worker
from distributed.diagnostics import MemorySampler
from distributed.utils import key_split
from originals import ORIGINALS, STREAM, Original, task_stream

from dask_panes.local import watch
from dask_panes.scheduler.collector.series import NAMES

#: What the notebook has: workers of its own process, and the sampler.
HELD: dict[str, Any] = {}
QUICK = {"disk": 1e8, "memory": 1e10, "network": 1e9}
MEBIBYTE = 2**20


def know(workers: list[Worker], sampler: MemorySampler) -> None:
    """Add what the scheduler does not know."""
    HELD.update(workers=workers, sampler=sampler)


def _name(ws: Any) -> str:
    return str(ws.name)


def running(scheduler: Scheduler) -> Original:
    rows = [[ts.key, _name(ws)] for ws in scheduler.workers.values() for ts in ws.executing]
    return Original("key worker", rows)


def tasks(scheduler: Scheduler) -> Original:
    return task_stream(scheduler)


def task(scheduler: Scheduler) -> Original:
    # The task whose pane is open.
    [erred] = (ts for ts in scheduler.tasks.values() if ts.state == "erred")
    return Original("what value", [["Key", erred.key], ["State", erred.state]])


def worker(scheduler: Scheduler) -> Original:
    ws = next(iter(scheduler.workers.values()))
    rows = [["Worker", _name(ws)], ["Address", ws.address], ["Threads", ws.nthreads]]
    return Original("what value", rows, more="other facts")


def workers_map(scheduler: Scheduler) -> Original:
    rows = [[_name(ws), ws.host, len(ws.executing)] for ws in scheduler.workers.values()]
    return Original("name host running", rows)


def work_stealing(scheduler: Scheduler) -> Original:
    counts: dict[tuple[str, str], int] = {}
    for _, event in scheduler.get_events("stealing"):
        if event[0] == "request":
            for _, _, _, _, victim, _, thief, _ in event[1]:
                counts[victim, thief] = counts.get((victim, thief), 0) + 1
    rows = [[*(_name(scheduler.workers[each]) for each in pair), count] for pair, count in counts.items()]
    return Original("from to confirmed+refused+rescheduled+outdated", rows)


def memory_sampler(scheduler: Scheduler) -> Original:
    runs: dict[str, list[tuple[float, int]]] = HELD["sampler"].samples
    rows = [
        [name, len(samples), samples[0][1], max(nbytes for _, nbytes in samples), samples[-1][1]]
        for name, samples in runs.items()
    ]
    return Original("name samples first peak last", rows)


def _of_cells(scheduler: Scheduler) -> tuple[int, int]:
    """Tasks of the two cells that submitted any: Dask has a computation for each graph, one of the first cell."""
    counts = [sum(sum(group.states.values()) for group in each.groups) for each in scheduler.computations]
    return counts[0], sum(counts[1:])


def computations(scheduler: Scheduler) -> Original:
    first, rest = _of_cells(scheduler)
    return Original("tasks", [[first], [rest]])


def compare_computations(scheduler: Scheduler) -> Original:
    return Original("what a b", [["Tasks", *_of_cells(scheduler)]], more="other figures")


def costs(scheduler: Scheduler) -> Original:
    plugin = STREAM["stream"].plugin
    seconds = sum(
        each["stop"] - each["start"]
        for record in plugin.buffer
        for each in record.get("startstops") or ()
        if each["action"] == "compute"
    )
    return Original("what time", [["computing", seconds]], more="what else takes time")


def critical_path(scheduler: Scheduler) -> Original:
    seconds: dict[Any, float] = {}
    for record in STREAM["stream"].plugin.buffer:
        for each in record.get("startstops") or ():
            if each["action"] == "compute":
                seconds[record["key"]] = seconds.get(record["key"], 0.0) + each["stop"] - each["start"]
    paths: dict[Any, tuple[float, list[Any]]] = {}

    def path(ts: Any) -> tuple[float, list[Any]]:
        if ts.key not in paths:
            before, keys = max(map(path, ts.dependencies), key=lambda found: found[0], default=(0.0, []))
            paths[ts.key] = before + seconds.get(ts.key, 0.0), [*keys, ts.key]
        return paths[ts.key]

    _, longest = max(map(path, scheduler.tasks.values()), key=lambda found: found[0])
    slowest = max(longest, key=lambda key: seconds.get(key, 0.0))
    name = key_split(slowest)
    same = [key for key in longest if key_split(key) == name]
    return Original("function tasks", [[name, len(same)]], more="other functions of the path")


def profile(scheduler: Scheduler) -> Original:
    def own(node: dict[str, Any]) -> int:
        children = list(node["children"].values())
        innermost = any(child["description"]["name"] == "store" for child in children)
        mine = node["count"] - sum(child["count"] for child in children) if innermost else 0
        return mine + sum(map(own, children))

    trees = [
        tree for worker in HELD["workers"] for _, history in worker.profile_keys_history for tree in history.values()
    ]
    why = "the innermost frame has no samples in Dask's tree: those of its caller are its own"
    return Original("function own", [["store", sum(map(own, trees))]], more="other functions, some still run", why=why)


def profile_server(scheduler: Scheduler) -> Original:
    def names(node: dict[str, Any]) -> set[str]:
        children = list(node["children"].values())
        return {child["description"]["name"] for child in children}.union(*map(names, children))

    # All servers share one event loop here. It runs on, so figures do not stand still.
    finished = list(scheduler.io_loop.profile)[:-1]
    found = set[str]().union(*(names(tree) for _, tree in finished))
    return Original("function", [[name] for name in sorted(found)], more="what the event loop has called since")


def transfers(scheduler: Scheduler) -> Original:
    rows = [
        [_name(scheduler.workers[each["who"]]), each["total"], len(each["keys"])]
        for worker in HELD["workers"]
        for each in worker.transfer_incoming_log
    ]
    return Original("sender total keys", rows, more="what clients got, which no worker logs as incoming")


def shuffle(scheduler: Scheduler) -> Original:
    return Original("state workers", [["done", len(scheduler.workers)]], more="a row for each worker")


def logs(scheduler: Scheduler) -> Original:
    # The work logs the name of the first worker.
    return Original("logger text", [["distributed.worker", HELD["workers"][0].name]], more="other lines")


def hardware(scheduler: Scheduler) -> Original:
    workers = len(scheduler.workers)
    rows = [[kind, MEBIBYTE, rate] for kind, rate in QUICK.items() for _ in range(1 if kind == "network" else workers)]
    return Original("kind size rate", rows)


def gpu_memory(scheduler: Scheduler) -> Original:
    rows = [
        [_name(ws), ws.metrics["gpu"]["memory-used"], ws.extra["gpu"]["memory-total"]]
        for ws in scheduler.workers.values()
    ]
    return Original("name memory limit", rows, why="it reads names of metrics that only NVML gives")


def gpu_utilization(scheduler: Scheduler) -> Original:
    rows = [[_name(ws), ws.metrics["gpu"]["utilization"]] for ws in scheduler.workers.values()]
    return Original("name utilization", rows, why="it reads names of metrics that only NVML gives")


def activity_timeseries(scheduler: Scheduler) -> Original:
    metrics = scheduler.cumulative_worker_metrics.items()
    seconds = [(key[-2], value) for key, value in metrics if isinstance(key, tuple) and key[-1] == "seconds"]
    labels = {"thread-cpu": "on a CPU", "thread-noncpu": "in the thread, not on a CPU"}
    rows = [[label, sum(value for name, value in seconds if name == activity)] for activity, label in labels.items()]
    return Original("activity time", [row for row in rows if row[1] > 0], more="other activities")


def local_tasks(scheduler: Scheduler) -> Original:
    return Original("function", [[key_split(task.key)] for task in HELD["prof"].results])


def local_cache(scheduler: Scheduler) -> Original:
    changes: dict[str, list[tuple[float, int]]] = {}
    for each in HELD["cprof"].results:
        changes.setdefault(key_split(each.key), []).extend([(each.cache_time, 1), (each.free_time, -1)])
    peaks = [[name, max(accumulate(change for _, change in sorted(found)))] for name, found in changes.items()]
    return Original("function peak", peaks)


def local_resources(scheduler: Scheduler) -> Original:
    # What the kernel has measured; Dask's profiler measures from another process at other moments.
    watched = watch._watch
    assert watched is not None
    columns = [watched.record.series._fine[NAMES.index(name)] for name in ("time", "cpu_sum", "process_sum")]
    most = max(sample.mem for sample in HELD["rprof"].results) * 1e6
    assert 0.5 * most < max(columns[2]) < 2 * most, (most, columns[2])
    return Original("time cpu memory", [list(row) for row in zip(*columns)])


def advice(scheduler: Scheduler) -> Original:
    return Original("cause", [["Too few tasks can run at once"]], more="other causes")


TRUTHS: dict[str, Callable[[Scheduler], Original]] = {
    **ORIGINALS,
    **{
        each.__name__.replace("_", "-"): each
        for each in (
            *(
                running,
                tasks,
                task,
                worker,
                workers_map,
                work_stealing,
                memory_sampler,
                computations,
                advice,
                logs,
                critical_path,
                *(local_tasks, local_cache, local_resources),
            ),
            activity_timeseries,
            *(
                compare_computations,
                costs,
                profile,
                profile_server,
                transfers,
                shuffle,
                hardware,
                gpu_memory,
                gpu_utilization,
            ),
        )
    },
}


def all_of(client: Client, plots: Iterable[str]) -> str:
    """JSON of what some plots should show.

    Called on the scheduler's event loop, without one of Dask's calls, which it would log.
    """

    async def look() -> dict[str, Any]:
        scheduler = client.cluster.scheduler
        return {name: TRUTHS[name](scheduler)._asdict() for name in plots if name in TRUTHS}

    return json.dumps(client.sync(look), default=float)

"""What the collector costs the scheduler.

Rows:

- hook_us_per_task: `transition` called as the scheduler calls it (keyword arguments and all, five transitions a
  task) over the bare loop; beside it, in the same rounds, an empty plugin and Dask's own TaskStreamPlugin (baseline).
- ring_us_per_task: what the next tick or read does with it: columns and packed keys. Dask's plugin has no such part,
  so scheduler_us_per_task, the sum, is what to compare with it.
- collector_bytes_per_task: columns and packed keys of the ring. The bar is 60.
- read_us: CPU of building one answer with the topics of the layout Status, 50 new tasks and the functions that changed
  in it (a worker's row is another microsecond); `share` is what 20 of them a second take of a core. The RPC itself is
  not in it (60 µs when it was measured).
- unread_ratio, readers1_ratio, readers20_ratio, kernels20_ratio, bokeh_viewers1_ratio, bokeh_viewers20_ratio: CPU
  time of the scheduler's process for the same tasks over that of a scheduler with default settings at which nobody
  looks: collector without a reader; 1 and 20 browser tabs on one kernel; 20 kernels with a tab each; 1 and 20 viewers
  of Dask's dashboard, each with task stream, progress and workers' memory. A fresh scheduler each time, 8 workers of a
  farm with 8 threads, 1,000 tasks/s; rounds of all kinds in changing order, median of the paired ratios and the
  interval that holds it with 95 %. The bar of those with 20 is 1.10 for the upper end.
- clients20_ratio: the same 20 kernels with their Clients, and no tab: what Dask itself does for 20 Clients.
  kernels20_over_clients20_ratio is what our reads add to that.
- none_cpu_ms_per_1000_tasks: what the ratios are taken against.
- collector_rss_bytes: resident bytes of the scheduler's process with the collector over those without, after `tasks`.

`python test/bench/overhead.py hooks` or `ratios [ROUNDS]` gives one half.
"""

from __future__ import annotations

import asyncio
import logging
import statistics
import sys
import time
import warnings
from math import nan
from typing import Any

from distributed import Client, Scheduler
from distributed.diagnostics.plugin import SchedulerPlugin
from distributed.diagnostics.task_stream import TaskStreamPlugin

from _cluster import Cluster, Submitter, record_metrics
from _transitions import Transitions, make_collector
from _workload import SEED, median_interval, reporter
from dask_panes.scheduler.ship import register

TASKS = 50_000
ROUNDS = 9
#: Fewer hold no interval of 95 %.
MIN_ROUNDS = 5
RATE = 1000
LIVE_SECONDS = 8.0
#: Topics of the plots of the layout Status.
STATUS = ["meta", "workers", "tasks", "prefixes"]
UNREAD = ("unread",)
#: Who looks, as `_viewers.py` takes it.
KINDS: dict[str, tuple[str, ...]] = {
    "none": (),
    "unread": UNREAD,
    "readers1": ("panes", "1", "1"),
    "readers20": ("panes", "1", "20"),
    "clients20": ("panes", "20", "0"),
    "kernels20": ("panes", "20", "1"),
    "bokeh_viewers1": ("bokeh", "1"),
    "bokeh_viewers20": ("bokeh", "20"),
}


class Empty(SchedulerPlugin):
    """The floor: what any plugin with a `transition` costs."""

    def transition(self, key: Any, start: Any, finish: Any, *args: Any, **kwargs: Any) -> None:
        pass


report = reporter("overhead")


async def hooks(scheduler: Scheduler) -> None:
    transitions = Transitions(scheduler, TASKS)
    over: dict[str, list[float]] = {"collector": [], "ring": [], "sum": [], "empty": [], "TaskStreamPlugin": []}
    size = 0.0
    for _ in range(ROUNDS):
        bare, nothing = transitions.play({})
        collector = await make_collector(scheduler)
        hook, ring = transitions.play({"p": collector}, collector._drain)
        over["collector"].append(hook - bare)
        over["ring"].append(ring - nothing)
        over["sum"].append(hook - bare + ring - nothing)
        size = collector.history.nbytes / TASKS
        await collector.close()
        over["empty"].append(transitions.play({"p": Empty()})[0] - bare)
        over["TaskStreamPlugin"].append(transitions.play({"p": TaskStreamPlugin(scheduler)})[0] - bare)
    median = {name: statistics.median(values) for name, values in over.items()}
    dask = round(median["TaskStreamPlugin"], 3)
    report("hook_us_per_task", median["collector"], "us", dask)
    report("ring_us_per_task", median["ring"], "us")
    report("scheduler_us_per_task", median["sum"], "us", dask)
    report("hook_us_per_task_empty_plugin", median["empty"], "us", dask)
    report("collector_bytes_per_task", size, "B")
    await reads(scheduler)


async def reads(scheduler: Scheduler) -> None:
    """Answers as a session gets them, 50 tasks each."""
    collector = await make_collector(scheduler)
    transitions = Transitions(scheduler, 10_000)
    spent = []
    cursor: dict[str, int] = {}
    for i in range(0, len(transitions.tasks), 50):
        transitions.play({"p": collector}, first=i, count=50)
        begin = time.process_time()
        answer = await collector.read(f"bench{i}", collector.feed, collector.epoch, cursor, STATUS, 0.0)
        spent.append((time.process_time() - begin) * 1e6)
        collector._readers.clear()
        cursor = answer["cursor"]
    await collector.close()
    value = statistics.median(spent)
    report("read_us", value, "us", share=round(20 * value / 1e6, 5))


def run_once(metrics: list[dict[str, Any]], viewers: tuple[str, ...]) -> tuple[float, int, int]:
    """CPU seconds of the scheduler for each task, its resident bytes, and how many tasks it were."""
    reads = viewers != UNREAD
    with (
        Cluster(8, 8, metrics, dashboard=True) as cluster,
        Client(cluster.address) as client,
        cluster.viewed(*(viewers if reads else ())),
    ):
        if not reads:
            client.sync(register, client)
        # Opening is not what is asked here.
        time.sleep(1)
        submitter = Submitter(client, RATE)
        begin = cluster.cpu_seconds
        submitter.run(LIVE_SECONDS)
        submitter.finish()
        spent = cluster.cpu_seconds - begin
        return spent / submitter.submitted, cluster.rss, submitter.submitted


def ratios(rounds: int = ROUNDS) -> None:
    metrics = record_metrics()
    cpu: dict[str, list[float]] = {name: [] for name in KINDS}
    rss: dict[str, list[int]] = {name: [] for name in KINDS}
    tasks = 0
    for i in range(rounds):
        names = list(KINDS)
        for name in names[i % len(names) :] + names[: i % len(names)]:
            spent, size, tasks = run_once(metrics, KINDS[name])
            cpu[name].append(spent)
            rss[name].append(size)
            print(f"round {i + 1} {name}: {spent * 1e6:.0f} ms for 1,000 tasks, {tasks} tasks", file=sys.stderr)
    middle = median_interval if rounds > MIN_ROUNDS else lambda values: (statistics.median(values), nan, nan)
    for name in KINDS:
        if name != "none":
            value, low, high = middle([ours / bare for ours, bare in zip(cpu[name], cpu["none"])])
            report(f"{name}_ratio", value, "ratio", interval=[round(low, 3), round(high, 3)], rounds=rounds)
    value, low, high = middle([ours / theirs for ours, theirs in zip(cpu["kernels20"], cpu["clients20"])])
    report("kernels20_over_clients20_ratio", value, "ratio", interval=[round(low, 3), round(high, 3)], rounds=rounds)
    value, low, high = middle([spent * 1e6 for spent in cpu["none"]])
    report("none_cpu_ms_per_1000_tasks", value, "ms", interval=[round(low, 1), round(high, 1)], tasks=tasks, seed=SEED)
    value, low, high = middle([ours - bare for ours, bare in zip(rss["unread"], rss["none"])])
    report("collector_rss_bytes", value, "B", interval=[low, high], tasks=tasks)


async def all_hooks() -> None:
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        await hooks(scheduler)


def main() -> None:
    logging.disable(logging.WARNING)
    # The farm tells no versions of packages.
    warnings.simplefilter("ignore")
    part, *rest = sys.argv[1:] or [""]
    if part != "ratios":
        asyncio.run(all_hooks())
    if part != "hooks":
        ratios(*map(int, rest))


if __name__ == "__main__":
    main()

"""What the collector costs the scheduler.

Rows:

- hook_us_per_task: `transition` called as the scheduler calls it (keyword arguments and all, five transitions a
  task) over the bare loop; beside it, in the same rounds, an empty plugin and Dask's own TaskStreamPlugin (baseline).
- ring_us_per_task: what the next tick or read does with it: columns and packed keys. Dask's plugin has no such part,
  so scheduler_us_per_task, the sum, is what to compare with it.
- collector_bytes_per_task: columns and packed keys of the ring. The bar is 60.
- graph_us: what a graph of one task costs as it arrives, over the bare turns of the event loop: `client.submit` makes
  one for each task, and none of the other rows has them (the ratios are of graphs with the tasks of 50 ms). With what
  is done for many of them together, 200 at a time here.
- tick_us: CPU of a tick, of which there are four a second: the records of 250 tasks, what the graph has of them (since
  2026-11-28), and the scans of the topics of the layout Status.
- read_us: CPU of building one answer with these topics, 50 new tasks and the functions that changed in it (a worker's
  row is another microsecond); `share` is what 20 of them a second take of a core, with the ticks. The RPC itself is not
  in it (60 µs when it was measured).
- unread_ratio, readers1_ratio, readers20_ratio, kernels20_ratio, bokeh_viewers1_ratio, bokeh_viewers20_ratio: CPU
  time of the scheduler's process for a task over that of the same scheduler, with default settings and without us, just
  before and just after: collector without a reader; 1 and 20 browser tabs on one kernel; 20 kernels with a tab each; 1
  and 20 viewers of Dask's dashboard, each with task stream, progress and workers' memory (these against before only:
  their plugins stay). A fresh scheduler for each round, 8 workers of a farm with 8 threads, 1,000 tasks/s for 8 s each;
  rounds in changing order, median of the paired ratios and the interval that holds it with 95 %. The bar of those with
  20 is 1.10 for the upper end. (Within minutes 1,000 tasks took 430 to 580 ms of CPU, by what else was on the machine:
  only neighbours can be compared.)
- clients20_ratio: the same 20 kernels with their Clients, and no tab: what Dask itself does for 20 Clients.
  kernels20_over_clients20_ratio is what our reads add to that.
- none_cpu_ms_per_1000_tasks: what the ratios are taken against.
- collector_rss_bytes: resident bytes of the scheduler's process with the collector over those of one without, after
  `tasks`; median and range of fresh pairs.

`python test/bench/overhead.py hooks`, `ratios [ROUNDS [KIND…]]` or `rss` gives one part.
"""

from __future__ import annotations

import asyncio
import logging
import statistics
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from math import nan
from statistics import mean
from typing import Any, NamedTuple

from distributed import Client, Scheduler
from distributed.diagnostics.plugin import SchedulerPlugin
from distributed.diagnostics.task_stream import TaskStreamPlugin
from distributed.scheduler import ClientState

from _cluster import Cluster, Submitter, record_metrics
from _transitions import Transitions, make_collector
from _workload import SEED, Workload, median_interval, reporter, status_topics
from dask_panes.scheduler.collector.plugin import ASK_HANDLER
from dask_panes.scheduler.ship import register

TASKS = 50_000
ROUNDS = 9
#: Fewer hold no interval of 95 %.
MIN_ROUNDS = 5
RATE = 1000
#: Of 20 reads a second and four ticks.
READS_PER_TICK = 5
#: Graphs of one task in each round.
GRAPHS = 2_000
LIVE_SECONDS = 8.0
STATUS = status_topics()
#: Arguments of `_viewers.py`.
LOOKS: dict[str, tuple[str, ...]] = {
    "unread": (),
    "readers1": ("panes", "1", "1"),
    "readers20": ("panes", "1", "20"),
    "clients20": ("panes", "20", "0"),
    "kernels20": ("panes", "20", "1"),
}
#: Those after which a scheduler is not as it was before.
LASTING: dict[str, tuple[str, ...]] = {"bokeh_viewers1": ("bokeh", "1"), "bokeh_viewers20": ("bokeh", "20")}
#: Seconds for what begins or ends to be over.
SETTLING = 1.5
#: Seconds more for new readers: their first reads, of everything and of all workers, are not measured here.
OPENING = 3.0
RSS_PAIRS = 3


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
        hook, ring = transitions.play({"p": collector}, collector.drain)
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
    await graphs(scheduler)
    await reads(scheduler)


async def graphs(scheduler: Scheduler) -> None:
    """Graphs of one task, each in a turn of the event loop as in a scheduler."""
    workload = Workload()
    keys = [workload.key(workload.draw().function, i) for i in range(GRAPHS)]
    for key in keys:
        # Wanted by a client, as tasks of `client.submit` are.
        scheduler.new_task(key, None, "released").who_wants = {ClientState("Client-1")}

    async def arrive(plugins: list[Any]) -> float:
        begin = time.process_time()
        for i, key in enumerate(keys):
            for plugin in plugins:
                plugin.update_graph(scheduler, client="Client-1", tasks=[key], keys={key}, stimulus_id=f"graph-{i}")
            await asyncio.sleep(0)
        return (time.process_time() - begin) * 1e6 / GRAPHS

    spent = []
    for _ in range(ROUNDS):
        bare = await arrive([])
        collector = await make_collector(scheduler)
        # The tasks that it finds are none of these graphs.
        collector.restart_parts()
        spent.append(await arrive([collector]) - bare)
        await collector.close()
    report("graph_us", statistics.median(spent), "us", least=round(min(spent), 1))


async def reads(scheduler: Scheduler) -> None:
    """Answers as a session gets them, 50 tasks each, and the ticks between them."""
    collector = await make_collector(scheduler)
    transitions = Transitions(scheduler, 10_000)
    ticks, spent = [], []
    cursor: dict[str, int] = {}
    for i in range(0, len(transitions.tasks), 50):
        transitions.play({"p": collector}, first=i, count=50)
        if i % (50 * READS_PER_TICK) == 0:
            begin = time.process_time()
            collector.upkeep.tick()
            ticks.append((time.process_time() - begin) * 1e6)
        # So that the rate does not hold the answer back.
        collector.pace.hurry()
        begin = time.process_time()
        answer = await collector.read("bench", collector.feed, collector.epoch, cursor, STATUS, 0.0)
        spent.append((time.process_time() - begin) * 1e6)
        cursor = answer["cursor"]
    await collector.close()
    tick, read = statistics.median(ticks), statistics.median(spent)
    report("tick_us", tick, "us")
    report("read_us", read, "us", share=round((20 * read + 20 / READS_PER_TICK * tick) / 1e6, 5))


class Window:
    """Measures one scheduler again and again, while tasks come without a pause."""

    def __init__(self, cluster: Cluster, submitter: Submitter) -> None:
        self._cluster, self._submitter = cluster, submitter
        self.tasks = 0

    def measure(self) -> float:
        """CPU seconds of the scheduler for each task, within the next seconds."""
        time.sleep(SETTLING)
        cpu, tasks = self._cluster.cpu_seconds, self._submitter.submitted
        time.sleep(LIVE_SECONDS)
        spent, self.tasks = self._cluster.cpu_seconds - cpu, self._submitter.submitted - tasks
        return spent / self.tasks


@contextmanager
def looked_at(cluster: Cluster, client: Client, viewers: tuple[str, ...]) -> Iterator[None]:
    """With the collector and those who read it; nothing of ours is left in the scheduler after it."""
    with cluster.viewed(*viewers):
        client.sync(register, client)
        time.sleep(OPENING)
        yield
    client.sync(getattr(client.scheduler, ASK_HANDLER), name="remove", args={})


class Round(NamedTuple):
    """Ratios by viewers; CPU seconds for a task without any, and tasks of a window."""

    ratios: dict[str, float]
    bare: list[float]
    tasks: int


def paired_round(metrics: list[dict[str, Any]], kinds: list[str]) -> Round:
    """One round: one scheduler, at which all kinds look one after the other, and nobody before and after each."""
    found: dict[str, float] = {}
    with Cluster(8, 8, metrics, dashboard=True) as cluster, Client(cluster.address) as client:
        submitter = Submitter(client, RATE)
        window = Window(cluster, submitter)
        with submitter.submitting():
            # A scheduler that has just begun is slower.
            window.measure()
            bare = [window.measure()]
            for kind in kinds:
                if kind in LASTING:
                    with cluster.viewed(*LASTING[kind]):
                        found[kind] = window.measure() / bare[-1]
                else:
                    with looked_at(cluster, client, LOOKS[kind]):
                        spent = window.measure()
                    bare.append(window.measure())
                    found[kind] = spent / mean(bare[-2:])
        submitter.finish()
    return Round(found, bare, window.tasks)


def ratios(metrics: list[dict[str, Any]], count: int = ROUNDS, chosen: tuple[str, ...] = ()) -> None:
    order = [kind for kind in LOOKS if kind in chosen or not chosen]
    last = [kind for kind in LASTING if kind in chosen or not chosen]
    rounds: list[Round] = []
    for i in range(count):
        turn = i % max(1, len(order))
        rounds.append(paired_round(metrics, [*order[turn:], *order[:turn], *last]))
        rounded = {kind: round(ratio, 3) for kind, ratio in rounds[-1].ratios.items()}
        print(f"round {i + 1}: {rounded}", file=sys.stderr)
    middle = median_interval if count > MIN_ROUNDS else lambda values: (statistics.median(values), nan, nan)

    def report_ratio(name: str, values: list[float]) -> None:
        value, low, high = middle(values)
        report(name, value, "ratio", interval=[round(low, 3), round(high, 3)], rounds=count)

    for kind in (*order, *last):
        report_ratio(f"{kind}_ratio", [each.ratios[kind] for each in rounds])
    if {"kernels20", "clients20"} <= set(order):
        report_ratio(
            "kernels20_over_clients20_ratio", [each.ratios["kernels20"] / each.ratios["clients20"] for each in rounds]
        )
    value, low, high = middle([spent * 1e6 for each in rounds for spent in each.bare])
    interval = [round(low, 1), round(high, 1)]
    report("none_cpu_ms_per_1000_tasks", value, "ms", interval=interval, tasks=rounds[-1].tasks, seed=SEED)


def collector_rss(metrics: list[dict[str, Any]]) -> None:
    more = [resident(metrics, True) - resident(metrics, False) for _ in range(RSS_PAIRS)]
    tasks = int(RATE * LIVE_SECONDS)
    report("collector_rss_bytes", statistics.median(more), "B", range=[min(more), max(more)], tasks=tasks)


def resident(metrics: list[dict[str, Any]], collector: bool) -> int:
    """Resident bytes of a fresh scheduler's process after some seconds of work."""
    with Cluster(8, 8, metrics, dashboard=True) as cluster, Client(cluster.address) as client:
        if collector:
            client.sync(register, client)
        submitter = Submitter(client, RATE)
        submitter.run(LIVE_SECONDS)
        submitter.finish()
        return cluster.rss


async def all_hooks() -> None:
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        await hooks(scheduler)


def main() -> None:
    logging.disable(logging.WARNING)
    # The farm reports no versions of packages.
    warnings.simplefilter("ignore")
    part, *rest = sys.argv[1:] or [""]
    if part in ("", "hooks"):
        asyncio.run(all_hooks())
    if part == "hooks":
        return
    metrics = record_metrics()
    if part in ("", "ratios"):
        ratios(metrics, int(rest[0]) if rest else ROUNDS, tuple(rest[1:]))
    if part in ("", "rss"):
        collector_rss(metrics)


if __name__ == "__main__":
    main()

"""What a graph of 100,000 tasks and 300,000 dependencies costs the scheduler.

A real scheduler gets it from a real client, in ten parts as long computations are submitted; no worker is there, so
nothing else happens. The rows of the browser are those of `graph.mjs`.

Rows, in CPU time of the scheduler's thread for each task:

- keep_us_per_task: numbers and dependencies, while no pane shows the graph. The bar is 2.
- open_us_per_task: all reads of a pane that opens the graph, with its states, from the first to the last task, and
  `longest_ms`, the longest of them; bytes_per_task: what it receives.
"""

from __future__ import annotations

import asyncio
import logging
import random
import warnings
from operator import add
from threading import Thread
from typing import Any

from distributed import Client, Scheduler

from _workload import SEED, reporter
from blocks import Blocks, settle
from dask_panes.feed.codec import encode
from dask_panes.scheduler.collector.plugin import Collector

TASKS, PARTS, LEVELS = 100_000, 10, 10
#: Tasks of a level need that of their own place in the level before, and two beside it.
BESIDE = (-3, -2, -1, 1, 2, 3)
KEEP_BAR = 2.0
TOPICS = ["graph", "states"]

report = reporter("graph")


def part(number: int) -> tuple[dict[Any, Any], list[Any]]:
    """A graph, and the keys of its last level."""
    rng = random.Random(SEED + number)
    width = TASKS // PARTS // LEVELS
    graph: dict[Any, Any] = {}
    for level in range(LEVELS):
        name = f"level_{level}-{number:032x}"
        before = f"level_{level - 1}-{number:032x}"
        for i in range(width):
            # Its own place is among them: Dask leaves out what nothing needs.
            near = [i, *(min(width - 1, max(0, i + rng.choice(BESIDE))) for _ in range(2))]
            graph[name, i] = (add, i, 1) if level == 0 else (sum, [(before, j) for j in near])
    return graph, [(name, i) for i in range(width)]


def submit(address: str, held: list[Any]) -> None:
    """Submit all parts, in a thread; what `held` has keeps them."""
    client = Client(address)
    held.append(client)
    for number in range(PARTS):
        graph, keys = part(number)
        held.append(client.get(graph, keys, sync=False, optimize_graph=False))


async def measure() -> None:
    """Print the rows."""
    blocks = Blocks()
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        collector = Collector()
        await collector.start(scheduler)
        scheduler.add_plugin(collector, name=collector.name)
        # Not `Blocks.watch`: it also times what is called for each task.
        step = blocks.timed("next", collector.graph_steps._next)
        collector.graph_steps._next = step  # type: ignore[method-assign]
        in_tick = blocks.timed("next", collector.upkeep._step_graph)
        collector.upkeep._step_graph = in_tick  # type: ignore[method-assign]
        held: list[Any] = []
        thread = Thread(target=submit, args=(scheduler.address, held))
        thread.start()
        while len(scheduler.tasks) < TASKS:
            await asyncio.sleep(0.1)
        await settle(collector)
        kept = sum(blocks.spent["next"])
        dependencies = sum(len(ts.dependencies) for ts in scheduler.tasks.values())
        report("keep_us_per_task", kept / TASKS * 1e6, "us", KEEP_BAR, dependencies=dependencies)

        where: dict[str, int] = {}
        size = 0
        blocks.spent.clear()
        while where.get("graph", 0) < collector.graph.position or where.get("states", -1) < collector.graph.version:
            coroutine = collector.read("pane", collector.feed, collector.epoch, where, TOPICS, 0.05)
            answer = await blocks.asked("read", coroutine)
            where = answer["cursor"]
            # In the kernel, which is not the scheduler's process.
            size += len(encode(answer, 0))
        spent = [seconds for name in ("read", "write_read", "next") for seconds in blocks.spent.get(name, ())]
        report(
            "open_us_per_task", sum(spent) / TASKS * 1e6, "us", longest_ms=round(max(spent) * 1e3, 2), reads=len(spent)
        )
        report("bytes_per_task", size / TASKS, "B")
        await asyncio.to_thread(thread.join)
        await asyncio.to_thread(held[0].close)


def main() -> None:
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    asyncio.run(measure())


if __name__ == "__main__":
    main()

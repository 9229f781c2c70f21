"""What the collector costs the scheduler.

Rows:

- hook_us_per_task: `transition` called as the scheduler calls it (keyword arguments and all, five transitions a
  task) over the bare loop; beside it, in the same rounds, an empty plugin and Dask's own TaskStreamPlugin (baseline).
- ring_us_per_task: what the next tick or read does with it: columns and packed keys. Dask's plugin has no such part,
  so scheduler_us_per_task, the sum, is what to compare with it.
- collector_bytes_per_task: columns and packed keys of the ring.
"""

from __future__ import annotations

import asyncio
import logging
import statistics
from typing import Any

from distributed import Scheduler
from distributed.diagnostics.plugin import SchedulerPlugin
from distributed.diagnostics.task_stream import TaskStreamPlugin

from _transitions import Transitions, make_collector
from _workload import reporter

TASKS = 50_000
ROUNDS = 9


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


async def main() -> None:
    logging.disable(logging.WARNING)
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        await hooks(scheduler)


if __name__ == "__main__":
    asyncio.run(main())

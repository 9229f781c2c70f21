"""The same 100,000 tasks as our report and as Dask's own: ``reports.py FOLDER`` writes ours.html and dask.html.

The tasks of `_transitions.Transitions` (16 workers of 4 threads, 30 functions, half of the keys random) end on a real
scheduler, whose transitions our collector and Dask's plugin both see. Ours is written by the writers of
`dask_panes.report`, with keys; Dask's by `Scheduler.performance_report`, with its scripts in the file, since it is to
open without a network.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from io import BytesIO
from pathlib import Path
from typing import Any

from collected import TASKS_PER_SECOND, collect
from distributed import Scheduler
from distributed.diagnostics.task_stream import TaskStreamPlugin

from dask_panes.files.facts import report_facts
from dask_panes.files.page import page

TASKS = 100_000
#: Tasks between two reads: four frames a second.
FRAME = 250
TOPICS = ["meta", "tasks", "workers", "prefixes", "series"]


class Stream(TaskStreamPlugin):  # type: ignore[misc]
    """Dask's own plugin; a worker's message says "OK" of a task that did not raise."""

    def transition(self, key: Any, start: Any, finish: Any, *args: Any, **kwargs: Any) -> None:
        super().transition(key, start, finish, *args, **{**kwargs, "status": "OK"})


async def main(folder: Path) -> None:
    logging.disable(logging.WARNING)
    async with Scheduler(host="127.0.0.1", port=0, dashboard_address=":0") as scheduler:
        stream = Stream(scheduler, maxlen=TASKS)
        scheduler.add_plugin(stream)
        begin = time.time()
        collected = await collect(scheduler, TASKS, FRAME, TOPICS, {"dask": stream})
        assert len(stream.buffer) == TASKS
        recording = BytesIO()
        assert collected.record(recording) == TASKS
        recording.seek(0)
        code = Path(__file__).read_text("utf-8")
        facts = report_facts("bench", duration=TASKS / TASKS_PER_SECOND, code=code)
        with (folder / "ours.html").open("wb") as file:
            file.writelines(page(facts, recording))
        html = await scheduler.performance_report(start=begin - 3600, last_count=0, code=code, mode="inline")
        (folder / "dask.html").write_text(html, "utf-8")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))

"""What a recording weighs and costs. Prints one JSON object a line: {"name", "value", "unit", "baseline"}.

- bytes_per_task: the file of `dask_panes.record` around tasks with random keys on a real cluster, without its blocks of
  keys, by task. Everything is in it, also tables, series and profiles, which grow with time and not with tasks: so
  tasks_per_second is printed with it. bytes_per_task_with_keys: the whole file; the baseline is what a task takes in
  Dask's own HTML report.
- write_us_per_task: CPU of decoding the frames that a real collector gave (20 a second), of packing, deflating and
  writing them and of fetching the keys, by task: all that a recording adds to the collector.
"""

from __future__ import annotations

import asyncio
import json
import logging
import tempfile
import time
import uuid
from pathlib import Path

from collected import Collected, collect
from distributed import Client, LocalCluster, Scheduler, wait

import dask_panes
from dask_panes.files.blocks import HEADER_BYTES, KEYS, PACKED_KEYS
from dask_panes.files.recording import Recording

TASKS = 20_000
WRITTEN = 40_000
#: Tasks between two frames, at 1,000 tasks a second.
FRAME = 50
#: Other work on the machine only adds time: the least of this many is reported.
ROUNDS = 9
#: Bytes of a task in the HTML file of Dask's performance report.
DASK_REPORT_BYTES = 170


def report(name: str, value: float, unit: str, baseline: float | None = None) -> None:
    print(json.dumps({"name": name, "value": round(value, 3), "unit": unit, "baseline": baseline}), flush=True)


def work(x: int) -> int:
    return x


def sizes(path: Path) -> None:
    with (
        LocalCluster(n_workers=2, threads_per_worker=4, dashboard_address=":0") as cluster,
        Client(cluster) as client,
        dask_panes.record(path, client),
    ):
        for begin in range(0, TASKS, 2_000):
            keys = [f"work-{uuid.uuid4().hex}" for _ in range(2_000)]
            wait(client.map(work, range(begin, begin + 2_000), key=keys))
    with Recording(path) as recording:
        keyed = sum(HEADER_BYTES + block.stored for block in recording.blocks if block.kind in (KEYS, PACKED_KEYS))
        tasks, seconds = recording.tasks, recording.end - recording.start
    assert tasks == TASKS
    whole = path.stat().st_size
    report("tasks_per_second", tasks / seconds, "tasks/s")
    report("bytes_per_task", (whole - keyed) / tasks, "B")
    report("bytes_per_task_with_keys", whole / tasks, "B", DASK_REPORT_BYTES)


async def collected_frames() -> Collected:
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        return await collect(scheduler, WRITTEN, FRAME, ["tasks"])


def write_us(collected: Collected, path: Path) -> float:
    begin = time.process_time()
    with path.open("wb", buffering=0) as file:
        collected.record(file)
    return (time.process_time() - begin) / WRITTEN * 1e6


def main() -> None:
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        sizes(Path(folder) / "run.dask-run")
        collected = asyncio.run(collected_frames())
        report("write_us_per_task", min(write_us(collected, Path(folder) / "w") for _ in range(ROUNDS)), "us")


if __name__ == "__main__":
    main()

"""What the whole catalogue costs a scheduler: all topics of the collector wanted, by one reader that waits for news.

A real scheduler with the farm's workers (`_farm.py`: real connections, heartbeats with recorded metrics) and 1,000
tasks a second. What the event loop calls of ours is timed in its CPU time: what else runs on the machine is not in it.

Rows, each with the number of `workers` (100, 1,000 and 2,000; 1,000 where a row has none):

- scheduler_ms_per_second: all reads, scans, samples and other turns of the event loop together; what is done within a
  transition is the row hook_us_per_task of `overhead`. The bar is 10 at 1,000 workers, 20 at 2,000.
- reads_ms_per_second: of these, answers with their writing, scans and walks, without what each task costs (its row, its
  counts, its place in the graph).
- longest_block_ms: the longest of these turns, and `of` what it was. The bar is 10.
- bytes_per_second: the frames of that reader. The bar is 500,000 at 1,000 workers.
- tasks_per_second: what the cluster reached.
- scheduler_us_TOPIC: a read of a topic, with its scan.

`python test/bench/catalogue.py [WORKERS …]` tries some. The rows of the browser are those of `catalogue.bench.ts`.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import sys
import tempfile
import time
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

from distributed import Client, Scheduler

from _cluster import HERE, Submitter, record_metrics
from _workload import SEED, reporter
from blocks import Blocks
from dask_panes.feed.codec import encode
from dask_panes.scheduler.collector.plugin import Collector

RATE, THREADS = 1000, 2
SIZES = (100, 1000, 2000)
SETTLE_SECONDS, SECONDS = 10.0, 20.0
#: Bars by number of workers.
SHARE_BARS, BYTES_BARS = {1000: 10.0, 2000: 20.0}, {1000: 500_000.0}
BLOCK_BAR = 10.0
#: Seconds that a read waits for news.
POLL = 1.0

report = reporter("catalogue")


@asynccontextmanager
async def farm(address: str, workers: int, metrics: Path) -> AsyncIterator[None]:
    """Workers of the farm."""
    command = [str(HERE / "_farm.py"), address, str(workers), str(THREADS), str(metrics), str(SEED)]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, *command, stdin=pipe, stdout=pipe)
    try:
        assert process.stdout is not None
        if (await process.stdout.readline()).strip() != b"ready":
            raise RuntimeError("the farm did not join")
        yield
    finally:
        process.terminate()
        await process.wait()


def submit(address: str, ended: Event) -> None:
    """Submit until the end, in a thread."""
    with Client(address) as client:
        Submitter(client, RATE).run(1e9, ended)


class Reader:
    """Reads all topics as they come."""

    def __init__(self, collector: Collector, blocks: Blocks) -> None:
        self._collector, self._blocks = collector, blocks
        self._cursor: dict[str, int] = {}
        self.bytes = self.frames = 0
        #: Number of the task that ended last.
        self.ended = 0

    async def run(self, seconds: float) -> None:
        """Read for a while."""
        collector = self._collector
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            where = ("catalogue", collector.feed, collector.epoch, self._cursor, list(collector.topics), POLL)
            answer = await self._blocks.asked("read", collector.read(*where))
            self._cursor = answer["cursor"]
            # In the kernel, which is not the scheduler's process.
            self.bytes += len(await asyncio.to_thread(encode, answer, self.frames))
            self.frames += 1
            tasks = answer["topics"].get("tasks")
            self.ended = self.ended if tasks is None else tasks["s"]["end"]


async def measure(workers: int, metrics: Path) -> None:
    """Print the rows of one size."""
    blocks = Blocks()
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        collector = Collector()
        await collector.start(scheduler)
        scheduler.add_plugin(collector, name=collector.name)
        blocks.watch(collector)
        async with farm(scheduler.address, workers, metrics):
            ended = Event()
            thread = Thread(target=submit, args=(scheduler.address, ended))
            thread.start()
            try:
                reader = Reader(collector, blocks)
                await reader.run(SETTLE_SECONDS)
                blocks.spent.clear()
                reader.bytes = reader.frames = 0
                before = reader.ended
                begin = time.monotonic()
                await reader.run(SECONDS)
                seconds = time.monotonic() - begin
                spent = {name: list(values) for name, values in blocks.spent.items()}
            finally:
                ended.set()
                # Its client needs this event loop to close.
                await asyncio.to_thread(thread.join)
        await collector.close()
    if collector.faults.messages():
        raise RuntimeError(collector.faults.messages())
    report("tasks_per_second", (reader.ended - before) / seconds, "1/s", RATE, workers=workers)
    report_all(workers, seconds, spent, reader)


def report_all(workers: int, seconds: float, spent: dict[str, list[float]], reader: Reader) -> None:
    """Print what was measured."""
    turns = {name: values for name, values in spent.items() if not name.startswith(".")}
    more: dict[str, Any] = {"workers": workers}
    share = 1e3 * sum(map(sum, turns.values())) / seconds
    parts = {name: round(1e3 * sum(values) / seconds, 2) for name, values in turns.items()}
    report("scheduler_ms_per_second", share, "ms/s", SHARE_BARS.get(workers), parts=parts, **more)
    looks = [turns.get(name, []) for name in ("read", "write_read", "walk")]
    looks += [values for name, values in spent.items() if name.startswith(".") and name.endswith(".scan")]
    report("reads_ms_per_second", 1e3 * sum(map(sum, looks)) / seconds, "ms/s", SHARE_BARS.get(workers), **more)
    longest, name = max((max(values), name) for name, values in turns.items())
    report("longest_block_ms", 1e3 * longest, "ms", BLOCK_BAR, of=name, **more)
    report("bytes_per_second", reader.bytes / seconds, "B/s", BYTES_BARS.get(workers), frames=reader.frames, **more)
    for read, values in sorted(spent.items()):
        if read.startswith(".") and read.endswith(".read"):
            topic = read.split(".")[1]
            scans = spent.get(f".{topic}.scan", [])
            cost = sum(values) / len(values) + (sum(scans) / len(scans) if scans else 0.0)
            report(f"scheduler_us_{topic}", 1e6 * cost, "µs", reads=len(values), **more)


def main() -> None:
    # The farm ends before its tasks do.
    logging.disable(logging.ERROR)
    # The farm reports no versions of packages.
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        metrics = Path(folder) / "metrics"
        metrics.write_bytes(pickle.dumps((record_metrics(), [])))
        for size in map(int, sys.argv[1:] or SIZES):
            asyncio.run(measure(size, metrics))


if __name__ == "__main__":
    main()

"""What a real collector sends about the tasks of `_transitions.Transitions`, and the recording that is made of it."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any, BinaryIO

from distributed import Scheduler

from dask_panes.feed.codec import decode, encode
from dask_panes.files.block.keys import KeysKnown, first_keys
from dask_panes.files.format.writer import RecordingWriter
from dask_panes.scheduler.collector.plugin import Collector

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from _transitions import Transitions, make_collector

#: Rate of the tasks.
TASKS_PER_SECOND = 1000


class Collected:
    """Frames as a session would get them, and the collector that still knows the keys."""

    def __init__(self, collector: Collector, frames: list[bytes]) -> None:
        self.collector = collector
        self.frames = frames

    def record(self, file: BinaryIO) -> int:
        """Write a recording as `dask_panes.record` does, keys and all; returns how many tasks it has."""
        writer = RecordingWriter(file, {"name": "bench"})
        known = KeysKnown()
        for i, data in enumerate(self.frames):
            writer.add(decode(data))
            if not writer.full and i + 1 < len(self.frames):
                continue
            writer.flush()
            stretches, writer.unkeyed = writer.unkeyed, []
            for first, rows in stretches:
                row = first
                while row < first + rows:
                    answer = self.collector.history.keys(row, known.chunk, len(known.groups), len(known.types))
                    keys = known.take(answer)
                    count = min(first + rows - row, len(keys["length"]))
                    writer.add_keys(row, first_keys(keys, count))
                    row += count
        writer.finish()
        return writer.rows


async def collect(
    scheduler: Scheduler, tasks: int, every: int, topics: list[str], beside: dict[str, Any] | None = None
) -> Collected:
    """Let tasks end on a scheduler.

    Parameters
    ----------
    scheduler : Scheduler
    tasks : int
    every : int
        Tasks between two reads: at 1,000 tasks/s 50 of them are 20 frames a second.
    topics : list of str
    beside : dict, optional
        Other plugins by name, which see the same transitions.
    """
    collector = await make_collector(scheduler)
    transitions = Transitions(scheduler, tasks)
    for worker in transitions.workers:
        collector.names.worker_id(worker)
    frames: list[bytes] = []
    cursor: dict[str, int] = {}
    begin = time.time()
    for i in range(0, tasks, every):
        transitions.play({"ours": collector, **(beside or {})}, first=i, count=every)
        # A reader of its own each time, so that the rate does not hold the answer back.
        answer = await collector.read(f"bench{i}", collector.feed, collector.epoch, cursor, topics, 0.0)
        collector.pace.readers.clear()
        cursor = answer["cursor"]
        # As far apart as they would come.
        frames.append(encode({**answer, "time": begin + i / TASKS_PER_SECOND}, len(frames)))
    await collector.close()
    return Collected(collector, frames)

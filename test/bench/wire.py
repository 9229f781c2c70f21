"""What travels to a browser tab.

Rows:

- bytes_per_task: the topic `tasks` in encoded frames at 1,000 tasks/s, 20 frames a second; the baseline is what Bokeh's
  stream was measured to send (175-188). The bar is 25.
- envelope_bytes_per_frame: a frame of the same stream without its topic, plus the reply's JSON around it.
- idle_bytes_per_second: frames to a tab that shows the Status layout of a real cluster (2 worker processes), beginning
  10 s after its last task. The bar is 0; the baseline is what Bokeh sends with 100 workers.
- busy_1000_workers_bytes_per_second: frames of the same layout with 1,000 workers: a farm process that holds 1,000 real
  connections, heartbeats at the interval that Dask gives for so many, every metric moved as a real worker's was
  recorded, tasks as fast as the scheduler takes them up to 1,000/s. The bar, and the baseline, is 300,000.
- busy_TOPIC_bytes_per_second, busy_tasks_per_second: what that consists of.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
import warnings
from collections import Counter
from typing import Any

import msgpack
from distributed import Client, LocalCluster, Scheduler

from _bridge import Tab, session_of
from _cluster import Cluster, Submitter, nothing, record_metrics
from _transitions import Transitions, make_collector
from _workload import reporter, status_topics
from dask_panes.feed.codec import encode

STATUS = status_topics()
RATE = 1000
WORKERS, THREADS = 1000, 2
SETTLE_SECONDS, BUSY_SECONDS = 8.0, 20.0
IDLE_AFTER, IDLE_SECONDS = 11.0, 20.0
BOKEH_STREAM_BYTES = 180
BOKEH_IDLE_BYTES = 240_000
BUSY_BAR = 300_000

report = reporter("wire")


async def tasks() -> None:
    """20 frames of 50 tasks each second, read and encoded as a session does."""
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        collector = await make_collector(scheduler)
        transitions = Transitions(scheduler, 10_000)
        for worker in transitions.workers:
            collector.names.worker_id(worker)
        topic_bytes = envelope_bytes = frames = 0
        cursor: dict[str, int] = {}
        for i in range(0, len(transitions.tasks), 50):
            transitions.play({"p": collector}, first=i, count=50)
            # A reader of its own each time, so that the rate does not hold the answer back.
            answer = await collector.read(f"bench{i}", collector.feed, collector.epoch, cursor, ["tasks"], 0.0)
            collector.pace.readers.clear()
            cursor = answer["cursor"]
            if i == 0:
                continue
            data = encode(answer, frames)
            topic = topic_sizes(data)["tasks"]
            reply = {"kind": "frame", "client": "Client-" + "0" * 36, "gen": 1, "seq": frames}
            content = {
                "type": "response",
                "request_seq": frames,
                "success": True,
                "command": "daskPanes",
                "body": reply,
            }
            topic_bytes += topic
            envelope_bytes += len(data) - topic + len(json.dumps(content))
            frames += 1
        await collector.close()
    report("bytes_per_task", topic_bytes / (frames * 50), "B", BOKEH_STREAM_BYTES)
    report("envelope_bytes_per_frame", envelope_bytes / frames, "B")


def topic_sizes(data: bytes) -> Counter[str]:
    """Bytes of each topic of an encoded frame."""
    frame = msgpack.unpackb(data, strict_map_key=False)
    return Counter({name: len(msgpack.packb({name: body})) for name, body in frame["topics"].items()})


class Meter(Tab):
    """A tab that counts."""

    def __init__(self, client: Client, session: Any) -> None:
        super().__init__(client, session)
        self.bytes = 0
        self.frame_count = 0
        self.topics: Counter[str] = Counter()
        self.rows: Counter[str] = Counter()

    def _take(self, data: bytes, seq: int) -> None:
        super()._take(data, seq)
        frame = self.frames[-1]
        self.bytes += len(data)
        self.frame_count += 1
        self.topics.update(topic_sizes(data))
        for name, body in frame["topics"].items():
            columns = body.get("c") or {}
            self.rows[name] += len(next(iter(columns.values()), ()))

    def reset(self) -> None:
        """Count from now on."""
        self.bytes = self.frame_count = 0
        self.topics.clear()
        self.rows.clear()


def idle() -> None:
    """A real cluster that has worked and rests."""
    with (
        LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=":0") as cluster,
        Client(cluster) as client,
        session_of(client) as session,
    ):
        tab = Meter(client, session)
        tab.want(*STATUS)
        client.gather(client.map(nothing, range(1000)))
        time.sleep(IDLE_AFTER)
        tab.reset()
        time.sleep(IDLE_SECONDS)
        report("idle_bytes_per_second", tab.bytes / IDLE_SECONDS, "B/s", BOKEH_IDLE_BYTES, frames=tab.frame_count)


def busy() -> None:
    """1,000 workers at work."""
    with (
        Cluster(WORKERS, THREADS, record_metrics()) as cluster,
        Client(cluster.address) as client,
        session_of(client) as session,
    ):
        tab = Meter(client, session)
        tab.want(*STATUS)
        submitter = Submitter(client, RATE)
        submitter.run(SETTLE_SECONDS)
        tab.reset()
        begin = time.monotonic()
        submitter.run(BUSY_SECONDS)
        seconds = time.monotonic() - begin
        report("busy_1000_workers_bytes_per_second", tab.bytes / seconds, "B/s", BUSY_BAR, frames=tab.frame_count)
        for topic, size in tab.topics.items():
            report(
                f"busy_{topic}_bytes_per_second",
                size / seconds,
                "B/s",
                rows_per_second=round(tab.rows[topic] / seconds),
            )
        report("busy_tasks_per_second", tab.rows["tasks"] / seconds, "1/s", RATE)


def main() -> None:
    logging.disable(logging.WARNING)
    # The farm reports no versions of packages.
    warnings.simplefilter("ignore")
    parts = {"tasks": lambda: asyncio.run(tasks()), "idle": idle, "busy": busy}
    for name in sys.argv[1:] or parts:
        parts[name]()


if __name__ == "__main__":
    main()

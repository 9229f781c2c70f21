"""Answers are small enough for a slow link: nothing else arrives while one does."""

from __future__ import annotations

import time
from typing import Any

from distributed import Client, LocalCluster

from dask_panes.feed import encode
from dask_panes.feed.schema import CREDIT_BYTES
from dask_panes.kernel.gather.logs import LogsSource
from dask_panes.kernel.gather.row_log import RowLog
from dask_panes.scheduler import ship
from reader import Reader

#: Tasks of the test, and dependencies of each: more than one answer holds of either.
TASKS, DEPENDENCIES = 20_000, 4
#: Bytes that a link of 1 Mbit/s transfers in 3.5 s. A tab that receives nothing for 4.5 s says that the kernel does not
#: answer.
LARGEST = 437_500


def test_no_answer_is_longer_than_a_slow_link_can_bear() -> None:
    with (
        LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        client.gather(client.map(abs, range(9000), key=[("ran", i) for i in range(9000)]))
        # Nothing satisfies the resource: the tasks wait, with all their dependencies.
        graph: dict[Any, Any] = {("n", 0): (abs, 1)}
        for i in range(1, TASKS):
            graph[("n", i)] = (max, *(("n", j) for j in range(max(0, i - DEPENDENCIES), i)), 1)
        last = client.get(graph, [("n", TASKS - 1)], sync=False, resources={"none": 1})

        # The first reader waits until the collector has walked the graph; the second one gets as much at once as it
        # can.
        edges = TASKS * DEPENDENCIES - 10
        first, sizes = Reader(client), list[int]()
        read_all(first, edges, sizes)
        sizes.clear()
        read_all(Reader(client), edges, sizes)
        assert max(sizes) <= LARGEST <= CREDIT_BYTES, sorted(sizes)[-5:]
        # Not because there was little to send.
        assert sum(sizes) > 2 * LARGEST
        client.cancel(last)


def log_of(source: Any) -> RowLog:
    """Where a source keeps its rows."""
    log = source._log
    assert isinstance(log, RowLog)
    return log


def test_long_lines_of_logs_come_in_answers_that_a_slow_link_can_bear() -> None:
    source = LogsSource()
    line = {"time": 1e9, "level": 30, "server": 1, "name": "w", "logger": "distributed.worker"}
    texts = [f"{i} " + ("é" if i % 2 else "x") * 3_990 for i in range(500)]
    # One that is longer than an answer comes alone.
    texts[7] = "y" * 400_000
    log_of(source).add([{**line, "text": text} for text in texts], {"servers": 1})
    cursor, found, sizes = 0, list[str](), list[int]()
    while cursor != source.end:
        body, cursor = source.read(cursor)
        found += body["s"]["text"]
        envelope = {"feed": "f", "epoch": 0, "time": 1e9, "cursor": {}, "names": {}}
        sizes.append(len(encode({**envelope, "topics": {"logs": body}}, 0)))
    assert found == texts
    assert max(sizes) <= LARGEST
    # The lines of a quiet log come in few.
    log_of(source).add([{**line, "text": "short"}] * 300, {"servers": 1})
    body, cursor = source.read(cursor)
    assert (len(body["s"]["text"]), cursor) == (300, source.end)


def read_all(reader: Reader, edges: int, sizes: list[int]) -> None:
    """Read until all tasks and dependencies are there; appends the size of each answer as a frame."""
    end = time.monotonic() + 180
    sizes.append(len(encode(reader.read(), 0)))
    while len(reader.edges) < edges or len(reader.tasks) < 9000:
        assert time.monotonic() < end, (len(reader.edges), len(reader.tasks))
        sizes.append(len(encode(reader.read(timeout=1.0), 0)))

"""Disk intervals on the scheduler's clock, on a real cluster that spills and by heartbeats with lag."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import dask
from distributed import Client, LocalCluster, wait

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector.clocks import WINDOW, Clocks
from dask_panes.scheduler.collector.names import Names
from dask_panes.scheduler.collector.plugin import PLUGIN_NAME
from reader import Reader

#: Codes of intervals that Dask does not shift to the scheduler's clock.
DISK = {"disk-read": 2, "disk-write": 3, "deserialize": 4}


def test_disk_intervals_are_where_they_belong_also_those_from_before_the_first_pane(tmp_path: Path) -> None:
    rules = {"target": 0.5, "spill": False, "pause": False, "terminate": False}
    with dask.config.set({f"distributed.worker.memory.{rule}": value for rule, value in rules.items()}):
        cluster = LocalCluster(
            n_workers=1,
            threads_per_worker=1,
            memory_limit="400MB",
            processes=False,
            protocol="tcp",
            dashboard_address=None,
            local_directory=str(tmp_path),
            silence_logs=logging.CRITICAL,
        )
    with cluster, Client(cluster) as client:
        client.get_task_stream()
        client.sync(ship.register, client)

        def offset(dask_scheduler: Any) -> float:
            (address,) = dask_scheduler.workers
            return float(dask_scheduler.plugins[PLUGIN_NAME].names.clock_delay(address))

        end = time.monotonic() + 180
        while not 0 < abs(client.run_on_scheduler(offset)) < 0.01:
            assert time.monotonic() < end
            time.sleep(0.2)

        # Far more than a busy machine delays the worker's own heartbeats, which the estimate of its clock is from.
        error = 3.0

        def lag(dask_scheduler: Any) -> None:
            # Heartbeats of a scheduler that is busy with something else.
            for ws in dask_scheduler.workers.values():
                ws.time_delay, ws.last_seen = ws.time_delay + error, ws.last_seen + 1e-3

        # Dask reports intervals from 5 ms on.
        held = client.map(lambda i: bytes([i % 256]) * 40_000_000, range(10), pure=False)
        wait(held)
        client.run_on_scheduler(lag)
        wait(client.map(len, held))
        reader = Reader(client)
        reader.arrive()
        # One host, one clock: what the worker itself has noted is the truth.
        truth = sorted(
            (interval["start"], DISK[interval["action"]])
            for row in client.get_task_stream()
            for interval in row["startstops"]
            if interval["action"] in DISK
        )
        moves = sorted((move["start"], move["kind"]) for move in reader.moves if move["kind"] in DISK.values())
        assert len(moves) == len(truth) > 0
        # The estimate of the clock is as good as the fastest heartbeat, which a busy machine delays.
        assert max(abs(move[0] - true[0]) for move, true in zip(moves, truth)) < error / 3


def beat(delay: float, seen: float, trip: float | None) -> Any:
    metrics = {"digests_total_since_heartbeat": {} if trip is None else {"latency": trip}}
    return SimpleNamespace(address="w", time_delay=delay, last_seen=seen, metrics=metrics)


def test_the_offset_of_a_clock_is_that_of_the_fastest_heartbeats() -> None:
    names = Names()
    clocks = Clocks(names)

    def after(delay: float, seen: float, trip: float | None = None) -> float:
        clocks.note({"w": beat(delay, seen, trip)})
        return round(names.clock_delay("w"), 6)

    # Nothing is known before the first heartbeat.
    assert after(0, 1.0) == 0
    assert after(5.15, 2.0) == 5.15
    # A round trip is that of the heartbeat before.
    assert after(5.02, 3.0, 0.3) == round((5.02 + 4.85) / 2, 6)
    assert after(5.3, 4.0, 0.04) == 5.0
    # Slow round trips, also one of a heartbeat that was missed, change nothing.
    assert after(5.4, 4.5, 0.6) == 5.0
    assert after(5.4, 4.6, 0.5) == 5.0
    assert after(5.4, 4.7, 0.01) == 5.02
    assert after(5.02, 4.8, 0.5) == round((5.02 + 4.9) / 2, 6)
    # A clock that was set back, or forward, is followed.
    assert after(-2.98, 5.0, 0.04) == -2.98
    assert after(-2.98, 5.5, 0.04) == -3.0
    assert after(9.02, 6.0 + WINDOW, 0.04) == -3.0
    assert after(9.02, 6.0 + 2 * WINDOW, 0.04) == 9.0
    assert after(9.02, 6.0 + 4 * WINDOW, None) == 9.0
    # Another worker at its address has a clock of its own.
    clocks.join(beat(0.001, 1000.0, None))
    assert names.clock_delay("w") == 0.001
    clocks.note({})
    assert not clocks._bounds

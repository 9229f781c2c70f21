"""Blocks wait for the heartbeats that workers send by themselves, and force none."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import Any

import dask
from distributed import Client, LocalCluster

import dask_panes
from blocks import RecordedBlock, until_idle
from dask_panes.files.block import gathering
from dask_panes.files.block.missing import missing
from dask_panes.kernel.gather.answers import Answers

#: Blocks of the test: a forced heartbeat met one of the worker's own in nearly every one.
BLOCKS = 4


async def wait_a_while(worker: Any) -> int:
    await asyncio.sleep(0.4)
    return 1


def add_metric(dask_worker: Any) -> None:
    # As that of RMM, of cuDF and of GPUs.
    dask_worker.metrics["slow"] = wait_a_while


def compute(x: int) -> int:
    time.sleep(0.05)
    return x


def test_no_worker_is_lost_where_a_metric_waits(tmp_path: Path) -> None:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        processes = client.run(os.getpid)
        client.run(add_metric)
        for n in range(BLOCKS):
            path = tmp_path / f"{n}.dask-run"
            with dask_panes.record(path, client):
                client.gather(client.map(compute, range(20), key=[f"block{n}-{i}" for i in range(20)]))
                until_idle(client)
            assert client.run(os.getpid) == processes
            recorded = RecordedBlock(path)
            assert (recorded.why, recorded.missing) == ("", [])
            assert len([*recorded.rows("tasks")]) == 20
            # All of this block, and nothing of the one before.
            assert recorded.about("activities") == {f"block{n}"}
            assert seconds(recorded) > 20 * 0.05
        assert len(dask_panes.tasks(client)) == 20 * BLOCKS
        assert client.run(os.getpid) == processes


def seconds(recorded: RecordedBlock) -> float:
    """Seconds that tasks ran, by the metrics of the workers' heartbeats."""
    names = {found: names for found, *names in recorded.scalars("activities", "names")}
    return sum(
        row["value"]
        for found, row in recorded.state("activities").items()
        if names[found][0] == "execute" and names[found][3] == "seconds"
    )


class Reach:
    """Two workers, of which one sends no heartbeats."""

    idle = False

    async def workers(self, *_: Any, **__: Any) -> Answers:
        answers = {0: {"time": 5.0}, 1: {"time": 7.0}, 2: {}}
        return Answers(of=answers, failed={3: "no answer"}, refusal="", idle=self.idle, readers=1)

    async def collector(self, name: str, args: dict[str, Any]) -> list[int]:
        assert name == "heartbeats"
        return [server for server, at in args["since"] if at > 6]


def test_a_worker_without_a_heartbeat_is_not_waited_for_longer() -> None:
    reach: Any = Reach()
    clocks, failed, _ = asyncio.run(gathering.clocks_of(reach, 1.0))
    assert (clocks, failed) == ({0: 5.0, 1: 7.0}, {3: "no answer"})
    assert asyncio.run(gathering.unheard(reach, clocks, 0.2)) == {1}
    assert asyncio.run(gathering.unheard(reach, {0: 5.0}, 60.0)) == set()
    # An idle cluster has reported everything.
    reach.idle = True
    assert asyncio.run(gathering.clocks_of(reach, 1.0)) == ({}, {3: "no answer"}, "")


def test_it_is_said_which_workers_sent_none() -> None:
    names = [{"name": f"w{i}"} for i in range(4)]
    assert missing(names, {0: "no answer"}, left=[1], unheard={0, 1, 2}, unheard_first={3})[2:] == [
        "Worker w2 sent no heartbeat at the end of the block: its last figures and activities are missing.",
        "Worker w3 sent no heartbeat at the beginning of the block: its activities may have what it did before.",
    ]


def test_it_is_said_when_workers_refused_requests() -> None:
    (always,), (late,), (early,) = (
        missing([], {}, refusal="r", refusal_first="f"),
        missing([], {}, refusal="r"),
        missing([], {}, refusal_first="f"),
    )
    assert always.startswith("The workers refuse requests (r): their profiles, transfers and log lines are missing")
    assert late.startswith("The workers refused requests at the end (r): profiles, transfers and log lines since they")
    assert early.startswith("The workers refused requests at the beginning (f): profiles, transfers and log lines from")


def test_it_is_said_that_workers_that_refuse_requests_were_not_waited_for(tmp_path: Path) -> None:
    with (
        dask.config.set({"distributed.worker.blocked-handlers": ["run"]}),
        Client(n_workers=1, threads_per_worker=1, dashboard_address=None, processes=False) as client,
    ):
        with dask_panes.record(tmp_path / "run.dask-run", client) as recorder:
            client.submit(abs, -1).result()
        (sentence,) = recorder.missing
        assert "The workers refuse requests" in sentence
        assert "run (distributed.worker.blocked-handlers)" in sentence
        assert "their last figures and activities may be" in sentence

"""Schedulers that take no plugin: what Dask's standard answers contain, on a real kernel and cluster."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Iterator
from math import isnan
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import Client, LocalCluster

from dask_panes.kernel.session.mirror import update_worker
from dask_panes.kernel.session.stand_in import StandIn
from dask_panes.scheduler.collector.metrics import cancelled_tasks
from jupyter import ENVIRONMENT, RealKernel, SharedKernel

BLOCKED = {
    **ENVIRONMENT,
    "DASK_DISTRIBUTED__SCHEDULER__BLOCKED_HANDLERS": '["register_scheduler_plugin", "run_function", "feed"]',
}
CLUSTER = """
import time
from distributed import Client
client = Client(n_workers=2, threads_per_worker=1, memory_limit='4GiB', processes=False, dashboard_address=None)
"""
TOPICS = ["meta", "tasks", "workers", "prefixes", "series", "events", "graph"]


@pytest.fixture(scope="module")
def shared() -> Iterator[SharedKernel]:
    shared = SharedKernel(BLOCKED)
    yield shared
    shared.end()


@pytest.fixture
def kernel(shared: SharedKernel) -> Iterator[RealKernel]:
    kernel = shared.lend()
    kernel.run(CLUSTER)
    yield kernel
    shared.take_back()


def fold(kernel: RealKernel, rows: int, seconds: float = 180) -> dict[str, Any]:
    """What a pane knows once it has received this number of executions and the states after them."""
    subscription = kernel.subscribe()
    key = subscription.clients[0]["key"]
    subscription.want(key, TOPICS)
    seen: dict[str, Any] = {"client": key, "rows": 0, "erred": 0, "workers": {}, "prefixes": {}, "topics": set()}
    names: list[str] = []
    for frame in subscription.frames(key, seconds):
        names += frame["names"].get("prefixes", {}).get("values", [])
        topics = frame["topics"]
        seen["topics"] |= set(topics)
        if "tasks" in topics:
            seen["rows"] += len(topics["tasks"]["c"]["start"])
            seen["erred"] += sum(topics["tasks"]["c"]["status"])
        for topic, kept in (("workers", seen["workers"]), ("prefixes", seen["prefixes"])):
            columns = topics.get(topic, {}).get("c", {})
            for i, row in enumerate(columns.get("id", ())):
                kept[row] = {name: values[i] for name, values in columns.items()}
        done = sum(row["memory"] + row["erred"] for row in seen["prefixes"].values())
        if seen["rows"] == rows == done and {"workers", "series", "meta"} <= seen["topics"]:
            break
    seen["prefixes"] = {names[row]: states for row, states in seen["prefixes"].items()}
    return seen


def test_tasks_counts_and_workers_are_those_of_dask(kernel: RealKernel) -> None:
    kernel.run("good = client.map(abs, range(30))\nclient.gather(good)\nbad = client.submit(int, 'x')")
    kernel.run("bad.exception()\ntime.sleep(1)")
    seen = fold(kernel, 31)
    assert (seen["rows"], seen["erred"]) == (31, 1)
    assert seen["prefixes"]["abs"]["memory"] == 30
    assert seen["prefixes"]["int"]["erred"] == 1
    assert seen["topics"] == {"meta", "tasks", "workers", "prefixes", "series"}
    limits = kernel.run("print(*(w['memory_limit'] for w in client.cluster.scheduler_info['workers'].values()))")
    assert [int(row["memory_limit"]) for row in seen["workers"].values()] == [int(n) for n in limits.split()]
    assert all(row["process"] > 0 for row in seen["workers"].values())
    # What these answers do not contain is unknown, which is not the same as nothing.
    unknown = ("occupancy", "unmanaged_recent")
    assert all(isnan(row[name]) for row in seen["workers"].values() for name in unknown)
    keys = {kernel.ask("request", client=seen["client"], name="key", args={"row": n})["key"] for n in range(31)}
    assert keys == set(kernel.run("print(*(f.key for f in [*good, bad]))").split())


def test_what_is_missing_and_why_is_reported(kernel: RealKernel) -> None:
    client = kernel.subscribe().client(lambda client: bool(client["limited"]))
    assert "blocked-handlers has register_scheduler_plugin" in client["limited"]
    missing = "graph, computations, sizes of results, errors, steals, events, memory thresholds or profile"
    assert f"no queue, occupancy, {missing}" in client["limited"]


def test_what_the_scheduler_does_not_report_is_not_denied(kernel: RealKernel) -> None:
    subscription = kernel.subscribe()
    key = subscription.clients[0]["key"]
    subscription.want(key, ["meta"])
    facts = next(frame["topics"]["meta"]["s"] for frame in subscription.frames(key) if "meta" in frame["topics"])
    # Work stealing is on, and it queues tasks.
    assert "stealing" not in facts
    assert {"queued", "no_worker"} <= {*facts["unknown"]}


def test_a_worker_that_goes_is_reported_as_lost(kernel: RealKernel) -> None:
    kernel.run("client.submit(abs, -1).result()\nclient.cluster.scale(1)")
    subscription = kernel.subscribe()
    key = subscription.clients[0]["key"]
    subscription.want(key, ["workers"])
    states: dict[int, int] = {}
    for frame in subscription.frames(key):
        columns = frame["topics"]["workers"]["c"]
        states.update(zip(columns["id"], columns["status"], strict=True))
        if sorted(states.values()) == [2, 8]:
            break
    assert sorted(states.values()) == [2, 8]


def test_nothing_is_asked_while_nobody_looks(kernel: RealKernel) -> None:
    fold(kernel, 0, 2)
    # The one that was there before is replaced, and the last one leaves.
    kernel.subscribe().ask("unsubscribe")
    counting = """
handlers = client.cluster.scheduler.handlers
asked, identity = [], handlers['identity']
handlers['identity'] = lambda *args, **kwargs: (asked.append(1), identity(*args, **kwargs))[1]
"""
    kernel.run(counting)
    # Some seconds after the last reader only the client itself asks, every two seconds, for its own display.
    end = time.monotonic() + 180
    while int(kernel.run("asked.clear(); time.sleep(3); print(len(asked), end='')")) > 2:
        assert time.monotonic() < end


def test_the_cell_stays_silent(kernel: RealKernel) -> None:
    fold(kernel, 0, 2)
    cell = kernel.start("client.gather(client.map(abs, range(20)))\ntime.sleep(2)")
    assert [message["msg_type"] for message in kernel.finish(cell)] == ["status", "execute_input", "status"]


def test_results_that_were_written_to_disk_are_not_in_memory() -> None:
    mirror = SimpleNamespace()
    spilled = {"memory": 300, "disk": 200}
    update_worker(mirror, {"metrics": {"memory": 5_000, "managed_bytes": 1_000, "spilled_bytes": spilled}})
    assert (mirror.nbytes, mirror.memory.managed, mirror.memory.unmanaged_old, mirror.memory.spilled) == (
        1_000,
        700,
        4_300,
        200,
    )
    # Sizes of results are estimates.
    update_worker(mirror, {"metrics": {"memory": 500, "managed_bytes": 1_000, "spilled_bytes": spilled}})
    assert (mirror.memory.managed, mirror.memory.unmanaged_old) == (500, 0)


def test_a_cancelled_task_is_not_assigned_to_its_worker() -> None:
    mirror = SimpleNamespace()
    counts = {"executing": 1, "cancelled": 2, "memory": 5, "waiting": 3}
    update_worker(mirror, {"metrics": {"task_counts": counts}, "nthreads": 4})
    assert (len(mirror.processing), len(mirror.executing), cancelled_tasks(mirror)) == (4, 1, 2)


def test_data_that_a_worker_fetches_from_others_is_no_task_of_it() -> None:
    mirror = SimpleNamespace()
    counts = {"executing": 1, "waiting": 1, "ready": 2, "fetch": 30, "flight": 20, "missing": 1}
    update_worker(mirror, {"metrics": {"task_counts": counts}, "nthreads": 4})
    assert (len(mirror.processing), len(mirror.executing)) == (4, 1)


async def test_an_answer_that_cannot_be_used_is_reported_and_not_printed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with (
        LocalCluster(n_workers=1, processes=False, dashboard_address=None, asynchronous=True) as cluster,
        Client(cluster, asynchronous=True) as client,
    ):
        stand_in = StandIn(lambda name, **args: getattr(client.scheduler, name)(**args))
        await stand_in.begin()

        async def raises(*expected: str) -> None:
            found: list[str] = ["?"]
            while (*found,) != expected:
                try:
                    found = []
                    await stand_in.read("tab", topics=["meta"], timeout=0.1)
                except KeyError as error:
                    found = [str(error)]
                await asyncio.sleep(0.01)

        with monkeypatch.context() as broken:
            broken.setattr(stand_in, "_take_states", lambda counts: counts["odd"])
            await asyncio.wait_for(raises("'odd'"), 30)
        await asyncio.wait_for(raises(), 30)
        await stand_in.close()
        gc.collect()
    # A future of tornado that timed out may be logged, too, from the end of an earlier cluster.
    assert "KeyError" not in caplog.text

"""The hardware of workers, measured on request with Dask's own benchmarks."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from distributed import Client, LocalCluster, Worker

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector import hardware
from dask_panes.scheduler.collector.duties import run_at_once
from dask_panes.scheduler.collector.faults import Refusal
from dask_panes.scheduler.collector.hardware import FAILURES, KINDS, Hardware
from dask_panes.scheduler.collector.names import Names
from reader import Reader, rows
from test_collector_parts import Thing

DISK = {"1 kiB": 1000.0, "100 kiB": 5e6}
MEMORY = {"2 kiB": 7e8}


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=3, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        yield cluster


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as client:
        client.sync(ship.register, client)
        yield client


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """What workers answer, without the load."""

    async def network(*, rpc: Any, address: str) -> dict[str, float]:
        return {"1 MiB": 2e9}

    monkeypatch.setattr("distributed.worker.benchmark_disk", lambda rootdir: dict(DISK))
    monkeypatch.setattr("distributed.worker.benchmark_memory", lambda: dict(MEMORY))
    monkeypatch.setattr("distributed.worker.benchmark_network", network)


class HardwareReader:
    """The newest body of the topic."""

    def __init__(self, client: Client) -> None:
        self.reader = Reader(client)

    @property
    def body(self) -> dict[str, Any]:
        bodies = [answer["topics"]["hardware"] for answer in self.reader.answers if "hardware" in answer["topics"]]
        return dict(bodies[-1]) if bodies else {"s": {"state": ""}}

    def until(self, state: str) -> dict[str, Any]:
        self.reader.until(lambda: self.body["s"]["state"] == state, ["workers", "hardware"])
        return self.body


def ask(client: Client, name: str) -> Any:
    async def rpc() -> Any:
        return await client.scheduler.dask_panes_ask_1(name=name, args={})

    return client.sync(rpc)


def means(body: dict[str, Any]) -> dict[str, dict[float, float]]:
    found: dict[str, dict[float, list[float]]] = {}
    for row in rows(body["c"]):
        found.setdefault(KINDS[int(row["kind"])], {}).setdefault(row["size"], []).append(row["rate"])
    return {kind: {size: sum(of) / len(of) for size, of in sizes.items()} for kind, sizes in found.items()}


def test_the_means_are_those_of_dask_and_stay_until_the_next_run(client: Client) -> None:
    newest = HardwareReader(client)
    assert newest.until("none")["s"]["failures"] == []
    for _ in range(2):
        assert ask(client, "benchmark") == {"workers": 3}
        newest.reader.read(["hardware"])
        body = newest.until("done")
        theirs = client.benchmark_hardware()
        sizes = {"1 kiB": 1024, "100 kiB": 102_400, "2 kiB": 2048, "1 MiB": 2**20}
        assert means(body) == {kind: {sizes[size]: rate for size, rate in of.items()} for kind, of in theirs.items()}
        assert body["s"]["ended"] >= body["s"]["started"] and body["s"]["failed"] == 0
        # Three workers: each has a disk and memory, and one pair a network.
        assert len(rows(body["c"])) == 3 * 3 + 1
    # A late reader gets the result, too.
    assert len(rows(HardwareReader(client).until("done")["c"])) == 10


def test_one_run_at_a_time(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()
    monkeypatch.setattr("distributed.worker.benchmark_disk", lambda rootdir: gate.wait(60) and dict(DISK))
    newest = HardwareReader(client)
    ask(client, "benchmark")
    body = newest.until("running")
    assert body["s"]["stage"] == "disk" and body["s"]["workers"] == 3
    assert "already being measured" in ask(client, "benchmark")["refused"]
    gate.set()
    newest.until("done")


def test_what_a_site_blocks_for_dasks_own_client_is_blocked_here(
    cluster: LocalCluster, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster.scheduler, "blocked_handlers", ["benchmark_hardware"])
    assert "blocked-handlers: benchmark_hardware" in ask(client, "benchmark")["refused"]


def alone(cluster: LocalCluster, begin: Callable[[Hardware], Any]) -> dict[str, Any]:
    """A part by itself on the real scheduler, until it has ended."""
    scheduler = cluster.scheduler

    async def run() -> dict[str, Any]:
        names = Names()
        for address in scheduler.workers:
            names.add_worker({"address": address})
        part = Hardware(names, lambda: None)
        part.begin(scheduler)
        begin(part)
        while part._task is not None:
            await asyncio.sleep(0.01)
        return part.read(0)[0]

    body: dict[str, Any] = cluster.sync(run)
    return body


def test_a_worker_that_leaves_or_fails_costs_its_own_figures_only(
    cluster: LocalCluster, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def join() -> Worker:
        return await Worker(cluster.scheduler_address, name="leaves", nthreads=1, dashboard_address=":0")

    leaver: Any = cluster.sync(join)
    waits, goes = threading.Event(), threading.Event()

    def disk(rootdir: str) -> dict[str, float]:
        if rootdir == leaver.local_directory:
            waits.set()
            goes.wait(60)
        return dict(DISK)

    def leave(part: Hardware) -> None:
        async def close() -> None:
            while not waits.is_set():
                await asyncio.sleep(0.01)
            await cluster.scheduler.remove_worker(leaver.address, stimulus_id="test")
            await leaver.rpc.close()
            for comm in list(leaver._comms):
                comm.abort()
            goes.set()
            await leaver.close(nanny=False)

        tasks.append(asyncio.ensure_future(close()))

    tasks: list[Any] = []
    monkeypatch.setattr("distributed.worker.benchmark_disk", disk)
    body = alone(cluster, leave)
    assert body["s"]["state"] == "done"
    assert [address for address, _, _ in body["s"]["failures"]] == [leaver.address]
    assert len(rows(body["c"])) == 3 * 3 + 1


def test_a_worker_without_a_free_thread_is_left_out_in_time(
    cluster: LocalCluster, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()
    monkeypatch.setattr(hardware, "PATIENCE", 0.2)
    monkeypatch.setattr("distributed.worker.benchmark_disk", lambda rootdir: gate.wait(60) and dict(DISK))
    monkeypatch.setattr("distributed.worker.benchmark_memory", lambda: gate.wait(60) and dict(MEMORY))
    try:
        body = alone(cluster, lambda part: None)
    finally:
        gate.set()
    kinds = [kind for _, kind, _ in body["s"]["failures"]]
    assert sorted(kinds) == ["disk"] * 3 + ["memory"] * 3
    assert all("no answer within" in reason for _, _, reason in body["s"]["failures"])
    assert body["s"]["state"] == "done" and set(means(body)) == {"network"}


def test_no_workers_hostile_answers_and_the_end_of_the_collector(
    cluster: LocalCluster, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused() -> None:
        with pytest.raises(Refusal, match="no workers"):
            Hardware(Names(), lambda: None).begin(Thing(workers={}, blocked_handlers=()))

    cluster.sync(refused)
    odd = {"much": 1.0, "1 kiB": "fast", "2 kiB": -1, "3 kiB": float("nan"), "4 kiB": 2**63}
    monkeypatch.setattr("distributed.worker.benchmark_disk", lambda rootdir: odd)
    monkeypatch.setattr("distributed.worker.benchmark_memory", lambda: [])
    body = alone(cluster, lambda part: None)
    assert means(body)["disk"] == {4096: 2.0**63}
    assert body["s"]["failed"] == 3 and len(body["s"]["failures"]) <= FAILURES

    gate = threading.Event()
    monkeypatch.setattr("distributed.worker.benchmark_disk", lambda rootdir: gate.wait(60) and dict(DISK))
    try:
        body = alone(cluster, lambda part: asyncio.get_running_loop().call_later(0.05, lambda: run_at_once(part.end())))
    finally:
        gate.set()
    assert body["s"]["state"] == "failed"
    assert rows(body["c"]) == []

"""First looks at many workers: some workers at a time, no faster than the budget, and no more than is kept."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import Client, LocalCluster

from dask_panes.kernel.gather import logs, probe, profile, transfers
from dask_panes.kernel.gather.answers import PER_WORKER, Answers
from dask_panes.kernel.gather.probe import SCHEDULER, Probe, WorkerReach
from dask_panes.kernel.gather.probes.logs import probe as probe_logs
from dask_panes.kernel.gather.probes.profile import probe as probe_profile
from dask_panes.kernel.gather.probes.transfers import probe as probe_transfers
from dask_panes.kernel.session.session import Session
from tabs import session_of

ECHO = """
def probe(server, say=""):
    return say
"""


class Servers:
    """Answers a collector's question `servers` for so many workers, with a probe that runs here."""

    def __init__(self, workers: int, answer: Any, make: Any) -> None:
        self.servers = {server: make(server) for server in (SCHEDULER, *range(workers))}
        self.answer = answer
        self.asked: list[list[int]] = []

    async def ask(self, name: str, args: dict[str, Any]) -> dict[str, Any]:
        assert name == "servers"
        each = {server: more for server, more in args["each"]}
        ids = [SCHEDULER] if list(each) == [SCHEDULER] else [i for i in self.servers if i >= args["begin"]]
        ids, left = (ids[: args["at_most"]], ids[args["at_most"] :]) if args["at_most"] else (ids, [])
        if ids:
            self.asked.append(ids)
        answers = [
            [i, {"answer": self.answer(self.servers[i], **{**args["arguments"], **each.get(i, {})})}] for i in ids
        ]
        reply = {"answers": answers, "failed": [], "refusal": "", "idle": False, "readers": 1}
        return {**reply, "workers": len(self.servers) - 1, "next": left[0] if left else -1}


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds of all pauses, which take no time."""
    noted: list[float] = []
    sleep = asyncio.sleep

    async def note(seconds: float) -> None:
        if seconds:
            noted.append(seconds)
        await sleep(0)

    for module in (probe, logs, profile, transfers):
        monkeypatch.setattr(module, "asyncio", SimpleNamespace(sleep=note))
    return noted


def log_of(lines: int) -> Any:
    def make(server: int) -> Any:
        records = [logging.makeLogRecord({"msg": f"{server} {i}", "levelno": logging.INFO}) for i in range(lines)]
        return SimpleNamespace(_deque_handler=SimpleNamespace(deque=records, format=logging.Handler().format))

    return make


def patient(session: Session) -> WorkerReach:
    """A reach that waits for every answer, however busy the machine is."""
    return WorkerReach(session.ask, patience=120.0)


def test_workers_are_asked_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "SLICE", 2)
    with (
        LocalCluster(n_workers=5, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
        session_of(client) as session,
    ):
        echo = Probe("echo", ECHO)

        async def look() -> list[Answers]:
            reach = patient(session)
            assert await reach.count() == 5
            slices = reach.slices(echo, {"say": "a"}, {3: {"say": "b"}}, {"say": "c"}, hurry=True)
            return [answers async for answers in slices]

        received = client.sync(look)
        whole = client.sync(patient(session).workers, echo, {"say": "a"})
    assert [answers.of for answers in received] == [{0: "a", 1: "a"}, {2: "a", 3: "b"}, {4: "a"}, {SCHEDULER: "c"}]
    assert whole.of == dict.fromkeys(range(5), "a")
    assert whole.nbytes > 5
    assert whole.pace > 5 * PER_WORKER


def test_a_first_look_at_many_logs_reads_what_is_kept_and_is_paced(pauses: list[float]) -> None:
    servers = Servers(300, probe_logs, log_of(1_000))
    source = logs.LogsSource()
    assert asyncio.run(source.look(WorkerReach(servers.ask)))
    assert max(map(len, servers.asked)) == probe.SLICE
    rows = source.read(0)[0]["s"]
    assert rows["servers"] == 301
    # A fair share of each worker: what is kept of all.
    share = (logs.ROWS - logs.OF_SCHEDULER) // 300
    assert source._next == {SCHEDULER: 1_000, **dict.fromkeys(range(300), 1_000)}
    assert 300 * share <= source._log._next <= 300 * share + 1_000
    # 200 µs for each worker, and what their answers weigh, are 1 % of the time.
    assert sum(pauses) >= 256 * PER_WORKER
    count = source._log._next
    for server in servers.servers.values():
        server._deque_handler.deque.append(logging.makeLogRecord({"msg": "later", "levelno": logging.INFO}))
    asyncio.run(source.look(WorkerReach(servers.ask)))
    assert source._log._next == count + 301


def test_a_first_look_at_few_logs_reads_all_of_them(pauses: list[float]) -> None:
    servers = Servers(2, probe_logs, log_of(500))
    source = logs.LogsSource()
    asyncio.run(source.look(WorkerReach(servers.ask)))
    assert source._log._next == 1_500


def test_a_first_look_at_many_transfers_reads_what_is_kept(pauses: list[float]) -> None:
    def make(server: int) -> Any:
        entries = [
            {"start": i, "stop": i, "total": 1, "compressed": 1, "keys": {"x": 1}, "who": f"tcp://{server + 1}"}
            for i in range(1_000)
        ]
        return SimpleNamespace(
            address=f"tcp://{server}",
            scheduler_delay=0.0,
            transfer_incoming_log=entries,
            transfer_outgoing_log=deque[Any](),
        )

    servers = Servers(500, probe_transfers, make)
    source = transfers.TransfersSource()
    asyncio.run(source.look(WorkerReach(servers.ask)))
    assert source._log._next + len(source._waiting) == transfers.ROWS
    assert sum(pauses) >= 400 * PER_WORKER


def test_a_first_look_at_many_profiles_puts_cycles_together_from_the_first_answer_on(pauses: list[float]) -> None:
    description = {"name": "f", "filename": "f.py", "line_number": 1, "line": "pass"}
    leaf = {"count": 0, "children": {}, "identifier": "f;f.py;1", "description": description}
    tree = {"count": 10, "children": {"f;f.py;1": leaf}, "identifier": "root", "description": {}}

    def make(server: int) -> Any:
        history = deque([(1e9 + i, {"f": tree}) for i in range(600)], maxlen=1_000)
        return SimpleNamespace(profile_keys_history=history, profile_keys={}, io_loop=None, ip="")

    servers = Servers(320, probe_profile, make)
    source = profile.ProfileSource("profile")
    asyncio.run(source.look(WorkerReach(servers.ask)))
    cursor = samples = 0
    while cursor < source.end:
        body, cursor = source.read(cursor)
        dtype, data = body["c"]["samples"]
        samples += sum(memoryview(data).cast({"u1": "B", "u2": "H", "u4": "I"}[dtype]))
    assert samples == 320 * 600 * 10
    assert body["s"]["servers"] == 320
    # 16 workers in full, or as many rows of all.
    assert source._log._rows <= 320 * (600 // 20 + 2)
    assert max(map(len, servers.asked)) == probe.SLICE
    assert sum(pauses) >= 256 * PER_WORKER

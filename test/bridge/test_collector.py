"""The collector against what Dask itself says, on real clusters."""

from __future__ import annotations

import asyncio
import json
import math
import uuid
from array import array
from collections.abc import Callable, Iterator
from math import isnan
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import Client, Event, LocalCluster, wait
from distributed.diagnostics import MemorySampler
from distributed.metrics import time as dask_time

from dask_panes.feed.schema import DTYPES, SCHEMA
from dask_panes.scheduler import ship
from dask_panes.scheduler.collector import plugin
from dask_panes.scheduler.collector.gpus import COLUMNS
from dask_panes.scheduler.collector.plugin import ASK_HANDLER, READ_HANDLER, Collector
from reader import TOPICS, Reader, rows
from restart import restart, restartable


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=None) as cluster:
        yield cluster


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as client:
        client.sync(ship.register, client)
        yield client
        Reader(client).ask("remove")


def until(condition: Callable[[], bool]) -> None:
    end = monotonic() + 180
    while not condition():
        assert monotonic() < end
        sleep(0.05)


def work(x: float, pause: float = 0.001) -> float:
    import time

    time.sleep(pause)
    return x + 1


def fail(x: object) -> None:
    raise ValueError(f"<b>{x}</b>")


def test_executions_are_those_of_get_task_stream(client: Client) -> None:
    client.get_task_stream()  # Dask begins to record with the first call.
    values = client.map(work, range(100), pure=False)
    totals = client.map(lambda *xs: sum(xs), *[values[i::20] for i in range(20)])
    broken = client.submit(fail, 1)
    wait([*totals, broken])
    reader = Reader(client)
    reader.arrive()
    theirs = client.get_task_stream()
    assert len(reader.tasks) == len(theirs)
    moves: dict[int, list[dict[str, float]]] = {}
    for move in reader.moves:
        moves.setdefault(int(move["row"]), []).append(move)
    for i, (row, record) in enumerate(zip(reader.tasks, theirs)):
        compute = [s for s in record["startstops"] if s["action"] == "compute"]
        others = [s for s in record["startstops"] if s["action"] != "compute"]
        worker, thread = reader.names["lanes"][int(row["lane"])]
        assert reader.names["workers"][worker]["address"] == record["worker"]
        assert thread == record["thread"]
        assert (row["status"] == 1) == (record["status"] == "error")
        if compute:
            assert row["start"] == compute[0]["start"]
            assert row["duration"] == pytest.approx(compute[0]["stop"] - compute[0]["start"], rel=1e-6)
        assert row["nbytes"] == pytest.approx(record.get("nbytes") or 0, rel=1e-6)
        assert reader.ask("key", row=i)["key"] == record["key"]
        assert len(moves.get(i, [])) == len(others)
        for move, other in zip(moves.get(i, []), others):
            assert SCHEMA["enums"]["kind"][int(move["kind"])] == other["action"]
            if other["action"] == "transfer":
                assert move["start"] == other["start"]
                assert reader.names["workers"][int(move["peer"]) - 1]["address"] == other["source"]


def test_states_and_memory_of_a_frozen_cluster(client: Client) -> None:
    gate = Event("gate")

    def held(x: int) -> int:
        gate.wait()
        return x

    done = client.map(work, range(30), pure=False)
    wait(done)
    broken = client.map(fail, range(3))
    wait(broken)
    # All threads wait for the gate: nothing moves until it opens.
    blocked = client.map(held, range(10), pure=False)
    after = client.map(work, blocked)
    reader = Reader(client)
    keys = [future.key for future in (*blocked, *after)]
    until(lambda: client.run_on_scheduler(lambda dask_scheduler: all(key in dask_scheduler.tasks for key in keys)))

    def theirs(dask_scheduler: Any) -> dict[str, Any]:
        return {
            "prefixes": {n: dict(p.states) for n, p in dask_scheduler.task_prefixes.items()},
            "workers": {
                a: {
                    "process": ws.memory.process,
                    "managed": ws.memory.managed,
                    "spilled": ws.memory.spilled,
                    "processing": len(ws.processing),
                    "in_memory": len(ws.has_what),
                    "nthreads": ws.nthreads,
                    "memory_limit": ws.memory_limit,
                    "occupancy": ws.occupancy,
                    "last_seen": ws.last_seen,
                    "cpu": ws.metrics["cpu"],
                    "net_read": ws.metrics["host_net_io"]["read_bps"],
                    "net_write": ws.metrics["host_net_io"]["write_bps"],
                    "disk_read": ws.metrics["host_disk_io"]["read_bps"],
                    "disk_write": ws.metrics["host_disk_io"]["write_bps"],
                    "transfer_in": ws.metrics["transfer"]["incoming_bytes"],
                    "transfer_out": ws.metrics["transfer"]["outgoing_bytes"],
                }
                for a, ws in dask_scheduler.workers.items()
            },
            "durations": {n: dict(p.all_durations) for n, p in dask_scheduler.task_prefixes.items()},
            "events": list(dask_scheduler.get_events("mine")),
            "monitor": dask_scheduler.monitor.range_query(dask_scheduler.monitor.count - 2),
            "tick": dask_scheduler._tick_interval_observed,
            "loads": [len(dask_scheduler.idle), len(dask_scheduler.saturated)],
            "loops": [ws.metrics["event_loop_interval"] for ws in dask_scheduler.workers.values()],
        }

    client.log_event("mine", {"action": "look", "n": 1})

    def both(dask_scheduler: Any) -> tuple[Any, Any]:
        # Heartbeats go on: Dask's figures and ours are read in the same moment of the event loop.
        collector = dask_scheduler.plugins["dask-panes-1"]
        collector.workers.scan(dask_scheduler, False)
        collector.prefixes.scan(dask_scheduler)
        list(collector.upkeep.sampling.sample(dask_scheduler, dask_time(), False))
        ours = {
            "workers": collector.workers.read(dask_scheduler, 0)[0]["c"],
            "prefixes": collector.prefixes.read(0)[0]["c"],
            "series": collector.series.read(0)[0]["c"],
            "courses": {a: collector.worker_series.read(collector.names.worker_at(a)) for a in dask_scheduler.workers},
            "events": collector.events.read(0)[0],
        }
        return theirs(dask_scheduler), ours

    def states() -> dict[str, dict[str, float]]:
        names = ("released", "waiting", "queued", "no-worker", "processing", "memory", "erred")
        return {
            reader.names["prefixes"][i]: {name: row[name.replace("-", "_")] for name in names}
            for i, row in reader.rows["prefixes"].items()
        }

    truth: dict[str, Any] = {}
    found: dict[str, Any] = {}

    def agree() -> bool:
        # Tasks of the test before may still be let go.
        nonlocal truth, found
        reader.arrive()
        truth, found = client.run_on_scheduler(both)
        return all(
            counts.items() <= {**dict.fromkeys(counts, 0), **truth["prefixes"][name]}.items()
            for name, counts in states().items()
        )

    until(agree)
    assert states()["held"]["processing"] >= 4
    ours = {reader.names["workers"][int(row["id"])]["address"]: row for row in rows(found["workers"])}
    for address, facts in truth["workers"].items():
        for name, value in facts.items():
            assert ours[address][name] == pytest.approx(value, rel=1e-6), name
    # Over time: sums and extremes of the workers, of their host once, and the course of each.
    newest = rows(found["series"])[-1]
    monitor = truth["monitor"]
    for name, theirs_name in (
        ("cpu", "cpu"),
        ("net_read", "host_net_io.read_bps"),
        ("disk_write", "host_disk_io.write_bps"),
    ):
        assert newest[f"scheduler_{name}"] == pytest.approx(sum(monitor[theirs_name]) / 2, rel=1e-6)
    assert newest["scheduler_memory"] == pytest.approx(monitor["memory"][-1], rel=1e-6)
    assert newest["scheduler_fds"] == monitor["num_fds"][-1]
    assert [newest["scheduler_idle"], newest["scheduler_saturated"]] == truth["loads"]
    assert newest["scheduler_tick"] == pytest.approx(truth["tick"], rel=1e-6)
    assert newest["event_loop_sum"] == pytest.approx(sum(truth["loops"]), rel=1e-6)
    assert newest["event_loop_max"] == pytest.approx(max(truth["loops"]), rel=1e-6)
    # Without gilknocker nobody knows.
    known = "gil_contention" in monitor
    assert not math.isnan(newest["scheduler_gil"]) if known else math.isnan(newest["scheduler_gil"])
    for name in ("cpu", "process", "spilled", "net_read", "disk_write"):
        values = [facts[name] for facts in truth["workers"].values()]
        # Both workers measure the same host, at different moments.
        expected = [max(values)] if name in ("net_read", "disk_write") else values
        for of, value in (("sum", sum(expected)), ("min", min(expected)), ("max", max(expected))):
            assert newest[f"{name}_{of}"] == pytest.approx(value, rel=1e-6), name
        for address, facts in truth["workers"].items():
            assert rows(found["courses"][address])[-1][name] == pytest.approx(facts[name], rel=1e-6), name
    for row in rows(found["prefixes"]):
        durations = truth["durations"][reader.names["prefixes"][int(row["id"])]]
        assert row["compute"] == pytest.approx(durations.get("compute", 0.0))
        assert row["transfer"] == pytest.approx(durations.get("transfer", 0.0))
    texts = found["events"]["s"]
    times = [row["time"] for row in rows(found["events"]["c"])]
    messages = [
        (at, json.loads(text)) for at, topic, text in zip(times, texts["topic"], texts["text"]) if topic == "mine"
    ]
    assert (
        [message for _, message in messages]
        == [message for _, message in truth["events"]]
        == [{"action": "look", "n": 1}]
    )
    # The clock is read twice, some microseconds apart.
    assert messages[0][0] == pytest.approx(truth["events"][0][0], abs=0.01)
    gate.set()
    wait(after)
    gate.clear()


def test_forgotten_tasks_stay_counted(client: Client) -> None:
    def counted(x: int) -> int:
        return x

    def abandoned(x: int) -> int:
        import time

        time.sleep(0.5)
        return x

    finished = client.map(counted, range(40))
    wait(finished)
    broken = client.map(fail, range(5))
    wait(broken)
    cancelled = client.map(abandoned, range(100))
    del finished, broken, cancelled
    reader = Reader(client)

    def count_of(name: str, state: str) -> float:
        names = reader.names["prefixes"]
        return reader.rows["prefixes"].get(names.index(name), {}).get(state, 0) if name in names else 0

    reader.until(lambda: count_of("counted", "forgotten") == 40 and count_of("fail", "forgotten_erred") == 5)
    assert count_of("fail", "forgotten") == 0
    reader.until(
        lambda: (
            sum(count_of("abandoned", state) for state in ("cancelled", "forgotten", "processing", "released")) == 100
        )
    )
    assert count_of("abandoned", "cancelled") > 50


@pytest.mark.parametrize(
    "key",
    [
        "plain",
        "inc-0123456789abcdef0123456789abcdef",
        "inc-0123456789ABCDEF0123456789abcdef",
        "inc-01234567 89abcdef0123456789abcde",
        f"inc-{uuid.UUID(int=7)}",
        f"inc-{str(uuid.UUID(int=2**127)).upper()}",
        ("x-0123456789abcdef0123456789abcdef", 1, 2),
        ("x-0123456789abcdef0123456789abcdef", 3),
        ("x-0123456789abcdef0123456789abcdef", 1, 2, 3, 4),
        ("x-0123456789abcdef0123456789abcdef", 2**40, 0),
        ("x-0123456789abcdef0123456789abcdef", True, 0),
        ("x-0123456789abcdef0123456789abcdef", "part", 0),
        ("nested", ("a", 1)),
        "<img src=x onerror=alert(1)>\n\x00\u202e",
        "é" * 300,
        7,
        2.5,
        b"bytes",
    ],
)
def test_every_key_comes_back_exactly(key: Any) -> None:
    from dask.utils import key_split

    from dask_panes.scheduler.collector.keys import KeyColumn

    column = KeyColumn()
    keys = ["first-0123456789abcdef0123456789abcdef", key, ("last", 1)]
    column.extend(keys, [key_split(k) for k in keys])
    expected = key if isinstance(key, str) else repr(key)
    assert column.text(1, key_split(key)) == expected
    assert column.text(2, "last") == "('last', 1)"


def test_a_worker_that_comes_back_is_a_new_worker(client: Client, cluster: LocalCluster) -> None:
    reader = Reader(client)
    reader.arrive()
    before = len(reader.names["workers"])
    began = client.run_on_scheduler(dask_time)
    # Of workers that were there before the collector, Dask's own log has when they joined.
    assert all(began - 600 < name["joined"] < began for name in reader.names["workers"])
    assert all(isnan(row["left"]) for row in reader.rows["workers"].values())
    cluster.scale(3)
    client.wait_for_workers(3)
    reader.arrive()
    assert len(reader.names["workers"]) == before + 1
    new = before
    joined = reader.names["workers"][new]["joined"]
    assert began <= joined <= client.run_on_scheduler(dask_time)
    leaves = client.run_on_scheduler(dask_time)
    cluster.scale(2)

    def lost() -> list[int]:
        return [i for i, row in reader.rows["workers"].items() if row["status"] == plugin_status("lost")]

    reader.until(lambda: bool(lost()))
    assert len(lost()) == 1
    assert new in reader.rows["workers"]
    assert leaves <= reader.rows["workers"][lost()[0]]["left"] <= client.run_on_scheduler(dask_time)


def plugin_status(name: str) -> int:
    return list(SCHEMA["enums"]["workerStatus"]).index(name)


def test_every_topic_keeps_to_the_schema(client: Client) -> None:
    held = client.map(work, range(20), pure=False)
    client.gather(held)
    client.log_event("mine", {"action": "note", "text": "<b>hello</b>", "nested": [1, {"a": None}]})
    reader = Reader(client)
    with MemorySampler().sample():
        reader.arrive()
        # Tables come whole at first, and then as what has changed.
        client.gather(client.map(work, range(20), pure=False))
        reader.arrive()
        reader.until(lambda: {name for answer in reader.answers for name in answer["topics"]} == set(TOPICS))
    seen = set()
    for answer in reader.answers:
        for topic, body in answer["topics"].items():
            seen.add(topic)
            spec = SCHEMA["topics"][topic]
            # Columns of GPUs are sent where a worker has one.
            gpus = set(COLUMNS) if topic == "workers" else set()
            patterns = {name for name in spec["columns"] if "*" not in name} - gpus
            names = set(body["c"])
            if topic == "series":
                measures = {f"{m}_{end}" for m in SCHEMA["enums"]["measure"] for end in ("sum", "min", "max")}
                assert names == patterns | measures
            else:
                # Without the numbers it is the states of all tasks.
                assert names == patterns or (topic == "states" and names == {"state"})
                for name, (dtype, data) in body["c"].items():
                    assert dtype in spec["columns"][name]["dtype"].split("|"), (topic, name)
                    assert len(data) % DTYPES[dtype]["bytes"] == 0
            assert set(body.get("s", {})) <= set(spec.get("scalars", {})) or topic == "meta"
    assert seen == set(TOPICS)


def test_protocol_agrees_with_the_schema() -> None:
    assert SCHEMA["protocol"] == plugin.PROTOCOL
    from dask_panes.scheduler.collector import measures

    assert list(measures.MEASURES) == SCHEMA["enums"]["measure"]


def test_a_second_registration_keeps_the_history(client: Client) -> None:
    client.gather(client.map(work, range(10), pure=False))
    first = Reader(client)
    first.arrive()
    with Client(client.scheduler.address) as second:
        second.sync(ship.register, second)
        reader = Reader(second)
        reader.arrive()
        assert reader.feed == first.feed
        assert len(reader.tasks) == len(first.tasks) == 10


def test_a_part_that_fails_at_a_restart_leaves_no_other_with_counts_of_before(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise AttributeError("renamed")

    with restartable() as client:
        client.sync(ship.register, client)
        found = client.cluster.scheduler.plugins[plugin.PLUGIN_NAME]
        reader = Reader(client)
        client.gather(client.map(abs, range(-5, 0)))
        reader.until(lambda: len(reader.tasks) == len(reader.graph) == 5)
        epoch = reader.epoch
        monkeypatch.setattr(found.prefixes, "restart", fail)
        restart(client)
        assert [said.split(":")[0] for said in found.faults.messages()] == ["prefixes"]
        reader.until(lambda: reader.epoch == epoch + 1)
        reader.until(lambda: len(reader.tasks) == 5)
        assert (found.graph.end, reader.graph, reader.rows["groups"]) == (0, [], {})


def test_restart_bumps_the_epoch_and_keeps_the_history() -> None:
    with restartable() as client:
        client.sync(ship.register, client)
        client.gather(client.map(work, range(10), pure=False))
        reader = Reader(client)
        reader.arrive()
        epoch = reader.epoch
        restart(client)
        again = Reader(client)
        again.arrive()
        assert again.epoch == epoch + 1
        assert len(again.tasks) == 10
        # A cursor of the old epoch must not look valid: everything comes again.
        reader.arrive()
        assert reader.epoch == epoch + 1
        assert len(reader.tasks) == 10


def test_the_ring_drops_whole_chunks_and_says_how_many() -> None:
    from dask_panes.scheduler.collector.history import CHUNK_ROWS, History
    from dask_panes.scheduler.collector.names import Names

    history = History(Names(), CHUNK_ROWS)
    startstops = [{"action": "compute", "start": 1.0, "stop": 2.0}]
    ts = SimpleNamespace(prefix=SimpleNamespace(name="f"))
    notes: list[Any] = []
    for i in range(3 * CHUNK_ROWS):
        notes += (f"f-{i}", ts, "tcp://w", 1, startstops, 1, "int")
    history.extend(notes, [0, CHUNK_ROWS, 3 * CHUNK_ROWS - 1])
    assert history.first == CHUNK_ROWS
    body, cursor = history.read(10, 100)
    assert body["s"] == {"first": CHUNK_ROWS, "lost": CHUNK_ROWS - 10, "end": 3 * CHUNK_ROWS}
    assert cursor == CHUNK_ROWS + 100
    status = array("B", bytes(history.read(2 * CHUNK_ROWS, CHUNK_ROWS)[0]["c"]["status"][1]))
    assert [i for i, value in enumerate(status) if value] == [CHUNK_ROWS - 1]
    assert history.describe(5) is None
    assert history.describe(CHUNK_ROWS + 5) == {"key": f"f-{CHUNK_ROWS + 5}", "type": "int"}


def test_an_idle_cluster_sends_nothing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.gather(client.map(work, range(10), pure=False))
    reader = Reader(client)

    def quicken(dask_scheduler: Any) -> None:
        dask_scheduler.plugins["dask-panes-1"].idleness.active_at -= 60

    reader.arrive()
    client.run_on_scheduler(quicken)
    reader.until(lambda: any(a["topics"].get("meta", {}).get("s", {}).get("idle_since") for a in reader.answers))
    # What the work did to the workers' CPU and memory leaves their figures with the next heartbeats, and is sent.
    deadline = monotonic() + 90
    while reader.read(timeout=2.5)["topics"]:
        assert monotonic() < deadline, "an idle cluster goes on sending"
    quiet = len(reader.answers) - 1
    # Its result stays: what a worker holds changes with it.
    future = client.submit(work, 1, pure=False)
    future.result()
    reader.until(
        lambda: {"tasks", "workers", "prefixes"} <= {t for a in reader.answers[quiet + 1 :] for t in a["topics"]}
    )


def test_removal_leaves_nothing_but_an_empty_answer(client: Client) -> None:
    Reader(client).ask("remove")

    def look(dask_scheduler: Any) -> dict[str, str]:
        ours = {name: each.__name__ for name, each in dask_scheduler.handlers.items() if name.startswith("dask_panes")}
        return {**ours, **{name: "" for name in dask_scheduler.plugins if name.startswith("dask-panes")}}

    assert client.run_on_scheduler(look) == {READ_HANDLER: "_gone", ASK_HANDLER: "_gone"}
    client.sync(ship.register, client)


def test_a_closed_scheduler_with_a_pending_poll(cluster: LocalCluster) -> None:
    async def run() -> None:
        async with (
            LocalCluster(n_workers=0, processes=False, asynchronous=True, dashboard_address=None) as local,
            Client(local, asynchronous=True) as client,
        ):
            await ship.register(client)
            read = getattr(client.scheduler, READ_HANDLER)
            # The first answer says that there is nothing; then it is waited for.
            first = await read(reader="r", topics=["tasks"], timeout=20)
            assert not rows(first["topics"]["tasks"]["c"])
            place = {name: first[name] for name in ("feed", "epoch", "cursor")}
            poll = asyncio.ensure_future(read(reader="r", topics=["tasks"], timeout=20, **place))
            await asyncio.sleep(0.5)
            assert not poll.done()
        await asyncio.wait({poll}, timeout=15)
        assert poll.done()
        poll.cancelled() or poll.exception()

    asyncio.run(run())


def test_collector_is_a_plugin_that_stays() -> None:
    assert Collector.idempotent is True
    assert "1" in Collector.name


def test_many_workers_are_reported_less_often() -> None:
    collector = Collector()
    intervals = {}
    for count in (10, 1000, 6000):
        collector.scheduler = SimpleNamespace(workers=dict.fromkeys(range(count)))
        intervals[count] = (collector.polls.interval("workers"), collector.polls.interval("prefixes"))
    assert intervals == {10: (0.25, 0.25), 1000: (pytest.approx(1000 / 1500), 0.25), 6000: (4.0, 0.25)}


def stop_clock(monkeypatch: pytest.MonkeyPatch) -> float:
    """Let readers be judged at one moment, however long a test takes; the moment."""
    monkeypatch.setattr("dask_panes.scheduler.collector.pace.time", lambda: 1e9)
    return 1e9


def test_expensive_tables_have_a_rate_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    from dask_panes.scheduler.collector.pace import FIRST_RPC_COST, READ_BUDGET, RPC_COST, Pace

    now = stop_clock(monkeypatch)
    pace = Pace()
    for state in [pace.reader(str(i)) for i in range(3)]:
        state.polls, state.seen, state.wanted = True, now, frozenset(("tasks", "workers", "groups"))
    alone, expensive = pace.floors()
    assert not expensive
    assert alone == pytest.approx((3 * pace.answer_cost + FIRST_RPC_COST + 2 * RPC_COST) / READ_BUDGET)
    # On the scheduler's own loop there is no RPC.
    pace.readers["0"].beside = True
    assert pace.interval == pytest.approx(alone - RPC_COST / READ_BUDGET)
    pace.readers["0"].beside = False
    # Of a thousand workers; and a table that nobody wants any more.
    pace.table_costs = {"workers": 4e-3, "groups": 2e-3, "states": 1.0}
    # Tasks wait twice as long, not for the workers.
    floor, expensive = pace.floors()
    assert floor == pytest.approx(2 * alone)
    assert set(expensive) == {"workers", "groups"}
    spent = (3 * pace.answer_cost + FIRST_RPC_COST + 2 * RPC_COST) / floor
    spent += sum(3 * pace.table_costs[topic] / seconds for topic, seconds in expensive.items())
    assert spent == pytest.approx(READ_BUDGET)


def test_a_table_is_paid_for_with_all_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    from dask_panes.scheduler.collector import polls
    from dask_panes.scheduler.collector.pace import RAREST, TABLE_WEIGHT
    from dask_panes.scheduler.collector.pace import Reader as State
    from dask_panes.scheduler.collector.topic import Topic

    clock = 0.0
    monkeypatch.setattr(polls, "cpu_time", lambda: clock)

    def read(cursor: int) -> tuple[dict[str, Any], int]:
        nonlocal clock
        clock += 2e-3
        return {}, cursor + 1

    collector = Collector()
    end = 5
    collector.topics = {"workers": Topic(0.0, lambda: end, read, lambda: None)}
    state, where = State(), {}

    def send() -> None:
        for _ in range(5):
            collector.polls.answer(["workers"], where, state, 0.0)

    send()
    assert where["workers"] == 5 and not state.portions.cut
    # What a reader gets at first is no rate.
    assert collector.pace.table_costs == {}
    end = 10
    send()
    assert collector.pace.table_costs == {"workers": pytest.approx(TABLE_WEIGHT * 5 * 2e-3)}
    assert not state.portions._costs
    # Rows that change meanwhile wait for their turn.
    end = 15
    chased: list[int] = []
    for _ in range(5):
        collector.polls.answer(["workers"], where, state, 0.0)
        chased.append("workers" in state.portions.cut)
        end += 1
    assert chased == [True, True, True, True, False]
    now = stop_clock(monkeypatch)
    for i in range(100):
        reader = collector.pace.reader(str(i))
        reader.polls, reader.seen, reader.wanted = True, now, frozenset({"workers"})
    assert collector.pace.floors()[1] == {"workers": RAREST}


def test_a_table_that_is_sent_rarely_is_scanned_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    from dask_panes.scheduler.collector.topic import Topic

    scans: list[float] = []
    now = 1000.0
    monkeypatch.setattr("dask_panes.scheduler.collector.upkeep.time", lambda: now)
    collector = Collector()
    upkeep = collector.upkeep
    collector.topics["workers"] = Topic(0.25, lambda: 0, lambda cursor: ({}, 0), lambda: scans.append(now))
    monkeypatch.setattr(type(collector.pace), "wanted", lambda pace: frozenset({"workers"}))
    monkeypatch.setattr(type(collector.pace), "floors", lambda pace: (0.1, {"workers": 2.0}))
    for _ in range(17):
        upkeep._add_scans(now)
        upkeep._duties.finish()
        now += 0.25
    assert scans == [1000.0, 1001.0, 1002.0, 1003.0, 1004.0]


def test_topics_that_wait_for_the_budget_share_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    from dask_panes.scheduler.collector.pace import Reader as State
    from dask_panes.scheduler.collector.topic import Topic

    collector = Collector()
    topics = {"tasks": 0.05, "meta": 0.25, "rare": 1.0, "table": 0.25}
    collector.topics = {name: Topic(interval, lambda: 1, lambda cursor: ({}, 1)) for name, interval in topics.items()}
    # What many kernels make of it: two seconds for an answer to each, four for one with the expensive table.
    monkeypatch.setattr(type(collector.pace), "floors", lambda pace: (2.0, {"table": 4.0}))

    def due(**ages: float) -> list[str]:
        state = State()
        state.sent = {name: 100.0 - age for name, age in ages.items()}
        return collector.polls._due(list(ages), dict.fromkeys(ages, 0), state, 100.0)[0]

    assert due(tasks=2.0, meta=1.5, rare=0.9, table=3.0) == ["tasks", "meta"]
    assert due(tasks=2.0, meta=0.9, rare=1.0) == ["tasks", "rare"]
    # Alone none of them is due.
    assert due(tasks=1.9, meta=1.5, rare=1.9, table=3.9) == []


def test_a_wait_for_the_gil_is_no_cost() -> None:
    from dask_panes.scheduler.collector.pace import EXPENSIVE
    from dask_panes.scheduler.collector.pace import Reader as State
    from dask_panes.scheduler.collector.topic import Topic

    def read(cursor: int) -> tuple[dict[str, Any], int]:
        # What a thread does that waits for its turn.
        sleep(0.02)
        return {}, cursor

    collector = Collector()
    collector.topics = {"table": Topic(0.0, lambda: 0, read, lambda: None)}
    for _ in range(10):
        collector.polls.answer(["table"], {"table": 0}, State(), 0.0)
    assert collector.pace.table_costs["table"] < EXPENSIVE
    assert collector.pace.answer_cost < EXPENSIVE


def test_a_kernel_that_is_gone_takes_no_share(monkeypatch: pytest.MonkeyPatch) -> None:
    from dask_panes.scheduler.collector.pace import BETWEEN_POLLS, FIRST_RPC_COST, READ_BUDGET, RPC_COST, Pace

    now = stop_clock(monkeypatch)
    pace = Pace()
    for state in [pace.reader(name) for name in ("here", "gone", "waits")]:
        state.polls, state.seen = True, now
    assert pace.interval == pytest.approx((3 * pace.answer_cost + FIRST_RPC_COST + 2 * RPC_COST) / READ_BUDGET)
    pace.readers["gone"].seen -= 2 * BETWEEN_POLLS
    without = (2 * pace.answer_cost + FIRST_RPC_COST + RPC_COST) / READ_BUDGET
    assert pace.interval == pytest.approx(without)

    async def wait() -> None:
        pace.readers["waits"].seen -= 2 * BETWEEN_POLLS
        pace.readers["waits"].future = asyncio.get_running_loop().create_future()
        assert pace.interval == pytest.approx(without)

    asyncio.run(wait())

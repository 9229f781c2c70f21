"""The life of a collector: registered, replaced by a newer one, unregistered, closed; and parts of it that fail."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import marshal
import os
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, Event, LocalCluster, Scheduler, Worker, wait
from distributed.metrics import time as dask_time

import dask_panes
from blocks import RecordedBlock
from dask_panes.kernel.options import KernelOptions
from dask_panes.kernel.session.delivery import POLL_SECONDS
from dask_panes.kernel.session.session import Session
from dask_panes.kernel.session.subscriber import Subscriber
from dask_panes.scheduler import ship
from dask_panes.scheduler.collector.plugin import ASK_HANDLER, PLUGIN_NAME, READ_HANDLER, Collector
from dask_panes.scheduler.collector.takeover import CARRIED, LATER
from dask_panes.scheduler.ship import comparable, register
from reader import TOPICS, Reader
from tabs import Tab, session_of

PACKAGE = str(Path(dask_panes.__file__).parent)
OLD = Path(__file__).parents[1] / "fixtures" / "collector-before-versions.json.gz"
#: Seconds for which an old and a new client register in turn.
SECONDS = float(os.environ.get("DASK_PANES_TEST_SECONDS", "1"))


@pytest.fixture
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(
        n_workers=1,
        threads_per_worker=2,
        memory_limit=0,
        processes=False,
        dashboard_address=None,
        silence_logs=logging.CRITICAL,
    ) as cluster:
        yield cluster


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as client:
        yield client


def until(condition: Callable[[], bool], seconds: float = 180) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def registered(client: Client) -> Any:
    client.sync(register, client)
    return plugin_of(client)


def plugin_of(client: Client) -> Any:
    return client.cluster.scheduler.plugins[PLUGIN_NAME]


def test_what_was_not_counted_is_said_after_a_fault_of_ours_is_over(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    collector, reader = registered(client), Reader(client)
    monkeypatch.setattr(sys.modules[type(collector.faults).__module__], "REST", 0.0)

    def is_said(words: str) -> bool:
        reader.arrive(["meta"])
        facts = [each["topics"]["meta"]["s"] for each in reader.answers if "meta" in each["topics"]][-1]
        return any(words in problem for problem in facts["problems"])

    def fails(*_: Any) -> None:
        raise ZeroDivisionError("odd")

    with monkeypatch.context() as broken:
        broken.setattr(collector.computations, "ended", fails)
        wait(client.map(abs, range(3), pure=False))
        until(lambda: is_said("not up to date"), 20)
    wait(client.map(abs, range(3), pure=False))
    until(lambda: is_said("up to 3 executions are not counted"), 20)
    until(lambda: not is_said("not up to date"))


# -- nothing stays --------------------------------------------------------------------------------------------------


async def stand(address: str, client: Client) -> Session:
    """A session with a tab that has got something."""
    session = Session(client, lambda: None, KernelOptions())
    await session.start()
    arrived = asyncio.Event()

    def take(data: bytes, seq: int) -> None:
        arrived.set()
        asyncio.get_running_loop().call_soon(session.acknowledge, subscriber, seq)

    subscriber = Subscriber(take)
    session.add(subscriber, [*TOPICS, "logs"], "", -1, {})
    await client.submit(abs, -1)
    await asyncio.wait_for(arrived.wait(), 60)
    return session


def test_no_task_is_left_when_a_scheduler_closes() -> None:
    async def main() -> None:
        before = asyncio.all_tasks()
        async with (
            Scheduler(dashboard_address=None) as scheduler,
            Worker(scheduler.address, dashboard_address=None),
            Client(scheduler.address, asynchronous=True) as client,
        ):
            session = await stand(scheduler.address, client)
            await session.finish()
        # Some of Dask's own end a moment later; a poll of ours would take twice as long.
        end = time.monotonic() + POLL_SECONDS / 2
        while left := asyncio.all_tasks() - before:
            assert time.monotonic() < end, left
            await asyncio.sleep(0.05)

    asyncio.run(main())


def of_ours() -> list[str]:
    """Files of the tasks that run code of ours: as it is installed, or as it was sent to the scheduler."""
    coroutines: list[Any] = [task.get_coro() for task in asyncio.all_tasks()]
    files = [coroutine.cr_code.co_filename for coroutine in coroutines if hasattr(coroutine, "cr_code")]
    return [file for file in files if file.startswith((PACKAGE, "<dask_panes "))]


@pytest.mark.parametrize("measured", [False, True])
def test_at_the_moment_of_its_end_no_task_is_left(monkeypatch: pytest.MonkeyPatch, measured: bool) -> None:
    """As distributed's own `test_no_dangling_asyncio_tasks`: without a turn of the event loop in which they could end.

    A task that is cancelled and not awaited is one that is left.
    """

    async def main() -> None:
        before, asked = asyncio.all_tasks(), asyncio.Event()

        async def never() -> None:
            asked.set()
            await asyncio.Event().wait()

        async with (
            Scheduler(dashboard_address=None) as scheduler,
            Worker(scheduler.address, dashboard_address=None) as worker,
            Client(scheduler.address, asynchronous=True) as client,
        ):
            session = await stand(scheduler.address, client)
            plugin = scheduler.plugins[PLUGIN_NAME]
            if measured:
                monkeypatch.setitem(worker.handlers, "benchmark_disk", never)
                assert await plugin.ask("benchmark") == {"workers": 1}
                await asked.wait()
            assert of_ours()
            await session.finish()
            # The collector's own may be a module of the scheduler, which has no file.
            assert [file for file in of_ours() if file.startswith(PACKAGE) and "collector" not in file] == []
            assert bool(of_ours()) == measured
            await plugin.close()
            assert not of_ours()
        assert asyncio.all_tasks() == before

    asyncio.run(main())


def test_unregistering_takes_everything_back(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    plugin = registered(client)
    handlers = client.cluster.scheduler.handlers
    assert {READ_HANDLER, ASK_HANDLER} <= handlers.keys()
    client.unregister_scheduler_plugin(PLUGIN_NAME)
    until(lambda: plugin.closed)
    assert plugin._ticker is None
    # A question that was on its way is no error in the scheduler's log.
    with caplog.at_level(logging.WARNING):
        for handler in (READ_HANDLER, ASK_HANDLER):
            assert client.sync(getattr(client.scheduler, handler), reader="late", name="size") is None
    assert not caplog.records
    again = registered(client)
    assert again is not plugin
    assert handlers[READ_HANDLER] == again.read
    # Late questions to the first one are over; the second has its handlers still.
    client.sync(asyncio.sleep, 0.5)
    assert handlers[READ_HANDLER] == again.read


def test_kernels_without_a_pane_find_no_collector_and_leave_no_trace(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    plugin = registered(client)
    with session_of(client) as session:
        client.unregister_scheduler_plugin(PLUGIN_NAME)
        until(lambda: plugin.closed)
        with caplog.at_level(logging.WARNING):
            # As the session does every 20 s for its history of profiles; nobody wants the collector back.
            for _ in range(2):
                with pytest.raises(RuntimeError, match="no collector"):
                    client.sync(session.ask, "servers", {"op": "odd", "install": b"", "arguments": {}, "each": []})
                client.sync(asyncio.sleep, 0.5)
        assert not caplog.records
        assert PLUGIN_NAME not in client.cluster.scheduler.plugins


def test_what_a_user_asks_for_registers_the_collector_again(client: Client) -> None:
    plugin = registered(client)
    with session_of(client) as session:
        client.unregister_scheduler_plugin(PLUGIN_NAME)
        until(lambda: plugin.closed)
        # As a block, a report and `dask_panes.tasks` do first.
        client.sync(session.ready)
        assert plugin_of(client) is not plugin
        assert "cursor" in client.sync(session.ask, "end", {"topics": ["tasks"]})


def test_panes_go_on_after_somebody_has_unregistered_the_collector(client: Client) -> None:
    with session_of(client) as session:
        tab = Tab(client, session).want("tasks", "meta", "logs")
        client.submit(abs, -1).result()
        tab.until(lambda tab: any(len(body["c"]["start"]) for body in tab.bodies("tasks")))
        feed = tab.last["feed"]
        client.unregister_scheduler_plugin(PLUGIN_NAME)
        tab.until(lambda tab: tab.last["feed"] != feed)
        before = len(tab.frames)
        client.submit(abs, -2).result()
        tab.until(lambda tab: any("tasks" in frame["topics"] for frame in tab.frames[before:]))


def test_a_scheduler_that_closes_writes_nothing_about_us(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        async with (
            Scheduler(dashboard_address=None) as scheduler,
            Worker(scheduler.address, dashboard_address=None),
            Client(scheduler.address, asynchronous=True) as client,
            Client(scheduler.address, asynchronous=True) as other,
        ):
            sessions = [await stand(scheduler.address, client), await stand(scheduler.address, other)]
            # Plugins close first, connections later: what is asked meanwhile has nobody to answer it.
            await scheduler.plugins[PLUGIN_NAME].close()
            assert await getattr(client.scheduler, READ_HANDLER)(reader="late") is None
            with pytest.raises(RuntimeError, match="no collector"):
                await sessions[0].ask("size", {})
            for session in sessions:
                await session.finish()

    with caplog.at_level(logging.WARNING):
        asyncio.run(main())
    assert not [record for record in caplog.records if "dask_panes" in record.getMessage() or record.exc_info]


def test_what_a_site_blocks_is_blocked_for_us(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    registered(client)
    scheduler = client.cluster.scheduler
    question = {"op": "odd", "install": b"", "arguments": {}, "timeout": 5}
    for blocked, each in (("broadcast", []), ("run_function", [[-1, {}]])):
        monkeypatch.setattr(scheduler, "blocked_handlers", [blocked])
        answer = client.sync(plugin_of(client).ask, "servers", {**question, "each": each})
        assert (answer["answers"], answer["failed"]) == ([], [])
        assert f"{blocked} (distributed.scheduler.blocked-handlers)" in answer["refusal"]
    monkeypatch.setattr(scheduler, "blocked_handlers", ["call_stack"])
    answer = client.sync(plugin_of(client).ask, "callstack", {"key": "odd"})
    assert "blocked-handlers: call_stack" in answer["refused"]


def test_a_question_without_an_answer_is_no_error_in_a_log(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    registered(client)
    reader = Reader(client)
    with caplog.at_level(logging.WARNING):
        assert "does not know this task" in reader.ask("callstack", key="gone")["refused"]
        assert "knows no request 'dance'" in reader.ask("dance")["refused"]
    assert not caplog.records


# -- versions --------------------------------------------------------------------------------------------------------


def test_versions_are_compared() -> None:
    order = ["0+unknown", "0.1.0.dev3", "0.1.0a1", "0.1.0b2", "0.1.0rc1", "0.1.0", "0.1.1", "0.10", "1.0.0"]
    assert sorted(order, key=comparable) == order


def test_everything_that_is_carried_is_there() -> None:
    collector = Collector()
    for part, names in [*CARRIED.items(), *LATER.items()]:
        assert not [name for name in names if not hasattr(getattr(collector, part), name)], part


@pytest.mark.parametrize("magic", [MAGIC_NUMBER, b"another Python"])
def test_schedulers_run_bytecode_of_the_same_python_only(monkeypatch: pytest.MonkeyPatch, magic: bytes) -> None:
    compiled: list[str] = []

    def compiling(text: str, file: str, mode: str) -> Any:
        compiled.append(file)
        return compile(text, file, mode)

    packed, texts = ship.bytecode(ship.sources()), ship.sources()
    name = f"_bytecode_{len(magic)}"
    space: dict[str, Any] = {"compile": compiling}
    exec(ship.LOADER, space)
    try:
        made = space["load"](name, texts, {"version": (1, 0)}, magic, packed)
        assert type(made).__module__ == f"{name}.plugin"
        # The module's own name, not that of the package which the bytecode is of.
        assert sys.modules[f"{name}.hook"].__package__ == name
        assert len(compiled) == (0 if magic == MAGIC_NUMBER else len(texts))
        # A text that is not the installed one has no bytecode here.
        changed = (*texts[:-1], (texts[-1][0], texts[-1][1] + "\n"))
        assert set(marshal.loads(zlib.decompress(ship.bytecode(changed)))) == {name for name, _ in texts[:-1]}
    finally:
        for module in [module for module in sys.modules if module == name or module.startswith(f"{name}.")]:
            del sys.modules[module]


def registering(monkeypatch: pytest.MonkeyPatch, client: Client, version: str) -> None:
    """Register from a package of another version: its text differs, and so does the module that it becomes."""
    text = (*ship.sources()[:-1], (ship.sources()[-1][0], f"{ship.sources()[-1][1]}\n# {version}\n"))
    with monkeypatch.context() as patch:
        patch.setattr(ship, "sources", lambda: text)
        patch.setattr(ship, "_package_name", lambda: f"_dask_panes_collector_{version.replace('.', '_')}")
        client.sync(register, client, version=comparable(version))


def test_an_old_and_a_new_client_that_register_in_turn(
    cluster: LocalCluster, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    registering(monkeypatch, client, "90.0")
    with Client(cluster) as other:
        reader = Reader(client)
        seen, done, epochs = set(), 0, set()
        end = time.monotonic() + SECONDS
        futures: list[Any] = []
        while time.monotonic() < end:
            for version, who in (("90.0", client), ("91.0", other)):
                registering(monkeypatch, who, version)
                seen.add(id(plugin_of(client)))
                futures = client.map(abs, range(done, done + 50), key=[f"odd-{done + i}" for i in range(50)])
                wait(futures)
                done += 50
                reader.read()
                epochs.add((reader.feed, reader.epoch))
        reader.arrive()
        # The first one was there already when the second came: one takeover, with everything in it.
        assert len(seen) == 2
        assert len(epochs) == 2
        assert len({feed for feed, _ in epochs}) == 1
        assert plugin_of(client).version == comparable("91.0")
        assert [len(reader.tasks), len(reader.names["workers"])] == [done, 1]
        # Two threads may end the first two in either order.
        assert reader.ask("key", row=0)["key"] in ("odd-0", "odd-1")
        row = reader.rows["prefixes"][reader.names["prefixes"].index("odd")]
        assert row["memory"] + row["forgotten"] == done
        assert reader.answers[0]["topics"] and plugin_of(client).meta.problems() == []


def test_a_collector_from_before_versions_is_taken_over(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    old = tuple((name, text) for name, text in json.loads(gzip.decompress(OLD.read_bytes())))
    with monkeypatch.context() as patch:
        patch.setattr(ship, "sources", lambda: old)
        patch.setattr(ship, "_package_name", lambda: "_dask_panes_collector_before_versions")
        plugin = ship.dumps(ship.ShippedCollector())

        async def send() -> None:
            await client.scheduler.register_scheduler_plugin(plugin=plugin, name=PLUGIN_NAME, idempotent=True)

        client.sync(send)
    before = plugin_of(client)
    with session_of(client, KernelOptions()) as session:
        # The session's own client is of the new version: it takes over at once.
        until(lambda: plugin_of(client) is not before)
        tab = Tab(client, session).want(*TOPICS)
        wait(client.map(abs, range(100)))
        tab.until(lambda tab: sum(len(body["c"]["start"]) for body in tab.bodies("tasks")) == 100)
        tab.until(lambda tab: bool(tab.bodies("meta")))
        assert before._ticker is None
        assert session.info()["notice"] == ""
        # What rows hold has changed since then in one part only.
        (problem,) = tab.bodies("meta")[-1]["s"]["problems"]
        assert problem.endswith("only from then on: series, computations.")
    assert not [record for record in caplog.records if record.exc_info]


def test_what_an_old_collector_has_seen_is_there_after_the_takeover(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tuple((name, text) for name, text in json.loads(gzip.decompress(OLD.read_bytes())))
    with monkeypatch.context() as patch:
        patch.setattr(ship, "sources", lambda: old)
        patch.setattr(ship, "_package_name", lambda: "_dask_panes_collector_before_versions")
        plugin = ship.dumps(ship.ShippedCollector())

        async def send() -> None:
            await client.scheduler.register_scheduler_plugin(plugin=plugin, name=PLUGIN_NAME, idempotent=True)

        client.sync(send)
    reader = Reader(client)
    wait(client.map(abs, range(200), key=[("odd-1", i) for i in range(200)]))
    reader.until(lambda: len(reader.tasks) == len(reader.graph) == 200)
    feed, epoch = reader.feed, reader.epoch
    registered(client)
    wait(client.map(abs, range(100), key=[("odd-2", i) for i in range(100)]))
    reader.arrive()
    assert (reader.feed, reader.epoch) == (feed, epoch + 1)
    assert len(reader.tasks) == 300
    assert reader.ask("key", row=199)["key"].startswith("('odd-1', ")
    assert [lane[0] for lane in reader.names["lanes"]] == [0] * len(reader.names["lanes"])
    assert len(reader.graph) == 300
    # Registered again, and by an older one: nothing happens.
    registered(client)
    registering(monkeypatch, client, "0.0.0.dev0")
    assert (plugin_of(client).epoch, plugin_of(client).version) == (epoch + 1, comparable(ship.version()))


def test_computations_go_on_after_the_takeover(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    registering(monkeypatch, client, "90.0")
    wait(client.map(abs, range(10)))
    gate = "takeover"
    blocked = client.submit(lambda: Event(gate).wait(), key="blocked-1")
    reader = Reader(client)
    reader.until(lambda: sum(row["left"] for row in reader.rows["computations"].values()) == 1, ["computations"])
    for row in plugin_of(client).computations._rows.values():
        # Versions before did not count these.
        del row.erred_before
    registering(monkeypatch, client, "91.0")
    Event(gate, client=client).set()
    wait(blocked)
    reader.until(lambda: sum(row["left"] for row in reader.rows["computations"].values()) == 0, ["computations"])
    wait(client.map(abs, range(20, 25)))
    reader.arrive(["computations", "meta"])
    assert sum(row["done"] for row in reader.rows["computations"].values()) == 16
    assert {name: row["done"] for (_, name), row in reader.shares.items() if name == "blocked"} == {"blocked": 1}
    assert all(description["client"] == client.id for description in reader.texts.values())
    assert {row["erred_before"] for row in reader.rows["computations"].values()} == {0}
    assert plugin_of(client).meta.problems() == []


def test_a_recording_goes_on_with_its_block_after_the_takeover(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    registering(monkeypatch, client, "90.0")
    before = client.map(abs, range(50), key=[f"odd-{i}" for i in range(50)])
    before.append(client.submit(time.sleep, 1.5, key="odd-99"))
    wait(before)
    path = tmp_path / "run.dask-run"
    with dask_panes.record(path, client):
        within = client.map(abs, range(10), key=[f"odd-{i}" for i in range(50, 60)])
        wait(within)
        registering(monkeypatch, client, "91.0")
        within += client.map(abs, range(5), key=[f"odd-{i}" for i in range(60, 65)])
        wait(within)
    assert plugin_of(client).version == comparable("91.0")
    block = RecordedBlock(path)
    assert len({frame["epoch"] for frame in block.frames}) == 2
    row = block.state("prefixes")[block.names["prefixes"].index("odd")]
    assert (row["memory"], row["compute"] < 1) == (15, True)
    assert sum(len(body["c"]["start"]) for body in block.bodies("tasks")) == 15
    assert len(block._numbers()) == 15
    (group,) = block.state("groups").values()
    assert group["memory"] == 15
    named = {names[0]: names for names in block.scalars("activities", "names")}
    spent = {tuple(named[found][1:]): row["value"] for found, row in block.state("activities").items()}
    assert 0 <= spent.get(("execute", "odd", "thread-noncpu", "seconds"), 0) < 1


def test_errors_steals_and_shuffles_that_have_ended_are_there_after_the_takeover(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    registering(monkeypatch, client, "90.0")
    before = plugin_of(client)
    wait(client.submit(divmod, 1, 0, key="fails-1"))
    client.log_event("stealing", ("confirm", "inc-1", "ready", "tcp://a", "tcp://b", "steal-1"))
    # As one that Dask has forgotten.
    ended = before.shuffles._shuffles[0] = object.__new__(sys.modules[type(before.shuffles).__module__].Shuffle)
    ended.active, ended.start, ended.name, ended.kind, ended.on_disk, ended.at = None, 1.7e9, "s", "k", True, []
    ended.row, ended.figures = (2, 1.7e9, *[1.0] * 5), (1, *[5.0] * 6)
    before.shuffles._next = 1
    before.shuffles._touch(0)
    registering(monkeypatch, client, "91.0")
    after = plugin_of(client)
    assert after is not before
    assert type(after.shuffles._shuffles[0]) is sys.modules[type(after.shuffles).__module__].Shuffle
    reader = Reader(client)
    reader.arrive()
    assert [row["count"] for row in reader.rows["errors"].values()] == [1]
    received = [answer["topics"] for answer in reader.answers]
    assert [len(each["steals"]["s"]) for each in received if "steals" in each] == [1]
    assert [text["name"] for each in received if "shuffles" in each for text in each["shuffles"]["s"]["texts"]] == ["s"]
    # Points of another form start over.
    monkeypatch.setattr(sys.modules[type(after.series).__module__], "OWN", ())
    registering(monkeypatch, client, "92.0")
    assert "series" in plugin_of(client).meta.not_carried


def test_computations_of_another_make_start_over_and_that_is_reported(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    registering(monkeypatch, client, "90.0")
    wait(client.map(abs, range(10)))
    del plugin_of(client).computations._rows[0].span
    registering(monkeypatch, client, "91.0")
    (problem,) = plugin_of(client).meta.problems()
    assert problem.endswith("only from then on: computations.")
    wait(client.map(abs, range(20, 25)))
    reader = Reader(client)
    reader.arrive(["computations"])
    assert [row["done"] for row in reader.rows["computations"].values()] == [5]


def test_what_cannot_be_taken_over_is_reported(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    registering(monkeypatch, client, "90.0")
    wait(client.map(abs, range(10)))
    before = plugin_of(client)
    before.layout = 0
    feed = before.feed
    registering(monkeypatch, client, "91.0")
    after = plugin_of(client)
    assert after is not before
    assert after.feed != feed
    reader = Reader(client)
    wait(client.map(abs, range(10, 15)))
    reader.arrive()
    assert len(reader.tasks) == 5
    problems = [answer["topics"]["meta"]["s"]["problems"] for answer in reader.answers if "meta" in answer["topics"]]
    assert "has replaced an older one" in problems[-1][0]


# -- parts that fail -------------------------------------------------------------------------------------------------


def rests(collector: Any, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let what fails rest shorter, so that a test need not wait."""
    import sys

    name = type(collector).__module__.replace(".plugin", ".faults")
    monkeypatch.setattr(sys.modules[name], "REST", seconds)


def test_panes_go_on_when_the_clock_of_the_scheduler_is_set_back(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = type(registered(client)).__module__.rpartition(".")[0]
    reader = Reader(client)
    wait(client.map(abs, range(10), key=[f"odd-{i}" for i in range(10)]))
    reader.until(lambda: len(reader.tasks) == 10)
    reader.until(lambda: plugin_of(client).series.end > 0)
    points = plugin_of(client).series.end

    def earlier() -> float:
        return float(dask_time()) - 3600

    # Of the scheduler, and of all that runs in it.
    for name, module in list(sys.modules.items()):
        of_scheduler = name == Scheduler.__module__ or name.startswith(f"{package}.")
        if of_scheduler and getattr(module, "time", None) is dask_time:
            monkeypatch.setattr(module, "time", earlier)
    kept = client.map(abs, range(10, 20), key=[f"odd-{i}" for i in range(10, 20)])
    wait(kept)
    reader.until(lambda: len(reader.tasks) == 20, seconds=30)
    found = reader.names["prefixes"].index("odd")
    reader.until(lambda: reader.rows["prefixes"][found]["memory"] == 10, seconds=30)
    reader.until(lambda: plugin_of(client).series.end > points + 1, seconds=30)


def test_a_topic_that_fails_hides_only_itself_and_comes_back(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    scheduler = client.cluster.scheduler
    with session_of(client) as session:
        rests(plugin_of(client), monkeypatch, 0.5)
        tab = Tab(client, session)
        rates = scheduler.bandwidth_types
        # As a later distributed might rename it.
        del scheduler.bandwidth_types
        tab.want(*TOPICS)
        client.submit(abs, -1).result()
        others = [topic for topic in TOPICS if topic not in ("bandwidth", "memory_samples")]
        tab.until(lambda tab: all(tab.bodies(topic) for topic in others))
        tab.until(lambda tab: "bandwidth_types" in "".join(tab.bodies("meta")[-1]["s"]["problems"]))
        assert len(tab.bodies("meta")[-1]["s"]["problems"]) == 1
        scheduler.bandwidth_types = rates
        scheduler.bandwidth_types["odd"] = 1.0
        tab.until(lambda tab: any(["odd", 1.0] in body["s"]["types"] for body in tab.bodies("bandwidth")))
        tab.until(lambda tab: tab.bodies("meta")[-1]["s"]["problems"] == [])
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("step", ["read", "end", "scan", "watch"])
@pytest.mark.parametrize("topic", ["prefixes", "tasks", "states"])
def test_each_step_of_a_topic_may_fail(client: Client, monkeypatch: pytest.MonkeyPatch, topic: str, step: str) -> None:
    def fail(*args: Any) -> Any:
        raise KeyError(step)

    plugin = registered(client)
    rests(plugin, monkeypatch, 0.3)
    working = plugin.topics[topic]
    if getattr(working, step) is None:
        return
    plugin.topics[topic] = working._replace(**{step: fail})
    reader = Reader(client)
    client.submit(abs, -1).result()

    def topics_read() -> set[str]:
        return {name for answer in reader.answers for name in answer["topics"]}

    reader.until(lambda: topics_read() >= {"workers", "series", "meta"} and step in "".join(plugin.meta.problems()))
    # It is tried again, and fails again.
    for _ in range(3):
        reader.read(timeout=0.2)
    assert topic not in topics_read() or step in ("scan", "watch")
    assert step in "".join(plugin.meta.problems())
    plugin.topics[topic] = working
    client.submit(abs, -2).result()

    def back() -> bool:
        reader.read()
        return topic in topics_read() and not plugin.meta.problems()

    until(back)


def test_hooks_that_fail_write_no_log_and_others_go_on(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*args: Any, **kwargs: Any) -> Any:
        raise AttributeError("renamed")

    plugin = registered(client)
    # What a hook raised is reported for as long.
    rests(plugin, monkeypatch, 120)
    reader = Reader(client)
    with caplog.at_level(logging.INFO), monkeypatch.context() as patch:
        for part, method in (
            (plugin.graph, "submit"),
            (plugin.graph, "step"),
            (plugin.events, "add"),
            (plugin.memory_samples, "scan"),
            (plugin.idleness, "look"),
            (plugin.upkeep.sampling, "sample"),
        ):
            patch.setattr(part, method, fail)
        client.log_event("odd", "event")
        wait(client.map(abs, range(10)))
        reader.until(lambda: len(reader.tasks) == 10 and len(plugin.meta.problems()) >= 4)
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize(
    ("part", "method", "hidden"),
    [
        ("attempts", "settle", "attempts"),
        ("memory_samples", "scan", "memory_samples"),
        ("steals", "look", "steals"),
        ("shuffles", "look", "shuffles"),
        ("idleness", "look", "idleness"),
        ("held", "scan", "held"),
    ],
)
def test_a_part_that_fails_in_a_tick_hides_only_itself_also_from_recordings(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, part: str, method: str, hidden: str
) -> None:
    def fail(*args: Any, **kwargs: Any) -> Any:
        raise AttributeError("renamed")

    plugin = registered(client)
    # Shorter than between two ticks: it fails in each of them, and in each question.
    rests(plugin, monkeypatch, 0.0)
    monkeypatch.setattr(getattr(plugin, part), method, fail)
    with dask_panes.record(tmp_path / "one.dask-run", client) as recorder:
        wait(client.map(abs, range(10)))
    assert recorder.tasks == 10
    reader = Reader(client)
    reader.until(lambda: len(reader.tasks) == 10 and bool(reader.rows["prefixes"]))
    reader.until(lambda: reader.cursor.get("series", 0) > 0)
    assert [said.split(":")[0] for said in plugin.meta.problems()] == [hidden]


def test_reads_write_executions_and_ticks_count_them(client: Client) -> None:
    plugin = registered(client)
    reader = Reader(client)
    reader.read(["tasks"])
    counted: list[int] = []
    ended = plugin.computations.ended

    async def watch() -> None:
        plugin._ticker.cancel()
        plugin.computations.ended = lambda keys, *rest: (counted.append(len(keys)), ended(keys, *rest))

    client.sync(watch)
    for first in range(0, 50, 10):
        # Their results are let go, too: of forgotten tasks the graph needs the executions in the ring.
        wait(client.map(abs, range(first, first + 10)))
        reader.until(lambda rows=first + 10: len(reader.tasks) == rows, ["tasks"])
    assert counted == []

    async def tick() -> None:
        plugin.upkeep.tick()

    client.sync(tick)
    assert counted == [50]


def test_executions_that_cannot_be_read_are_left_out_and_counted(client: Client) -> None:
    plugin = registered(client)
    reader = Reader(client)
    held = client.map(abs, range(20))
    wait(held)

    async def add() -> None:
        good = plugin.history
        rows = list(client.cluster.scheduler.tasks.items())[:5]
        address = next(iter(client.cluster.scheduler.workers))
        whole = [{"action": "compute", "start": 1.0, "stop": 2.0}]
        for i, (key, ts) in enumerate(rows):
            # What a later distributed might report: no stop, a size that is not a number, a type that is not a text.
            odd = {1: [{"action": "compute", "start": 1.0}], 3: [{"action": "transfer", "start": 1.0, "stop": "x"}]}
            plugin.notes.pending.extend((key, ts, address, 1, odd.get(i, whole), "x" if i == 4 else 8, "int"))
        plugin.drain()
        assert good.refused == 3

    client.sync(add)
    wait(client.map(abs, range(20, 30)))
    reader.arrive()
    assert len(reader.tasks) == 32
    assert "3 executions are not shown" in plugin.meta.problems()[0]


def test_a_failing_session_says_so_and_goes_on(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from dask_panes.kernel.session import delivery as module

    notices: list[str] = []
    session = Session(client, lambda: notices.append(session.info()["notice"]), KernelOptions())
    client.sync(session.start)
    client.sync(session.ready)
    tab = Tab(client, session).want("tasks", "meta", "logs")
    client.submit(abs, -1).result()
    tab.until(lambda tab: sum(len(body["c"]["start"]) for body in tab.bodies("tasks")) == 1)

    def fail(*args: Any) -> Any:
        raise KeyError("odd")

    with monkeypatch.context() as patch:
        patch.setattr(module, "trim", fail)
        patch.setattr(session.delivery.sources._sources["logs"], "look", fail)
        patch.setattr(session.delivery.sources._sources["logs"], "read", fail)
        client.submit(abs, -2).result()
        # It reads for itself, without what fails.
        tab.until(lambda tab: sum(len(body["c"]["start"]) for body in tab.bodies("tasks")) == 2)
        until(lambda: any("KeyError" in notice for notice in notices))
    with monkeypatch.context() as patch:
        patch.setattr(session.link, "read", fail)
        client.submit(abs, -3).result()
        until(lambda: any("The data from the scheduler" in notice for notice in notices))
    tab.until(lambda tab: sum(len(body["c"]["start"]) for body in tab.bodies("tasks")) == 3)
    until(lambda: session.info()["notice"] == "")
    client.sync(session.finish)

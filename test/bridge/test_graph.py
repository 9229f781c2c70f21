"""The graph of tasks against what Dask itself says, on real clusters."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from dask import delayed
from distributed import Client, Event, LocalCluster, Scheduler, wait

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector import executed as executed_module
from dask_panes.scheduler.collector import graph as graph_module
from dask_panes.scheduler.collector.executed import NONE, Executed
from dask_panes.scheduler.collector.graph import FORGOTTEN, STATES, Graph
from dask_panes.scheduler.collector.groups import Groups
from dask_panes.scheduler.collector.names import Names
from dask_panes.scheduler.collector.plugin import PLUGIN_NAME, Collector
from reader import Reader
from restart import restart, restartable

LOOKED_AT = ["graph", "states", "groups"]


@pytest.fixture
def client() -> Iterator[Client]:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        yield client


def eventually(check: Callable[[], Any], seconds: float = 180) -> None:
    """Let a check pass within a time; its last failure is reported.

    Any: the scheduler's own tables, which a check goes through, may change meanwhile.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            check()
            return
        except Exception:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def scheduler_of(client: Client) -> Scheduler:
    return client.cluster.scheduler


def keys_of(reader: Reader) -> dict[int, str]:
    """Keys of all tasks by number, as the scheduler answers."""
    numbers = list(range(len(reader.graph)))
    found: list[str] = []
    for i in range(0, len(numbers), 200):
        found += reader.ask("numbers", numbers=numbers[i : i + 200])
    return dict(zip(numbers, found))


def text(key: Any) -> str:
    return key if isinstance(key, str) else repr(key)


def test_the_graph_is_that_of_the_scheduler(client: Client) -> None:
    gate = Event("graph")

    def hold(*xs: int) -> int:
        gate.wait()
        return 1

    def root(x: int) -> int:
        gate.wait()
        return x

    def fail(*xs: int) -> None:
        raise ValueError("on purpose")

    done = client.map(lambda x: x, range(5))
    failed = client.submit(fail, done[0])
    after_failed = client.submit(lambda x: x, failed)
    wait([*done, failed])
    held = client.map(hold, done, priority=-1)
    later = client.map(lambda a, b: a, held, done)
    total = delayed(sum)(later).persist()
    roots = client.map(root, range(20))
    nowhere = client.submit(hold, 7, resources={"FPGA": 1})
    tuples = client.get(
        {("t<b>", 0, 1): (hold, 1), ("t<b>", 1, 1): (hold, ("t<b>", 0, 1))}, [("t<b>", 1, 1)], sync=False
    )
    reader = Reader(client)
    scheduler = scheduler_of(client)

    def same() -> None:
        reader.read(LOOKED_AT)
        keys = keys_of(reader)
        assert sorted(keys.values()) == sorted(text(key) for key in scheduler.tasks)
        edges = {(keys[source], keys[target]) for source, target in reader.edges}
        assert edges == {(text(d.key), text(ts.key)) for ts in scheduler.tasks.values() for d in ts.dependencies}
        states = reader.state_names()
        assert {keys[n]: states[n] for n in keys} == {text(ts.key): ts.state for ts in scheduler.tasks.values()}
        for number, row in enumerate(reader.graph):
            ts = next(ts for ts in scheduler.tasks.values() if text(ts.key) == keys[number])
            assert reader.names["prefixes"][int(row["prefix"])] == ts.prefix.name
            assert reader.names["groups"][int(row["group"])] == ts.group.name

    eventually(same)
    assert set(reader.state_names().values()) == {"memory", "erred", "processing", "queued", "waiting", "no-worker"}
    eventually(lambda: groups_are_those_of(reader, scheduler))
    gate.set()
    wait([*later, total, *tuples, *roots])
    eventually(same)
    del nowhere, after_failed


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_dependencies_are_those_of_the_scheduler_few_or_many(client: Client, seed: int) -> None:
    rng = random.Random(seed)
    count = 3 * graph_module.PART
    graph: dict[Any, Any] = {("n", i): (str, i) for i in range(2 * graph_module.PIECE)}
    last = 2 * graph_module.PIECE
    for i in range(last, last + count):
        # A whole part with many dependencies, tasks with more than are recorded at once, and some with none.
        most = rng.choice((0, 1, 3, 12)) if i % 150 else int(1.5 * graph_module.PIECE)
        graph["n", i] = (max, [("n", j) for j in rng.sample(range(i), most)], "")
    # Nothing satisfies the resource: the tasks wait.
    wanted = client.get(graph, list(graph), sync=False, optimize_graph=False, resources={"none": 1})
    reader, scheduler = Reader(client), scheduler_of(client)

    def same() -> None:
        reader.read(LOOKED_AT)
        keys = keys_of(reader)
        edges = [(keys[source], keys[target]) for source, target in reader.edges]
        expected = {(text(d.key), text(ts.key)) for ts in scheduler.tasks.values() for d in ts.dependencies}
        assert len(keys) == len(graph)
        assert len(edges) == len(expected)
        assert set(edges) == expected

    eventually(same)
    client.cancel(wanted)


def groups_are_those_of(reader: Reader, scheduler: Scheduler) -> None:
    reader.read(LOOKED_AT)
    names = reader.names["groups"]
    groups = {names[found]: row for found, row in reader.rows["groups"].items()}
    assert set(groups) == set(scheduler.task_groups)
    for name, group in scheduler.task_groups.items():
        assert {s: groups[name][s.replace("-", "_")] for s in group.states} == group.states
        assert groups[name]["nbytes"] == group.nbytes_total
        assert groups[name]["duration"] == pytest.approx(group.duration)
    edges = {(names[a], names[b]) for a, b in reader.group_edges}
    assert edges == {(d.name, g.name) for g in scheduler.task_groups.values() for d in g.dependencies}


def test_what_is_forgotten_stays_with_what_it_had_come_to(client: Client) -> None:
    reader = Reader(client)

    def fail(x: int) -> None:
        raise ValueError(x)

    values = client.map(lambda x: x, range(20), pure=False)
    total = client.submit(sum, values)
    failed = client.submit(fail, total)
    wait([total, failed])
    eventually(lambda: asserted(reader, {"memory": 21, "erred": 1}))
    keys = keys_of(reader)
    del values, total, failed
    eventually(lambda: asserted(reader, {"forgotten": 21, "erred": 1}))
    eventually(lambda: no_tasks(client))
    assert keys_of(reader) == keys
    assert len(reader.edges) == 21

    # Nobody looks while this goes on; late readers see the whole.
    more = client.map(lambda x: x + 1, range(10), pure=False)
    wait(more)
    del more
    late = Reader(client)
    eventually(lambda: asserted(late, {"forgotten": 31, "erred": 1}))

    def groups_stay() -> None:
        late.read(LOOKED_AT)
        forgotten = {late.names["groups"][n]: row["forgotten"] for n, row in late.rows["groups"].items()}
        # Both maps have a group of this name; Dask made another one for the second.
        assert forgotten == {"lambda": 10, "sum": 1, "fail": 1}

    eventually(groups_stay)
    latest = [a["topics"]["graph"]["s"]["latest"] for a in late.answers if "graph" in a["topics"]]
    assert latest[-1] == 22


def asserted(reader: Reader, states: dict[str, int]) -> None:
    reader.read(LOOKED_AT)
    assert Counter(reader.state_names().values()) == states


def test_a_task_that_is_forgotten_before_its_turn_is_there() -> None:
    """All of it happens within one event, as when a client releases at once what it has submitted."""

    async def scenario() -> None:
        async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
            names = Names()
            graph = Graph(names, Groups(names, print), lambda tasks, time: None)
            graph.begin(scheduler.tasks)
            tasks = [scheduler.new_task(f"f-{i}", None, "released") for i in range(3)]
            tasks[2].add_dependency(tasks[1])
            tasks[1].add_dependency(tasks[0])
            graph.submit(["f-0", "f-1", "f-2"], 1.0)
            for ts in tasks[::-1]:
                dependencies = set(ts.dependencies)
                del scheduler.tasks[ts.key]
                ts.state = "forgotten"
                ts.dependencies = dependencies
                graph.gone.append(ts)
            while graph.step():
                pass
            body, _ = graph.read(0)
            assert [graph.text(n) for n in range(graph.end)] == ["f-2", "f-1", "f-0"]
            assert list(body["c"]["state"][1]) == [FORGOTTEN] * 3
            assert list(zip(graph._source, graph._target)) == [(1, 0), (2, 1)]
            assert graph.number("f-1") == -1

    asyncio.run(scenario())


def test_a_key_that_comes_again_before_its_turn_is_another_task() -> None:
    """Two tasks of one key within one event: the first was forgotten when the second came, and both before a look."""

    async def scenario(numbered: bool) -> None:
        async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
            names = Names()
            graph = Graph(names, Groups(names, print), lambda tasks, time: None)
            graph.begin(scheduler.tasks)
            for i, key in enumerate(["again", "again", "again", "other", "again"]):
                ts = scheduler.new_task(key, None, "released")
                graph.submit([key], float(i))
                while numbered and i == 0 and graph.step():
                    pass
                if i < 4:
                    del scheduler.tasks[key]
                    ts.state = "forgotten"
                    graph.gone.append(ts)
                    graph.endings.update({id(ts): "erred"} if i == 1 else {})
            while graph.step():
                pass
            body, _ = graph.read(0)
            assert [graph.text(n) for n in range(graph.end)] == ["again", "again", "again", "other", "again"]
            states = [STATES[code] for code in body["c"]["state"][1]]
            assert states == ["forgotten", "erred", "forgotten", "forgotten", "released"]
            assert (graph.number("again"), graph.number("other")) == (4, -1)
            assert not graph.endings

    for numbered in (True, False):
        asyncio.run(scenario(numbered))


def test_a_key_that_comes_again_within_one_tick_is_another_task(client: Client) -> None:
    scheduler = scheduler_of(client)
    reader = Reader(client)
    reader.read(LOOKED_AT)
    plugin: Any = scheduler.plugins[PLUGIN_NAME]

    async def stop() -> None:
        plugin._ticker.cancel()

    async def go_on() -> None:
        plugin._wait_for_tick()

    client.sync(stop)

    def fail() -> None:
        raise ValueError

    for function in (int, fail, int):
        future = client.submit(function, key="again")
        wait(future)
        del future
        eventually(lambda: no_tasks(client))
    client.sync(go_on)
    eventually(lambda: asserted(reader, {"forgotten": 2, "erred": 1}))
    assert keys_of(reader) == dict.fromkeys(range(3), "again")
    assert [reader.state_names()[i] for i in range(3)] == ["forgotten", "erred", "forgotten"]
    reader.arrive(["tasks", "graph", "executed"])
    assert [reader.executed[row] for row in range(3)] == [0, 1, 2]


def test_a_key_that_comes_again_is_another_task(client: Client) -> None:
    reader = Reader(client)
    for _ in range(3):
        future = client.submit(lambda: 1, key="again")
        wait(future)
        del future
        eventually(lambda: no_tasks(client))
    eventually(lambda: asserted(reader, {"forgotten": 3}))
    assert set(keys_of(reader).values()) == {"again"}


def no_tasks(client: Client) -> None:
    assert not scheduler_of(client).tasks


def test_a_restart_clears() -> None:
    with restartable() as client:
        client.sync(ship.register, client)
        reader = Reader(client)
        values = client.map(lambda x: x, range(10))
        wait(values)
        eventually(lambda: asserted(reader, {"memory": 10}))
        restart(client)
        eventually(lambda: asserted(reader, {}))
        again = client.map(lambda x: -x, range(4))
        wait(again)
        eventually(lambda: asserted(reader, {"memory": 4}))
        assert len(reader.graph) == 4


def test_details_of_a_task_say_why_it_waits(client: Client) -> None:
    gate = Event("details")

    def hold(x: int) -> int:
        gate.wait()
        return x

    def fail(x: int) -> None:
        raise ValueError("<img src=x onerror=alert(1)>")

    reader = Reader(client)
    first = client.submit(hold, 1, key="first")
    second = client.submit(hold, first, key="second")
    nowhere = client.submit(hold, 3, key="nowhere", resources={"FPGA": 2}, workers=["tcp://127.0.0.1:1"])
    failed = client.submit(fail, 4, key="failed")
    blamed = client.submit(hold, failed, key="blamed")
    wait(failed)
    eventually(lambda: asserted(reader, {"processing": 1, "waiting": 1, "no-worker": 1, "erred": 2}))

    details = reader.ask("task", key="second")
    assert details["state"] == "waiting"
    assert details["lacking"] == 1
    assert [d["key"] for d in details["dependencies"]] == ["first"]
    assert reader.ask("task", number=details["number"]) == details
    details = reader.ask("task", key="first")
    assert details["state"] == "processing"
    assert details["worker"] in {str(ws.name) for ws in scheduler_of(client).workers.values()}
    assert [d["key"] for d in details["dependents"]] == ["second"]
    details = reader.ask("task", key="nowhere")
    assert details["restrictions"] == {
        "workers": ["tcp://127.0.0.1:1"],
        "hosts": [],
        "resources": {"FPGA": 2.0},
        "loose": False,
    }
    details = reader.ask("task", key="failed")
    assert "<img src=x onerror=alert(1)>" in details["exception"]
    assert "in fail" in details["traceback"]
    assert [e["erred"] for e in details["executions"]] == [True]
    details = reader.ask("task", key="blamed")
    assert (details["state"], details["blamed"]) == ("erred", "failed")
    assert details["executions"] == []

    def running() -> None:
        stacks = reader.ask("callstack", key="first")
        assert [stack["key"] for stack in stacks] == ["first"]
        assert "gate.wait()" in "".join(stacks[0]["frames"])

    eventually(running)
    (worker,) = {ts.processing_on.address for ts in [scheduler_of(client).tasks["first"]]}
    stacks = reader.ask("callstack", worker=worker)
    assert "gate.wait()" in {stack["key"]: "".join(stack["frames"]) for stack in stacks}["first"]
    assert "does not know this worker" in reader.ask("callstack", worker="tcp://gone:1")["refused"]
    gate.set()
    wait(second)
    details = reader.ask("task", key="second")
    assert details["state"] == "memory"
    assert details["nbytes"] == scheduler_of(client).tasks["second"].nbytes
    assert details["executions"][0]["duration"] >= 0
    number = details["number"]
    del first, second, nowhere, failed, blamed
    eventually(lambda: asserted(reader, {"forgotten": 2, "cancelled": 1, "erred": 2}))
    details = reader.ask("task", number=number)
    assert (details["known"], details["key"], details["state"]) == (False, "second", "forgotten")
    assert [d["key"] for d in details["dependencies"]] == ["first"]
    assert len(details["executions"]) == 1
    assert reader.ask("task", key="never") == {"known": False, "key": "never", "executions": []}
    assert reader.ask("task", number=12345) == {"known": False, "key": ""}


def test_keys_of_all_kinds_are_found_in_the_ring(client: Client) -> None:
    reader = Reader(client)
    keys: list[Any] = ["plain", ("tuple", 1, 2), ("tuple", 2**40), "f-0123456789abcdef0123456789abcdef", 7]
    graph: dict[Any, Any] = {key: (abs, -1) for key in keys}
    futures = client.get(graph, keys, sync=False)
    wait(futures)
    for known in (True, False):
        for key in keys:
            details = reader.ask("task", key=text(key))
            assert (details["known"], len(details["executions"])) == (known, 1), key
        futures = []
        eventually(lambda: no_tasks(client))


def test_states_are_noted_only_while_somebody_looks(client: Client) -> None:
    def hook(dask_scheduler: Scheduler) -> str:
        plugin = next(p for p in dask_scheduler.plugins.values() if p.__class__.__name__ == "Collector")
        return str(plugin.transition.__qualname__)

    quiet = client.run_on_scheduler(hook)
    reader = Reader(client)
    reader.read(["graph"])
    assert client.run_on_scheduler(hook) == quiet
    reader.read(["graph", "states"])
    assert client.run_on_scheduler(hook) != quiet
    reader.read(["tasks"])

    def not_noted() -> None:
        assert client.run_on_scheduler(hook) == quiet

    eventually(not_noted)


def test_each_execution_leads_to_its_task(client: Client) -> None:
    reader = Reader(client)
    futures = client.map(str, range(300), key=[f"str-{i}" for i in range(300)])
    total = client.submit(len, futures, key="len-1")
    assert total.result() == 300
    # Forgotten tasks, too; a key that comes again is another task.
    del futures, total
    eventually(lambda: no_tasks(client))
    assert client.submit(len, "ab", key="len-1").result() == 2
    topics = ["tasks", "graph", "executed"]

    def compared() -> None:
        reader.arrive(topics)
        keys = keys_of(reader)
        assert len(reader.executed) == len(reader.tasks) == 302
        found = [keys[reader.executed[row]] for row in range(302)]
        assert found == [reader.ask("key", row=row)["key"] for row in range(302)]
        assert sorted(found) == sorted([*(f"str-{i}" for i in range(300)), "len-1", "len-1"])
        assert len(set(reader.executed.values())) == 302

    eventually(compared)


async def test_executions_of_tasks_without_a_number_get_it_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executed_module, "ROWS", 100)
    monkeypatch.setattr(executed_module, "CHUNK", 50)
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        names = Names()
        graph = Graph(names, Groups(names, print), lambda tasks, time: None)
        executed = Executed(graph)
        graph.begin(scheduler.tasks)
        tasks = [scheduler.new_task(f"f-{i}", None, "released") for i in range(400)]
        graph.submit([ts.key for ts in tasks], 1.0)
        executed.note(0, ["f-1", "f-7", "f-1"])
        # Nothing is sent before it is known; of a task that was executed twice, the newest execution is.
        assert (executed.end, executed.read(0)[1]) == (1, 1)
        while graph.step():
            pass
        assert executed.end == 3
        body, cursor = executed.read(0)
        assert (numbers_in(body), body["s"]["first"], cursor) == ([NONE, 7, 1], 0, 3)
        # What is not in the graph is not waited for.
        executed.note(3, ["never", "f-2"])
        assert (numbers_in(executed.read(3)[0]), executed.end) == ([NONE, 2], 5)
        for row in range(5, 505):
            executed.note(row, [f"f-{row % 400}"])
        assert executed.end == 505
        assert 100 <= executed.end - executed.first <= 150
        assert executed.nbytes <= 4 * 150
        # A gap, as after a takeover, and a scheduler that was cleared.
        executed.note(1000, ["f-3"])
        assert (executed.first, numbers_in(executed.read(0)[0])) == (1000, [3])
        executed.restart()
        assert (executed.first, executed.end, numbers_in(executed.read(0)[0])) == (1001, 1001, [])


def numbers_in(body: dict[str, Any]) -> list[int]:
    found = array("I")
    found.frombytes(body["c"]["number"][1])
    return list(found)


async def test_a_hundred_thousand_tasks_do_not_stop_the_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces: list[int] = []
    step = Graph.step

    def counted(self: Graph, tick: bool = False) -> bool:
        # How long a piece takes is measured by the benchmark `blocks`.
        before = self.end
        more = step(self, tick)
        pieces.append(self.end - before)
        return more

    monkeypatch.setattr(Graph, "step", counted)
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        count = 100_000
        tasks = [scheduler.new_task(("f", i), None, "released") for i in range(count)]
        for i, ts in enumerate(tasks[1:], 1):
            for j in {i - 1, i // 2, i // 3}:
                ts.add_dependency(tasks[j])
        collector = Collector()
        await collector.start(scheduler)
        # As Dask does: a collector that is not among the plugins takes itself away.
        scheduler.add_plugin(collector, name=collector.name)
        collector.update_graph(scheduler, client="c", tasks=[ts.key for ts in tasks], keys=set(), annotations={})
        assert len(pieces) <= 1
        while collector.graph.busy:
            await asyncio.sleep(0)
        assert collector.graph.end == count
        assert len(collector.graph._source) == sum(len(ts.dependencies) for ts in tasks)
        assert sum(pieces) == count
        assert max(pieces) <= graph_module.PIECE + graph_module.PART
        await collector.close()


async def test_more_tasks_than_are_kept_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_module, "LIMIT", 1000)
    monkeypatch.setattr(graph_module, "CHUNK", 100)
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        names = Names()
        graph = Graph(names, Groups(names, print), lambda tasks, time: None)
        graph.begin(scheduler.tasks)
        tasks = [scheduler.new_task(f"f-{i}", None, "released") for i in range(5000)]
        for a, b in itertools.pairwise(tasks):
            b.add_dependency(a)
        for i in range(0, 3000, 300):
            graph.submit([ts.key for ts in tasks[i : i + 300]], 1.0)
            while graph.step():
                pass
        assert graph.end == 3000
        assert 1000 <= graph.end - graph.first < 1100
        body, cursor = graph.read(0)
        assert body["s"]["not_kept"] == graph.first == body["s"]["first"]
        assert len(body["c"]["state"][1]) == graph.end - graph.first
        assert cursor == graph.position
        assert graph.text(graph.first - 1) is None
        assert graph.text(2500) == "f-2500"
        assert graph.number("f-0") == -1
        # Of the dependencies, exactly those between tasks that are kept.
        kept = range(graph.first, graph.end)
        assert list(zip(graph._source, graph._target)) == list(itertools.pairwise(kept))
        # A whole graph that is larger than what is kept: its first tasks are never walked.
        graph.submit([ts.key for ts in tasks[3000:]], 1.0)
        while graph.step():
            pass
        assert graph.end == 4000 + 1  # and the task before them, which the first of them needs
        assert graph.read(0)[0]["s"]["not_kept"] == graph.first + 1000


async def test_of_a_task_with_more_dependencies_than_are_kept_the_newest_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_module, "LIMIT", 20)
    monkeypatch.setattr(graph_module, "CHUNK", 10)
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        names = Names()
        graph = Graph(names, Groups(names, print), lambda tasks, time: None)
        graph.begin(scheduler.tasks)
        total = scheduler.new_task("total", None, "released")
        for i in range(100):
            total.add_dependency(scheduler.new_task(f"f-{i}", None, "released"))
        last = scheduler.new_task("last", None, "released")
        for ts in list(total.dependencies)[-3:]:
            last.add_dependency(ts)
        for key in ("total", "last"):
            graph.submit([key], 1.0)
            while graph.step():
                pass
        # The task itself has been dropped; of the last one everything is known.
        assert graph.number("total") == -1
        assert 20 <= graph.end - graph.first < 30
        found = {graph.text(number) for number in graph._source}
        assert found == {ts.key for ts in last.dependencies}
        assert set(graph._target) == {graph.number("last")}


async def followed(sizes: list[int]) -> list[int]:
    """How many tasks each answer has for a reader of graphs of these sizes; it receives all tasks in order."""
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        names = Names()
        graph = Graph(names, Groups(names, print), lambda tasks, time: None)
        graph.begin(scheduler.tasks)
        for i, size in enumerate(sizes):
            keys = [f"f{i}-{j}" for j in range(size)]
            for a, b in itertools.pairwise([scheduler.new_task(key, None, "released") for key in keys]):
                b.add_dependency(a)
            graph.submit(keys, 1.0)
            while graph.step():
                pass
        parts, cursor, edges = [], 0, 0
        while cursor < graph.position:
            body, after = graph.read(cursor)
            assert after > cursor
            assert (body["s"]["first"], body["s"]["first_edge"]) == (sum(parts), edges)
            parts.append(len(body["c"]["state"][1]))
            edges += len(body["m"]["source"][1]) // graph._source.itemsize
            cursor = after
        assert (sum(parts), edges) == (sum(sizes), sum(sizes) - len(sizes))
        body, after = graph.read(cursor)
        assert (len(body["c"]["state"][1]), after) == (0, cursor)
        return parts


async def test_a_graph_is_read_in_parts_and_a_large_slice_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_module, "READ_NODES", 10)
    assert await followed([4] * 7) == [8, 8, 8, 4]
    assert await followed([50, 3, 40, 4, 4]) == [50, 3, 40, 8]
    monkeypatch.setattr(graph_module, "READ_EDGES", 5)
    assert await followed([4] * 3 + [30]) == [4, 4, 4, 30]


async def test_a_scheduler_that_was_cleared_leaves_nothing_to_do() -> None:
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        names = Names()
        graph = Graph(names, Groups(names, print), lambda tasks, time: None)
        graph.begin(scheduler.tasks)
        graph.watch(True)
        ts = scheduler.new_task("f-1", None, "released")
        graph.submit(["f-1"], 1.0)
        while graph.step():
            pass
        noted = (graph.gone, graph.endings, graph.moved)
        graph.gone.append(ts)
        graph.endings[id(ts)] = "erred"
        graph.moved["f-1"] = "memory"
        graph.submit(["f-1"], 2.0)
        graph.restart()
        # The transition hook goes on with the same objects.
        assert all(now is before and not now for now, before in zip((graph.gone, graph.endings, graph.moved), noted))
        assert (graph.busy, graph.end, graph.number("f-1")) == (False, 0, -1)
        # Another task may be where the first one was in memory: it did not err.
        graph.submit(["f-1"], 3.0)
        while graph.step():
            pass
        ts.state = "forgotten"
        graph.gone.append(ts)
        while graph.step():
            pass
        assert [STATES[code] for code in graph.read(0)[0]["c"]["state"][1]] == ["forgotten"]
        # States are still reported: a reader had asked for them before.
        assert graph._changed == {0}


def test_codes_of_states_are_those_of_the_schema() -> None:
    from dask_panes.feed.schema import SCHEMA

    assert list(STATES) == SCHEMA["enums"]["taskState"]

"""Graphs of few tasks, as `client.submit` makes them: they are numbered together, and nothing shows that they are."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import Client, LocalCluster, Scheduler, wait
from distributed.diagnostics.plugin import SchedulerPlugin

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector import graph as module
from dask_panes.scheduler.collector.graph import STATES
from dask_panes.scheduler.collector.halted import FEW, Halted
from dask_panes.scheduler.collector.plugin import PLUGIN_NAME, Collector
from reader import Reader
from test_graph import eventually, keys_of, no_tasks, scheduler_of
from test_graph_alone import World

TOPICS = ["tasks", "graph", "states", "executed", "computations", "prefixes"]


def inc(x: Any) -> Any:
    return x + 1


def add(*xs: Any) -> Any:
    return sum(xs)


def fails(*_: Any) -> None:
    raise ValueError("on purpose")


# -- which graphs, and until when ------------------------------------------------------------------------------------


def collected(world: World, *keys: str) -> bool:
    return world.graph.collect(list(keys)) is not None


def test_new_tasks_of_small_graphs_are_numbered_together_in_their_order() -> None:
    world = World()
    a, b = world.add("f-1"), world.add("g-1")
    world.add("g-2", a, b)
    assert world.graph.collect(["f-1"]) == [a]
    assert collected(world, "g-1")
    assert collected(world, "g-2")
    assert (world.graph.end, world.graph.reading, world.graph.busy, world.arrived) == (0, True, True, [])
    world.graph.walk_together()
    assert (world.graph.reading, world.graph.busy, world.graph._together) == (False, False, {})
    assert [world.graph.text(i) for i in range(3)] == ["f-1", "g-1", "g-2"]
    assert sorted(world.edges()) == [(0, 2), (1, 2)]


@pytest.mark.parametrize(
    "ask",
    [
        lambda graph: graph.position,
        lambda graph: graph.number("other"),
        lambda graph: graph.numbers_of(["other"], -1),
        lambda graph: graph.find("other", "other"),
        lambda graph: graph.publish(),
        lambda graph: graph.step(),
    ],
)
def test_whoever_asks_finds_them(ask: Any) -> None:
    world = World()
    world.add("f-1")
    assert collected(world, "f-1")
    ask(world.graph)
    assert (world.graph.end, world.graph.text(0)) == (1, "f-1")
    assert world.graph.number("f-1") == 0


def test_a_graph_that_comes_after_them_is_numbered_after_them() -> None:
    world = World()
    for key in ("f-1", "f-2", "f-3"):
        world.add(key)
    assert collected(world, "f-1")
    world.submit("f-1", "f-2")
    assert [world.graph.text(i) for i in range(2)] == ["f-1", "f-2"]
    # While another is being walked, none is collected.
    world.graph.submit(["f-1"], 2.0)
    assert not collected(world, "f-3")


def test_known_tasks_come_with_new_ones_unless_they_may_be_computed_again() -> None:
    world = World()
    done, busy, early = world.add("f-1", state="memory"), world.add("f-2", state="processing"), world.add("f-3")
    world.submit("f-1", "f-2")
    total = world.add("sum-1", done, busy)
    # As Dask names those on which a new task depends.
    assert world.graph.collect(["sum-1", "f-1", "f-2"]) == [total, busy]
    assert world.graph.collect(["sum-1", "f-2"]) == [total, busy]
    assert world.graph.collect(["f-1"]) == []
    assert [*world.graph._together] == ["sum-1"]
    done.state = "released"
    world.add("g-1", done)
    assert not collected(world, "g-1", "f-1")
    # One that has its number already, but not its dependencies.
    world.add("h-1", early)
    assert collected(world, "h-1")
    world.graph.walk_together()
    early.dependencies[world.add("e-1")] = None
    assert not collected(world, "f-3")
    world.submit("f-3")
    assert [world.graph.text(i) for i in range(6)] == ["f-1", "f-2", "sum-1", "h-1", "f-3", "e-1"]
    assert sorted(world.edges()) == [(0, 2), (1, 2), (4, 3), (5, 4)]


def test_large_graphs_are_not_collected() -> None:
    world = World()
    for i in range(module.TOGETHER + 10):
        world.add(f"f-{i}")
    world.submit("f-0")
    assert not collected(world, "f-1", "never")
    assert collected(world, "f-1")
    # As many as are numbered in a millisecond, and no more dependencies.
    assert not collected(world, *(f"f-{i}" for i in range(2, module.TOGETHER + 2)))
    world.add("sum-1", *(world.tasks[f"f-{i}"] for i in range(module.TOGETHER)))
    assert not collected(world, "sum-1")
    assert collected(world, *(f"f-{i}" for i in range(2, module.TOGETHER + 1)))
    assert not collected(world, f"f-{module.TOGETHER + 1}")
    world.graph.walk_together()
    assert collected(world, f"f-{module.TOGETHER + 1}")
    assert world.graph.position > 0
    # Many forgotten tasks first lose their numbers.
    world.add("g-1")
    world.forget(*[world.tasks[f"f-{i}"] for i in range(module.BATCH)])
    assert not collected(world, "g-1")


def test_few_are_collected_where_each_has_a_group_of_its_own() -> None:
    world = World()
    for i in range(module.TOGETHER):
        world.add(f"f{i}-1")
    count = 0
    while collected(world, f"f{count}-1"):
        count += 1
    assert count == module.TOGETHER // (1 + module.NEW_GROUP)


def test_a_key_that_was_forgotten_and_comes_again_is_not_collected() -> None:
    world = World()
    old = world.add("f-1")
    # Data that were scattered: a task without a number.
    scattered = world.add("data-1")
    world.add("g-1")
    world.submit("f-1", "g-1")
    world.forget(old, scattered)
    world.add("f-1")
    world.add("data-1")
    assert not collected(world, "f-1")
    assert not collected(world, "data-1")
    world.submit("f-1")
    assert world.graph.number("f-1") == world.graph.end - 1
    assert world.states() == ["forgotten", "waiting", "forgotten", "waiting"]


def test_the_first_graph_after_all_were_forgotten_is_the_latest() -> None:
    world = World()
    for key in ("f-1", "f-2", "f-3", "f-4"):
        world.add(key)

    def latest() -> int:
        return int(world.graph.read(0)[0]["s"]["latest"])

    assert collected(world, "f-1")
    assert collected(world, "f-2")
    world.graph.walk_together()
    assert latest() == 0
    world.forget(world.tasks["f-1"])
    assert collected(world, "f-3")
    assert latest() == 0
    world.graph.walk_together()
    world.forget(world.tasks["f-2"])
    assert collected(world, "f-4")
    assert latest() == 0
    world.add("f-5")
    assert collected(world, "f-5")
    world.forget(world.tasks["f-3"], world.tasks["f-4"], world.tasks["f-5"])
    # Also where some have no number yet.
    world.add("f-6")
    assert collected(world, "f-6")
    world.graph.walk_together()
    assert (latest(), world.graph.text(5)) == (5, "f-6")


def test_those_that_are_forgotten_before_they_are_numbered_end_as_others_do() -> None:
    world = World()
    a, b = world.add("f-1"), world.add("f-2")
    world.add("g-1", a)
    assert collected(world, "f-1")
    assert collected(world, "g-1")
    world.graph.endings[id(b)] = "erred"
    world.forget(world.tasks["g-1"], a)
    # All tasks before it are forgotten.
    assert collected(world, "f-2")
    world.forget(b)
    # A key that comes again is another task.
    world.add("f-2", state="processing")
    assert not collected(world, "f-2")
    world.submit("f-2")
    assert [world.graph.text(i) for i in range(4)] == ["f-1", "g-1", "f-2", "f-2"]
    assert world.states() == ["forgotten", "forgotten", "erred", "processing"]
    assert (world.edges(), world.graph.number("f-2"), world.graph.gone) == ([(0, 1)], 3, [])


def test_forgotten_ones_are_dropped_with_all_that_is_forgotten() -> None:
    world = World()
    gone = world.add("f-1")
    world.add("f-2")
    assert collected(world, "f-1", "f-2")
    world.forget(gone)
    world.graph.drop_gone()
    assert world.graph.position > 0
    assert [world.graph.text(i) for i in range(world.graph.end)] == ["f-2"]


def test_a_restart_drops_them() -> None:
    world = World()
    world.add("f-1")
    assert collected(world, "f-1")
    world.graph.restart()
    assert (world.graph.busy, world.graph.position, world.graph.end) == (False, 0, 0)


def test_those_that_cannot_be_numbered_are_not_tried_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    world.add("f-1")
    assert collected(world, "f-1")
    with monkeypatch.context() as patch:

        def broken(tasks: Any) -> None:
            raise ValueError("odd")

        patch.setattr(world.graph, "_number", broken)
        with pytest.raises(ValueError, match="odd"):
            world.graph.walk_together()
    assert (world.graph.position, world.graph.busy) == (0, False)


def test_tasks_that_a_client_wants_are_not_looked_at_for_whether_they_run() -> None:
    halted = Halted()
    tasks: dict[str, Any] = {f"f-{i}": SimpleNamespace(who_wants={"client"}) for i in range(FEW + 1)}
    tasks["needed"] = SimpleNamespace(who_wants=None)
    keys = [*tasks]
    assert not halted.arrive(keys[:FEW], tasks)
    assert not halted.step(tasks)
    for looked_at in (keys[: FEW + 1], ["f-0", "needed"], ["f-0", "never"]):
        assert halted.arrive(looked_at, tasks)
    assert len(halted._arrived) == 3


# -- what happens before they are numbered ----------------------------------------------------------------------------


@pytest.fixture
def client() -> Iterator[Client]:
    """A cluster whose collector does not tick: only what happens, or who asks, makes it number tasks."""
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)

        async def stop() -> None:
            collector_of(client)._ticker.cancel()

        client.sync(stop)
        yield client


def collector_of(client: Client) -> Any:
    return client.cluster.scheduler.plugins[PLUGIN_NAME]


def waiting(client: Client) -> list[str]:
    """Keys of tasks that have no number yet."""
    return [*collector_of(client).graph._together]


def states_of(reader: Reader) -> dict[str, str]:
    reader.arrive(TOPICS)
    keys, states = keys_of(reader), reader.state_names()
    return {keys[i]: states[i] for i in keys}


def test_tasks_that_end_and_are_forgotten_at_once_are_there_with_their_executions(client: Client) -> None:
    for i in range(3):
        future = client.submit(inc, i, key=f"inc-{i}")
        assert future.result() == i + 1
        del future
        eventually(lambda: no_tasks(client))
    # Nobody has asked yet.
    assert waiting(client) == ["inc-0", "inc-1", "inc-2"]
    reader = Reader(client)
    assert states_of(reader) == dict.fromkeys(["inc-0", "inc-1", "inc-2"], "forgotten")
    assert reader.executed == {0: 0, 1: 1, 2: 2}
    (row,) = reader.rows["prefixes"].values()
    assert (row["memory"] + row["released"] + row["forgotten"], row["order"]) == (3, 0)
    graph = next(a["topics"]["graph"]["s"] for a in reader.answers if "graph" in a["topics"])
    # Before each, all others had been forgotten.
    assert graph["latest"] == 2


def test_tasks_that_depend_on_others_are_numbered_with_these(client: Client) -> None:
    kept = [client.submit(inc, i, key=f"kept-{i}") for i in range(3)]
    gone = client.submit(add, *kept, key="gone")
    later = client.submit(inc, 7, key="later")
    wait([*kept, gone, later])
    assert waiting(client) == ["kept-0", "kept-1", "kept-2", "gone", "later"]
    del gone
    eventually(lambda: asserted_forgotten(client, "gone"))
    assert len(waiting(client)) == 5
    reader = Reader(client)
    assert states_of(reader) == {
        **dict.fromkeys(["kept-0", "kept-1", "kept-2", "later"], "memory"),
        "gone": "forgotten",
    }
    assert reader.edges == {(0, 3), (1, 3), (2, 3)}


def asserted_forgotten(client: Client, key: str) -> None:
    assert key not in scheduler_of(client).tasks


def asserted_waiting(client: Client, keys: list[str]) -> None:
    assert waiting(client) == keys


def test_cancelled_tasks_and_those_of_a_client_that_closes_end_as_cancelled(client: Client) -> None:
    cancelled = client.submit(inc, 1, key="cancelled-1", resources={"none": 1})
    with Client(client.scheduler.address, set_as_default=False) as other:
        closed = other.submit(inc, 2, key="closed-1", resources={"none": 1})
        eventually(lambda: asserted_waiting(client, ["cancelled-1", "closed-1"]))
        cancelled.cancel()
        eventually(lambda: asserted_forgotten(client, "cancelled-1"))
        del closed
    eventually(lambda: no_tasks(client))
    reader = Reader(client)
    assert states_of(reader) == {"cancelled-1": "cancelled", "closed-1": "cancelled"}
    computations = reader.rows["computations"].values()
    assert [(row["tasks"], row["dropped"], row["left"]) for row in computations] == [(1, 1, 0)] * 2


def test_tasks_that_fail_are_tried_again_and_block_others(client: Client) -> None:
    failed = client.submit(fails, 1, key="fails-1")
    wait(failed)
    blocked = client.submit(inc, failed, key="inc-1")
    wait(blocked)
    assert waiting(client) == ["fails-1", "inc-1"]
    failed.retry()
    wait(failed)
    reader = Reader(client)
    assert states_of(reader) == {"fails-1": "erred", "inc-1": "erred"}
    assert set(reader.executed.values()) == {0}
    del failed, blocked
    eventually(lambda: no_tasks(client))
    assert states_of(reader) == {"fails-1": "erred", "inc-1": "erred"}


def test_a_restart_a_takeover_and_the_end_of_the_collector_have_them_all(client: Client) -> None:
    futures = [client.submit(inc, i, key=f"inc-{i}") for i in range(3)]
    wait(futures)
    older = collector_of(client)
    assert len(older.graph._together) == 3

    async def replace() -> None:
        newer = Collector(version=(99,))
        await newer.start(client.cluster.scheduler)
        client.cluster.scheduler.plugins[newer.name] = newer
        newer._ticker.cancel()

    client.sync(replace)
    reader = Reader(client)
    assert states_of(reader) == dict.fromkeys(["inc-0", "inc-1", "inc-2"], "memory")
    assert reader.executed == {0: 0, 1: 1, 2: 2}
    more = client.submit(inc, 3, key="inc-3")
    wait(more)
    assert waiting(client) == ["inc-3"]
    collector = collector_of(client)
    client.sync(collector.close)
    assert collector.graph.text(3) == "inc-3"


def test_one_whose_plugin_is_unregistered_ends_with_what_had_arrived(client: Client) -> None:
    future = client.submit(inc, 1, key="inc-1")
    wait(future)
    collector = collector_of(client)
    client.unregister_scheduler_plugin(PLUGIN_NAME)
    # It hears of no transition any more.
    del future
    eventually(lambda: no_tasks(client))

    async def tick() -> None:
        collector._tick()

    client.sync(tick)
    assert collector.closed
    assert collector.graph.text(0) == "inc-1"


# -- the same as where each is numbered as it comes ------------------------------------------------------------------


class Latest(SchedulerPlugin):  # type: ignore[misc]
    """The first task of the newest graph before which none of those before it was left."""

    def __init__(self) -> None:
        self.left: set[Any] = set()
        self.key = ""

    def update_graph(self, scheduler: Scheduler, *, tasks: list[Any], **kwargs: Any) -> None:
        self.key = self.key if self.left else tasks[0]
        self.left.update(tasks)

    def transition(self, key: Any, start: str, finish: str, *args: Any, **kwargs: Any) -> None:
        if finish == "forgotten":
            self.left.discard(key)


def report_of(collector: Collector) -> dict[str, Any]:
    """What a collector says at last, without times and numbers of tasks."""
    graph = collector.graph
    keys = [graph.text(i) for i in range(graph.end)]
    rows = collector.computations._rows
    return {
        "states": Counter((key, STATES[code]) for key, code in zip(keys, graph._state)),
        "edges": Counter((keys[a], keys[b]) for a, b in zip(graph._source, graph._target)),
        "latest": keys[graph._latest] if graph._latest < graph.end else "",
        "executed": [keys[number] if number < graph.end else "" for number in collector.executed._numbers],
        "late": dict(collector.executed._late),
        "prefixes": {
            name: (episode.computation, episode.order, episode.done, episode.erred, episode.late, bool(episode.until))
            for name, episode in collector.prefixes.episodes._episodes.items()
        },
        "computations": {
            found: (row.submissions, row.tasks, row.left, row.dropped, row.done, row.erred, row.failed, row.again)
            for found, row in rows.items()
        },
        "shares": {
            (found, name): (share.tasks, share.left, share.dropped, share.failed, share.done, share.again)
            for found, shares in collector.computations.shares._of.items()
            for name, share in shares.items()
        },
        "halted": dict(collector.halted.of_prefix),
        "marked": dict(collector.marked),
        "faults": collector.faults.messages(),
    }


@pytest.mark.parametrize("seed", range(4))
def test_a_collector_that_numbers_each_graph_as_it_comes_says_the_same(seed: int) -> None:
    rng = random.Random(seed)

    async def scenario() -> None:
        together, alone = Collector(), Collector()
        together.name, alone.name = "together", "alone"
        # As a graph that is not small: it is walked in the next turn of the event loop.
        alone.graph.collect = lambda keys: None  # type: ignore[method-assign]
        alone.halted.arrive = lambda keys, tasks: bool([alone.halted._arrived.append(keys)])  # type: ignore[method-assign]
        async with LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None, asynchronous=True
        ) as cluster:
            scheduler: Scheduler = cluster.scheduler
            for collector in (together, alone):
                await collector.start(scheduler)
                scheduler.plugins[collector.name] = collector
            scheduler.add_plugin(latest := Latest(), name="latest")
            async with Client(cluster, asynchronous=True) as client:
                await play(client, arrivals(client, scheduler, alone), rng)
            while scheduler.tasks:
                await asyncio.sleep(0.01)
            for collector in (together, alone):
                await collector.upkeep.settle(60.0)
                collector.drain()
            for collector in (together, alone):
                await ticks(collector, 3)
            said, other = report_of(together), report_of(alone)
            # Where all before it were forgotten before the other one walked it, that one takes it for the first.
            assert said.pop("latest") in (latest.key, other.pop("latest"))
            assert said == other
            assert not together.graph._together

    asyncio.run(asyncio.wait_for(scenario(), 180))


async def ticks(collector: Collector, count: int) -> None:
    """Wait until a collector has ticked some times."""
    for _ in range(count):
        before = collector._ticker
        while collector._ticker is before:
            await asyncio.sleep(0.01)


def arrivals(client: Client, scheduler: Scheduler, alone: Collector) -> Callable[[], Awaitable[None]]:
    """What waits until all graphs that a client has submitted have arrived, and a collector has walked them.

    The scheduler takes a graph apart in a thread: on a busy machine, a release may come before that has ended.
    """
    graphs = {"sent": 0, "arrived": 0}
    send, update = client._send_to_scheduler, scheduler.stream_handlers["update-graph"]

    def sent(message: dict[str, Any]) -> None:
        graphs["sent"] += message["op"] == "update-graph"
        send(message)

    async def updated(**given: Any) -> None:
        await update(**given)
        graphs["arrived"] += 1

    async def arrived() -> None:
        while graphs["arrived"] < graphs["sent"] or alone.graph.reading:
            await asyncio.sleep(0.001)

    client._send_to_scheduler = sent
    scheduler.stream_handlers["update-graph"] = updated
    return arrived


async def play(client: Client, arrived: Callable[[], Awaitable[None]], rng: random.Random) -> None:
    """Submit, wait, release, cancel and try again at random."""
    held: list[Any] = []
    for i in range(150):
        choice = rng.random()
        some = rng.sample(held, min(len(held), rng.randrange(3)))
        if choice < 0.45:
            held.append(client.submit(rng.choice((inc, add)), i, key=f"one-{i}"))
        elif choice < 0.55:
            # Perhaps a key that is there, or was.
            held.append(client.submit(inc, 1, key=f"again-{rng.randrange(5)}"))
        elif choice < 0.65:
            held.append(client.submit(add, *some, key=f"sum-{i}"))
        elif choice < 0.7:
            held.append(client.submit(fails, *some, key=f"fails-{i}"))
        elif choice < 0.75:
            held += client.map(inc, range(rng.randrange(1, 8)), key=[f"map-{i}-{n}" for n in range(7)][:8])
        elif choice < 0.8:
            graph = {f"leaf-{i}": (inc, 1), f"mid-{i}": (inc, f"leaf-{i}"), f"top-{i}": (add, f"mid-{i}", f"leaf-{i}")}
            held += client.get(graph, [f"top-{i}"], sync=False, optimize_graph=False)
        elif choice < 0.95:
            # Of what is released in the turn in which it arrives, the other one knows less.
            await arrived()
            if choice < 0.85 and some:
                await client.cancel(some)
                held = [future for future in held if future not in some]
            else:
                rng.shuffle(held)
                del held[: rng.randrange(4)]
        del some
        if rng.random() < 0.3:
            await asyncio.sleep(rng.choice((0, 0.001, 0.01, 0.05)))
    # The last graph is walked while its tasks are there.
    held.append(client.submit(inc, 0, key="last"))
    await held[-1]

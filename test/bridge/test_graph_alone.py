"""The graph of tasks and their executions by themselves: numbers, parts, versions and bounds, without a cluster."""

from __future__ import annotations

import asyncio
from array import array
from typing import Any

import pytest

from dask_panes.scheduler.collector import executed as executed_module
from dask_panes.scheduler.collector import graph as module
from dask_panes.scheduler.collector.executed import Executed
from dask_panes.scheduler.collector.graph import STATES, Graph, watching
from dask_panes.scheduler.collector.groups import Groups
from dask_panes.scheduler.collector.names import Names
from test_groups_alone import Group, group, values

#: Stands for a task that is not in the graph.
NONE = 4_294_967_295


class World:
    """Tasks as a scheduler has them, and their graph."""

    def __init__(self) -> None:
        self.names = Names()
        self.groups = Groups(self.names, pytest.fail)
        self.arrived: list[tuple[list[str], float]] = []
        self.drained = 0
        #: Executions that have ended.
        self.ended = 0
        self.graph = Graph(self.names, self.groups, self.arrive, self.drain, lambda: self.ended)
        self.tasks: dict[str, Any] = {}
        self.of: dict[str, Any] = {}
        self.graph.begin(self.tasks)
        self.steps()

    def arrive(self, tasks: list[Any], time: float) -> None:
        self.arrived.append(([ts.key for ts in tasks], time))

    def drain(self) -> None:
        self.drained += 1

    def add(self, key: str, *dependencies: Any, state: str = "waiting") -> Any:
        name = key.split("-", maxsplit=1)[0]
        its = self.of.setdefault(name, group(name))
        needs = dict.fromkeys(dependencies)
        found = self.tasks[key] = Group(key=key, prefix=its.prefix, group=its, state=state, dependencies=needs)
        return found

    def submit(self, *keys: str, time: float = 1.0) -> None:
        self.graph.submit(list(keys), time)
        self.steps()

    def steps(self) -> int:
        count = 1
        while self.graph.step():
            count += 1
        return count

    def forget(self, *tasks: Any) -> None:
        for ts in tasks:
            self.tasks.pop(ts.key, None)
            ts.state = "forgotten"
            self.graph.gone.append(ts)

    def edges(self) -> list[tuple[int, int]]:
        return list(zip(self.graph._source, self.graph._target))

    def states(self) -> list[str]:
        return [STATES[code] for code in self.graph._state]

    def changes(self, cursor: int) -> dict[int, str]:
        body, _ = self.graph.read_states(cursor)
        columns = {name: values(column) for name, column in body["c"].items()}
        return dict(zip(columns["number"], (STATES[code] for code in columns["state"]), strict=True))


def columns_of(body: dict[str, Any]) -> list[list[int]]:
    return [*map(values, body["c"].values()), *map(values, body["m"].values())]


# -- numbers and dependencies ---------------------------------------------------------------------------------------


def test_tasks_are_numbered_as_they_come_with_their_dependencies_before_their_turn() -> None:
    world = World()
    a, b = world.add("f-1"), world.add("g-1", state="memory")
    world.add("g-2", a, b, state="processing")
    world.add("h-1", state="no-worker")
    world.submit("h-1", "g-2", "f-1", time=5.0)
    graph = world.graph
    # The dependency that was submitted with it has its number already.
    assert [graph.text(i) for i in range(4)] == ["h-1", "g-2", "f-1", "g-1"]
    assert graph.numbers_of(["g-1", "never", "h-1"], 99) == [3, 99, 0]
    assert (graph.number("g-1"), graph.number("never"), graph.first, graph.end) == (3, -1, 0, 4)
    assert world.states() == ["no-worker", "processing", "waiting", "memory"]
    assert world.edges() == [(2, 1), (3, 1)]
    assert world.arrived[-1] == (["h-1", "g-2", "f-1"], 5.0)
    # What was numbered before its turn has its dependencies later, once.
    c = world.add("e-1")
    b.dependencies[c] = None
    world.submit("g-1")
    assert (graph.text(4), world.edges()[2:]) == ("e-1", [(4, 3)])
    world.submit("g-1", "g-2", "never")
    assert (graph.end, len(world.edges())) == (5, 3)
    # Of those that come again only unfinished ones are to be computed.
    assert world.arrived[-1][0] == ["g-2"]
    assert [values(column) for column in graph.read(0)[0]["c"].values()] == [
        [0, 1, 2, 1, 3],
        [0, 1, 2, 1, 3],
        [2, 4, 1, 5, 1],
    ]


def test_a_read_says_what_is_kept_what_is_not_and_what_waits() -> None:
    world = World()
    world.add("f-2", world.add("f-1"))
    world.submit("f-1", "f-2")
    world.graph.submit(["f-3", "f-4"], 2.0)
    world.graph.submit(["f-5"], 2.0)
    body, cursor = world.graph.read(0)
    assert body["s"] == {
        "first": 0,
        "first_edge": 0,
        "kept": 0,
        "not_kept": 0,
        "edges_not_kept": 0,
        "latest": 0,
        "waiting": 3,
    }
    assert (cursor, world.graph.position) == (1, 1)
    assert columns_of(body) == [[0, 0], [0, 0], [1, 1], [0], [1]]
    body, cursor = world.graph.read(cursor)
    assert (body["s"]["first"], body["s"]["first_edge"], cursor, columns_of(body)) == (2, 1, 1, [[]] * 5)
    # A cursor of nobody is at the nearest end.
    assert world.graph.read(-5)[0]["s"]["first"] == 0
    assert world.graph.read(99)[0]["s"]["first"] == 2


def test_the_newest_graph_begins_where_the_scheduler_had_no_tasks() -> None:
    world = World()
    one = world.add("f-1")
    world.submit("f-1")
    world.add("f-2")
    world.submit("f-2")
    assert world.graph.read(0)[0]["s"]["latest"] == 0
    world.forget(one, world.tasks["f-2"])
    world.steps()
    world.add("f-3")
    world.submit("f-3")
    assert (world.graph.read(0)[0]["s"]["latest"], world.states()) == (2, ["forgotten", "forgotten", "waiting"])
    # Also where the forgotten ones still have their numbers, since the tick has not come.
    world.forget(world.tasks["f-3"])
    world.add("f-4")
    world.submit("f-4")
    assert (world.graph.read(0)[0]["s"]["latest"], world.graph.number("f-3")) == (3, 2)
    world.forget(world.tasks["f-4"])
    world.add("f-5")
    world.add("f-6")
    world.submit("f-5")
    world.submit("f-6")
    assert world.graph.read(0)[0]["s"]["latest"] == 4


def test_of_more_tasks_than_are_kept_the_last_are_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIMIT", 3)
    for count, skipped in ((3, 0), (4, 1), (5, 2)):
        world = World()
        keys = [f"f-{i}" for i in range(count)]
        for key in keys:
            world.add(key)
        world.submit(*keys)
        assert world.graph.read(0)[0]["s"]["not_kept"] == skipped
        assert [world.graph.text(i) for i in range(3)] == keys[skipped:]


def test_forgotten_tasks_end_as_they_ended() -> None:
    world = World()
    made = [world.add(f"f-{i}", state="memory") for i in range(4)]
    world.submit(*world.tasks)
    assert world.drained == 0
    world.graph.endings.update({id(made[1]): "erred", id(made[2]): "cancelled", id(made[3]): "other"})
    world.forget(*made)
    assert world.graph.busy
    world.steps()
    assert world.states() == ["forgotten", "erred", "cancelled", "forgotten"]
    assert (world.drained, world.graph.endings, world.graph.number("f-1")) == (1, {}, -1)
    # What is forgotten before its turn gets its number first.
    late = world.add("g-1", world.add("g-0"))
    world.graph.submit(["g-0", "g-1"], 2.0)
    world.forget(late)
    world.steps()
    assert [world.graph.text(i) for i in (4, 5)] == ["g-1", "g-0"]
    assert (world.edges(), world.states()[4:]) == ([(5, 4)], ["forgotten", "waiting"])
    # One that nobody submitted is none of the graph.
    world.forget(world.add("h-1"))
    world.steps()
    assert world.graph.end == 6


def test_forgotten_tasks_and_states_wait_for_the_tick_while_small_graphs_arrive(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "BATCH", 3)
    world = World()
    made = [world.add(f"f-{i}", state="memory") for i in range(10)]
    world.submit(*world.tasks)
    graph = world.graph
    graph.watch(True)
    assert graph.step(tick=True) is False
    world.forget(*made[:2])
    graph.moved["f-5"] = "erred"
    world.add("g-1")
    world.submit("g-1")
    assert (world.drained, graph.number("f-0"), graph.number("g-1"), graph.busy) == (0, 0, 10, True)
    assert world.states() == [*["memory"] * 10, "waiting"]
    # The tick takes all, even if a graph has arrived just before it.
    world.add("g-2")
    graph.submit(["g-2"], 2.0)
    assert graph.step(tick=True) is False
    assert (world.drained, graph.number("f-0"), graph.number("g-2"), graph.busy) == (1, -1, 11, False)
    assert world.states()[:6] == ["forgotten", "forgotten", "memory", "memory", "memory", "erred"]
    # Not so where a graph has one of their keys, where they are many, and where it is not small.
    large = ["h-2", *(f"never-{i}" for i in range(module.PART))]
    for number, gone, keys in ((12, made[2:3], ["f-2"]), (13, made[3:6], ["h-1"]), (14, made[6:7], large)):
        world.forget(*gone)
        world.add(keys[0])
        world.submit(*keys)
        assert (graph.number(keys[0]), world.states()[number], graph.gone) == (number, "waiting", [])


def test_a_key_that_comes_again_is_another_task() -> None:
    world = World()
    first = world.add("f-1", state="memory")
    world.submit("f-1")
    second = world.add("f-1", state="erred")
    world.graph.submit(["f-1"], 2.0)
    world.graph.endings[id(second)] = "erred"
    world.graph.gone.extend([first, second])
    first.state = second.state = "forgotten"
    del world.tasks["f-1"]
    assert world.graph._next_gone() == [first]
    assert world.graph.gone == [second]
    world.graph.gone.insert(0, first)
    world.steps()
    assert (world.graph.end, world.states()) == (2, ["forgotten", "erred"])
    assert [world.graph.text(i) for i in range(2)] == ["f-1", "f-1"]
    # The newest is found.
    assert (world.graph.find("f-1", "f"), world.graph.find("f-9", "f")) == (1, -1)


def test_a_batch_of_forgotten_tasks_has_at_most_two_hundred() -> None:
    world = World()
    made = [world.add(f"f-{i}") for i in range(201)]
    world.graph.gone.extend(made)
    assert world.graph._next_gone() == made[:200]
    assert world.graph.gone == made[200:]
    again = Group(key="f-3")
    world.graph.gone[:] = [*made[:5], again, made[6]]
    assert (world.graph._next_gone(), world.graph.gone) == (made[:5], [again, made[6]])


@pytest.mark.parametrize("count", [1, 199, 200, 600])
def test_two_hundred_forgotten_tasks_are_a_slice(count: int) -> None:
    world = World()
    made = [world.add(f"f-{i}") for i in range(count)]
    world.submit(*world.tasks)
    world.graph._spent = 0
    world.forget(*made)
    assert world.steps() == count // 200 + 1
    assert set(world.states()) == {"forgotten"}


def test_a_task_with_many_dependencies_is_linked_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    monkeypatch.setattr(module, "PIECE", 10)
    few = [world.add(f"f-{i}") for i in range(25)]
    world.add("g-1", *few)
    world.add("g-2", *few[:10])
    world.submit("g-1", "g-2")
    assert world.graph.end == 27
    assert world.edges() == [*((i, 0) for i in range(2, 27)), *((i, 1) for i in range(2, 12))]
    # Their own turn comes later.
    assert world.graph._unwalked == set(range(2, 27))
    world.submit(*(ts.key for ts in few))
    assert (world.graph._unwalked, world.graph.end) == (set(), 27)


def test_groups_are_noted_once_and_renumbered() -> None:
    world = World()
    for i in range(3):
        world.add(f"f-{i}")
        world.add(f"g-{i}")
    world.submit(*world.tasks)
    assert list(world.groups.held) == ["f", "g"]
    assert list(world.graph._group) == [0, 1] * 3
    world.graph._group[2] = 5
    world.graph.renumber_groups(1)
    assert list(world.graph._group) == [0, 0, 4, 0, 0, 0]


# -- what is dropped ------------------------------------------------------------------------------------------------


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("LIMIT", 8), ("CHUNK", 4)):
        monkeypatch.setattr(module, name, value)


def chain(world: World, begin: int, end: int) -> None:
    """A task after the other, each needs the one before."""
    for i in range(begin, end):
        before = world.tasks.get(f"f-{i - 1}")
        world.add(f"f-{i}", *([before] if before else []))
        world.submit(f"f-{i}")


def test_the_oldest_tasks_are_dropped_in_chunks_with_their_dependencies(
    small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World()
    chain(world, 0, 11)
    assert (world.graph.first, world.graph.end) == (0, 11)
    chain(world, 11, 12)
    assert (world.graph.first, world.graph.end) == (4, 12)
    assert [world.graph.number(f"f-{i}") for i in (0, 3, 4, 11)] == [-1, -1, 4, 11]
    assert [world.graph.text(i) for i in (3, 4, 7, 8, 11, 12)] == [None, "f-4", "f-7", "f-8", "f-11", None]
    assert world.edges() == [(i, i + 1) for i in range(4, 11)]
    body, cursor = world.graph.read(0)
    assert body["s"] == {
        "first": 4,
        "first_edge": 4,
        "kept": 4,
        "not_kept": 4,
        "edges_not_kept": 4,
        "latest": 4,
        "waiting": 0,
    }
    assert columns_of(body) == [[0] * 8, [0] * 8, [1] * 8, list(range(4, 11)), list(range(5, 12))]
    assert cursor == world.graph.position == 12
    # A reader that is behind, and one that is not.
    assert world.graph.read(8)[0]["s"]["first"] == 8
    monkeypatch.setattr(module, "READ_NODES", 2)
    for cursor, first in ((0, 4), (6, 6)):
        body, after = world.graph.read(cursor)
        assert (body["s"]["first"], [len(each) for each in columns_of(body)[:3]], after) == (first, [2] * 3, first + 2)
    assert [world.graph.find(f"f-{i}", "f") for i in (3, 4, 9)] == [-1, 4, 9]
    assert (world.graph.describe(3), world.graph.describe(5)) == (
        None,
        {"key": "f-5", "number": 5, "prefix": "f", "group": "f", "state": "waiting"},
    )
    found = [world.graph.keys_at(i) for i in (3, 4, 7, 8, 11, 12)]
    assert [each and (each.first, len(each.column), len(each.prefixes)) for each in found] == [
        None,
        (4, 4, 4),
        (4, 4, 4),
        (8, 4, 4),
        (8, 4, 4),
        None,
    ]


async def test_neighbours_are_those_that_are_stored() -> None:
    world = World()
    one, two = world.add("f-0"), world.add("f-1")
    mid = world.add("g-0", one, two)
    for i in range(2):
        world.add(f"h-{i}", mid)
    world.submit(*world.tasks)
    assert await world.graph.neighbours(2) == ([0, 1], [3, 4])
    assert await world.graph.neighbours(0) == ([], [2])
    assert await world.graph.neighbours(9) == ([], [])


def test_a_forgotten_task_that_was_dropped_changes_no_state(small: None) -> None:
    world = World()
    chain(world, 0, 12)
    world.graph._numbers["f-3"] = 3
    world.forget(world.tasks["f-3"], world.tasks["f-4"])
    world.steps()
    assert world.states() == ["forgotten", *["waiting"] * 7]


async def test_a_search_for_neighbours_lets_others_run() -> None:
    world = World()
    turns = 0

    async def beside() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    # A chain.
    world.graph._source, world.graph._target = array("I", range(50_000)), array("I", range(1, 50_001))
    other = asyncio.create_task(beside())
    assert await world.graph.neighbours(40_000) == ([39_999], [40_001])
    other.cancel()
    assert turns == 4


def test_more_dependencies_than_are_kept_are_dropped_and_read_from_where_they_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "EDGE_LIMIT", 6)
    monkeypatch.setattr(module, "EDGE_CHUNK", 3)
    world = World()
    chain(world, 0, 10)
    assert world.edges() == [(i, i + 1) for i in range(9)]
    chain(world, 10, 11)
    assert world.edges() == [(i, i + 1) for i in range(3, 10)]
    # Parts of the graph whose dependencies are all dropped have none.
    monkeypatch.setattr(module, "READ_NODES", 2)
    parts, cursor = [], 0
    while cursor < world.graph.position:
        body, cursor = world.graph.read(cursor)
        prefixes, _, _, source, target = columns_of(body)
        parts.append((body["s"]["first"], len(prefixes), body["s"]["first_edge"], list(zip(source, target))))
    assert parts == [
        (0, 2, 3, []),
        (2, 2, 3, []),
        (4, 2, 3, [(3, 4), (4, 5)]),
        (6, 2, 5, [(5, 6), (6, 7)]),
        (8, 2, 7, [(7, 8), (8, 9)]),
        (10, 1, 9, [(9, 10)]),
    ]


def test_a_part_ends_before_too_many_tasks_or_dependencies(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    chain(world, 0, 10)
    for nodes, edges, first, second in ((3, 99, 3, 3), (99, 3, 4, 3), (1, 99, 1, 1), (99, 1, 2, 1), (9, 9, 9, 1)):
        monkeypatch.setattr(module, "READ_NODES", nodes)
        monkeypatch.setattr(module, "READ_EDGES", edges)
        body, cursor = world.graph.read(0)
        assert (len(columns_of(body)[0]), cursor) == (first, first)
        body, cursor = world.graph.read(cursor)
        assert (len(columns_of(body)[0]), cursor) == (second, first + second)


def test_what_was_walked_together_is_read_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "READ_NODES", 2)
    world = World()
    for begin in (0, 5):
        keys = [world.add(f"f-{i}").key for i in range(begin, begin + 5)]
        world.submit(*keys)
    for cursor, first in ((0, 0), (1, 5)):
        body, after = world.graph.read(cursor)
        assert (body["s"]["first"], len(columns_of(body)[0]), after) == (first, 5, cursor + 1)


def test_bytes_are_those_of_columns_dependencies_and_keys() -> None:
    world = World()
    assert world.graph.nbytes == 0
    chain(world, 0, 2)
    # Twice prefix, group and state; one dependency; and the keys.
    assert world.graph.nbytes == 2 * 9 + 8 + world.graph._keys[0].nbytes
    assert world.graph._keys[0].nbytes > 0


# -- states ---------------------------------------------------------------------------------------------------------


def test_states_are_sent_whole_first_and_then_as_they_change() -> None:
    world = World()
    chain(world, 0, 3)
    graph = world.graph
    graph.watch(True)
    assert len(graph._unseen) == 3
    world.steps()
    graph.publish()
    body, cursor = graph.read_states(0)
    assert (values(body["c"]["state"]), body["s"], cursor) == ([1, 1, 1], {"first": 0, "counted": 0}, 2)
    for reader in (1, 2):
        whole = "number" not in graph.read_states(reader)[0]["c"]
        assert whole == (reader == 1)
    world.tasks["f-1"].state = "memory"
    graph.moved.update({"f-1": "memory", "f-2": "waiting", "never": "memory"})
    world.steps()
    # What is not published yet has no version.
    assert (world.changes(2), graph.version) == ({}, 2)
    graph.publish()
    graph.publish()
    assert (world.changes(2), graph.version, world.changes(3)) == ({1: "memory"}, 3, {})
    world.forget(world.tasks["f-1"])
    world.steps()
    graph.publish()
    assert (world.changes(2), world.changes(3), world.changes(4)) == ({1: "forgotten"}, {1: "forgotten"}, {})
    # Without a reader nothing is noted, and the next one begins with all.
    graph.watch(False)
    world.forget(world.tasks["f-2"])
    world.steps()
    graph.publish()
    assert (graph.version, world.states()) == (4, ["waiting", "forgotten", "forgotten"])
    graph.watch(True)
    assert (graph.version, graph._unseen) == (5, ["f-0"])
    assert "number" not in graph.read_states(4)[0]["c"]
    assert world.changes(5) == {}
    # What changed without a reader is looked at.
    world.tasks["f-0"].state = "processing"
    world.steps()
    graph.publish()
    assert (world.changes(5), graph._unseen) == ({0: "processing"}, [])


def test_states_name_the_executions_that_they_include() -> None:
    world = World()
    chain(world, 0, 2)
    graph = world.graph

    def counted(cursor: int) -> int:
        found: int = graph.read_states(cursor)[0]["s"]["counted"]
        return found

    world.ended = 3
    world.steps()
    # A complete recording is published without a reader, for whom nothing is noted.
    graph.publish()
    graph.watch(True)
    assert counted(0) == 0
    world.steps()
    graph.publish()
    begin = graph.version
    assert counted(0) == 3
    # One ends that is not looked at yet.
    graph.moved["f-0"], world.ended = "memory", 4
    graph.publish()
    assert (counted(begin), world.changes(begin)) == (3, {})
    world.steps()
    assert (counted(begin), world.changes(begin)) == (3, {})
    graph.publish()
    assert (counted(begin), world.changes(begin)) == (4, {0: "memory"})
    # Another one ended and runs again: its state is what it was, and yet it is news.
    version, world.ended = graph.version, 5
    graph.publish()
    assert (counted(version), world.changes(version), graph.version) == (5, {}, version + 1)
    graph.publish()
    assert graph.version == version + 1


def test_sixty_four_versions_are_kept() -> None:
    world = World()
    chain(world, 0, 2)
    world.graph.watch(True)
    for i in range(64):
        world.graph._set_state(0, i % 2)
        world.graph._note(0)
        world.graph.publish()
    assert world.graph.version == 66
    assert list(world.changes(2)) == [0]
    world.graph._note(1)
    world.graph.publish()
    assert "number" not in world.graph.read_states(2)[0]["c"]
    assert sorted(world.changes(3)) == [0, 1]
    assert list(world.changes(66)) == [1]


def test_many_changes_are_sent_as_all_states() -> None:
    world = World()
    world.graph._number([world.add(f"f-{i}") for i in range(4_008)])
    graph = world.graph
    graph.watch(True)

    def publish(count: int) -> bool:
        """Whether a reader of the version before receives single changes."""
        before = graph.version
        graph._changed.update(range(count))
        graph.publish()
        assert graph.version == before + 1
        return "number" in graph.read_states(before)[0]["c"]

    assert publish(1_002)
    assert not publish(1_003)
    # All together never more than there are tasks.
    begin = graph.version
    assert [publish(1_002) for _ in range(4)] == [True] * 4
    assert len(world.changes(begin)) == 1_002
    assert publish(1)
    assert "number" not in graph.read_states(begin)[0]["c"]
    assert len(world.changes(begin + 1)) == 1_002
    few = World()
    few.graph._number([few.add(f"f-{i}") for i in range(1_001)])
    graph = few.graph
    graph.watch(True)
    assert publish(1_000)
    assert not publish(1_001)


def test_changes_of_tasks_that_were_dropped_are_not_sent(small: None) -> None:
    world = World()
    world.graph.watch(True)
    chain(world, 0, 8)
    begin = world.graph.version
    for key in ("f-2", "f-4"):
        world.tasks[key].state = "memory"
    world.graph.moved.update({"f-2": "memory", "f-4": "memory"})
    world.steps()
    world.graph.publish()
    chain(world, 8, 12)
    assert world.changes(begin) == {4: "memory"}
    world.graph.moved["f-2"] = "released"
    world.steps()
    assert not world.graph._changed


def test_a_hook_also_notes_the_newest_state() -> None:
    seen: list[Any] = []
    moved: dict[Any, str] = {}
    hook = watching(lambda *args, **kwargs: seen.append((args, kwargs)), moved)
    hook("k", "waiting", "memory", worker="w")
    assert (moved, seen) == ({"k": "memory"}, [(("k", "waiting", "memory"), {"worker": "w"})])
    hook("k", "memory", "released")
    assert moved == {"k": "released"}
    # The key may come again.
    hook("k", "released", "forgotten")
    assert (moved, len(seen)) == ({}, 3)


def test_the_state_of_a_forgotten_task_is_not_that_of_the_next_with_its_key() -> None:
    world = World()
    chain(world, 0, 1)
    graph = world.graph
    graph.watch(True)
    hook = watching(lambda *args, **kwargs: None, graph.moved)
    hook("f-0", "waiting", "memory")
    world.forget(world.tasks["f-0"])
    hook("f-0", "released", "forgotten")
    world.add("f-0", state="processing")
    world.submit("f-0")
    assert world.states() == ["forgotten", "processing"]


# -- executions -----------------------------------------------------------------------------------------------------


def numbers(executed: Executed, cursor: int) -> tuple[list[int], int, int]:
    body, after = executed.read(cursor)
    return values(body["c"]["number"]), body["s"]["first"], after


def test_an_execution_of_a_task_that_is_never_numbered_does_not_hold_the_others_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "LIMIT", 2)
    world = World()
    executed = Executed(world.graph)
    for i in range(3):
        world.add(f"f-{i}")
    world.graph.submit(list(world.tasks), 1.0)
    executed.note(0, ["f-0", "f-2"])
    assert (executed.end, numbers(executed, 0)) == (0, ([], 0, 0))
    world.steps()
    # More tasks came than are kept: the first one has no number.
    assert (executed.end, numbers(executed, 0)) == (2, ([NONE, 1], 0, 2))
    assert executed._late == {}


def test_executions_get_the_numbers_of_their_rows_however_late() -> None:
    world = World()
    executed = Executed(world.graph)
    executed.note(10, ["never"])
    assert (executed.first, executed.end, numbers(executed, 0)) == (10, 11, ([NONE], 10, 11))
    for i in range(4):
        world.add(f"f-{i}")
    world.graph.submit(["f-0", "f-1"], 1.0)
    world.steps()
    world.graph.submit(["f-2", "f-3"], 1.0)
    executed.note(11, ["f-3", "f-1", "f-2", "f-3"])
    # The newest row of a key waits; rows before the first of them are known.
    assert (executed.end, executed._late) == (13, {"f-2": 13, "f-3": 14})
    assert numbers(executed, 11) == ([NONE, 1], 11, 13)
    assert numbers(executed, 50) == ([], 13, 13)
    world.steps()
    assert numbers(executed, 12) == ([1, 2, 3], 12, 15)
    assert executed.nbytes == 5 * 4
    executed.restart()
    assert (executed.first, executed.end, executed.nbytes) == (15, 15, 0)
    # Rows that are missing: those before are not known any more.
    executed.note(15, ["f-0"])
    executed.note(17, ["f-1"])
    assert numbers(executed, 0) == ([1], 17, 18)


def test_the_first_execution_of_all_gets_its_number_later() -> None:
    world = World()
    executed = Executed(world.graph)
    assert (executed.first, executed.end) == (0, 0)
    world.add("f-0")
    world.graph.submit(["f-0"], 1.0)
    executed.note(0, ["f-0"])
    world.steps()
    assert numbers(executed, 0) == ([0], 0, 1)
    # After a restart nothing waits, and what is in no graph neither while none is read.
    world.graph.submit(["f-1"], 1.0)
    executed.note(1, ["f-1"])
    executed.restart()
    assert (executed._late, executed.end) == ({}, 2)
    world.steps()
    executed.note(2, ["f-9"])
    assert executed._late == {}


def test_a_task_that_needs_the_first_one_and_a_new_one_leads_to_both() -> None:
    world = World()
    first = world.add("f-0")
    world.submit("f-0")
    world.add("g-0", first, world.add("f-1"))
    world.submit("g-0")
    assert (world.graph.end, world.edges(), world.graph.number("f-0")) == (3, [(0, 1), (2, 1)], 0)


def test_rows_leave_in_chunks_and_late_ones_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("ROWS", 4), ("CHUNK", 2), ("LIMIT", 3), ("READ_ROWS", 3)):
        monkeypatch.setattr(executed_module, name, value)
    world = World()
    executed = Executed(world.graph)
    for i in range(10):
        world.add(f"f-{i}")
    world.graph.submit(["f-7", "f-8", "f-9"], 1.0)
    executed.note(0, ["f-9"])
    executed.note(1, ["x"] * 5)
    assert (executed.first, executed.nbytes) == (0, 24)
    executed.note(6, ["x"])
    assert (executed.first, executed.nbytes) == (2, 20)
    # A row that has left gets no number.
    world.steps()
    assert numbers(executed, 0) == ([NONE] * 3, 2, 5)
    assert numbers(executed, 5) == ([NONE] * 2, 5, 7)
    world.graph.submit(["f-1", "f-2", "f-3", "f-4"], 1.0)
    executed.note(7, ["f-1", "f-2", "f-3", "f-4"])
    assert list(executed._late) == ["f-2", "f-3", "f-4"]


def test_the_newest_four_hundred_thousand_executions_lead_to_their_tasks() -> None:
    assert (executed_module.ROWS, executed_module.CHUNK, executed_module.NONE) == (400_000, 16_384, NONE)


def test_numbers_of_tasks_are_in_slices_of_two_hundred() -> None:
    world = World()
    for i in range(401):
        world.add(f"f-{i}")
    noted: list[tuple[int, int]] = []
    world.graph.numbered = lambda tasks, number: noted.append((number, len(tasks)))
    world.submit(*world.tasks)
    assert noted == [(0, 200), (200, 200), (400, 1)]

"""Episodes of functions by themselves: every bound of time and number, without a cluster."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

import pytest

from dask_panes.kernel.session.mirror import mirror_prefix
from dask_panes.scheduler.collector import episodes as module
from dask_panes.scheduler.collector.episodes import Episode, Episodes, RecentEnds, active

LAST = 4_294_967_295


class World:
    """Functions with their counts, and their episodes."""

    def __init__(self, names: Iterable[str], shared: Callable[[str], int | None] = lambda name: None) -> None:
        self.prefixes = {name: mirror_prefix(name) for name in names}
        self.episodes = Episodes(lambda prefix: (prefix.states["memory"], prefix.states["erred"]), shared)
        self.episodes.begin(self.prefixes)

    def task(self, name: str, priority: Any = None, group: Any = None) -> Any:
        return SimpleNamespace(prefix=self.prefixes[name], group=group, priority=priority)

    def arrive(self, time: float, *names: str) -> None:
        for name in names:
            self.prefixes[name].states["waiting"] += 1
        self.episodes.arrive([self.task(name) for name in names], time)

    def end(self, time: float, *names: str, failed: tuple[int, ...] = (), owners: Any = ()) -> None:
        for i, name in enumerate(names):
            self.prefixes[name].states["waiting"] -= 1
            self.prefixes[name].states["erred" if i in failed else "memory"] += 1
        tasks = [self.task(name) for name in names]
        self.episodes.ended(tasks, [[{"start": time}, {"start": 0.0}]] * len(names), failed, time, owners)
        self.settle(time)

    def settle(self, time: float) -> None:
        """Check all functions that may have become inactive."""
        self.episodes.settle(time)
        while self.episodes.touched:
            self.episodes.settle(time)

    def run(self, arrived: float, ended: float, *names: str) -> None:
        self.arrive(arrived, *names)
        self.end(ended, *names)

    def of(self, name: str, now: float) -> Episode:
        return self.episodes.of(self.prefixes[name], now)


# -- what is active -------------------------------------------------------------------------------------------------


def test_one_task_in_any_unfinished_state_is_active() -> None:
    for state in ("waiting", "queued", "no-worker", "processing"):
        assert active({state: 1})
        assert not active({state: 0})
        assert not active({state: -1})
    for state in ("released", "memory", "erred", "forgotten"):
        assert not active({state: 5})
    assert not active({})


# -- tasks of the last ten seconds ----------------------------------------------------------------------------------


def never() -> list[float]:
    raise AssertionError("starts are not needed")


def test_tasks_leave_the_count_with_their_quarter_of_a_second() -> None:
    recent = RecentEnds()
    recent.add("f", lambda: [99.0], Counter("f"), 100.0)
    recent.add("ff", never, Counter("ff"), 100.125)
    recent.add("f", never, Counter("f"), 100.25)
    assert recent.of("f") == (4, 99.0)
    assert (recent.expire(109.875), recent.of("f")) == (set(), (4, 99.0))
    assert (recent.expire(110.0), recent.of("f")) == ({"f"}, (1, 99.0))
    assert (recent.expire(110.125), recent.of("f")) == (set(), (1, 99.0))
    assert (recent.expire(110.25), recent.of("f")) == ({"f"}, (0, 0.0))
    # After a pause the start is that of the first task again.
    recent.add("f", lambda: [200.0], Counter("f"), 201.0)
    assert recent.of("f") == (1, 200.0)


def test_the_start_is_the_earliest_of_the_first_tasks_and_never_later_than_now() -> None:
    recent = RecentEnds()
    recent.add("fgf", lambda: [5.0, 7.0, 3.0], Counter("fgf"), 8.0)
    assert (recent.of("f"), recent.of("g")) == ((2, 3.0), (1, 7.0))
    recent.add("fh", lambda: [1.0, 50.0], Counter("fh"), 9.0)
    assert (recent.of("f"), recent.of("h")) == ((3, 3.0), (1, 9.0))


def test_a_function_that_is_forgotten_takes_nothing_from_the_others() -> None:
    recent = RecentEnds()
    recent.forget("f")
    recent.add("fg", lambda: [1.0, 2.0], Counter("fg"), 3.0)
    recent.forget("f")
    assert (recent.of("f"), recent.of("g")) == ((0, 0.0), (1, 2.0))
    recent.add("f", lambda: [4.0], Counter("f"), 5.0)
    recent.expire(13.0)
    assert (recent.of("f"), recent.of("g")) == ((1, 4.0), (0, 0.0))
    recent.clear()
    assert (recent.of("f"), recent.expire(99.0)) == ((0, 0.0), set())
    recent.add("f", lambda: [90.0], Counter("f"), 99.0)
    assert recent.of("f") == (1, 90.0)


@pytest.mark.parametrize(
    "intervals", [None, [], [{}], [None], [{"start": "x"}], [{"start": None}], [{"start": 10**400}]]
)
def test_an_execution_whose_start_cannot_be_read_began_when_it_was_noted(intervals: Any) -> None:
    world = World("f")
    world.arrive(100.0, "f")
    world.episodes.ended([world.task("f")], [intervals], [], 101.0)
    assert world.episodes.recent(world.prefixes["f"], world.of("f", 101.0)) == (1, 101.0)


# -- one episode ----------------------------------------------------------------------------------------------------


def test_an_episode_begins_with_nothing_before_it() -> None:
    found = Episode(7.0, True, 3)
    assert (found.since, found.late, found.computation, found.order) == (7.0, True, 3, LAST)
    assert (found.until, found.done, found.erred, found.recent, found.groups) == (0.0, 0, 0, (0, 0.0), None)
    assert found.held_before(5, 9) == 0
    found.trim(4, 4)
    assert (found.done, found.erred) == (0, 0)
    # One that never rested has counted nothing.
    found.order = 5
    found.begin(8.0, False, SimpleNamespace(groups=[group("f-1", 1)]), None)  # type: ignore[arg-type]
    assert (found.since, found.late, found.computation, found.order) == (8.0, False, None, LAST)
    assert (found.done, found.erred, found.groups) == (0, 0, None)


def test_an_episode_that_rests_keeps_its_counts_for_the_next() -> None:
    found = Episode(1.0, False)
    found.rest(2.5, done=7, erred=2, held=4, recent=(3, 1.5))
    assert (found.until, found.recent, found.done, found.erred) == (2.5, (3, 1.5), 0, 0)
    found.begin(9.0, False, mirror_prefix("f"), 1)
    assert (found.done, found.erred) == (7, 2)
    # Of four results two may have been released: new ones are counted as new first.
    assert [found.held_before(held, 7 + new) for held, new in ((4, 0), (2, 0), (6, 2), (6, 1), (9, 3))] == [
        4,
        2,
        4,
        5,
        6,
    ]
    # Never more than there were.
    assert found.held_before(20, 7) == 7


def group(name: str, memory: int, **more: int) -> Any:
    return SimpleNamespace(name=name, states=Counter(memory=memory, **more))


def begun(*groups: Any, held: int = 10) -> Episode:
    found = Episode(1.0, False)
    found.rest(2.0, done=100, erred=0, held=held, recent=(0, 0.0))
    found.begin(3.0, False, SimpleNamespace(groups=groups), None)  # type: ignore[arg-type]
    return found


def test_groups_with_results_are_followed_up_to_a_hundred() -> None:
    hundred = [group(f"f-{i}", 1) for i in range(100)]
    found = begun(*hundred)
    assert found.groups is not None
    assert len(found.groups) == 100
    assert begun(*hundred, group("one more", 1)).groups is None
    assert begun().groups is None
    assert begun(*hundred, held=0).groups is None
    few = begun(group("f-1", 0, released=3), group("f-2", 1, released=4))
    assert few.groups is not None
    assert {name: entry[1:] for name, entry in few.groups.items()} == {"f-2": (1, 5)}


def test_results_of_before_are_exact_for_groups_without_new_tasks() -> None:
    one, two = group("f-1", 6), group("f-2", 4)
    found = begun(one, two)
    assert found.held_before(10, 100) == 10
    one.states["memory"] = 3
    one.states["released"] = 3
    assert found.held_before(7, 100) == 7
    # Others come in a group of its own: there are as many earlier ones as there were.
    assert found.held_before(12, 105) == 7
    # A group without results is not looked at again.
    two.states["memory"] = 0
    two.states["released"] = 4
    assert found.held_before(8, 105) == 3
    assert list(found.groups or ()) == ["f-1"]
    two.states["memory"] = 4
    assert found.held_before(12, 105) == 7
    one.states["memory"] = 1
    assert found.held_before(1, 100) == 1
    assert list(found.groups or ()) == ["f-1"]


def test_new_results_of_a_group_are_not_those_of_before() -> None:
    one = group("f-1", 6)
    found = begun(one)
    # Three tasks came, two have ended: six of eight results are earlier ones.
    one.states.update({"memory": 2, "waiting": 1})
    assert found.held_before(8, 102) == 6
    # As if the old ones were released first.
    one.states.update({"memory": -3, "released": 3})
    assert found.held_before(5, 102) == 3
    one.states.update({"memory": -4, "released": 4})
    assert found.held_before(1, 102) == 0
    # More results than there were before are new.
    one.states.update({"memory": 9})
    assert found.held_before(10, 102) == 8
    assert found.held_before(10, 110) == 0


def test_the_first_tasks_of_an_episode_are_new_in_their_group() -> None:
    one = group("f-1", 6, waiting=2)
    found = begun(one)
    for other in (one, one, group("f-2", 1)):
        found.join(other)
    # Two new results, and three earlier ones are released.
    one.states.update({"waiting": -2, "memory": -1, "released": 3})
    assert found.held_before(5, 102) == 3
    begun(held=0).join(one)


def test_results_that_are_computed_again_are_in_memory_however_late_that_is_noticed() -> None:
    group, prefix = SimpleNamespace(name="g", states={"memory": 22}), mirror_prefix("f")
    prefix.groups = [group]
    found = Episode(1.0, False)
    found.rest(2.0, done=37, erred=0, held=22, recent=(0, 0.0))
    # Fifteen others have been released. Eleven were lost, and five of these have their results again by the next look.
    group.states["memory"] = 16
    found.begin(5.0, True, prefix, None)
    found.execute(5, 0)
    found.trim(31, 0)
    assert (found.done, found.held_before(16, 31)) == (26, 11)
    group.states["memory"] = 22
    found.execute(6, 0)
    found.trim(37, 0)
    assert (found.done, found.held_before(22, 37)) == (26, 11)
    # Of those that are released then, the earlier ones go first.
    assert found.held_before(15, 37) == 4


def test_tasks_that_are_computed_again_count_where_an_episode_was_noticed_late() -> None:
    for late, expected in ((True, (5, 1)), (False, (10, 4))):
        found = Episode(1.0, False)
        found.rest(2.0, done=10, erred=4, held=0, recent=(0, 0.0))
        found.begin(3.0, late, mirror_prefix("f"), None)
        found.execute(2, 1)
        found.execute(3, 2)
        found.trim(10, 4)
        assert (found.done, found.erred) == expected


# -- all episodes ---------------------------------------------------------------------------------------------------


def test_an_episode_has_the_computation_of_its_graph_and_the_first_order_of_its_tasks() -> None:
    world = World("fgh")
    world.episodes.submitted(100.0, 7)
    tasks = [world.task("f", (0, 1, 9)), world.task("f", (0, 1, 4)), world.task("f"), world.task("f", (0, 1, 6))]
    for prefix in world.prefixes.values():
        prefix.states["waiting"] = 4
    world.episodes.arrive([*tasks, world.task("g", (0, 1, -3))], 100.0)
    f, g = world.of("f", 101.0), world.of("g", 101.0)
    assert (f.since, f.late, f.computation, f.order) == (100.0, False, 7, 4)
    assert (g.computation, g.order) == (7, 0)
    # Later tasks of the same run do not change its place, also where others begin a run.
    world.episodes.arrive([world.task("f", (0, 1, 1)), world.task("h", (0, 1, 2))], 102.0)
    assert (f.since, f.computation, f.order) == (100.0, 7, 4)
    assert (world.of("h", 103.0).since, world.of("h", 103.0).order) == (102.0, 2)


def test_a_function_that_had_ended_before_it_was_seen_rests_since_then() -> None:
    world = World("f")
    world.prefixes["f"].states["memory"] = 3
    found = world.of("f", 50.0)
    assert (found.since, found.until, found.late, found.done, found.computation) == (50.0, 50.0, True, 0, None)
    assert world.of("f", 60.0) is found
    assert found.until == 50.0
    # What it had done is from before the next run.
    world.arrive(70.0, "f")
    assert (world.of("f", 71.0).since, world.of("f", 71.0).done, found.until) == (70.0, 3, 0.0)


def test_new_tasks_leave_the_results_of_before_as_they_are() -> None:
    world = World("f")
    one = group("f-1", 0)
    world.prefixes["f"].groups = (one,)
    world.run(100.0, 101.0, "f", "f")
    one.states.update({"memory": 2, "waiting": 1})
    world.prefixes["f"].states["waiting"] += 1
    world.episodes.arrive([world.task("f", group=one)], 200.0)
    one.states.update({"memory": 1, "waiting": -1})
    world.prefixes["f"].states.update({"memory": 1, "waiting": -1})
    found = world.of("f", 201.0)
    assert (found.since, found.done, found.held_before(3, 3)) == (200.0, 2, 2)


@pytest.mark.parametrize(("later", "known"), [(999, True), (1_000, False)])
def test_a_thousand_graphs_are_remembered_until_their_tasks_arrive(later: int, known: bool) -> None:
    world = World("f")
    for i in range(later + 1):
        world.episodes.submitted(float(i), i + 50)
    world.arrive(0.0, "f")
    assert world.of("f", 1.0).computation == (50 if known else None)


def test_executions_begin_an_episode_of_their_computation_unless_they_are_done_again() -> None:
    for owners, computation in (((4,), 4), ((0,), 0), ((~4,), None), ((None,), None), ((), None)):
        world = World("f")
        world.prefixes["f"].states["waiting"] = 1
        world.end(101.0, "f", owners=owners)
        found = world.of("f", 102.0)
        assert (found.since, found.late, found.computation) == (101.0, True, computation)


def test_what_failed_is_counted_apart_from_what_has_a_result() -> None:
    world = World("fg")
    world.arrive(10.0, *"ffff")
    world.end(11.0, *"ffff", failed=(3,))
    # Two results are lost and the error is retried: executions begin the episode.
    world.prefixes["f"].states.update({"memory": -2, "erred": -1, "waiting": 3})
    world.end(100.0, "f", "g", "f", "f", failed=(1, 2))
    found = world.of("f", 100.0)
    assert found.late
    assert (found.done, found.erred) == (1, 0)
    assert world.episodes.recent(world.prefixes["f"], found) == (3, 100.0)


def test_executions_of_functions_that_are_not_known_change_nothing() -> None:
    world = World("f")
    other = mirror_prefix("other")
    version = world.episodes.version
    world.episodes.ended([SimpleNamespace(prefix=other, group=None, priority=None)], [[]], [], 5.0)
    assert (world.episodes.version, list(world.episodes.touched)) == (version + 1, [])
    world.episodes.touched["gone"] = None
    world.episodes.settle(6.0)
    assert (world.episodes.touched, world.episodes.version) == ({}, version + 1)


def test_the_version_changes_with_what_can_be_read() -> None:
    world = World("f")
    versions = [world.episodes.version]

    def moved() -> bool:
        versions.append(world.episodes.version)
        assert (versions[-1] > versions[-2]) == (world.episodes.moves("f") != known.pop())
        known.append(world.episodes.moves("f"))
        return versions[-1] > versions[-2]

    known = [world.episodes.moves("f")]
    world.arrive(100.0, "f")
    assert (moved(), list(world.episodes.touched), world.episodes.take_moved()) == (True, ["f"], ["f"])
    # Still active.
    world.episodes.settle(100.5)
    assert (world.of("f", 100.5).until, moved()) == (0.0, False)
    # The execution, and the end of activity.
    world.end(101.0, "f")
    assert (world.of("f", 101.5).until, moved(), world.episodes.take_moved()) == (101.0, True, ["f"])
    # What had ended before it rested stays.
    world.episodes.settle(110.875)
    world.episodes.settle(111.0)
    assert (moved(), world.episodes.recent(world.prefixes["f"], world.of("f", 112.0))) == (False, (1, 101.0))
    # Of an active one, what had ended more than ten seconds ago is not counted any more.
    world.arrive(120.0, "f", "f")
    world.end(121.0, "f")
    assert moved()
    world.episodes.settle(130.875)
    assert not moved()
    world.episodes.settle(131.0)
    assert (moved(), world.of("f", 131.0).until) == (True, 0.0)


def test_another_episode_counts_its_own_tasks_of_the_last_seconds() -> None:
    world = World("f")
    world.run(100.0, 101.0, "f", "f")
    world.run(104.0, 105.0, "f")
    assert world.episodes.recent(world.prefixes["f"], world.of("f", 105.0)) == (1, 105.0)
    # One that goes on counts all.
    world.run(106.0, 107.0, "f")
    assert world.episodes.recent(world.prefixes["f"], world.of("f", 107.0)) == (2, 105.0)


def test_a_hundred_functions_are_checked_in_a_slice() -> None:
    world = World(f"f{i}" for i in range(101))
    world.episodes.touched.update(dict.fromkeys(world.prefixes))
    world.episodes.settle(1.0)
    assert list(world.episodes.touched) == ["f100"]


def test_a_restart_forgets_graphs_functions_and_what_was_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIMIT", 0)
    world = World("abc", lambda name: 0)
    world.run(100.0, 101.0, "a")
    world.run(200.0, 201.0, "b")
    world.episodes.submitted(300.0, 5)
    assert world.of("a", 300.0).until == 1.0
    world.arrive(250.0, "c")
    version = world.episodes.version
    world.episodes.restart()
    assert (world.episodes.version, world.episodes.touched, world.episodes._resting) == (version + 1, {}, {})
    for prefix in world.prefixes.values():
        prefix.states.clear()
    world.arrive(300.0, "a", "b")
    for name in "ab":
        found = world.of(name, 301.0)
        assert (found.since, found.until, found.computation, found.done) == (300.0, 0.0, None, 0)
        assert world.episodes.recent(world.prefixes[name], found) == (0, 0.0)
    # The clock may have been set back.
    world.end(301.0, "a", "b")
    assert world.episodes._newest == {0: 300.0}


# -- functions that share an entry ----------------------------------------------------------------------------------


def test_of_too_many_functions_those_are_dropped_that_rested_two_seconds_before_the_newest_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "LIMIT", 3)
    world = World("abcdefgx", lambda name: None if name == "x" else 0)

    def kept() -> str:
        return "".join(sorted(world.episodes._episodes))

    for name, time in (("a", 100.0), ("b", 200.0), ("c", 300.0)):
        world.run(time, time + 1, name)
    assert kept() == "abc"
    world.arrive(302.0, "d")
    assert kept() == "bcd"
    world.arrive(303.0, "e")
    assert kept() == "cde"
    # The third one rested at 301.
    world.arrive(303.0, "f")
    assert kept() == "cdef"
    # One of no shared entry drops none, and is never dropped.
    world.run(400.0, 401.0, "x")
    world.run(402.0, 403.0, "x")
    assert (kept(), set(world.episodes._newest)) == ("cdefx", {0})
    world.arrive(303.125, "g")
    assert kept() == "defgx"
    # One that is active is not dropped, whatever its time.
    world.end(304.0, "d")
    world.arrive(306.125, "a")
    assert kept() == "aefgx"


def test_a_function_that_goes_on_is_not_the_next_to_be_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIMIT", 2)
    world = World("abcd", lambda name: 0)
    world.run(100.0, 101.0, "a")
    world.run(101.0, 101.5, "b")
    world.run(102.0, 103.0, "a")
    world.arrive(200.0, "c")
    assert sorted(world.episodes._episodes) == ["a", "c"]
    # A late graph does not turn the time back.
    world.arrive(50.0, "d")
    assert sorted(world.episodes._episodes) == ["c", "d"]
    assert world.episodes._newest == {0: 200.0}


def test_a_hundred_functions_are_dropped_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIMIT", 0)
    names = [f"f{i}" for i in range(250)]
    world = World([*names, "x", "y", "z"], lambda name: 0)
    world.run(1.0, 2.0, *names)
    assert len(world.episodes._episodes) == 250
    sizes = []
    for i, name in enumerate("xyz"):
        world.arrive(1000.0 + i, name)
        sizes.append(len(world.episodes._episodes))
    assert sizes == [151, 52, 3]


def test_a_function_that_was_dropped_is_of_the_past_until_it_is_active_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIMIT", 1)
    world = World("abc", lambda name: 0)
    world.run(100.0, 101.0, "a", "a")
    world.prefixes["a"].states["erred"] = 3
    world.run(200.0, 201.0, "b")
    found = world.of("a", 202.0)
    assert (found.since, found.until, found.late, found.order, found.computation) == (0.0, 1.0, True, LAST, None)
    assert (found.done, found.erred, found.held_before(2, 2), found.held_before(3, 5)) == (2, 3, 2, 2)
    assert world.episodes.recent(world.prefixes["a"], found) == (0, 0.0)
    assert "a" not in world.episodes._episodes
    # What there is when it is active again is from before.
    world.arrive(300.0, "a")
    found = world.of("a", 301.0)
    assert (found.since, found.until, found.done, found.erred, found.held_before(2, 2)) == (300.0, 0.0, 2, 3, 2)
    # Another one begins with nothing before it.
    world.prefixes["c"].states["memory"] = 4
    world.arrive(302.0, "c")
    assert world.of("c", 303.0).done == 0
    assert found.held_before(3, 5) == 2


def test_a_function_that_was_dropped_without_results_has_none_from_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIMIT", 1)
    for memory in (0, -3):
        world = World("ab", lambda name: 0)
        world.run(100.0, 101.0, "a", "a")
        world.run(200.0, 201.0, "b")
        world.episodes._finished = lambda prefix: (2, 0)
        world.prefixes["a"].states["memory"] = memory
        assert world.of("a", 202.0).held_before(3, 5) == 0
        world.arrive(300.0, "a")
        assert (world.of("a", 301.0).done, world.of("a", 301.0).held_before(3, 5)) == (2, 0)


def test_the_record_of_dropped_functions_takes_128_kib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIMIT", 1)
    world = World("ab", lambda name: 0)
    world.run(100.0, 101.0, "a")
    assert len(world.episodes._dropped) == 0
    world.run(200.0, 201.0, "b")
    assert len(world.episodes._dropped) == 128 * 1024
    assert sum(byte.bit_count() for byte in world.episodes._dropped) == 1
    # Names are spread over all bits.
    monkeypatch.setattr(module, "DROPPED_BITS", 16)
    assert {module._bit(f"f{i}") for i in range(500)} == {(byte, 2**bit) for byte in range(2) for bit in range(8)}


def test_ten_thousand_functions_are_kept() -> None:
    names = [f"f{i}" for i in range(10_000)]
    world = World("xy", lambda name: 0)
    for name in names:
        found = world.episodes._episodes[name] = Episode(1.0, False)
        found.until = 2.0
    world.episodes._resting[0] = OrderedDict.fromkeys(names)
    for size, name in enumerate("xy"):
        world.arrive(100.0, name)
        assert len(world.episodes._episodes) == 10_000
        assert next(iter(world.episodes._resting[0])) == f"f{size + 1}"

"""Groups by themselves: what is read is what the groups say, within the bounds."""

from __future__ import annotations

import random
from array import array
from types import SimpleNamespace
from typing import Any

import pytest

from dask_panes.scheduler.collector import groups as module
from dask_panes.scheduler.collector.columns import DTYPES
from dask_panes.scheduler.collector.groups import Groups
from dask_panes.scheduler.collector.names import Names

CODES = {dtype: code for code, dtype in DTYPES.items()}
STATES = ("released", "waiting", "queued", "no-worker", "processing", "memory", "erred", "forgotten")


class Group(SimpleNamespace):
    """A task group of Dask's."""

    __hash__ = object.__hash__
    __eq__ = object.__eq__


def group(name: str, *dependencies: Any, **states: int) -> Any:
    counts = {state: states.get(state.replace("-", "_"), 0) for state in STATES}
    prefix = SimpleNamespace(name=name.split("-", maxsplit=1)[0])
    return Group(
        name=name,
        prefix=prefix,
        states=counts,
        dependencies=set(dependencies),
        nbytes_total=0,
        duration=0.0,
        start=None,
        stop=0.0,
    )


def values(column: tuple[str, bytes]) -> list[Any]:
    found = array(CODES[column[0]])
    found.frombytes(column[1])
    return list(found)


class Reader:
    """What a reader knows after its reads."""

    def __init__(self, groups: Groups, names: Names) -> None:
        self.groups, self.names, self.cursor = groups, names, 0
        self.rows: dict[str, dict[str, Any]] = {}
        self.edges: dict[str, set[str]] = {}
        self.dropped = 0

    def read(self) -> set[str]:
        body, self.cursor = self.groups.read(self.cursor)
        columns = {name: values(column) for name, column in body["c"].items()}
        fresh = set()
        for row in zip(*columns.values(), strict=True):
            one = dict(zip(columns, row, strict=True))
            name = self.names.group(one.pop("id"))
            one["prefix"] = self.names.prefixes[one["prefix"]]
            self.rows[name] = one
            self.edges[name] = set()
            fresh.add(name)
        moves = {name: values(column) for name, column in body.get("m", {}).items()}
        for source, target in zip(moves.get("source", ()), moves.get("target", ())):
            self.edges[self.names.group(target)].add(self.names.group(source))
        self.dropped = body["s"]["not_kept"]
        return fresh


def expected(one: Any) -> dict[str, Any]:
    return {
        "prefix": one.prefix.name,
        **{state.replace("-", "_"): max(0, count) for state, count in one.states.items()},
        "forgotten_erred": 0,
        "cancelled": 0,
        "nbytes": one.nbytes_total,
        "duration": one.duration,
        "start": one.start or 0.0,
        "stop": one.stop or 0.0,
        "read": 0.0,
        "freed": 0.0,
        "freed_tasks": 0,
    }


def made() -> tuple[Groups, Names, Reader]:
    names = Names()
    groups = Groups(names, pytest.fail)
    return groups, names, Reader(groups, names)


def scan(groups: Groups, alive: dict[str, Any], seen: int) -> None:
    groups.walk.forgive()
    groups.scan(alive, seen, len(alive))


def test_only_what_changed_is_read_again() -> None:
    groups, _, reader = made()
    a = group("a-1", waiting=2)
    b = group("b-1", a, waiting=1)
    alive = {"a-1": a, "b-1": b}
    assert groups.end == -1
    scan(groups, alive, 1)
    assert groups.end == groups.version == 2
    assert reader.read() == {"a-1", "b-1"}
    assert reader.rows == {name: expected(one) for name, one in alive.items()}
    assert reader.edges == {"a-1": set(), "b-1": {"a-1"}}
    begun: list[Any] = []
    begin = groups.walk.begin
    groups.walk.begin = lambda pieces: (begun.append(pieces), begin(pieces))[1]  # type: ignore[method-assign]
    # Nothing has happened: nothing is looked at.
    scan(groups, alive, 1)
    assert begun == []
    a.states.update({"waiting": 0, "memory": 2})
    a.nbytes_total, a.duration, a.start, a.stop = 10, 2.5, 100.0, 103.0
    scan(groups, alive, 1)
    assert (begun, reader.read()) == ([], set())
    scan(groups, alive, 2)
    assert (len(begun), reader.read()) == (1, {"a-1"})
    assert reader.rows["a-1"] == expected(a)
    # The budget is spent: later.
    b.states.update({"waiting": 0, "memory": 1})
    groups.walk._next = float("inf")
    groups.scan(alive, 3, 2)
    assert (len(begun), reader.read()) == (1, set())
    scan(groups, alive, 3)
    assert reader.read() == {"b-1"}
    b.states["memory"] = -3
    scan(groups, alive, 4)
    reader.read()
    assert reader.rows["b-1"]["memory"] == 0


def test_unfinished_forgotten_tasks_are_counted_by_their_group() -> None:
    groups, _, reader = made()
    a = group("a-1", memory=1, forgotten=5)
    scan(groups, {"a-1": a}, 1)
    for how in ("erred", "cancelled", "cancelled"):
        groups.forget(a, how)
    scan(groups, {"a-1": a}, 2)
    reader.read()
    assert (reader.rows["a-1"]["forgotten_erred"], reader.rows["a-1"]["cancelled"]) == (1, 2)
    # Another group of that name has none.
    again = group("a-1", memory=1)
    groups.hold(again)
    scan(groups, {"a-1": again}, 3)
    reader.read()
    assert (reader.rows["a-1"]["forgotten_erred"], reader.rows["a-1"]["cancelled"]) == (0, 0)


def test_a_group_that_is_over_stays_as_it_was_and_is_no_longer_looked_at() -> None:
    groups, _, reader = made()
    a, b = group("a-1", memory=1), group("b-1", waiting=1)
    scan(groups, {"a-1": a, "b-1": b}, 1)
    a.states.update({"memory": 0, "forgotten": 1})
    scan(groups, {"b-1": b}, 2)
    assert (set(groups.held), reader.read()) == ({"b-1"}, {"a-1", "b-1"})
    a.states["forgotten"] = 7
    scan(groups, {"b-1": b}, 3)
    assert (reader.read(), reader.rows["a-1"]["forgotten"]) == (set(), 1)


@pytest.mark.parametrize("order", ["read first", "reader first"])
def test_it_is_known_when_results_were_last_read(order: str) -> None:
    groups, _, reader = made()
    a, b = group("a-1", memory=2), group("b-1", waiting=1)
    one, two = group("c-1", a, waiting=1), group("d-1", a, b, waiting=1)
    # A group that depends on itself does not read itself.
    a.dependencies.add(a)
    a.stop = 50.0
    listed = [a, b, one, two]
    alive = {each.name: each for each in (listed if order == "read first" else reversed(listed))}
    scan(groups, alive, 1)
    reader.read()
    assert (reader.rows["a-1"]["read"], reader.rows["b-1"]["read"]) == (0.0, 0.0)
    one.stop = 60.0
    scan(groups, alive, 2)
    assert (reader.read(), reader.rows["a-1"]["read"]) == ({"a-1", "c-1"}, 60.0)
    # One that was made and forgotten since, and another of its name since then.
    two.stop = 70.0
    two.states.update({"waiting": 0, "forgotten": 1})
    alive.pop("d-1")
    groups.hold(group("d-1", waiting=1))
    scan(groups, alive, 3)
    reader.read()
    assert (reader.rows["a-1"]["read"], reader.rows["b-1"]["read"]) == (70.0, 70.0)
    # Nothing new is nothing to read.
    scan(groups, alive, 4)
    assert reader.read() == set()


def test_it_is_known_when_the_last_results_were_freed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "time", lambda: 123.0)
    groups, _, reader = made()
    a = group("a-1", memory=5)
    scan(groups, {"a-1": a}, 1)
    a.states.update({"memory": 3, "released": 2})
    scan(groups, {"a-1": a}, 2)
    reader.read()
    assert (reader.rows["a-1"]["freed"], reader.rows["a-1"]["freed_tasks"]) == (0.0, 0)
    a.states.update({"memory": 0, "released": 5})
    for seen in (3, 4):
        scan(groups, {"a-1": a}, seen)
        reader.read()
        assert (reader.rows["a-1"]["freed"], reader.rows["a-1"]["freed_tasks"]) == (123.0, 3)
    # They are computed again.
    a.states.update({"memory": 5, "released": 0})
    scan(groups, {"a-1": a}, 5)
    reader.read()
    assert (reader.rows["a-1"]["freed"], reader.rows["a-1"]["freed_tasks"]) == (0.0, 0)


def test_rows_of_an_older_version_get_the_columns_that_they_lack() -> None:
    groups, _, reader = made()
    a = group("a-1", memory=1)
    scan(groups, {"a-1": a}, 1)
    groups._rows = {found: row[:14] for found, row in groups._rows.items()}
    groups.widen()
    reader.read()
    assert reader.rows["a-1"] == expected(a)


def test_a_restart_begins_again() -> None:
    groups, _, reader = made()
    scan(groups, {"a-1": group("a-1", memory=1)}, 1)
    version = groups.version
    groups.restart()
    assert (groups.held, groups.version, groups.end, groups.dropped) == ({}, version + 1, -1, 0)
    assert reader.read() == set()
    scan(groups, {"a-1": group("a-1", memory=3)}, 1)
    assert reader.read() == {"a-1"}


@pytest.mark.parametrize("seed", range(5))
def test_the_newest_groups_are_kept_first_those_that_still_live(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIMIT", 20)
    monkeypatch.setattr(module, "SLACK", 5)
    monkeypatch.setattr(module, "PIECE", 3)
    random_ = random.Random(seed)
    groups, _, reader = made()
    alive: dict[str, Any] = {}
    every: dict[str, Any] = {}
    for step in range(120):
        dependencies = random_.sample(list(alive.values()), min(len(alive), random_.randrange(3)))
        one = group(f"f{step % 7}-{step}", *dependencies, waiting=1)
        alive[one.name] = every[one.name] = one
        groups.hold(one)
        for name in [*alive]:
            if random_.random() < 0.15:
                alive[name].states.update({"waiting": 0, "forgotten": 1})
                del alive[name]
            elif random_.random() < 0.2:
                alive[name].nbytes_total += 1
                alive[name].stop = float(step)
        scan(groups, alive, step)
        while groups.walk.walking:
            groups.walk._step()
        reader.read()
        kept = len(groups._kept)
        assert kept < 25
        assert kept + groups.dropped == step + 1
        assert reader.dropped == groups.dropped
        if len(alive) <= 20:
            assert set(alive) <= set(groups.held)
        assert len(groups._rows) == kept
        assert len(groups._reads) <= kept
    for name in groups.held:
        assert {**reader.rows[name], "read": 0.0} == expected(every[name])
        assert reader.edges[name] == {other.name for other in every[name].dependencies}


@pytest.mark.parametrize("ended", [False, True])
def test_many_groups_at_once_are_dropped_and_adopted_in_small_pieces(
    ended: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LIMIT", 1_000)
    monkeypatch.setattr(module, "SLACK", 100)
    monkeypatch.setattr(module, "LOOKS", 30)
    groups, _, reader = made()
    looked: list[str] = []
    look = groups._look

    def counted(name: str) -> None:
        looked.append(name)
        look(name)

    monkeypatch.setattr(groups, "_look", counted)
    states = {"forgotten": 1} if ended else {"waiting": 1}
    made_groups = [group(f"load-{i}", **states) for i in range(5_000)]
    most = 0
    for one in made_groups:
        before = len(looked)
        groups.hold(one)
        most = max(most, len(looked) - before)
        assert len(groups.held) <= len(groups._kept) < 1_100
    assert most <= 30
    # Without a reader: those that have ended are let go, and what is kept of them stays.
    assert bool(looked) == ended
    assert set(looked).isdisjoint(groups.held)
    assert groups.dropped == 5_000 - len(groups._kept)
    # A reader comes, and as many others that arrived without a graph.
    others = [group(f"scattered-{i}", memory=1) for i in range(5_000)]
    alive = {one.name: one for one in others}
    held: list[int] = []
    hold = groups.hold

    def counted_hold(one: Any) -> None:
        held[-1] += 1
        hold(one)

    monkeypatch.setattr(groups, "hold", counted_hold)
    held.append(0)
    for _ in groups._look_at_all(alive):
        # One leaves before its turn.
        alive.pop("scattered-4998", None)
        held.append(0)
    assert (max(held), sum(held)) == (module.PIECE, 999)
    adopted = [name for name in groups.held if name.startswith("scattered")]
    assert adopted == [f"scattered-{i}" for i in range(4_000, 5_000) if i != 4_998]
    reader.read()
    # Adopted once.
    held.append(0)
    for _ in groups._adopt(alive):
        pass
    assert held[-1] == 0

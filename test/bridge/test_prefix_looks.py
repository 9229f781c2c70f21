"""Looks at many functions: rows are computed only of those that have moved, and those that moved last come first."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from math import inf
from types import SimpleNamespace
from typing import Any

import pytest

from dask_panes.kernel.session.stand_in import mirror_prefix
from dask_panes.scheduler.collector import prefix_pieces, prefixes
from dask_panes.scheduler.collector.names import ALIKE, MORE, Names
from dask_panes.scheduler.collector.prefix_rows import PLACES
from reader import rows


class World:
    """A scheduler with functions of one task group each, and the topic that looks at it."""

    def __init__(self, names: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr(prefixes, "time", lambda: self.now)
        self.scheduler = SimpleNamespace(transition_counter=0, tasks={}, task_prefixes={})
        self.names = Names()
        self.topic = prefixes.Prefixes(self.names, self._fail)
        self.topic.begin(self.scheduler, fresh=True)
        #: Functions of which a row was computed.
        self.computed: list[str] = []
        row = self.topic._row

        def counted(prefix: Any, now: float) -> tuple[float, ...]:
            self.computed.append(prefix.name)
            return row(prefix, now)

        monkeypatch.setattr(self.topic, "_row", counted)
        self.add(names)

    @staticmethod
    def _fail(error: Exception) -> None:
        raise error

    def add(self, names: list[str]) -> None:
        self.scheduler.task_prefixes.update({name: mirror_prefix(name) for name in names})

    def move(self, name: str, start: str, finish: str, count: int = 1) -> None:
        """Dask moves tasks of a function from one state to another."""
        prefix = self.scheduler.task_prefixes[name]
        prefix.states[start] -= count
        prefix.states[finish] += count
        prefix.state_counts[finish] += count
        self.scheduler.transition_counter += count

    def submit(self, names: list[str]) -> None:
        for name in names:
            self.scheduler.task_prefixes[name].states["released"] += 1
            self.move(name, "released", "processing")
        self.topic.episodes.arrive([self.task(name) for name in names], self.now)

    def finish(self, names: list[str]) -> None:
        for name in names:
            self.move(name, "processing", "memory")
        tasks = [self.task(name) for name in names]
        self.topic.episodes.ended(tasks, [[{"start": self.now - 0.1}]] * len(tasks), [], self.now)

    def task(self, name: str) -> Any:
        prefix = self.scheduler.task_prefixes[name]
        return SimpleNamespace(prefix=prefix, group=prefix, priority=(0, 1))

    def settle(self) -> None:
        """What the collector does with each tick before the scans."""
        self.topic.episodes.settle(self.now)
        while self.topic.episodes.touched:
            self.topic.episodes.settle(self.now)

    async def look(self) -> None:
        self.settle()
        self.topic.scan(self.scheduler)
        while self.topic.walk.walking or self.topic.quick.walking:
            await asyncio.sleep(0)

    def row(self, entry: str) -> dict[str, float]:
        row = self.topic._rows[self.names.prefixes.index(entry)]
        return {name: row[place] for name, place in PLACES.items()}


LOADS = [f"load_{i}" for i in range(3_000)]


async def test_rows_are_computed_only_of_functions_that_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(["inc", *LOADS, "dec"], monkeypatch)
    world.submit(LOADS)
    world.finish(LOADS)
    await world.look()
    assert Counter(world.computed) == Counter({name: 1 for name in world.scheduler.task_prefixes})
    world.computed.clear()
    world.topic.walk.forgive()
    world.now += 60
    world.submit(["dec"])
    await world.look()
    assert "dec" in world.computed
    assert len(world.computed) <= prefix_pieces.PIECE
    assert (world.row("dec")["processing"], world.row("load_*" + MORE)["memory"]) == (1, len(LOADS) - ALIKE)


async def test_counts_say_which_executions_they_know(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(["inc"], monkeypatch)
    world.topic._ended = lambda: (len(world.scheduler.tasks), len(world.scheduler.tasks))
    world.submit(["inc", "inc"])
    world.finish(["inc"])
    world.scheduler.tasks["inc-1"] = None
    await world.look()
    # Another one ends, and is read before the next look.
    world.finish(["inc"])
    world.scheduler.tasks["inc-2"] = None
    assert (world.row("inc")["processing"], world.topic.read(0)[0]["s"]["counted"]) == (1, 1)
    world.topic.walk.forgive()
    await world.look()
    assert (world.row("inc")["processing"], world.topic.read(0)[0]["s"]["counted"]) == (0, 2)


async def test_each_row_says_which_executions_it_knows_while_a_look_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(["inc", "dec"], monkeypatch)
    monkeypatch.setattr(prefix_pieces, "PIECE", 1)
    ended = 0
    world.topic._ended = lambda: (ended, ended)
    world.submit(["inc", "inc", "dec", "dec"])
    ended = 1
    world.settle()
    pieces = world.topic._look(world.scheduler)
    while world.names.prefix_ids["inc"] not in world.topic._rows:
        next(pieces)
    # Another two end before the other function is looked at.
    world.finish(["inc", "dec"])
    ended = 3
    for _ in pieces:
        pass
    body = world.topic.read(0)[0]
    found = {world.names.prefixes[int(row["id"])]: row for row in rows(body["c"])}
    assert [(found[name]["processing"], found[name]["counted"]) for name in ("inc", "dec")] == [(2, 1), (1, 3)]
    assert body["s"]["counted"] == 1
    # Where more rows follow, those of their functions are not known.
    monkeypatch.setattr(prefixes, "READ_ROWS", 1)
    first, cursor = world.topic.read(0)
    assert (first["s"], world.topic.read(cursor)[0]["s"]) == ({}, {"counted": 1})


async def test_executions_that_do_not_count_yet_are_not_known_to_a_look_at_what_moved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World(["inc"], monkeypatch)
    ended = (5, 3)
    world.topic._ended = lambda: ended
    for _ in world.topic._look(world.scheduler, quick=True):
        pass
    assert world.topic._counted == 3
    for _ in world.topic._look(world.scheduler):
        pass
    assert world.topic._counted == 5
    for _ in world.topic._look(world.scheduler, quick=True):
        pass
    assert world.topic._counted == 5


@pytest.mark.parametrize("name", ["inc", "load_2500", "new"])
async def test_what_moved_is_looked_at_while_a_look_at_all_must_wait(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(["inc", *LOADS], monkeypatch)
    world.submit(LOADS)
    world.finish(LOADS)
    await world.look()
    # As after the look at 100,000 functions, which costs a second of 1 % of a core.
    world.topic.walk._next = inf
    world.now += 60
    world.add([] if name in world.scheduler.task_prefixes else [name])
    entry = "load_*" + MORE if name.startswith("load") else name
    world.submit([name])
    await world.look()
    assert world.row(entry)["processing"] == 1
    world.topic.quick.forgive()
    world.finish([name])
    await world.look()
    assert (world.row(entry)["processing"], world.row(entry)["recent"]) == (0, 1)
    # Released results move no episode.
    before = world.row(entry)["memory"]
    world.topic.quick.forgive()
    world.move(name, "memory", "released")
    await world.look()
    assert world.row(entry)["memory"] == before - 1


@pytest.mark.parametrize("seed", range(10))
async def test_looks_at_what_moved_find_what_looks_at_all_find(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    monkeypatch.setattr(prefix_pieces, "PIECE", 7)
    monkeypatch.setattr(prefixes, "PIECE", 7)
    loads = [f"load_{i}" for i in range(ALIKE + 60)]
    world = World(["inc", *loads[:-20]], monkeypatch)
    for step in range(60):
        world.now += rng.choice((0.125, 0.5, 3.0))
        if step == 30:
            world.add(loads[-20:])
        known = world.scheduler.task_prefixes
        some = rng.sample(sorted(known), rng.randint(0, 12))
        done = [name for name in some if known[name].states["processing"] > 0]
        world.finish(done)
        world.submit([name for name in some if name not in done and rng.random() < 0.7])
        for name in rng.sample(sorted(known), 5):
            if known[name].states["memory"] > 0:
                world.move(name, "memory", "forgotten")
        if rng.random() < 0.2:
            world.topic.walk._next = inf
        await world.look()
        if rng.random() < 0.5:
            continue
        world.topic.walk.forgive()
        world.topic._seen = ()
        await world.look()
        found = dict(world.topic._rows)
        world.topic._pieces.doubt()
        world.topic.walk.forgive()
        world.topic._seen = ()
        await world.look()
        assert world.topic._rows == found, f"seed {seed}, step {step}"

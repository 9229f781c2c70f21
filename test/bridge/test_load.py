"""What scans and samples cost, and what that changes: the intervals of scans, and how often large tables are sent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from distributed import Client, LocalCluster, wait

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector import duties, pace, running, walk
from dask_panes.scheduler.collector.faults import Faults
from dask_panes.scheduler.collector.load import LONGEST_STRETCH, SCANS, Load
from dask_panes.scheduler.collector.pace import LEAST_BUDGET, READ_BUDGET, Pace
from dask_panes.scheduler.collector.plugin import PLUGIN_NAME, Collector
from dask_panes.scheduler.collector.topic import TICK, Topic
from dask_panes.scheduler.collector.walk import Walk
from reader import Reader


@pytest.mark.parametrize(
    ("scans", "stretch", "share"),
    [(0.0, 1, 0.0), (0.8 * SCANS, 1, 0.8 * SCANS), (3 * SCANS, 3, SCANS), (20 * SCANS, LONGEST_STRETCH, 5 * SCANS)],
)
def test_intervals_of_scans_get_as_long_as_their_cost_demands_and_short_again(
    scans: float, stretch: float, share: float
) -> None:
    load, now, spent = Load(), 100.0, 0.0

    def go_on(seconds: float, cost: float) -> None:
        nonlocal now, spent
        end = now + seconds
        while now < end:
            load.note(now, spent, 0.002 * now)
            now += TICK
            # Scans that come half as often cost half.
            spent += TICK * cost / load.stretch

    go_on(1, scans)
    # Not at once: one look that takes long changes nothing.
    assert load.stretch < 1.5
    go_on(200, scans)
    assert load.stretch == pytest.approx(stretch, rel=0.02)
    assert load.share == pytest.approx(share + 0.002, rel=0.02)
    go_on(100, 0.0)
    assert load.stretch == 1
    assert load.share == pytest.approx(0.002, rel=0.02)


def test_a_process_that_was_stopped_and_two_notes_at_one_time_are_no_load() -> None:
    load = Load()
    load.note(5.0, 100.0, 100.0)
    load.note(5.0, 200.0, 200.0)
    assert (load.stretch, load.share) == (1, 0)
    load.note(3605.0, 201.0, 201.0)
    assert (load.stretch, load.share) == (1, pytest.approx(2 / 3600))


def test_large_tables_are_sent_within_what_scans_and_samples_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "time", lambda: 1e9)
    found = Pace()
    state = found.reader("a")
    state.polls, state.seen, state.wanted = True, 1e9, frozenset(("tasks", "workers"))
    alone, _ = found.floors()
    monkeypatch.setattr(Load, "share", property(lambda _: 0.003))
    # A small cluster has none: its reads are as frequent as ever.
    assert found.floors() == (alone, {})
    found.table_costs["workers"] = 4e-3
    assert found.floors() == (2 * alone, {"workers": pytest.approx(4e-3 / (READ_BUDGET / 2 - 0.003))})
    monkeypatch.setattr(Load, "share", property(lambda _: 0.02))
    assert found.floors() == (2 * alone, {"workers": pytest.approx(4e-3 / LEAST_BUDGET)})


def test_a_walk_rests_longer_and_its_first_slice_is_of_the_scan_that_began_it(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = {"cpu": 0.0, "wall": 100.0}
    monkeypatch.setattr(walk, "cpu_time", lambda: clock["cpu"])
    monkeypatch.setattr(walk, "perf_counter", lambda: clock["wall"])

    def pieces(count: int) -> Iterator[None]:
        for _ in range(count):
            clock["cpu"] += 1e-3
            yield

    async def body() -> None:
        for rest in (0.0, 0.5):
            found = Walk(lambda _: None, rest)
            found.stretch = 3.0
            found.begin(pieces(5))
            while found.walking:
                await asyncio.sleep(0)
            assert found.total == pytest.approx(3e-3)
            clock["wall"] += 3 * 0.5 - 0.001
            assert not found.due
            clock["wall"] += 0.002
            assert found.due

    asyncio.run(body())


async def test_the_cost_of_duties_is_known_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(duties, "cpu_time", lambda: clock[0])
    found = duties.Duties(Faults(), lambda: None)

    def cost(seconds: float) -> Callable[[], None]:
        return lambda: clock.__setitem__(0, clock[0] + seconds)

    def executions() -> Iterator[None]:
        for _ in range(3):
            cost(1e-3)()
            yield

    found.once("held", "scan", cost(1e-3))
    found.add("executions", executions())
    found.once("held", "scan", cost(2e-3))
    found.go_on()
    await found.finished()
    assert found.spent == {"held": pytest.approx(3e-3), "executions": pytest.approx(3e-3)}


async def test_scans_are_rarer_where_they_cost_too_much_and_facts_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    collector = Collector()
    scanned: list[str] = []

    def topic(name: str, seconds: float) -> Topic:
        return Topic(seconds, lambda: 0, lambda cursor: ({}, cursor), lambda: scanned.append(name))

    collector.topics = {"held": topic("held", TICK), "groups": topic("groups", 1.0), "meta": topic("meta", TICK)}
    monkeypatch.setattr(Pace, "wanted", lambda _: frozenset(collector.topics))
    upkeep: Any = collector.upkeep
    for stretch, expected in ((1.0, {"held": 40, "groups": 10}), (4.0, {"held": 10, "groups": 2})):
        collector.pace.load.stretch = stretch
        scanned.clear()
        for i in range(1, 41):
            upkeep._add_scans(1000.0 * stretch + i * TICK)
            upkeep._duties.finish()
        counts = {name: scanned.count(name) for name in collector.topics}
        assert counts.pop("meta") == 40
        assert all(abs(counts[name] - expected[name]) <= 1 for name in expected), counts


def test_what_executions_cost_is_no_scan_and_all_that_is_scanned_follows_the_load() -> None:
    with (
        LocalCluster(n_workers=2, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        reader = Reader(client)
        plugin: Any = cluster.scheduler.plugins[PLUGIN_NAME]
        wait(client.map(abs, range(200)))
        reader.until(lambda: len(reader.tasks) == 200 and plugin.pace.load.share > 0)
        spent = plugin.upkeep._duties.spent
        assert {"executions", "series", "held", "workers", "prefixes"} <= spent.keys()
        # A small cluster has the intervals that it had, unless the machine hardly gets on.
        assert plugin.pace.load.stretch == 1 or plugin.pace.load._scans > SCANS

        async def follow() -> set[float]:
            plugin.pace.load.stretch, plugin.pace.load._scans = 3.0, 3 * SCANS
            plugin.upkeep._note_load()
            assert len(plugin.upkeep._walks) == 6
            return {plugin.pace.load.stretch, *(each.stretch for each in (*plugin.upkeep._walks, plugin.running))}

        (stretch,) = client.sync(follow)
        assert stretch > 1


def test_a_scan_of_running_tasks_waits_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = {"cpu": 0.0, "wall": 0.0}

    def tick() -> float:
        clock["cpu"] += 1e-3
        return clock["cpu"]

    monkeypatch.setattr(running, "cpu_time", tick)
    monkeypatch.setattr(running, "perf_counter", lambda: clock["wall"])
    collector = Collector()
    for stretch in (1.0, 4.0):
        collector.running._next_scan = 0.0
        collector.running.stretch = stretch
        collector.running.scan(type("S", (), {"workers": {}})())  # type: ignore[arg-type]
        assert collector.running._next_scan == pytest.approx(stretch * 1e-3 / running.BUDGET)

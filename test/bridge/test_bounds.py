"""What the collector keeps on the scheduler has a bound, also while no pane is open."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import dask
import dask.array as da
import pytest
from distributed import Client, LocalCluster, wait

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector import names as names_module
from dask_panes.scheduler.collector.looks import Looks
from dask_panes.scheduler.collector.names import ALIKE, OTHER, PREFIXES, Names
from dask_panes.scheduler.collector.plugin import PLUGIN_NAME
from dask_panes.scheduler.collector.workers import Workers
from reader import Reader


@pytest.fixture
def client() -> Iterator[Client]:
    with (
        LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        yield client


def lower(monkeypatch: pytest.MonkeyPatch, client: Client, module: str, **limits: int) -> None:
    """Set limits of the collector that the scheduler runs, so that a test can fill them.

    All collectors of a process share their modules: the limits hold for one test only.
    """
    package = type(client.cluster.scheduler.plugins[PLUGIN_NAME]).__module__.rpartition(".")[0]
    for name, limit in limits.items():
        monkeypatch.setattr(sys.modules[f"{package}.{module}"], name, limit)


def sizes(client: Client) -> dict[str, int]:
    def look(dask_scheduler: Any) -> dict[str, int]:
        plugin = dask_scheduler.plugins[PLUGIN_NAME]
        return {
            "held": len(plugin.groups.held),
            "rows": len(plugin.groups._rows),
            "names": len(plugin.names.groups),
            "ids": len(plugin.names.group_ids),
            "prefixes": len(plugin.names.prefixes),
            "prefix_ids": len(plugin.names.prefix_ids),
        }

    found: dict[str, int] = client.run_on_scheduler(look)
    return found


def test_groups_of_arrays_leave_while_nobody_looks(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    lower(monkeypatch, client, "groups", LIMIT=40, SLACK=10)
    lower(monkeypatch, client, "names", GROUPS=60)
    for i in range(40):
        # Each array has groups of its own, with tuples as keys.
        assert (da.ones((4, 4), chunks=2, name=f"ones-{i}") + i).sum().compute(optimize_graph=False) == 16 * (1 + i)
    # One that lives on, with a chain of groups behind it.
    array = da.ones(4, chunks=2).persist()
    for _ in range(40):
        array = (array + 1).persist()
    wait(array)
    found = sizes(client)
    assert found["rows"] < 50 and found["held"] < 50
    assert found["names"] <= 66 and found["ids"] <= 66
    assert found["prefixes"] < 20
    reader = Reader(client)
    reader.arrive()
    # The newest are there, with their names.
    newest = array.name
    ids = {name: reader.first_group + i for i, name in enumerate(reader.names["groups"])}
    assert reader.rows["groups"][ids[newest]]["memory"] == 2
    assert len(reader.rows["groups"]) < 50
    assert any(a["topics"]["groups"]["s"]["not_kept"] > 100 for a in reader.answers if "groups" in a["topics"])


def test_numbered_keys_share_an_entry_and_stay_findable(client: Client) -> None:
    count = ALIKE + 20
    futures = [client.submit(pow, 2, i, key=f"load_{i}") for i in range(count)]
    tuples = [client.submit(pow, 3, i, key=(f"part_{i}", i)) for i in range(count)]
    wait([*futures, *tuples])
    reader = Reader(client)
    reader.arrive()
    names = reader.names["prefixes"]
    shared = names.index("load_* (more)")
    assert {"load_0", f"load_{ALIKE - 1}", "part_* (more)"} <= set(names)
    assert f"load_{count - 1}" not in names
    assert sizes(client)["prefix_ids"] == 2 * ALIKE
    # Nothing is lost in what several functions share.
    assert sum(row["prefix"] == shared for row in reader.tasks) == count - ALIKE
    assert reader.rows["prefixes"][shared]["memory"] == count - ALIKE
    assert reader.rows["held"][shared]["results"] == count - ALIKE
    for key in (f"load_{count - 1}", repr((f"part_{count - 1}", count - 1)), "load_3"):
        (execution,) = reader.ask("task", key=key)["executions"]
        assert reader.ask("key", row=execution["row"])["key"] == key
    graph = {text: i for i, text in enumerate(reader.ask("numbers", numbers=list(range(2 * count))[:200]))}
    assert "load_0" in graph


def test_a_task_of_a_very_long_prefix_is_found(client: Client) -> None:
    name = "x" * 1500
    key = f"{name}-{'ab' * 16}"
    assert client.submit(pow, 2, 3, key=key).result() == 8
    reader = Reader(client)
    reader.arrive()
    (execution,) = reader.ask("task", key=key)["executions"]
    assert reader.ask("key", row=execution["row"])["key"] == key
    assert reader.names["prefixes"] == [name[:1000]]
    # By its number, too, once it was forgotten; so is one whose name is no valid text.
    assert client.submit(pow, 2, 3, key=f"odd\udcff-{'cd' * 16}").result() == 8
    reader.until(lambda: len(reader.tasks) == 2)
    for number in range(2):
        reader.until(lambda number=number: not reader.ask("task", number=number)["known"])
        (execution,) = reader.ask("task", number=number)["executions"]
        assert execution["row"] == number


def test_groups_that_are_kept_have_their_names_after_indices_started_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names_module, "GROUPS", 10)
    names = Names()
    before = {name: names.group_ids[name] for name in (f"sum-{i}" for i in range(25))}
    kept = list(names.group_ids)
    less = names.renew_groups()
    assert {name: names.group_ids[name] for name in kept} == {name: before[name] - less for name in kept}
    assert [names.group_ids[name] for name in kept] == list(range(1, len(kept) + 1))
    # The first index is that of every group whose name was dropped.
    assert [names.group(found) for found in range(len(kept) + 1)] == ["", *kept]
    assert names.group(names.group_ids["sum-25"]) == "sum-25"


def test_every_dictionary_has_its_bound() -> None:
    names = Names()
    words = [f"{first}{second}{third}" for first in LETTERS for second in LETTERS for third in LETTERS]
    for word in words[: 2 * PREFIXES]:
        names.prefix_ids[word]
    assert len(names.prefixes) == PREFIXES + 1 == len(names.prefix_ids) + 1
    assert names.prefixes[names.prefix_ids["never-seen"]] == OTHER
    # Positions keep their meaning.
    assert names.prefix_ids[words[7]] == 7

    for i in range(3 * names_module.GROUPS):
        found = names.group_ids[f"sum-{i}"]
        assert found == i and names.group(found) == f"sum-{i}"
    assert len(names.groups) == len(names.group_ids) <= 1.1 * names_module.GROUPS
    assert names.group(0) == ""

    # Tasks that secede: a thread each.
    names.add_worker({"address": "tcp://a", "name": "a"})
    lanes = {names.lane_ids["tcp://a", thread] for thread in range(1, 5000)}
    assert len(lanes) == len(names.lanes) == len(names.lane_ids) == names_module.THREADS + 1
    assert names.lanes[names.lane_ids["tcp://a", 4999]] == [0, 0]

    # Workers that come and go.
    for i in range(1, 50):
        found = names.add_worker({"address": "tcp://b", "name": f"b{i}", "host": "x" * 100})
        names.lane_ids["tcp://b", 7]
        names.drop_worker(found)
    assert {id(facts) for facts in names.workers[1:]} == {id(names.workers[1])}
    assert names.lanes[-1] == [49, 0]
    assert names.worker_at("tcp://b") == -1


LETTERS = "abcdefghijklmnopqrstuvwxyz"


def test_names_are_sent_in_parts_and_before_the_rows_that_need_them(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    lower(monkeypatch, client, "names", AT_ONCE=50)
    dask.compute(
        [dask.delayed(pow)(2, i, dask_key_name=f"{a}{b}") for i, a in enumerate(LETTERS) for b in LETTERS[:10]]
    )
    reader = Reader(client)

    def in_parts() -> bool:
        for answer in reader.answers[-1:]:
            assert sum(len(entries["values"]) for entries in answer["names"].values()) <= 50
        for row in reader.tasks:
            assert row["prefix"] < len(reader.names["prefixes"])
        return len(reader.tasks) == 260

    reader.until(in_parts)
    # A reader that wants no groups does not get their names.
    other = Reader(client)
    other.until(lambda: len(other.tasks) == 260, ["tasks", "prefixes"])
    assert other.names["groups"] == []
    other.until(lambda: len(other.names["groups"]) >= 260)


def test_another_collector_begins_before_readers_refuse_positions_of_lanes(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader(client)
    client.submit(abs, -1, key="abs-before").result()
    reader.until(lambda: len(reader.tasks) == 1)
    feed = reader.feed
    lower(monkeypatch, client, "names", LAST_INDEX=1)
    # The next one is not to end at once, too.
    reader.until(lambda: reader.feed != feed)
    lower(monkeypatch, client, "names", LAST_INDEX=800_000)
    client.submit(abs, -2, key="abs-after").result()
    late = Reader(client)
    late.until(lambda: len(late.tasks) >= 1)
    meta = [answer["topics"]["meta"]["s"] for answer in late.answers if "meta" in answer["topics"]][-1]
    assert any("begun again" in problem for problem in meta["problems"])


def test_a_worker_that_left_has_no_threads_any_more() -> None:
    names = Names()
    topic = Workers(names, Looks())
    ws: Any = SimpleNamespace(**dict.fromkeys(("services", "extra", "versions", "memory_limit"), None))
    ws.address, ws.name, ws.host, ws.nthreads, ws.pid, ws.last_seen = "tcp://a", "a", "h", 1, 1, 0.0
    topic.add(ws)
    for thread in range(5):
        names.lane_ids["tcp://a", thread]
    topic.remove("tcp://a")
    assert (dict(names.lane_ids), names._lanes_at, len(names.lanes)) == ({}, {}, 5)


def test_positions_of_groups_begin_again_before_readers_refuse_them(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    lower(monkeypatch, client, "names", LAST_GROUP=100, GROUPS=30)
    lower(monkeypatch, client, "groups", LIMIT=20, SLACK=5)
    reader = Reader(client)
    lives = da.ones(4, chunks=2, name="lives").persist()
    for i in range(80):
        array = (da.ones(4, chunks=2, name=f"ones-{i}") + i).persist(optimize_graph=False)
        wait(array)
        reader.read()
    reader.until(lambda: reader.epoch >= 1)
    more = (lives + 1).persist(optimize_graph=False)
    wait(more)
    late = Reader(client)
    for each in (reader, late):
        each.arrive()
        ids = {name: each.first_group + i for i, name in enumerate(each.names["groups"])}
        assert max(ids.values()) < 100
        assert each.rows["groups"][ids[array.name]]["memory"] == 2
        assert each.rows["groups"][ids[more.name]]["memory"] == 2
        assert each.rows["groups"][ids["lives"]]["memory"] == 2
        # What a task's group is called is right, or not known any more.
        named = [int(row["group"]) for row in each.graph]
        assert {found for found in named if found >= each.first_group and found} <= set(ids.values())
        assert sum(found == ids[array.name] for found in named) == 2


def test_counts_of_functions_that_share_an_entry_are_summed(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    lower(monkeypatch, client, "names", ALIKE=2)
    lower(monkeypatch, client, "prefixes", COUNTED=10)
    futures = [client.submit(int, "no number", key=f"load_{i}") for i in range(40)]
    wait(futures)
    good = [client.submit(int, i, key=f"load_{100 + i}") for i in range(5)]
    wait(good)
    del futures, good

    def counts(dask_scheduler: Any) -> tuple[int, int]:
        prefixes = dask_scheduler.plugins[PLUGIN_NAME].prefixes
        return len(prefixes._forgotten), len(dask_scheduler.tasks)

    end = time.monotonic() + 180
    while (found := client.run_on_scheduler(counts))[1]:
        assert time.monotonic() < end
        time.sleep(0.1)
    assert found[0] <= 10
    reader = Reader(client)
    reader.arrive()
    rows = [row for i, row in reader.rows["prefixes"].items() if reader.names["prefixes"][i].startswith("load_")]
    assert sum(row["forgotten_erred"] for row in rows) == 40
    assert sum(row["forgotten"] for row in rows) == 5


def test_an_answer_has_so_many_rows_and_a_reader_gets_all(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        LocalCluster(n_workers=5, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        lower(monkeypatch, client, "workers", READ_ROWS=2)
        lower(monkeypatch, client, "prefixes", READ_ROWS=2)
        lower(monkeypatch, client, "groups", READ_ROWS=2)
        # Nothing more than one topic in an answer, one duty in a turn, one worker in a piece of a sample.
        lower(monkeypatch, client, "polls", ANSWER=0)
        lower(monkeypatch, client, "duties", TURN=0)
        lower(monkeypatch, client, "sampling", SAMPLED=1)
        wait([client.submit(abs, i, key=f"{name}-{i}") for i, name in enumerate("abcdefg")])
        reader = Reader(client)

        def rows() -> list[int]:
            return [*(len(reader.rows[topic]) for topic in ("workers", "prefixes", "groups")), len(reader.tasks)]

        reader.until(lambda: rows() == [5, 7, 7, 7])
        for answer in reader.answers:
            assert len(answer["topics"]) <= 1
            for topic in {"workers", "prefixes", "groups"} & answer["topics"].keys():
                _, data = answer["topics"][topic]["c"]["id"]
                assert len(data) // 2 <= 2


def test_a_task_with_very_many_neighbours_is_described_in_pieces(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    lower(monkeypatch, client, "task", PIECE=10)
    parts = client.map(abs, range(100))
    total = client.submit(sum, parts, key="total")
    wait(total)

    async def describe(dask_scheduler: Any) -> tuple[dict[str, Any], int]:
        turns = 0

        async def count() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        counting = asyncio.ensure_future(count())
        details = await dask_scheduler.plugins[PLUGIN_NAME].ask("task", {"key": "total"})
        counting.cancel()
        return details, turns

    details, turns = client.run_on_scheduler(describe)
    assert (details["dependency_count"], details["lacking"], len(details["dependencies"])) == (100, 0, 100)
    assert turns >= 10


def test_names_are_inexact_once_an_entry_is_not_the_name_of_its_prefix() -> None:
    for name, exact in (("load", True), ("x" * 1000, True), ("x" * 1001, False), ("load\udcff", False)):
        names = Names()
        names.prefix_ids[name]
        assert names.inexact != exact
        # It stays so.
        names.prefix_ids["more"]
        assert names.inexact != exact
    names = Names()
    for i in range(ALIKE + 1):
        assert not names.inexact
        names.prefix_ids[f"load_{i}"]
    assert names.inexact


@pytest.mark.parametrize("at_once", [1, 7, 1000])
def test_names_of_groups_are_sent_once_in_parts_of_any_size(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names_module, "GROUPS", 40)
    names = Names()
    for i in range(120):
        names.group_ids[f"sum-{i}"]
    names.prefix_ids["sum"]
    first = names.first_group
    assert first > 40
    for begin in (0, first, first + 5):
        cursor = {"n_groups": begin, "other": 3}
        received: dict[int, str] = {}
        whole = False
        while not whole:
            news, whole = names.since(cursor, ["groups"], at_once)
            assert news or whole
            assert sum(len(entries["values"]) for entries in news.values()) <= at_once
            groups = news.get("groups", {"from": 0, "values": []})
            fresh = dict(enumerate(groups["values"], groups["from"]))
            assert not fresh.keys() & received.keys()
            received |= fresh
        assert received == {i: f"sum-{i}" for i in range(max(begin, first), 120)}
        assert cursor == {"n_groups": 120, "n_prefixes": 1, "n_workers": 0, "n_lanes": 0, "other": 3}
    assert "groups" not in names.since({}, ["tasks"])[0]

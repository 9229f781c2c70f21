"""What the collector keeps on the scheduler has a bound, also while no pane is open."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any

import dask
import dask.array as da
import pytest
from distributed import Client, LocalCluster, wait

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector import names as names_module
from dask_panes.scheduler.collector.names import ALIKE, OTHER, PREFIXES, Names
from dask_panes.scheduler.collector.plugin import PLUGIN_NAME
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
    reader.settle(1.5)
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
    reader.settle(1.5)
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
    reader.settle(0.5)
    (execution,) = reader.ask("task", key=key)["executions"]
    assert reader.ask("key", row=execution["row"])["key"] == key
    assert reader.names["prefixes"] == [name[:1000]]


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


def test_names_are_told_in_parts_and_before_the_rows_that_need_them(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    lower(monkeypatch, client, "names", AT_ONCE=50)
    dask.compute(
        [dask.delayed(pow)(2, i, dask_key_name=f"{a}{b}") for i, a in enumerate(LETTERS) for b in LETTERS[:10]]
    )
    reader = Reader(client)
    for _ in range(40):
        answer = reader.read()
        assert sum(len(entries["values"]) for entries in answer["names"].values()) <= 50
        for row in reader.tasks:
            assert row["prefix"] < len(reader.names["prefixes"])
    assert len(reader.tasks) == 260
    # Who wants no groups is not told their names.
    other = Reader(client)
    for _ in range(20):
        other.read(["tasks", "prefixes"])
    assert len(other.tasks) == 260 and other.names["groups"] == []
    end = time.monotonic() + 60
    while len(other.names["groups"]) < 260:
        assert time.monotonic() < end
        other.settle(0.2)

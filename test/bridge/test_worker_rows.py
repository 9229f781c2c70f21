"""The workers topic: what a scan versions, and what is sent about workers that left."""

from __future__ import annotations

from math import isnan, nan
from types import SimpleNamespace
from typing import Any

import dask
import pytest
from distributed import Client, LocalCluster
from distributed.core import Status
from distributed.scheduler import WorkerState

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector import packages
from dask_panes.scheduler.collector import workers as module
from dask_panes.scheduler.collector.looks import Looks
from dask_panes.scheduler.collector.metrics import DASK_METRICS, user_metrics
from dask_panes.scheduler.collector.names import Names
from dask_panes.scheduler.collector.reported import Reports
from dask_panes.scheduler.collector.workers import Workers
from reader import Reader, rows
from test_series import measured


def worker(address: str) -> Any:
    facts: dict[str, Any] = {"services": {}, "versions": {}, "extra": {}, "local_directory": "", "nanny": ""}
    made: Any = WorkerState(
        address=address,
        status=Status.running,
        pid=1,
        name=address,
        nthreads=2,
        memory_limit=2**32,
        server_id=address,
        **facts,
    )
    made.metrics = {"cpu": 50.0, "memory": 10**9, "managed_bytes": 10**6, "spilled_bytes": {"memory": 0, "disk": 0}}
    made._occupancy_cache = 1.0
    return made


def beat(made: Any, cpu: float) -> None:
    made.last_seen += 1.0
    made.metrics = {**made.metrics, "cpu": cpu}


def test_versions_of_packages_are_those_of_each_process() -> None:
    with (
        LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        processes = client.get_versions()
        meta = Reader(client).read(["meta"])["topics"]["meta"]["s"]

    def theirs(process: dict[str, Any]) -> dict[str, str]:
        return {name: version for name, version in process["packages"].items() if version and name != "python"}

    assert meta["versions"] == theirs(processes["scheduler"])
    assert "numpy" in meta["versions"]
    (of_worker,) = processes["workers"].values()
    python = {"python": [meta["python"]]}
    assert meta["worker_versions"] == {name: [version] for name, version in theirs(of_worker).items()} | python


def test_versions_of_all_workers_are_kept_within_bounds() -> None:
    topic = Workers(Names(), Looks())
    for number in range(20):
        made = worker(f"tcp://a:{number}")
        many = {f"package{i}": "1" for i in range(number * 10)}
        made.versions = {"packages": {"numpy": f"2.{number}", "lz4": None, "python": "3.12.1.final.0", **many}}
        topic.add(made)
    for odd in (None, "UNKNOWN", {"packages": "UNKNOWN"}, {"packages": {"\udcff": "\udcff" * 500}}):
        made = worker("tcp://b:1")
        made.versions = odd
        topic.add(made)
    known = topic.packages.versions
    assert known["numpy"] == [f"2.{number}" for number in range(packages.VERSIONS)]
    assert (known["python"], len(known), "lz4" in known) == (["3.12.1"], packages.PACKAGES, False)


def test_the_dead_band_is_of_an_idle_cluster_only(monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler: Any = SimpleNamespace(idle={}, saturated=set())
    topic, made = Workers(Names(), Looks()), worker("tcp://a:1")
    topic.add(made)
    figures = module.figures_of
    monkeypatch.setattr(module, "figures_of", None)
    for cpu in (50.0, 51.0):
        before = topic.version
        beat(made, cpu)
        topic.scan(scheduler, False)
        assert topic.version == before + 1
    monkeypatch.setattr(module, "figures_of", figures)
    # What the cluster was at when it became idle is sent once; then only what leaves the dead-band is.
    for cpu, reported in ((51.0, True), (52.0, False), (53.0, False), (80.0, True), (81.0, False)):
        before = topic.version
        beat(made, cpu)
        topic.scan(scheduler, True)
        assert (topic.version > before) == reported, cpu
    # It works again, and is idle again: the old dead-band does not count.
    beat(made, 90.0)
    topic.scan(scheduler, False)
    beat(made, 81.0)
    before = topic.version
    topic.scan(scheduler, True)
    assert topic.version > before


def test_threads_may_be_any_number() -> None:
    scheduler: Any = SimpleNamespace(idle={}, saturated=set())
    topic, made = Workers(Names(), Looks()), worker("tcp://a:1")
    made.nthreads = 2.5
    topic.add(made)
    [row] = rows(topic.read(scheduler, 0)[0]["c"])
    assert row["nthreads"] == 2


def test_a_worker_that_left_has_a_row_without_what_is_no_longer_known() -> None:
    scheduler: Any = SimpleNamespace(idle={}, saturated=set())
    topic = Workers(Names(), Looks())
    topic.add(worker("tcp://a:1"))
    topic.add(worker("tcp://b:1"))
    topic.remove("tcp://a:1")
    gone, alive = rows(topic.read(scheduler, 0)[0]["c"])
    if gone["status"] != module.LOST:
        gone, alive = alive, gone
    assert (gone["cpu"], gone["processing"], gone["process"], gone["nthreads"]) == (0, 0, 0, 2)
    assert (alive["cpu"], alive["occupancy"], alive["process"]) == (50, 1, 10**9)


def test_of_workers_that_left_long_ago_only_the_numbers_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOST_LIMIT", 10)
    scheduler: Any = SimpleNamespace(idle={}, saturated=set())
    names = Names()
    topic = Workers(names, Looks())
    for i in range(100):
        made = worker(f"tcp://w{i}:1")
        topic.add(made)
        for thread in (1, 2):
            names.lane_ids[made.address, thread]
        topic.scan(scheduler, False)
        topic.remove(made.address)
    # Indices do not change their meaning, so the lists grow; what they hold of an old worker is one and the same entry.
    old = names.workers[:90]
    assert {id(facts) for facts in old} == {id(old[0])}
    assert old[0] == {"address": "", "name": "left"}
    assert [facts["address"] for facts in names.workers[90:]] == [f"tcp://w{i}:1" for i in range(90, 100)]
    assert names.lanes[:180] == [[i // 2, 0] for i in range(180)]
    ids = {row["id"] for row in rows(topic.read(scheduler, 0)[0]["c"])}
    assert ids == set(range(90, 100))
    assert max(map(len, (topic._versions, topic._lost, names.lane_ids, names._worker_ids, names._lanes_of))) <= 20
    assert (topic._states, topic._seen, topic._reported) == ({}, {}, {})


def test_threads_that_cancelled_tasks_keep_are_reported_of_an_idle_cluster_too() -> None:
    scheduler: Any = SimpleNamespace(idle={}, saturated=set())
    topic, made = Workers(Names(), Looks()), worker("tcp://a:1")
    topic.add(made)
    for counts, expected in ((None, 0), ({"cancelled": 2, "memory": 9}, 2), ({"cancelled": 2}, 2), ({}, 0)):
        before = topic.version
        if counts is not None:
            made.metrics["task_counts"] = counts
        beat(made, 50.0)
        topic.scan(scheduler, True)
        body, _ = topic.read(scheduler, 0)
        assert [row["cancelled"] for row in rows(body["c"])] == [expected]
        assert (topic.version > before) == (counts != {"cancelled": 2})
    # What no worker of Dask reports is not believed.
    for odd in ("two", {"cancelled": "x"}, {"cancelled": -1}, {"cancelled": float("nan")}, {"cancelled": 2**32}, [1]):
        made.metrics = {**made.metrics, "task_counts": odd}
        assert [row["cancelled"] for row in rows(topic.read(scheduler, 0)[0]["c"])] == [0]


def test_tasks_that_secede_on_an_idle_cluster_are_reported_and_are_among_those_that_run() -> None:
    scheduler: Any = SimpleNamespace(idle={}, saturated=set())
    topic, made = Workers(Names(), Looks()), worker("tcp://a:1")
    topic.add(made)
    made.executing = {"a": 1.0, "b": 1.0}
    # One that has seceded since the last heartbeat began after it.
    for seceded, expected in ((set(), 0), ({"a"}, 1), ({"a", "c"}, 1), ({"a", "b"}, 2)):
        made.long_running = seceded
        beat(made, 50.0)
        topic.scan(scheduler, True)
        [row] = rows(topic.read(scheduler, 0)[0]["c"])
        assert (row["executing"], row["seceded"]) == (2, expected)


def test_threads_that_cancelled_tasks_keep_over_time_have_no_other_task() -> None:
    made = worker("tcp://a:1")
    made.metrics["task_counts"] = {"cancelled": 5}
    for executing, expected in ((0, 2), (1, 1), (2, 0), (3, 0)):
        made.executing = dict.fromkeys(range(executing), 1.0)
        assert measured(made, 50.0)["cancelled"] == expected


def test_how_long_a_worker_has_not_been_heard_of_is_not_known_after_the_scheduler_stood_still() -> None:
    made = worker("tcp://a:1")
    made.last_seen = 50.0

    def unheard(now: float) -> float:
        return measured(made, now)["unheard"]

    assert [unheard(now) for now in (53.5, 50.0, 49.9)] == [3.5, 0.0, 0.0]
    assert isnan(unheard(nan))
    looks = Looks()

    def settled(second: float) -> bool:
        looks.look(second)
        return looks.settled(second)

    # The first look, and a block of the scheduler from 4 to 9.
    seconds = [0, 1, 2, 3, 4, 9, 10, 11, 12]
    assert [settled(second) for second in seconds] == [False, False, *[True] * 3, False, False, True, True]
    # Nor while it has not looked again.
    assert [looks.settled(second) for second in (13, 13.1)] == [True, False]


def test_the_load_of_a_worker_is_that_of_the_scheduler() -> None:
    made = [worker(f"tcp://{name}:1") for name in "abc"]
    topic = Workers(Names(), Looks())
    for each in made:
        topic.add(each)
    scheduler: Any = SimpleNamespace(idle={made[0].address: made[0]}, saturated={made[2]})
    assert [row["load"] for row in rows(topic.read(scheduler, 0)[0]["c"])] == [0, 1, 2]
    scheduler.idle, scheduler.saturated = {}, set()
    topic.scan(scheduler, False)
    assert [row["load"] for row in rows(topic.read(scheduler, 0)[0]["c"])] == [1, 1, 1]


def test_when_a_worker_joined_is_read_from_the_newest_entry_of_its_log() -> None:
    joined = (7.0, {"action": "add-worker"})
    others: list[Any] = [(8.0, {"action": "heartbeat"}), (9.0, "add-worker"), (10.0, {}), (11.0, ["add-worker"])]
    for log, expected in (
        ([joined], 7.0),
        ([(3.0, {"action": "add-worker"}), joined], 7.0),
        ([joined, *others], 7.0),
        (others, None),
        ([], None),
        ([("soon", {"action": "add-worker"})], None),
    ):
        names = Names()
        asked: Any = SimpleNamespace(get_events=lambda address, log=log: log if address == "tcp://a:1" else [])
        Workers(names, Looks()).begin(asked, worker("tcp://a:1"))
        assert names.workers[0].get("joined") == expected


def test_metrics_of_users_are_those_that_dask_does_not_have() -> None:
    made = worker("tcp://a:1")
    made.metrics = dict.fromkeys(DASK_METRICS, 1.0)
    assert user_metrics(made) == {}
    mine = {"load": 1.5, "count": 3, "mode": "fast", "on": True, "list": [1], "none": None, "nan": float("nan")}
    made.metrics = {**made.metrics, **mine, "x" * 300: "y" * 300, "odd": "\udcff"}
    found = user_metrics(made)
    assert str(found.pop("nan")) in ("nan", "0.0")
    assert found == {"load": 1.5, "count": 3, "mode": "fast", "on": "True", "x" * 200: "y" * 200, "odd": "\\udcff"}
    made.metrics = {**dict.fromkeys(DASK_METRICS, 1.0), **{f"m{i}": i for i in range(100)}}
    assert user_metrics(made) == {f"m{i}": i for i in range(50)}


def test_what_a_worker_does_not_measure_is_not_known_and_not_zero() -> None:
    off = {"distributed.admin.system-monitor.disk": False}
    with (
        dask.config.set(off),
        LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        reader = Reader(client)

        def points() -> list[dict[str, float]]:
            bodies = [answer["topics"].get("series") for answer in reader.answers]
            return [point for body in bodies if body for point in rows(body["c"]) if point["workers"] > 0]

        reader.until(lambda: bool(reader.rows["workers"] and points()), ["workers", "series"])
        (row,) = reader.rows["workers"].values()
        assert all(isnan(row[name]) for name in ("disk_read", "disk_write"))
        assert not any(isnan(row[name]) for name in ("net_read", "net_write", "cpu"))
        newest = points()[-1]
        assert isnan(newest["disk_read_sum"]) and not isnan(newest["net_read_sum"])


def test_a_heartbeat_is_read_once_and_is_that_of_the_worker_that_is_there() -> None:
    made, reports = worker("tcp://a:1"), Reports()
    first = reports.of(made)
    assert (first.cpu, reports.of(made)) == (50.0, first)
    assert reports.of(made) is first
    beat(made, 60.0)
    assert reports.of(made).cpu == 60.0
    # Another worker at the address.
    assert reports.of(worker("tcp://a:1")).cpu == 50.0
    topic = Workers(Names(), Looks())
    topic.add(made)
    topic.read(SimpleNamespace(idle={}, saturated=set()), 0)  # type: ignore[arg-type]
    assert [*topic.reports._known] == ["tcp://a:1"]
    topic.remove("tcp://a:1")
    assert topic.reports._known == {}

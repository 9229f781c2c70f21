"""Series: sums and extremes, ageing, and dead-band."""

from __future__ import annotations

import sys
from array import array
from math import isnan, nan
from types import SimpleNamespace
from typing import Any

import pytest

from dask_panes.feed.schema import DTYPES
from dask_panes.scheduler.collector.measures import MEASURES, heard_of, measure
from dask_panes.scheduler.collector.own import OWN, sample_own
from dask_panes.scheduler.collector.reported import report_of
from dask_panes.scheduler.collector.series import (
    COARSE,
    FINE_POINTS,
    Series,
    sample_cluster,
)


def values(column: Any) -> list[float]:
    dtype, data = column
    return array(DTYPES[dtype]["array"], data).tolist()


def row(cpu: float, process: float = 0.0, net: float = 0.0) -> tuple[float, ...]:
    found = dict.fromkeys(MEASURES, 0.0) | {"cpu": cpu, "process": process, "net_read": net}
    return tuple(found[m] for m in MEASURES)


def columns(point: list[float]) -> dict[str, float]:
    names = [f"{m}_{end}" for m in MEASURES for end in ("sum", "min", "max")]
    return dict(zip(["time", "until", "workers", *names], point))


def measured(ws: Any, now: float = 0.0) -> dict[str, float]:
    """The measures of one worker."""
    heard = [[value] for value in heard_of(ws, report_of(ws))]
    return {name: column[0] for name, column in zip(MEASURES, measure([ws], heard, now))}


def test_sums_and_extremes_over_workers_and_hosts() -> None:
    point = columns(sample_cluster(5.0, [("a", row(10, 100, 7)), ("a", row(30, 300, 9)), ("b", row(50, 200, 1))]))
    assert point["workers"] == 3
    assert (point["cpu_sum"], point["cpu_min"], point["cpu_max"]) == (90, 10, 50)
    assert (point["process_sum"], point["process_min"], point["process_max"]) == (600, 100, 300)
    # Two workers of host a both report the host's total: it counts once.
    assert (point["net_read_sum"], point["net_read_min"], point["net_read_max"]) == (10, 1, 9)


def test_a_rate_of_a_host_is_known_if_one_of_its_workers_measures_it() -> None:
    point = columns(sample_cluster(5.0, [("a", row(1, net=nan)), ("a", row(1, net=7)), ("a", row(1, net=nan))]))
    assert (point["net_read_sum"], point["net_read_min"], point["net_read_max"]) == (7, 7, 7)
    point = columns(sample_cluster(5.0, [("a", row(1, net=nan)), ("a", row(1, net=nan))]))
    assert all(isnan(point[f"net_read_{end}"]) for end in ("sum", "min", "max"))


def test_threads_with_tasks_and_threads_that_run_one_are_those_of_the_pool() -> None:
    tasks = list("abcdef")

    def threads(processing: int, executing: str, seceded: str = "") -> tuple[float, float]:
        ws: Any = SimpleNamespace(
            **{"metrics": {}, "extra": {}, "nbytes": 0, "last_seen": 0.0},
            nthreads=4,
            processing=set(tasks[:processing]),
            executing=dict.fromkeys(executing, 1.0),
            long_running=set(seceded),
        )
        found = measured(ws)
        return found["assigned"], found["computing"]

    assert threads(0, "") == (0, 0)
    assert threads(2, "a") == (2, 1)
    assert threads(6, "abcd") == (4, 4)
    assert threads(6, "abcdef", "abc") == (3, 3)
    # A heartbeat may be older than the end of a task.
    assert threads(1, "abc") == (1, 1)


def test_no_workers_is_a_point_too() -> None:
    assert columns(sample_cluster(5.0, []))["workers"] == 0


def fill(series: Series, count: int, start: float = 0.0) -> None:
    for i in range(count):
        series.add(sample_cluster(start + i, [("a", row(float(i % 7)))]), 0.0, quiet=False)


def test_a_reader_gets_all_points_then_the_new_ones_and_the_last_once_more() -> None:
    series = Series()
    fill(series, 5)
    body, cursor = series.read(0)
    assert body["s"]["first"] == 0
    assert values(body["c"]["time"]) == [0, 1, 2, 3, 4]
    fill(series, 2, 5)
    body, cursor = series.read(cursor)
    assert body["s"]["first"] == 4
    assert values(body["c"]["time"]) == [4, 5, 6]
    assert cursor == 7


def test_a_quiet_cluster_extends_its_last_point() -> None:
    series = Series()
    limit = 16 * 2**30
    series.add(sample_cluster(0.0, [("a", row(10, 2**30))]), limit, quiet=True)
    series.add(sample_cluster(1.0, [("a", row(14, 2**30 + 2**20))]), limit, quiet=True)
    assert series.end == 1
    body, _ = series.read(0)
    assert values(body["c"]["time"]) == [0]
    assert values(body["c"]["until"]) == [1]
    series.add(sample_cluster(2.0, [("a", row(20, 2**30))]), limit, quiet=True)
    assert series.end == 2
    # Traffic that has ended must not look as if it went on.
    series.add(sample_cluster(3.0, [("a", row(20, 2**30, net=5 * 2**20))]), limit, quiet=True)
    series.add(sample_cluster(4.0, [("a", row(20, 2**30))]), limit, quiet=True)
    assert series.end == 4


def test_bytes_that_move_from_worker_to_worker_are_reported_although_their_sum_stays() -> None:
    series = Series()

    def add(second: float, *managed: float) -> None:
        rows = [dict.fromkeys(MEASURES, 0.0) | {"managed": value} for value in managed]
        series.add(sample_cluster(second, [("a", tuple(row.values())) for row in rows]), 0.0, quiet=True)

    add(0.0, 2, 0)
    add(1.0, 2, 0)
    assert series.end == 1
    add(2.0, 1, 1)
    add(3.0, 1, 1)
    assert series.end == 2


def test_points_older_than_an_hour_become_points_of_ten_seconds() -> None:
    series = Series()
    fill(series, FINE_POINTS + 95)
    body, cursor = series.read(0)
    times = values(body["c"]["time"])
    assert cursor == FINE_POINTS + 95
    assert len(times) == FINE_POINTS + 9 + 5
    assert times[:9] == [i * COARSE for i in range(9)]
    assert times == sorted(times)
    assert body["s"]["first"] + len(times) == cursor
    # The extremes of ten points survive their merging.
    assert values(body["c"]["cpu_max"])[0] == 6
    assert values(body["c"]["cpu_min"])[0] == 0


def test_the_oldest_points_go_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules[Series.__module__]
    monkeypatch.setattr(module, "FINE_POINTS", 20)
    monkeypatch.setattr(module, "COARSE_POINTS", 5)
    series = Series()
    fill(series, 20 + 100 + 3)
    body, cursor = series.read(0)
    assert cursor == 123
    assert values(body["c"]["time"]) == [*range(50, 100, 10), 100, 101, 102, *range(103, 123)]
    assert {len(values(column)) for column in body["c"].values()} == {28}


def test_idle_time_remains_idle_in_points_of_ten_seconds() -> None:
    series = Series()
    series.add(sample_cluster(0.0, [("a", row(2.0))]), 0.0, quiet=True)
    for second in range(1, 3000):
        series.add(sample_cluster(float(second), [("a", row(2.0))]), 0.0, quiet=True)
    assert series.end == 1
    fill(series, FINE_POINTS + 30, start=3000.0)
    body, _ = series.read(0)
    columns = {name: values(body["c"][name]) for name in ("time", "until", "cpu_sum", "cpu_max")}
    assert [columns[name][0] for name in columns] == [0.0, 2999.0, 2.0, 2.0]
    assert [columns[name][1] for name in columns] == [3000.0, 3009.0, pytest.approx(2.4), 6.0]


def test_points_of_ten_seconds_have_means_over_time_of_what_was_known() -> None:
    series = Series()
    seconds = [(0.0, 1.0, nan), (3.0, 1.0, 0.25), (4.0, 6.0, 0.5), (5.0, 6.0, nan), (30.0, 9.0, nan)]
    for second, cpu, gil in seconds:
        found = dict.fromkeys(MEASURES, 0.0) | {"cpu": cpu, "gil": gil}
        series.add(sample_cluster(second, [("a", tuple(found.values()))]), 0.0, False)
    # The first one held for 3 s.
    series._fine[1][0] = 2.0
    fill(series, FINE_POINTS, start=40.0)
    body, _ = series.read(0)
    # 1 % for 4 s and 6 % for 2 s; what came after a gap is a point of its own.
    assert values(body["c"]["cpu_sum"])[:2] == [pytest.approx(16 / 6), 9.0]
    assert values(body["c"]["gil_sum"])[0] == pytest.approx(0.375)
    assert (values(body["c"]["gil_min"])[0], values(body["c"]["gil_max"])[0]) == (0.25, 0.5)


def test_times_without_workers_are_no_part_of_points_with_some() -> None:
    series = Series()
    for second in range(4):
        series.add(sample_cluster(float(second), [("a", row(8.0))] if second < 2 else []), 0.0, False)
    fill(series, FINE_POINTS + 1, start=4.0)
    body, _ = series.read(0)
    assert values(body["c"]["cpu_min"])[:2] == [8.0, 0.0]
    assert values(body["c"]["workers"])[:2] == [1, 0]


def test_the_mean_of_workers_stays_between_their_extremes_where_workers_come_and_leave() -> None:
    series = Series()
    for second in range(100):
        workers = 3 if second % 20 < 15 else 2
        series.add(sample_cluster(float(second), [("a", row(100.0))] * workers), 0.0, False)
    fill(series, FINE_POINTS, start=100.0)
    body, _ = series.read(0)
    sums, counts = values(body["c"]["cpu_sum"]), values(body["c"]["workers"])
    assert {total / count for total, count in list(zip(sums, counts))[:10]} == {100.0}


def test_a_reader_that_was_away_too_long_is_notified() -> None:
    series = Series()
    fill(series, 10)
    _, cursor = series.read(0)
    fill(series, FINE_POINTS + 500, 10)
    body, _ = series.read(cursor)
    assert body["s"]["lost"] == body["s"]["first"] - cursor > 0


def scheduler(tick: Any = 0.02, **quantities: list[Any]) -> Any:
    return SimpleNamespace(monitor=SimpleNamespace(quantities=quantities), _tick_interval_observed=tick)


def own(**changed: float) -> tuple[float, ...]:
    return tuple(
        ({"scheduler_cpu": 5.0, "scheduler_memory": 1e8, "scheduler_tick": 0.02} | changed).get(n, nan) for n in OWN
    )


def test_the_schedulers_own_process_is_what_its_monitor_measured() -> None:
    sampled = sample_own(
        scheduler(cpu=[90.0, 10.0, 30.0], memory=[1, 2, 3], num_fds=[7], **{"host_net_io.read_bps": [8.0]})
    )
    measured = dict(zip(OWN, sampled))
    assert (measured["scheduler_cpu"], measured["scheduler_memory"], measured["scheduler_fds"]) == (20, 3, 7)
    assert (measured["scheduler_net_read"], measured["scheduler_tick"]) == (8, 0.02)
    assert isnan(measured["scheduler_idle"])
    # Without a network, a disk or gilknocker, and with values that are none.
    assert all(isnan(measured[name]) for name in ("scheduler_net_write", "scheduler_disk_read", "scheduler_gil"))
    assert all(map(isnan, sample_own(scheduler(tick="soon", cpu=["x"], memory=[]))))
    assert all(map(isnan, sample_own(SimpleNamespace(monitor=None))))


def test_how_many_workers_are_idle_and_saturated_is_reported_also_while_nothing_runs() -> None:
    made = scheduler()
    made.idle, made.saturated = {"a": 1, "b": 2}, {"c"}
    measured = dict(zip(OWN, sample_own(made)))
    assert (measured["scheduler_idle"], measured["scheduler_saturated"]) == (2, 1)
    series = Series()
    for i, idle in enumerate([2.0, 2.0, 1.0]):
        series.add(sample_cluster(float(i), [("a", row(1.0))]), 0.0, True, own(scheduler_idle=idle))
    assert series.end == 2


def test_an_idle_scheduler_that_only_answers_heartbeats_is_not_reported() -> None:
    series = Series()
    point = lambda i: sample_cluster(float(i), [("a", row(1.0))])  # noqa: E731
    for i, sampled in enumerate([own(), own(scheduler_cpu=20.0), own(scheduler_memory=1.2e8), own(scheduler_tick=0.1)]):
        series.add(point(i), 0.0, True, sampled)
    assert series.end == 1
    for i, sampled in enumerate([own(scheduler_cpu=60.0), own(scheduler_tick=3.0), own(scheduler_memory=1e9)], 4):
        series.add(point(i), 0.0, True, sampled)
    assert series.end == 4
    body, _ = series.read(0)
    assert values(body["c"]["scheduler_cpu"]) == [5, 60, 5, 5]
    assert values(body["c"]["scheduler_tick"]) == pytest.approx([0.02, 0.02, 3, 0.02])
    assert all(map(isnan, values(body["c"]["scheduler_gil"])))


def test_what_becomes_known_on_an_idle_cluster_is_reported() -> None:
    series = Series()
    for i, (spent, gil) in enumerate([(nan, nan), (0.5, nan), (0.5, nan), (nan, nan), (nan, 0.1), (nan, 0.1)]):
        found = dict.fromkeys(MEASURES, 0.0) | {"gil": gil}
        series.add(sample_cluster(float(i), [("a", tuple(found.values()))]), 0.0, True, own(spent_cpu=spent))
    assert series.end == 4


def test_the_gil_of_workers_that_do_not_know_it_is_the_mean_of_those_that_do() -> None:
    def worker(gil: float, loop: float = 0.02) -> tuple[str, tuple[float, ...]]:
        found = dict.fromkeys(MEASURES, 0.0) | {"gil": gil, "event_loop": loop}
        return "a", tuple(found[m] for m in MEASURES)

    mixed = columns(sample_cluster(0.0, [worker(nan), worker(0.5), worker(0.9, 4.0)]))
    assert mixed["gil_sum"] / mixed["workers"] == pytest.approx(0.7)
    assert (mixed["gil_min"], mixed["gil_max"], mixed["event_loop_max"]) == (0.5, 0.9, 4.0)
    assert isnan(columns(sample_cluster(0.0, [worker(nan)]))["gil_sum"])
    assert isnan(columns(sample_cluster(0.0, []))["gil_max"])


def test_what_was_not_known_stays_unknown_in_points_of_ten_seconds() -> None:
    series = Series()
    for i in range(FINE_POINTS + 25):
        series.add(sample_cluster(float(i), [("a", row(1.0))]), 0.0, False, own(scheduler_cpu=float(i % 10)))
    body, _ = series.read(0)
    assert values(body["c"]["scheduler_cpu"])[:2] == [4.5, 4.5]
    assert all(map(isnan, values(body["c"]["scheduler_gil"])))

"""What the cluster spends time on, per second: rates of Dask's fine metrics."""

from __future__ import annotations

from math import isnan, nan
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any

import dask
import dask.array as da
import pytest
from distributed import Client, LocalCluster, wait

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector.fine_metrics import MOST
from dask_panes.scheduler.collector.spending import ITEMS, SPENT, Spending
from reader import Reader, rows


def scheduler(**seconds: float) -> Any:
    metrics = {("execute", "f", activity.replace("_", "-"), "seconds"): value for activity, value in seconds.items()}
    return SimpleNamespace(cumulative_worker_metrics=metrics)


def spent(spending: Spending, of: Any, now: float) -> dict[str, float]:
    found = dict(zip(SPENT, spending.sample(of, now)))
    return {name: value for name, value in found.items() if value}


def test_rates_are_the_increase_since_the_last_sample() -> None:
    spending, made = Spending(), scheduler(thread_cpu=100.0)
    assert all(map(isnan, spending.sample(made, 10.0)))
    metrics = made.cumulative_worker_metrics
    metrics["execute", "f", "thread-cpu", "seconds"] = 104.0
    metrics["get-data", "disk-read", "seconds"] = 1.0
    metrics["get-data", "disk-write", "seconds"] = 1.0
    metrics["execute", "f", "mine", "seconds"] = 6.0
    metrics["execute", "f", "disk-read", "bytes"] = 1e9
    metrics["latency"] = 5.0
    assert spent(spending, made, 12.0) == {"spent_cpu": 2.0, "spent_disk": 1.0, "spent_other": 3.0}
    assert spent(spending, made, 13.0) == {}
    # Sums that fall are not negative work, and anything but a number does not count.
    metrics["execute", "f", "thread-cpu", "seconds"] = 1.0
    metrics["execute", "f", "odd", "seconds"] = nan
    metrics["execute", "f", "big", "seconds"] = 10**400
    assert spent(spending, made, 14.0) == {}


def test_rates_add_up_where_samples_are_late_and_follow_closely() -> None:
    spending, made = Spending(), scheduler(thread_cpu=0.0)
    spending.sample(made, 0.0)
    added, before = 0.0, 0.0
    for now, total in ((1.0, 0.5), (2.9, 0.5), (3.1, 3.0), (4.0, 4.0), (5.0, 4.0)):
        made.cumulative_worker_metrics["execute", "f", "thread-cpu", "seconds"] = total
        added += spent(spending, made, now).get("spent_cpu", 0.0) * (now - before)
        before = now
    assert added == pytest.approx(4.0)


def test_what_shuffles_measure_counts_once_and_waiting_is_no_work() -> None:
    spending, made = Spending(), scheduler(p2p_get_output_cpu=1.0)
    metrics = made.cumulative_worker_metrics
    spending.sample(made, 10.0)
    metrics["execute", "f", "p2p-get-output-cpu", "seconds"] = 3.0
    metrics["p2p", "foreground", "get-output-cpu", "seconds"] = 3.0
    metrics["p2p", "background-comms", "idle", "seconds"] = 60.0
    metrics["p2p", "background-comms", "send", "seconds"] = 1.0
    metrics["p2p", "background-disk", "disk-write", "seconds"] = 0.5
    assert spent(spending, made, 11.0) == {"spent_shuffle": 3.0, "spent_disk": 0.5}


def test_many_metrics_are_read_less_often_and_never_more_than_there_is_room_for() -> None:
    spending = Spending()
    made = scheduler(**{f"a{i}": 1.0 for i in range(2 * ITEMS + 1)})
    metrics = made.cumulative_worker_metrics
    spending.sample(made, 0.0)
    first = next(iter(metrics))
    metrics[first] = 7.0
    # Three samples, a second each, share one reading.
    assert [spent(spending, made, float(i)).get("spent_other", 0.0) for i in (1, 2, 3, 4, 5, 6)] != [2.0] * 6
    assert spent(spending, made, 6.0) == {}
    metrics |= scheduler(**{f"b{i}": 1.0 for i in range(MOST - len(metrics))}).cumulative_worker_metrics
    assert len(metrics) == MOST
    spending.sample(made, 100.0)
    metrics[next(reversed(metrics))] = 101.0
    assert spent(spending, made, 200.0) == {"spent_other": 1.0}
    # Of more, a part would look like all.
    metrics["execute", "f", "one-more", "seconds"] = 1e6
    assert all(map(isnan, spending.sample(made, 300.0)))
    del metrics["execute", "f", "one-more", "seconds"]
    assert all(rate == 0 or isnan(rate) for rate in spending.sample(made, 301.0))


def spent_there(dask_scheduler: Any) -> dict[str, float]:
    sums = dict.fromkeys(SPENT, 0.0)
    places = {activity: name for name, activities in SPENT.items() for activity in activities}
    for key, value in dask_scheduler.cumulative_worker_metrics.items():
        if isinstance(key, tuple) and key[-1] == "seconds" and key[:2] != ("p2p", "foreground") and key[-2] != "idle":
            shuffled = "p2p" in (key[0], key[-2].split("-")[0])
            sums[places.get(key[-2], "spent_shuffle" if shuffled else "spent_other")] += value
    return sums


def test_the_series_of_a_cluster_adds_up_to_what_its_workers_reported() -> None:
    with (
        dask.config.set({"array.rechunk.method": "p2p", "array.chunk-size": "80kB"}),
        LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        reader = Reader(client)
        points: dict[int, dict[str, float]] = {}
        # The first sample has nothing before it that it could be compared with.
        while not points:
            read_points(reader, points)
        wait(client.map(lambda i: sum(range(2_000_000)) + i, range(8), pure=False))
        da.ones((400, 400), chunks=(100, 100)).rechunk((400, 50)).sum().compute()
        end = monotonic() + 60
        while True:
            expected = client.run_on_scheduler(spent_there)
            read_points(reader, points)
            found = dict.fromkeys(SPENT, 0.0)
            for i, row in points.items():
                for name in SPENT:
                    if i - 1 in points and not isnan(row[name]):
                        found[name] += row[name] * (row["time"] - points[i - 1]["until"])
            if min(expected["spent_cpu"], expected["spent_shuffle"]) > 0 and found == pytest.approx(
                expected, rel=1e-3, abs=1e-4
            ):
                break
            assert monotonic() < end, (found, expected, points)
            sleep(0.2)


def read_points(reader: Reader, points: dict[int, dict[str, float]]) -> None:
    body = reader.read(["series"], timeout=1.0)["topics"].get("series")
    if body is not None:
        points.update((int(body["s"]["first"]) + i, row) for i, row in enumerate(rows(body["c"])))

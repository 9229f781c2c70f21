"""Bandwidth and fine metrics: Dask's own figures, with who sends to whom the right way round."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan
from time import monotonic
from types import SimpleNamespace
from typing import Any

import distributed
import pytest
from distributed import Client, LocalCluster, wait

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector.activities import Activities
from dask_panes.scheduler.collector.bandwidth import Bandwidth
from dask_panes.scheduler.collector.names import Names
from dask_panes.scheduler.collector.spans import NEWEST, SUMS, Spans
from reader import Reader, beat, rows


@pytest.fixture
def client() -> Iterator[Client]:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        yield client


def there(dask_scheduler: Any) -> Any:
    return (
        list(dask_scheduler.bandwidth_workers.items()),
        dict(dask_scheduler.bandwidth_types),
        dask_scheduler.bandwidth,
        list(dask_scheduler.cumulative_worker_metrics.items()),
    )


def test_bandwidth_and_metrics_are_those_of_the_scheduler(client: Client) -> None:
    sender, receiver = sorted(client.nthreads())
    kept = client.map(lambda i: bytes(2_000_000 + i), range(5), workers=[sender], pure=False)
    wait(kept)
    wait(client.map(len, kept, workers=[receiver], pure=False))
    # The receiver measures, and every worker reports with its heartbeats.
    beat(client)
    end = monotonic() + 180
    while True:
        before = client.run_on_scheduler(there)
        reader = Reader(client)
        reader.arrive()
        # Heartbeats go on: what was read counts where the scheduler says the same before and after.
        if client.run_on_scheduler(there) == before:
            break
        assert monotonic() < end
    pairs, types, total, metrics = before
    # Only the receiver measures, and Dask's key begins with it.
    assert [pair for pair, _ in pairs] == [(receiver, sender)]
    bodies = [answer["topics"] for answer in reader.answers]
    (row,) = rows([body["bandwidth"]["c"] for body in bodies if "bandwidth" in body][-1])
    names = [worker["address"] for worker in reader.names["workers"]]
    assert (names[int(row["receiver"])], names[int(row["sender"])]) == (receiver, sender)
    assert row["rate"] == pairs[0][1]
    scalars = [body["bandwidth"]["s"] for body in bodies if "bandwidth" in body][-1]
    assert {name: rate for name, rate in scalars["types"]} == types
    assert scalars["total"] == pytest.approx(total, rel=0.02)

    found: dict[tuple[str, ...], float] = {}
    labels: dict[int, tuple[str, ...]] = {}
    for body in bodies:
        if "activities" in body:
            labels.update((name[0], tuple(name[1:])) for name in body["activities"]["s"]["names"])
            found.update((labels[int(each["id"])], each["value"]) for each in rows(body["activities"]["c"]))
    for key, value in metrics:
        if isinstance(key, tuple) and key[-1] == "bytes":
            *front, activity, unit = key
            assert found[(front[0], ":".join(front[1:]), activity, unit)] == value
    assert any(key[0] == "execute" and key[2] == "thread-cpu" and key[3] == "seconds" for key in found)


def spans_there(dask_scheduler: Any) -> Any:
    return {
        # Dask adds the time that threads were idle, which no worker measured.
        span.name: {key[-2:]: value for key, value in span.cumulative_worker_metrics.items() if "idle" not in key[-2]}
        for span in dask_scheduler.extensions["spans"].spans.values()
    }


def test_metrics_of_spans_are_those_of_the_scheduler(client: Client) -> None:
    with distributed.span("train"), distributed.span("load"):
        wait(client.submit(lambda: distributed.metrics.context_meter.digest_metric("mine", 3, "apples"), pure=False))
    beat(client)
    metrics = client.run_on_scheduler(spans_there)["train", "load"]
    reader = Reader(client)
    reader.arrive()
    found = {}
    for body in (answer["topics"]["activities"] for answer in reader.answers if "activities" in answer["topics"]):
        labels = {name[0]: tuple(name[1:]) for name in body["s"]["names"]}
        found.update((labels[int(each["id"])], each["value"]) for each in rows(body["c"]))
    assert metrics["mine", "apples"] == 3
    assert {key[2:]: value for key, value in found.items() if key[:2] == ("span", "train / load")} == metrics


def test_pairs_of_workers_that_left_are_reported_and_come_back_as_others() -> None:
    names = Names()
    a, b = (names.add_worker({"address": address}) for address in ("a", "b"))
    scheduler: Any = SimpleNamespace(bandwidth_workers={("a", "b"): 5.0}, bandwidth_types={"int": 1.0}, bandwidth=100.0)
    bandwidth = Bandwidth(names, print)

    def scan() -> list[dict[str, float]]:
        before = bandwidth.version
        bandwidth.walk._next = 0.0
        bandwidth.scan(scheduler)
        return rows(bandwidth.read(before)[0]["c"])

    assert scan() == [{"id": 0, "receiver": a, "sender": b, "rate": 5.0}]
    assert scan() == []
    scheduler.bandwidth = 100.5
    version = bandwidth.version
    assert scan() == []
    assert bandwidth.version == version
    scheduler.bandwidth_workers = {}
    (gone,) = scan()
    assert gone["rate"] != gone["rate"]
    new = names.add_worker({"address": "b"})
    scheduler.bandwidth_workers = {("a", "b"): 6.0}
    assert scan() == [{"id": 1, "receiver": a, "sender": new, "rate": 6.0}]


def test_metrics_of_every_shape_have_names() -> None:
    metrics: dict[Any, float] = {
        "latency": 1.0,
        ("get-data", "network", "seconds"): 2.0,
        ("execute", "<b>f</b>", "thread-cpu", "seconds"): 3.0,
        ("p2p", "a", "b", "disk-write", "bytes"): 4,
        ("odd", "thing"): 5.0,
    }
    scheduler: Any = SimpleNamespace(
        cumulative_worker_metrics=metrics,
        monitor=SimpleNamespace(quantities={"cpu": [10.0, 20.0]}),
        transition_counter=7,
    )
    activities = Activities(never)
    activities.scan(scheduler, False)
    body, cursor = activities.read(0)
    assert [name[1:] for name in body["s"]["names"]] == [
        ["latency", "", "", ""],
        ["get-data", "", "network", "seconds"],
        ["execute", "<b>f</b>", "thread-cpu", "seconds"],
        ["p2p a", "b", "disk-write", "bytes"],
        ["odd", "", "", "thing"],
    ]
    assert body["s"]["scheduler_cpu"] == 15.0
    metrics["latency"] = 9.0
    activities.scan(scheduler, True)
    assert rows(activities.read(cursor)[0]["c"]) == []
    activities.scan(scheduler, False)
    body, _ = activities.read(cursor)
    assert rows(body["c"]) == [{"id": 0, "value": 9.0}]
    assert body["s"]["base"] == []


def never(error: Exception) -> None:
    raise error


def span(found: str, name: Any, **seconds: float) -> Any:
    metrics = {("execute", "f", activity, "seconds"): value for activity, value in seconds.items()}
    return SimpleNamespace(id=found, name=name, _cumulative_worker_metrics=metrics)


def spans(*made: Any) -> Any:
    return SimpleNamespace(extensions={"spans": SimpleNamespace(spans={each.id: each for each in made})})


def test_spans_of_one_name_are_summed_and_a_sum_never_falls() -> None:
    found = Spans()
    first, second = span("1", ("train", "load"), cpu=2.0), span("2", ("train", "load"), cpu=3.0, disk=1.0)
    scheduler = spans(first, second)
    assert found.sums(scheduler) == {("train / load", "cpu", "seconds"): 5.0, ("train / load", "disk", "seconds"): 1.0}
    first._cumulative_worker_metrics["execute", "f", "cpu", "seconds"] = 4.0
    assert found.sums(scheduler)["train / load", "cpu", "seconds"] == 7.0
    assert found.sums(scheduler)["train / load", "cpu", "seconds"] == 7.0
    for i in range(NEWEST):
        scheduler.extensions["spans"].spans[f"new {i}"] = span(f"new {i}", ("a",), cpu=1.0)
    for _ in range(2):
        assert found.sums(scheduler)["train / load", "cpu", "seconds"] == 7.0
        assert found.sums(scheduler)["a", "cpu", "seconds"] == NEWEST


def test_spans_are_bounded_and_may_be_odd_or_missing() -> None:
    for odd in (SimpleNamespace(), SimpleNamespace(extensions={}), spans(), spans(SimpleNamespace(id="x", name=()))):
        assert Spans().sums(odd) == {}
    odd = span("1", ("\ud800" * 500, 7), cpu=nan)
    odd._cumulative_worker_metrics |= {("x",): 1.0, ("execute", "f", "\ud800", "s"): 10**400, ("a", "b", "c"): "text"}
    odd._cumulative_worker_metrics["execute", "f", "other", "seconds"] = 1e300
    ((name, activity, _),) = Spans().sums(spans(odd))
    assert (len(name), activity) == (200, "other")
    assert name.encode()
    many = [span(str(i), (f"span {i}",), **{f"a{j}": 1.0 for j in range(100)}) for i in range(100)]
    sums = Spans().sums(spans(*many))
    assert len(sums) == SUMS
    assert ("span 99", "a0", "seconds") in sums


def test_what_was_before_the_collector_is_reported_beside_the_whole() -> None:
    key = ("execute", "f", "deserialize", "seconds")
    scheduler: Any = SimpleNamespace(
        cumulative_worker_metrics={key: 900.0}, monitor=SimpleNamespace(quantities={}), transition_counter=7
    )
    activities = Activities(never)
    activities.begin(scheduler)
    scheduler.cumulative_worker_metrics[key] = 901.0
    activities.scan(scheduler, False)
    body, _ = activities.read(0)
    assert rows(body["c"]) == [{"id": 0, "value": 901.0}]
    assert body["s"]["base"] == [[0, 900.0]]

"""Texts and numbers that msgpack or JSON refuse, wherever they come from: shown, and the feed goes on."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf, isnan, nan
from typing import Any

import msgpack
import pytest
from distributed import Client, LocalCluster, wait

from dask_panes.feed import decode
from dask_panes.feed.codec import encode
from dask_panes.feed.plain import for_json
from dask_panes.feed.schema import SCHEMA
from dask_panes.scheduler.collector.events import Events
from dask_panes.scheduler.collector.keys import KeyColumn
from dask_panes.scheduler.collector.plain import number, plain, text
from jupyter import ACTIVATE, BRIDGE, PATIENT, RealKernel
from reader import Reader
from tabs import Tab, session_of

TOPICS = [name for name, topic in SCHEMA["topics"].items() if "local" not in topic]
ODD = "\udcff"
SEEN = "\\udcff"


class Unprintable:
    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


def test_what_is_plain_stays_and_what_is_not_is_written_as_python_does() -> None:
    assert text("ü→a") == "ü→a"
    assert text(f"a{ODD}") == f"a{SEEN}"
    assert text("\U0001f600" * 3, 2) == "\U0001f600" * 2
    assert len(text(ODD * 10, 7)) == 7
    assert text(12) == "12"
    assert text(Unprintable()) == "<Unprintable: RuntimeError>"
    assert (number(2**2000), number(-(2**2000)), number("x"), number(None, 1.0), number(True)) == (
        inf,
        -inf,
        0.0,
        1.0,
        1.0,
    )
    odd = {ODD: [ODD, 2**64, 2**63, -(2**63), nan, None, True, b"\xff", (1, Unprintable())], 1: {"x": 10**400}}
    converted = plain(odd)
    assert msgpack.unpackb(msgpack.packb(converted), strict_map_key=False).keys() == {SEEN, "1"}
    assert converted[SEEN][1:4] == [float(2**64), 2**63, -(2**63)]
    assert converted["1"] == {"x": inf}
    nested: list[Any] = []
    nested.append(nested)
    assert msgpack.packb(plain(nested))
    assert json.loads(json.dumps(for_json(odd), allow_nan=False, ensure_ascii=False).encode())[SEEN][4] is None
    assert for_json({"time": ("f8", b"\0\0\0\0\0\0\xf8\x7f")}) == {"time": [None]}


def test_a_topic_that_forgets_to_make_its_texts_plain_is_encoded_all_the_same() -> None:
    answer = {"feed": "a", "epoch": 0, "time": 1.0, "cursor": {}, "names": {"prefixes": {"from": 0, "values": [ODD]}}}
    topics = {"events": {"c": {"time": ("f8", bytes(8))}, "s": {"text": [ODD], "first": 2**70}}}
    frame = decode(encode({**answer, "topics": topics}, 0))
    assert frame["names"]["prefixes"]["values"] == [SEEN]
    assert frame["topics"]["events"]["s"] == {"text": [SEEN], "first": 2.0**70}
    assert list(frame["topics"]["events"]["c"]["time"]) == [0.0]


@pytest.mark.parametrize(
    "message", [ODD, {"action": ODD, ODD: nan}, {"a": 10**5000}, [Unprintable()], {1: b"\xff"}, inf]
)
def test_every_event_is_strict_json(message: Any) -> None:
    events = Events()
    events.add(1.0, ODD, message)
    scalars = events.read(0)[0]["s"]

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    json.loads(scalars["text"][0], parse_constant=refuse)
    assert msgpack.packb(scalars)


def test_keys_with_surrogates_are_kept_as_they_are_written() -> None:
    column = KeyColumn()
    keys = [f"a{ODD}b", (f"a{ODD}", 1), (f"a{ODD}", "x"), "plain"]
    column.extend(keys, ["a"] * 4)
    written = [column.text(i, "a") for i in range(4)]
    assert written == [f"a{SEEN}b", repr((f"a{SEEN}", 1)), repr((f"a{ODD}", "x")), "plain"]
    assert msgpack.packb(written)
    assert column.find(written[0], "a") == [0]


@pytest.fixture(params=[False, True], ids=["threads", "processes"])
def client(request: pytest.FixtureRequest) -> Iterator[Client]:
    cluster = LocalCluster(
        n_workers=1,
        threads_per_worker=2,
        memory_limit=0,
        processes=request.param,
        dashboard_address=None,
        silence_logs=logging.CRITICAL,
    )
    with cluster, Client(cluster) as client:
        yield client


def add_metrics(dask_worker: Any) -> None:
    dask_worker.metrics["odd\udcff"] = lambda worker: "value\udcff"
    dask_worker.metrics["large"] = lambda worker: 2**2000


def write_log() -> None:
    import logging

    log = logging.getLogger("distributed.worker")
    log.setLevel(logging.INFO)
    log.warning("bad file \udcff")
    log.handle(log.makeRecord(log.name, 30, "", 1, "bad arguments %d %d", ("x",), None))


def until(condition: Callable[[], bool], seconds: float = 180) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from texts(name)
            yield from texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from texts(item)


def test_everything_odd_at_once_reaches_the_tab_and_the_feed_goes_on(client: Client) -> None:
    def fail(x: int) -> None:
        raise ValueError("failed \udcff")

    named = lambda x: x  # noqa: E731
    with session_of(client) as session:
        tab = Tab(client, session).want(*TOPICS)
        in_process = not client.cluster.processes
        if in_process:
            # Dask itself cannot send these over a connection.
            named.__name__ = f"named{ODD}"
            scheduler = client.cluster.scheduler

            async def log() -> None:
                scheduler.log_event(f"topic{ODD}", {"action": f"action{ODD}", "value": nan})
                scheduler.cumulative_worker_metrics[("execute", f"span{ODD}", "compute", "seconds")] += 1
                scheduler.bandwidth_types[f"type{ODD}"] = 1.0

            client.sync(log)
            client.submit(named, 1, key=f"key{ODD}").result()
            client.submit(named, 1).result()
            failed = client.submit(fail, 1, key=f"failed{ODD}")
            wait(failed)
            client.run(add_metrics)
        client.submit(write_log, pure=False).result()

        def seen() -> set[str]:
            return {item for frame in tab.frames for item in texts([frame["names"], frame["topics"]])}

        until(lambda: any(f"bad file {SEEN}" in item for item in seen()))
        until(lambda: any("bad arguments" in item for item in seen()))
        if in_process:
            for wanted in ("key", "named", "topic", "action", "span", "type", "odd"):
                until(lambda wanted=wanted: any(f"{wanted}{SEEN}" in item for item in seen()))
        before = len(tab.frames)
        client.submit(abs, -2).result()
        tab.until(lambda tab: any("tasks" in frame["topics"] for frame in tab.frames[before:]))
        assert session.info()["notice"] == ""
        assert tab.bodies("meta")[-1]["s"]["problems"] == []
        reader = Reader(client)
        if in_process:
            details = reader.ask("task", key=f"failed{SEEN}")
            assert details["known"] and SEEN in details["exception"]
            assert msgpack.packb(details)


def test_a_worker_and_a_probe_with_odd_names() -> None:
    with (
        LocalCluster(
            n_workers=0, processes=False, dashboard_address=None, silence_logs=logging.CRITICAL, memory_limit=0
        ) as cluster,
        Client(cluster) as client,
        odd_worker(cluster),
        session_of(client) as session,
    ):
        tab = Tab(client, session).want(*TOPICS)
        client.submit(abs, -1).result()
        tab.until(lambda tab: any(w["name"] == f"w{SEEN}" for f in tab.frames for w in _workers(f)))
        tab.until(lambda tab: all(tab.bodies(topic) for topic in ("profile", "transfers", "logs", "series")))
        assert session.info()["notice"] == ""
        values = tab.bodies("series")[-1]["c"]["cpu_sum"]
        assert not any(map(isnan, values))


def _workers(frame: dict[str, Any]) -> list[dict[str, Any]]:
    return list(frame["names"].get("workers", {}).get("values", ()))


@contextmanager
def odd_worker(cluster: LocalCluster) -> Iterator[None]:
    """A worker that the cluster does not know of: it has to end before the cluster ends the event loop of both."""
    from distributed import Worker

    async def begin() -> Worker:
        return await Worker(cluster.scheduler.address, name=f"w{ODD}", nthreads=1, dashboard_address=None)

    worker = cluster.sync(begin)
    yield
    cluster.sync(worker.close)


@pytest.mark.parametrize("processes", [False, True], ids=["threads", "processes"])
def test_no_odd_text_prints_anything_into_a_cell(processes: bool) -> None:
    with RealKernel(env={"DASK_CONFIG": str(BRIDGE / "dask_panes.yaml")}) as kernel:
        kernel.finish(kernel.start(ACTIVATE, silent=True))
        kernel.run(PATIENT)
        kernel.run(
            f"from distributed import Client\nclient = Client(processes={processes}, n_workers=1, "
            "threads_per_worker=1, dashboard_address=None)"
        )
        subscription = kernel.subscribe()
        key = subscription.clients[0]["key"]
        subscription.want(key, TOPICS)
        odd = (
            ""
            if processes
            else (
                "client.submit(lambda x: x, 1, key='sur\\ud800rogate').result()\n"
                "client.cluster.scheduler.log_event('t\\udcff', {'a': float('nan')})\n"
            )
        )
        printed = kernel.run(
            odd + "def log():\n    import logging\n    log = logging.getLogger('distributed.worker')\n"
            "    log.propagate = False\n    log.setLevel('INFO')\n    [log.removeHandler(h) for h in log.handlers[:] "
            "if type(h) is logging.StreamHandler]\n    log.warning('bad file \\udcff')\nclient.submit(log).result()"
        )
        rows = 0
        wanted = 1 if processes else 2
        lines: list[str] = []
        for frame in subscription.frames(key):
            rows += len(frame["topics"].get("tasks", {}).get("c", {}).get("start", ()))
            lines += frame["topics"].get("logs", {}).get("s", {}).get("text", [])
            if rows >= wanted and any(f"bad file {SEEN}" in line for line in lines):
                break
        else:
            pytest.fail(f"{rows} rows, {lines}")
        printed += kernel.run("client.submit(abs, -1).result()\nimport time, gc; time.sleep(0.5); gc.collect()")
        printed += kernel.run("client.submit(abs, -2).result()")
        assert printed == ""
        notices = [c["notice"] for push in subscription.pushes if push["kind"] == "clients" for c in push["clients"]]
        assert set(notices) <= {""}


def test_a_client_with_an_odd_name_is_shown_and_acts() -> None:
    with RealKernel(activated=True) as kernel:
        kernel.run(
            "from distributed import Client\nclient = Client(processes=False, n_workers=1, threads_per_worker=1, "
            "dashboard_address=None, name='cl\\udcff')"
        )
        subscription = kernel.subscribe()
        key = subscription.clients[0]["key"]
        assert key.startswith(f"Client-cl{SEEN}-")
        subscription.want(key, ["tasks", "computations", "meta"])
        kernel.run("kept = client.map(abs, range(5), key=['odd-%d' % i for i in range(5)])\nclient.gather(kept)")
        computations: list[dict[str, Any]] = []
        rows = 0
        for frame in subscription.frames(key, 60):
            rows += len(frame["topics"].get("tasks", {}).get("c", {}).get("start", ()))
            computations += frame["topics"].get("computations", {}).get("s", {}).get("texts", ())
            # What a client submits is marked with its cell, also under an odd name.
            if rows == 5 and any(row["code"].startswith("kept = client.map") for row in computations):
                break
        else:
            pytest.fail(f"{rows} rows, {computations}")
        assert {row["client"] for row in computations} == {key}
        kernel.run("import time\nwaits = client.map(time.sleep, [5] * 3, pure=False)")
        plan = kernel.ask("act", name="plan_cancel", client=key, args={"prefix": "sleep"})["value"]
        assert (plan["tasks"], plan["results"], plan["others"]["clients"]) == (3, 3, 0)
        done = kernel.ask("act", name="cancel", client=key, args={"plan": plan["plan"]})["value"]
        assert done == {"done": 3, "left_out": 0, "gone": 3}

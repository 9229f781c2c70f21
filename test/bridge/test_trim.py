"""Tabs that share a read stand a few rows apart: what each is sent goes on exactly where it stands."""

from __future__ import annotations

from array import array
from typing import Any

import pytest

from dask_panes.kernel.session.trim import trim
from dask_panes.scheduler.collector.events import Events
from dask_panes.scheduler.collector.history import History
from dask_panes.scheduler.collector.names import Names


class Prefix:
    name = "f"


class Task:
    prefix = Prefix


def history(count: int) -> History:
    found = History(Names(), 1000)
    notes: list[Any] = []
    for i in range(count):
        startstops = [{"action": "compute", "start": float(i), "stop": i + 0.5}]
        if i % 3 == 0:
            startstops.insert(0, {"action": "transfer", "start": i - 0.1, "stop": float(i)})
        notes += (f"f-{i}", Task, "tcp://w", 1, startstops, i, "int")
    found.extend(notes)
    return found


def answer(topic: str, body: Any, cursor: int) -> dict[str, Any]:
    return {"feed": "f", "epoch": 0, "time": 0.0, "names": {}, "cursor": {topic: cursor}, "topics": {topic: body}}


@pytest.mark.parametrize("have", range(13))
def test_rows_and_moves_go_on_where_the_subscriber_stands(have: int) -> None:
    ring = history(12)
    body, cursor = ring.read(0, 100)
    cut = trim(answer("tasks", body, cursor), ["tasks"], {"tasks": have})
    if have == 12:
        assert cut is None
        return
    assert cut is not None
    expected, _ = ring.read(have, 100)
    ours = cut["topics"]["tasks"]
    assert ours["s"]["first"] == have
    assert {name: (d, bytes(v)) for name, (d, v) in ours["c"].items()} == expected["c"]
    assert {name: bytes(v) for name, (_, v) in ours.get("m", {}).items()} == {
        name: bytes(v) for name, (_, v) in expected.get("m", {}).items()
    }


def test_events_come_once() -> None:
    events = Events()
    for i in range(6):
        events.add(float(i), "all", {"action": f"a{i}"})
    body, cursor = events.read(0)
    cut = trim(answer("events", body, cursor), ["events"], {"events": 4})
    assert cut is not None
    ours = cut["topics"]["events"]
    assert ours["s"]["action"] == ["a4", "a5"]
    assert array("d", ours["c"]["time"][1]).tolist() == [4, 5]


def test_steals_come_once() -> None:
    columns = {"time": ("f8", array("d", range(6)).tobytes()), "outcome": ("u1", bytes(range(6)))}
    body = {"c": columns, "s": {"first": 10, "lost": 3}}
    cut = trim(answer("steals", body, 16), ["steals"], {"steals": 14})
    assert cut is not None
    ours = cut["topics"]["steals"]
    assert ours["s"] == {"first": 14}
    assert array("d", bytes(ours["c"]["time"][1])).tolist() == [4, 5]


def test_a_topic_that_is_not_wanted_or_not_new_is_left_out() -> None:
    body = {"c": {"id": ("u2", b"\0\0")}}
    assert trim(answer("workers", body, 5), ["tasks"], {}) is None
    assert trim(answer("workers", body, 5), ["workers"], {"workers": 5}) is None
    # Rows by id may come twice: they replace themselves.
    assert trim(answer("workers", body, 5), ["workers"], {"workers": 4})["topics"]["workers"] == body  # type: ignore[index]

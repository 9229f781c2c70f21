"""What a task was called with, as a real scheduler has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import dask.array as da
import pytest
from dask import delayed
from distributed import Client, wait

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector.call import LONGEST, MOST
from reader import Reader


@pytest.fixture(autouse=True)
def collected(client: Client) -> Iterator[None]:
    client.sync(ship.register, client)
    yield
    Reader(client).ask("remove")


class Loud:
    """Says something wherever it is looked at."""

    def __repr__(self) -> str:
        raise AssertionError("the repr of a user's object is called")

    __str__ = __repr__


def fails(*args: Any, **kwargs: Any) -> None:
    raise ValueError("no")


def called(client: Client, key: str) -> dict[str, list[str]]:
    """Arguments and fused tasks of a key, as a session gets them."""
    answer = Reader(client).ask("task", key=key)
    return {name: list(answer[name]) for name in ("arguments", "fused")}


def test_a_failed_task_says_what_it_was_called_with(client: Client) -> None:
    record = client.submit(abs, -23, key="record")
    failed = client.submit(fails, record, 5, None, "a\ud800b", [1, (2.5, b"x")], {"k": True}, key="failed", unit="km")
    wait([failed])
    assert called(client, "record")["arguments"] == ["-23"]
    assert called(client, "failed")["arguments"] == [
        "result of record",
        "5",
        "None",
        "'a\\ud800b'",
        "[1, (2.5, b'x')]",
        "{'k': True}",
        "unit='km'",
    ]


def test_containers_are_written_as_python_writes_them(client: Client) -> None:
    containers = ((1,), (), set(), frozenset(), {2}, frozenset([4]), {}, [3], [])
    failed = client.submit(fails, *containers, key="containers")
    wait([failed])
    written = ["(1,)", "()", "set()", "frozenset()", "{2}", "frozenset({4})", "{}", "[3]", "[]"]
    assert called(client, "containers")["arguments"] == written


def test_objects_of_users_and_large_values_are_named_only(client: Client) -> None:
    many = list(range(1_000))
    values = [Loud(), 10**5_000, "x" * 10_000, many, [[[[1]]]], float("nan")]
    failed = client.submit(fails, *values, *many, key="failed")
    wait([failed])
    arguments = called(client, "failed")["arguments"]
    assert len(arguments) == MOST + 1
    assert arguments[-1] == "…"
    assert arguments[:2] == ["<Loud>", "<int>"]
    assert arguments[2].startswith("'xxx")
    assert arguments[3:6] == ["[0, 1, 2, 3, 4, …]", "[[<list>]]", "nan"]
    assert all(len(each) <= LONGEST for each in arguments)


def test_delayed_calls_name_their_dependencies(client: Client) -> None:
    inner = delayed(abs)(-1, dask_key_name="inner")
    outer = client.compute(delayed(fails)(inner, [inner, 2], dask_key_name="outer"))
    wait([outer])
    assert called(client, "outer")["arguments"] == ["result of inner", "[result of inner, 2]"]


def test_fused_tasks_name_what_they_absorbed(client: Client) -> None:
    held = client.persist((da.ones(4, chunks=2) + 1).map_blocks(abs, dtype=float))
    wait(held)
    answers = [called(client, repr(key)) for row in held.__dask_keys__() for key in [row]]
    assert len(answers) == 2
    for answer in answers:
        assert answer["arguments"] == []
        assert any("ones" in each for each in answer["fused"])

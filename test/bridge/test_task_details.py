"""What is answered about single tasks, where Dask's own answers are wrong or costly."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from math import inf
from time import monotonic, sleep
from typing import Any

import dask
import pytest
from distributed import Client, Event, LocalCluster, wait

from dask_panes.scheduler import ship
from reader import Reader

#: Layers of tasks that each need all tasks of the layer before: the paths through more of them have no end.
LAYERS = 20


def made(*_: Any) -> int:
    return 1


def gated(*_: Any) -> int:
    Event("gate").wait()
    return 1


@pytest.fixture
def two() -> Iterator[Client]:
    """Two workers with one thread each, which a test may lose."""
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        yield client
        Event("gate").set()


def test_a_waiting_task_has_no_call_stack(two: Client) -> None:
    layer = two.map(gated, range(3), pure=False)
    for _ in range(LAYERS):
        layer = [two.submit(made, *layer, pure=False) for _ in range(3)]
    becomes(two, layer[0].key, "waiting")
    # Dask's own search would walk every path from it to the tasks that run, without a turn of the event loop.
    assert Reader(two).ask("callstack", key=layer[0].key) == []
    Event("gate").set()
    wait(layer)


async def never(**_: Any) -> None:
    await asyncio.Event().wait()


def test_a_task_whose_input_was_lost_had_no_attempt(two: Client) -> None:
    here, there = two.cluster.workers.values()
    data = two.submit(made, key="data", workers=[there.address], allow_other_workers=True)
    wait(data)
    busy = two.submit(gated, key="busy", workers=[here.address])
    becomes(two, "busy", "processing")
    # Its input does not arrive.
    there.handlers["get_data"] = never
    use = two.submit(made, data, key="use", workers=[here.address])
    lost = two.submit(gated, key="lost", workers=[there.address], allow_other_workers=True)
    becomes(two, "use", "processing")
    becomes(two, "lost", "processing")
    two.cluster.sync(there.close, executor_wait=False)
    reader = Reader(two)
    until(lambda: two.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.workers)) == 1)
    assert [each["how"] for each in reader.ask("task", key="lost")["attempts"]] == ["left"]
    assert [entry[1:3] for entry in two.run_on_scheduler(story)] == [("processing", "released")]
    assert reader.ask("task", key="use")["attempts"] == []
    Event("gate").set()
    wait([busy, use, lost])


class Odd:
    """Has a text that cannot be written."""

    def __repr__(self) -> str:
        raise RuntimeError("ran code of a user")


def test_annotations_are_written_without_code_of_users(two: Client) -> None:
    many = {f"name{i}": i for i in range(30)}
    with dask.annotate(meta=[*range(100_000)], odd=Odd(), text="a" * 1000, **many):
        task = two.submit(made, key="annotated")
    wait(task)
    found = Reader(two).ask("task", key="annotated")["annotations"]
    assert "'meta': [0, 1, 2, 3, 4, …]" in found
    assert "'odd': <Odd>" in found
    assert f"'text': '{'a' * 198}" in found
    assert found.endswith("…}") and len(found) < 1000
    wait(plain := two.submit(made, key="plain"))
    assert Reader(two).ask("task", key=plain.key)["annotations"] == ""


def test_a_task_is_described_where_the_log_of_transitions_is_another(two: Client) -> None:
    wait(task := two.submit(made, key="made"))
    log = two.cluster.scheduler.transition_log
    log.append(("made", "and nothing else"))
    try:
        found = Reader(two).ask("task", key=task.key)
        assert (found["state"], found["attempts"]) == ("memory", [])
    finally:
        log.pop()


@pytest.mark.parametrize("key", [inf, -inf, ("x", inf), ("x", ("inf", -inf)), 1e300, 2**70])
def test_a_task_is_found_by_any_number_in_its_key(two: Client, key: Any) -> None:
    running = two.submit(gated, key=key)
    becomes(two, key, "processing")
    reader = Reader(two)
    until(lambda: bool(reader.ask("callstack", key=repr(key))))
    assert reader.ask("task", key=repr(key))["known"]
    plan = reader.ask("plan", action="cancel", key=repr(key), client=two.id)
    assert (plan["tasks"], plan["keys"]) == (1, [repr(key)])
    Event("gate").set()
    wait(running)
    del running
    until(lambda: two.run_on_scheduler(lambda dask_scheduler: not dask_scheduler.tasks))
    found = reader.ask("task", key=repr(key))
    assert not found["known"] and len(found["executions"]) == 1


def story(dask_scheduler: Any) -> list[Any]:
    """What is in Dask's log about it that looks like an attempt."""
    return [entry for entry in dask_scheduler.story("use") if entry[:3] == ("use", "processing", "released")]


def state_of(key: Any, dask_scheduler: Any) -> str:
    return dask_scheduler.tasks[key].state if key in dask_scheduler.tasks else ""


def becomes(client: Client, key: Any, state: str) -> None:
    until(lambda: client.run_on_scheduler(state_of, key) == state)


def until(true: Callable[[], bool]) -> None:
    end = monotonic() + 60
    while not true():
        assert monotonic() < end
        sleep(0.02)

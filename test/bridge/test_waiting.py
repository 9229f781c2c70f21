"""Why a task does not run: what the request ``task`` answers, on a real cluster."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any

import pytest
from distributed import Client, Event, LocalCluster, Variable, fire_and_forget, secede, wait
from distributed.core import Status

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector import waiting, wants
from dask_panes.scheduler.collector.metrics import cancelled_tasks
from dask_panes.scheduler.collector.workers import STATUS_CODES
from reader import Reader, beat
from test_series import measured

RUNNING = STATUS_CODES["running"]


@pytest.fixture(scope="module")
def waiting_cluster() -> Iterator[LocalCluster]:
    with LocalCluster(
        n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None, resources={"GPU": 1}
    ) as cluster:
        yield cluster


@pytest.fixture
def client(waiting_cluster: LocalCluster) -> Iterator[Client]:
    with Client(waiting_cluster) as client:
        client.sync(ship.register, client)
        yield client
        Reader(client).ask("remove")


def hold(event: str, *_: object, leave: bool = False) -> None:
    if leave:
        secede()
    Event(event).wait()


def details_once(client: Client, key: str, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """What is answered about a task once a condition is true; heartbeats are sent meanwhile."""
    reader = Reader(client)
    end = monotonic() + 120
    while True:
        beat(client)
        found: dict[str, Any] = reader.ask("task", key=key)
        if found["known"] and fits(found):
            return found
        assert monotonic() < end, found


def why(client: Client, key: str, state: str, **expected: Any) -> dict[str, Any]:
    """The reasons, once they are as expected."""

    def fits(found: dict[str, Any]) -> bool:
        return found["state"] == state and {name: found["why"].get(name) for name in expected} == expected

    reasons: dict[str, Any] = details_once(client, key, fits)["why"]
    return reasons


def test_queued_tasks_know_their_place_and_waiting_ones_what_they_wait_for(client: Client) -> None:
    first = client.map(hold, ["a"] * 12, pure=False, key=[f"hold-{i:02}" for i in range(12)])
    after = client.submit(hold, "b", first[0], first[-1], key="after")
    queue = why(client, "hold-11", "queued", workers=2, paused=0)
    assert queue["ahead"] == queue["queued"] - 1 > 0
    found = details_once(client, "after", lambda found: any(each.get("runs") for each in found["dependencies"]))
    assert (found["state"], found["lacking"], found["why"]) == ("waiting", 2, {})
    by_key = {each["key"]: each for each in found["dependencies"]}
    assert by_key["hold-00"]["runs"] is True
    assert by_key["hold-00"]["worker"] in {str(ws["name"]) for ws in client.scheduler_info()["workers"].values()}
    assert (by_key["hold-11"]["state"], "worker" in by_key["hold-11"]) == ("queued", False)
    running = why(client, "hold-00", "processing", status="running", seceded=False)
    assert running["executing"] >= 0
    Event("a").set()
    Event("b").set()
    wait([*first, after])
    Event("a").clear()
    Event("b").clear()


def test_a_task_of_a_cluster_without_workers_is_queued() -> None:
    with LocalCluster(n_workers=0, processes=False, dashboard_address=None) as cluster, Client(cluster) as client:
        client.sync(ship.register, client)
        task = client.submit(abs, -1, key="alone")
        why(client, "alone", "queued", queued=1, ahead=0, workers=0, running=0)
        del task


def test_tasks_are_queued_although_no_worker_takes_any(client: Client) -> None:
    client.run(set_status, "closing_gracefully")
    tasks = client.map(hold, ["o"] * 12, pure=False, key=[f"halted-{i:02}" for i in range(12)])
    why(client, "halted-00", "queued", queued=12, ahead=0, workers=2, running=0, paused=0)
    client.run(set_status, "running")
    Event("o").set()
    wait(tasks)
    Event("o").clear()


def test_a_task_behind_others_on_its_worker(client: Client) -> None:
    address = next(iter(client.nthreads()))
    pinned = [
        client.submit(hold, "c" if i else "first", workers=[address], key=f"pinned-{i}", priority=10 - i, pure=False)
        for i in range(6)
    ]
    found = why(client, "pinned-5", "processing", ahead=3, busy=2, threads=2, executing=None)
    assert (found["status"], found["resources"]) == ("running", [])
    # The worker is paused: it begins nothing.
    client.run(set_status, "paused", workers=[address])
    why(client, "pinned-5", "processing", status="paused", executing=None)
    # As while its results move to other workers: it begins nothing, although a thread is free.
    client.run(set_status, "closing_gracefully", workers=[address])
    Event("first").set()
    found = why(client, "pinned-5", "processing", status="closing_gracefully", ahead=3, busy=1, executing=None)
    assert found["threads"] == 2
    client.run(set_status, "paused", workers=[address])
    also = client.submit(hold, "c", workers=[address], key="also", pure=False)
    why(client, "also", "no-worker", fitting=1, paused=1, running=1, workers=2)
    client.run(set_status, "running", workers=[address])
    Event("c").set()
    wait([*pinned, also])
    Event("c").clear()
    Event("first").clear()


async def set_status(status: str, dask_worker: Any) -> None:
    dask_worker.memory_manager.memory_pause_fraction = False
    dask_worker.status = Status[status]


def test_a_resource_that_is_taken_or_that_no_worker_has(client: Client) -> None:
    address = next(iter(client.nthreads()))
    held = [
        client.submit(hold, "d", workers=[address], resources={"GPU": 1}, key=f"gpu-{i}", priority=-i, pure=False)
        for i in range(3)
    ]
    # Another thread is free. Of the others on the worker, one has the resource; one waits for it, too.
    for key in ("gpu-1", "gpu-2"):
        why(client, key, "processing", executing=None, resources=[["GPU", 1.0, 1.0, 1.0]], busy=1, threads=2)
    details = details_once(client, "gpu-0", lambda found: found["why"].get("executing") is not None)
    assert details["why"]["resources"] == [["GPU", 1.0, 1.0, 0.0]]
    big = client.submit(hold, "d", resources={"GPU": 4}, key="big", pure=False)
    why(client, "big", "no-worker", resources=[["GPU", 4.0, 1.0, 0.0]], fitting=None, able=0, running=2)
    other = client.submit(hold, "d", resources={"TPU": 1}, key="other", pure=False)
    why(client, "other", "no-worker", resources=[["TPU", 1.0, 0.0, 0.0]])
    away = client.submit(hold, "d", workers=["tcp://192.0.2.9:1"], key="away", pure=False)
    why(client, "away", "no-worker", fitting=0, resources=[])
    client.cancel([big, other, away])

    async def supply(amount: float, dask_worker: Any) -> None:
        await dask_worker.set_resources(TPU=amount)

    # A worker has it, but not the one that the task names.
    client.run(supply, 1, workers=[next(worker for worker in client.nthreads() if worker != address)])
    split = client.submit(hold, "d", workers=[address], resources={"TPU": 1}, key="split", pure=False)
    why(client, "split", "no-worker", fitting=1, able=0, resources=[["TPU", 1.0, 1.0, 0.0]])
    client.cancel(split)
    client.run(supply, 0)
    # What workers get later is not noticed: Dask looks only where one joins or goes on.
    late = client.submit(hold, "d", resources={"TPU": 1}, key="late", pure=False)
    why(client, "late", "no-worker", able=0, ready=0)
    client.run(supply, 1)
    why(client, "late", "no-worker", able=2, ready=2)
    client.cancel(late)
    client.run(supply, 0)
    Event("d").set()
    wait(held)
    Event("d").clear()


def test_a_resource_that_nobody_has_is_not_waited_for(client: Client) -> None:
    address = next(iter(client.nthreads()))
    plain = [client.submit(hold, "k", workers=[address], key=f"plain-{i}", pure=False) for i in range(2)]
    for i in range(2):
        details_once(client, f"plain-{i}", lambda found: found["why"].get("executing") is not None)
    needing = [
        client.submit(hold, "k", workers=[address], resources={"GPU": 1}, key=f"needing-{i}", priority=-i, pure=False)
        for i in range(2)
    ]
    # They wait for a thread.
    why(client, "needing-0", "processing", executing=None, resources=[["GPU", 1.0, 1.0, 0.0]], busy=2, ahead=0)
    why(client, "needing-1", "processing", executing=None, resources=[["GPU", 1.0, 1.0, 0.0]], busy=2, ahead=1)
    Event("k").set()
    wait([*plain, *needing])
    Event("k").clear()


async def heartbeats(on: bool, dask_worker: Any) -> None:
    heartbeat = dask_worker.periodic_callbacks["heartbeat"]
    heartbeat.start() if on else heartbeat.stop()


def test_what_has_ended_since_the_last_heartbeat_keeps_nothing(client: Client) -> None:
    address = next(iter(client.nthreads()))
    ended = client.submit(hold, "l", workers=[address], resources={"GPU": 1}, key="ended", pure=False)
    details_once(client, "ended", lambda found: found["why"].get("executing") is not None)
    client.run(heartbeats, False)
    try:
        Event("l").set()
        wait(ended)
        fresh = client.submit(hold, "m", workers=[address], resources={"GPU": 1}, key="fresh-1", pure=False)
        found: dict[str, Any] = {}
        while found.get("state") != "processing":
            found = Reader(client).ask("task", key="fresh-1")
        assert (found["why"]["busy"], found["why"]["resources"]) == (0, [["GPU", 1.0, 1.0, 0.0]])
    finally:
        client.run(heartbeats, True)
    Event("m").set()
    wait(fresh)
    Event("l").clear()
    Event("m").clear()


def test_a_task_that_has_left_the_pool(client: Client) -> None:
    free = client.submit(hold, "e", leave=True, key="free", pure=False)
    found = why(client, "free", "processing", seceded=True, busy=0)
    assert found["executing"] is None or found["executing"] >= 0
    Event("e").set()
    wait(free)
    Event("e").clear()


def test_a_coroutine_runs_without_a_thread(client: Client) -> None:
    async def slow() -> None:
        await Event("coroutine").wait()

    task = client.submit(slow, key="coroutine", pure=False)
    found = details_once(client, "coroutine", lambda found: found["why"].get("executing") is not None)
    assert found["why"]["busy"] == 1
    # Its worker has no call stack of it, although it runs.
    assert Reader(client).ask("callstack", key="coroutine") == []
    Event("coroutine").set()
    wait(task)
    Event("coroutine").clear()


def test_a_plan_counts_the_tasks_that_it_applies_to(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wants, "MOST", 5)
    planner = wants.Wants(lambda: client.cluster.scheduler)
    held = client.map(hold, ["n"] * 12, pure=False, key="many")
    others = client.map(hold, ["n"] * 2, held[:2], pure=False, key="needs")
    end = monotonic() + 60
    while len(client.cluster.scheduler.tasks) < 14:
        assert monotonic() < end
        client.sync(scheduler_turn, client)
    ask = {"action": "cancel", "client": client.id, "prefix": "many"}
    plan = client.sync(planner.plan, ask)
    assert (plan["tasks"], plan["results"], plan["left"]) == (12, 5, 9)
    assert plan["direct"] <= plan["results"]
    done = client.sync(planner.carry_out, {"client": client.id, "plan": plan["plan"]})["done"]
    assert done == 5
    wanted = {ts.key for ts in client.cluster.scheduler.clients[client.id].wants_what}
    assert sum(future.key not in wanted for future in held) == plan["direct"]
    Event("n").set()
    wait([future for future in [*held, *others] if future.key in wanted])
    Event("n").clear()


def test_a_client_that_leaves_while_its_tasks_are_cancelled(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes its wishes with it; Dask raises for a client that it does not know, into the scheduler's log."""
    monkeypatch.setattr(wants, "AT_ONCE", 2)
    scheduler = client.cluster.scheduler
    planner = wants.Wants(lambda: scheduler)
    with Client(client.cluster, set_as_default=False) as other:
        many = other.map(hold, ["left"] * 12, pure=False, key="many")
        end = monotonic() + 60
        while len(scheduler.tasks) < 12:
            assert monotonic() < end
            client.sync(scheduler_turn, client)

        async def cancelled() -> Any:
            plan = await planner.plan({"action": "cancel", "client": other.id, "prefix": "many"})
            doing = asyncio.ensure_future(planner.carry_out({"client": other.id, "plan": plan["plan"]}))
            while len(scheduler.clients[other.id].wants_what) == 12:
                await asyncio.sleep(0)
            scheduler.remove_client(other.id)
            return await doing

        done = client.sync(cancelled)
        assert 0 < done["done"] < 12
        assert done["done"] + done["left_out"] == len(many)
    Event("left").set()


def test_a_queue_that_is_too_long_is_not_looked_through(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = ship.sources()
    assert any(name == "waiting" for name, _ in sources)
    held = client.map(hold, ["f"] * 12, pure=False, key=[f"long-{i:02}" for i in range(12)])
    scheduler = client.cluster.scheduler
    details_once(client, "long-11", lambda found: found["state"] == "queued")
    ts = scheduler.tasks["long-11"]
    assert waiting.reasons(scheduler, ts)["ahead"] is not None
    monkeypatch.setattr(waiting, "LOOKED", 3)
    assert waiting.reasons(scheduler, ts)["ahead"] is None
    Event("f").set()
    wait(held)


def test_why_a_task_that_has_had_a_result_runs_again() -> None:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        scheduler = cluster.scheduler
        stays, leaves = client.nthreads()
        fresh = client.submit(abs, 1, key="fresh", workers=[stays])
        inner = client.submit(abs, 2, key="inner", workers=[stays])
        outer = client.submit(abs, inner, key="outer", workers=[stays])
        lost = client.submit(abs, 3, key="lost", workers=[leaves], allow_other_workers=True)
        wait([fresh, inner, outer, lost])
        del fresh, inner
        end = monotonic() + 60
        while "fresh" in scheduler.tasks or scheduler.tasks["inner"].state != "released":
            assert monotonic() < end
            client.sync(scheduler_turn, client)
        held = client.submit(hold, "g", workers=[stays], priority=10, pure=False, key="held")
        details_once(client, "held", lambda found: found["why"].get("executing") is not None)
        # The user asks for the same again: nothing was lost.
        asked = [client.submit(abs, value, key=key, workers=[stays]) for key, value in (("fresh", 1), ("inner", 2))]
        found = details_once(client, "fresh", lambda found: found["state"] == "processing")
        assert (found["before"], [each["gone"] for each in found["executions"]]) == ("", [False])
        found = details_once(client, "inner", lambda found: found["state"] == "processing")
        assert (found["before"], [each["gone"] for each in found["executions"]]) == ("again", [False])
        client.sync(scheduler.remove_worker, leaves, stimulus_id="test")
        found = details_once(client, "lost", lambda found: found["state"] in ("processing", "queued"))
        assert (found["before"], [each["gone"] for each in found["executions"]]) == ("lost", [True])
        Event("g").set()
        wait([*asked, lost, held, outer])
        assert details_once(client, "lost", lambda found: len(found["executions"]) == 2)["before"] == ""


async def scheduler_turn(client: Client) -> None:
    await client.scheduler.identity()


def test_what_dask_keeps_like_a_client_is_no_client(client: Client) -> None:
    task = client.submit(hold, "h", key="shared")
    variable = Variable("mine", client=client)
    variable.set(task)
    fire_and_forget(task)
    found = details_once(client, "shared", lambda found: len(found["kept_by"]) == 2)
    assert (found["clients"], sorted(found["kept_by"])) == (1, ["fire-and-forget", "variable-mine"])
    clients = Reader(client).read(["meta"])["topics"]["meta"]["s"]["clients"]
    assert client.id in clients["names"] and clients["count"] == len(clients["names"])
    assert not [name for name in clients["names"] if not name.startswith("Client-")]
    # A user may give a client a name that begins so, too.
    with Client(client.cluster, name="worker-pool", set_as_default=False) as pool:
        of_pool = pool.submit(hold, "h", key="shared")
        assert details_once(client, "shared", lambda found: found["clients"] == 2)["clients"] == 2
        del of_pool
    # A worker in a process of its own makes such a client for tasks that use `get_client`.
    with Client(client.cluster, name="worker", set_as_default=False) as of_worker:
        theirs = of_worker.submit(hold, "h", key="shared")
        found = details_once(client, "shared", lambda found: len(found["kept_by"]) == 3)
        assert (found["clients"], of_worker.id in found["kept_by"]) == (1, True)
        others = Reader(client).ask("plan", key="shared", client=client.id, action="cancel")["others"]
        del theirs
    assert (others["count"], others["clients"], [each[2] for each in others["named"]]) == (3, 0, [False] * 3)
    assert {"fire-and-forget", "variable-mine"} < {each[0] for each in others["named"]}
    Event("h").set()
    wait(task)
    variable.delete()
    Event("h").clear()


def test_a_cancelled_task_keeps_its_thread_beside_one_that_has_seceded() -> None:
    with Client(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as client:
        (ws,) = client.cluster.scheduler.workers.values()

        def once(fits: Callable[[], bool]) -> None:
            end = monotonic() + 120
            while not fits():
                assert monotonic() < end
                beat(client)

        aside = client.submit(hold, "k", leave=True, pure=False)
        once(lambda: len(ws.long_running) == 1)
        held = client.submit(hold, "k", pure=False)
        once(lambda: len(ws.executing) == 2)
        held.cancel()
        once(lambda: cancelled_tasks(ws) == 1)
        # The other task has no thread.
        found = measured(ws)
        assert (found["threads"], found["computing"], found["cancelled"]) == (1, 0, 1)
        Event("k").set()
        wait(aside)


def test_cancelled_tasks_keep_their_threads_and_a_task_waits_for_one(client: Client) -> None:
    held = client.map(hold, ["j"] * 4, pure=False, key=[f"kept-{i}" for i in range(4)])
    for i in range(4):
        details_once(client, f"kept-{i}", lambda found: found["why"].get("executing") is not None)
    client.cancel(held)
    after = client.submit(hold, "j", key="after-kept", pure=False)
    why(client, "after-kept", "processing", busy=0, cancelled=2, threads=2, executing=None)
    reader = Reader(client)

    def kept() -> list[float]:
        reader.read(["workers"])
        return [row["cancelled"] for row in reader.rows["workers"].values() if row["status"] == RUNNING]

    reader.until(lambda: kept() == [2, 2], ["workers"])
    assert [ws["executing"] for ws in reader.rows["workers"].values() if ws["status"] == RUNNING] == [0, 0]
    Event("j").set()
    wait(after)
    beat(client)
    reader.until(lambda: kept() == [0, 0], ["workers"])
    Event("j").clear()

"""What clients want and what a restart would cost, on a real scheduler: tasks wait, or one worker runs them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any
from uuid import uuid1

import pytest
from distributed import Client, Future, Scheduler, Worker

from dask_panes.scheduler.collector import stakes as stakes_module
from dask_panes.scheduler.collector import wants as wants_module
from dask_panes.scheduler.collector.faults import Refusal
from dask_panes.scheduler.collector.stakes import LONGEST_NAME, NAMED, Turns, by_client, stakes
from dask_panes.scheduler.collector.walk import SLICE
from dask_panes.scheduler.collector.wants import Wants

#: Seconds for one test on a busy machine.
PATIENCE = 60


def inc(x: Any, *_: Any) -> Any:
    return x + 1


def fails(*_: Any) -> Any:
    raise ValueError("no")


class Stand:
    """A scheduler with two clients, and what is planned on it."""

    def __init__(self, scheduler: Scheduler, a: Client, b: Client) -> None:
        self.scheduler, self.a, self.b = scheduler, a, b
        self.wants = Wants(lambda: scheduler)

    async def known(self, *futures: Future) -> None:
        """Wait until the scheduler has these tasks."""
        while not all(future.key in self.scheduler.tasks for future in futures):
            await asyncio.sleep(0.001)

    async def states(self, state: str, *futures: Future) -> None:
        while not all(
            (ts := self.scheduler.tasks.get(future.key)) is not None and ts.state == state for future in futures
        ):
            await asyncio.sleep(0.001)

    async def plan(self, action: str = "cancel", client: Client | None = None, **subject: Any) -> dict[str, Any]:
        return await self.wants.plan({"action": action, "client": (client or self.a).id, **subject})

    async def carry_out(self, plan: Any, client: Client | None = None, **more: Any) -> dict[str, int]:
        return await self.wants.carry_out({"plan": plan["plan"], "client": (client or self.a).id, **more})


@asynccontextmanager
async def stand(workers: int = 0) -> AsyncIterator[Stand]:
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        ended = [Worker(scheduler.address, nthreads=1) for _ in range(workers)]
        try:
            for worker in ended:
                await worker
            async with (
                Client(scheduler.address, asynchronous=True) as a,
                Client(scheduler.address, asynchronous=True) as b,
            ):
                yield Stand(scheduler, a, b)
        finally:
            for worker in ended:
                await worker.close()


def run(body: Callable[[Stand], Awaitable[None]], workers: int = 0) -> None:
    async def whole() -> None:
        async with stand(workers) as made:
            await asyncio.wait_for(body(made), PATIENCE)

    asyncio.run(whole())


async def chain(made: Stand) -> list[Future]:
    """Three tasks after each other and one more; the first client does not want the first one, the second client the
    first and the third.
    """
    x = made.a.submit(inc, 1, key="load-1")
    y = made.a.submit(inc, x, key="sum-1")
    z = made.a.submit(inc, y, key="sum-2")
    w = made.a.submit(inc, 1, key="other-1")
    await made.known(x, y, z, w)
    made.scheduler.client_desires_keys(keys=["load-1", "sum-2"], client=made.b.id)
    x.release()
    while len(made.scheduler.tasks["load-1"].who_wants) > 1:
        await asyncio.sleep(0.001)
    return [y, z, w]


def test_a_plan_has_what_depends_on_a_task_and_is_wanted() -> None:
    async def body(made: Stand) -> None:
        futures = await chain(made)
        plan = await made.plan(key="load-1")
        a, b = (made.scheduler.clients[client.id].client_key for client in (made.a, made.b))
        assert len(plan.pop("plan")) == 16
        assert plan == {
            "tasks": 1,
            # The client does not want the first task itself.
            "direct": 0,
            "results": 2,
            "keys": ["sum-1", "sum-2"],
            "shared": 1,
            "others": {"count": 1, "clients": 1, "named": [[b, 2, True]]},
            "other_keys": ["load-1", "sum-2"],
            "left": 0,
        }
        theirs = await made.plan(client=made.b, key="sum-1")
        assert (theirs["tasks"], theirs["direct"], theirs["results"], theirs["keys"]) == (1, 0, 1, ["sum-2"])
        assert (theirs["shared"], theirs["others"]["named"]) == (1, [[a, 2, True]])
        alone = await made.plan(key="other-1")
        assert (alone["direct"], alone["results"], alone["shared"]) == (1, 1, 0)
        assert (alone["others"], alone["other_keys"]) == ({"count": 0, "clients": 0, "named": []}, [])
        assert len(futures) == 3

    run(body)


def test_a_plan_of_a_function_has_its_unfinished_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    async def body(made: Stand) -> None:
        futures = await chain(made)
        plan = await made.plan(prefix="sum")
        assert (plan["tasks"], plan["direct"], plan["results"]) == (2, 2, 2)
        assert (await made.plan("retry", prefix="sum"))["tasks"] == 0
        assert (await made.plan("retry", key="sum-1"))["results"] == 0
        monkeypatch.setattr(wants_module, "MOST", 1)
        plan = await made.plan(prefix="sum")
        assert (plan["results"], plan["left"], len(plan["keys"])) == (1, 1, 1)
        assert len(futures) == 3

    run(body)


def test_what_is_not_known_is_refused_with_a_reason() -> None:
    async def body(made: Stand) -> None:
        futures = await chain(made)
        for change, reason in (
            ({"key": "gone-1"}, "does not know this task"),
            ({"prefix": "gone"}, "does not know this function"),
            ({}, "does not know this function"),
        ):
            with pytest.raises(Refusal, match=reason):
                await made.plan(**change)
        with pytest.raises(Refusal, match="does not know this client"):
            await made.wants.plan({"action": "cancel", "client": "nobody", "key": "sum-1"})
        made.scheduler.blocked_handlers = ["retry"]
        assert (await made.plan(key="sum-1"))["tasks"] == 1
        with pytest.raises(Refusal, match="blocked-handlers"):
            await made.plan("retry", key="sum-1")
        assert len(futures) == 3

    run(body)


def test_a_plan_is_carried_out_once_by_its_client_and_the_newest_only(monkeypatch: pytest.MonkeyPatch) -> None:
    async def body(made: Stand) -> None:
        futures = await chain(made)
        first = await made.plan(key="sum-1")
        with pytest.raises(Refusal, match="too long ago"):
            await made.carry_out(first, made.b)
        second = await made.plan(key="sum-1")
        with pytest.raises(Refusal, match="too long ago"):
            await made.carry_out(first)
        # A wrong name ends the plan, too: another page has asked.
        with pytest.raises(Refusal, match="too long ago"):
            await made.carry_out(second)
        monkeypatch.setattr(wants_module, "PLANS", 1)
        mine = await made.plan(key="sum-1")
        theirs = await made.plan(client=made.b, key="sum-1")
        with pytest.raises(Refusal, match="too long ago"):
            await made.carry_out(mine)
        assert await made.carry_out(theirs, made.b) == {"done": 1, "left_out": 0, "gone": 0}
        with pytest.raises(Refusal, match="too long ago"):
            await made.carry_out(theirs, made.b)
        assert len(futures) == 3

    run(body)


def test_cancelled_tasks_are_those_that_are_still_wanted_and_unfinished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wants_module, "AT_ONCE", 2)

    async def body(made: Stand) -> None:
        futures = made.a.map(inc, range(5), key=[f"inc-{i}" for i in range(5)])
        kept = made.b.submit(inc, 1, key="inc-4")
        await made.known(*futures, kept)
        while len(made.scheduler.tasks["inc-4"].who_wants) < 2:
            await asyncio.sleep(0.001)
        plan = await made.plan(prefix="inc")
        assert (plan["results"], plan["shared"]) == (5, 1)
        futures[0].release()
        while "inc-0" in made.scheduler.tasks:
            await asyncio.sleep(0.001)
        assert await made.carry_out(plan, reason="enough") == {"done": 4, "left_out": 1, "gone": 3}
        # What another client wants goes on for it.
        assert [key for key in made.scheduler.tasks if key.startswith("inc")] == ["inc-4"]
        assert made.scheduler.clients[made.a.id].wants_what == set()
        for future in futures[1:]:
            while future.status != "cancelled":
                await asyncio.sleep(0.001)
        assert kept.status == "pending"
        events = [event for _, event in made.scheduler.get_events(made.a.id) if event.get("action") == "cancel"]
        assert events == [{"action": "cancel", "count": 5, "force": False}]

    run(body)


def test_retried_tasks_begin_at_those_that_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wants_module, "AT_ONCE", 2)

    async def body(made: Stand) -> None:
        root = made.a.submit(fails, key="fails-1")
        middle = made.a.submit(inc, root, key="inc-1")
        last = made.a.map(inc, [middle] * 7, key=[f"last-{i}" for i in range(7)])
        fine = made.a.submit(inc, 1, key="fine-1")
        await made.states("erred", middle, *last)
        await made.states("memory", fine)
        plan = await made.plan("retry", key="fails-1")
        assert (plan["tasks"], plan["direct"], plan["results"]) == (1, 1, 9)
        assert (await made.plan("retry", prefix="fine"))["tasks"] == 0
        retried: list[list[Any]] = []
        stimulus = made.scheduler.stimulus_retry

        def noted(keys: list[Any], client: Any = None) -> Any:
            retried.append(list(keys))
            return stimulus(keys=keys, client=client)

        monkeypatch.setattr(made.scheduler, "stimulus_retry", noted)
        plan = await made.plan("retry", prefix="last")
        assert (plan["tasks"], plan["results"]) == (7, 7)
        last[2].release()
        while "last-2" in made.scheduler.tasks:
            await asyncio.sleep(0.001)
        # More than one slice of tasks that have failed for the same reason: none of them is left out.
        assert await made.carry_out(plan) == {"done": 6, "left_out": 1, "gone": 0}
        # The task that raised is run again, once, not those that failed because of it.
        assert retried == [["fails-1"]]
        del root, fine

    run(body, workers=1)


def test_a_restart_costs_what_the_cluster_has() -> None:
    async def body(made: Stand) -> None:
        done = made.a.map(inc, range(3), key=[f"inc-{i}" for i in range(3)])
        await made.states("memory", *done)
        (worker,) = made.scheduler.workers.values()
        await made.a.retire_workers([worker.address], close_workers=False, remove=False)
        theirs = made.b.submit(inc, 1, key="inc-0")
        waits = made.b.submit(inc, theirs, 1, key="waits-1", workers=["nowhere"])
        await made.known(waits)
        while len(made.scheduler.tasks["inc-0"].who_wants) < 2:
            await asyncio.sleep(0.001)
        a, b = (made.scheduler.clients[client.id].client_key for client in (made.a, made.b))
        answer = await stakes(made.scheduler, {"client": a})
        assert answer == {
            "workers": 1,
            "nannies": 0,
            "results": 3,
            "erred": 0,
            "pending": 1,
            "clients": {"count": 1, "clients": 1, "named": [[b, 2, True]]},
        }
        both = {"count": 2, "clients": 2, "named": [[a, 3, True], [b, 2, True]]}
        assert (await stakes(made.scheduler, {}))["clients"] == both
        one = await stakes(made.scheduler, {"worker": worker.address})
        none = {"actors": 0, "processing": 0, "given_up": 0}
        assert one["worker"] == {"name": str(worker.name), "nanny": False, "only": 3, **none}
        assert "results" not in one
        worker.nanny = "tcp://nanny"
        answer = await stakes(made.scheduler, {"worker": worker.address})
        assert (answer["nannies"], answer["worker"]["nanny"]) == (1, True)
        with pytest.raises(Refusal, match="does not have this worker"):
            await stakes(made.scheduler, {"worker": "tcp://gone"})

    run(body, workers=1)


async def test_what_only_one_worker_has_is_counted_without_copies_and_actors() -> None:
    def result(actor: bool, workers: int) -> Any:
        return SimpleNamespace(actor=actor, who_has=set(range(workers)))

    given = [result(False, 1)] * 3 + [result(False, 2)] * 4 + [result(True, 1)] * 5 + [result(False, 0)]
    # Two of the assigned tasks have had all crashes that Dask allows.
    assigned = [SimpleNamespace(suspicious=crashes) for crashes in (0, 2, 3, 4)]
    ws = SimpleNamespace(has_what=given, name="a", nanny="", actors=set(range(5)), processing=assigned)
    scheduler: Any = SimpleNamespace(workers={"tcp://a:1": ws}, allowed_failures=3)
    answer = await stakes(scheduler, {"worker": "tcp://a:1"})
    counts = {"only": 3, "actors": 5, "processing": 4, "given_up": 2}
    assert answer["worker"] == {"name": "a", "nanny": False, **counts}


@pytest.mark.parametrize("reason", ["", "enough"])
def test_a_cancellation_is_reported_with_its_reason_where_there_is_one(
    reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def body(made: Stand) -> None:
        future = made.a.submit(inc, 1, key="inc-1")
        await made.known(future)
        reported: list[dict[str, Any]] = []
        report = made.scheduler.report

        def noted(msg: dict[str, Any], **more: Any) -> Any:
            reported.append(msg)
            return report(msg, **more)

        monkeypatch.setattr(made.scheduler, "report", noted)
        await made.carry_out(await made.plan(key="inc-1"), reason=reason)
        (msg,) = [msg for msg in reported if msg["op"] == "cancelled-keys"]
        # Futures of older releases of Dask do not receive a reason.
        assert msg == {"op": "cancelled-keys", "keys": ["inc-1"], **({"reason": reason, "msg": None} if reason else {})}
        while future.status != "cancelled":
            await asyncio.sleep(0.001)

    run(body)


def test_clients_are_named_by_their_results_and_counted() -> None:
    counts: Any = stakes_module.Counter({f"client-{i}": i + 1 for i in range(NAMED + 3)})
    of_worker = f"Client-worker-{uuid1()}"
    # One of them is connected; a worker's own client is not one that a user can act with.
    scheduler: Any = SimpleNamespace(client_comms={f"client-{NAMED + 2}": None, of_worker: None})
    holders = by_client(scheduler, counts)
    assert (holders["count"], holders["clients"], len(holders["named"])) == (NAMED + 3, 1, NAMED)
    assert holders["named"][:2] == [[f"client-{NAMED + 2}", NAMED + 3, True], [f"client-{NAMED + 1}", NAMED + 2, False]]
    others = by_client(scheduler, stakes_module.Counter({"x" * 1000: 2, of_worker: 1}))
    assert others["named"] == [["x" * LONGEST_NAME, 2, False], [of_worker, 1, False]]


def test_a_search_leaves_time_to_others_and_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    cpu, now = [0.0], [0.0]
    monkeypatch.setattr(stakes_module, "cpu_time", lambda: cpu[0])
    monkeypatch.setattr(stakes_module, "monotonic", lambda: now[0])

    async def body() -> None:
        turns = Turns()
        others: list[int] = []
        loop = asyncio.get_running_loop()
        loop.call_soon(others.append, 1)
        cpu[0] = 0.99 * SLICE
        await turns.rest()
        assert others == []
        cpu[0] = 1.01 * SLICE
        await turns.rest()
        assert others == [1]
        # It has a whole slice again.
        loop.call_soon(others.append, 2)
        cpu[0] = 2 * SLICE
        await turns.rest()
        assert others == [1]
        cpu[0] = 2.02 * SLICE
        now[0] = stakes_module.LONGEST_SEARCH
        await turns.rest()
        assert others == [1, 2]
        now[0] += 0.001
        await turns.rest()
        cpu[0] = 4 * SLICE
        with pytest.raises(Refusal, match="too large to be searched in 20 s"):
            await turns.rest()

    asyncio.run(body())

"""What a page does through a client: workers, tasks, all of the cluster. By the control channel of a real kernel."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from dask_panes.kernel.cell import client_actions
from jupyter import FORK, PATIENT, RealKernel, Refused, becomes
from sizes import tasks
from test_actions import act, client_of, until

NANNIES = """
from distributed import Client, Event, LocalCluster
import time
cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, memory_limit=0)
client, other = Client(cluster), Client(cluster, set_as_default=False)
scheduler = cluster.scheduler
def held(name, number=0):
    Event(name).wait()
    return number
def add(*numbers):
    return sum(numbers)
def fails(gate, value=0):
    import os
    if not os.path.exists(gate):
        raise ValueError("not yet")
    return value
def workers():
    return sorted(scheduler.workers)
def alone_on(worker):
    return [ts.key for ts in scheduler.workers[worker].has_what if len(ts.who_has) == 1]
"""
#: Measures the turns of the scheduler's loop in CPU time: other processes and threads do not count, nor does the
#: collection of garbage in a process with 100,000 futures.
WATCH = """
import asyncio, gc
from time import thread_time
turns, watching = [], True
async def watch():
    while watching:
        begin = thread_time()
        await asyncio.sleep(0)
        turns.append(thread_time() - begin)
gc.disable()
scheduler.loop.add_callback(watch)
"""


@pytest.fixture(scope="module")
def kernel() -> Iterator[RealKernel]:
    with RealKernel(activated=True) as kernel:
        kernel.run(FORK)
        kernel.run(PATIENT)
        kernel.run(NANNIES)
        # What takes some seconds alone takes longer on a busy machine.
        kernel.run("from dask_panes.kernel import activate; activate.channel()._actions._patience = 300")
        kernel.run("given = {*globals(), 'given', 'name'}")
        yield kernel
        kernel.run("client.close(); other.close(); cluster.close()")


@pytest.fixture(autouse=True)
def forgets(kernel: RealKernel) -> Iterator[None]:
    """What a failed test has left does not fail the next ones."""
    yield
    kernel.run("""
for name in [name for name in globals() if name not in given and not name.startswith("_")]:
    del globals()[name]
""")


@pytest.fixture
def mine(kernel: RealKernel) -> dict[str, str]:
    return {"client": client_of(kernel)["key"]}


@pytest.fixture
def theirs(kernel: RealKernel) -> dict[str, str]:
    return {"client": client_of(kernel, "other")["key"]}


def workers(kernel: RealKernel) -> list[str]:
    return list(eval(kernel.run("print(workers())")))


def scaled(kernel: RealKernel, count: int = 2) -> list[str]:
    """The workers of the cluster, once it has this many."""
    if len(workers(kernel)) != count:
        kernel.run(f"cluster.scale({count})")
    becomes(kernel, "len(workers())", str(count))
    return workers(kernel)


def test_a_worker_is_retired_and_its_results_move(kernel: RealKernel, mine: dict[str, str]) -> None:
    gone, stays = scaled(kernel)
    kernel.run(f"kept = client.map(add, range(10), workers=[{gone!r}], allow_other_workers=True, pure=False)")
    kernel.run("client.gather(kept)")
    answer = act(kernel, "stakes", mine, worker=gone)
    assert (answer["workers"], answer["nannies"], answer["adaptive"]) == (2, 2, False)
    # Some may have run on the other worker: it may steal them.
    assert answer["worker"]["only"] == len(eval(kernel.run(f"print(alone_on({gone!r}))"))) > 0
    assert act(kernel, "retire", mine, worker=gone) == {"worker": answer["worker"]["name"]}
    assert workers(kernel) == [stays]
    assert kernel.run("print(sum(client.gather(kept)))").strip() == "45"
    # The cluster knows that it has one worker less, and starts another one when it is asked.
    assert act(kernel, "scaling", mine)["asked"] == 1
    with pytest.raises(Refused, match="does not have this worker any more"):
        act(kernel, "retire", mine, worker=gone)
    # Its results have nowhere to go: it stays.
    with pytest.raises(Refused, match="no other worker has room for its results"):
        act(kernel, "retire", mine, worker=stays)
    assert workers(kernel) == [stays]
    assert kernel.run("print(sum(client.gather(kept))); del kept").strip() == "45"
    scaled(kernel)


def test_a_client_by_address_knows_the_cluster_of_its_kernel(kernel: RealKernel) -> None:
    gone, stays = scaled(kernel)
    kernel.run("guest = Client(cluster.scheduler_address, set_as_default=False)")
    guests = {"client": client_of(kernel, "guest")["key"]}
    try:
        kernel.run("adaptive = cluster.adapt(minimum=2, maximum=2)")
        assert act(kernel, "stakes", guests, worker=gone)["adaptive"] is True
        kernel.run("cluster._adaptive.stop()")
        assert act(kernel, "stakes", guests, worker=gone)["adaptive"] is False
        act(kernel, "retire", guests, worker=gone)
        assert workers(kernel) == [stays]
        # The cluster would start it again with the next request for workers.
        assert act(kernel, "scaling", guests)["asked"] == 1
    finally:
        kernel.run("guest.close()")
        scaled(kernel)


def test_of_two_workers_with_alike_names_the_right_one_is_retired(kernel: RealKernel, mine: dict[str, str]) -> None:
    own = scaled(kernel)
    # The cluster names its workers 0, 1, ...; `dask worker --name 0` joins with a text.
    kernel.run("""
from distributed import Worker
async def join():
    name = str(next(iter(cluster.worker_spec)))
    return await Worker(cluster.scheduler_address, name=name, nthreads=1, memory_limit=0, dashboard=False)
guest = cluster.sync(join)
""")
    guest = kernel.run("print(guest.address)").strip()
    becomes(kernel, "len(cluster.scheduler_info['workers'])", "3")
    assert guest not in own
    act(kernel, "retire", mine, worker=guest)
    assert workers(kernel) == own
    assert act(kernel, "scaling", mine)["asked"] == 2
    kernel.run("del guest")


def test_a_worker_with_an_actor_stays_and_says_why(kernel: RealKernel, mine: dict[str, str]) -> None:
    scaled(kernel)
    kernel.run("""
class Counter:
    pass
counter = client.submit(Counter, actor=True); actor = counter.result()
""")
    worker = kernel.run("print(*[ws.address for ws in scheduler.workers.values() if ws.actors])").strip()
    answer = act(kernel, "stakes", mine, worker=worker)["worker"]
    assert (answer["actors"], answer["only"]) == (1, 0)
    with pytest.raises(Refused, match="1 actor lives on it, and Dask does not move actors"):
        act(kernel, "retire", mine, worker=worker)
    assert worker in workers(kernel)
    kernel.run("del counter, actor")
    becomes(kernel, "len(scheduler.tasks)", "0")
    assert act(kernel, "retire", mine, worker=worker) == {"worker": answer["name"]}
    scaled(kernel)


def test_a_worker_is_restarted(kernel: RealKernel, mine: dict[str, str]) -> None:
    worker = scaled(kernel)[0]
    kernel.run("import os")
    before = kernel.run("print(sorted(client.run(os.getpid).values()))")
    act(kernel, "restart_worker", mine, worker=worker)
    becomes(kernel, "len(workers())", "2")
    after = kernel.run("print(sorted(client.run(os.getpid).values()))")
    assert len(set(eval(before)) & set(eval(after))) == 1
    with pytest.raises(Refused, match="does not have this worker any more"):
        act(kernel, "restart_worker", mine, worker="tcp://127.0.0.1:1")


def test_a_worker_that_leaves_while_it_is_to_be_restarted_has_not_waited_for_anything(
    kernel: RealKernel, mine: dict[str, str]
) -> None:
    worker = scaled(kernel)[0]
    kernel.run("""
from dask_panes.kernel.cell import client_actions
original = client.restart_workers
async def late(names, **options):
    await client_actions.retire(activate.channel().clients.sessions[client.id], names[0])
    return await original(names, **options)
client.restart_workers = late
""")
    try:
        with pytest.raises(Refused, match="was not restarted: it has left the cluster meanwhile"):
            act(kernel, "restart_worker", mine, worker=worker)
    finally:
        kernel.run("del client.restart_workers")
    scaled(kernel)


def test_a_worker_whose_nanny_is_gone_says_how_long_that_took(kernel: RealKernel, mine: dict[str, str]) -> None:
    first = scaled(kernel)[0]
    # As where the nanny's process was killed: nobody listens at its address.
    kernel.run(f"""
import dask
scheduler.workers[{first!r}].nanny = "tcp://127.0.0.1:1"
dask.config.set({{"distributed.comm.timeouts.connect": "200ms"}})
from dask_panes.kernel.cell import client_actions
client_actions.RESTART_SECONDS = 3.0
""")
    try:
        with pytest.raises(Refused, match=r"did not come back \(timed out, after [3-9] s\). Its nanny may have ended"):
            act(kernel, "restart_worker", mine, worker=first)
    finally:
        kernel.run('dask.config.set({"distributed.comm.timeouts.connect": "30s"})')
        kernel.run("client_actions.RESTART_SECONDS = 120.0")
        # The scheduler has let the worker go, whose real nanny is still one of the cluster.
        kernel.run("cluster.scale(0)")
        becomes(kernel, "(len(workers()), len(cluster.workers))", "(0, 0)")


def test_memory_is_given_back_by_all_workers_or_one(kernel: RealKernel, mine: dict[str, str]) -> None:
    names = scaled(kernel)
    answer = act(kernel, "trim", mine)
    assert (answer["workers"], answer["failed"]) == (2, 0)
    assert answer["freed"] >= 0
    assert act(kernel, "trim", mine, worker=names[0])["workers"] == 1
    with pytest.raises(Refused, match="No memory was given back: the cluster does not have this worker"):
        act(kernel, "trim", mine, worker="tcp://127.0.0.1:1")


def test_a_function_is_cancelled_for_the_client_that_wants_it_only(
    kernel: RealKernel, mine: dict[str, str], theirs: dict[str, str]
) -> None:
    scaled(kernel)
    kernel.run("one = client.map(held, ['a'] * 20, range(20), key='cut'); two = other.submit(held, 'b', key='cut-b')")
    becomes(kernel, "sum(1 for ts in scheduler.tasks.values() if ts.prefix.name == 'cut')", "20")
    plan = act(kernel, "plan_cancel", mine, prefix="cut")
    assert (plan["tasks"], plan["direct"], plan["results"], plan["left"]) == (20, 20, 20, 0)
    assert (plan["shared"], plan["others"]["count"]) == (0, 0)
    assert len(plan["keys"]) == 10
    assert act(kernel, "cancel", mine, plan=plan["plan"]) == {"done": 20, "left_out": 0, "gone": 20}
    assert kernel.run("print({f.status for f in one}, len(client.futures), two.status)") == "{'cancelled'} 0 pending\n"
    # A plan is carried out once.
    with pytest.raises(Refused, match="Try again"):
        act(kernel, "cancel", mine, plan=plan["plan"])
    # The second time: the same keys are computed when they are submitted again.
    kernel.run("Event('a').set(); again = client.map(held, ['a'] * 20, range(20), key='cut')")
    assert kernel.run("print(sum(client.gather(again)))").strip() == "190"
    finished = act(kernel, "plan_cancel", mine, prefix="cut")
    assert (finished["tasks"], finished["results"]) == (0, 0)
    kernel.run("Event('b').set(); two.result(); del one, two, again; Event('a').clear(); Event('b').clear()")


def test_an_intermediate_key_is_cancelled_with_the_results_that_need_it(
    kernel: RealKernel, mine: dict[str, str], theirs: dict[str, str]
) -> None:
    scaled(kernel)
    kernel.run("""
from dask import delayed
first = delayed(held)("i", dask_key_name="first-1")
middle = delayed(add)(first, dask_key_name="middle-1")
end = client.compute(delayed(add)(middle, dask_key_name="end-1"))
shared = client.compute(delayed(add)(middle, dask_key_name="shared-1"))
shared2 = other.compute(delayed(add)(middle, dask_key_name="shared-1"))
alone = other.compute(delayed(add)(middle, dask_key_name="alone-1"))
""")
    becomes(kernel, "len(scheduler.tasks)", "5")
    plan = act(kernel, "plan_cancel", mine, key="first-1")
    assert (plan["tasks"], plan["direct"], plan["results"], plan["shared"]) == (1, 0, 2, 1)
    assert sorted(plan["keys"]) == ["end-1", "shared-1"]
    # What others want is named, and stays.
    assert plan["others"] == {"count": 1, "clients": 1, "named": [[theirs["client"], 2, True]]}
    assert sorted(plan["other_keys"]) == ["alone-1", "shared-1"]
    assert act(kernel, "cancel", mine, plan=plan["plan"]) == {"done": 2, "left_out": 0, "gone": 1}
    seen = "print(end.status, shared.status, shared2.status, alone.status, sorted(scheduler.tasks))"
    assert kernel.run(seen) == "cancelled cancelled pending pending ['alone-1', 'first-1', 'middle-1', 'shared-1']\n"
    # Dask's own cancel ends the client's connection here; both clients go on.
    kernel.run("Event('i').set()")
    assert kernel.run("print(shared2.result(), alone.result(), client.submit(add, 1).result())") == "0 0 1\n"
    assert kernel.run("print(client.status, client.id in scheduler.clients)") == "running True\n"
    with pytest.raises(Refused, match="does not know this task"):
        act(kernel, "plan_cancel", mine, key="nothing")
    with pytest.raises(Refused, match="does not know this function"):
        act(kernel, "plan_cancel", mine, prefix="nothing")
    kernel.run("del end, shared, shared2, alone; Event('i').clear()")


def test_a_function_of_100_000_tasks_is_cancelled_in_slices(kernel: RealKernel, mine: dict[str, str]) -> None:
    scaled(kernel)
    number = tasks(100_000)
    kernel.run(f"""
many = client.map(held, ["m"] * {number}, range({number}), key="many", batch_size=10_000)
""")
    becomes(kernel, "len(scheduler.tasks)", str(number))
    kernel.run(WATCH)
    plan = kernel.ask("act", timeout=300, name="plan_cancel", args={"prefix": "many"}, **mine)["value"]
    assert (plan["tasks"], plan["direct"], plan["results"], plan["left"]) == (number, number, number, 0)
    answer = kernel.ask("act", timeout=300, name="cancel", args={"plan": plan["plan"]}, **mine)["value"]
    assert answer == {"done": number, "left_out": 0, "gone": number}
    assert kernel.run("print({f.status for f in many}, len(client.futures), len(scheduler.tasks), client.status)") == (
        "{'cancelled'} 0 0 running\n"
    )
    # A turn of the scheduler's loop takes some milliseconds, however many tasks there are. In one of them, Dask drops
    # its own list of queued tasks.
    *others, longest = eval(kernel.run("watching = False; gc.enable(); print(sorted(turns)[-10:])"))
    assert max(others) < 0.06 and longest < 0.3, (others, longest)
    kernel.run("del many; Event('m').set(); Event('m').clear()")


def test_all_erred_tasks_of_a_function_are_retried(kernel: RealKernel, mine: dict[str, str], tmp_path: Any) -> None:
    scaled(kernel)
    gate = str(tmp_path / "gate")
    kernel.run(f"""
from dask import delayed
from distributed import wait
bad = client.map(fails, [{gate!r}] * 5, range(5), key="bad")
total = client.compute(delayed(add)(delayed(fails)({gate!r}, 7, dask_key_name="inner-1"), dask_key_name="total-1"))
theirs = other.submit(fails, {gate!r}, key="bad-theirs")
wait([*bad, total]); wait(theirs);
""")
    plan = act(kernel, "plan_retry", mine, prefix="bad")
    assert (plan["tasks"], plan["results"], plan["direct"]) == (5, 5, 5)
    # Still without the file: they err again, and can be retried again.
    # A retry cancels nothing: cancellations are not waited for, which here would last longer than the page waits.
    kernel.run("from dask_panes.kernel.cell import client_actions; client_actions.ARRIVAL = 60")
    assert act(kernel, "retry", mine, plan=plan["plan"]) == {"done": 5, "left_out": 0, "gone": 0}
    kernel.run("client_actions.ARRIVAL = 2")
    kernel.run("wait(bad);")
    assert kernel.run("print({f.status for f in bad})") == "{'error'}\n"
    (tmp_path / "gate").touch()
    act(kernel, "retry", mine, plan=act(kernel, "plan_retry", mine, prefix="bad")["plan"])
    assert kernel.run("print(sum(client.gather(bad)))") == "10\n"
    # The task that raised is not one that the client wants; what the client wants is retried with it.
    plan = act(kernel, "plan_retry", mine, prefix="inner")
    assert (plan["tasks"], plan["direct"], plan["results"], plan["keys"]) == (1, 0, 1, ["total-1"])
    act(kernel, "retry", mine, plan=plan["plan"])
    assert kernel.run("print(total.result(timeout=60), theirs.status)") == "7 error\n"
    plan = act(kernel, "plan_retry", mine, prefix="bad-theirs")
    assert (plan["results"], plan["others"]["count"]) == (0, 1)
    # What a site blocks for Dask's own client is blocked for pages.
    kernel.run("scheduler.blocked_handlers = ['retry']")
    try:
        with pytest.raises(Refused, match="blocked-handlers: retry"):
            act(kernel, "plan_retry", mine, prefix="bad-theirs")
        assert act(kernel, "plan_cancel", mine, prefix="bad-theirs")["tasks"] == 0
    finally:
        kernel.run("scheduler.blocked_handlers = []")
    kernel.run("del bad, total, theirs")


def test_the_cluster_is_restarted_and_says_before_what_is_lost(
    kernel: RealKernel, mine: dict[str, str], theirs: dict[str, str]
) -> None:
    scaled(kernel)
    # Nothing runs: Dask waits a long time for the thread of a task before it kills a worker.
    kernel.run("""
results = client.map(add, range(3), pure=False); client.gather(results)
waits = other.submit(add, 1, resources={"none": 1}, pure=False)
""")
    becomes(kernel, "len(scheduler.tasks)", "4")
    answer = act(kernel, "stakes", mine)
    assert (answer["workers"], answer["results"], answer["pending"]) == (2, 3, 1)
    assert answer["clients"] == {"count": 1, "clients": 1, "named": [[theirs["client"], 1, True]]}
    assert act(kernel, "restart", mine) == {"workers": 2}
    becomes(kernel, "len(workers())", "2")
    assert kernel.run("print({f.status for f in results}, waits.status, len(scheduler.tasks))") == (
        "{'cancelled'} cancelled 0\n"
    )
    kernel.run("""
failed = client.submit(fails, "/nowhere", pure=False)
while not failed.done(): time.sleep(0.01)
""")
    answer = act(kernel, "stakes", mine)
    assert (answer["results"], answer["pending"], answer["erred"]) == (0, 0, 1)
    kernel.run("del failed")
    becomes(kernel, "len(scheduler.tasks)", "0")
    # A second time, with nothing to lose.
    assert act(kernel, "stakes", mine)["results"] == 0
    act(kernel, "restart", mine)
    becomes(kernel, "len(workers())", "2")
    kernel.run("del results, waits")


def test_what_a_cluster_cannot_do_is_refused_with_a_remedy(kernel: RealKernel) -> None:
    kernel.run("threads = LocalCluster(n_workers=1, processes=False, dashboard_address=None); own = Client(threads)")
    target = {"client": client_of(kernel, "own")["key"]}
    worker = kernel.run("print(*threads.scheduler.workers)").strip()
    with pytest.raises(Refused, match="has no nanny"):
        act(kernel, "restart_worker", target, worker=worker)
    with pytest.raises(Refused, match="1 of 1 workers cannot be restarted: they have no nanny"):
        act(kernel, "restart", target)
    for args in ({}, {"worker": ""}, {"worker": 3}, {"worker": "x" * 200_000}):
        with pytest.raises(Refused, match="needs worker, as a text"):
            act(kernel, "retire", target, **args)
    with pytest.raises(Refused, match="needs key or prefix"):
        act(kernel, "plan_cancel", target, key="a", prefix="b")
    kernel.run("import dask; dask.config.set({'dask-panes.actions': False})")
    try:
        with pytest.raises(Refused, match="switched off"):
            act(kernel, "retire", target, worker=worker)
        with pytest.raises(Refused, match="switched off"):
            act(kernel, "benchmark", target)
        assert "dask-panes.actions" in client_of(kernel, "own")["actions"]
    finally:
        kernel.run("dask.config.set({'dask-panes.actions': True})")
    assert client_of(kernel, "own")["actions"] == ""
    # What loads all workers, or ends the history of all kernels, is no request, which the setting would not refuse.
    for name in ("benchmark", "remove", "servers", "cell", "wake"):
        with pytest.raises(Refused, match="is not a request"):
            kernel.ask("request", name=name, args={}, **target)
    # Adding workers to an empty cluster is the first thing to do.
    kernel.run("threads.scale(0)")
    until(lambda: act(kernel, "stakes", target)["workers"] == 0)
    with pytest.raises(Refused, match="no workers to restart"):
        act(kernel, "restart", target)
    with pytest.raises(Refused, match="no workers to measure"):
        act(kernel, "benchmark", target)
    kernel.run("own.close(); threads.close()")
    with pytest.raises(Refused, match="The client is closed"):
        act(kernel, "restart", target)


def test_a_worker_that_does_not_end_is_named_and_the_next_action_is_possible(kernel: RealKernel) -> None:
    worker = scaled(kernel)[0]
    # Not the client that has made the cluster, which would kill the process.
    kernel.run("by_address = Client(cluster.scheduler_address, set_as_default=False)")
    target = {"client": client_of(kernel, "by_address")["key"]}
    kernel.run(f"""
import os, signal
from dask_panes.kernel.cell import client_actions
client_actions.END_SECONDS = 1.0
pid = by_address.run(os.getpid)[{worker!r}]
os.kill(pid, signal.SIGSTOP)
""")
    try:
        with pytest.raises(Refused, match="has not ended within 1 s"):
            act(kernel, "retire", target, worker=worker)
        # Nothing holds the next one up.
        assert act(kernel, "stakes", target)["workers"] == 2
        with pytest.raises(Refused, match="does not have this worker"):
            act(kernel, "retire", target, worker="tcp://127.0.0.1:1")
    finally:
        kernel.run("client_actions.END_SECONDS = 120.0; os.kill(pid, signal.SIGCONT)")
    becomes(kernel, f"{worker!r} in scheduler.workers", "False")
    kernel.run("by_address.close()")
    kernel.run("cluster.scale(0)")
    becomes(kernel, "len(workers())", "0")


async def test_a_cluster_that_never_ends_its_worker_holds_neither_the_next_action_nor_the_end_of_the_kernel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(client_actions, "END_SECONDS", 0.2)
    called: list[tuple[list[Any], threading.Thread]] = []
    go = threading.Event()

    def scale_down(names: list[Any]) -> None:
        called.append((names, threading.current_thread()))
        go.wait(60)

    async def retire_workers(workers: list[str], **options: Any) -> dict[str, Any]:
        return dict.fromkeys(workers)

    async def ask(op: str, args: dict[str, Any]) -> Any:
        return {"worker": {"name": "0"}}

    info = {"workers": {"tcp://a": {"name": 0}}}
    cluster = SimpleNamespace(worker_spec={0: {}}, scheduler_info=info, scale_down=scale_down)
    client = SimpleNamespace(cluster=cluster, retire_workers=retire_workers)
    session: Any = SimpleNamespace(ask=ask, client=client, closed=False)
    with pytest.raises(RuntimeError, match="Worker 0 takes no more tasks"):
        await asyncio.wait_for(client_actions.retire(session, "tcp://a"), 30)
    ((names, thread),) = called
    assert (names, thread.daemon) == ([0], True)
    go.set()


def test_a_slow_action_is_timed_out_and_holds_nobody(kernel: RealKernel, mine: dict[str, str]) -> None:
    worker = scaled(kernel)[0]
    kernel.run("""
import asyncio
gate = asyncio.Event()
async def slowly(*args, **kwargs):
    await gate.wait()
    return {}
client.retire_workers = slowly
activate.channel()._actions._patience = 0.3
""")
    try:
        with pytest.raises(Refused, match=r"'retire' has not finished after \d+ s.*this client"):
            act(kernel, "retire", mine, worker=worker)
        with pytest.raises(Refused, match=r"'retire' of \d+ s ago has not finished yet"):
            act(kernel, "restart", mine)
        # Cells run, other clients act, and looking is allowed meanwhile.
        assert kernel.run("print(client.submit(add, 2, 3).result())") == "5\n"
        assert act(kernel, "stakes", mine)["workers"] == 2
        kernel.run("client.loop.add_callback(gate.set)")
        kernel.run("activate.channel()._actions._patience = 300")
        until(lambda: not eval(kernel.run("print(len(activate.channel()._actions._running))")))
        assert act(kernel, "trim", mine)["workers"] == 2
    finally:
        kernel.run("activate.channel()._actions._patience = 300; del client.retire_workers")

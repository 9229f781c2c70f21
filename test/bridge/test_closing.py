"""A cluster that is closed takes its workers first: what is shown in the end is how it was before."""

from __future__ import annotations

import asyncio
import sys
import time
from array import array
from collections.abc import Iterator
from queue import Empty
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import Client, Event, LocalCluster, Scheduler, SpecCluster
from distributed.core import Status

from dask_panes.feed.schema import DTYPES
from dask_panes.kernel.cell import closing
from dask_panes.kernel.cell.closing import Settling, _ends, cluster_of
from dask_panes.scheduler.collector.plugin import PLUGIN_NAME, Collector, _is_process_beside
from dask_panes.scheduler.collector.polls import LAST
from dask_panes.scheduler.collector.topic import TASK_ROWS
from dask_panes.scheduler.ship import register
from jupyter import RealKernel, Subscription

TOPICS = ["meta", "tasks", "prefixes", "workers", "computations", "held", "errors"]


@pytest.fixture
def kernel() -> Iterator[RealKernel]:
    with RealKernel(activated=True) as kernel:
        yield kernel


class Shown:
    """What a tab knows of its client, until that is closed."""

    def __init__(self, kernel: RealKernel, key: str = "") -> None:
        self.subscription: Subscription = kernel.subscribe()
        self.key = key or str(self.subscription.clients[0]["key"])
        self.subscription.want(self.key, TOPICS)
        self.names: list[str] = []
        self.rows: dict[str, dict[int, dict[str, float]]] = {topic: {} for topic in TOPICS}
        self.tasks = 0
        self.info: dict[str, Any] = {}

    def take(self, push: dict[str, Any]) -> bool:
        """Fold what is pushed; returns whether the client is closed."""
        if push["kind"] == "clients":
            self.info = next(info for info in push["clients"] if info["key"] == self.key)
        if push["kind"] == "frame":
            frame = push["frame"]
            entries = frame["names"].get("prefixes")
            if entries is not None:
                self.names[entries["from"] :] = entries["values"]
            for topic, body in frame["topics"].items():
                columns = body.get("c", {})
                self.tasks += len(columns["start"]) if topic == "tasks" else 0
                for i, row in enumerate(columns.get("id", ())):
                    self.rows[topic][row] = {name: values[i] for name, values in columns.items()}
            self.subscription.acknowledge(self.key, push["seq"])
        return self.info.get("status") == "closed"

    def until_closed(self) -> None:
        self.subscription.next(self.take, 60)

    def until(self, results: int) -> None:
        """Take what is sent until the only function has a number of results, and all executions are counted."""

        def fits(push: dict[str, Any]) -> bool:
            self.take(push)
            found = [row["memory"] for row in self.rows["prefixes"].values()]
            done = sum(row["done"] for row in self.rows["computations"].values())
            return found == [results] and min(self.tasks, done) >= results

        self.subscription.next(fits, 30)

    def until_there(self) -> None:
        """Take what is sent until both workers are there."""
        self.subscription.next(lambda push: (self.take(push), len(self.rows["workers"]))[1] == 2, 30)

    def until_left(self) -> None:
        """Take what is sent until a worker has left."""
        self.subscription.next(lambda push: (self.take(push), left(self))[1] == 1, 30)

    def until_gone(self, kernel: RealKernel) -> None:
        """Ask the kernel to end, and take what it still sends, as a page does."""
        ending = Thread(target=kernel.shutdown)
        ending.start()
        while True:
            alive = ending.is_alive()
            try:
                self.subscription.next(self.take, 1)
            except Empty:
                if not alive:
                    return

    def function(self, name: str) -> dict[str, float]:
        return self.rows["prefixes"][self.names.index(name)]


CLUSTER = """
from distributed import Client, LocalCluster, wait
cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes={processes}, dashboard_address=None)
client = Client(cluster)
def f(x):
    return bytes(200_000)
"""


def assert_stays(shown: Shown) -> None:
    """Two workers with 40 results of one computation."""
    row = shown.function("f")
    assert (shown.tasks, row["memory"], row["queued"] + row["waiting"] + row["no_worker"]) == (40, 40, 0)
    (computation,) = shown.rows["computations"].values()
    assert (computation["done"], computation["left"], computation["renewing"]) == (40, 0, 0)
    workers = list(shown.rows["workers"].values())
    assert len([row for row in workers if row["left"] != row["left"]]) == 2
    assert sum(row["in_memory"] for row in workers) == 40


@pytest.mark.parametrize("processes", [True, False], ids=["processes", "threads"])
@pytest.mark.parametrize("end", ["cluster.close()", "client.shutdown()"])
def test_the_picture_stays_when_the_cluster_is_closed(kernel: RealKernel, processes: bool, end: str) -> None:
    kernel.run(CLUSTER.format(processes=processes))
    shown = Shown(kernel)
    # Also what ended a moment ago is there.
    assert kernel.run(f"kept = client.map(f, range(40)); wait(kept); {end}") == ""
    shown.until_closed()
    assert_stays(shown)
    assert (shown.info["workers"], shown.info["threads"]) == (2, 2)
    assert shown.info["memoryLimit"] > 0
    assert shown.info["variable"] == "client"


def test_the_picture_stays_when_the_kernel_is_shut_down() -> None:
    with RealKernel(activated=True) as kernel:
        kernel.run(CLUSTER.format(processes=True))
        shown = Shown(kernel)
        kernel.run("kept = client.map(f, range(40)); wait(kept)")
        shown.until(40)
        shown.until_gone(kernel)
        assert_stays(shown)


def left(shown: Shown) -> int:
    """Number of workers that are shown to have left."""
    return sum(row["left"] == row["left"] for row in shown.rows["workers"].values())


def test_the_death_of_a_worker_that_ends_a_block_is_shown(kernel: RealKernel) -> None:
    kernel.run('import dask, os\ndask.config.set({"distributed.scheduler.allowed-failures": 0})')
    kernel.run(CLUSTER.format(processes=True) + "from distributed import KilledWorker")
    shown = Shown(kernel)
    shown.until_there()
    # The Client closes some milliseconds after the worker has gone.
    kernel.run("""
try:
    with client:
        client.submit(os._exit, 1).result()
except KilledWorker:
    pass
""")
    shown.until_left()
    assert [row["count"] for row in shown.rows["errors"].values()] == [1]
    assert [row["processing"] for row in shown.rows["prefixes"].values()] == [0]


def test_a_worker_that_is_retired_before_the_client_closes_is_shown(kernel: RealKernel) -> None:
    kernel.run(CLUSTER.format(processes=True))
    shown = Shown(kernel)
    shown.until_there()
    kernel.run("client.retire_workers([next(iter(client.has_what()))]); client.close()")
    shown.until_left()


BY_ADDRESS = """
import dask
dask.config.set({{"distributed.comm.timeouts.connect": "1s"}})
from distributed import Client, LocalCluster, wait
{cluster}
client = Client({address})
def f(x):
    return bytes(200_000)
"""


@pytest.mark.parametrize("end", ["own.close()", "cluster.close()"])
def test_the_picture_of_a_client_by_address_stays_when_the_cluster_of_its_kernel_is_closed(
    kernel: RealKernel, end: str
) -> None:
    arguments = "n_workers=2, threads_per_worker=1, dashboard_address=None"
    owner, maker = ("own", "Client") if end.startswith("own") else ("cluster", "LocalCluster")
    address = "own.scheduler.address" if owner == "own" else "cluster.scheduler_address"
    kernel.run(BY_ADDRESS.format(cluster=f"{owner} = {maker}({arguments})", address=address))
    subscription = kernel.subscribe()
    key = kernel.run("print(client.id, end='')")
    shown = Shown(kernel, next(str(each["key"]) for each in subscription.clients if key in str(each["key"])))
    assert kernel.run(f"kept = client.map(f, range(40)); wait(kept); {end}") == ""
    shown.until_closed()
    assert_stays(shown)


STAYING = """
class Staying(LocalCluster):
    stays = True
    async def _close(self):
        if not self.stays:
            await super()._close()
"""


def test_the_picture_goes_on_where_a_cluster_only_disconnects(kernel: RealKernel) -> None:
    kernel.run("from distributed import LocalCluster" + STAYING)
    kernel.run(CLUSTER.format(processes=False).replace("cluster = LocalCluster(", "cluster = Staying("))
    shown = Shown(kernel)
    kernel.run("kept = client.map(f, range(10)); wait(kept); cluster.close(); kept.pop().release()")
    # No graph, worker or client comes that would show that it goes on.
    shown.until(9)
    kernel.run("cluster.stays = False; client.close(); cluster.close()")


def made(kind: type, **attributes: Any) -> Any:
    """An object of a class with some attributes and nothing else."""
    found = kind.__new__(kind)
    vars(found).update(attributes)
    return found


@pytest.mark.parametrize(
    ("cluster", "closed", "with_kernel"),
    [
        (SimpleNamespace(), True, True),
        (SimpleNamespace(shutdown_on_close=False), False, False),
        # What it says is about the end of its process; closing it takes its workers.
        (made(SpecCluster, scheduler=None, shutdown_on_close=False, status=Status.closed), True, False),
        (made(SpecCluster, scheduler=None, shutdown_scheduler=False, status=Status.closed), False, False),
        (SimpleNamespace(scheduler=made(Scheduler), shutdown_on_close=False), False, True),
    ],
)
def test_a_scheduler_ends_with_its_cluster_or_with_the_kernel(cluster: Any, closed: bool, with_kernel: bool) -> None:
    assert (_ends(cluster, False), _ends(cluster, True)) == (closed, with_kernel)


#: Classes whose scheduler is that of another cluster, as an operator of Kubernetes, and goes on when they close.
ELSEWHERE = """
from distributed import Client
from distributed.core import rpc
from distributed.deploy.cluster import Cluster
class Elsewhere(Cluster):
    shutdown_on_close = {shutdown_on_close}
    async def _start(self):
        self.scheduler_comm = rpc({address!r})
        await super()._start()
cluster = Elsewhere(asynchronous=False)
cluster._loop_runner.start()
cluster.sync(cluster._start)
client = Client(cluster)
"""


@pytest.mark.parametrize("shutdown_on_close", [False, True])
def test_a_kernel_that_ends_holds_no_readers_of_a_scheduler_that_goes_on(shutdown_on_close: bool) -> None:
    with (
        LocalCluster(n_workers=1, processes=False, protocol="tcp://", dashboard_address=None) as cluster,
        Client(cluster) as client,
        RealKernel(activated=True) as kernel,
    ):
        client.sync(register, client)
        collector = collector_of(client)
        ended = client.submit(Event("go").wait)
        kernel.run(ELSEWHERE.format(address=cluster.scheduler_address, shutdown_on_close=shutdown_on_close))
        kernel.shutdown()
        # The class with this attribute said that its scheduler ends.
        assert shutdown_on_close or not collector.pace.closing
        position = {"feed": collector.feed, "epoch": collector.epoch}
        cursor = client.sync(collector.ask, "end", {"topics": ["tasks"]})["cursor"]
        Event("go").set()
        ended.result()
        answer = client.sync(collector.read, reader="r", topics=["tasks"], cursor=cursor, timeout=20.0, **position)
        assert executions(answer) == 1


@pytest.fixture
def client() -> Iterator[Client]:
    with Client(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as client:
        client.sync(register, client)
        yield client


def executions(answer: dict[str, Any]) -> int:
    """Number of executions in an answer of the collector."""
    dtype, data = answer["topics"]["tasks"]["c"]["start"]
    return len(array(DTYPES[dtype]["array"], bytes(data)))


def collector_of(client: Client) -> Any:
    return client.cluster.scheduler.plugins[PLUGIN_NAME]


def test_a_client_that_connects_while_a_cluster_is_closed_replaces_no_collector(client: Client) -> None:
    collector = collector_of(client)
    assert client.sync(collector.ask, "closing")
    assert collector.pace.held > 0
    client.sync(register, client)
    assert collector_of(client) is collector


def test_what_has_begun_to_be_sent_is_finished_while_a_cluster_is_closed(client: Client) -> None:
    collector = collector_of(client)
    count = 9_000
    client.gather(client.map(abs, range(count)))

    def read(cursor: dict[str, int] | None) -> dict[str, Any]:
        position = {"feed": collector.feed, "epoch": collector.epoch, "cursor": cursor}
        return client.sync(collector.read, reader="new", topics=["tasks"], **position)

    client.sync(collector.ask, "closing")
    # As after a page is loaded again; and one that got a part before.
    first = read(None)
    rest = read(first["cursor"])
    assert [executions(each) for each in (first, rest)] == [TASK_ROWS, count - TASK_ROWS]
    assert read({"tasks": 0})["topics"] != {}
    assert read(rest["cursor"])["topics"] == {}


def test_a_reader_whose_client_has_closed_is_not_waited_for(client: Client) -> None:
    collector = collector_of(client)

    async def leave() -> None:
        first = await collector.read(reader="a", topics=["meta"])
        where = {key: first[key] for key in ("feed", "epoch", "cursor")}
        polls = [
            asyncio.ensure_future(collector.read(reader=name, topics=["meta"], timeout=20.0, **where))
            for name in ("a", "b")
        ]
        await asyncio.sleep(0.01)
        assert len(collector.pace.waiting()) == 2
        # On the scheduler's loop a poll is cancelled with its session; of a remote one nothing is heard.
        polls[0].cancel()
        await collector.read(reader=f"b{LAST}", topics=["meta"], **where)
        await asyncio.wait(polls)
        assert collector.pace.waiting() == []

    client.sync(leave)


def test_readers_are_not_held_for_long_where_a_scheduler_outlives_those_who_close_its_cluster(client: Client) -> None:
    collector = collector_of(client)
    first, second = (Client(client.cluster, set_as_default=False) for _ in range(2))
    for each in (first, second):
        client.sync(collector.ask, "closing", {"client": each.id})
    # The id of a client that had gone before the question arrived.
    client.sync(collector.ask, "closing", {"client": "gone"})
    first.close()
    assert collector.pace.held > 10
    second.close()
    assert 0 < collector.pace.held <= 10


def test_readers_are_held_for_half_a_minute_where_those_who_close_a_cluster_say_nothing_more(client: Client) -> None:
    pace = collector_of(client).pace
    client.sync(collector_of(client).ask, "closing", {"client": client.id})
    assert 10 < pace.held <= 30
    pace._held_until -= 15
    client.sync(collector_of(client).ask, "closing", {"client": client.id, "again": True})
    assert 15 < pace.held <= 30
    # It has gone on meanwhile.
    pace.release()
    client.sync(collector_of(client).ask, "closing", {"client": client.id, "again": True})
    assert pace.held == 0


@pytest.mark.parametrize("with_session", [True, False])
async def test_a_cluster_that_takes_long_to_close_says_so_again(
    monkeypatch: pytest.MonkeyPatch, with_session: bool
) -> None:
    monkeypatch.setattr(closing, "AGAIN", 0.05)
    said: list[str] = []

    class Session:
        closed = not with_session
        loop = asyncio.get_running_loop()

        async def settle(self, interrupted: bool) -> None:
            pass

        async def stay_settled(self) -> None:
            said.append("session")

        async def resume(self) -> None:
            pass

    class Slow:
        shutdown_scheduler = True

        async def _close(self) -> None:
            while len(said) < 3:
                await asyncio.sleep(0.01)

    monkeypatch.setattr(closing, "_ask_here", lambda cluster, args: said.append("again") if args.get("again") else None)
    cluster, session, settling = Slow(), Session(), Settling()
    settling.watch(SimpleNamespace(cluster=cluster), session)  # type: ignore[arg-type]
    await cluster._close()
    await asyncio.sleep(0.2)
    assert said == ["session" if with_session else "again"] * 3


@pytest.mark.parametrize("event", ["a graph", "a client", "over"])
def test_readers_are_held_until_something_shows_that_the_cluster_goes_on(client: Client, event: str) -> None:
    collector = collector_of(client)
    client.sync(collector.ask, "closing")

    def read(cursor: dict[str, int] | None, timeout: float = 0.0) -> dict[str, Any]:
        position = {"feed": collector.feed, "epoch": collector.epoch, "cursor": cursor}
        return client.sync(collector.read, reader="r", topics=["meta", "prefixes"], timeout=timeout, **position)

    # Who has nothing yet is sent what there is.
    first = read(None)
    assert set(first["topics"]) == {"meta", "prefixes"}
    behind = {**first["cursor"], "prefixes": -2}
    assert read(behind)["topics"] == {}
    if event == "a graph":
        assert client.submit(abs, -1).result() == 1
    elif event == "a client":
        with Client(client.cluster, set_as_default=False):
            pass
    else:
        client.sync(collector.ask, "closing", {"over": True})
    assert "prefixes" in read(behind, 5.0)["topics"]


def doubt_is_long(collector: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine that is fast enough for what a test does in the meantime."""
    monkeypatch.setattr(sys.modules[type(collector.pace).__module__], "DOUBT", 60.0)


def test_the_last_answer_to_a_reader_does_not_wait_for_the_end_of_a_doubt(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    collector = collector_of(client)
    doubt_is_long(collector, monkeypatch)
    collector.pace.doubt()
    position = {"feed": collector.feed, "epoch": collector.epoch, "cursor": {"meta": -2}}

    def read(reader: str) -> dict[str, Any]:
        return dict(client.sync(collector.read, reader=reader, topics=["meta"], **position)["topics"])

    assert read("r") == {}
    assert read("r/last") != {}
    # That the cluster is being closed is known.
    client.sync(collector.ask, "closing")
    assert read("r/last") == {}


async def test_the_last_answer_of_a_scheduler_that_closes_does_not_wait_either(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        collector = Collector()
        await scheduler.register_scheduler_plugin(collector, name=collector.name, idempotent=True)
        doubt_is_long(collector, monkeypatch)
        collector.pace.doubt()
        position = {"feed": collector.feed, "epoch": collector.epoch, "cursor": {"meta": -2}}
        poll = asyncio.ensure_future(collector.read(reader="r", topics=["meta"], timeout=20.0, **position))
        await asyncio.sleep(0.01)
        assert not poll.done()
        await collector.close()
        assert set((await poll)["topics"]) == {"meta"}


@pytest.mark.parametrize(
    ("worker", "doubted"),
    [("tcp://127.0.0.1:9", True), ("tcp://10.0.0.1:9", False), ("inproc://127.0.0.1/1/2", False)],
)
async def test_only_a_process_of_the_schedulers_host_is_one_that_may_end_with_its_kernel(
    worker: str, doubted: bool
) -> None:
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        assert _is_process_beside(scheduler, worker) is doubted


@pytest.mark.parametrize("during", [True, False])
@pytest.mark.parametrize("interrupted", [True, False])
def test_only_a_kernel_that_was_interrupted_keeps_back_what_has_just_been_lost(
    client: Client, monkeypatch: pytest.MonkeyPatch, interrupted: bool, during: bool
) -> None:
    collector = collector_of(client)
    doubt_is_long(collector, monkeypatch)

    def lose() -> None:
        collector.pace.doubt()
        collector.errors._touch(~collector.errors._group(0, "f", "E('lost')", ""))

    async def polled() -> set[str]:
        first = await collector.read(reader="r", topics=["errors"])
        where = {key: first[key] for key in ("feed", "epoch", "cursor")}
        poll = asyncio.ensure_future(collector.read(reader="r", topics=["errors"], timeout=1.0, **where))
        await asyncio.sleep(0)
        if during:
            asyncio.get_running_loop().call_soon(lose)
        else:
            lose()
        await collector.ask("closing", {"interrupted": interrupted})
        return set((await poll)["topics"])

    assert client.sync(polled) == (set() if interrupted else {"errors"})


def test_an_odd_cluster_costs_its_session_nothing() -> None:
    class Odd:
        __slots__ = ()

        async def _close(self) -> None:
            pass

    Settling().watch(SimpleNamespace(cluster=Odd()), object())  # type: ignore[arg-type]


def test_closing_takes_no_longer_and_fails_as_without_us(kernel: RealKernel) -> None:
    kernel.run(CLUSTER.format(processes=False))
    begun = time.monotonic()
    printed = kernel.run("""
import asyncio
def broken(*args, **kwargs):
    raise RuntimeError("odd")
import dask_panes.kernel.session.session as session
session.Session.settle = broken
cluster.close()
print(cluster.status.name)
""")
    assert printed.strip() == "closed"
    assert time.monotonic() - begun < 30


async def test_a_close_that_is_cancelled_while_it_settles_is_taken_back() -> None:
    class Session:
        closed = False
        loop = asyncio.get_running_loop()

        def __init__(self) -> None:
            self.asked: list[str] = []

        async def settle(self, interrupted: bool) -> None:
            await asyncio.sleep(0.3)
            self.asked.append("settle")

        async def resume(self) -> None:
            self.asked.append("resume")

    class Slow:
        shutdown_scheduler = True

        async def _close(self) -> None:
            session.asked.append("close")

    cluster, session, settling = Slow(), Session(), Settling()
    cluster._adaptive = SimpleNamespace(stop=lambda: session.asked.append("stop adapting"))
    settling.watch(SimpleNamespace(cluster=cluster), session)  # type: ignore[arg-type]
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(cluster._close(), 0.05)
    await asyncio.sleep(0.5)
    assert session.asked == ["stop adapting", "resume"]


def test_readers_go_on_where_closing_a_cluster_fails_after_its_clients_have_closed(kernel: RealKernel) -> None:
    printed = kernel.run("""
from distributed import Client, LocalCluster
class Failing(LocalCluster):
    async def _close(self):
        if fails:
            raise ValueError("no")
        await super()._close()
fails = True
cluster = Failing(n_workers=1, processes=False, dashboard_address=None)
with Client(cluster) as client:
    client.submit(abs, 1).result()
pace = cluster.scheduler.plugins["dask-panes-1"].pace
try:
    cluster.close()
except ValueError as error:
    print(error)
import time
while pace.closing:
    time.sleep(0.01)
fails = False
cluster.close()
""")
    # What Dask logs as its event loop ends is not ours.
    assert printed.startswith("no\n")


async def test_what_fails_in_settling_is_no_matter_of_those_who_close() -> None:
    class Broken(Settling):
        def _running(self, cluster: Any) -> list[Any]:
            raise RuntimeError("Set changed size during iteration")

    class Cluster:
        async def _close(self, more: int) -> int:
            return more + 1

    settling, cluster = Broken(), Cluster()
    settling.watch(SimpleNamespace(cluster=cluster), settling)  # type: ignore[arg-type]
    assert await cluster._close(1) == 2

    async def given() -> str:
        return "done"

    kernel = SimpleNamespace(control_handlers={"shutdown_request": given})
    settling.watch_kernel(kernel)
    settling._sessions = None  # type: ignore[assignment]
    assert await kernel.control_handlers["shutdown_request"]() == "done"


def test_a_client_by_address_is_of_the_cluster_that_is_there_now(monkeypatch: pytest.MonkeyPatch) -> None:
    with LocalCluster(n_workers=0, protocol="tcp://", dashboard_address=None) as cluster:
        gone = SimpleNamespace(status=Status.closed, scheduler_address=cluster.scheduler_address)
        monkeypatch.setattr(SpecCluster, "_instances", [gone, cluster])
        with Client(cluster.scheduler_address) as client:
            assert cluster_of(client) is cluster


def test_a_cluster_is_let_go_as_without_us(kernel: RealKernel) -> None:
    kernel.run(CLUSTER.format(processes=False))
    printed = kernel.run("""
import gc, weakref
found = weakref.ref(cluster)
gc.collect(); gc.disable()
method = vars(cluster)["_close"]
client.close(); cluster.close()
assert not any(cell.cell_contents is cluster for cell in method.__closure__)
print("ok")
""")
    assert printed.strip() == "ok"

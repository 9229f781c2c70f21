"""What goes wrong around us: each fault on real parts, what is reported, and that it goes on (docs/faults.md)."""

from __future__ import annotations

import json
import logging
import queue
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import dask
import pytest
from distributed import Client, LocalCluster, Status, wait

from dask_panes.feed.schema import CREDIT_BYTES, CREDIT_FRAMES, SCHEMA
from dask_panes.scheduler.ship import register
from jupyter import HOLD_GIL, RealKernel, Subscription, becomes, wait_for_file
from processes import end
from reader import Reader
from tabs import Tab, session_of

THREADS = """
from distributed import Client
client = Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None)
"""
#: A scheduler with a worker that may be killed: says its address, and ends with its stdin.
SCHEDULER = """
import asyncio, sys
from distributed import Scheduler, Worker

async def main(port):
    async with Scheduler(host="127.0.0.1", port=port, dashboard=False) as scheduler:
        async with Worker(scheduler.address, nthreads=2, dashboard=False):
            print(scheduler.address, flush=True)
            await asyncio.to_thread(sys.stdin.read)

asyncio.run(main(int(sys.argv[1])))
"""

#: Starts a Python process with code and arguments; gives it with the first line that it prints.
Start = Callable[..., tuple["subprocess.Popen[str]", str]]


@pytest.fixture
def start() -> Iterator[Start]:
    started: list[subprocess.Popen[str]] = []

    def begin(code: str, *arguments: object) -> tuple[subprocess.Popen[str], str]:
        command = [sys.executable, "-c", code, *map(str, arguments)]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        started.append(process)
        assert process.stdout is not None
        return process, process.stdout.readline().strip()

    yield begin
    for process in started:
        end(process)


@pytest.fixture
def client() -> Iterator[Client]:
    cluster = LocalCluster(
        n_workers=1,
        threads_per_worker=2,
        # A worker with a limit decides ten times a second itself whether it pauses.
        memory_limit=0,
        processes=False,
        dashboard_address=None,
        silence_logs=logging.CRITICAL,
    )
    with cluster, Client(cluster) as client:
        client.sync(register, client)
        yield client


def count(frame: dict[str, Any]) -> int:
    return len(frame["topics"].get("tasks", {}).get("c", {}).get("start", ()))


def status(subscription: Subscription, wanted: str) -> dict[str, Any]:
    """The only client, once it is listed as such."""
    push = subscription.next(lambda p: p["kind"] == "clients" and p["clients"][0]["status"] == wanted)
    facts: dict[str, Any] = push["clients"][0]
    return facts


def test_a_scheduler_that_is_killed_is_reported_and_its_successor_is_shown(
    kernel: RealKernel, start: Start, own_port: int
) -> None:
    process, address = start(SCHEDULER, own_port)
    kernel.run(f"from distributed import Client\nclient = Client({address!r})")
    subscription = kernel.subscribe()
    key = subscription.clients[0]["key"]
    subscription.want(key, ["meta", "tasks"])
    kernel.run("slow = lambda x: __import__('time').sleep(0.2)\nfutures = client.map(slow, range(1000), pure=False)")
    first = next(frame for frame in subscription.frames(key) if count(frame))

    process.kill()
    killed = time.monotonic()
    status(subscription, "connecting")
    # At once: the poll that was on its way would have been answered up to 25 s later.
    assert time.monotonic() - killed < 10
    subscription.next(lambda push: push["kind"] == "beat" and push.get("silent", {}).get(key, 0) > 1)
    assert subscription.ask("renew")["silent"][key] > 1

    start(SCHEDULER, own_port)
    status(subscription, "running")
    # Once there is a frame of the new feed, the new scheduler has a collector.
    next(frame for frame in subscription.frames(key) if frame["feed"] != first["feed"])
    kernel.run("done = client.submit(abs, -1).result()")
    for frame in subscription.frames(key):
        # A cursor of the old scheduler says nothing about the new one: its feed begins at its first task.
        if count(frame):
            assert (frame["feed"] != first["feed"], frame["topics"]["tasks"]["s"]["first"]) == (True, 0)
            break
    else:
        pytest.fail("the successor was not shown")


def test_a_scheduler_that_stays_away_closes_its_client(kernel: RealKernel, start: Start, own_port: int) -> None:
    process, address = start(SCHEDULER, own_port)
    # Dask's own patience is half a minute.
    kernel.run(f"from distributed import Client\nclient = Client({address!r}, timeout=3)")
    subscription = kernel.subscribe()
    subscription.want(subscription.clients[0]["key"], ["meta", "tasks"])
    process.kill()
    assert status(subscription, "closed")["closedAt"] > 0
    assert kernel.ask("hello")["clients"][0]["status"] == "closed"


def test_a_scheduler_killed_during_an_action_is_reported_and_its_successor_takes_actions(
    kernel: RealKernel, start: Start, own_port: int
) -> None:
    process, address = start(SCHEDULER, own_port)
    kernel.run(f"from distributed import Client\nclient = Client({address!r})")
    subscription = kernel.subscribe()
    key = subscription.clients[0]["key"]
    subscription.want(key, ["meta"])
    trim = {"op": "act", "name": "trim", "client": key, "args": {}}
    assert kernel.ask(**trim)["value"]["workers"] == 1
    # The action is on its way to a scheduler that cannot answer any more.
    process.send_signal(signal.SIGSTOP)
    action = kernel.send("daskPanes", trim)
    kernel.run("from dask_panes.kernel import activate")
    becomes(kernel, "len(activate.channel()._actions._running)", "1")
    process.kill()
    content = kernel.reply(action)["content"]
    assert not content["success"]
    assert "The scheduler does not answer" in content["body"]["message"]
    status(subscription, "connecting")

    start(SCHEDULER, own_port)
    status(subscription, "running")
    becomes(kernel, "len(client.scheduler_info()['workers'])", "1")
    assert kernel.ask(**trim)["value"]["workers"] == 1


def test_actions_reach_a_cluster_with_tls(kernel: RealKernel) -> None:
    kernel.run("""
from distributed import Client, LocalCluster
from distributed.security import Security
cluster = LocalCluster(
    n_workers=1, threads_per_worker=1, protocol="tls", security=Security.temporary(), dashboard_address=None
)
client = Client(cluster)
pids = list(client.run(__import__("os").getpid).values())
""")
    (listed,) = kernel.ask("hello")["clients"]
    assert listed["address"].startswith("tls://")
    (worker,) = eval(kernel.run("print(list(cluster.scheduler.workers))"))

    def act(name: str, **args: Any) -> Any:
        return kernel.ask("act", name=name, client=listed["key"], args=args, timeout=180)["value"]

    assert act("trim")["workers"] == 1
    assert act("stakes", worker=worker)["nannies"] == 1
    act("restart_worker", worker=worker)
    becomes(kernel, "len(cluster.scheduler.workers)", "1")
    assert kernel.run("print(pids == list(client.run(__import__('os').getpid).values()))") == "False\n"


def test_frames_come_while_the_cell_prints_five_megabytes_a_second(kernel: RealKernel, tmp_path: Path) -> None:
    kernel.run(THREADS)
    subscription = kernel.subscribe()
    key = subscription.clients[0]["key"]
    subscription.want(key, ["meta", "tasks"])
    gate = tmp_path / "gate"
    printing = f"""
import os, time
futures = client.map(lambda x: time.sleep(0.02), range(2000), pure=False)
line, printed = "x" * 1000, 0
while not os.path.exists({str(gate)!r}):
    for _ in range(100):
        print(line)
    printed += 100 * len(line)
    time.sleep(0.02)
"""
    kernel.start(printing)
    frames = list(islice((frame for frame in subscription.frames(key) if count(frame)), 30))
    seen = [frame["topics"]["tasks"]["s"]["first"] for frame in frames]
    # None is lost, and each goes on where the one before it ended.
    assert seen == [sum(count(frame) for frame in frames[:i]) for i in range(len(frames))]
    assert len(frames) == 30

    def answered() -> float:
        asked = time.monotonic()
        subscription.ask("renew")
        return time.monotonic() - asked

    # Another process may have its turn meanwhile.
    assert min(answered() for _ in range(5)) < 1
    gate.touch()
    assert int(kernel.run("print(printed, end='')")) > 3e6


def test_a_held_gil_is_silence_and_nothing_is_lost(kernel: RealKernel, tmp_path: Path) -> None:
    kernel.run(THREADS)
    subscription = kernel.subscribe()
    key = subscription.clients[0]["key"]
    subscription.want(key, ["meta", "tasks"])
    next(subscription.frames(key))
    mark = tmp_path / "mark"
    kernel.start(
        "futures = client.map(lambda x: __import__('time').sleep(0.01), range(50), pure=False)\n"
        + HOLD_GIL.format(mark=str(mark), seconds=4)
        + "done = client.gather(futures)"
    )
    wait_for_file(mark)
    asked = subscription.send("renew")
    with pytest.raises(queue.Empty):
        kernel.reply(asked, timeout=2)
    done = 0
    for frame in subscription.frames(key):
        if count(frame):
            assert frame["topics"]["tasks"]["s"]["first"] == done
            done += count(frame)
        if done == 50:
            break
    assert done == 50


def test_a_tab_that_stops_reading_holds_nothing_and_catches_up(client: Client) -> None:
    with session_of(client) as session:
        tab = Tab(client, session).want("meta", "tasks", "series", "workers")
        tab.until(lambda tab: len(tab.frames) > 0)
        tab.prompt = False
        for _ in range(10):
            wait(client.map(abs, range(100), pure=False))
            sizes = list(tab.subscriber._sizes)
            # What is on its way is all that anybody keeps for it: the last frame may go beyond the credit.
            assert len(sizes) <= CREDIT_FRAMES
            assert sum(sizes[:-1]) < CREDIT_BYTES
        client.sync(_catch_up, tab)
        tab.until(lambda tab: sum(map(count, tab.frames)) == 1000)
        first = [body["s"]["first"] for body in tab.bodies("tasks")]
        counts = [count(frame) for frame in tab.frames if "tasks" in frame["topics"]]
        assert first == [sum(counts[:i]) for i in range(len(counts))]


async def _catch_up(tab: Tab) -> None:
    tab.prompt = True
    tab.session.acknowledge(tab.subscriber, len(tab.frames) - 1)


def test_a_paused_worker_is_shown_as_paused(client: Client) -> None:
    reader = Reader(client)
    names = SCHEMA["enums"]["workerStatus"]

    def becomes(status: str) -> None:
        def change(dask_worker: Any) -> None:
            dask_worker.status = Status[status]

        client.run(change)
        reader.until(lambda: [names[int(row["status"])] for row in reader.rows["workers"].values()] == [status])

    for status in ("running", "paused", "running"):
        becomes(status)


def test_a_worker_that_spills_shows_what_lies_on_disk(tmp_path: Path) -> None:
    # Only what a task returns counts: this process is larger than the limit as it is.
    rules = {"target": 0.5, "spill": False, "pause": False, "terminate": False}
    with dask.config.set({f"distributed.worker.memory.{rule}": value for rule, value in rules.items()}):
        cluster = LocalCluster(
            n_workers=1,
            threads_per_worker=1,
            memory_limit="40MB",
            processes=False,
            dashboard_address=None,
            local_directory=str(tmp_path),
            silence_logs=logging.CRITICAL,
        )
    with cluster, Client(cluster) as client:
        client.sync(register, client)
        held = client.map(lambda i: bytes([i % 256]) * 2_000_000, range(20), pure=False)
        wait(held)
        wait(client.map(len, held))
        reader = Reader(client)

        def spilled() -> tuple[float, float]:
            """What is sent, and what Dask says: as of the last heartbeat."""
            reader.arrive()
            (truth,) = client.run_on_scheduler(
                lambda dask_scheduler: [ws.memory.spilled for ws in dask_scheduler.workers.values()]
            )
            (row,) = reader.rows["workers"].values()
            return row["spilled"], truth

        reader.until(lambda: (both := spilled())[0] == both[1] > 10_000_000)


#: A worker whose clock is ahead; says its own name once it is connected, and ends with its stdin.
AHEAD = """
import sys, time
ahead, real = float(sys.argv[2]), time.time
time.time = lambda: real() + ahead
import asyncio
from distributed import Worker

async def main(address):
    async with Worker(address, nthreads=2, dashboard=False, name="ahead") as worker:
        print(worker.address, flush=True)
        await asyncio.to_thread(sys.stdin.read)

asyncio.run(main(sys.argv[1]))
"""


def test_bars_of_a_worker_whose_clock_is_ahead_are_where_they_belong(start: Start) -> None:
    # A worker of another process cannot reach a scheduler that speaks within its own only.
    cluster = LocalCluster(n_workers=0, processes=False, protocol="tcp://", dashboard_address=None)
    with cluster, Client(cluster) as client:
        start(AHEAD, cluster.scheduler_address, 5)
        check_bars(client, 5)


def check_bars(client: Client, ahead: float) -> None:
    """Bars lie within 50 ms of the truth, on a cluster whose only worker is the given number of seconds ahead.

    The truth is what the task itself reads from the wrong clock, less the error of that clock. Dask estimates the
    offset by the round trips of heartbeats, which a machine that is busy with something else makes uneven: then the
    next forty tasks may show it.
    """

    def work() -> tuple[float, float]:
        # Python's sleep fails under faketime.
        begin, end = time.time(), time.perf_counter() + 0.02
        while time.perf_counter() < end:
            pass
        return begin, time.time()

    client.sync(register, client)
    client.wait_for_workers(1, timeout=30)
    now = client.submit(time.time, pure=False).result() - time.time()
    assert now == pytest.approx(ahead, abs=3), "the clock of the worker is not wrong: the test would prove nothing"
    reader = Reader(client)
    errors: list[float] = []
    end = time.monotonic() + 180
    while time.monotonic() < end:
        truth: list[tuple[float, float]] = []
        for _ in range(40):
            truth.append(client.submit(work, pure=False).result())
            time.sleep(0.03)
        reader.arrive()
        bars = sorted((row["start"], row["start"] + row["duration"]) for row in reader.tasks)[-len(truth) :]
        # A thread that waits for its turn begins late within its bar: no error of a clock, so the median counts.
        errors = [median(bar[side] - (true[side] - ahead) for bar, true in zip(bars, truth)) for side in (0, 1)]
        if max(map(abs, errors)) < 0.05:
            return
    pytest.fail(f"bars begin and end {errors} s beside the truth")


def test_ten_reloads_leave_one_tab_and_nothing_else(new_kernel: RealKernel) -> None:
    new_kernel.run(THREADS + "client.gather(client.map(abs, range(10)))")
    new_kernel.run(
        textwrap.dedent("""
            import asyncio, gc, threading
            import dask_panes.kernel.activate as activate, dask_panes.kernel.channel.tabs as tabs

            def ours(coroutine):
                return 'dask_panes' in getattr(getattr(coroutine, 'cr_code', None), 'co_filename', '')

            def held():
                tasks = [t for t in gc.get_objects() if isinstance(t, asyncio.Task) and not t.done()]
                (session,) = activate.channel().clients.sessions.values()
                scheduler = client.cluster.scheduler
                pools = ('Dask-', 'ThreadPool')
                return {
                    'threads': len([t for t in threading.enumerate() if not t.name.startswith(pools)]),
                    'tabs': len(activate.channel().tabs.known),
                    'subscribers': len(session.delivery.subscribers),
                    'tasks': len([t for t in tasks if ours(t.get_coro())]),
                    'plugins': len([p for p in scheduler.plugins if 'panes' in p]),
                    'handlers': len([h for h in scheduler.handlers if 'panes' in h]),
                }
            """)
    )
    look = "import json; print(json.dumps(held()), end='')"
    topics = ["meta", "tasks", "workers", "prefixes", "series", "events", "profile", "logs"]

    def page(tab: str) -> Subscription:
        subscription = new_kernel.subscribe(tab)
        key = subscription.clients[0]["key"]
        subscription.want(key, topics)
        next(subscription.frames(key))
        return subscription

    def counted() -> dict[str, int]:
        return dict(json.loads(new_kernel.run(look)))

    first = page("first")
    # Everything has been looked for once.
    received: set[str] = set()
    for frame in first.frames(first.clients[0]["key"]):
        received |= frame["topics"].keys()
        if received >= {"profile", "logs"}:
            break
    assert received >= {"profile", "logs"}
    # Two of the collector, and one of each question that is asked of the scheduler, too.
    becomes(new_kernel, "held()['handlers']", "4")
    # What comes and goes with a check of the workers is absent at some time.
    looks = [counted() for _ in range(20)]
    before = {name: min(found[name] for found in looks) for name in looks[0]}
    first.ask("unsubscribe")
    for i in range(10):
        page(f"reload {i}")
    last = page("last")
    # A page that is reloaded says no good-bye: its lease runs out.
    new_kernel.run(
        "tabs.LEASE_SECONDS = 4.0\n"
        "there = activate.channel()\n"
        "for name, tab in list(there.tabs.known.items()): there.on_loop(there.tabs.check_lease, name, tab)"
    )
    deadline = time.monotonic() + 180
    after = counted()
    # Individually: what comes and goes need not all be away at the same time.
    while any(after[name] > before[name] for name in before):
        assert time.monotonic() < deadline, (after, before)
        time.sleep(0.1)
        last.ask("renew")
        now = counted()
        after = {name: min(after[name], now[name]) for name in now}
    assert after["tabs"] == after["subscribers"] == 1
    last.ask("unsubscribe")
    while (after := counted())["tabs"] + after["subscribers"]:
        assert time.monotonic() < deadline, after

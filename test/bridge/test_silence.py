"""A scheduler or kernel that stops: what is told, when, and that nothing is told of one that only idles."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise

import pytest

from jupyter import RealKernel, Subscription

#: A scheduler with a worker in one process that may be stopped: says its address, and ends with its stdin.
SCHEDULER = """
import asyncio, sys
from distributed import Scheduler, Worker

async def main():
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        async with Worker(scheduler.address, nthreads=2, dashboard=False):
            print(scheduler.address, flush=True)
            await asyncio.to_thread(sys.stdin.read)

asyncio.run(main())
"""


@pytest.fixture
def scheduler() -> Iterator[tuple[int, str]]:
    """Process id and address of a scheduler elsewhere."""
    process = subprocess.Popen(
        [sys.executable, "-c", SCHEDULER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    yield process.pid, process.stdout.readline().strip()
    os.kill(process.pid, signal.SIGCONT)
    process.communicate(timeout=30)


def watch(kernel: RealKernel, address: str) -> tuple[Subscription, str]:
    """A tab with an open pane on a new client."""
    kernel.run(f"from distributed import Client\nclient = Client({address!r})")
    subscription = kernel.subscribe()
    key = str(subscription.clients[0]["key"])
    subscription.want(key, ["meta", "tasks", "workers"])
    return subscription, key


def beats(subscription: Subscription, seconds: float) -> list[tuple[float, dict[str, float]]]:
    """The beats of some seconds: when each came, and whose scheduler is said to be silent for how long."""
    end = time.monotonic() + seconds
    found = []
    while True:
        try:
            push = subscription.next(lambda push: push["kind"] == "beat", end - time.monotonic())
        except queue.Empty:
            return found
        found.append((time.monotonic(), dict(push.get("silent", {}))))


def silent(subscription: Subscription, key: str, wanted: bool, timeout: float = 20) -> float:
    """When it was told that the scheduler of a client does not answer, or does again; monotonic."""
    subscription.next(lambda push: push["kind"] == "beat" and (key in push.get("silent", {})) == wanted, timeout)
    return time.monotonic()


@pytest.mark.parametrize("idle", [False, True], ids=["busy", "idle"])
def test_a_stopped_scheduler_is_told_within_five_seconds_and_comes_back(
    kernel: RealKernel, scheduler: tuple[int, str], idle: bool
) -> None:
    pid, address = scheduler
    subscription, key = watch(kernel, address)
    if idle:
        # Longer than it takes to idle, and than any question: nothing false is told meanwhile.
        assert all(told == {} for _, told in beats(subscription, 14))
    else:
        kernel.run("futures = client.map(lambda x: __import__('time').sleep(0.1), range(10000), pure=False)")
    os.kill(pid, signal.SIGSTOP)
    stopped = time.monotonic()
    told = silent(subscription, key, True) - stopped
    # The answer before the stop may be two seconds old.
    assert 2 < told < 5.5
    last = beats(subscription, 3)[-1][1][key]
    assert told < last < told + 3 + 3
    assert subscription.ask("renew")["silent"][key] > told

    os.kill(pid, signal.SIGCONT)
    went_on = time.monotonic()
    assert silent(subscription, key, False) - went_on < 3
    kernel.run("done = client.submit(abs, -1).result()")


def test_a_tab_with_a_pane_hears_from_an_idle_kernel_every_two_seconds(kernel: RealKernel) -> None:
    kernel.run("from distributed import Client\nclient = Client(processes=False, n_workers=1, dashboard_address=None)")
    subscription = kernel.subscribe()
    key = str(subscription.clients[0]["key"])
    # Without a pane nobody needs to know.
    assert beats(subscription, 3) == []
    subscription.want(key, ["meta"])
    came = [at for at, told in beats(subscription, 9) if told == {}]
    gaps = [later - earlier for earlier, later in pairwise(came)]
    assert len(came) >= 3
    assert max(gaps) < 3
    subscription.want(key, [])
    time.sleep(1)
    assert len(beats(subscription, 3)) <= 1


def test_a_held_gil_is_no_silence_of_the_scheduler(kernel: RealKernel, scheduler: tuple[int, str]) -> None:
    subscription, key = watch(kernel, scheduler[1])
    next(subscription.frames(key, 10))
    time.sleep(3)
    # A call of a PyDLL keeps the GIL: no thread of the process runs.
    cell = kernel.start("import ctypes\nctypes.PyDLL(None).sleep(8)")
    told = beats(subscription, 12)
    kernel.finish(cell)
    assert told
    assert all(silence == {} for _, silence in told)

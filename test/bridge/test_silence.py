"""A scheduler or kernel that stops: what is reported, when, and nothing of one that is only idle."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import Client

from dask_panes.kernel.channel.beats import Beats
from jupyter import HOLD_GIL, RealKernel, Subscription, becomes, wait_for_file
from processes import end
from tabs import Tab, session_of

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
#: Lets the cluster idle at once, and not after ten seconds without a task.
QUICKEN = """
def quicken(dask_scheduler):
    dask_scheduler.plugins["dask-panes-1"].idleness.active_at -= 60
client.run_on_scheduler(quicken)
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
    end(process)


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


def silent(subscription: Subscription, key: str, wanted: bool) -> None:
    """Wait until it is reported that the scheduler of a client does not answer, or does again."""
    subscription.next(lambda push: push["kind"] == "beat" and (key in push.get("silent", {})) == wanted)


#: Counts the looks of a kernel at its schedulers: a busy machine makes them later, not more. Notes the number of the
#: look with which silence was reported and with which it ended, and of each beat that a tab was sent; and when the
#: scheduler had answered last, at each look.
COUNT = """
import dask_panes.kernel.channel.beats as _beats, dask_panes.kernel.channel.tab as _tab
_looks, _changes, _sent, _answers = [], [], [], []
_given = _beats.Beats._look, _tab.Tab.beat
def _look(self, loop):
    before = self._silent
    _looks.append(1)
    _answers.append(max((source.answered for tab in self._listeners() for source in tab.sources), default=0.0))
    _given[0](self, loop)
    if self._silent != before:
        _changes.append(len(_looks))
def _beat(self, silent):
    _sent.append(len(_looks))
    _given[1](self, silent)
_beats.Beats._look, _tab.Tab.beat = _look, _beat
"""
#: Takes it back.
UNCOUNT = "_beats.Beats._look, _tab.Tab.beat = _given"


@pytest.fixture
def counting(kernel: RealKernel) -> Iterator[RealKernel]:
    """A kernel that counts its looks."""
    kernel.run(COUNT)
    yield kernel
    kernel.run(UNCOUNT)


def number(kernel: RealKernel, expression: str) -> float:
    return float(kernel.run(f"print({expression}, end='')"))


def changed(kernel: RealKernel) -> tuple[int, list[float]]:
    """Place of the look that has last reported another silence, and when the scheduler had answered, at each look."""
    return tuple(json.loads(kernel.run("import json; print(json.dumps([_changes[-1] - 1, _answers]), end='')")))


@pytest.mark.parametrize("idle", [False, True], ids=["busy", "idle"])
def test_a_stopped_scheduler_is_reported_within_five_seconds_and_comes_back(
    counting: RealKernel, scheduler: tuple[int, str], idle: bool
) -> None:
    kernel = counting
    pid, address = scheduler
    subscription, key = watch(kernel, address)
    kernel.run(f"import dask_panes.kernel.activate as activate; session = activate.channel().clients.sessions[{key!r}]")
    if idle:
        kernel.run(QUICKEN)
        meta = (frame["topics"].get("meta", {}).get("s", {}) for frame in subscription.frames(key))
        next(facts for facts in meta if facts.get("idle_since"))
        # Longer than two questions: nothing false is reported meanwhile.
        assert all(silence == {} for _, silence in beats(subscription, 6))
    else:
        kernel.run("futures = client.map(lambda x: __import__('time').sleep(0.1), range(10000), pure=False)")
    os.kill(pid, signal.SIGSTOP)
    silent(subscription, key, True)
    # Two looks a second: within five seconds of its last answer.
    first, answers = changed(kernel)
    assert 8 <= first - answers.index(answers[first]) <= 10
    answered = number(kernel, "session.answered")
    # The clock of both processes is the machine's.
    last = subscription.next(lambda push: push.get("silent", {}).get(key, 0) > 5)["silent"][key]
    assert last <= time.monotonic() - answered
    assert last < subscription.ask("renew")["silent"][key] <= time.monotonic() - answered

    os.kill(pid, signal.SIGCONT)
    silent(subscription, key, False)
    # At once when it has answered.
    back, answers = changed(kernel)
    assert back - next(i for i, at in enumerate(answers) if at > answered) <= 1
    # It does not call that time idle afterwards. (A late pane: the frame may have come before the beat.)
    late = kernel.subscribe()
    late.want(key, ["meta"])
    meta = (frame["topics"].get("meta", {}).get("s", {}) for frame in late.frames(key))
    facts = next(facts for facts in meta if facts.get("unobserved"))
    begin, end = facts["unobserved"][-1]
    assert end - begin > 5
    assert facts["idle_since"] is None or facts["idle_since"] >= end
    kernel.run("done = client.submit(abs, -1).result()")


def test_a_tab_with_a_pane_hears_from_an_idle_kernel_every_two_seconds(counting: RealKernel) -> None:
    kernel = counting
    kernel.run("from distributed import Client\nclient = Client(processes=False, n_workers=1, dashboard_address=None)")
    assert kernel.run("print(_beats.PERIOD, _beats.TICK, end='')") == "2.0 0.5"
    kernel.run("_beats.PERIOD, _beats.TICK = 0.8, 0.2")
    try:
        subscription = kernel.subscribe()
        key = str(subscription.clients[0]["key"])
        # Without a pane nobody needs to know.
        assert beats(subscription, 1.5) == []
        subscription.want(key, ["meta"])
        for _ in range(4):
            assert subscription.next(lambda push: push["kind"] == "beat").get("silent", {}) == {}
        came = [int(look) for look in kernel.run("print(*_sent, end='')").split()]
        # At the latest with the fourth look, unless something else was sent meanwhile.
        assert max(later - earlier for earlier, later in pairwise(came)) <= 8
        subscription.want(key, [])
        becomes(kernel, "__import__('dask_panes.kernel.activate', fromlist=['x']).channel().tabs.beats._timer", "None")
        count = number(kernel, "len(_sent)")
        assert len(beats(subscription, 1.5)) <= 1
        assert number(kernel, "len(_sent)") == count
    finally:
        kernel.run("_beats.PERIOD, _beats.TICK = 2.0, 0.5")


def test_a_held_gil_is_no_silence_of_the_scheduler(
    kernel: RealKernel, scheduler: tuple[int, str], tmp_path: Path
) -> None:
    subscription, key = watch(kernel, scheduler[1])
    next(subscription.frames(key))
    mark = tmp_path / "mark"
    cell = kernel.start(HOLD_GIL.format(mark=str(mark), seconds=6))
    wait_for_file(mark)
    held = beats(subscription, 9)
    kernel.finish(cell)
    # Silence would be reported at once, by a beat; without any there may be none while frames come.
    assert all(silence == {} for _, silence in held + beats(subscription, 1))
    assert subscription.ask("renew")["silent"] == {}


def test_a_cell_that_holds_the_loop_of_an_asynchronous_client_is_no_silence_of_the_scheduler(
    scheduler: tuple[int, str],
) -> None:
    with RealKernel(activated=True) as kernel:
        kernel.run(f"from distributed import Client\nclient = await Client({scheduler[1]!r}, asynchronous=True)")
        subscription = kernel.subscribe()
        key = str(subscription.clients[0]["key"])
        subscription.want(key, ["meta"])
        next(subscription.frames(key))
        # Twice as long as a scheduler may be silent.
        cell = kernel.start("import time; time.sleep(9)")
        held = beats(subscription, 8)
        kernel.finish(cell)
        assert [silence for _, silence in held] == [{}] * len(held) != []
        kernel.run("await client.close()")


@pytest.mark.parametrize("beside", [False, True])
def test_a_loop_of_the_main_thread_that_stands_still_is_silence_of_a_scheduler_on_it_only(beside: bool) -> None:
    loop = SimpleNamespace(_thread_id=threading.main_thread().ident, call_soon_threadsafe=lambda *_: None)
    source: Any = SimpleNamespace(key="c", loop=loop, answered=0.0, patience=4.5, closed=False, beside=beside)
    beats_of_kernel = Beats(list)
    for _ in range(12):
        beats_of_kernel._judge({"c": source})
    assert ("c" in beats_of_kernel.silence([source])) == beside


def test_a_tab_that_subscribes_again_does_not_end_the_checks(scheduler: tuple[int, str]) -> None:
    with Client(scheduler[1]) as client, session_of(client) as session:
        tab, again = Tab(client, session).want("meta"), Tab(client, session)
        tab.until(lambda tab: bool(tab.frames))

        async def subscribe_again() -> None:
            # As two messages of a page in one turn of the loop.
            session.unsubscribe(tab.subscriber)
            session.add(again.subscriber, ["meta"], "", -1, {})

        client.sync(subscribe_again)
        again.until(lambda again: bool(again.frames))
        # Nothing happens: until the next answer of the poll it takes 25 s.
        end = time.monotonic() + 2 * session.patience
        while time.monotonic() < end:
            assert time.monotonic() - session.answered < session.patience
            time.sleep(0.1)
        again.leave()

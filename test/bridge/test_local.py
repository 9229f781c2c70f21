"""Local schedulers: what Dask's callbacks report becomes a feed, and nothing that the user has changes by it."""

from __future__ import annotations

import asyncio
import io
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from operator import add
from pathlib import Path
from statistics import median
from typing import Any

import dask
import psutil
import pytest
from dask.callbacks import Callback
from dask.diagnostics import CacheProfiler, Profiler, ProgressBar, ResourceProfiler
from dask.utils import key_split
from distributed import Client

from dask_panes.feed import decode
from dask_panes.feed.codec import encode
from dask_panes.kernel.session.subscriber import Subscriber
from dask_panes.local import ledger
from dask_panes.local.observe import Observer
from dask_panes.local.record import TOPICS, Record
from dask_panes.local.resources import SEARCHED, Processes, Sampler
from dask_panes.local.session import COUNT_PERIOD, INTERVALS, PERIOD, LocalSession
from jupyter import ACTIVATE, RealKernel, becomes

SCHEDULERS = ("threads", "processes", "sync")


class Observed:
    """A record whose callbacks are among Dask's."""

    def __init__(self) -> None:
        self.record = Record()
        self.changes = 0
        self.callbacks = Observer(self.record, self._changed).callbacks
        Callback.active.add(self.callbacks)

    def _changed(self) -> None:
        self.changes += 1

    def frame(self) -> dict[str, Any]:
        """Everything that is known, as a reader gets it."""
        self.record.scan(live=True)
        return decode(encode(self.record.read(TOPICS, "", -1, {}), 0))

    @property
    def local(self) -> dict[str, Any]:
        return dict(self.frame()["topics"]["meta"]["s"]["local"] or {"running": 0})


@pytest.fixture
def observed() -> Iterator[Observed]:
    before = set(Callback.active)
    found = Observed()
    yield found
    Callback.active.discard(found.callbacks)
    assert Callback.active == before


@dask.delayed(pure=False)
def inc(x: int) -> int:
    time.sleep(0.002)
    return x + 1


@dask.delayed(pure=False)
def total(parts: list[int]) -> int:
    return sum(parts)


@dask.delayed(pure=False)
def fail(x: int) -> int:
    raise RuntimeError("as it is meant")


def work(count: int = 12) -> Any:
    return total([inc(i) for i in range(count)])


def most_at_once(results: list[Any], function: str) -> int:
    """How many results of a function a CacheProfiler has seen at once."""
    own = [held for held in results if key_split(held.key) == function]
    events = [event for held in own for event in ((held.cache_time, 0, 1), (held.free_time, 1, -1))]
    now = most = 0
    for _, _, change in sorted(events):
        now += change
        most = max(most, now)
    return most


def moments(intervals: list[tuple[float, float]]) -> list[tuple[int, int]]:
    """Begins and ends of intervals in order of time, as numbers of the intervals."""
    edges = [(start + side * duration, side, i) for i, (start, duration) in enumerate(intervals) for side in (0, 1)]
    return [(side, i) for _, side, i in sorted(edges)]


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_the_feed_says_what_dasks_own_profilers_say(observed: Observed, scheduler: str) -> None:
    with Profiler() as profiler, CacheProfiler() as cache:
        assert work().compute(scheduler=scheduler, num_workers=2) == 78
    frame = observed.frame()
    tasks, names = frame["topics"]["tasks"]["c"], frame["names"]
    functions = [names["prefixes"]["values"][prefix] for prefix in tasks["prefix"]]
    assert Counter(functions) == {"inc": 12, "total": 1}
    # The same tasks, in the same order, for as long, on as many workers.
    results = sorted(profiler.results, key=lambda task: task.end_time)
    rows = range(len(results))
    assert [observed.record.describe(row)["key"] for row in rows] == [task.key for task in results]  # type: ignore[index]
    # Both note the start and the end of a task between the same others. Between the two notes of one moment another
    # process may have its turn: the median shows how far they are apart.
    ours = [(tasks["start"][row], tasks["duration"][row]) for row in rows]
    theirs = [(task.start_time, task.end_time - task.start_time) for task in results]
    assert moments(ours) == moments(theirs)
    assert median(abs(own[1] - other[1]) for own, other in zip(ours, theirs)) < 0.005
    assert len(set(tasks["lane"])) == len({task.worker_id for task in results})
    same = {(tasks["lane"][row], task.worker_id) for row, task in zip(rows, results)}
    assert len(same) == len(set(tasks["lane"]))
    # As many results of each function held at once.
    held = frame["topics"]["cache"]["c"]
    peaks: dict[str, int] = {}
    rest: dict[str, int] = {}
    for prefix, count in zip(held["prefix"], held["count"]):
        name = names["prefixes"]["values"][prefix]
        peaks[name] = max(peaks.get(name, 0), count)
        rest[name] = count
    assert peaks == {name: most_at_once(cache.results, name) for name in ("inc", "total")}
    assert rest == {"inc": 0, "total": 0}
    assert observed.local == {
        "scheduler": scheduler,
        "workers": 1 if scheduler == "sync" else 2,
        "computes": 1,
        "began": pytest.approx(time.time(), abs=60),
        "ended": pytest.approx(time.time(), abs=60),
        "total": 13,
        "done": 13,
        "running": 0,
        "outcome": "done",
    }
    assert observed.changes == 2
    assert frame["topics"]["meta"]["s"]["idle_since"] == observed.local["ended"]


def test_sizes_are_those_of_arrays_and_plain_values(observed: Observed) -> None:
    da = pytest.importorskip("dask.array")
    array = da.ones((400, 100), chunks=(100, 100), dtype="f8")
    (array + 1).persist(scheduler="sync", optimize_graph=False)
    frame = observed.frame()
    sizes = frame["topics"]["tasks"]["c"]["nbytes"]
    assert set(sizes) == {80_000.0}
    row = observed.record.describe(0)
    assert row is not None
    assert row["type"] == "numpy.ndarray"
    assert row["task"].endswith("(…)")
    # One after the other is made and used up; the four that were asked for are held to the end.
    assert max(frame["topics"]["cache"]["c"]["nbytes"]) == 320_000


class Keys(Callback):  # type: ignore[misc]
    """The seeds' custom callback, as a subclass."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Any] = []

    def _pretask(self, key: Any, dask: Any, state: Any) -> None:
        self.seen.append(key)


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_every_diagnostic_works_beside_ours(observed: Observed, scheduler: str) -> None:
    calls: list[str] = []
    every = Callback(
        start=lambda dsk: calls.append("start"),
        start_state=lambda dsk, state: calls.append("start_state"),
        pretask=lambda key, dsk, state: calls.append("pretask"),
        posttask=lambda key, result, dsk, state, worker: calls.append("posttask"),
        finish=lambda dsk, state, failed: calls.append(f"finish {failed}"),
    )
    keys, out = Keys(), io.StringIO()
    keys.register()
    before = set(Callback.active)
    with ProgressBar(out=out, dt=0.01), Profiler() as profiler, ResourceProfiler(dt=0.01) as resources:
        outside = set(Callback.active)
        with CacheProfiler(metric=lambda value: 3, metric_name="three") as cache, every:
            assert work().compute(scheduler=scheduler, num_workers=2) == 78
        assert Callback.active == outside
    assert Callback.active == before
    keys.unregister()
    assert observed.callbacks in Callback.active
    assert Counter(calls) == {"start": 1, "start_state": 1, "pretask": 13, "posttask": 13, "finish False": 1}
    assert len(keys.seen) == len(profiler.results) == len(cache.results) == 13
    assert {held.metric for held in cache.results} == {3}
    assert resources.results
    assert "100% Completed" in out.getvalue()
    assert observed.local["done"] == 13


def values(column: Any) -> list[float]:
    return list(column)


def running_in(frame: dict[str, Any]) -> dict[str, str]:
    """Function of each running task, by key."""
    body = frame["topics"].get("running")
    if body is None:
        return {}
    names = frame["names"]["prefixes"]["values"]
    keys = dict(body["s"].get("keys", ()))
    states = dict(zip(values(body["c"]["id"]), zip(values(body["c"]["state"]), values(body["c"]["prefix"]))))
    return {keys[i]: names[int(prefix)] for i, (state, prefix) in states.items() if state}


def test_what_runs_now_is_known_while_it_runs(observed: Observed) -> None:
    for _ in ("first", "second"):
        begun, go_on = threading.Barrier(3), threading.Event()

        def hold(begun: threading.Barrier = begun, go_on: threading.Event = go_on) -> int:
            begun.wait(60)
            assert go_on.wait(60)
            return 1

        # The same keys in both computes.
        graph = {("held-1", 0): (hold,), "odd\udcff-2": (hold,), "last-3": (abs, 1)}
        computing = threading.Thread(target=dask.threaded.get, args=(graph, [list(graph)]), kwargs={"num_workers": 2})
        before = time.time()
        computing.start()
        try:
            begun.wait(60)
            frame = observed.frame()
            assert sorted(running_in(frame).values()) == ["held", "odd\\udcff"]
            body = frame["topics"]["running"]
            assert all(before - 1 <= start <= time.time() for start in values(body["c"]["start"]))
            # Nobody wants it: nothing is known, and nothing is kept.
            observed.record.scan()
            assert not observed.record.live.rows_of
            assert len(running_in(observed.frame())) == 2
        finally:
            go_on.set()
            computing.join(60)
        assert running_in(observed.frame()) == {}
        assert not observed.record.live.rows_of


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_a_task_that_raises_is_reported_and_changes_nothing(observed: Observed, scheduler: str) -> None:
    before = set(Callback.active)
    with Profiler(), pytest.raises(RuntimeError, match="as it is meant"):
        total([inc(1), fail(inc(2)), inc(3)]).compute(scheduler=scheduler, num_workers=1)
    assert Callback.active == before
    frame = observed.frame()
    tasks = frame["topics"]["tasks"]["c"]
    names = frame["names"]["prefixes"]["values"]
    failed = [names[prefix] for prefix, status in zip(tasks["prefix"], tasks["status"]) if status == 1]
    assert failed == ["fail"]
    assert observed.local["outcome"] == "erred"
    counts = frame["topics"]["prefixes"]["c"]
    of = {names[found]: {name: column[i] for name, column in counts.items()} for i, found in enumerate(counts["id"])}
    assert of["fail"]["erred"] == 1
    # What was never begun will not run; nothing is held any more.
    assert of["total"]["cancelled"] == 1
    assert sum(row["memory"] + row["waiting"] + row["processing"] for row in of.values()) == 0
    assert work(3).compute(scheduler="sync") == 6
    assert observed.local["outcome"] == "done"


def test_an_interrupt_is_no_failure_of_a_task(observed: Observed) -> None:
    @dask.delayed(pure=False)
    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupt().compute(scheduler="sync")
    assert observed.local["outcome"] == "interrupted"
    assert observed.callbacks in Callback.active


def test_computes_that_overlap_or_nest_are_not_mixed_up(observed: Observed) -> None:
    inner_done = threading.Event()

    @dask.delayed(pure=False)
    def outer() -> int:
        inner_done.wait(60)
        return int(work(2).compute(scheduler="sync"))

    thread = threading.Thread(target=lambda: outer().compute(scheduler="threads"))
    thread.start()
    while observed.local["running"] == 0:
        time.sleep(0.01)
    # Dask hides global callbacks while a compute runs: this one is not seen, and when it ends last, they are lost.
    assert work(3).compute(scheduler="sync") == 6
    inner_done.set()
    thread.join()
    functions = observed.frame()["names"]["prefixes"]["values"]
    assert functions == ["outer"]
    assert observed.local["done"] == 1


def test_a_fault_of_ours_is_never_the_users(observed: Observed, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(observed.record, "drain", broken)
    assert work().compute(scheduler="sync") == 78
    monkeypatch.undo()
    assert work().compute(scheduler="sync") == 78
    assert observed.local["done"] == 13


def test_a_torn_record_starts_over(observed: Observed, monkeypatch: pytest.MonkeyPatch) -> None:
    assert work(2).compute(scheduler="sync") == 3
    feed = observed.frame()["feed"]
    append = observed.record.executions.append

    def torn(*args: Any, **kwargs: Any) -> None:
        append(*args, **kwargs)
        raise KeyboardInterrupt

    monkeypatch.setattr(observed.record.executions, "append", torn)
    with pytest.raises(KeyboardInterrupt):
        work(2).compute(scheduler="sync")
    assert observed.frame()["feed"] != feed
    assert work(2).compute(scheduler="sync") == 3
    assert len(observed.frame()["topics"]["tasks"]["c"]["start"]) == 3


def test_many_fast_tasks_keep_peaks_within_the_ring(observed: Observed) -> None:
    graph: dict[Any, Any] = {("inc-x", i): (add, i, 1) for i in range(4000)}
    graph["sum-x"] = (sum, [("inc-x", i) for i in range(4000)])
    assert dask.get(graph, "sum-x") == 8_002_000
    frame = observed.frame()
    held = frame["topics"]["cache"]["c"]
    assert max(held["count"]) == 4000
    assert held["count"][-1] == 0
    for prefix in set(held["prefix"]):
        times = [time for time, found in zip(held["time"], held["prefix"]) if found == prefix]
        assert times == sorted(times)
    assert observed.local["total"] == 4001


def test_neither_a_workers_tasks_nor_a_forked_process_are_observed(observed: Observed) -> None:
    with Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=None) as client:
        assert client.submit(lambda: work(2).compute(scheduler="sync"), pure=False).result() == 3
    pid = os.fork()
    if pid == 0:
        work(2).compute(scheduler="sync")
        os._exit(len(observed.record.names.prefixes))
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert observed.record.compute is None


LONG = """
import dask, os, threading, time
from operator import add
@dask.delayed(pure=False)
def slow(x, gate=""):
    time.sleep(0.05)
    while gate and not os.path.exists(gate):
        time.sleep(0.01)
    return x
def work(count, **kwargs):
    return dask.compute(*[slow(i) for i in range(count)], scheduler="threads", num_workers=2, **kwargs)
"""


def test_computes_are_observed_where_dask_was_imported_by_distributed(new_kernel: RealKernel) -> None:
    new_kernel.run("from distributed import Client")
    new_kernel.run(LONG)
    new_kernel.run("_ = work(1)")
    assert [client["kind"] for client in new_kernel.ask("hello")["clients"]] == ["local"]


def test_frames_come_while_the_main_thread_computes(tmp_path: Path) -> None:
    with RealKernel() as kernel:
        kernel.finish(kernel.start(ACTIVATE, silent=True))
        assert "dask" not in kernel.run("import sys; print('dask' in sys.modules and 'dask')")
        kernel.run(LONG)
        assert kernel.ask("hello")["clients"] == []
        kernel.run("_ = work(1)")
        (local,) = kernel.ask("hello")["clients"]
        assert (local["kind"], local["cluster"], local["workers"]) == ("local", "threads", 2)
        subscription = kernel.subscribe()
        subscription.want(local["key"], list(TOPICS))
        # The last task waits until frames have come: once a second there is a sample.
        gate = tmp_path / "gate"
        last = f"slow(79, {str(gate)!r})"
        cell = kernel.start(
            f"_ = dask.compute(*[slow(i) for i in range(79)], {last}, scheduler='threads', num_workers=2)"
        )
        rows, live, samples, peak = 0, False, 0, 0
        facts: dict[str, Any] = {}
        for frame in subscription.frames(local["key"]):
            topics = frame["topics"]
            # Sent when they change, which may be before the frame with the last rows.
            facts = topics.get("meta", {}).get("s", {}).get("local") or facts
            rows += len(topics.get("tasks", {}).get("c", {}).get("start", ()))
            samples += len(topics.get("series", {}).get("c", {}).get("time", ()))
            peak = max([peak, *topics.get("cache", {}).get("c", {}).get("count", ())])
            live = live or 0 < facts.get("done", 0) < 80
            if live and samples >= 3:
                gate.touch()
            if facts.get("total") == 80 and facts["outcome"] == "done" and rows >= 81:
                break
        messages = kernel.finish(cell)
        assert [m["msg_type"] for m in messages if m["msg_type"] in ("stream", "error")] == []
        assert (rows, live, peak) == (81, True, 80)
        assert samples >= 3
        row = kernel.ask("request", client=local["key"], name="key", args={"row": 3})
        assert row["key"].startswith("slow-")
        assert (row["type"], row["task"]) == ("int", "slow(…)")
        # The sampler lives as long as the compute.
        names = "[t.name for t in __import__('threading').enumerate()]"
        becomes(kernel, f"'dask-panes-resources' in {names}", "False")


def test_callbacks_that_dask_lost_come_back_with_the_next_cell() -> None:
    with RealKernel() as kernel:
        kernel.run(LONG)
        kernel.finish(kernel.start(ACTIVATE, silent=True))
        count = "from dask.callbacks import Callback; print(len(Callback.active), end='')"
        assert kernel.run(count) == "1"
        # Two computes overlap, and the one that ends last ends for good what was registered.
        kernel.run(
            "begun, ends = [threading.Event(), threading.Event()], [threading.Event(), threading.Event()]\n"
            "@dask.delayed(pure=False)\n"
            "def held(i):\n"
            "    begun[i].set(); ends[i].wait(60)\n"
            "def compute(i):\n"
            "    held(i).compute(scheduler='threads', num_workers=1)\n"
            "a, b = (threading.Thread(target=compute, args=(i,)) for i in range(2))\n"
            "a.start(); begun[0].wait(60)\n"
            "b.start(); begun[1].wait(60)\n"
            "ends[0].set(); a.join(); ends[1].set(); b.join()\n"
            "lost = len(Callback.active)"
        )
        assert kernel.run("print(lost, end='')") == "0"
        assert kernel.run(count) == "1"
        kernel.run("_ = work(3)")
        assert kernel.ask("hello")["clients"][0]["kind"] == "local"
        kernel.run("import dask_panes.local; dask_panes.local.uninstall()")
        assert kernel.run(count) == "0"


def test_counts_of_a_function_begin_again_after_a_pause(observed: Observed, monkeypatch: pytest.MonkeyPatch) -> None:
    def rows() -> dict[str, dict[str, float]]:
        frame = observed.frame()
        columns = frame["topics"]["prefixes"]["c"]
        names = frame["names"]["prefixes"]["values"]
        return {names[n]: {name: values[i] for name, values in columns.items()} for i, n in enumerate(columns["id"])}

    def compute() -> None:
        dask.get({("step", i): (abs, -i) for i in range(5)}, [("step", i) for i in range(5)])

    monkeypatch.setattr(ledger, "GAP", 60.0)
    compute()
    compute()
    together = rows()["step"]
    assert (together["released"], together["done_before"], together["recent"]) == (10, 0, 10)
    assert together["until"] > together["since"]
    monkeypatch.setattr(ledger, "GAP", 0.0)
    compute()
    again = rows()["step"]
    assert (again["released"], again["done_before"], again["recent"]) == (15, 10, 5)
    assert again["since"] > together["until"]


async def test_functions_are_counted_less_often_than_frames_are_sent(
    observed: Observed, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, loop, gate = observed.record, asyncio.get_running_loop(), threading.Event()
    counted = list[float]()
    scan = record.ledger.scan

    def count(*args: Any) -> None:
        counted.append(time.monotonic())
        scan(*args)

    monkeypatch.setattr(record.ledger, "scan", count)
    frames = list[dict[str, Any]]()
    session = LocalSession(record, lambda: loop, lambda: None)
    subscriber = Subscriber(lambda data, _: frames.append(decode(data)))
    graph = {**{f"{a}{b}_part": (abs, -1) for a in "abcdefghij" for b in "abcdefghij"}, "held": (gate.wait, 60)}
    computing = asyncio.create_task(asyncio.to_thread(dask.threaded.get, graph, list(graph), num_workers=2))
    try:
        while not (record.running and len(record.starts) == 1 and record.notes):
            await asyncio.sleep(0.01)
        began = time.monotonic()
        session.add(subscriber, ["prefixes", "running"], "", -1, {})
        await asyncio.sleep(20 * PERIOD)
        # On a busy machine a count takes longer, and the next one is later.
        while len(counted) < 2:
            await asyncio.sleep(PERIOD)
        assert len(counted) <= 1 + (time.monotonic() - began) / COUNT_PERIOD
    finally:
        gate.set()
        await computing
    # At its end they are exact as soon as they may be sent.
    await asyncio.sleep(INTERVALS["prefixes"])
    session.pump()
    released: dict[int, int] = {}
    for frame in frames:
        columns = frame["topics"].get("prefixes", {}).get("c", {"id": (), "released": ()})
        released.update(zip(columns["id"], columns["released"]))
    assert sum(released.values()) == len(graph)
    session.unsubscribe(subscriber)


def test_a_compute_right_after_another_one_is_sampled_too() -> None:
    record = Record()
    sampler = Sampler(record, lambda: True)
    callbacks = Observer(record, sampler.nudge).callbacks
    Callback.active.add(callbacks)
    try:
        dask.delayed(time.sleep)(0.4).compute(scheduler="sync")
        dask.delayed(time.sleep)(0.8).compute(scheduler="sync")
    finally:
        Callback.active.discard(callbacks)
    compute = record.compute
    assert compute is not None and compute.ended is not None
    sampled = decode(encode(record.read(["series"], "", -1, {}), 0))["topics"]["series"]["c"]["time"]
    # A quarter of a second after its start.
    assert [at for at in sampled if compute.began + 0.2 < at < compute.ended - 0.2]


def test_programs_that_tasks_start_are_measured_whatever_the_scheduler() -> None:
    processes = Processes(psutil)
    before = len(processes.sample(True))
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as program:
        found = [len(processes.sample(False)) for _ in range(SEARCHED)]
        program.communicate(b"\n")
    assert (found[0], found[-1]) == (before, before + 1)


@pytest.mark.parametrize(("pool", "scheduler"), [(ThreadPoolExecutor, "threads"), (ProcessPoolExecutor, "processes")])
def test_an_executor_is_no_synchronous_scheduler(observed: Observed, pool: Any, scheduler: str) -> None:
    with pool(2) as executor:
        parts = [dask.delayed(abs)(i) for i in range(4)]
        assert dask.delayed(sum)(parts).compute(scheduler=executor) == 6
    assert (observed.local["scheduler"], observed.local["workers"]) == (scheduler, 2)


def test_tasks_of_an_executor_that_overlap_are_in_different_rows(observed: Observed) -> None:
    both = threading.Barrier(2)
    with ThreadPoolExecutor(2) as executor:
        dask.compute(*[dask.delayed(meet)(both, i) for i in range(4)], scheduler=executor)
    observed.record.scan()
    assert len(set(observed.record.executions._tail.lane)) == 2


def meet(both: threading.Barrier, number: int) -> int:
    """Wait for another task that runs at the same time."""
    both.wait(60)
    return number

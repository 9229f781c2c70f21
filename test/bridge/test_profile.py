"""The profile that panes show against ``client.profile()``, node by node."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from array import array
from collections import Counter, deque
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import dask
import pytest
from distributed import Client, profile
from distributed.metrics import time as dask_time

from dask_panes.kernel.gather import profile_log
from dask_panes.kernel.gather.probes import profile as probes_profile
from dask_panes.kernel.gather.probes.profile import Interned, add_tree, probe
from dask_panes.kernel.gather.profile import ProfileSource
from dask_panes.kernel.gather.profile_log import ProfileLog, Row, rows_of
from tabs import Tab, session_of

#: Identifiers of the frames of a stack, outermost first; the last may be None: one of several callees.
Path = tuple[str | None, ...]


def identifier(frame: list[Any]) -> str:
    name, file, first, _, _ = frame
    return f"{name};{file};{first}"


class Folded:
    """Rows of a topic with their dictionaries, as a browser folds them."""

    def __init__(self, bodies: list[dict[str, Any]]) -> None:
        self.clear()
        for body in bodies:
            if body["s"]["first"] == 0:
                self.clear()
            self.frames += body["s"]["frames"]
            self.prefixes += body["s"]["prefixes"]
            table = body.get("m", {})
            for parent, frame in zip(table.get("parent", ()), table.get("frame", ()), strict=True):
                self.paths.append((*self.paths[parent], identifier(self.frames[frame - 1]) if frame else None))
            columns = [body["c"][name] for name in ("at", "worker", "prefix", "stack", "samples")]
            self.rows += zip(*columns, strict=True)
            self.since = body["s"]["since"]

    def clear(self) -> None:
        self.frames: list[list[Any]] = []
        self.prefixes: list[str] = []
        self.paths: list[Path] = [()]
        self.rows: list[tuple[int, ...]] = []

    @property
    def samples(self) -> int:
        return sum(row[4] for row in self.rows)

    def dask_counts(self, prefix: str | None = None) -> dict[Path, int]:
        """Counts as Dask has them: without the samples in which a frame was the innermost one."""
        counts: Counter[Path] = Counter()
        for _, _, number, stack, samples in self.rows:
            if prefix is None or self.prefixes[number] == prefix:
                path = self.paths[stack]
                for depth in range(len(path)):
                    counts[path[:depth]] += samples
        return {path: count for path, count in counts.items() if count}


def counts_of(tree: dict[str, Any]) -> dict[Path, int]:
    """Counts of a tree of Dask by path."""
    counts: dict[Path, int] = {}
    waiting: list[tuple[Path, dict[str, Any]]] = [((), tree)]
    while waiting:
        path, node = waiting.pop()
        if node["count"]:
            counts[path] = node["count"]
        waiting += [((*path, name), callee) for name, callee in node["children"].items()]
    return counts


def inner(seconds: float) -> None:
    end = time.time() + seconds
    while time.time() < end:
        sum(range(500))


def second(seconds: float) -> None:
    time.sleep(seconds)


def outer(number: int) -> int:
    inner(0.05)
    second(0.04)
    time.sleep(0.03)
    return number


def other(number: int) -> int:
    inner(0.06)
    return number


@pytest.fixture
def client() -> Iterator[Client]:
    with Client(n_workers=2, threads_per_worker=2, dashboard_address=None) as client:
        yield client


def work(client: Client, count: int = 30) -> None:
    client.gather([*client.map(outer, range(count), pure=False), *client.map(other, range(count), pure=False)])


#: Samples of a profile that show something.
MANY = 100


def settled(client: Client, tab: Tab) -> Folded:
    """What a tab has once no task runs and the last cycle was read."""
    count = client.profile()["count"]
    tab.until(lambda tab: Folded(tab.bodies("profile")).samples >= count)
    return Folded(tab.bodies("profile"))


def test_every_node_counts_as_client_profile_says(client: Client) -> None:
    with session_of(client) as session:
        work(client)
        tab = Tab(client, session).want("profile")
        work(client)
        # How many samples Dask takes depends on how busy the machine is.
        while client.profile()["count"] <= MANY:
            work(client)
        folded = settled(client, tab)
        late = settled(client, Tab(client, session).want("meta", "profile"))
    by_function = {prefix: client.profile(key=prefix) for prefix in ("outer", "other")}
    for prefix, tree in by_function.items():
        assert folded.dask_counts(prefix) == counts_of(tree)
    # Dask enters each stack twice, in the tree of all functions and then in the function's own. A frame that returns
    # in between has no callers in the second: the trees of functions are what can be compared, and the total.
    said = counts_of(profile.merge(*by_function.values()))
    assert said[()] == client.profile()["count"] > MANY
    assert folded.dask_counts() == said
    assert late.dask_counts() == said
    assert {row[1] for row in folded.rows} == {1, 2}
    # A function that calls no other is there with its samples, where Dask's own tree has a count of 0.
    innermost = (identifier_of(other, folded), identifier_of(inner, folded))
    (stack,) = {row[3] for row in folded.rows if folded.paths[row[3]][-2:] == innermost}
    assert said.get(folded.paths[stack], 0) == 0
    name, file, first, line, text = next(frame for frame in folded.frames if frame[0] == "inner")
    assert (name, file, first) == ("inner", __file__, inner.__code__.co_firstlineno)
    assert first < line <= first + 3
    assert text


def identifier_of(function: Any, folded: Folded) -> str:
    return next(identifier(frame) for frame in folded.frames if frame[0] == function.__name__)


def test_intervals_are_those_of_the_workers() -> None:
    with (
        dask.config.set({"distributed.worker.profile.interval": "20ms", "distributed.worker.profile.cycle": "500ms"}),
        Client(n_workers=1, threads_per_worker=1, dashboard_address=None, processes=False) as client,
        session_of(client) as session,
    ):
        tab = Tab(client, session).want("profile").until(lambda tab: bool(tab.bodies("profile")))
        status = tab.bodies("profile")[-1]["s"]
    assert (status["interval"], status["cycle"], status["off"], status["limited"]) == (0.02, 0.5, 0, "")


def test_a_profiler_that_is_off_is_reported() -> None:
    with (
        dask.config.set({"distributed.worker.profile.enabled": False}),
        Client(n_workers=1, threads_per_worker=1, dashboard_address=None, processes=False) as client,
        session_of(client) as session,
    ):
        tab = Tab(client, session).want("profile").until(lambda tab: bool(tab.bodies("profile")))
        status = tab.bodies("profile")[-1]["s"]
    assert (status["servers"], status["off"]) == (1, 1)


def test_workers_that_take_no_code_are_reported() -> None:
    with (
        dask.config.set({"distributed.worker.blocked-handlers": ["run"]}),
        Client(n_workers=1, threads_per_worker=1, dashboard_address=None, processes=False) as client,
        session_of(client) as session,
    ):
        tab = Tab(client, session).want("profile").until(lambda tab: bool(tab.bodies("profile")))
        assert "run" in tab.bodies("profile")[-1]["s"]["limited"]


def test_what_a_dead_worker_sent_stays() -> None:
    with (
        Client(n_workers=2, threads_per_worker=2, dashboard_address=None) as client,
        session_of(client) as session,
    ):
        tab = Tab(client, session).want("profile")
        work(client)
        before = settled(client, tab)
        os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        tab.until(lambda tab: tab.bodies("profile")[-1]["s"]["gone"] == 1)
        client.wait_for_workers(2)

        def seen(tab: Tab) -> bool:
            work(client)
            return 3 in {row[1] for row in Folded(tab.bodies("profile")).rows}

        tab.until(seen)
        assert Folded(tab.bodies("profile")).samples > before.samples


def test_event_loops_report_what_they_can(client: Client) -> None:
    with session_of(client) as session:
        tab = Tab(client, session).want("loops")
        tab.until(lambda tab: bool(tab.bodies("loops")) and tab.bodies("loops")[-1]["s"]["servers"] == 3)
        if sys.version_info[:2] != (3, 11):
            tab.until(lambda tab: {0, 1, 2} <= {row[1] for row in Folded(tab.bodies("loops")).rows})
        status = tab.bodies("loops")[-1]["s"]
    assert status["python311"] == (3 if sys.version_info[:2] == (3, 11) else 0)


# -- one answer of a worker ------------------------------------------------------------------------------------------


def node(count: int, **callees: dict[str, Any]) -> dict[str, Any]:
    return {
        "count": count,
        "children": {f"{name};f.py;1": callee for name, callee in callees.items()},
        "description": {},
    }


def own(tree: dict[str, Any], counts_innermost: bool = False) -> dict[Path, int]:
    names, samples = Interned(), dict[int, int]()
    add_tree(tree, counts_innermost, names, samples)

    def path(stack: int) -> Path:
        if stack < 0:
            return ()
        parent, frame = names.stacks[stack]
        return (*path(parent), None if frame < 0 else "abcdefgh"[frame])

    return {path(stack): count for stack, count in samples.items()}


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (node(0), {}),
        (node(5, a=node(0)), {("a",): 5}),
        (node(5, a=node(2, b=node(0))), {("a",): 3, ("a", "b"): 2}),
        # Each was seen once at least; of the other three nobody knows.
        (node(5, a=node(0), b=node(0)), {("a",): 1, ("b",): 1, (None,): 3}),
        (node(2, a=node(0), b=node(0)), {("a",): 1, ("b",): 1}),
        (node(6, a=node(4, c=node(0)), b=node(0)), {("a", "b"): 4, ("c",): 1, (None,): 1}),
        (node(7, a=node(0), b=node(3, a=node(3, c=node(0)))), {}),
    ],
)
def test_innermost_frames_get_the_samples_that_are_left(tree: dict[str, Any], expected: dict[Path, int]) -> None:
    found = own(tree)
    assert sum(found.values()) == tree["count"]
    if expected:
        assert sorted(found.values()) == sorted(expected.values())
        assert {len(path) for path in found} == {len(path) for path in expected}


def test_the_profile_of_an_event_loop_counts_the_innermost_frame() -> None:
    tree = node(4, a=node(4, b=node(1)))
    assert own(tree, counts_innermost=True) == {("a",): 3, ("a", "b"): 1}


def loop_history(count: int) -> deque[tuple[float, dict[str, Any]]]:
    history: deque[tuple[float, dict[str, Any]]] = deque(maxlen=1000)
    for second in range(count):
        tree = profile.create()
        profile.process(sys._getframe(), None, tree)
        history.append((100.0 + second, tree))
    return history


def test_an_event_loop_is_read_by_cursor_and_its_own_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    # A slow machine would read less at a time.
    monkeypatch.setattr(probes_profile, "BUDGET", float("inf"))
    server = SimpleNamespace(io_loop=SimpleNamespace(profile=loop_history(10)), scheduler_delay=2.0, ip="here")
    first = probe(server, loop=True, limit=4)
    assert (first["end"], first["more"], first["cycle"]) == (103.0, True, 1.0)
    rest = probe(server, loop=True, after=first["end"])
    # The newest entry may still be written to.
    assert (rest["end"], rest["more"], rest["dropped"]) == (108.0, False, False)
    log = ProfileLog()
    rows = rows_of(first, 0, log) + rows_of(rest, 0, log)
    assert sum(row.samples for row in rows) == 9
    assert {frame[0] for frame in log.frames} > {"loop_history"}
    # Times are those of the scheduler's clock.
    assert min(array("d", first["rows"]["time"])) == 102.0
    # A heartbeat corrects the difference between the clocks: no cycle is read twice, and none is left out.
    for delay in (2.5, -7.0):
        server.scheduler_delay = delay
        assert probe(server, loop=True, after=rest["end"])["rows"]["samples"] == b""
        assert probe(server, loop=True, after=first["end"])["rows"]["samples"] == rest["rows"]["samples"]


def test_cycles_with_times_that_go_back_are_read_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes_profile, "BUDGET", 60.0)
    # Dask adds the difference between the clocks, as the newest heartbeat has it: on a busy machine it varies.
    times = [100.0, 101.0, 104.5, 103.0, 103.9, 105.0, 101.5]
    history = deque(((at, {"f": node(2, a=node(0))}) for at in times[:3]), maxlen=1000)
    server = SimpleNamespace(io_loop=None, profile_keys_history=history, profile_keys={}, ip="")
    after, samples = 0.0, 0
    for at in [*times[3:], None]:
        answer = probe(server, after=after, limit=2)
        while True:
            after, samples = answer["end"], samples + sum(array("I", answer["rows"]["samples"]))
            if not answer["more"]:
                break
            answer = probe(server, after=after, limit=2)
        assert (after, samples) == (history[-1][0], 2 * len(history))
        if at is not None:
            history.append((at, {"f": node(2, a=node(0))}))
    assert len(history) == len(times)


def test_cycles_that_are_joined_last_no_shorter_where_their_times_go_back() -> None:
    times = [100.0, 101.0, 102.0, 99.5, 100.5]
    history = deque(((at, {"f": node(2, a=node(0))}) for at in times), maxlen=1000)
    server = SimpleNamespace(io_loop=None, profile_keys_history=history, profile_keys={}, ip="")
    answer = probe(server, limit=10, step=60.0)
    assert list(array("f", answer["rows"]["span"])) == pytest.approx([3.0])
    assert list(array("d", answer["rows"]["time"])) == [102.0]


def test_cycles_that_were_dropped_unread_are_reported() -> None:
    history = deque(((float(t), {}) for t in range(2000)), maxlen=1000)
    server = SimpleNamespace(io_loop=None, profile_keys_history=history, profile_keys={}, ip="")
    assert probe(server, after=500.0)["dropped"]
    assert not probe(server, after=1500.0)["dropped"]
    assert not probe(server)["dropped"]


def test_older_cycles_are_put_together_where_there_are_many_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    # One answer has all cycles, however long this process has to wait for its turn.
    monkeypatch.setattr(probes_profile, "BUDGET", 60.0)
    tree = {"f": node(2, a=node(0))}
    server = SimpleNamespace(
        io_loop=None,
        ip="",
        profile_keys_history=deque((float(t), tree) for t in range(1, 101)),
        profile_keys={},
        periodic_callbacks={"profile-cycle": SimpleNamespace(callback_time=1000)},
    )
    answer = probe(server, step=10.0)
    assert sum(array("I", answer["rows"]["samples"])) == 200
    assert set(array("f", answer["rows"]["span"])) == {10.0}


def test_a_late_cycle_lasts_since_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes_profile, "BUDGET", 60.0)
    now = time.time()
    ends = [now - 500, now - 499, now - 497.2, now - 496.7, now - 96]
    tree = {"f": node(2, a=node(0))}
    server = SimpleNamespace(
        io_loop=None,
        ip="",
        profile_keys_history=deque((end, tree) for end in ends),
        profile_keys=tree,
        periodic_callbacks={"profile-cycle": SimpleNamespace(callback_time=1000)},
    )

    def spans(**options: Any) -> list[float]:
        return [round(span, 1) for span in array("f", probe(server, **options)["rows"]["span"])]

    # Nobody knows when the oldest began, and a machine that slept was not sampled.
    assert spans() == [1.0, 1.0, 1.8, 0.5, 60.0]
    assert spans(after=ends[1]) == [1.8, 0.5, 60.0]
    assert spans(limit=2) == [1.0, 1.0]
    # The one in progress is late, too.
    server.profile_keys_history[-1] = (time.time() - 3, tree)
    (late,) = spans(now=True)
    assert late >= 3


def test_an_answer_ends_before_a_worker_would_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes_profile, "BUDGET", 0.0)
    history = deque((float(t), {"f": node(2, a=node(0))}) for t in range(1, 6))
    server = SimpleNamespace(io_loop=None, profile_keys_history=history, profile_keys={}, ip="")
    ends = [0.0]
    more = True
    while more:
        answer = probe(server, after=ends[-1])
        more = answer["more"]
        ends.append(answer["end"])
    assert ends == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


# -- the log ---------------------------------------------------------------------------------------------------------


def fill(log: ProfileLog, batches: int, rows: int = 10) -> None:
    """Batches of one second with as many stacks as rows."""
    names = [["f", "f.py", 1, 1, ""]]
    stacks = log.stacks_of(names, array("I", (x for i in range(rows) for x in (i, 1))).tobytes())
    (prefix,) = log.prefixes_of(["work"])
    for _ in range(batches):
        at = log.milliseconds(1e9 + log.end)
        log.add([Row(at, 1000, 1, prefix, stack, 1) for stack in stacks[1:]])
        while log.tidy():
            pass


def drain(log: ProfileLog, cursor: int = 0) -> tuple[list[dict[str, Any]], int]:
    bodies = []
    while cursor < log.end:
        body, cursor = log.read(cursor)
        bodies.append(body)
    return bodies, cursor


def samples_in(bodies: list[dict[str, Any]]) -> int:
    kinds = {"u2": "H", "u4": "I"}
    columns = [body["c"]["samples"] for body in bodies]
    return sum(sum(array(kinds[dtype], data)) for dtype, data in columns)


def test_a_log_is_read_in_frames_of_bounded_size() -> None:
    log = ProfileLog()
    fill(log, 300, 100)
    bodies, _ = drain(log)
    assert len(bodies) == 3
    assert [body["s"]["first"] for body in bodies] == [0, 120, 240]
    assert samples_in(bodies) == 30_000
    # Dictionaries come once.
    assert [len(body["s"]["frames"]) for body in bodies] == [1, 0, 0]


def test_a_log_stays_bounded_and_keeps_its_totals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile_log, "ROWS", 5_000)
    monkeypatch.setattr(profile_log, "BATCHES", 200)
    log = ProfileLog()
    fill(log, 3_000)
    bodies, _ = drain(log)
    assert samples_in(bodies) == 30_000
    assert log.lost == 0
    kept = sum(len(body["c"]["at"][1]) // (2 if body["c"]["at"][0] == "u2" else 4) for body in bodies)
    assert kept <= 5_000
    assert log.nbytes < 1_000_000


def test_a_reader_within_what_was_put_together_starts_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile_log, "BATCHES", 100)
    log = ProfileLog()
    fill(log, 90)
    _, cursor = drain(log)
    fill(log, 5)
    body, after = log.read(cursor)
    assert (body["s"]["first"], samples_in([body])) == (90, 50)
    fill(log, 300)
    bodies, _ = drain(log, after - 1)
    assert bodies[0]["s"]["first"] == 0
    assert samples_in(bodies) == 3_950


def test_what_cannot_be_put_together_is_dropped_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile_log, "ROWS", 1_000)
    log = ProfileLog()
    fill(log, 3, 900)
    bodies, _ = drain(log)
    assert log.lost + samples_in(bodies) == 2_700
    assert bodies[0]["s"]["first"] == 0


def test_too_many_stacks_count_for_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile_log, "STACKS", 20)
    log = ProfileLog()
    fill(log, 1, 30)
    bodies, _ = drain(log)
    assert samples_in(bodies) == 30
    assert bodies[0]["s"]["full"]


def test_names_do_not_grow_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions that a notebook defines again and again, in days."""
    monkeypatch.setattr(profile_log, "STACKS", 20)
    monkeypatch.setattr(profile_log, "PREFIXES", 10)
    log = ProfileLog()
    for n in range(50):
        names = [["f", f"cell-{n}.py", 1, 1, ""]]
        stacks = log.stacks_of(names, array("I", (0, 1)).tobytes())
        (prefix,) = log.prefixes_of([f"work-{n}"])
        log.add([Row(log.milliseconds(1e9 + n), 1000, 1, prefix, stacks[1], 1)])
    assert len(log.frames) == 20
    assert log.prefixes == [*(f"work-{n}" for n in range(10)), "(other functions)"]
    # What is known stays so, and the rest is counted together.
    assert log.prefixes_of(["work-3", "work-49", "new"]) == [3, 10, 10]
    bodies, _ = drain(log)
    assert samples_in(bodies) == 50


def test_the_source_forgets_another_scheduler() -> None:
    source = ProfileSource("profile")
    fill(source._log, 3)
    assert source.end == 3
    source.forget()
    assert source.end == 0


def test_the_tree_that_is_being_written_is_waited_for() -> None:
    """Dask's thread begins a cycle of an event loop, and writes its tree, while it holds a lock."""
    history = loop_history(3)
    server = SimpleNamespace(io_loop=SimpleNamespace(profile=history), scheduler_delay=0.0, ip="here")
    begun = threading.Event()

    def write() -> None:
        tree = profile.create()
        with profile.lock:
            history.append((dask_time(), tree))
            begun.set()
            end = time.monotonic() + 0.5
            while time.monotonic() < end or len(tree["children"]) < 1000:
                child = {**profile.create(), "count": 1, "description": {"name": "f"}}
                tree["children"][f"f{len(tree['children'])};x;1"] = child
                time.sleep(0)

    thread = threading.Thread(target=write)
    thread.start()
    begun.wait()
    frames = probe(server, loop=True, now=True)["frames"]
    thread.join()
    assert len(frames) == len(history[-1][1]["children"])

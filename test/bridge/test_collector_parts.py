"""Parts of the collector by themselves, on objects that have what they read of Dask's."""

from __future__ import annotations

import asyncio
import random
import runpy
import time
from array import array
from collections.abc import Iterator
from math import inf, isnan
from types import SimpleNamespace
from typing import Any

import pytest

from dask_panes.scheduler.collector import (
    activities,
    attempt_ends,
    attempts,
    bandwidth,
    clock,
    faults,
    held,
    memory_samples,
    pace,
    walk,
)
from dask_panes.scheduler.collector.activities import Activities
from dask_panes.scheduler.collector.attempt_ends import attempts_of
from dask_panes.scheduler.collector.attempts import Attempts
from dask_panes.scheduler.collector.bands import memory_band
from dask_panes.scheduler.collector.bandwidth import Bandwidth
from dask_panes.scheduler.collector.columns import DTYPES
from dask_panes.scheduler.collector.events import Events
from dask_panes.scheduler.collector.faults import LONGEST_REST, REST, Faults
from dask_panes.scheduler.collector.held import count_held
from dask_panes.scheduler.collector.looks import Looks
from dask_panes.scheduler.collector.memory_samples import MemorySamples
from dask_panes.scheduler.collector.meta import CLIENTS, clients_of
from dask_panes.scheduler.collector.names import Names
from dask_panes.scheduler.collector.pace import Pace
from dask_panes.scheduler.collector.plain import number, plain, text
from dask_panes.scheduler.collector.task import Tasks
from dask_panes.scheduler.collector.versions import changed, renumber, touch
from dask_panes.scheduler.collector.walk import Walk

CODES = {dtype: code for code, dtype in DTYPES.items()}


def values(column: tuple[str, bytes]) -> list[Any]:
    found = array(CODES[column[0]])
    found.frombytes(column[1])
    return list(found)


def rows(body: dict[str, Any]) -> list[dict[str, Any]]:
    columns = {name: values(column) for name, column in body["c"].items()}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


class Thing(SimpleNamespace):
    """An object of Dask's: equal to itself only."""

    __hash__ = object.__hash__
    __eq__ = object.__eq__


def second(body: dict[str, Any]) -> list[dict[str, Any]]:
    return rows({"c": body.get("m", {})})


def task(prefix: str, **more: Any) -> Any:
    wanted = {"who_wants": {"client"}, "waiters": None, "state": "waiting", "suspicious": 0}
    return Thing(prefix=Thing(name=prefix), key=prefix, **(wanted | more))


# -- versions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_a_reader_receives_every_change_in_parts_of_any_size(seed: int) -> None:
    random_ = random.Random(seed)
    versions: dict[int, int] = {}
    truth: dict[int, int] = {}
    readers = [[0, dict[int, int](), most] for most in (1, 3, 100)]
    for version in range(1, 301):
        row = random_.randrange(12)
        touch(versions, row, version)
        truth[row] = version
        assert list(versions.values()) == sorted(versions.values())
        for reader in readers:
            if random_.random() < 0.4:
                found, after = changed(versions, reader[0], reader[2], version)
                late = sorted((v, row) for row, v in truth.items() if v > reader[0])
                assert found == [row for _, row in late][: reader[2]]
                assert after == (version if len(late) <= reader[2] else late[reader[2] - 1][0])
                reader[0] = after
    ordered, newest = renumber({5: 9, 3: 9, 7: 2})
    assert (ordered, newest) == ({7: 1, 5: 2, 3: 3}, 3)


# -- meta -----------------------------------------------------------------------------------------------------------


def test_clients_are_counted_and_the_first_named() -> None:
    assert clients_of(Thing(clients={})) == {"count": 0, "names": []}
    many = {"fire-and-forget": None, **{f"Client-{i}": None for i in range(CLIENTS + 5)}, "\udcff" * 999: None}
    comms = {name: None for name in many if name != "fire-and-forget"}
    listed = clients_of(Thing(clients={**many, "variable-x": None}, client_comms=comms))
    assert listed == {"count": CLIENTS + 6, "names": [f"Client-{i}" for i in range(CLIENTS)]}
    odd = {"\udcff" * 999: None}
    assert clients_of(Thing(clients=odd, client_comms=odd))["names"] == ["\\udcff" * 33 + "\\u"]


# -- pace -----------------------------------------------------------------------------------------------------------


def test_readers_that_wait_share_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "time", lambda: 100.0)
    found = Pace()
    one, two, gone = (found.reader(name) for name in "abc")
    assert found.reader("a") is one
    for reader, seen in ((one, 99.5), (two, 50.0), (gone, 99.0)):
        reader.polls, reader.seen = True, seen
    two.future = SimpleNamespace()  # type: ignore[assignment]
    assert found.waiting() == [one, two]
    one.polls = False
    assert found.waiting() == [two]
    one.polls = two.beside = True
    found.answer_cost = 1e-4
    assert found.interval == pytest.approx((2 * 1e-4 + pace.FIRST_RPC_COST) / 0.01)
    one.wanted, gone.wanted = frozenset({"workers"}), frozenset({"groups"})
    assert found.wanted() == {"workers", "groups"}
    found.table_costs = {"workers": 1e-3, "groups": 2e-3, "other": 1.0}
    floor, topics = found.floors()
    assert floor == pytest.approx((2 * 1e-4 + pace.FIRST_RPC_COST) / 0.005)
    assert topics == {"groups": pytest.approx(2 * 2e-3 / 0.005)}
    found.table_costs["workers"] = 1.5e-3
    assert found.floors()[1] == {
        "groups": pytest.approx(2 * 2e-3 * 2 / 0.005),
        "workers": pytest.approx(2 * 1.5e-3 * 2 / 0.005),
    }
    found.forget(99.0)
    assert list(found.readers) == ["a", "c"]


def test_costs_are_means_that_follow_slowly() -> None:
    found = Pace()
    first = found.answer_cost
    found.note_answer(first + 1.0)
    assert found.answer_cost == pytest.approx(first + 0.05)
    found.note_table("workers", 5e-3)
    assert found.table_costs["workers"] == pytest.approx(1e-3)
    assert not found.is_expensive("workers")
    found.note_table("workers", 6e-3)
    assert found.table_costs["workers"] == pytest.approx(2e-3)
    assert found.is_expensive("workers")


def test_a_poll_is_recalled_also_before_it_began() -> None:
    async def body() -> None:
        reader = Pace().reader("a")
        reader.wake()
        assert reader.woken
        reader.woken = False
        reader.future = asyncio.get_running_loop().create_future()
        reader.wake()
        assert reader.future.result() is True
        reader.wake()
        assert not reader.woken

    asyncio.run(body())


# -- walks ----------------------------------------------------------------------------------------------------------


class Clocks:
    """CPU time and wall time that advance by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.cpu, self.wall = 0.0, 100.0
        monkeypatch.setattr(walk, "cpu_time", lambda: self.cpu)
        monkeypatch.setattr(walk, "perf_counter", lambda: self.wall)


def test_a_walk_goes_on_between_other_events_and_pays_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks = Clocks(monkeypatch)
    steps: list[int] = []

    def pieces(count: int, cost: float) -> Iterator[None]:
        for i in range(count):
            clocks.cpu += cost
            steps.append(i)
            yield

    async def body() -> None:
        failures: list[Exception] = []
        found = Walk(failures.append)
        assert (found.due, found.walking, found.ended) == (True, False, False)
        found.begin(pieces(5, 1e-3))
        # A slice is of two milliseconds.
        assert (steps, found.due, found.walking, found.ended) == ([0, 1], False, True, False)
        await asyncio.sleep(0)
        assert steps == [0, 1, 2, 3]
        await asyncio.sleep(0)
        assert (steps, found.due, found.walking, found.ended) == ([0, 1, 2, 3, 4], False, False, True)
        # Five milliseconds are one per cent of half a second.
        clocks.wall += 0.499
        assert not found.due
        clocks.wall += 0.002
        assert found.due
        found.begin(pieces(1, 4e-4))
        assert found.due
        found.begin(pieces(1, 6e-4))
        assert not found.due
        found.forgive()
        assert found.due
        found.begin(pieces(9, 1e-3))
        found.stop()
        assert (found.walking, found.ended) == (False, True)
        before = len(steps)
        await asyncio.sleep(0)
        assert len(steps) == before
        found.begin(pieces(1, 1e-3))
        found.restart()
        assert (found.due, found.ended) == (True, False)
        rare = Walk(failures.append, rest=1.0)
        rare.begin(pieces(1, 4e-4))
        assert rare.due
        rare.begin(pieces(1, 1e-3))
        clocks.wall += 0.999
        assert not rare.due
        clocks.wall += 0.002
        assert rare.due
        assert failures == []

    asyncio.run(body())


def test_a_walk_that_raises_is_over_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks = Clocks(monkeypatch)

    def pieces() -> Iterator[None]:
        clocks.cpu += 1e-3
        yield
        raise KeyError("x")

    failures: list[Exception] = []
    found = Walk(failures.append)
    found.begin(pieces())
    assert (len(failures), found.walking, found.ended, found.due) == (1, False, False, False)
    clocks.wall += 0.101
    assert found.due


# -- faults ---------------------------------------------------------------------------------------------------------


def test_a_part_that_raises_rests_longer_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(faults, "monotonic", lambda: now[0])
    found = Faults()

    def fail() -> int:
        raise ValueError("x" * 400)

    assert found.guard("a", "scan", lambda: 1, 0) == 1
    assert found.guard("a", "scan", fail, 7) == 7
    assert found.rest("a") == REST
    assert found.rest("b") == 0
    assert found.guard("a", "read", lambda: 1, 7) == 7
    assert len(found.messages()) == 1
    assert found.messages()[0].startswith("a: not up to date")
    assert "ValueError: x" in found.messages()[0]
    assert len(found.messages()[0]) < 400
    now[0] = REST / 2
    found.note("a", KeyError("while it rests"), "scan")
    assert "ValueError" in found.messages()[0]
    now[0] = REST - 0.25
    found.note("a", KeyError("while it rests"), "scan")
    assert ("ValueError" in found.messages()[0], found.rest("a")) == (True, 0.25)
    now[0] = REST
    # Another step that works says nothing about this one.
    assert found.guard("a", "read", lambda: 1, 7) == 1
    assert found.messages() != []
    seconds = REST
    for _ in range(10):
        now[0] += found.rest("a")
        found.guard("a", "scan", fail, 0)
        seconds = min(2 * seconds, LONGEST_REST)
        assert found.rest("a") == seconds
    now[0] += seconds
    found.guard("a", "read", fail, 0)
    assert found.rest("a") == REST
    now[0] += REST
    assert found.guard("a", "read", lambda: 1, 0) == 1
    assert found.messages() == []


def test_a_hook_that_raised_is_forgotten_after_its_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(faults, "monotonic", lambda: now[0])
    found = Faults()
    found.note("a", ValueError("x"))
    now[0] = REST - 0.1
    assert len(found.messages()) == 1
    now[0] = REST
    found.note("a", ValueError("y"))
    assert found.rest("a") == REST
    now[0] = 2 * REST
    assert found.messages() == []


# -- untrusted values -----------------------------------------------------------------------------------------------


def test_values_of_msgpack_stay_and_others_become_text() -> None:
    assert [plain(value) for value in (2**64 - 1, -(2**63), True, None, b"x", 1.5, "é")] == [
        2**64 - 1,
        -(2**63),
        True,
        None,
        b"x",
        1.5,
        "é",
    ]
    assert [plain(2**64), plain(-(2**63) - 1)] == [float(2**64), float(-(2**63) - 1)]
    assert isinstance(plain(2**64), float)
    assert plain({1: (1, [2])}) == {"1": [1, [2]]}
    assert plain([[[1]]], 2) == [["[1]"]]
    assert plain({"a": {"b": 1}}, 1) == {"a": "{'b': 1}"}
    assert text("\udcff") == "\\udcff"
    assert text("a\udcffb", 4) == "a\\ud"
    assert text("é" * 5, 3) == "ééé"
    assert text(12345, 3) == "123"
    assert [number(value) for value in (3, 2.5, True, "4", None, 10**400, -(10**400))] == [
        3.0,
        2.5,
        1.0,
        0.0,
        0.0,
        float("inf"),
        float("-inf"),
    ]
    assert number("x", 7.0) == 7.0
    assert [memory_band(0), memory_band(2**40)] == [8 * 2**20, 0.005 * 2**40]


# -- attempts -------------------------------------------------------------------------------------------------------


def test_attempts_count_by_how_they_ended() -> None:
    names = Names()
    found = Attempts(names)
    f, g = task("f"), task("g")
    found.leave(f, "task-erred-1")
    found.leave(f, "reschedule-2")
    found.leave(f, "task-erred-3")
    found.leave(f, None)
    found.leave(g, "worker-lost-1")
    # Released since nobody needs it after the failure of another; one that another task needs is tried again.
    found.leave(task("f", who_wants=None), "task-erred-3")
    found.leave(task("f", who_wants=None, waiters=set()), "task-erred-3")
    # One that is not tried again, of which Dask reports no execution; the scheduler gives up another one by itself.
    found.fail(f, "task-erred-4")
    found.fail(f, "execute-unknown-error-5")
    found.fail(task("f"), "worker-lost-0")
    assert rows(found.read(0)[0]) == [{"id": 0, "retried": 2, "rescheduled": 1, "lost": 0, "erred": 2}]
    version = found.version
    # Of those assigned to the lost worker, only those count that ran.
    found.lose(SimpleNamespace(address="w", executing={g: 0.5}, last_seen=7.0), "worker-lost-1")
    assert rows(found.read(version)[0]) == [{"id": 1, "retried": 0, "rescheduled": 0, "lost": 1, "erred": 0}]
    found.lose(SimpleNamespace(address="w", executing={f: 0.5, g: 0.5}, last_seen=7.0), "worker-lost-1")
    found.leave(f, "worker-lost-2")
    found.lose(SimpleNamespace(address="w", executing={f: 0.5}, last_seen=7.0), "worker-lost-3")
    found.leave(f, "worker-lost-4")
    found.settle(SimpleNamespace(transition_log=[]))
    found.lose(SimpleNamespace(address="w", executing={f: 0.5}, last_seen=7.0), "worker-lost-4")
    assert rows(found.read(version + 1)[0]) == []
    assert found.read(found.version)[0] == {"c": found.read(found.version)[0]["c"], "s": {"first": 0}}
    found.restart()
    assert rows(found.read(0)[0]) == []
    # What has happened stays.
    ends = second(found.read(0)[0])
    assert [(each["number"], each["how"]) for each in ends] == [(0, 2), (1, 0), (2, 1), (3, 0)]
    assert ends[0]["begin"] == 6.5
    assert all(isnan(each["begin"]) for each in ends[1:])


def test_attempts_count_that_began_after_the_last_heartbeat_of_a_worker_that_died() -> None:
    """As many as it had free threads, in the order in which it begins them."""

    def lost(
        nthreads: int,
        cancelled: int,
        *tasks: Any,
        earlier: tuple[tuple[str, int], ...] = (),
        status: tuple[str, ...] = (),
        at_first: str = "running",
    ) -> list[str]:
        names = Names()
        found = Attempts(names, workers=lambda: {"w": Thing()})
        found.begin([Thing(address="w", status=Thing(name=at_first))])
        for each in status:
            for worker in ("w", "unknown"):
                found.logged(worker, {"action": "worker-status-change", "status": each})
        for ts in tasks:
            found.give_up(ts, "died")
        executing = {ts: 0.5 for ts in tasks if ts.key == "known"}
        executing |= {
            task(f"earlier {i}", state=state, nbytes=nbytes): 0.5 for i, (state, nbytes) in enumerate(earlier)
        }
        metrics = {"task_counts": {"cancelled": cancelled}}
        found.lose(Thing(address="w", executing=executing, last_seen=7.0, nthreads=nthreads, metrics=metrics), "died")
        assert not found._resting
        log = [(ts.key, "waiting", "processing", {}, "s", 7.5) for ts in tasks]
        found.settle(SimpleNamespace(transition_log=log))
        body = found.read(0)[0]
        begins = {names.prefixes[each["prefix"]]: each["begin"] for each in second(body)}
        assert all(begin == (6.5 if name == "known" else 7.5) for name, begin in begins.items())
        counted = [names.prefixes[row["id"]] for row in rows(body) if row["lost"] == 1]
        assert sorted(begins) == sorted(counted)
        return counted

    def new(name: str, priority: int, **more: Any) -> Any:
        wanted = {"suspicious": 1, "dependencies": (), "resource_restrictions": None}
        return task(name, priority=(0, priority), **(wanted | more))

    known = task("known", suspicious=1, priority=(0, 0), dependencies=(), resource_restrictions=None)
    assert lost(2, 0, new("second", 2), new("first", 1)) == ["first", "second"]
    assert lost(2, 0, new("second", 2), known, new("first", 1)) == ["known", "first"]
    assert lost(2, 1, known, new("first", 1)) == ["known"]
    # One that has ended, also where its result is gone by now, keeps no thread; one that was cancelled does.
    for ended in (("memory", 8), ("released", 8), ("waiting", 8), ("forgotten", 0), ("erred", -1)):
        assert lost(1, 0, new("first", 1), earlier=(ended,)) == ["first"]
    assert lost(1, 0, new("first", 1), earlier=(("forgotten", -1),)) == []
    # Paused, as before it was killed for its memory; or about to leave, with tasks of another one that had died.
    assert lost(2, 0, known, new("first", 1), status=("paused",)) == ["known"]
    # Also before the collector came.
    assert lost(2, 0, new("first", 1), at_first="paused") == []
    assert lost(2, 0, new("first", 1), at_first="paused", status=("running",)) == ["first"]
    assert lost(2, 0, new("first", 1), status=("closing_gracefully",)) == []
    assert lost(2, 0, new("first", 1), status=("paused", "running")) == ["first"]
    # Closed, not died; what it needs is elsewhere, or may have been in use.
    assert lost(9, 0, new("closed", 1, suspicious=0)) == []
    assert lost(9, 0, new("fetching", 1, dependencies=[Thing(who_has={"other"})])) == []
    assert lost(9, 0, new("here", 1, dependencies=[Thing(who_has=set())])) == ["here"]
    assert lost(9, 0, new("gpu", 1, resource_restrictions={"GPU": 1})) == []


def test_attempts_begin_when_their_worker_got_them(monkeypatch: pytest.MonkeyPatch) -> None:
    found, f = Attempts(Names()), task("f")
    monkeypatch.setattr(attempts, "time", iter((4.0, 8.0)).__next__)
    found.leave(f, "task-erred-1")
    found.leave(f, "task-erred-2")
    log = [
        *((f.key, "waiting", "processing", {}, "s", at) for at in (1.0, 3.0)),
        (f.key, "processing", "released", {}, "task-erred-1", 4.0),
        (f.key, "waiting", "processing", {}, "s", 5.0),
        ("other", "waiting", "processing", {}, "s", 6.0),
        (f.key, "processing", "released", {}, "task-erred-2", 8.0),
        (f.key, "waiting", "processing", {}, "s", 9.0),
    ]
    version = found.version
    found.settle(SimpleNamespace(transition_log=log))
    assert [(each["begin"], each["end"]) for each in second(found.read(version)[0])] == [(3.0, 4.0), (5.0, 8.0)]
    assert [each["number"] for each in second(found.read(version + 1)[0])] == [1]
    # Each is reported once, the newest are kept.
    found.settle(SimpleNamespace(transition_log=log))
    assert found.version == version + 2
    monkeypatch.undo()
    for _ in range(attempts.TIMED):
        found.lose(SimpleNamespace(address="w", executing={f: 0.5}, last_seen=7.0), found.give_up(f, "lost") or "lost")
    assert found.read(0)[0]["s"] == {"first": 2}
    assert len(second(found.read(0)[0])) == attempts.TIMED


def test_tasks_that_left_are_remembered_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "MOST_LEFT", 3)
    found = Attempts(Names())
    tasks = [task(f"f{i}") for i in range(5)]
    for ts in tasks:
        found.leave(ts, "worker-lost")
    found.lose(SimpleNamespace(address="w", executing=dict.fromkeys(tasks, 0.5), last_seen=7.0), "worker-lost")
    assert [row["lost"] for row in rows(found.read(0)[0])] == [1, 1, 1]


def test_attempts_begin_no_sooner_than_heartbeats_say(monkeypatch: pytest.MonkeyPatch) -> None:
    f, g = task("f"), task("g")
    workers = {
        "a": SimpleNamespace(address="w", executing={f: 0.25, g: 0.5}, last_seen=7.0),
        "b": SimpleNamespace(address="w", executing={}, last_seen=6.5),
    }
    found = Attempts(Names(), None, None, lambda: workers)
    monkeypatch.setattr(attempts, "time", lambda: 8.0)
    log = [(key, "waiting", "processing", {}, "s", 1.0) for key in (f.key, "h")]
    log.append((g.key, "waiting", "processing", {}, "s", 6.75))

    def begin(ts: Any) -> float:
        version = found.version
        found.leave(ts, "task-erred")
        found.settle(SimpleNamespace(transition_log=log))
        (row,) = second(found.read(version)[0])
        return float(row["begin"])

    # Its worker imported packages; the one before of the same task; since the last heartbeats; not in the log.
    assert [begin(ts) for ts in (f, g, task("h"))] == [6.75, 6.75, 6.5]
    assert isnan(begin(task("i")))
    # Very many are not looked for.
    monkeypatch.setattr(attempts, "LOOKS", 1)
    found.settle(SimpleNamespace(transition_log=log))
    assert begin(f) == 1.0


def test_what_makes_up_for_a_loss_is_noted_with_its_times(monkeypatch: pytest.MonkeyPatch) -> None:
    marked: dict[Any, str] = {}
    found, f, g, h = Attempts(Names(), None, marked), task("f"), task("g"), task("h")
    monkeypatch.setattr(attempts, "time", lambda: 9.0)
    startstops = [{"action": "transfer", "start": 1.0, "stop": 5.0}, {"action": "compute", "start": 5.0, "stop": 7.0}]
    found.lose_result(f.key, "gone-1", True)
    # Needed by what was lost; needed by something else.
    found.lose_result(g.key, "gone-1", False)
    found.lose_result(h.key, "update-graph", False)
    for ts in (f, g, h, f):
        found.renew(ts, startstops)
    found.leave(h, "gone-2")
    found.lose(SimpleNamespace(address="w", executing={h: 0.5}, last_seen=7.0), "gone-2")
    assert marked == {h.key: "attempt"}
    found.renew(h, startstops)
    noted = [(each["how"], each["begin"], each["end"]) for each in second(found.read(0)[0])]
    assert noted == [(3, 7.0, 9.0), (3, 7.0, 9.0), (2, 6.5, 9.0), (4, 7.0, 9.0)]
    # One that is forgotten, or of a cluster that is restarted, will not be there again.
    found.lose_result(f.key, "gone-3", True)
    found.forget_result(f.key)
    found.lose_result(g.key, "gone-3", True)
    found.restart()
    for ts in (f, g):
        found.renew(ts, startstops)
    assert len(second(found.read(0)[0])) == 4


def test_the_times_of_the_newest_20000_attempts_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    found, f, now = Attempts(Names()), task("f"), [0.0]
    monkeypatch.setattr(attempts, "time", lambda: now[0])
    for i in range(20_005):
        now[0] = float(i)
        found.lose_result(f.key, "gone-1", True)
        found.renew(f, [{"action": "compute", "start": 0.0, "stop": 1.0}])
    body, _ = found.read(0)
    ends = [each["end"] for each in second(body)]
    assert (ends, body["s"]["first"]) == ([float(i) for i in range(5, 20_005)], 5)


def test_losses_that_are_never_made_up_for_make_room_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "RENEWING", 2)
    found, tasks = Attempts(Names()), [task(f"f{i}") for i in range(4)]
    for ts in tasks[:3]:
        found.lose_result(ts.key, "gone-1", True)
    found.renew(tasks[2], [])
    assert second(found.read(0)[0]) == []
    found.lose_result(tasks[3].key, "gone-2", True)
    found.renew(tasks[3], [])
    assert [each["how"] for each in second(found.read(0)[0])] == [3]


def test_attempts_of_a_task_are_the_newest_ten_of_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    def entry(
        i: int, key: str = "k", start: str = "processing", finish: str = "released", why: str = "task-erred"
    ) -> Any:
        return (key, start, finish, {key: "waiting"}, f"{why}-{i}", float(i))

    log = [entry(i) for i in range(14)]
    # Nobody needed it any more.
    log.append(("k", "processing", "released", {}, "task-erred-15", 15.0))
    log += [entry(20, "other"), entry(21, start="waiting"), entry(22, finish="memory"), entry(23, why="reschedule")]
    log += [entry(24, why="worker-gone"), entry(25, why="handle-worker-cleanup"), entry(26, why="retire-workers")]
    log += [entry(27, why="nanny-close"), entry(28, why="worker-send-comm-fail")]
    log += [entry(29, why="worker-close-gracefully"), entry(30, why="client-restart-workers")]
    # Dask's event about the last one is gone, and the worker of the one before had not begun it.
    events = [
        (0.0, {"action": "remove-worker", "stimulus_id": each[4], "processing-tasks": {"k": 1.0}})
        for each in log[-6:-2]
    ]
    events.append((0.0, {"action": "remove-worker", "stimulus_id": log[-2][4], "processing-tasks": {"other": 1.0}}))
    scheduler = SimpleNamespace(transition_log=log, get_events=lambda topic: events)
    found = attempts_of(scheduler, "k")
    assert [(each["end"], each["how"]) for each in found] == [
        (30.0, "lost"),
        (28.0, "left"),
        (27.0, "left"),
        (26.0, "left"),
        (25.0, "left"),
        (23.0, "rescheduled"),
        *((float(i), "retried") for i in range(13, 9, -1)),
    ]
    monkeypatch.setattr(attempt_ends, "SEARCHED", 1)
    assert len(attempts_of(scheduler, "k")) == 1


# -- bandwidth ------------------------------------------------------------------------------------------------------


def rates(pairs: dict[tuple[str, str], float], types: dict[str, float], total: float) -> Any:
    return SimpleNamespace(bandwidth_workers=pairs, bandwidth_types=types, bandwidth=total)


@pytest.mark.parametrize("seed", range(4))
def test_rates_are_those_of_the_scheduler_by_pair(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bandwidth, "PAIRS", 6)
    monkeypatch.setattr(bandwidth, "PIECE", 2)
    random_ = random.Random(seed)
    names = Names()
    found = Bandwidth(names, pytest.fail)
    pairs: dict[tuple[str, str], float] = {}
    known: dict[int, dict[str, Any]] = {}
    cursor = 0
    for _ in range(60):
        for _ in range(random_.randrange(3)):
            a, b = random_.sample(["a", "b", "c", "d"], 2)
            if random_.random() < 0.4:
                pairs.pop((a, b), None)
            elif (a, b) in pairs or len(pairs) < 6:
                pairs[a, b] = random_.randrange(3)
        before = found.version
        for _ in found._look(rates(pairs, {}, 1.0)):
            pass
        body, cursor = found.read(cursor)
        assert cursor == found.version >= before
        for row in rows(body):
            known[row["id"]] = row
        assert len(known) <= 6
        there = {
            tuple(names.workers[row[side]]["address"] for side in ("receiver", "sender")): row["rate"]
            for row in known.values()
            if row["rate"] == row["rate"]
        }
        assert there == pairs


def test_a_worker_that_returns_at_its_address_has_rates_of_its_own() -> None:
    names = Names()
    found = Bandwidth(names, pytest.fail)
    for address in ("a", "b"):
        names.add_worker({"address": address})
    for _ in found._look(rates({("a", "b"): 1e8}, {}, 1.0)):
        pass
    names.add_worker({"address": "b"})
    for _ in found._look(rates({("a", "b"): 5e7}, {}, 1.0)):
        pass
    live = [row for row in rows(found.read(0)[0]) if not isnan(row["rate"])]
    assert [(row["receiver"], row["sender"], row["rate"]) for row in live] == [(0, 2, 5e7)]
    # One that left long ago, and of which a transfer is reported late, stays the one that it was.
    names.drop_worker(2)
    for _ in found._look(rates({("a", "b"): 5e7}, {}, 1.0)):
        pass
    assert len(names.workers) == 3


def test_the_total_rate_is_reported_when_it_has_changed_by_a_hundredth() -> None:
    found = Bandwidth(Names(), pytest.fail)

    def look(types: dict[str, float], total: float) -> int:
        for _ in found._look(rates({}, types, total)):
            pass
        return found.version

    assert look({}, 100.0) == 1
    assert look({}, 101.0) == 1
    assert look({}, 99.0) == 1
    assert look({}, 101.5) == 2
    assert look({"int": 5.0}, 101.5) == 3
    assert found.read(0)[0]["s"] == {"total": 101.5, "types": [["int", 5.0]]}
    assert look({"x" * 300: 5.0}, 101.5) == 4
    assert found.read(0)[0]["s"]["types"] == [["x" * 200, 5.0]]


# -- activities -----------------------------------------------------------------------------------------------------


def never(error: Exception) -> None:
    raise error


def metrics(cpu: list[float], transitions: int, **more: Any) -> Any:
    return SimpleNamespace(
        cumulative_worker_metrics=more,
        monitor=SimpleNamespace(quantities={"cpu": cpu}),
        transition_counter=transitions,
        _tick_interval_observed=0.12348,
    )


def test_what_shuffles_measure_a_second_time_and_how_long_they_wait_is_not_reported() -> None:
    found = Activities(never)
    again, idle = ("p2p", "foreground", "disk", "bytes"), ("p2p", "background-comms", "idle", "seconds")
    scheduler = metrics([10.0], 5)
    scheduler.cumulative_worker_metrics = {again: 4, idle: 90.0}
    found.scan(scheduler, False)
    assert found.read(0)[0]["s"]["names"] == []


def test_the_bytes_that_a_shuffle_writes_to_disk_count_once() -> None:
    found = Activities(never)
    scheduler = metrics([10.0], 5)
    # What Dask reports of one buffer of 4 bytes: the buffer measures it, and so does what writes it.
    scheduler.cumulative_worker_metrics = {("p2p", "background-comms", "process", "bytes"): 4} | {
        ("p2p", "background-disk", activity, unit): 4
        for activity in ("process", "disk-write")
        for unit in ("seconds", "bytes", "count")
    }
    found.scan(scheduler, False)
    assert [name[1:] for name in found.read(0)[0]["s"]["names"]] == [
        ["p2p background-comms", "", "process", "bytes"],
        ["p2p background-disk", "", "process", "seconds"],
        ["p2p background-disk", "", "disk-write", "seconds"],
        ["p2p background-disk", "", "disk-write", "bytes"],
        ["p2p background-disk", "", "disk-write", "count"],
    ]


class Looked(dict[Any, float]):
    """Counts the entries that are looked at."""

    count = 0

    def items(self) -> Iterator[tuple[Any, float]]:  # type: ignore[override]
        for entry in super().items():
            self.count += 1
            yield entry


def test_metrics_that_are_too_many_cost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(activities, "ROWS", 40)
    monkeypatch.setattr(activities, "PIECE", 40)
    # No walk is cut into slices, or waits, since it took long on a busy machine.
    monkeypatch.setattr(walk, "SLICE", inf)
    monkeypatch.setattr(walk, "CHEAP", inf)
    found, scheduler = Activities(never), metrics([10.0], 5)
    # Names with numbers are functions of their own, and Dask keeps the metrics of each for as long as it runs.
    kept = scheduler.cumulative_worker_metrics = Looked(
        {("execute", f"load_{i}", activity, "seconds"): 1.0 for i in range(500) for activity in ("cpu", "other")}
    )
    for _ in range(2):
        kept.count = 0
        found.scan(scheduler, False)
        assert kept.count <= 120
    body, cursor = found.read(0)
    assert len(rows(body)) == 40
    kept["execute", "load_0", "cpu", "seconds"] = 7.0
    found.scan(scheduler, False)
    assert rows(found.read(cursor)[0]) == [{"id": 0, "value": 7.0}]


async def test_many_metrics_are_looked_at_in_slices_and_read_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "SLICE", 0.0)
    steps: list[int] = []
    note = Activities._note
    monkeypatch.setattr(Activities, "_note", lambda *args: (steps.append(1), note(*args))[1])
    found, scheduler = Activities(never), metrics([10.0], 5)
    keys = [("execute", f"load_{i}", "cpu", "seconds") for i in range(1_700)]
    scheduler.cumulative_worker_metrics = dict.fromkeys(keys[:1_600], 1.0)
    assert found.end == -1
    found.scan(scheduler, False)
    while found.walk.walking:
        assert len(steps) <= 500
        steps.clear()
        # Dask goes on measuring meanwhile.
        scheduler.cumulative_worker_metrics.update(dict.fromkeys(keys[1_600:], 2.0))
        await asyncio.sleep(0)
    values: dict[int, float] = {}
    cursor, parts = 0, 0
    while cursor < found.end:
        body, cursor = found.read(cursor)
        assert len(rows(body)) == len(body["s"]["names"]) <= 500
        values.update((int(row["id"]), row["value"]) for row in rows(body))
        parts += 1
    assert (parts, [values[i] for i in range(1_700)]) == (4, [1.0] * 1_600 + [2.0] * 100)
    # It is paid for like the other tables.
    assert not found.walk.due


def test_metrics_are_reported_when_they_change_with_their_names_and_base() -> None:
    found = Activities(never)
    execute, shuffle, pair = ("execute", "f", "cpu", "seconds"), ("p2p", "a", "disk", "bytes"), ("x", "count")
    scheduler = metrics([10.0, 20.0], 5)
    scheduler.cumulative_worker_metrics = {execute: 2.0, "latency": 1.0}
    found.begin(scheduler)
    scheduler.cumulative_worker_metrics = {execute: 3.0, shuffle: 4, pair: 1.0, "latency": 1.5, ("one",): 1.0, (): 1.0}
    found.scan(scheduler, False)
    body, cursor = found.read(0)
    assert rows(body) == [{"id": i, "value": value} for i, value in enumerate((3.0, 4.0, 1.0, 1.5, 1.0, 1.0))]
    assert body["s"] == {
        "names": [
            [0, "execute", "f", "cpu", "seconds"],
            [1, "p2p a", "", "disk", "bytes"],
            [2, "x", "", "", "count"],
            [3, "latency", "", "", ""],
            [4, "one", "", "", ""],
            [5, "", "", "", ""],
        ],
        "base": [[0, 2.0], [3, 1.0]],
        "scheduler_cpu": 15.0,
        "scheduler_tick": 0.1235,
        "transitions": 5.0,
    }
    assert cursor == found.end == 7
    found.scan(scheduler, False)
    assert found.version == 7
    scheduler.cumulative_worker_metrics.update({execute: 3.5, "latency": 9.0})
    # Heartbeats of an idle cluster are no news.
    found.scan(scheduler, True)
    assert rows(found.read(7)[0]) == [{"id": 0, "value": 3.5}]
    found.scan(scheduler, False)
    assert rows(found.read(8)[0]) == [{"id": 3, "value": 9.0}]
    scheduler.monitor.quantities["cpu"] = [20.0]
    found.scan(scheduler, False)
    assert found.version == 9
    scheduler.monitor.quantities["cpu"] = [20.1]
    found.scan(scheduler, False)
    assert found.version == 10
    scheduler.transition_counter = 6
    found.scan(scheduler, False)
    assert (found.version, found.read(0)[0]["s"]["transitions"]) == (11, 6.0)
    scheduler.monitor.quantities["cpu"] = [1000.0, *([0.0] * 120)]
    found.scan(scheduler, False)
    assert found.read(0)[0]["s"]["scheduler_cpu"] == 0.0
    scheduler.monitor.quantities["cpu"] = []
    found.scan(scheduler, False)
    assert found.read(0)[0]["s"]["scheduler_cpu"] == 0.0


# -- memory samples -------------------------------------------------------------------------------------------------


class Sampled:
    """A scheduler with the extension of MemorySampler."""

    def __init__(self) -> None:
        self.samples: dict[str, list[tuple[float, int]]] = {}
        self.extensions = {"memory_sampler": self}
        self.periodic_callbacks: dict[str, Any] = {}


@pytest.mark.parametrize("seed", range(4))
def test_samples_are_numbered_and_bounded(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_samples, "SAMPLES", 40)
    monkeypatch.setattr(memory_samples, "RUNS", 3)
    random_ = random.Random(seed)
    scheduler, found = Sampled(), MemorySamples()
    log: list[tuple[int, float, float]] = []
    begun: list[str] = []
    dropped = 0
    for step in range(200):
        if random_.random() < 0.1:
            begun.append(f"k{step}")
            scheduler.samples[begun[-1]] = []
        stopped = [key for key in scheduler.samples if key in found._ids and random_.random() < 0.05]
        for samples in scheduler.samples.values():
            samples.extend((float(step), i) for i in range(random_.randrange(3)))
        for key in scheduler.samples:
            seen = sum(1 for run, time, _ in log if run == begun.index(key) and time > 0)
            log += [(begun.index(key), *sample) for sample in scheduler.samples[key][seen:]]
            if key in stopped:
                log.append((begun.index(key), 0.0, -1.0))
        for key in stopped:
            del scheduler.samples[key]
        found.scan(scheduler)  # type: ignore[arg-type]
        assert found.end == len(log)
        kept = found.end - len(found._run)
        assert found.end - kept <= 40
        if len(log) - dropped > 40:
            dropped = len(log) - 40 + 4
        assert kept == dropped
        cursor = random_.randrange(found.end + 1)
        body, after = found.read(cursor)
        assert after == found.end
        first = max(cursor, kept)
        assert body["s"]["first"] == first
        assert body["s"].get("lost", 0) == first - cursor
        received = [
            (row["run"], row["time"], row["nbytes"] if row["nbytes"] == row["nbytes"] else -1.0) for row in rows(body)
        ]
        assert received == log[first:]
        ids = [run["id"] for run in body["s"]["runs"]]
        assert ids == sorted(ids)
        live = [begun.index(key) for key in scheduler.samples]
        assert set(live) <= set(ids)
        assert [run["stopped"] for run in body["s"]["runs"]] == [run["id"] not in live for run in body["s"]["runs"]]


def test_a_label_goes_to_the_newest_run_of_its_key() -> None:
    scheduler, found = Sampled(), MemorySamples()
    scheduler.samples["k"] = [(1.0, 5)]
    measure = "process"

    def callback() -> str:
        return measure

    scheduler.periodic_callbacks["MemorySampler-k"] = SimpleNamespace(callback=callback, callback_time=500)
    found.label(scheduler, "k", "first")  # type: ignore[arg-type]
    scheduler.samples.clear()
    found.scan(scheduler)  # type: ignore[arg-type]
    scheduler.samples["k"] = []
    found.label(scheduler, "k", "second")  # type: ignore[arg-type]
    found.label(scheduler, "none", "third")  # type: ignore[arg-type]
    runs = found.read(0)[0]["s"]["runs"]
    assert [(run["label"], run["measure"], run["interval"], run["stopped"]) for run in runs] == [
        ("first", "process", 0.5, True),
        ("second", "process", 0.5, False),
    ]
    assert found.end == 4


# -- events ---------------------------------------------------------------------------------------------------------


def test_events_are_numbered_and_the_oldest_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Events()
    found._ring = type(found._ring)(maxlen=5)
    for i in range(8):
        assert found.add(float(i), "all", {"action": f"a{i}"})
    for cursor in range(9):
        body, after = found.read(cursor)
        first = max(cursor, 3)
        assert after == 8
        assert values(body["c"]["time"]) == list(range(first, 8))
        assert body["s"]["action"] == [f"a{i}" for i in range(first, 8)]
        assert body["s"].get("lost", 0) == first - cursor
        assert body["s"]["first"] == first


def test_a_message_under_several_topics_is_one_event() -> None:
    found = Events()
    message = {"action": "retire", "n": 1}
    assert found.add(1.0, "all", message)
    assert not found.add(1.0, "tcp://w", message)
    assert found.add(1.0, "all", message)
    assert not found.add(1.0, "stealing", {"action": "x"})
    assert not found.add(1.0, "tcp://w", {"action": "add-worker"})
    assert not found.add(1.0, "Client-1", {"action": "add-client"})
    assert not found.add(1.0, "scheduler", {"action": "scatter"})
    assert found.add(1.0, "all", {"action": "add-worker"})
    assert found.add(1.0, "tcp://w", {"action": "rebalance", "status": "error"})
    assert found.add(1.0, "tcp://w", {"action": "pause"})
    assert found.add(1.0, "mine", "text")
    assert found.add(1.0, "other", "text")
    assert found.read(0)[0]["s"]["action"][-1] == "other"


# -- results in memory ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_results_in_memory_are_counted_once_and_copies_apart(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held, "PIECE", 3)
    random_ = random.Random(seed)
    prefixes = [Thing(name=name) for name in "fgh"]
    workers = [SimpleNamespace(has_what={}) for _ in range(3)]
    tasks = []
    for i in range(20):
        size = random_.choice([-1, 0, 5 + i])
        real = 7 if size < 0 else size
        ts = Thing(prefix=random_.choice(prefixes), nbytes=size, get_nbytes=lambda real=real: real)
        ts.who_has = set(random_.sample(range(3), random_.randrange(4)))
        for w in ts.who_has:
            workers[w].has_what[ts] = None
        tasks.append(ts)
    scheduler = SimpleNamespace(
        workers=dict(enumerate(workers)), replicated_tasks=[ts for ts in tasks if len(ts.who_has) > 1]
    )
    found: dict[Any, list[int]] = {}
    pauses = sum(1 for _ in count_held(scheduler, found))  # type: ignore[arg-type]
    expected: dict[str, list[int]] = {}
    for ts in tasks:
        if ts.who_has:
            totals = expected.setdefault(ts.prefix.name, [0, 0, 0])
            totals[0] += 1
            totals[1] += ts.get_nbytes()
            totals[2] += (len(ts.who_has) - 1) * ts.get_nbytes()
    assert {prefix.name: totals for prefix, totals in found.items()} == expected
    assert pauses >= sum(len(ws.has_what) for ws in workers) // 3 - 3


# -- executions of a task -------------------------------------------------------------------------------------------


async def test_executions_that_have_left_the_ring_meanwhile_are_not_listed() -> None:
    names = Names()
    for address in ("tcp://a", "tcp://b"):
        names.lane_ids[address, 1]
    kept = {7: {"lane": 0, "start": 1.0, "moves": [{"kind": 1}]}, 9: {"lane": 1, "start": 2.0, "moves": []}}

    async def find(key: str, prefix: str, at_most: int) -> list[int]:
        assert (key, prefix) == ("f-1", "f")
        return [9, 7, 3][:at_most]

    history: Any = Thing(find=find, execution=lambda row: dict(kept[row]) if row in kept else None)
    scheduler: Any = Thing(workers={"tcp://a": None})
    found = await Tasks(scheduler, names, None, history, {}, Looks())._executions("f-1", "f")  # type: ignore[arg-type]
    assert [(each["start"], each["worker"], each["gone"]) for each in found] == [
        (2.0, "tcp://b", True),
        (1.0, "tcp://a", False),
    ]
    assert [each["moves"] for each in found] == [[], [{"kind": "transfer"}]]


def test_the_worker_of_a_task_is_silent_once_it_has_missed_its_heartbeats(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("dask_panes.scheduler.collector.task.time", lambda: now[0])
    scheduler: Any = Thing(workers={"tcp://a": None})
    looks = Looks()
    tasks = Tasks(scheduler, Names(), None, None, {}, looks)  # type: ignore[arg-type]
    stopped: Any = Thing(last_seen=900.0)
    # At first the scheduler may have stood still itself: heartbeats are read after that.
    found = []
    for _ in range(4):
        looks.look(now[0])
        found.append(tasks._silent(stopped))
        now[0] += 1.0
    assert found == [False, False, True, True]
    assert not tasks._silent(Thing(last_seen=now[0] - 5))  # type: ignore[arg-type]
    now[0] += 10
    looks.look(now[0])
    assert not tasks._silent(stopped)


# -- the clock ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("step", "name"), [(1e-9, "thread_time"), (0.015, "perf_counter")])
def test_cpu_time_is_measured_only_in_small_steps(step: float, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "get_clock_info", lambda clock: SimpleNamespace(resolution=step))
    assert runpy.run_path(str(clock.__file__))["cpu_time"] is getattr(time, name)

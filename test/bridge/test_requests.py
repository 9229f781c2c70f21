"""When a reader is answered, and how servers are asked: the parts by themselves, with a clock of the test."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import Scheduler

from dask_panes.scheduler.collector import faults as faults_module
from dask_panes.scheduler.collector import reach as reach_module
from dask_panes.scheduler.collector.names import Names
from dask_panes.scheduler.collector.pace import LONGEST_POLL, Pace
from dask_panes.scheduler.collector.plugin import Collector
from dask_panes.scheduler.collector.polls import FEW_ROWS, LONGEST_DEBT, SOON, WORKER_ROWS
from dask_panes.scheduler.collector.portions import Portions
from dask_panes.scheduler.collector.reach import AT_ONCE, LONGEST_REST, REST, SCHEDULER, Reach
from dask_panes.scheduler.collector.topic import PROMPT, TASK_ROWS, TICK, Topic

# -- polls ----------------------------------------------------------------------------------------------------------


class Polled:
    """A collector that no scheduler has, with topics of the test: a number of rows, of which some are sent at once."""

    def __init__(self) -> None:
        self.collector = Collector()
        self.collector.scheduler = SimpleNamespace(workers={})  # type: ignore[assignment]
        self.rows: dict[str, int] = {}
        self.read: list[str] = []

    def topic(self, name: str, rows: int, at_once: int, interval: float = TICK) -> None:
        def read(cursor: int) -> tuple[dict[str, Any], int]:
            self.read.append(name)
            return {}, min(self.rows[name], cursor + at_once)

        self.rows[name] = rows
        self.collector.topics[name] = Topic(interval, lambda: self.rows[name], read)

    def due(self, topics: list[str], where: dict[str, int], now: float) -> tuple[list[str], float]:
        return self.collector.polls._due(topics, where, self.collector.pace.reader("a"), now)

    def answer(self, topics: list[str], where: dict[str, int], now: float) -> None:
        # As a read does before it answers.
        self.due(topics, where, now)
        self.collector.polls.answer(topics, where, self.collector.pace.reader("a"), now)


def test_a_topic_is_due_after_its_interval_and_at_first_also_without_rows() -> None:
    made = Polled()
    made.topic("x", 0, 10, interval=2.0)
    reader = made.collector.pace.reader("a")
    assert made.due(["x"], {}, 100.0) == (["x"], LONGEST_POLL)
    assert made.due(["x"], {"x": 0}, 100.0) == ([], LONGEST_POLL)
    reader.sent["x"] = 100.0
    made.rows["x"] = 1
    assert made.due(["x"], {"x": 0}, 101.5) == ([], 0.5)
    assert made.due(["x"], {"x": 0}, 102.0)[0] == ["x"]
    # The rest of what was sent in part does not wait.
    reader.portions.cut.add("x")
    assert made.due(["x"], {"x": 0}, 100.0)[0] == ["x"]
    assert made.due(["x"], {"x": 1}, 100.0)[0] == []
    assert not reader.portions.cut


def test_a_topic_that_waits_for_half_of_its_share_goes_with_one_that_is_due() -> None:
    made = Polled()
    reader = made.collector.pace.reader("a")
    made.collector.pace.floors = lambda: (4.0, {"expensive": 1.0})  # type: ignore[method-assign]
    for name in ("x", "y", "z", "expensive"):
        made.topic(name, 1, 10, interval=0.5)
    reader.sent.update(x=96.0, y=98.0, z=98.5, expensive=99.25)
    assert made.due(["x", "y", "z", "expensive"], dict.fromkeys(made.rows, 0), 100.0) == (["x", "y"], 0.25)
    # Alone it waits.
    assert made.due(["y", "z"], dict.fromkeys(made.rows, 0), 100.0) == ([], 2.0)


def test_few_rows_of_tasks_are_sent_soon_and_a_whole_frame_at_once() -> None:
    made = Polled()
    made.topic("tasks", 0, TASK_ROWS, interval=PROMPT)
    made.collector.pace.floors = lambda: (0.0, {})  # type: ignore[method-assign]
    made.collector.pace.reader("a").sent["tasks"] = 100.0

    def due_after(rows: int, first: int = 5) -> float:
        made.collector.history.end = made.rows["tasks"] = first + rows
        due, wait = made.due(["tasks"], {"tasks": first}, 100.0)
        return 0.0 if due else wait

    assert due_after(1) == due_after(FEW_ROWS - 1) == SOON
    assert due_after(FEW_ROWS) == due_after(TASK_ROWS - 1) == PROMPT
    # A reader that catches up would never finish.
    assert due_after(TASK_ROWS) == due_after(10 * TASK_ROWS) == 0.0
    made.topic("other", 10 * TASK_ROWS, 1)
    made.collector.pace.reader("a").sent["other"] = 100.0
    assert made.due(["other"], {"other": 0}, 100.0) == ([], TICK)


def test_rows_of_many_workers_are_sent_less_often() -> None:
    made = Polled()
    polls = made.collector.polls
    assert polls.interval("workers") == TICK
    made.collector.scheduler.workers = dict.fromkeys(range(2 * WORKER_ROWS))  # type: ignore[assignment]
    assert (polls.interval("workers"), polls.interval("groups")) == (2.0, made.collector.topics["groups"].interval)


def test_a_topic_that_failed_is_not_asked_for_until_it_may_be_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults_module, "monotonic", lambda: 50.0)
    made = Polled()
    made.topic("x", 1, 10)
    made.collector.faults.note("x", ValueError(), "read")
    assert made.due(["x"], {}, 100.0) == ([], faults_module.REST)
    monkeypatch.setattr(faults_module, "monotonic", lambda: 50.0 + faults_module.REST)
    assert made.due(["x"], {}, 100.0)[0] == ["x"]


def test_what_was_sent_in_many_parts_is_paid_for_by_a_pause_that_is_bounded() -> None:
    made = Polled()
    made.topic("x", 100, 1)
    pace, reader, where = made.collector.pace, made.collector.pace.reader("a"), {"x": 0}
    pace.floors = lambda: (2.0, {})  # type: ignore[method-assign]
    for now, paid in ((100.0, 100.0), (100.25, 102.0), (100.5, 104.0), (100.75, 105.75), (103.0, 107.75)):
        made.answer(["x"], where, now)
        assert reader.sent["x"] == paid <= now + LONGEST_DEBT
        assert reader.portions.cut == {"x"}
    # One part after a long time costs what one answer costs.
    made.answer(["x"], where, 200.0)
    assert reader.sent["x"] == 200.0
    made.rows["x"] = where["x"] + 1
    made.answer(["x"], where, 300.0)
    assert (reader.sent["x"], reader.portions.cut, where["x"]) == (300.0, set(), 7)


def test_what_an_answer_has_no_room_for_follows_with_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dask_panes.scheduler.collector.polls.ANSWER_BYTES", -1)
    made = Polled()
    reader, where = made.collector.pace.reader("a"), {"x": 0, "y": 0}
    made.topic("x", 1, 10)
    made.topic("y", 1, 10)
    reader.sent.update(x=99.0, y=98.0)
    made.answer(["x", "y"], where, 100.0)
    # The one that has waited longest comes first.
    assert (made.read, reader.portions.cut, where["x"], where["y"]) == (["y"], {"x"}, 0, 1)
    made.answer(["x"], where, 100.0)
    assert (made.read, reader.portions.cut, where["x"], where["y"]) == (["y", "x"], set(), 1, 1)


async def test_readers_get_at_once_what_they_lack_when_a_block_begins_or_ends() -> None:
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        collector = Collector()
        await scheduler.register_scheduler_plugin(collector, name=collector.name, idempotent=True)
        waits, other = collector.pace.reader("a"), collector.pace.reader("b")
        waits.future = asyncio.get_running_loop().create_future()
        for now in (False, True):
            for reader in (waits, other):
                reader.sent["groups"] = 1e12
            answer = await collector.ask("end", {"topics": ["groups", "tasks", "none"], "now": now})
            assert list(answer["cursor"]) == ["groups", "tasks"]
            assert ("first" in answer, waits.sent == {}, other.sent == {}, waits.future.done()) == (now,) * 4
        assert (waits.future.result(), other.woken) == (True, False)
        await collector.close()


def test_a_reader_that_never_asked_is_forgotten() -> None:
    pace = Pace()
    pace.reader("a").wake()
    pace.forget(1.0)
    assert pace.readers == {}


# -- requests to servers --------------------------------------------------------------------------------------------


class Server:
    """A worker as the scheduler reaches it: it answers, or raises what it is given."""

    def __init__(self, fails: BaseException | None = None) -> None:
        self.fails, self.asked, self.installed = fails, 0, 0
        self.answer: Any = "fine"
        self.hangs = False

    async def run(self, function: bytes) -> Any:
        self.installed += 1
        return {"status": "OK"}

    async def look(self, **given: Any) -> Any:
        self.asked += 1
        if self.hangs:
            await asyncio.sleep(60)
        if self.fails is not None:
            raise self.fails
        return self.answer if self.answer != "given" else given


class Asked:
    """Some servers, and a clock of the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
        self.now = 1000.0
        monkeypatch.setattr(reach_module, "monotonic", lambda: self.now)
        self.names = Names()
        self.servers = {f"tcp://{i}": Server() for i in range(count)}
        for address in self.servers:
            self.names.add_worker({"address": address, "name": address})
        self.scheduler: Any = SimpleNamespace(
            workers=dict.fromkeys(self.servers), blocked_handlers=[], handlers={}, rpc=self.servers.__getitem__
        )
        self.reach = Reach(self.scheduler, self.names)

    def __getitem__(self, i: int) -> Server:
        return self.servers[f"tcp://{i}"]

    async def ask(self, each: Any = None, timeout: float = 5.0, **more: int) -> dict[str, Any]:
        return await self.reach.ask("look", b"", {"a": 1}, each or {}, timeout, **more)


async def test_each_server_is_asked_and_those_that_fail_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Asked(monkeypatch, AT_ONCE + 8)
    made[1].fails = ValueError("no\udcff" * 500)
    made[2].fails = OSError("unreachable")
    made[3].answer = None
    made[4].answer = "given"
    found = await made.ask({4: {"b": 2}})
    assert sorted(server for server, _ in found["answers"]) == [0, *range(4, AT_ONCE + 8)]
    assert dict(map(tuple, found["answers"]))[4] == {"a": 1, "b": 2}
    failed = dict(map(tuple, found["failed"]))
    # Another server is at the address of the third one: it gets the code with the next request.
    assert sorted(failed) == [1, 2]
    assert failed[1].startswith("ValueError: no\\udcff")
    assert len(failed[1]) == 500
    assert failed[2] == "not reached: unreachable"
    assert (found["refusal"], found["workers"], found["next"]) == ("", AT_ONCE + 8, -1)
    made[3].answer = "here"
    found = await made.ask()
    assert dict(map(tuple, found["answers"]))[3] == "here"
    assert (made[0].installed, made[3].installed) == (1, 2)
    # An error in the answer is no reason to leave a server out, one that is not reached is left out.
    assert (made[1].asked, made[2].asked) == (2, 1)
    assert [error for server, error in found["failed"] if server == 2] == ["not reached: unreachable"]


async def test_a_server_that_does_not_answer_rests_longer_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Asked(monkeypatch, 2)
    made[1].hangs = True
    seconds = REST
    for asked in range(1, 10):
        for wait in (0.0, seconds - 0.5):
            made.now += wait
            found = await made.ask(timeout=0.01)
            assert found["failed"] == [[1, "no answer within 0.01 s"]]
            assert [server for server, _ in found["answers"]] == [0]
            assert made[1].asked == asked
        made.now += 0.5
        seconds = min(2 * seconds, LONGEST_REST)
    assert seconds == LONGEST_REST
    # Once it has answered, the next rest is short again.
    made[1].hangs = False
    assert (await made.ask(timeout=0.01))["failed"] == []
    made[1].hangs = True
    await made.ask(timeout=0.01)
    made.now += REST
    made[1].hangs = False
    assert (await made.ask(timeout=0.01))["failed"] == []


async def test_a_worker_that_has_left_is_neither_answered_nor_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Asked(monkeypatch, 2)

    async def leaves(**_: Any) -> Any:
        del made.scheduler.workers["tcp://1"]
        raise OSError

    made[1].look = leaves  # type: ignore[method-assign]
    found = await made.ask()
    assert (found["answers"], found["failed"]) == ([[0, "fine"]], [])


async def test_servers_are_asked_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Asked(monkeypatch, 5)
    parts, begin = [], 0
    while begin >= 0:
        found = await made.ask(begin=begin, at_most=2)
        parts.append(sorted(server for server, _ in found["answers"]))
        begin = found["next"]
    assert parts == [[0, 1], [2, 3], [4]]


async def test_nobody_is_asked_where_a_site_forbids_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Asked(monkeypatch, 3)
    made.scheduler.blocked_handlers = ["broadcast"]
    found = await made.ask()
    assert found["refusal"] == "explicitly disallowed: broadcast (distributed.scheduler.blocked-handlers)"
    assert (found["answers"], found["failed"], made[0].asked) == ([], [], 0)
    made.scheduler.blocked_handlers = ["run_function"]
    assert "run_function" in (await made.ask({SCHEDULER: {}}))["refusal"]
    made.scheduler.blocked_handlers = []

    async def refuses(function: bytes) -> Any:
        made[0].installed += 1
        raise RuntimeError("run is explicitly disallowed")

    for server in made.servers.values():
        server.run = refuses  # type: ignore[method-assign]
    for _ in range(2):
        found = await made.ask()
        assert "distributed.worker.blocked-handlers" in found["refusal"]
        assert (found["answers"], found["failed"]) == ([], [])
    # Each of the three was asked, once.
    assert made[0].installed == 3


def test_parts_end_where_the_first_one_saw_the_end_and_cost_together() -> None:
    portions = Portions()
    portions.begin("x", 10, first=False)
    portions.end("x", 4, 12)
    assert (portions.cut, portions.cost("x", 0.5, first=False)) == ({"x"}, None)
    portions.begin("x", 20, first=False)
    portions.end("x", 10, 20)
    assert (portions.cut, portions.cost("x", 0.25, first=False)) == (set(), 0.75)
    # All rows at the beginning are not what changes afterwards.
    portions.begin("x", 30, first=True)
    portions.end("x", 20, 30)
    assert portions.cost("x", 0.5, first=True) is None
    portions.begin("x", 30, first=False)
    portions.end("x", 30, 30)
    assert portions.cost("x", 0.5, first=False) is None
    # One that had no time for its first part begins with the next answer.
    portions.cut.add("y")
    portions.begin("y", 5, first=False)
    portions.end("y", 3, 3)
    assert portions.cut == set()

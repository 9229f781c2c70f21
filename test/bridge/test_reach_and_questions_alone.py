"""Requests to servers and questions to the collector, and values of single workers, without a cluster."""

from __future__ import annotations

import asyncio
import pickle
from array import array
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import dask
import pytest
from distributed import Scheduler, Worker

from dask_panes.scheduler.collector import plugin, reach, worker_series
from dask_panes.scheduler.collector.measures import MEASURES, WORKER_MEASURES
from dask_panes.scheduler.collector.names import Names
from dask_panes.scheduler.collector.plugin import ASK_HANDLER, PLUGIN_NAME, READ_HANDLER, Collector
from dask_panes.scheduler.collector.questions import Questions
from dask_panes.scheduler.collector.reach import Reach
from dask_panes.scheduler.collector.worker_series import WorkerSeries
from test_groups_alone import values
from test_worker_series import add_sample


def installed(server: Any) -> None:
    """Install a handler in a server."""
    server.handlers["op"] = lambda **given: given


INSTALL = pickle.dumps(installed)


class Servers:
    """A scheduler and its workers, as far as requests need them: `answers` has a function for each worker."""

    def __init__(self, count: int) -> None:
        self.workers: dict[str, Any] = {f"tcp://{i}": SimpleNamespace(processing={}) for i in range(count)}
        self.blocked_handlers: list[str] = []
        self.handlers: dict[str, Any] = {}
        self.asked: list[tuple[str, str]] = []
        self.answers: dict[str, Any] = {}
        self.installing: Any = lambda: {"status": "OK"}
        self.names = Names()
        for address in self.workers:
            self.names.add_worker({"address": address, "name": address})
        self.reach = Reach(self, self.names)  # type: ignore[arg-type]

    def rpc(self, address: str) -> Any:
        async def run(function: bytes) -> Any:
            self.asked.append((address, "install"))
            found = self.installing()
            return await found if asyncio.iscoroutine(found) else found

        async def op(**given: Any) -> Any:
            self.asked.append((address, "op"))
            found = self.answers.get(address, lambda **given: given)(**given)
            return await found if asyncio.iscoroutine(found) else found

        return SimpleNamespace(run=run, op=op)

    async def ask(self, each: Any = (), timeout: float = 5.0, **more: Any) -> dict[str, Any]:
        return await self.reach.ask("op", INSTALL, {"a": 1}, dict(each), timeout, **more)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    now = [1_000.0]
    monkeypatch.setattr(reach, "monotonic", lambda: now[0])
    yield now


def raising(error: Exception) -> Any:
    def answer(**given: Any) -> None:
        raise error

    return answer


# -- requests to servers --------------------------------------------------------------------------------------------


async def test_the_code_is_installed_once_in_each_worker() -> None:
    servers = Servers(3)
    reply = await servers.ask({1: {"b": 2}, 2: {"a": 3}})
    assert reply == {
        "answers": [[0, {"a": 1}], [1, {"a": 1, "b": 2}], [2, {"a": 3}]],
        "failed": [],
        "refusal": "",
        "workers": 3,
        "next": -1,
    }
    assert sorted(servers.asked) == [(f"tcp://{i}", kind) for i in range(3) for kind in ("install", "op")]
    # One first, then all others.
    assert servers.asked[:2] == [("tcp://0", "install"), ("tcp://0", "op")]
    servers.asked.clear()
    servers.reach.forget(1)
    await servers.ask()
    assert sorted(servers.asked) == [("tcp://0", "op"), ("tcp://1", "install"), ("tcp://1", "op"), ("tcp://2", "op")]
    assert (await Servers(0).ask())["answers"] == []


async def test_workers_are_asked_in_pages_in_the_order_of_their_ids() -> None:
    servers = Servers(5)
    servers.workers = dict(reversed(servers.workers.items()))
    for begin, at_most, ids, left in (
        (0, 2, [0, 1], 2),
        (2, 2, [2, 3], 4),
        (4, 2, [4], -1),
        (0, 5, [0, 1, 2, 3, 4], -1),
        (0, 4, [0, 1, 2, 3], 4),
        (1, 0, [1, 2, 3, 4], -1),
        (9, 2, [], -1),
    ):
        reply = await servers.ask(begin=begin, at_most=at_most)
        assert ([server for server, _ in reply["answers"]], reply["next"], reply["workers"]) == (ids, left, 5)


async def test_thirty_two_workers_are_asked_at_once() -> None:
    servers = Servers(70)
    running, most = [0], [0]

    async def slow() -> int:
        running[0] += 1
        most[0] = max(most[0], running[0])
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        running[0] -= 1
        return 1

    servers.answers = dict.fromkeys(servers.workers, lambda **given: slow())
    assert len((await servers.ask())["answers"]) == 70
    assert most == [32]


async def test_the_scheduler_itself_is_asked_without_its_workers() -> None:
    servers = Servers(2)
    reply = await servers.ask({-1: {"b": 2}})
    assert (reply["answers"], reply["workers"], reply["next"], servers.asked) == ([[-1, {"a": 1, "b": 2}]], 2, -1, [])
    servers.handlers["op"] = lambda **given: "changed"
    assert (await servers.ask({-1: {}}))["answers"] == [[-1, "changed"]]
    servers.handlers["mine"] = print
    servers.reach.leave()
    assert servers.handlers == {"mine": print}
    servers.reach.leave()


@pytest.mark.parametrize(("blocked", "each"), [("broadcast", {}), ("run_function", {-1: {}})])
async def test_where_a_site_forbids_dasks_own_handler_ours_is_not_used(blocked: str, each: Any) -> None:
    servers = Servers(1)
    servers.blocked_handlers = [blocked]
    reply = await servers.ask(each)
    refusal = f"explicitly disallowed: {blocked} (distributed.scheduler.blocked-handlers)"
    assert reply == {"answers": [], "failed": [], "refusal": refusal, "workers": 0, "next": -1}
    other = {} if each else {-1: {}}
    assert len((await servers.ask(other))["answers"]) == 1


REFUSAL = "explicitly disallowed: run (distributed.worker.blocked-handlers)"
REFUSES = raising(ValueError("the handler 'run' is explicitly disallowed"))


async def test_of_a_cluster_that_accepts_no_code_three_workers_are_asked_once() -> None:
    servers = Servers(5)
    servers.installing = REFUSES
    for _ in range(2):
        reply = await servers.ask()
        assert (reply["answers"], reply["failed"]) == ([], [])
        assert reply["refusal"] == REFUSAL
    assert servers.asked == [(f"tcp://{i}", "install") for i in range(3)]
    # Others have come in their place, which accept it.
    servers.installing = lambda: {"status": "OK"}
    for server in range(3):
        del servers.workers[f"tcp://{server}"]
        servers.reach.forget(server)
    reply = await servers.ask()
    assert (len(reply["answers"]), reply["refusal"]) == (2, "")
    configured = Servers(3)
    with dask.config.set({"distributed.worker.blocked-handlers": ["run"]}):
        assert (await configured.ask())["refusal"] == REFUSAL
    assert configured.asked == []
    alone = Servers(1)
    alone.installing = REFUSES
    assert (await alone.ask())["refusal"] == REFUSAL


@pytest.mark.parametrize("refuses", [0, 2])
async def test_the_refusal_of_one_worker_is_that_of_no_other(refuses: int) -> None:
    servers = Servers(3)

    def installing() -> Any:
        return REFUSES() if servers.asked[-1][0] == f"tcp://{refuses}" else {"status": "OK"}

    servers.installing = installing
    others = sorted({0, 1, 2} - {refuses})
    for _ in range(2):
        reply = await servers.ask()
        assert (sorted(server for server, _ in reply["answers"]), reply["refusal"]) == (others, "")
        assert reply["failed"] == [[refuses, REFUSAL]]
    assert servers.asked.count((f"tcp://{refuses}", "install")) == 1
    # The only one that is left.
    for server in others:
        del servers.workers[f"tcp://{server}"]
        servers.reach.forget(server)
    reply = await servers.ask()
    assert (reply["failed"], reply["refusal"]) == ([], REFUSAL)


@pytest.mark.parametrize("hangs", [False, True])
async def test_a_worker_that_is_not_reached_says_nothing_of_what_the_cluster_accepts(
    hangs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reach, "FIRST_SECONDS", 0.05)
    servers = Servers(9)

    async def installing() -> Any:
        if servers.asked[-1][0] in ("tcp://0", "tcp://2"):
            await asyncio.sleep(60 if hangs else 0)
            raise OSError("closed")
        return REFUSES()

    servers.installing = installing
    for failed in ([0, 2], []):
        reply = await servers.ask(timeout=1.0)
        assert ([server for server, _ in reply["failed"]], reply["refusal"]) == (failed, REFUSAL)
        # Each of the others would write an error.
        assert sorted(servers.asked) == [(f"tcp://{i}", "install") for i in range(5)]


async def test_where_no_worker_is_reached_all_are_asked_at_the_same_time() -> None:
    servers = Servers(9)
    servers.installing = lambda: asyncio.sleep(60)
    reply = await servers.ask(timeout=0.5)
    assert (len(reply["failed"]), reply["refusal"]) == (9, "")


async def test_code_that_cannot_be_installed_is_an_error_of_its_worker() -> None:
    servers = Servers(1)
    for installing, expected in (
        (lambda: {"status": "error", "exception_text": "no such module"}, "RuntimeError: no such module"),
        (lambda: {"status": "error"}, "RuntimeError: the code could not be installed"),
        (raising(KeyError("x" * 600)), "KeyError: '" + "x" * 489),
    ):
        servers.installing = installing
        assert (await servers.ask())["failed"] == [[0, expected]]
    # It is tried again at once.
    servers.installing = lambda: None
    assert (await servers.ask())["failed"] == []


async def test_a_worker_that_is_not_reached_rests_and_is_listed_with_the_reason(clock: list[float]) -> None:
    servers = Servers(2)
    servers.answers["tcp://1"] = raising(OSError("y" * 600))
    reason = f"not reached: {'y' * 487}"
    assert (await servers.ask())["failed"] == [[1, reason]]
    servers.asked.clear()
    for seconds in (10.0, 20.0, 40.0, 80.0, 160.0, 320.0, 600.0, 600.0):
        clock[0] += seconds - 0.5
        assert (await servers.ask())["failed"] == [[1, reason]]
        assert ("tcp://1", "op") not in servers.asked
        clock[0] += 0.5
        assert (await servers.ask())["failed"] == [[1, reason]]
        assert servers.asked.count(("tcp://1", "op")) == 1
        # Its connection was lost, so perhaps it is another one by now.
        assert servers.asked.count(("tcp://1", "install")) == 1
        servers.asked.clear()
    clock[0] += 600.0
    del servers.answers["tcp://1"]
    assert len((await servers.ask())["answers"]) == 2
    # After an answer it begins with a short rest.
    servers.answers["tcp://1"] = raising(OSError("z"))
    await servers.ask()
    clock[0] += 10.0
    del servers.answers["tcp://1"]
    assert len((await servers.ask())["answers"]) == 2


async def test_who_asks_once_only_also_asks_a_worker_that_rests(clock: list[float]) -> None:
    servers = Servers(2)
    servers.answers["tcp://1"] = raising(OSError("y"))
    await servers.ask()
    del servers.answers["tcp://1"]
    assert [server for server, _ in (await servers.ask())["failed"]] == [1]
    reply = await servers.ask(insist=True)
    assert (len(reply["answers"]), reply["failed"]) == (2, [])
    # It answers: so it rests no longer for the others either.
    assert (await servers.ask())["failed"] == []


async def test_a_worker_that_has_left_is_neither_answered_nor_failed(clock: list[float]) -> None:
    servers = Servers(2)

    def leave(**given: Any) -> None:
        del servers.workers["tcp://1"]
        raise OSError("closed")

    servers.answers["tcp://1"] = leave
    reply = await servers.ask()
    assert (reply["answers"], reply["failed"], reply["workers"]) == ([[0, {"a": 1}]], [], 2)
    assert servers.reach._resting == {}
    # Of one that rested and left nothing is remembered.
    servers.workers["tcp://1"] = None
    servers.answers["tcp://1"] = raising(OSError("closed"))
    await servers.ask()
    assert list(servers.reach._resting) == [1]
    del servers.workers["tcp://1"]
    await servers.ask()
    assert servers.reach._resting == {}


async def test_an_error_of_the_code_is_no_reason_to_rest() -> None:
    servers = Servers(1)
    servers.answers["tcp://0"] = raising(ValueError("w" * 600))
    for _ in range(2):
        assert (await servers.ask())["failed"] == [[0, f"ValueError: {'w' * 488}"]]
    assert servers.asked == [("tcp://0", "install"), ("tcp://0", "op"), ("tcp://0", "op")]


async def test_another_server_at_the_address_gets_the_code_next_time() -> None:
    servers = Servers(1)
    servers.answers["tcp://0"] = lambda **given: None
    reply = await servers.ask()
    assert (reply["answers"], reply["failed"]) == ([], [])
    del servers.answers["tcp://0"]
    assert len((await servers.ask())["answers"]) == 1
    assert servers.asked == [("tcp://0", "install"), ("tcp://0", "op")] * 2


async def test_a_worker_that_does_not_answer_in_time_rests(clock: list[float]) -> None:
    servers = Servers(1)
    servers.answers["tcp://0"] = lambda **given: asyncio.sleep(60)
    for _ in range(2):
        assert (await servers.ask(timeout=0.01))["failed"] == [[0, "no answer within 0.01 s"]]
    assert servers.asked.count(("tcp://0", "op")) == 1


async def test_no_worker_is_waited_for_longer_than_twenty_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[float] = []
    wait_for, loop = asyncio.wait_for, asyncio.get_running_loop()

    async def noted(awaitable: Any, timeout: float) -> Any:
        # Clients of other tests have event loops of their own.
        if asyncio.get_running_loop() is loop:
            limits.append(timeout)
        return await wait_for(awaitable, timeout)

    monkeypatch.setattr(asyncio, "wait_for", noted)
    servers = Servers(1)
    for timeout in (5.0, 20.0, 21.0):
        await servers.ask(timeout=timeout)
    assert limits == [5.0, 20.0, 20.0]


# -- questions ------------------------------------------------------------------------------------------------------


def execution(key: str, owner: Any) -> list[Any]:
    span = [{"action": "compute", "start": 1.0, "stop": 2.0}]
    return [key, owner, "tcp://a", 1, span, 8, "int"]


async def test_the_size_is_that_of_the_ring_and_the_graph_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dask_panes.scheduler.collector.history.CHUNK_ROWS", 4)
    collector = Collector(ring_rows=4)
    assert await collector.ask("size") == {"rows": 0, "bytes": 0}
    prefix = SimpleNamespace(name="f")
    for i in range(9):
        collector.history.extend(execution(f"f-{i}", SimpleNamespace(prefix=prefix)))
    rows = collector.history.end - collector.history.first
    assert (rows, collector.history.first) == (5, 4)
    collector.graph._source.extend(range(100))
    size = await collector.ask("size")
    assert size == {"rows": 5, "bytes": collector.history.nbytes + 400}
    assert size["bytes"] > 400


async def test_a_request_that_is_not_known_is_refused() -> None:
    collector = Collector()
    assert await collector.ask("x" * 101) == {"refused": f"The collector knows no request {'x' * 100!r}."}


async def test_two_hundred_keys_are_answered_at_once() -> None:
    collector = Collector()
    assert await collector.ask("numbers", {"numbers": list(range(201))}) == [None] * 200


async def test_a_cell_is_described_with_its_line_or_without() -> None:
    collector = Collector()
    given = {"client": "c", "cell": 1, "shown": 2, "code": "a\nb", "id": "i"}
    for more, line in (({}, 0), ({"line": 2}, 2)):
        assert await collector.ask("cell", {**given, **more}) is True
        assert collector.computations._cells["c", 1] == (2, "a\nb", "i", line)


async def test_the_end_is_the_position_of_each_topic_that_is_known() -> None:
    collector = Collector()
    collector.events.add(1.0, "mine", {"action": "x"})
    found = await collector.ask("end", {"topics": ["events", "tasks", "never"]})
    assert found["cursor"] == {"events": 1, "tasks": 0}
    assert (found["feed"], found["epoch"], "first" in found, "idle" in found) == (collector.feed, 0, False, False)


async def test_values_of_a_worker_are_read_after_a_time_or_from_the_beginning() -> None:
    collector = Collector()
    sample = tuple(float(i) for i in range(len(MEASURES)))
    for second in range(3):
        collector.worker_series.add(float(second), [0], [[value] for value in sample])
    for args, times in (({}, [0.0, 1.0, 2.0]), ({"after": 1}, [2.0]), ({"after": 0.5}, [1.0, 2.0])):
        found = await collector.ask("series", {"worker": 0, **args})
        assert values(found["time"]) == times
        assert values(found[WORKER_MEASURES[-1]]) == [float(MEASURES.index(WORKER_MEASURES[-1]))] * len(times)
    assert await collector.ask("series", {"worker": 1}) == {}


async def test_executions_that_are_not_in_the_ring_yet_are_written_for_a_question() -> None:
    prefix = SimpleNamespace(name="f")
    for name, args in (
        ("key", {"row": 0}),
        ("keys", {"row": 0, "chunk": -1, "groups": 0, "types": 0}),
        ("end", {"topics": ["tasks"]}),
    ):
        collector = Collector()
        collector.notes.pending.extend(execution("f-1", SimpleNamespace(prefix=prefix)))
        collector.notes.owners.append(None)
        found = await collector.ask(name, args)
        assert collector.history.end == 1
        if name == "key":
            assert found == {"key": "f-1", "type": "int"}
        elif name == "end":
            assert found["cursor"] == {"tasks": 1}


async def test_the_last_answers_of_a_scheduler_that_closes_have_what_is_new() -> None:
    collector = Collector()
    collector.events.add(1.0, "mine", {"action": "x"})
    collector.closed = True
    topics = ["events", "tasks"]
    first = await collector.read("a", topics=topics, timeout=60.0)
    assert (set(first["topics"]), first["cursor"]["events"]) == (set(topics), 1)
    collector.events.add(2.0, "mine", {"action": "y"})
    last = await collector.read("a", first["feed"], first["epoch"], first["cursor"], topics, timeout=60.0)
    assert (set(last["topics"]), last["cursor"]["events"]) == ({"events"}, 2)


def questions() -> tuple[Collector, Questions, list[Any]]:
    collector, done = Collector(), list[Any]()

    async def settle(seconds: float) -> None:
        done.append(seconds)

    async def remove() -> None:
        done.append("removed")

    return collector, Questions(collector, settle, remove), done


async def test_the_end_of_now_is_after_all_work_and_what_is_looked_at() -> None:
    collector, asked, done = questions()
    collector.events.add(1.0, "mine", {"action": "x"})
    collector.topics["events"] = collector.topics["events"]._replace(scan=lambda: done.append("scanned"))
    collector.series.end, collector.graph.end = 7, 5
    plain = await asked.ask("end", {"topics": ["events", "graph"]})
    assert (done, "first" in plain) == (["scanned"], False)
    collector.pace.hurry = lambda: done.append("hurried")  # type: ignore[method-assign]
    found = await asked.ask("end", {"topics": ["events", "graph"], "now": True})
    assert done == ["scanned", 3.0, "scanned", "hurried"]
    assert (found["first"], found["idle"]) == ({"events": 1, "graph": 5, "series": 6}, collector.idle)
    assert set(found["cursor"]) == {"events", "graph"}


async def test_a_reader_is_woken_and_one_that_is_not_known_is_nobody() -> None:
    collector, asked, done = questions()
    reader = collector.pace.reader("a")
    assert await asked.ask("wake", {"reader": "b"}) is None
    assert not reader.woken
    assert await asked.ask("wake", {"reader": "a"}) is None
    assert reader.woken
    assert (await asked.ask("remove"), done) == (True, ["removed"])


async def test_answers_of_servers_say_what_the_cluster_does() -> None:
    collector, asked, _ = questions()
    servers = Servers(2)
    collector.scheduler, collector.reach = servers, servers.reach  # type: ignore[assignment]
    servers.answers["tcp://0"] = lambda **given: {"pair": (1, 2)}
    given = {"op": "op", "install": INSTALL, "arguments": {}, "each": [[1, {"b": 2}]], "timeout": 5.0}
    reply = await asked.ask("servers", given)
    # It is sent as it is.
    assert reply["answers"] == [[0, {"pair": (1, 2)}], [1, {"b": 2}]]
    assert (reply["feed"], reply["executed"], reply["working"], reply["idle"], reply["readers"]) == (
        collector.feed,
        0,
        False,
        collector.idle,
        collector.pace.asking,
    )
    before = collector.pace.asking
    servers.workers["tcp://1"].processing = {"f-1": 1}
    reply = await asked.ask("servers", {**given, "asker": "kernel", "again": 60.0})
    assert (reply["working"], reply["readers"]) == (True, before + 1)
    assert (await asked.ask("servers", {**given, "asker": "", "again": 60.0}))["readers"] == before + 1


# -- the life of a collector ----------------------------------------------------------------------------------------


async def test_tasks_that_had_ended_before_the_first_collector_are_counted() -> None:
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        for name, memory, erred in (("f", 3, 1), ("g", 2, 0)):
            scheduler.new_task(f"{name}-1", None, "released")
            scheduler.task_prefixes[name].state_counts.update({"memory": memory, "erred": erred, "released": 50})
        first = Collector(version=(1, 1))
        await first.start(scheduler)
        scheduler.plugins[PLUGIN_NAME] = first
        assert first.earlier == 6
        assert scheduler.handlers[READ_HANDLER] == first.read
        await first.close()


async def test_a_newer_collector_goes_on_with_what_an_older_one_has() -> None:
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        first = Collector(version=(1, 1))
        await first.start(scheduler)
        scheduler.plugins[PLUGIN_NAME] = first
        first.earlier = 5
        first.events.add(1.0, "mine", {"action": "x"})
        second = Collector(version=(1, 2))
        await second.start(scheduler)
        scheduler.plugins[PLUGIN_NAME] = second
        assert (second.earlier, second.events.end, first.closed, second.closed) == (5, 1, True, False)
        assert second.meta.not_carried == ""
        assert scheduler.handlers[ASK_HANDLER] == second.ask
        # An older one does not replace it.
        with pytest.raises(RuntimeError, match="newer collector"):
            await first.__class__(version=(1, 1)).start(scheduler)
        await second.close()
        assert scheduler.handlers[READ_HANDLER] is plugin._gone
        assert second._ticker is None
        await second.close()


async def test_a_collector_that_was_taken_off_closes_with_its_next_tick() -> None:
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        found = Collector()
        await found.start(scheduler)
        scheduler.plugins[PLUGIN_NAME] = found
        found._tick()
        assert (found.closed, found._ticker is None) == (False, False)
        del scheduler.plugins[PLUGIN_NAME]
        found._tick()
        assert (found.closed, found._ticker) == (True, None)
        found._tick()
        assert found._ticker is None


async def test_what_dask_calls_is_recorded_and_never_raised() -> None:
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        found = Collector()
        await found.start(scheduler)
        scheduler.plugins[PLUGIN_NAME] = found
        scheduler.new_task("f-1", None, "waiting")
        found.update_graph(scheduler, client="c", tasks=["f-1"], stimulus_id="s")
        while found.graph.busy:
            await asyncio.sleep(0)
        assert (found.graph.text(0), list(found.computations.claims.owners)) == ("f-1", ["f-1"])
        events = found.events.end
        found.log_event("mine", {"action": "x"})
        assert (found.events.end, found.faults.messages()) == (events + 1, [])
        found.marked["f-1"] = "erred"
        found.restart(scheduler)
        assert (found.epoch, found.marked, found.graph.end, found.computations.claims.owners) == (1, {}, 0, {})
        found.add_worker(scheduler, "tcp://never")
        (message,) = found.faults.messages()
        assert message.startswith("workers: not up to date")
        ticker = found._ticker
        await found.close()
        assert ticker is not None
        assert ticker.cancelled()


async def test_workers_are_known_from_the_start_and_forgotten_when_they_leave() -> None:
    async with (
        Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler,
        Worker(scheduler.address, nthreads=1, dashboard=False) as worker,
    ):
        found = Collector()
        found.idleness.since = 1.0
        await found.start(scheduler)
        scheduler.plugins[PLUGIN_NAME] = found
        assert found.idleness.since is None
        ws = scheduler.workers[worker.address]
        number = found.names.worker_at(worker.address)
        assert (number, found.workers.of(0) is ws) == (0, True)
        assert found.transition is found._hook
        assert found.prefixes.episodes._prefixes is scheduler.task_prefixes
        # It leaves, with what was installed in it.
        found.reach._installed[0] = {"op"}
        found.idleness.since = 1.0
        found.notes.pending.extend(execution("f-1", SimpleNamespace(prefix=SimpleNamespace(name="f"))))
        found.notes.owners.append(None)
        found.remove_worker(scheduler, worker.address, stimulus_id="s")
        assert (found.workers.at(worker.address), found.reach._installed) == (None, {})
        assert (found.history.end, found.idleness.since, found.faults.messages()) == (1, None, [])
        # One that is not known leaves without an error.
        found.remove_worker(scheduler, "tcp://never")
        assert found.faults.messages() == []
        # It comes again as another one.
        found.idleness.since = 1.0
        found.add_worker(scheduler, worker.address)
        assert (found.workers.at(worker.address) is ws, found.idleness.since) == (True, None)
        assert found.names.worker_at(worker.address) > 0
        await found._remove()
        assert (PLUGIN_NAME in scheduler.plugins, found.closed) == (False, True)


# -- values of single workers ---------------------------------------------------------------------------------------

SAMPLE = tuple(float(i) for i in range(len(MEASURES)))
WIDTH = len(WORKER_MEASURES)


@pytest.mark.parametrize("begin", [0, 1, 2])
def test_every_second_point_of_the_common_axis_is_kept(begin: int) -> None:
    series = WorkerSeries(limit=0)
    for i in range(7):
        add_sample(series, float(i), {0: SAMPLE, **({1: SAMPLE} if i >= begin else {})})
    for _ in series.thin():
        pass
    assert [values(series.read(found)["time"]) for found in (0, 1)] == [
        [0.0, 2.0, 4.0, 6.0],
        [float(i) for i in range(0, 7, 2) if i >= begin],
    ]
    assert (series.step, series._values) == (2, WIDTH * (4 + len(range(begin + begin % 2, 7, 2))))
    # The next sample of every two is kept.
    add_sample(series, 7.0, {0: SAMPLE, 1: SAMPLE})
    assert values(series.read(0)["time"])[-1] == 6.0
    add_sample(series, 8.0, {0: SAMPLE, 1: SAMPLE})
    assert values(series.read(0, 5.0)["time"]) == [6.0, 8.0]
    assert values(series.read(1, 6.0)["time"]) == [8.0]


def test_values_are_thinned_when_there_are_more_than_the_limit() -> None:
    for limit, step in ((3 * WIDTH, 1), (3 * WIDTH - 1, 2)):
        series = WorkerSeries(limit=limit)
        for i in range(3):
            add_sample(series, float(i), {0: SAMPLE})
        for _ in series.thin():
            pass
        assert series.step == step


def test_a_slice_is_of_a_hundred_thousand_values_and_a_short_column_counts_as_250() -> None:
    assert (worker_series.SLICE, worker_series.COLUMN, worker_series.MOST_LEFT) == (400 * 250, 250, 2_000)
    for columns, pauses in ((399, 0), (400, 1), (799, 1), (800, 2)):
        series = WorkerSeries(limit=0)
        series._times = array("d", [1.0])
        series._workers = {i: (0, (array("f", [1.0]),)) for i in range(columns)}
        series._values = columns
        before = series._workers
        # One pause more for each 200 workers whose columns are freed.
        assert sum(1 for _ in series.thin()) == pauses + -(-columns // 200)
        assert before == {}


def test_a_worker_that_missed_a_sample_begins_again() -> None:
    series = WorkerSeries()
    add_sample(series, 0.0, {0: SAMPLE, 1: SAMPLE})
    add_sample(series, 1.0, {0: SAMPLE})
    add_sample(series, 2.0, {0: SAMPLE, 1: SAMPLE})
    assert [values(series.read(found)["time"]) for found in (0, 1)] == [[0.0, 1.0, 2.0], [2.0]]
    assert series._values == 4 * WIDTH


def test_workers_that_left_go_when_there_are_too_many_or_their_space_is_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker_series, "MOST_LEFT", 10)
    series = WorkerSeries()
    for i in range(11):
        add_sample(series, float(i), {100 + i: SAMPLE})
    assert len(series._workers) == 11
    # Ten have left, and the one that is there.
    add_sample(series, 11.0, {111: SAMPLE})
    assert [found - 100 for found in series._workers] == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    assert series._values == 10 * WIDTH
    few = WorkerSeries(limit=10 * WIDTH)
    for i in range(3):
        add_sample(few, float(i), {i: SAMPLE, 9: SAMPLE})
    for i in range(3, 7):
        add_sample(few, float(i), {9: SAMPLE})
    assert (list(few._workers), few._values) == ([0, 9, 1, 2], 10 * WIDTH)
    add_sample(few, 7.0, {9: SAMPLE})
    assert (list(few._workers), few._values) == ([9, 2], 9 * WIDTH)

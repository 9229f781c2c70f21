"""Shuffles: how far each P2P shuffle is, and what its workers have sent, received, stored and read back."""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from math import isnan, nan
from operator import ge
from time import sleep, time
from types import SimpleNamespace
from typing import Any

import dask
import dask.array as da
import pytest
from distributed import Client, Event, LocalCluster, secede, wait, worker_client

from dask_panes.feed.schema import DTYPES, SCHEMA
from dask_panes.files.block.cut import Cut
from dask_panes.scheduler import ship
from dask_panes.scheduler.collector import shuffles as table
from dask_panes.scheduler.collector.names import Names
from dask_panes.scheduler.collector.plugin import PLUGIN_NAME
from dask_panes.scheduler.collector.shuffle import BYTES, COST
from dask_panes.scheduler.collector.shuffles import BARRIERS, EARLIER, READ_ROWS, SHUFFLES, WORKERS, Shuffles
from reader import Reader, beat, rows

STATES = SCHEMA["enums"]["shuffleState"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    # The plans of a rechunk follow the size of blocks: with this one nothing is put together before.
    with (
        dask.config.set({"array.rechunk.method": "p2p", "array.chunk-size": "80kB"}),
        LocalCluster(n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
    ):
        yield cluster


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as client:
        client.sync(ship.register, client)
        yield client


class ShufflesReader:
    """Shuffles as a browser folds them."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def list(self) -> list[dict[str, Any]]:
        found: dict[int, dict[str, Any]] = {}
        for answer in self.reader.answers:
            body = answer["topics"].get("shuffles")
            if body is not None:
                texts = {item["id"]: item for item in body["s"]["texts"]}
                for row in rows(body["c"]):
                    at = {
                        self.reader.names["workers"][w]["address"]: b for i, w, *b in body["s"]["at"] if i == row["id"]
                    }
                    found[int(row["id"])] = {**row, **texts[int(row["id"])], "at": at, "in": STATES[int(row["state"])]}
        return [found[i] for i in sorted(found)]

    def states(self) -> list[str]:
        return [each["in"] for each in self.list()]


def rechunk(gate: str, size: int) -> Any:
    """The output of a rechunk from 10 rows to 10 columns of blocks; what takes output waits for a gate."""
    x = da.ones((size, size), chunks=(size // 10, size)).rechunk((size, size // 10), method="p2p")
    return x.map_blocks(hold_until, gate, dtype=float, meta=x._meta)


def hold_until(x: Any, gate: str) -> Any:
    # Other tasks get its thread: outputs of one shuffle could hold all of them before another one's input is read.
    secede()
    Event(gate).wait()
    return x


def test_two_at_once_and_one_afterwards(client: Client) -> None:
    reader = Reader(client)
    shuffles = ShufflesReader(reader)
    reader.until(lambda: bool(reader.rows["workers"]))
    assert shuffles.list() == []
    both = [client.persist(rechunk("first", size)) for size in (1000, 500)]
    sizes = [8e6, 2e6]

    def held() -> bool:
        beat(client)
        # The heartbeats of all workers after the last input.
        found = shuffles.list()
        moved = sorted(min(each[name] for name in ("sent", "received", "stored")) for each in found)
        # A moment after the last input nobody has counted the outputs yet.
        counted = not any(isnan(each["outputs_done"]) for each in found)
        return counted and shuffles.states() == ["unpacking"] * 2 and all(map(ge, moved, sorted(sizes)))

    reader.until(held)
    for found, size in zip(sorted(shuffles.list(), key=lambda each: -each["sent"]), sizes, strict=True):
        assert (found["inputs"], found["inputs_done"], found["outputs"]) == (10, 10, 10)
        assert 0 <= found["outputs_done"] < 10
        assert (found["kind"], found["on_disk"], found["workers"], found["told"]) == ("ArrayRechunkSpec", True, 2, 2)
        for name in ("sent", "received", "stored"):
            assert size <= found[name] < 1.1 * size
            place = list(BYTES).index(name)
            assert found[name] == sum(amounts[place] for amounts in found["at"].values())
        assert set(found["at"]) == set(client.scheduler_info()["workers"])
        assert isnan(found["stop"]) and found["start"] > 1e9
    Event("first").set()
    wait(both)
    reader.until(lambda: shuffles.states() == ["done", "done"])
    third = client.persist(rechunk("second", 800))
    reader.until(lambda: shuffles.states() == ["done", "done", "unpacking"])
    Event("second").set()
    wait(third)
    reader.until(lambda: shuffles.states() == ["done"] * 3)
    for found in shuffles.list():
        assert found["outputs_done"] == found["outputs"]
        assert found["stop"] >= found["start"]
    # What the first two moved is still reported.
    assert all(each["sent"] >= 2e6 for each in shuffles.list()[:2])
    # Idle, nothing is sent any more, and another reader gets the same.
    reader.arrive()
    before = len(reader.answers)
    reader.arrive()
    assert not any("shuffles" in answer["topics"] for answer in reader.answers[before:])
    late = Reader(client)
    late.arrive()
    assert [each["name"] for each in ShufflesReader(late).list()] == [each["name"] for each in shuffles.list()]
    assert ShufflesReader(late).states() == ["done"] * 3


def test_one_that_is_cancelled_has_stopped(client: Client) -> None:
    reader = Reader(client)
    shuffles = ShufflesReader(reader)
    reader.arrive()
    earlier = len(shuffles.list())
    work = client.persist(rechunk("never", 900))
    reader.until(lambda: shuffles.states()[earlier:] == ["unpacking"])
    del work
    reader.until(lambda: shuffles.states()[earlier:] == ["stopped"])
    Event("never").set()
    # Not known where none had been counted.
    assert not shuffles.list()[-1]["outputs_done"] >= 10


def test_one_that_begins_again_since_a_worker_left_begins_after_the_first_one_stopped() -> None:
    async def remove(dask_scheduler: Any) -> None:
        # It may not have gone when the next one begins, but is none of the workers any more.
        await dask_scheduler.remove_worker(next(iter(dask_scheduler.workers)), stimulus_id="test", close=False)

    options = {"n_workers": 2, "threads_per_worker": 2, "processes": False, "dashboard_address": None}
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        client.sync(ship.register, client)
        reader = Reader(client)
        shuffles = ShufflesReader(reader)
        work = client.persist(rechunk("leaves", 400))
        reader.until(lambda: shuffles.states() == ["unpacking"])
        client.run_on_scheduler(remove)
        Event("leaves").set()
        wait(work)
        reader.until(lambda: set(shuffles.states()) == {"stopped", "done"})
        ended = shuffles.list()
        assert [each["in"] for each in ended] == ["stopped"] * (len(ended) - 1) + ["done"]
        assert len({each["name"] for each in ended}) == 1
        for before, after in pairwise(ended):
            assert before["start"] <= before["stop"] <= after["start"] <= after["stop"]
        del work


def test_those_that_are_over_before_anybody_looks_are_known(client: Client) -> None:
    reader = Reader(client)
    shuffles = ShufflesReader(reader)
    reader.arrive()
    earlier, executions = len(shuffles.list()), len(reader.tasks)
    spans = []
    for i in range(10):
        begin = time()
        x = da.ones((200, 200), chunks=(100, 200), name=f"tiny-{i}").rechunk((200, 100), method="p2p")
        assert x.sum().compute() == 40_000
        spans.append((begin, time()))
    reader.arrive()
    found = shuffles.list()[earlier:]
    assert [each["in"] for each in found] == ["done"] * 10
    steps = [row for row in reader.tasks[executions:] if "rechunk" in reader.names["prefixes"][int(row["prefix"])]]
    wrong = []
    for (begin, end), each in zip(spans, found, strict=True):
        assert (each["inputs"], each["inputs_done"], each["outputs"], each["outputs_done"]) == (2, 2, 2, 2)
        assert (each["kind"], isnan(each["sent"])) == ("ArrayRechunkSpec", each["told"] == 0)
        assert begin - 1 <= each["start"] <= each["stop"] <= end
        ran = [(row["start"], row["start"] + row["duration"]) for row in steps if begin <= row["start"] <= end]
        # The first task begins it, by asking the scheduler.
        if ran:
            wrong.append(max(abs(each["start"] - min(ran)[0]), abs(each["stop"] - max(stop for _, stop in ran))))
    # On a busy machine, workers sometimes do not know the scheduler's clock.
    assert sorted(wrong)[3] < 0.1
    starts = [each["start"] for each in found]
    assert starts == sorted(starts)


def test_how_one_ended_is_known_where_nobody_has_looked(client: Client) -> None:
    def fail(x: Any) -> Any:
        raise ValueError("on purpose")

    reader = Reader(client)
    shuffles = ShufflesReader(reader)
    reader.arrive()
    earlier = len(shuffles.list())
    for i in range(5):
        x = da.ones((200, 200), chunks=(100, 200), name=f"fails-{i}").rechunk((200, 100), method="p2p")
        with pytest.raises(ValueError, match="on purpose"):
            x.map_blocks(fail, dtype=float, meta=x._meta).compute()
    reader.until(lambda: len(shuffles.list()) == earlier + 5)
    reader.until(lambda: "unpacking" not in shuffles.states())
    assert shuffles.states()[earlier:] == ["failed"] * 5
    assert all(each["inputs_done"] == each["inputs"] == 2 for each in shuffles.list()[earlier:])


@pytest.mark.parametrize("where", ["before", "after"])
def test_a_failure_elsewhere_is_one_of_the_shuffle_only_where_its_tasks_needed_it(client: Client, where: str) -> None:
    def under_way() -> int:
        with worker_client() as inner:
            return int(
                inner.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.plugins["shuffle"].active_shuffles))
            )

    def fail_late(x: Any, block_id: Any) -> Any:
        while block_id == (9, 0) and under_way() == 0:
            sleep(0.01)
        return x if block_id != (9, 0) else fail(x)

    def hold(x: Any, block_id: Any) -> Any:
        if block_id != (0, 0):
            secede()
            Event(f"others {where}").wait()
        return x

    def fail(x: Any) -> Any:
        raise ValueError("on purpose")

    reader = Reader(client)
    shuffles = ShufflesReader(reader)
    reader.arrive()
    earlier = len(shuffles.list())
    x = da.ones((400, 400), chunks=(40, 400), name=f"fails {where}")
    kind = {"dtype": float, "meta": x._meta}
    work = (x.map_blocks(fail_late, **kind) if where == "before" else x).rechunk((400, 40), method="p2p")
    if where == "after":
        # What takes output and what holds it are one task, what fails is another one.
        work = dask.optimize(work.map_blocks(hold, **kind))[0].map_blocks(fail, **kind)
    with pytest.raises(ValueError, match="on purpose"):
        work.compute(optimize_graph=False)
    reader.until(lambda: len(shuffles.list()) == earlier + 1 and shuffles.states()[-1] not in ("sending", "unpacking"))
    Event(f"others {where}").set()
    found = shuffles.list()[-1]
    assert (found["in"], found["outputs_done"]) == (("failed", 0) if where == "before" else ("stopped", 1))


def output(state: str, nbytes: int = -1) -> Any:
    return SimpleNamespace(state=state, nbytes=nbytes)


@pytest.mark.parametrize("outputs", [9, COST + 1])
def test_how_many_outputs_of_a_short_one_ran_is_counted_at_its_end(outputs: int) -> None:
    its, plugin = scheduler()
    shuffles = Shuffles(Names())
    shuffles.begin(its)
    source = SimpleNamespace(state="memory", group=SimpleNamespace(start=0.0))
    barrier = SimpleNamespace(
        dependencies=[source], dependents=[output("waiting")] * (outputs + 2), exception_blame=None
    )
    its.tasks["shuffle-barrier-7"] = barrier
    active = begin(plugin, Active(7, "7"))
    for start, finish in (("waiting", "processing"), ("processing", "memory")):
        shuffles.passed(its, "shuffle-barrier-7", start, finish)
    assert isnan(last(shuffles)["outputs_done"]), "nobody has counted them"
    # One has failed, and one has not run since.
    barrier.dependents = [output("memory", 8), output("erred"), output("released")] + [output("released", 8)] * (
        outputs - 1
    )
    active._failed = True
    end(plugin, active, "task-erred-1")
    shuffles.passed(its, "shuffle-barrier-7", "memory", "released")
    assert (last(shuffles)["state"], last(shuffles)["outputs"]) == (STATES.index("failed"), outputs + 2)
    assert repr(last(shuffles)["outputs_done"]) == (f"{outputs}.0" if outputs < COST else "nan")


class Group(list[int]):
    """Tasks of a group; its length is that of all parts of a rechunk."""

    start = 1000.0


def test_the_start_of_a_part_of_a_rechunk_and_of_one_that_begins_again_is_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = 2000.0
    monkeypatch.setattr(table, "time", lambda: clock)
    its, plugin = scheduler()
    shuffles = Shuffles(Names())
    shuffles.begin(its)
    source = SimpleNamespace(state="memory", group=Group([0] * 2))
    its.tasks["shuffle-barrier-7"] = SimpleNamespace(
        state="waiting", dependencies=[source], dependents=[output("waiting")], exception_blame=None
    )
    run = begin(plugin, Active(0, "7"))
    clock = 2000.2
    shuffles.look(its)
    assert last(shuffles)["start"] == 2000.0, "its group began with another part"
    plugin.heartbeats["7"] = {"tcp://0": {"start": 2000.1}}
    clock = 2000.9
    shuffles.passed(its, "shuffle-barrier-7", "waiting", "processing")
    assert last(shuffles)["start"] == 2000.1
    # A worker leaves.
    del plugin.heartbeats["7"]
    end(plugin, run, "handle-worker-cleanup-1")
    shuffles.passed(its, "shuffle-barrier-7", "processing", "released")
    assert (last(shuffles)["start"], last(shuffles)["stop"]) == (2000.1, 2000.9)
    clock = 2001.0
    begin(plugin, Active(1, "7"))
    shuffles.passed(its, "shuffle-barrier-7", "waiting", "processing")
    assert (last(shuffles)["id"], last(shuffles)["start"]) == (1, 2000.9)
    # After a takeover, one that the earlier collector has not seen.
    begin(plugin, Active(2, "8"))
    its.tasks["shuffle-barrier-8"] = its.tasks["shuffle-barrier-7"]
    shuffles._looked_at = 0.0
    shuffles.begin(its)
    assert last(shuffles)["start"] == 2001.0


def last(shuffles: Shuffles) -> dict[str, float]:
    """The row of the newest."""
    body, _ = shuffles.read(0)
    return {name: values(column)[-1] for name, column in body["c"].items()}


def values(column: Any) -> list[float]:
    dtype, data = column
    return array(DTYPES[dtype]["array"], data).tolist()


def scheduler(beats: dict[str, Any] | None = None) -> tuple[Any, Any]:
    plugin = SimpleNamespace(
        active_shuffles={}, _shuffles=defaultdict(set), heartbeats={} if beats is None else beats, barriers={}
    )
    return SimpleNamespace(plugins={"shuffle": plugin}, tasks={}, task_prefixes={}), plugin


class Active:
    """What Dask keeps of a run, in its older releases, too."""

    def __init__(self, run: int, name: Any = None, workers: int = 1) -> None:
        self.id = f"shuffle {run}" if name is None else name
        self.run_id, self._failed, self._archived_by = run, False, None
        self.participating_workers = {f"tcp://{i}" for i in range(workers)}
        self.run_spec = SimpleNamespace(spec=SimpleNamespace(id=self.id, disk=True))


def begin(plugin: Any, active: Active) -> Active:
    plugin.active_shuffles[active.id] = active
    plugin._shuffles[active.id].add(active)
    return active


def end(plugin: Any, active: Active, by: str) -> None:
    active._archived_by = by
    del plugin.active_shuffles[active.id]


def test_one_that_is_not_as_we_know_it_does_not_disturb_the_others() -> None:
    its, plugin = scheduler()
    shuffles = Shuffles(Names())
    shuffles.begin(its)
    odd = begin(plugin, Active(0))
    del odd.run_spec.spec.disk
    with pytest.raises(AttributeError):
        shuffles.look(its)
    begin(plugin, Active(1))
    shuffles.look(its)
    assert (list(shuffles._shuffles), shuffles._active) == ([0], {1: 0})
    del plugin.heartbeats
    version = shuffles.version
    shuffles.look(its)
    assert shuffles.version == version


def test_a_barrier_that_is_forgotten_while_shuffles_are_suspended_is_not_waited_for(client: Client) -> None:
    def suspend(dask_scheduler: Any) -> None:
        dask_scheduler.plugins[PLUGIN_NAME].faults.note("shuffles", ValueError("on purpose"), "test")

    def barriers(dask_scheduler: Any) -> int:
        collector = dask_scheduler.plugins[PLUGIN_NAME]
        collector.faults._resting.clear()
        return len(collector.shuffles.barriers)

    work = client.persist(rechunk("suspended", 300))
    Reader(client).until(lambda: client.run_on_scheduler(barriers) == 1)
    client.run_on_scheduler(suspend)
    Event("suspended").set()
    wait(work)
    del work
    Reader(client).until(lambda: client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)) == 0)
    assert client.run_on_scheduler(barriers) == 0


def test_without_shuffles_nothing_is_kept() -> None:
    for plugins in ({}, {"shuffle": object()}):
        shuffles = Shuffles(Names())
        shuffles.look(SimpleNamespace(plugins=plugins, tasks={}))  # type: ignore[arg-type]
        assert shuffles.version == 0


def test_the_newest_are_kept_and_an_answer_is_bounded() -> None:
    shuffles = Shuffles(Names())
    its, plugin = scheduler()
    shuffles.look(its)
    for i in range(3 * SHUFFLES):
        active = begin(plugin, Active(i))
        shuffles.look(its)
        end(plugin, active, "task-finished-1")
        if i % 2:
            shuffles.look(its)
        if i > 5:
            del plugin._shuffles[f"shuffle {i - 5}"]
    shuffles.look(its)
    cursor, received = 0, []
    while cursor < shuffles.version:
        body, cursor = shuffles.read(cursor)
        assert len(body["s"]["texts"]) <= READ_ROWS
        assert body["s"]["kept"] == 2 * SHUFFLES
        received += values(body["c"]["id"])
    assert sorted(received) == list(range(2 * SHUFFLES, 3 * SHUFFLES))
    assert len(shuffles._known) <= 7 and not shuffles._active
    assert shuffles.read(0)[0]["s"]["older"] == []
    # One under way stays, and the newest that have ended.
    long = begin(plugin, Active(500))
    for i in range(501, 501 + 2 * SHUFFLES):
        active = begin(plugin, Active(i))
        shuffles.look(its)
        end(plugin, active, "task-finished-1")
    shuffles.look(its)
    scalars = shuffles.read(0)[0]["s"]
    assert (scalars["kept"], scalars["older"]) == (4 * SHUFFLES + 2, [3 * SHUFFLES])
    end(plugin, long, "task-finished-1")
    # More at once than are kept.
    for i in range(1000, 1000 + 2 * SHUFFLES):
        begin(plugin, Active(i))
    shuffles.look(its)
    shuffles.look(its)
    assert len(shuffles._shuffles) == SHUFFLES == len(shuffles._active) == len(shuffles._after)
    plugin.active_shuffles.clear()
    plugin._shuffles.clear()
    shuffles.look(its)
    assert not shuffles._active and not shuffles._known


def test_one_that_is_forgotten_while_it_is_unpacked_has_stopped_and_only_barriers_are_waited_for() -> None:
    shuffles = Shuffles(Names())
    its, plugin = scheduler()
    tasks = [SimpleNamespace(state="memory", group=SimpleNamespace(start=0.0)) for _ in range(3)]
    barrier = SimpleNamespace(state="memory", dependencies=tasks[:1], dependents=tasks[1:])
    its.tasks = {"shuffle-barrier-7": barrier, ("shuffle-barrier-x", 1): None, "inc-1": None}
    shuffles.begin(its)
    assert not shuffles.barriers, "no function of that name is known"
    its.task_prefixes["shuffle-barrier"] = None
    shuffles.begin(its)
    assert shuffles.barriers == {"shuffle-barrier-7"}
    active = begin(plugin, Active(7, "7"))
    shuffles.passed(its, "shuffle-barrier-7", "processing", "memory")
    # Dask's own plugin has ended it, and knows nothing of it any more.
    end(plugin, active, "client-releases-keys-1")
    plugin._shuffles.clear()
    shuffles.passed(its, "shuffle-barrier-7", "memory", "forgotten")
    body, _ = shuffles.read(0)
    row = {name: values(column)[0] for name, column in body["c"].items()}
    assert (STATES[int(row["state"])], row["inputs"], row["inputs_done"], row["outputs"]) == ("stopped", 1, 1, 2)
    assert isnan(row["outputs_done"]) and row["start"] <= row["stop"]
    # At the start, among many tasks, it is not searched for.
    its.tasks = {**dict.fromkeys(range(EARLIER)), **its.tasks}
    shuffles.barriers.clear()
    shuffles.begin(its)
    assert not shuffles.barriers
    # Of too many, some are not waited for; none is after the scheduler was cleared.
    shuffles.expect(its, (f"shuffle-barrier-{i}" for i in range(2 * BARRIERS)))
    assert len(shuffles.barriers) == BARRIERS
    # Of those that are gone meanwhile, none is.
    its.tasks = {"shuffle-barrier-5": None}
    shuffles.expect(its, ["shuffle-barrier-x"])
    assert shuffles.barriers == {"shuffle-barrier-5", "shuffle-barrier-x"}
    shuffles.restart()
    assert not shuffles.barriers


def test_those_that_ended_before_are_left_out_and_how_one_ended_is_reported() -> None:
    shuffles = Shuffles(Names())
    its, plugin = scheduler({"under way": {"tcp://0": {"start": 1700000000.0}}})
    end(plugin, begin(plugin, Active(0)), "task-finished-1")
    begin(plugin, Active(1, "under way"))
    shuffles.look(its)
    ways = {"task-finished-5": "done", "task-erred-5": "failed", "client-releases-keys-5": "stopped"}
    for run, by in enumerate(ways, 2):
        active = begin(plugin, Active(run))
        shuffles.look(its)
        end(plugin, active, by)
    blamed = begin(plugin, Active(9))
    blamed._failed = True
    end(plugin, blamed, "task-finished-5")
    shuffles.look(its)
    body, _ = shuffles.read(0)
    by_id = dict(zip(values(body["c"]["id"]), values(body["c"]["state"]), strict=True))
    assert [STATES[int(by_id[i])] for i in range(5)] == ["sending", *ways.values(), "failed"]
    assert values(body["c"]["start"])[list(by_id).index(0)] == 1700000000.0


def test_the_start_of_one_that_was_there_before_is_in_the_schedulers_time() -> None:
    names = Names()
    names.set_clock_delay("tcp://0", 60.0)
    names.set_clock_delay("tcp://1", -3600.0)
    beats = {"shuffle 0": {"tcp://0": {"start": 1_000.0}, "tcp://1": {"start": 4_662.0}, "tcp://2": {}}}
    shuffles = Shuffles(names)
    its, plugin = scheduler(beats)
    begin(plugin, Active(0, workers=3))
    shuffles.look(its)
    assert values(shuffles.read(0)[0]["c"]["start"]) == [1_060.0]


def test_a_look_is_bounded_and_of_many_workers_those_that_moved_most_are_reported() -> None:
    names = Names()
    beats = {}
    for i in range(1000):
        names.add_worker({"address": f"tcp://{i}", "name": str(i)})
        beats[f"tcp://{i}"] = {"comm": {"written": i, "read": 1, "memory": 2}, "disk": {"written": 3}}
    its, plugin = scheduler({f"shuffle {run}": beats for run in range(10)})
    shuffles = Shuffles(names)
    shuffles.look(its)
    for run in range(10):
        begin(plugin, Active(run, workers=1000))
    looked = []
    for _ in range(5):
        shuffles._next_look = 0.0
        shuffles.look(its)
        looked.append(sum(each.figures[0] == 1000 for each in shuffles._shuffles.values()))
    assert looked == [2, 4, 6, 8, 10]
    assert COST == 30_000
    body, _ = shuffles.read(0)
    assert sum(len(repr(entry)) for entry in body["s"]["at"]) < 100_000
    mine = [entry for entry in body["s"]["at"] if entry[0] == 0]
    assert [entry[1] for entry in mine] == list(range(999, 999 - WORKERS, -1))
    assert values(body["c"]["sent"])[0] == sum(range(1000))
    before = shuffles.version
    shuffles._next_look = 0.0
    shuffles.look(its)
    assert shuffles.version == before


@pytest.mark.parametrize(
    "beat",
    [
        *(None, 5, "x", [], {}, {"comm": 5, "disk": None}),
        *({"comm": {"written": value, "read": "1", "memory": []}} for value in (nan, -1, 1e300, 2**5000, "x", None)),
    ],
)
def test_odd_heartbeats_and_names_are_no_amounts(beat: Any) -> None:
    names = Names()
    names.add_worker({"address": "tcp://0", "name": "\udcff"})
    name = "a\udcff" * 500
    its, plugin = scheduler({name: {"tcp://0": beat, 7: beat}})
    shuffles = Shuffles(names)
    begin(plugin, Active(1, name))
    shuffles.look(its)
    body, _ = shuffles.read(0)
    assert [len(text["name"]) for text in body["s"]["texts"]] == [200]
    assert re.fullmatch(r"(a|\\udcff)+\\?u?d?c?f?", body["s"]["texts"][0]["name"])
    assert values(body["c"]["sent"]) == [0.0]


def test_a_recorded_block_has_those_that_ran_in_it() -> None:
    def frame(*shuffles: tuple[int, float, float]) -> dict[str, Any]:
        columns = {
            "id": array("H", [i for i, _, _ in shuffles]),
            "stop": array("d", [stop for _, stop, _ in shuffles]),
            "sent": array("d", [sent for _, _, sent in shuffles]),
        }
        scalars = {
            **{"kept": 3, "older": [1]},
            "texts": [{"id": i} for i, _, _ in shuffles],
            "at": [[i, 0, sent] for i, _, sent in shuffles],
        }
        return {"epoch": 0, "topics": {"shuffles": {"c": columns, "s": scalars}}}

    cut = Cut({}, 100.0)
    before = cut.frame(frame((4, 90.0, 1.0), (5, nan, 2.0)))["topics"]["shuffles"]
    cut.begun = True
    after = cut.frame(frame((4, 90.0, 1.0), (5, 110.0, 3.0), (6, nan, 4.0)))["topics"]["shuffles"]
    assert [list(body["c"]["id"]) for body in (before, after)] == [[5], [5, 6]]
    assert list(after["c"]["sent"]) == [3.0, 4.0]
    assert after["s"] == {"texts": [{"id": 5}, {"id": 6}], "at": [[5, 0, 3.0], [6, 0, 4.0]]}

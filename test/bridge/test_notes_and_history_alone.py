"""Executions from the hook into the ring, samples of memory, events and calls, without a cluster: every bound."""

from __future__ import annotations

import json
import random
from array import array
from collections import defaultdict, deque
from math import inf, nan
from types import SimpleNamespace
from typing import Any

import pytest

from dask_panes.kernel.session.mirror import mirror_prefix
from dask_panes.scheduler.collector import events as events_module
from dask_panes.scheduler.collector import history as history_module
from dask_panes.scheduler.collector import memory_samples, notes, shares
from dask_panes.scheduler.collector.call import _words
from dask_panes.scheduler.collector.columns import DTYPES
from dask_panes.scheduler.collector.computations import Computations
from dask_panes.scheduler.collector.episodes import Episodes
from dask_panes.scheduler.collector.events import READ_ROWS, Events
from dask_panes.scheduler.collector.faults import Faults
from dask_panes.scheduler.collector.history import History
from dask_panes.scheduler.collector.memory_samples import MemorySamples
from dask_panes.scheduler.collector.names import Names
from dask_panes.scheduler.collector.notes import Notes
from dask_panes.scheduler.collector.submission import Submission

CODES = {dtype: code for code, dtype in DTYPES.items()}


def values(column: tuple[str, bytes]) -> list[Any]:
    found = array(CODES[column[0]])
    found.frombytes(column[1])
    return list(found)


# -- notes ----------------------------------------------------------------------------------------------------------


class World:
    """The notes of one function's executions and where they go."""

    def __init__(self, *names: str) -> None:
        self.prefixes = {name: mirror_prefix(name) for name in ("f", *names)}
        self.prefix = self.prefixes["f"]
        self.history = History(Names(), 1_000)
        self.faults = Faults()
        self.episodes = Episodes(lambda _: (0, 0), lambda _: None)
        self.episodes.begin(self.prefixes)
        self.computations = Computations(lambda: None, pytest.fail, list, defaultdict(int))
        self.computations.begin({})
        self.notes = Notes(self.history, self.episodes, self.computations, self.faults)
        self.count = 0

    def computation(self) -> int:
        given = Submission("c", "s", 0.0, len(self.computations._rows) + 1, None, None, ("",))
        return self.computations.submit(given, [], 1.0)

    def note(self, owner: int | None, failed: bool = False, size: Any = 1, name: str = "f") -> None:
        if failed:
            self.notes.failed.append(len(self.notes.owners))
        task = SimpleNamespace(prefix=self.prefixes[name])
        span = [{"action": "compute", "start": self.count, "stop": self.count + 1}]
        self.notes.pending += (f"f-{self.count}", task, "tcp://a", 1, span, size, "int")
        self.notes.owners.append(owner)
        self.count += 1

    def runs(self) -> list[list[int]]:
        return list(self.computations.read(0)[0]["s"]["rows"])


def test_executions_that_were_written_at_several_times_are_consecutive_rows() -> None:
    world = World()
    one, two = world.computation(), world.computation()
    world.note(one)
    world.note(one, failed=True)
    assert (world.notes.end, world.history.end) == (2, 0)
    world.notes.write()
    world.note(two, failed=True)
    world.note(two)
    world.note(two)
    assert (world.notes.end, world.history.end) == (5, 2)
    world.notes.write()
    world.notes.write()
    assert (world.notes.end, world.history.end, world.notes.pending, world.notes.failed) == (5, 5, [], [])
    rows = world.computations._rows
    assert [rows[number].done for number in (one, two)] == [0, 0]
    world.notes.drain()
    assert [(rows[number].done, rows[number].erred) for number in (one, two)] == [(1, 1), (2, 1)]
    assert world.runs() == [[0, one, 2], [2, two, 3]]
    assert world.episodes.recent(world.prefix, world.episodes.of(world.prefix, 1.0))[0] == 5
    # Each counts once, and the next ones follow.
    world.notes.drain()
    world.note(one)
    world.notes.drain()
    assert (rows[one].done, world.runs()) == (2, [[0, one, 2], [2, two, 3], [5, one, 1]])
    assert world.faults.messages() == []


@pytest.mark.parametrize("seed", range(20))
def test_executions_that_are_counted_in_slices_are_counted_as_if_at_once(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(seed)
    monkeypatch.setattr(notes, "PIECE", rng.randint(1, 7))
    # More functions than a computation has shares.
    names = [f"f{i}" for i in range(8)]
    monkeypatch.setattr(shares, "FUNCTIONS", 3)
    worlds = World(*names), World(*names)
    slices = worlds[0].notes.counting()
    owners, _ = [(world.computation(), world.computation()) for world in worlds]
    for world in worlds:
        for owner in owners:
            world.computations._claimed(owner, ["f", *names] * 20, 0, [], 0)
    for _ in range(60):
        what = rng.random()
        if what < 0.6:
            more = {"failed": rng.random() < 0.3, "size": rng.randint(1, 9), "name": rng.choice(["f", *names])}
            owner = rng.choice([None, *owners])
            for world in worlds:
                world.note(owner, **more)
        elif what < 0.8:
            for world in worlds:
                world.notes.write()
        elif next(slices, slices) is slices:
            slices = worlds[0].notes.counting()
    for world in worlds:
        world.notes.drain()
        assert not world.notes._written and not world.notes._written_failed and not world.notes._written_owners
    figures = ("done", "erred", "left", "nbytes", "compute", "start", "stop")
    # As text: what is not known is NaN.
    counted = [
        repr([[getattr(row, name) for name in figures] for row in world.computations._rows.values()])
        for world in worlds
    ]
    assert counted[0] == counted[1], f"seed {seed}"
    recent = [[world.episodes._recent.of(name)[0] for name in world.prefixes] for world in worlds]
    assert recent[0] == recent[1], f"seed {seed}"
    assert [world.faults.messages() for world in worlds] == [[], []]
    assert worlds[0].runs() == worlds[1].runs()


def test_a_slice_counts_a_bounded_number_of_executions_each_of_another_function() -> None:
    names = [f"load_{i}" for i in range(2 * notes.PIECE + 1)]
    world = World(*names)
    one = world.computation()
    for name in names:
        world.note(one, name=name)
    world.notes.write()
    done = [world.computations._rows[one].done for _ in world.notes.counting()]
    assert done == [notes.PIECE, 2 * notes.PIECE, 2 * notes.PIECE + 1]


@pytest.mark.parametrize("at", [0, 1])
def test_where_an_execution_could_not_be_written_the_rows_of_the_others_are_not_known(at: int) -> None:
    world = World()
    one = world.computation()
    for turn in range(2):
        world.note(one, size="many" if turn == at else 1)
        world.note(one)
        world.notes.write()
    world.notes.drain()
    assert (world.history.end, world.history.refused) == (3, 1)
    assert world.computations._rows[one].done == 4
    assert world.runs() == []
    # Those that come later are known again.
    world.note(one)
    world.notes.drain()
    assert [run for run in world.runs() if run[1] == one] == [[3, one, 1]]


def test_what_one_part_cannot_count_the_other_does(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    one = world.computation()
    monkeypatch.setattr(world.episodes, "_prefixes", None)
    world.note(one)
    world.notes.drain()
    assert world.computations._rows[one].done == 1
    assert [message.split(":")[0] for message in world.faults.messages()] == ["prefixes"]


def test_two_thousand_executions_are_written_at_once() -> None:
    assert notes.BATCH == 14_000


# -- the ring -------------------------------------------------------------------------------------------------------


def flat(count: int, begin: int = 0, **more: Any) -> list[Any]:
    task = SimpleNamespace(prefix=SimpleNamespace(name="f"))
    found: list[Any] = []
    for i in range(begin, begin + count):
        span = [{"action": "compute", "start": float(i), "stop": i + 0.5}]
        found += (f"f-{i}", task, "tcp://a", 1, more.get("span", span), more.get("size", i), "int")
    return found


@pytest.mark.parametrize(("first", "then"), [(1, 16), (15, 16), (16, 16), (3, 48), (0, 33), (10, 7)])
def test_executions_fill_chunks_in_order_wherever_these_begin(
    first: int, then: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_module, "CHUNK_ROWS", 16)
    ring = History(Names(), 1_000)
    wrote: list[tuple[int, list[str]]] = []
    ring.wrote = lambda at, keys: wrote.append((at, keys))
    ring.extend(flat(first))
    failed = list(range(0, then, 3))
    ring.extend(flat(then, first), failed)
    total = first + then
    assert ring.end == total
    found = [ring.execution(row) for row in range(total)]
    assert [each and each["start"] for each in found] == [float(i) for i in range(total)]
    assert [i - first for i, each in enumerate(found) if each and each["erred"]] == failed
    assert [len(chunk) for chunk in ring._chunks] == [16] * (total // 16) + [total % 16] * (total % 16 > 0)
    assert [key for at, keys in wrote for key in keys] == [f"f-{i}" for i in range(total)]
    assert [at for at, _ in wrote] == [sum(len(keys) for _, keys in wrote[:i]) for i in range(len(wrote))]


def test_chunks_leave_when_what_is_left_reaches_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_module, "CHUNK_ROWS", 4)
    ring = History(Names(), 8)
    firsts = []
    for i in range(17):
        ring.extend(flat(1, i))
        firsts.append(ring.first)
    assert firsts == [0] * 12 + [4] * 4 + [8]
    empty = History(Names(), 8)
    assert (empty.first, empty.refused, empty.refusal) == (0, 0, "")


def test_executions_that_cannot_be_written_leave_no_gap_and_say_why() -> None:
    ring = History(Names(), 1_000)
    broken = flat(5)
    broken[7 + 5], broken[3 * 7 + 4] = "many", [{"action": "compute", "start": 1.0}]
    ring.extend(broken, [0, 3, 4])
    assert (ring.end, ring.refused, ring.refusal) == (3, 2, "KeyError: 'stop'")
    found = [ring.execution(row) for row in range(3)]
    assert [each and (each["start"], each["erred"]) for each in found] == [(0.0, True), (2.0, False), (4.0, True)]
    assert [each["key"] for each in map(ring.describe, range(3)) if each] == ["f-0", "f-2", "f-4"]
    ring.extend(flat(1, 9, size="x" * 500))
    assert (len(ring.refusal) <= 300, ring.refused) == (True, 3)


def test_a_failed_task_without_an_execution_ends_with_its_last_interval() -> None:
    names = Names()
    names.set_clock_delay("tcp://a", 100.0)
    ring = History(names, 1_000)
    kinds = ("transfer", "disk-read", "disk-write", "deserialize", "other")
    span = [{"action": kind, "start": float(i), "stop": 9.0 - i} for i, kind in enumerate(kinds)]
    span[0]["source"] = "tcp://b"
    names.add_worker({"address": "tcp://b", "name": "b"})
    ring.extend(flat(1, span=span, size=None), [0])
    found = ring.execution(0)
    assert found is not None
    assert (found["start"], found["duration"], found["erred"], found["nbytes"]) == (9.0, 0.0, True, 0.0)
    # What is on disk and unpickling has the clock of the worker.
    moves = [(move["kind"], move["start"], move["duration"]) for move in found["moves"]]
    assert moves == [(1, 0.0, 9.0), (2, 101.0, 7.0), (3, 102.0, 5.0), (4, 103.0, 3.0)]
    assert values(ring.read(0, 9)[0]["m"]["peer"]) == [1, 0, 0, 0]
    assert "m" not in ring.read(1, 9)[0]


# -- samples of memory ----------------------------------------------------------------------------------------------


class Sampled:
    """A scheduler with the extension of MemorySampler."""

    def __init__(self, **samples: list[tuple[float, int]]) -> None:
        self.samples: dict[str, Any] = samples
        self.extensions = {"memory_sampler": self}
        self.periodic_callbacks: dict[str, Any] = {}


def test_nothing_is_sampled_without_the_extension() -> None:
    found, scheduler = MemorySamples(), Sampled()
    scheduler.extensions.clear()
    found.scan(scheduler)  # type: ignore[arg-type]
    assert (found.end, found.read(0)[0]["s"]) == (0, {"first": 0, "runs": []})


def test_samples_are_copied_as_they_come_and_to_the_end() -> None:
    found, scheduler = MemorySamples(), Sampled(a=[(1.0, 10)], b=[])

    def log(cursor: int) -> list[tuple[int, float, str]]:
        columns = [values(column) for column in found.read(cursor)[0]["c"].values()]
        return [(run, time, str(nbytes)) for run, time, nbytes in zip(*columns, strict=True)]

    for _ in range(2):
        found.scan(scheduler)  # type: ignore[arg-type]
        assert log(0) == [(0, 1.0, "10.0")]
    scheduler.samples["b"].append((2.0, 20))
    scheduler.samples["a"].extend([(2.5, 25), (2.75, 30)])
    kept = scheduler.samples.pop("a")
    kept.append((3.0, 35))
    found.scan(scheduler)  # type: ignore[arg-type]
    assert log(1) == [(0, 2.5, "25.0"), (0, 2.75, "30.0"), (0, 3.0, "35.0"), (0, 0.0, "nan"), (1, 2.0, "20.0")]
    runs = found.read(0)[0]["s"]["runs"]
    assert [(run["id"], run["key"], run["stopped"], run["label"], run["measure"]) for run in runs] == [
        (0, "a", True, "", ""),
        (1, "b", False, "", ""),
    ]
    # The same key again is another run.
    scheduler.samples["a"] = [(9.0, 1)]
    found.scan(scheduler)  # type: ignore[arg-type]
    assert log(6) == [(2, 9.0, "1.0")]
    found.label(scheduler, "a", "x" * 1_001)  # type: ignore[arg-type]
    assert [run["label"] for run in found.read(0)[0]["s"]["runs"]] == ["", "", "x" * 1_000]
    # Readers hear of it by a row without a value.
    assert log(7) == [(2, 0.0, "nan")]
    scheduler.samples["k" * 1_001] = []
    found.label(scheduler, "k" * 1_001, "new")  # type: ignore[arg-type]
    newest = found.read(0)[0]["s"]["runs"][-1]
    assert (newest["key"], newest["label"]) == ("k" * 1_000, "new")


def test_half_a_million_samples_of_two_hundred_runs_are_kept() -> None:
    assert (memory_samples.SAMPLES, memory_samples.RUNS) == (500_000, 200)


def test_the_oldest_runs_leave_when_they_have_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_samples, "RUNS", 2)
    found, scheduler = MemorySamples(), Sampled(a=[], b=[], c=[])

    def ids() -> list[int]:
        found.scan(scheduler)  # type: ignore[arg-type]
        return [run["id"] for run in found.read(0)[0]["s"]["runs"]]

    assert ids() == [0, 1, 2]
    del scheduler.samples["b"]
    assert ids() == [0, 2]
    scheduler.samples["d"] = []
    assert ids() == [0, 2, 3]
    del scheduler.samples["a"]
    assert ids() == [2, 3]


def test_samples_beyond_the_bound_leave_a_tenth_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_samples, "SAMPLES", 20)
    found, scheduler = MemorySamples(), Sampled(a=[(float(i), i) for i in range(20)])
    found.scan(scheduler)  # type: ignore[arg-type]
    assert found.read(0)[0]["s"]["first"] == 0
    scheduler.samples["a"] += [(20.0, 20), (21.0, 21)]
    found.scan(scheduler)  # type: ignore[arg-type]
    body, cursor = found.read(0)
    assert (body["s"]["first"], body["s"]["lost"], cursor) == (4, 4, 22)
    assert values(body["c"]["time"]) == values(body["c"]["nbytes"]) == [float(i) for i in range(4, 22)]
    body, _ = found.read(5)
    assert ("lost" in body["s"], values(body["c"]["time"])[0]) == (False, 5.0)


def test_the_measure_of_a_sampler_is_a_text_of_its_timer() -> None:
    def timer(measure: Any) -> Any:
        return SimpleNamespace(callback=lambda: measure, callback_time=250.0)

    for given, expected in (
        (timer("process"), ("process", 0.25)),
        (timer("x" * 101), ("x" * 100, 0.25)),
        (timer(5), ("", 0.25)),
        (SimpleNamespace(callback=print, callback_time=500.0), ("", 0.5)),
        (SimpleNamespace(callback=lambda: 0), ("", 0.0)),
        (None, ("", 0.0)),
    ):
        scheduler = SimpleNamespace(periodic_callbacks={"MemorySampler-k": given} if given else {})
        assert memory_samples._settings(scheduler, "k") == expected  # type: ignore[arg-type]


# -- events ---------------------------------------------------------------------------------------------------------


def shown(message: Any) -> Any:
    found = Events()
    assert found.add(1.0, "mine", message)
    return json.loads(found.read(0)[0]["s"]["text"][0])


def test_twenty_parts_of_a_list_or_a_map_are_reported() -> None:
    twenty = list(range(20))
    assert shown(twenty) == twenty
    assert shown([*twenty, 20]) == [*twenty, "… 1 more"]
    assert shown(deque(range(25))) == [*twenty, "… 5 more"]
    assert shown({str(i): i for i in twenty}) == {str(i): i for i in twenty}
    assert shown({str(i): i for i in range(22)}) == {**{str(i): i for i in twenty}, "…": "2 more"}
    # Plain values come first, each kind in its order.
    assert list(shown({"a": [1], "b": 1, "c": {}, "d": 2})) == ["b", "d", "a", "c"]


def test_five_hundred_parts_of_a_message_are_reported() -> None:
    # The message and 20 lists are 21 parts, the values the others.
    wide = [[0] * 20 for _ in range(20)]
    assert shown(wide) == wide
    many = [[[0] * 3 for _ in range(20)] for _ in range(20)]
    text = events_module._brief(many, [500])
    flat_parts: list[Any] = []

    def parts(value: Any) -> None:
        flat_parts.append(value)
        for each in value if isinstance(value, list) else ():
            parts(each)

    parts(text)
    assert sum(1 for part in flat_parts if part != "…") == 500
    assert "…" in flat_parts
    assert events_module._brief(0, [1]) == 0
    assert events_module._brief(0, [0]) == "…"
    for most, last in ((3, 0), (4, "…")):
        others = [[0] * 20 for _ in range(19)]
        assert shown([[[0] * most, *[[0] * 4] * 19], *others])[-1] == [*[0] * 19, last]


def test_what_is_nested_too_deep_is_not_reported() -> None:
    assert events_module._brief([[1]], [9], 2) == [["…"]]
    assert events_module._brief({"a": {"b": 1}}, [9], 2) == {"a": {"b": "…"}}
    assert events_module._brief([[1]], [9], 3) == [[1]]


def test_values_are_reported_as_json_knows_them() -> None:
    assert shown([1, 2.5, True, None, inf, -inf, nan]) == [1, 2.5, True, None, "inf", "-inf", "nan"]
    assert shown([b"ab\n", bytearray(b"x"), b"\xff\x00", "é"]) == ["<3 bytes>", "b'x'", "<2 bytes>", "é"]
    assert events_module._brief("x" * 3_000, [9]) == "x" * 2_000
    assert events_module._brief(b"x" * 3_000, [9]) == "b'" + "x" * 1_998
    assert events_module._brief(bytes(3_000), [9]) == "<3000 bytes>"
    assert events_module._brief(SimpleNamespace(), [9]) == "namespace()"
    assert events_module._brief(SimpleNamespace(x="y" * 3_000), [9]) == "namespace(x='" + "y" * 1_987
    assert len(events_module._json("x" * 5_000)) == 2_000


def test_the_newest_ten_thousand_events_are_kept_with_short_names() -> None:
    found = Events()
    found._ring.extend([(0.0, "", "", "")] * 10_000)
    found.end = 10_000
    assert "lost" not in found.read(0)[0]["s"]
    found.add(1.0, "t" * 300, {"action": "a" * 300})
    body, after = found.read(0)
    assert (body["s"]["first"], body["s"]["lost"], after) == (1, 1, 1 + READ_ROWS)
    count = len(values(body["c"]["time"]))
    while after < found.end:
        body, after = found.read(after)
        assert "lost" not in body["s"]
        count += len(values(body["c"]["time"]))
    assert (after, count) == (10_001, 10_000)
    assert (body["s"]["topic"][-1], body["s"]["action"][-1]) == ("t" * 200, "a" * 200)
    # A message without an action has its topic's name.
    found.add(1.0, "mine", {"x": 1})
    assert found.read(10_001)[0]["s"]["action"] == ["mine"]


def test_an_empty_message_may_come_again_under_another_topic() -> None:
    found = Events()
    message: dict[str, Any] = {}
    assert found.add(1.0, "one", message)
    assert found.add(1.0, "two", message)
    one = {"action": "x"}
    assert [found.add(1.0, topic, one) for topic in ("one", "one", "two", "all")] == [True, True, False, False]


# -- what a task is called with -------------------------------------------------------------------------------------


def test_containers_are_named_two_levels_deep() -> None:
    assert _words({"a": {"b": {"c": 1}}}) == "{'a': {'b': <dict>}}"
    assert _words([[[1]], (2,)]) == "[[<list>], (2,)]"
    assert _words({(1, (2, (3,))): 0}) == "{(1, <tuple>): 0}"
    assert _words({5}) == "{5}"
    assert _words({i: i for i in range(6)}) == "{0: 0, 1: 1, 2: 2, 3: 3, 4: 4, …}"
    assert _words(list(range(5))) == "[0, 1, 2, 3, 4]"
    assert _words([]) == "[]"


def test_values_of_python_are_written_and_large_ones_named() -> None:
    assert [_words(value) for value in (None, True, 2.5, 1j, 7, "é", b"x")] == [
        "None",
        "True",
        "2.5",
        "1j",
        "7",
        "'é'",
        "b'x'",
    ]
    assert (_words(2**1000 - 1), _words(2**1000)) == (repr(2**1000 - 1), "<int>")
    assert (_words("x" * 200), _words("x" * 201)) == (f"'{'x' * 200}'", f"'{'x' * 200}'…")

    class Number(int):
        """A number that is a user's object."""

    class Text(str):
        """A text that is a user's object."""

    assert (_words(Number(5)), _words(Text("x")), _words(defaultdict(int))) == ("<Number>", "<Text>", "<defaultdict>")

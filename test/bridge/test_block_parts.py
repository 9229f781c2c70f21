"""The parts of a block's recording by themselves: the thread that writes, what gathers, the keys, and the file."""

from __future__ import annotations

import asyncio
import io
from array import array
from collections.abc import Callable
from concurrent import futures
from pathlib import Path
from queue import Empty
from time import monotonic, time
from types import SimpleNamespace
from typing import Any

import pytest

from dask_panes.feed.codec import encode
from dask_panes.files import blocks
from dask_panes.files.block import feed as feed_module
from dask_panes.files.block import gathering as gathering_module
from dask_panes.files.block import thread as thread_module
from dask_panes.files.block.cut import Cut
from dask_panes.files.block.feed import BlockFeed
from dask_panes.files.block.gathering import Gathering
from dask_panes.files.block.keys import FEW_GROUPS, KeysKnown, first_keys
from dask_panes.files.block.target import Target
from dask_panes.files.block.thread import WritingThread
from dask_panes.files.blocks import BlockReader, BlockWriter, RecordingError
from dask_panes.files.format.tables import State
from dask_panes.files.format.writer import RecordingWriter
from dask_panes.files.place import Place
from dask_panes.files.recording import Recording
from dask_panes.kernel.gather.probe import SCHEDULER
from dask_panes.kernel.gather.row_log import RowLog
from dask_panes.scheduler.collector.graph import CHUNK, Graph
from dask_panes.scheduler.collector.keys import KeyColumn, groups_in
from dask_panes.scheduler.collector.measures import MEASURES
from dask_panes.scheduler.collector.series import COARSE, FINE_POINTS, Series, sample_cluster
from test_cut import Frames, rows, table

# -- keys -----------------------------------------------------------------------------------------------------------


def wire(code: str, *values: int) -> tuple[str, bytes]:
    return {"B": "u1", "H": "u2", "I": "u4"}[code], array(code, values).tobytes()


def answer(
    chunk: int, groups: list[str], types: list[str], packed: bytes, *begins: int, begin: int = 0
) -> dict[str, Any]:
    return {
        **{"first": 7, "chunk": chunk, "groups": groups, "types": types, "packed": packed, "begin": begin},
        **{
            "offsets": wire("I", *(begin + at for at in begins)),
            "type": wire("B", *(i % 2 for i in range(len(begins)))),
        },
    }


def test_names_of_keys_are_asked_for_once_and_groups_again_in_each_chunk() -> None:
    known = KeysKnown()
    assert known.question(5) == {"row": 5, "chunk": -1, "groups": 0, "types": 0}
    keys = known.take(answer(0, ["g", "h"], ["int"], b"abcdef", 0, 1, 4, begin=100))
    assert (keys["first"], list(keys["length"]), keys["packed"]) == (7, [1, 3, 2], b"abcdef")
    assert (list(keys["type"]), keys["all_groups"], keys["all_types"]) == ([0, 1, 0], ["g", "h"], ["int"])
    assert known.question(9) == {"row": 9, "chunk": 0, "groups": 2, "types": 1}
    known.take(answer(0, ["i"], ["str"], b"", 0))
    assert (known.groups, known.types) == (["g", "h", "i"], ["int", "str"])
    known.take(answer(1, ["x"], [], b"", 0))
    assert (known.groups, known.types, known.question(0)["chunk"]) == (["x"], ["int", "str"], 1)


@pytest.mark.parametrize("many", [False, True])
def test_the_first_keys_have_the_names_that_they_use(many: bool) -> None:
    names = [f"g{i}" for i in range(FEW_GROUPS + many)]
    column = KeyColumn()
    column.extend([("g1", 0), ("g3", 1), "text-1", ("g5", 2)], ["g1", "g3", "text", "g5"])
    known = KeysKnown()
    packed = bytes(column.packed_bytes)
    begins = [0]
    for length in lengths_of(column):
        begins.append(begins[-1] + length)
    keys = known.take(answer(0, names, ["int", "str"], packed, *begins[:-1]))
    found = first_keys(keys, 2)
    assert (list(found["length"]), found["packed"]) == (lengths_of(column)[:2], packed[: begins[2]])
    assert (list(found["type"]), found["types"]) == ([0, 1], {0: "int", 1: "str"})
    assert first_keys(keys, 1)["types"] == {0: "int"}
    # Of few names, all are written: to look for those that are used takes longer.
    used = range(len(names)) if not many else groups_in(packed[: begins[2]], begins[:2])
    assert len(used) == (2 if many else FEW_GROUPS)
    assert found["groups"] == {number: names[number] for number in used}


def lengths_of(column: KeyColumn) -> list[int]:
    ends = [*column.offsets[1:], len(column.packed_bytes)]
    return [end - begin for begin, end in zip(column.offsets, ends, strict=True)]


# -- blocks and states ----------------------------------------------------------------------------------------------


def test_a_block_without_facts_has_no_frames_times_and_rows() -> None:
    file = io.BytesIO()
    writer = BlockWriter(file)
    writer.add(blocks.KEYS, b"x")
    writer.finish("", [])
    (block,) = BlockReader(io.BytesIO(file.getvalue())).blocks
    assert (block.frames, block.start, block.end, block.first_row, block.rows) == (0, 0.0, 0.0, 0, 0)


def test_a_table_without_rows_of_its_own_has_its_scalars() -> None:
    state = State()
    state.add("workers", {"c": {"id": array("H", [1])}, "s": {"x": 1}})
    state.add("meta", {"s": {"title": "a"}})
    assert state.bodies() == {
        "meta": {"c": {}, "s": {"title": "a"}},
        "workers": {"c": {"id": array("H", [1])}, "s": {"x": 1}},
    }


def test_a_graph_that_says_nothing_of_what_was_dropped_has_dropped_nothing() -> None:
    cut = Frames("graph", graph=0).send(table({"prefix": 1}, first=0))
    assert cut["s"] == {"first": 0, "kept": 0, "latest": 0, "not_kept": 0, "edges_not_kept": 0}
    assert len(rows(cut)) == 1


# -- collector ------------------------------------------------------------------------------------------------------


def test_points_of_ten_seconds_last_until_the_last_of_theirs_did() -> None:
    series = Series()
    values = tuple(dict.fromkeys(MEASURES, 1.0).values())
    for i in range(FINE_POINTS + COARSE):
        series.add(sample_cluster(float(i), [("a", values)] * 2), 0.0, quiet=False)
    assert [list(column) for column in series._coarse[:3]] == [[0.0], [COARSE - 1.0], [2]]


def test_a_key_that_was_used_again_is_its_newest_task() -> None:
    graph = object.__new__(Graph)
    graph.first = 3 * CHUNK
    graph._keys = []
    graph._together = {}
    assert graph.find("inc-1", "inc") == -1
    for keys in (["inc-1", "inc-2", "inc-1"], ["inc-3", "inc-2", "inc-2"]):
        column = KeyColumn()
        column.extend(keys, ["inc"] * len(keys))
        graph._keys.append(column)
    assert [graph.find(f"inc-{i}", "inc") - graph.first for i in (1, 2, 3)] == [2, CHUNK + 2, CHUNK]
    assert graph.find("inc-4", "inc") == -1


# -- gathering ------------------------------------------------------------------------------------------------------


class Source:
    """Gathers numbers, and raises what it is given to raise."""

    def __init__(self, topic: str, interval: float = 1000.0) -> None:
        self.topic, self.interval = topic, interval
        self.values: list[int] = []
        self.unread: dict[int, str] = {}
        self.begins: Any = None
        self.looks: Any = None
        self.log: list[Any] = []

    @property
    def end(self) -> int:
        return len(self.values)

    def read(self, cursor: int) -> tuple[Any, int]:
        # One value at a time: a body is bounded. Nothing is a state, too.
        value = self.values[cursor] if cursor < len(self.values) else None
        return {"c": {}, "s": {"first": cursor, "value": value}}, min(cursor + 1, len(self.values))

    async def begin(self, _: Any) -> None:
        self.log.append("begin")
        if callable(self.begins):
            await self.begins()
        elif self.begins is not None:
            raise self.begins

    async def look(self, _: Any, last: bool = False) -> None:
        self.log.append(("look", last))
        if callable(self.looks):
            await self.looks()
        elif self.looks is not None:
            raise self.looks
        self.values.append(len(self.values))


class Workers:
    """Say what time it is, unless they are closing."""

    def __init__(self) -> None:
        self.failed: Any = {}
        self.refusal = ""
        self.asked = 0

    async def workers(self, _: Any, insist: bool) -> Any:
        assert insist
        self.asked += 1
        if callable(self.failed):
            await self.failed()
        return SimpleNamespace(failed=self.failed, of={1: {}}, idle=False, refusal=self.refusal)


def gather(
    body: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    *sources: Source,
    topics: tuple[str, ...] = ("a", "logs", "b"),
) -> None:
    async def whole() -> None:
        monkeypatch.setattr(gathering_module, "make_sources", lambda: list(sources))
        reach, emitted = Workers(), []
        gathering = Gathering(reach, emitted.append, topics)  # type: ignore[arg-type]
        await asyncio.wait_for(body(gathering, reach, emitted), 30)
        gathering.stop()

    asyncio.run(whole())


def values_of(emitted: list[Any]) -> list[tuple[str, Any]]:
    return [(topic, body["s"]["value"]) for each in emitted for topic, body in each.items()]


def test_sources_begin_with_the_block_and_log_lines_last(monkeypatch: pytest.MonkeyPatch) -> None:
    a, logs, other = Source("a"), Source("logs"), Source("other")
    order: list[str] = []
    for source in (logs, a):
        monkeypatch.setattr(source, "begins", note(order, source.topic))

    async def body(gathering: Gathering, reach: Workers, emitted: list[Any]) -> None:
        assert gathering.topics == {"a", "logs"}
        reach.failed = {3: "gone"}
        await gathering.begin(5)
        assert (order, other.log, reach.asked, emitted) == (["a", "logs"], [], 1, [])
        assert (gathering.late, gathering.unread) == ({3: "gone"}, {3: "gone"})
        reach.failed = {}
        a.unread = {4: "late"}
        await gathering.end(5)
        assert values_of(emitted) == [("a", 0), ("logs", 0)] or values_of(emitted) == [("logs", 0), ("a", 0)]
        assert (gathering.looked, gathering.unread, gathering.late) == (2, {4: "late"}, {3: "gone"})
        assert [source.log for source in (a, logs)] == [["begin", ("look", True)]] * 2

    gather(body, monkeypatch, logs, a, other)


def test_a_refusal_of_the_workers_that_has_ended_is_none_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    async def body(gathering: Gathering, reach: Workers, emitted: list[Any]) -> None:
        reach.refusal = "blocked"
        await gathering.begin(5)
        reach.refusal = ""
        await gathering.end(5)
        assert (gathering.refusal_first, gathering.refusal) == ("blocked", "")

    gather(body, monkeypatch, Source("a"))


def test_workers_that_do_not_answer_cost_the_others_no_last_look(monkeypatch: pytest.MonkeyPatch) -> None:
    a = Source("a")

    async def body(gathering: Gathering, reach: Workers, emitted: list[Any]) -> None:
        await gathering.begin(5)
        reach.failed = asyncio.Event().wait
        await gathering.end(0.2)
        assert a.log[-1] == ("look", True)
        assert values_of(emitted)[-1] == ("a", 0)

    gather(body, monkeypatch, a)


def test_a_source_that_cannot_be_read_is_reported_and_costs_the_others_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    a, b = Source("a"), Source("b")
    a.interval = b.interval = 0.01

    def fail(cursor: int) -> Any:
        a.log.append("read")
        raise KeyError("renamed")

    monkeypatch.setattr(a, "read", fail)
    b.unread = {4: "late"}

    async def body(gathering: Gathering, reach: Workers, emitted: list[Any]) -> None:
        await gathering.begin(5)
        while a.log.count("read") < 3 or len(b.values) < 3:
            # It is tried again with each look.
            await asyncio.sleep(0.01)
        # A reader that starts over is sent what there is.
        gathering.again()
        await gathering.end(5)
        assert gathering.unread == {gathering_module.SCHEDULER: "'renamed'", 4: "late"}
        assert gathering.looked == 2
        assert {topic for topic, _ in values_of(emitted)} == {"b"}

    gather(body, monkeypatch, a, b)


def note(order: list[str], topic: str) -> Callable[[], Any]:
    async def begin() -> None:
        order.append(topic)

    return begin


def test_sources_are_read_at_their_intervals_and_what_they_have_is_emitted_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    a, b = Source("a", 0.001), Source("b")

    async def body(gathering: Gathering, _: Workers, emitted: list[Any]) -> None:
        await gathering.begin(5)
        while len(emitted) < 3:
            await asyncio.sleep(0.001)
        assert values_of(emitted)[:3] == [("a", 0), ("a", 1), ("a", 2)]
        assert b.log == ["begin"]
        count = len(emitted)
        gathering.again()
        assert values_of(emitted)[count:] == [*(("a", i) for i in range(a.end)), ("b", None)]
        gathering.emit_new(a)  # type: ignore[arg-type]
        assert len(emitted) == count + a.end + 1
        await gathering.end(5)
        looks = len(a.log)
        await asyncio.sleep(0.01)
        assert len(a.log) == looks
        assert values_of(emitted)[-1][0] in "ab"

    gather(body, monkeypatch, a, b)


def test_a_source_that_did_not_begin_is_not_read_before_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    a = Source("a", 0.001)
    a.begins = OSError("busy")

    async def body(gathering: Gathering, _: Workers, emitted: list[Any]) -> None:
        await gathering.begin(5)
        while a.log.count("begin") < 3:
            await asyncio.sleep(0.001)
        # That there is nothing is reported once.
        assert (values_of(emitted), ("look", False) in a.log) == ([("a", None)], False)
        a.begins = None
        while len(emitted) < 2:
            await asyncio.sleep(0.001)
        begun = a.log.count("begin")
        while len(emitted) < 4:
            await asyncio.sleep(0.001)
        assert a.log.count("begin") == begun

    gather(body, monkeypatch, a)


@pytest.mark.parametrize(
    ("begins", "looks", "reason"),
    [
        (None, OSError("broken"), "broken"),
        (None, OSError(), "OSError"),
        (OSError("busy"), None, "the workers could not be asked"),
    ],
)
def test_what_cannot_be_read_at_the_end_is_reported(
    begins: Any, looks: Any, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def body(gathering: Gathering, _: Workers, emitted: list[Any]) -> None:
        await gathering.begin(5)
        await gathering.end(5)
        assert (gathering.unread, gathering.looked) == ({SCHEDULER: reason}, 1)
        assert values_of(emitted) == [("a", None)]

    a = Source("a")
    a.begins, a.looks = begins, looks
    gather(body, monkeypatch, a)


def test_the_end_waits_no_longer_than_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    a = Source("a")

    async def forever() -> None:
        await asyncio.Event().wait()

    async def body(gathering: Gathering, reach: Workers, emitted: list[Any]) -> None:
        a.begins = forever
        reach.failed = forever
        await gathering.begin(0.01)
        assert (gathering.late, a.log) == ({}, ["begin"])
        await gathering.end(0.01)
        assert gathering.unread == {SCHEDULER: "no answer within 0.01 s"}
        assert (gathering.looked, emitted) == (0, [])
        assert all(task.done() for task in (*gathering._tasks, *gathering._begun))

    gather(body, monkeypatch, a)


def test_everything_is_read_once_without_a_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = Source("a"), Source("b")

    async def body(gathering: Gathering, reach: Workers, emitted: list[Any]) -> None:
        await gathering.everything(5)
        assert (a.log, b.log) == ([("look", True)], [("look", True)])
        # No heartbeats are waited for: what the scheduler has was asked for before.
        assert (sorted(values_of(emitted)), gathering.looked, reach.asked) == ([("a", 0), ("b", 0)], 2, 0)

    gather(body, monkeypatch, a, b)


# -- the thread that writes -----------------------------------------------------------------------------------------


class Thread:
    """A thread that writes to a file, and what it reports."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.acknowledged: list[int] = []
        self.left = 0
        self.asked: list[dict[str, int]] = []
        self.answers: list[Any] = []
        self.place = Place(str(path), "recording")
        self.target = Target(self.place)
        self.thread = WritingThread(
            self.target,
            ask=self.ask,
            acknowledge=self.acknowledged.append,
            unread=lambda: ["worker a"],
            leave=self.leave,
        )

    def ask(self, question: dict[str, int]) -> Any:
        self.asked.append(question)
        found = self.answers.pop(0) if self.answers else None
        if isinstance(found, Exception):
            raise found
        return found

    def leave(self) -> None:
        self.left += 1

    def start(self) -> None:
        self.writer = RecordingWriter(self.target.file, {"name": "x"}, 0)
        self.thread.start(self.writer, Cut({}, 0.0))

    def put(self, time: float, seq: int | None = None, feed: str = "f", **topics: Any) -> None:
        frame = {"feed": feed, "epoch": 0, "time": time, "cursor": {}, "names": {}, "topics": topics}
        self.thread.put(encode(frame, 0), seq)

    def finish(self) -> Recording:
        self.thread.end()
        self.thread.join()
        return Recording(io.BytesIO(self.path.read_bytes()))


def test_frames_are_written_in_order_and_acknowledged(tmp_path: Path) -> None:
    stand = Thread(tmp_path / "a.dask-run")
    stand.put(1.0, 0)
    stand.start()
    stand.thread.begin()
    stand.put(3.0, 1)
    # Data that was gathered may be of a time before: its clock is an estimate.
    stand.put(2.0)
    stand.put(4.0, 2)
    recording = stand.finish()
    assert [frame["time"] for frame in recording.frames()] == [1, 3, 3, 4]
    assert (stand.acknowledged, stand.left, stand.thread.error, stand.thread.why) == ([0, 1, 2], 1, None, "")
    assert (recording.complete, recording.why, recording.missing) == (True, "", ["worker a"])
    assert stand.thread.missing == ["worker a"]
    assert stand.thread.size == stand.path.stat().st_size
    assert stand.target.file.closed
    assert stand.thread._cut.begun is True


def test_a_loop_that_ends_while_keys_are_asked_for_costs_only_them(tmp_path: Path) -> None:
    stand = Thread(tmp_path / "a.dask-run")
    # What a future of the loop raises in this thread.
    stand.answers.append(futures.CancelledError())
    stand.start()
    assert stand.thread._ask_keys(0) is None
    recording = stand.finish()
    assert stand.thread.error is None
    assert (recording.complete, recording.why) == (
        True,
        "Some keys of tasks are missing: the scheduler did not answer.",
    )


@pytest.mark.parametrize(
    ("first", "sentences"),
    [
        (0, ["worker a"]),
        (1, ["worker a", "Keys of 1 task are missing: the scheduler no longer had them."]),
        (2, ["worker a", "Keys of 2 tasks are missing: the scheduler no longer had them."]),
        (9, ["worker a", "Keys of 3 tasks are missing: the scheduler no longer had them."]),
        (None, ["worker a", "Keys of 3 tasks are missing: the scheduler no longer had them."]),
    ],
)
def test_keys_that_the_scheduler_no_longer_has_are_reported(
    tmp_path: Path, first: int | None, sentences: list[str]
) -> None:
    stand = Thread(tmp_path / "a.dask-run")
    column = KeyColumn()
    column.extend(["a", "b", "c"], ["a", "b", "c"])
    if first is not None:
        types = {"type": ("u2", bytes(2 * 3)), "types": ["int"]}
        keys = {"first": first, "chunk": 0, **column.packed(min(first, 3), 3, 0)}
        stand.answers.append({"first": first} if first > 2 else {**keys, **types})
    stand.start()
    rows = {"lane": ("u2", bytes(6)), "prefix": ("u2", bytes(6)), "start": ("f8", bytes(24))}
    stand.put(1.0, tasks={"c": rows, "s": {"first": 0}})
    recording = stand.finish()
    assert stand.thread.error is None
    assert (recording.missing, stand.thread.missing) == (sentences, sentences)
    assert (recording.complete, recording.why) == (True, "")


def test_frames_of_another_scheduler_are_left_out_and_that_is_reported(tmp_path: Path) -> None:
    stand = Thread(tmp_path / "a.dask-run")
    stand.start()
    stand.put(1.0, 0)
    stand.put(2.0, 1, "other")
    stand.thread.why = ""
    recording = stand.finish()
    why = thread_module.REPLACED
    assert [frame["time"] for frame in recording.frames()] == [1]
    assert (stand.thread.why, recording.why, stand.thread.missing) == (why, why, [why, "worker a"])
    assert stand.acknowledged == [0, 1]


def test_a_replaced_scheduler_is_reported_also_where_keys_could_not_be_asked_for(tmp_path: Path) -> None:
    stand = Thread(tmp_path / "a.dask-run")
    stand.answers.append(OSError("the client has lost its scheduler."))
    stand.start()
    rows = {"lane": ("u2", bytes(6)), "prefix": ("u2", bytes(6)), "start": ("f8", bytes(24))}
    stand.put(1.0, tasks={"c": rows, "s": {"first": 0}})
    stand.put(2.0, 1, "other")
    recording = stand.finish()
    keys = "Some keys of tasks are missing: the client has lost its scheduler."
    assert recording.why == thread_module.REPLACED
    assert (recording.missing, stand.thread.missing) == (["worker a", keys], [recording.why, "worker a", keys])


def test_what_has_come_is_written_when_nothing_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thread_module, "FLUSH_SECONDS", 0.01)
    stand = Thread(tmp_path / "a.dask-run")
    stand.start()
    stand.put(1.0)

    def written() -> list[float]:
        return [frame["time"] for frame in Recording(io.BytesIO(stand.path.read_bytes())).frames()]

    while written() != [1.0]:
        assert stand.thread._thread.is_alive()
    assert not Recording(io.BytesIO(stand.path.read_bytes())).complete
    assert stand.finish().complete


def test_nothing_waits_longer_to_be_written_than_a_crash_may_cost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whenever frames come, and whether more come behind them."""
    stand = Thread(tmp_path / "a.dask-run")
    clock = 0.0
    arrivals = [0.1, 3.9, 9.0, 12.9, 16.8, 30.0]
    waiting: list[float] = []
    ages: list[float] = []

    class Queue:
        def get(self, timeout: float) -> Any:
            nonlocal clock
            if not arrivals or arrivals[0] > clock + timeout:
                clock += timeout
                if not arrivals:
                    return thread_module._Mark.ENDED
                raise Empty
            waiting.append(arrivals.pop(0))
            clock = max(clock, waiting[-1])
            envelope = {"feed": "f", "epoch": 0, "time": 1.0, "cursor": {}, "names": {}, "topics": {}}
            return encode(envelope, 0), None

    def flush() -> None:
        ages.extend(clock - since for since in waiting)
        waiting.clear()

    monkeypatch.setattr(thread_module, "monotonic", lambda: clock)
    monkeypatch.setattr(stand.thread, "_queue", Queue())
    monkeypatch.setattr(stand.thread, "_flush", flush)
    stand.thread._writer, stand.thread._cut = RecordingWriter(stand.target.file, {}, 0), Cut({}, 0.0)
    stand.thread._write_all()
    assert len(ages) == 6
    assert max(ages) <= thread_module.FLUSH_SECONDS
    stand.target.file.close()


def test_a_file_that_is_gone_or_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    stand = Thread(tmp_path / "gone.dask-run")
    stand.start()
    stand.path.unlink()
    stand.thread.end()
    stand.thread.join()
    assert isinstance(stand.thread.error, RecordingError)
    assert (stand.left, stand.target.file.closed, stand.path.exists()) == (1, True, False)
    stand = Thread(tmp_path / "odd.dask-run")
    stand.start()
    stand.thread.put(b"no frame")
    stand.thread.join()
    assert stand.thread.error is not None
    assert (stand.left, stand.target.file.closed) == (1, True)


def test_a_file_that_is_there_is_replaced_at_the_end_only(tmp_path: Path) -> None:
    path = tmp_path / "a.dask-run"
    path.write_bytes(b"before")
    stand = Thread(path)
    stand.start()
    stand.put(1.0)
    assert path.read_bytes() == b"before"
    assert stand.finish().complete
    assert [each.name for each in tmp_path.iterdir()] == ["a.dask-run"]
    # One that fails leaves it as it was, and says where the rest is.
    path.write_bytes(b"before")
    stand = Thread(path)
    stand.start()
    stand.thread.put(b"no frame")
    stand.thread.join()
    assert (path.read_bytes(), stand.thread.error is None) == (b"before", False)
    assert str(tmp_path) in stand.target.left()
    stand.target.abandon()
    assert stand.target.left() == ""
    assert [each.name for each in tmp_path.iterdir()] == ["a.dask-run"]


async def test_workers_are_read_again_after_each_restart_within_the_block(tmp_path: Path) -> None:
    client: Any = SimpleNamespace(loop=SimpleNamespace(asyncio_loop=None))
    put: list[Any] = []
    again: list[int] = []
    feed = BlockFeed(client, Target(Place(tmp_path / "run.dask-run", "recording")), "run")
    feed.writing = SimpleNamespace(put=lambda *frame: put.append(frame))  # type: ignore[assignment]
    feed._gathering = SimpleNamespace(again=lambda: again.append(len(put)))  # type: ignore[assignment]
    # The first frame begins an epoch that is none of a restart, whatever its number is.
    for seq, (epoch, times) in enumerate([(3, 0), (3, 0), (4, 1), (4, 1), (0, 2), (1, 3)]):
        feed._subscriber = SimpleNamespace(epoch=epoch)  # type: ignore[assignment]
        feed._take_frame(b"frame", seq)
        await asyncio.sleep(0)
        assert (len(again), put[-1]) == (times, (b"frame", seq))


class Lines:
    """A source of three lines of logs."""

    topic, interval = "logs", 0.05

    def __init__(self) -> None:
        self.unread: dict[str, str] = {}
        self.all_read = asyncio.Event()
        self._log = RowLog({"time": "d", "level": "B", "server": "I"}, ("name", "logger", "text"), 100)
        self._count = 0

    @property
    def end(self) -> int:
        return self._log.end

    def read(self, cursor: int) -> Any:
        return self._log.read(cursor, 10)

    async def begin(self, reach: object) -> None:
        """It begins at once."""

    async def look(self, reach: object, last: bool = False) -> None:
        if self._count < 3:
            self._count += 1
            line = {"time": time(), "level": 30, "server": 0, "name": "", "logger": "d", "text": f"line {self._count}"}
            self._log.add([line], {"servers": 1, "silent": 0, "dropped": 0, "limited": ""})
        else:
            self.all_read.set()


class SettlingSession:
    """A session whose scheduler answers its first question for the end when all lines have been read."""

    closed = False

    def __init__(self, client: Any, lines: Lines) -> None:
        self.client, self._lines = client, lines
        self._offset = 0.0

    @property
    def clock(self) -> float:
        """Seconds; those of the scheduler are known with its first frame, as in a session of its own."""
        return monotonic() + self._offset

    async def start(self) -> None:
        """It is there."""

    ready = start

    async def ask(self, what: str, _: object) -> Any:
        if what == "servers":
            raise OSError("no workers")
        await self._lines.all_read.wait()
        cursor = {"meta": 1, "tasks": 0, "graph": 7, "events": 0}
        return {"feed": "f", "epoch": 0, "time": time(), "cursor": cursor, "first": {"graph": 7}}

    def info(self) -> dict[str, Any]:
        return {"cluster": "c", "address": "a", "workers": 1, "threads": 1}

    def add(self, subscriber: Any, _: object, feed: str, epoch: int, cursor: dict[str, int]) -> None:
        now = time()
        self._offset = now - monotonic()
        subscriber.move(feed, epoch, {**cursor, "meta": 1, "graph": 7})
        frame = {"feed": feed, "epoch": epoch, "time": now, "cursor": {}, "names": {}, "topics": {"meta": {"s": {}}}}
        subscriber.send(encode(frame, 0))

    def acknowledge(self, *_: object) -> None:
        """Nothing is sent again."""

    unsubscribe = close = acknowledge


async def test_what_was_gathered_before_the_scheduler_answers_is_of_the_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A scheduler that settles for longer than a source's interval: neither its feed nor its clock is known before."""
    lines = Lines()
    monkeypatch.setattr(feed_module, "session_of", lambda client: (SettlingSession(client, lines), True))
    monkeypatch.setattr(gathering_module, "make_sources", lambda: [lines])

    async def begun(*_: object) -> None:
        """Marks of a client."""

    monkeypatch.setattr(feed_module.Cells, "begin_when_answered", begun)
    loop = SimpleNamespace(asyncio_loop=asyncio.get_running_loop())
    client: Any = SimpleNamespace(loop=loop, id="c", status="running")
    path = tmp_path / "run.dask-run"
    target = Target(Place(path, "recording"))
    feed = BlockFeed(client, target, "run")
    await feed.start()
    await feed.arrive()
    feed.writing.end()
    await asyncio.to_thread(feed.writing.join)
    assert feed.writing.error is None
    assert feed._cut._first["graph"] == 7
    with Recording(path) as recording:
        texts = [frame["topics"]["logs"]["s"]["text"] for frame in recording.frames() if "logs" in frame["topics"]]
        assert [text for each in texts for text in each] == ["line 1", "line 2", "line 3"]
        assert recording.problems == []
        assert recording.start > 1e9

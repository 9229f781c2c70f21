"""What the writer of recordings writes, on frames made up here, as the reader reads it."""

from __future__ import annotations

import io
import random
from array import array
from typing import Any

import pytest

import dask_panes
from dask_panes.feed.schema import LIMITS
from dask_panes.files import blocks as blocks_module
from dask_panes.files.blocks import CHUNK, HEADER_BYTES, KEYFRAME, KEYS, LARGEST_BLOCK, PACKED_KEYS
from dask_panes.files.format import writer as module
from dask_panes.files.recording import Recording, RecordingWriter

CODES = {"lane": "H", "prefix": "H", "start": "d", "duration": "f", "status": "B", "nbytes": "f"}


def tasks(first: int, count: int, moves: bool = False) -> dict[str, Any]:
    """Rows of which each says its number; every third has a move."""
    numbers = range(first, first + count)
    columns = {name: array(code, [0] * count) for name, code in CODES.items()}
    columns["start"] = array("d", [float(i) for i in numbers])
    body: dict[str, Any] = {"c": columns, "s": {"first": first, "end": first + count}}
    at = [i - first for i in numbers if i % 3 == 0]
    if moves and at:
        body["m"] = {
            "at": array("I", at),
            "kind": array("B", [1] * len(at)),
            "start": array("d", [float(first + i) for i in at]),
            "duration": array("f", [0] * len(at)),
            "peer": array("H", [0] * len(at)),
        }
    return body


def frame(time: float, epoch: int = 0, feed: str = "f", **topics: Any) -> dict[str, Any]:
    names = {
        "prefixes": {"from": 0, "values": ["inc"]},
        "workers": {"from": 0, "values": [{"address": "tcp://a", "name": "a"}]},
        "lanes": {"from": 0, "values": [[0, 1]]},
    }
    return {"feed": feed, "epoch": epoch, "time": time, "names": names, "topics": topics}


class Written:
    """A writer into memory, and what it has written."""

    def __init__(self, next_row: int = -1) -> None:
        self.file = io.BytesIO()
        self.writer = RecordingWriter(self.file, {"name": "x"}, next_row)

    def read(self) -> Recording:
        return Recording(io.BytesIO(self.file.getvalue()))

    def finished(self) -> Recording:
        self.writer.finish("why", ["missing"])
        found = self.read()
        assert (found.complete, found.why, found.missing, found.damaged) == (True, "why", ["missing"], 0)
        assert found.info["name"] == "x"
        return found


def rows_of(recording: Recording) -> list[float]:
    """Numbers of the rows, by their position and by what they say."""
    found = []
    for each in recording.frames():
        body = each["topics"].get("tasks")
        if body:
            first = body["s"]["first"]
            assert list(body["c"]["start"]) == [float(first + i) for i in range(len(body["c"]["start"]))]
            moves = body.get("m", {})
            assert [first + at for at in moves.get("at", ())] == list(moves.get("start", ()))
            found += body["c"]["start"]
    return found


@pytest.mark.parametrize("seed", range(8))
def test_every_row_is_written_once_whatever_is_sent_again(seed: int) -> None:
    random_ = random.Random(seed)
    begin = random_.choice([-1, 0, 7])
    made = Written(begin)
    time, end = 100.0, random_.choice([0, 5])
    expected: list[int] = []
    written = begin
    for _ in range(60):
        time += random_.random()
        first = max(0, end + random_.choice([0, 0, 0, -3, -100, 2]))
        count = random_.randrange(8)
        if random_.random() < 0.8:
            made.writer.add(frame(time, tasks=tasks(first, count, moves=seed % 2 == 0)))
            written = first if written < 0 else written
            expected += range(max(first, written), max(written, first + count))
            written = max(written, first + count)
            end = max(end, first + count)
        else:
            made.writer.add(frame(time))
        if random_.random() < 0.2:
            made.writer.flush()
        assert made.writer.rows == len(expected)
        assert made.writer.size == len(made.file.getvalue())
    found = made.finished()
    assert rows_of(found) == expected
    assert found.problems == ["why"]
    assert found.tasks == len(expected)
    ranges = [range(first, first + count) for first, count in made.writer.unkeyed]
    assert [row for part in ranges for row in part] == expected
    assert all(part for part in ranges)
    for block in found.blocks:
        if block.kind == CHUNK and block.rows:
            assert (block.first_row, block.rows) in made.writer.unkeyed
    times = [each["time"] for each in found.frames()]
    assert (times == sorted(times), found.start, found.end) == (True, times[0], times[-1])


def test_a_chunk_is_full_by_rows_values_or_time(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Written()
    assert not made.writer.full
    made.writer.add(frame(100.0))
    made.writer.add(frame(103.9))
    assert not made.writer.full
    made.writer.add(frame(104.0))
    assert made.writer.full
    made.writer.flush()
    assert not made.writer.full
    monkeypatch.setattr(module, "CHUNK_ROWS", 10)
    made.writer.add(frame(105.0, tasks=tasks(0, 9)))
    assert not made.writer.full
    made.writer.add(frame(105.0, tasks=tasks(9, 1)))
    assert made.writer.full
    made.writer.flush()
    monkeypatch.setattr(module, "CHUNK_VALUES", 60)
    made.writer.add(frame(106.0, tasks=tasks(10, 9)))
    assert not made.writer.full
    made.writer.add(frame(106.0, tasks=tasks(19, 1)))
    assert made.writer.full


def test_a_recording_of_years_has_an_index_that_readers_take(monkeypatch: pytest.MonkeyPatch) -> None:
    # A chunk with tasks has two blocks of keys; a block in the index an offset and its header.
    most, chunks = LARGEST_BLOCK // (HEADER_BYTES + 8), 0.0
    for level in range(module.MOST_LENGTHENED + 1):
        blocks = module.LENGTHENED if level < module.MOST_LENGTHENED else most - level * module.LENGTHENED
        chunks += blocks / 3 * 2**level
    assert chunks * module.CHUNK_SECONDS > 3 * 365 * 86_400
    # A frame comes every 50 ms at most.
    assert LIMITS["frames"] > 20 * module.CHUNK_SECONDS * 2**module.MOST_LENGTHENED
    # The same on a small scale.
    monkeypatch.setattr(module, "LENGTHENED", 10)
    monkeypatch.setattr(blocks_module, "LARGEST_BLOCK", 2048)
    made = Written()
    for i in range(101):
        made.writer.add_whole(frame(4.0 * i))
    found = made.finished()
    assert len(found.blocks) < 2048 / 56
    assert (len(list(found.frames())), found.problems) == (101, ["why"])


def test_nothing_is_written_without_a_frame() -> None:
    made = Written()
    size = made.writer.size
    made.writer.flush()
    assert (made.writer.size, made.writer.feed, made.writer.unkeyed) == (size, "", [])
    found = made.finished()
    assert list(found.frames()) == []
    assert (found.tasks, found.start != found.start, found.end != found.end) == (0, True, True)


def test_a_recording_is_of_one_feed_and_an_epoch_begins_a_chunk() -> None:
    made = Written()
    made.writer.add(frame(100.0, tasks=tasks(0, 2)))
    made.writer.add(frame(101.0, tasks=tasks(2, 1)))
    with pytest.raises(ValueError, match="one feed"):
        made.writer.add(frame(102.0, feed="other"))
    assert made.writer.unkeyed == []
    made.writer.add(frame(103.0, epoch=1, tasks=tasks(3, 1)))
    assert (made.writer.unkeyed, made.writer.feed) == ([(0, 3)], "f")
    found = made.finished()
    assert [(each["epoch"], each["time"]) for each in found.frames()] == [(0, 100.0), (0, 101.0), (1, 103.0)]
    assert [block.frames for block in found.blocks if block.kind == CHUNK] == [2, 1]


def test_frames_are_in_order_of_time_also_where_a_clock_is_an_estimate() -> None:
    made = Written()
    for time, epoch in ((100.0, 0), (100.3, 0), (100.2, 0), (100.1, 1)):
        made.writer.add(frame(time, epoch))
    found = made.finished()
    assert [each["time"] for each in found.frames()] == [100.0, 100.3, 100.3, 100.3]
    assert (found.start, found.end) == (100.0, 100.3)


def test_a_gap_in_the_rows_begins_a_chunk() -> None:
    made = Written()
    made.writer.add(frame(100.0, tasks=tasks(0, 2)))
    made.writer.add(frame(101.0, tasks=tasks(2, 1)))
    assert made.writer.unkeyed == []
    made.writer.add(frame(102.0, tasks=tasks(4, 1)))
    made.writer.add(frame(103.0, tasks=tasks(9, 0)))
    made.writer.flush()
    assert made.writer.unkeyed == [(0, 3), (4, 1)]


def test_names_are_written_once_and_skipped_ones_are_empty() -> None:
    made = Written()
    first = frame(100.0)
    made.writer.add(first)
    made.writer.add(frame(101.0))
    groups = {"groups": {"from": 3, "values": ["d", "e"]}}
    made.writer.add({**frame(102.0), "names": groups})
    made.writer.add({**frame(103.0), "names": {"groups": {"from": 4, "values": ["e", "f"]}}})
    assert made.writer.names["groups"] == ["", "", "", "d", "e", "f"]
    assert made.writer.names["prefixes"] == ["inc"]
    found = made.finished()
    assert found.complete
    new = [len(each["names"]) for each in found.frames()]
    assert new == [3, 0, 1, 1]


def workers(*cpu: float) -> dict[str, Any]:
    return {"c": {"id": array("H", range(len(cpu))), "cpu": array("f", cpu)}}


def test_keyframes_come_after_enough_changes_and_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEYFRAME_CHUNKS", 3)
    made = Written()

    def chunk(time: float, **topics: Any) -> int:
        made.writer.add(frame(time, **topics))
        made.writer.flush()
        return sum(block.kind == KEYFRAME for block in made.read().blocks)

    # Six bytes a worker: a keyframe after three chunks and changes of 4 · 12 bytes.
    counts = [chunk(100.0 + i, workers=workers(i, i + 1)) for i in range(9)]
    assert counts == [0, 0, 0, 1, 1, 1, 1, 2, 2]
    assert [chunk(110.0 + i) for i in range(4)] == [2, 2, 2, 2]
    assert chunk(120.0, workers=workers(*[5.0] * 6)) == 2
    assert [chunk(130.0 + i, workers=workers(*[float(i)] * 6)) for i in range(4)] == [2, 2, 3, 3]
    # Another epoch begins again.
    made.writer.add(frame(140.0, epoch=1, workers=workers(7, 8)))
    found = made.finished()
    # Unchecked: these rows lack most columns.
    keyframes = [found._frames_of(block)[0] for block in found.blocks if block.kind == KEYFRAME]
    assert [each["time"] for each in keyframes] == [103.0, 107.0, 132.0]
    assert [list(each["topics"]["workers"]["c"]["cpu"]) for each in keyframes] == [[3, 4], [7, 8], [2.0] * 6]
    assert keyframes[0]["names"]["prefixes"] == {"from": 0, "values": ["inc"]}
    assert [each["time"] for each in found.keyframes()] == [103.0, 107.0, 132.0]


def test_keyframes_have_their_number_of_chunks_between_them_however_much_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "KEYFRAME_CHUNKS", 3)
    monkeypatch.setattr(module, "KEYFRAME_RATIO", 1)
    made = Written()
    counts = []
    for i in range(9):
        made.writer.add(frame(100.0 + i, workers=workers(i, i + 1)))
        made.writer.flush()
        counts.append(sum(block.kind == KEYFRAME for block in made.read().blocks))
    assert counts == [0, 0, 1, 1, 1, 2, 2, 2, 3]


def test_keyframes_leave_out_topics_with_several_entries_of_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEYFRAME_CHUNKS", 3)
    made = Written()
    ids = {"id": array("H", [0])}
    shuffles = {"c": ids, "s": {"at": [[0, 0, *[1.0] * 6], [0, 1, *[2.0] * 6]]}}
    errors = {"c": ids, "s": {"keys": [[0, "k"]], "at": [[0, 0, 1], [0, 1, 2]], "blocked": []}}
    for i in range(9):
        made.writer.add(frame(100.0 + i, workers=workers(i, i + 1), shuffles=shuffles, errors=errors))
        made.writer.flush()
    found = made.finished()
    keyframes = [found._frames_of(block)[0] for block in found.blocks if block.kind == KEYFRAME]
    # A reader goes through the frames before it for the others.
    assert [set(each["topics"]) for each in keyframes] == [{"workers"}] * len(keyframes)
    assert keyframes


def test_keys_are_found_by_row() -> None:
    made = Written()
    made.writer.add(frame(100.0, tasks=tasks(5, 3)))
    made.writer.flush()
    made.writer.add(frame(101.0, tasks=tasks(8, 2)))
    made.writer.flush()
    packed = [b"\0inc-a", b"\0b", b"\4(1, 2)", b"\0c"]
    keys = {
        "length": array("H", map(len, packed)),
        "packed": b"".join(packed),
        "type": array("H", [0, 1, 0, 2]),
        "groups": {},
        "types": {1: "int"},
    }
    made.writer.add_keys(
        5, {**keys, "length": keys["length"][:3], "packed": b"".join(packed[:3]), "type": keys["type"][:3]}
    )
    made.writer.add_keys(9, {**keys, "length": array("H", [2]), "packed": packed[3], "type": array("H", [2])})
    found = made.finished()
    assert [found.key(row) for row in range(4, 11)] == [
        None,
        {"key": "inc-a", "type": ""},
        {"key": "b", "type": "int"},
        {"key": "(1, 2)", "type": ""},
        None,
        {"key": "c", "type": ""},
        None,
    ]
    kinds = [(block.kind, block.first_row, block.rows) for block in found.blocks if block.kind in (KEYS, PACKED_KEYS)]
    assert kinds == [(KEYS, 5, 3), (PACKED_KEYS, 5, 3), (KEYS, 9, 1), (PACKED_KEYS, 9, 1)]


@pytest.mark.parametrize("first", [2**32 - 2, 2**32 + 2, 2**32 + 2**31])
def test_rows_of_a_scheduler_that_ran_billions_of_tasks_are_recorded(first: int) -> None:
    keys = {"packed": b"\0a\0b", "length": array("H", [2, 2]), "type": array("H", [0, 0]), "groups": {}, "types": {}}
    made = Written(first)
    for at in (first, first + 2):
        made.writer.add(frame(100.0, tasks=tasks(at, 2)))
        made.writer.flush()
        made.writer.add_keys(at, keys)
    found = made.finished()
    assert rows_of(found) == [float(row) for row in range(first, first + 4)]
    texts = [found.key(row) for row in range(first - 1, first + 5)]
    assert [key and key["key"] for key in texts] == [None, "a", "b", "a", "b", None]
    assert list(dask_panes.tasks(found)["key"]) == ["a", "b", "a", "b"]
    data = bytearray(made.file.getvalue())
    data[next(block for block in found.blocks if block.kind == KEYS).offset + 50] ^= 1
    found = Recording(io.BytesIO(data))
    assert list(dask_panes.tasks(found)["key"]) == [None, None, "a", "b"]
    assert found.problems[1].startswith("Keys of 2 tasks are left out: ")


def test_a_key_without_its_task_or_its_text_is_not_known() -> None:
    keys = {
        "length": array("H", [2, 2, 2]),
        "packed": b"\0a\0b\0c",
        "type": array("H", [0, 0, 0]),
        "groups": {},
        "types": {},
    }
    made = Written()
    made.writer.add(frame(100.0, tasks=tasks(5, 2)))
    made.writer.flush()
    made.writer.add(frame(101.0, tasks=tasks(20, 3)))
    # Keys of rows before, between and after those whose tasks were written.
    for first in (2, 6, 9, 20, 30):
        made.writer.add_keys(first, keys)
    found = made.finished()
    known = {row: found.key(row) for row in range(35)}
    assert {row: key["key"] for row, key in known.items() if key is not None} == {6: "a", 20: "a", 21: "b", 22: "c"}
    # The part with the text of keys was lost.
    data = made.file.getvalue()
    block = next(each for each in found.blocks if each.kind == PACKED_KEYS and each.first_row == 20)
    # Without its index: a complete one would say that the part is there.
    cut = data[: block.offset] + data[block.next_offset : -16]
    lost = Recording(io.BytesIO(cut))
    assert (lost.key(20), lost.key(6)) == (None, {"key": "a", "type": ""})


def test_rows_without_a_number_begin_with_the_first() -> None:
    made = Written()
    body = tasks(0, 3)
    del body["s"]
    made.writer.add(frame(100.0, tasks=body))
    made.writer.flush()
    assert (made.writer.next_row, made.writer.rows, made.writer.unkeyed) == (3, 3, [(0, 3)])
    # Sent once more: nothing is written.
    made.writer.add(frame(101.0, tasks=body))
    made.writer.flush()
    assert (made.writer.rows, made.writer.unkeyed) == (3, [(0, 3)])


def test_keys_are_deflated_where_it_helps() -> None:
    made = Written()
    for i, packed in enumerate((b"\0inc" * 500, random.Random(1).randbytes(2000))):
        keys = {"length": array("H", [2000]), "packed": packed, "type": array("H", [0]), "groups": {}, "types": {}}
        made.writer.add_keys(i, keys)
    assert [block.method for block in made.read().blocks if block.kind == PACKED_KEYS] == [1, 0]


def test_tables_take_whatever_a_valid_frame_may_have() -> None:
    """Numbers at the bounds of the schema, and columns and lists that it does not require."""
    body = tasks(0, 4)
    body["c"]["lane"] = array("H", range(4))
    body["c"]["start"] = array("d", [100.0, 100.0, 7258118400.0, float("inf")])
    body["c"]["duration"] = array("f", [1.0, 1e10, 1e10, 1.0])
    more = {
        "workers": {"c": {"id": array("H", [0])}, "s": {}},
        "series": {"c": {name: array("d", [100.0]) for name in ("time", "until")}},
        "transfers": {
            "c": {
                **{name: array("I", [1, 2]) for name in ("sender", "receiver")},
                **{name: array("d", [100.0, 1e300]) for name in ("start", "stop", "total")},
                "keys": array("I", [1, 2**32 - 1]),
                "sides": array("B", [1, 1]),
            },
            "s": {"names": ["one"]},
        },
    }
    made = Written()
    odd = frame(100.0, tasks=body, **more)
    odd["names"]["lanes"]["values"] = [[0, 2**63], [0, 0.5], [0, -3], [0, -(2**63)]]
    made.writer.add(odd)
    made.writer.add(frame(101.0, **{topic: {"c": {}} for topic in ("tasks", "workers", "series")}))
    made.writer.flush()
    keys = {"length": array("H", [1] * 4), "packed": b"\0" * 4, "type": array("H", [0] * 4), "groups": {}, "types": {}}
    made.writer.add_keys(0, keys)
    recording = made.finished()
    table = dask_panes.tasks(recording)
    assert list(table["thread"]) == [-(2**63), 0, -3, -(2**63)]
    assert str(table["thread"].dtype) == "int64"
    assert list(table["start"].isna()) == [False, False, False, True]
    assert list(table["stop"].isna()) == [False, True, True, True]
    assert str(table["stop"].dtype) == "datetime64[ns, UTC]"
    assert list(table["key"]) == list(table["group"]) == [""] * 4
    (worker,) = dask_panes.workers(recording).to_dict("records")
    assert (worker["address"], worker["nthreads"], str(worker["last_seen"])) == ("tcp://a", 0, "NaT")
    assert worker["memory_limit"] != worker["memory_limit"]
    assert list(dask_panes.series(recording)["workers"]) == [0]
    transfers = dask_panes.transfers(recording)
    assert list(transfers["names"]) == ["one", ""]
    assert list(transfers["sender"]) == ["tcp://a", ""]
    assert list(transfers["keys"]) == [1, 2**32 - 1]
    assert transfers["compressed"].isna().all()
    assert recording.problems == ["why"]

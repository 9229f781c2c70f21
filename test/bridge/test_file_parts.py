"""Parts of recordings and reports by themselves: tables, the newest state, blocks, packing, messages and the page."""

from __future__ import annotations

import io
import math
import random
import struct
import sys
import zlib
from array import array
from base64 import b64decode
from pathlib import Path
from typing import Any

import msgpack
import pytest

from dask_panes.feed.codec import encode
from dask_panes.feed.schema import DTYPES
from dask_panes.files import blocks, history, page, saving
from dask_panes.files.block.missing import NAMED, missing
from dask_panes.files.blocks import BlockReader, BlockWriter, RecordingError, parse_header
from dask_panes.files.data import _Names
from dask_panes.files.facts import calling_code, report_facts
from dask_panes.files.format import packing
from dask_panes.files.format.packing import DELTA, DELTA_BY_ID, PLAIN, PLANES, Choices, pack, previous_rows, unpack
from dask_panes.files.format.tables import State, Table, bodies
from dask_panes.files.place import Place
from dask_panes.files.recording import Recording, RecordingWriter
from dask_panes.kernel.gather.probe import SCHEDULER


def column(code: str, *values: float) -> array[Any]:
    return array(code, values)


def body(random_: random.Random, moves: bool, scalars: bool) -> dict[str, Any]:
    count = random_.randrange(5)
    found: dict[str, Any] = {
        "c": {
            "id": array("H", [random_.randrange(8) for _ in range(count)]),
            "time": array("d", [random_.random() for _ in range(count)]),
        }
    }
    if moves and random_.random() < 0.7:
        found["m"] = {"source": array("I", [random_.randrange(10**6) for _ in range(random_.randrange(1, 4))])}
    if scalars:
        found["s"] = {"first": random_.randrange(100)}
    return found


@pytest.mark.parametrize("seed", range(8))
def test_bodies_of_a_table_come_back_in_their_frames(seed: int) -> None:
    random_ = random.Random(seed)
    table = Table(["id", "time"])
    given = []
    for frame in sorted(random_.sample(range(50), 20)):
        one = body(random_, seed % 2 == 0, seed % 4 < 2)
        values = sum(map(len, one["c"].values())) + sum(map(len, one.get("m", {}).values()))
        assert table.add(frame, one) == values
        given.append((frame, one))
    packed = msgpack.unpackb(msgpack.packb(table.packed(Choices())))
    assert [(frame, {**{"c": {}}, **one}) for frame, one in bodies(packed, 20)] == given
    assert ("m" in packed) == any("m" in one for _, one in given)
    assert ("s" in packed) == (seed % 4 < 2)
    with pytest.raises(ValueError, match="more frames"):
        list(bodies(packed, 19))


def test_scalars_that_only_some_bodies_have_stay_with_these() -> None:
    for given in ([None, {"first": 3}], [{"first": 3}, None, {"first": 0}], [None, None]):
        table = Table(["id"])
        for i, scalars in enumerate(given):
            table.add(i, {"c": {"id": column("B", i)}, **({} if scalars is None else {"s": scalars})})
        assert [one.get("s") for _, one in bodies(table.packed(Choices()), len(given))] == given


def test_a_table_takes_bodies_with_its_columns() -> None:
    table = Table(["a", "b"])
    assert table.takes(["a", "b"], [])
    assert table.takes(["a", "b"], ["x"])
    assert not table.takes(["b", "a"], [])
    assert not table.takes(["a"], [])
    table.add(0, {"c": {"a": column("B", 1), "b": column("B", 1)}, "m": {"x": column("B", 1)}})
    assert table.takes(["a", "b"], [])
    assert not table.takes(["a", "b"], ["y"])


def test_a_column_is_as_wide_as_its_widest_part() -> None:
    table = Table(["a"])
    for values in (column("B", 1), column("H", 300), column("B", 2), column("d", 0.5), column("I", 7)):
        table.add(0, {"c": {"a": values}})
    found = [one["c"]["a"] for _, one in bodies(table.packed(Choices()), 5)]
    assert [(values.typecode, list(values)) for values in found] == [("d", [v]) for v in (1, 300, 2, 0.5, 7)]
    # The type of the first rows is theirs, not that of the empty column.
    table = Table(["a"])
    table.add(0, {"c": {"a": column("H", 1)}})
    assert [one["c"]["a"].typecode for _, one in bodies(table.packed(Choices()), 1)] == ["H"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n": pack(array("I", [1]))}, "several numbers"),
        ({"s": [None]}, "several numbers"),
        ({"n": pack(array("I", [1, 2]))}, "differ in length"),
        ({"n": pack(array("I", [1, 0]))}, "differ in length"),
    ],
)
def test_a_table_that_contradicts_itself_is_refused(change: dict[str, Any], message: str) -> None:
    table = Table(["a"])
    table.add(0, {"c": {"a": column("B", 1)}, "s": {"x": 1}})
    table.add(1, {"c": {"a": column("B", 2)}})
    whole = table.packed(Choices())
    assert len(list(bodies(whole, 2))) == 2
    with pytest.raises(ValueError, match=message):
        list(bodies({**whole, **change}, 2))


def test_the_newest_state_has_the_newest_row_of_each_id() -> None:
    state = State()
    assert (state.nbytes, state.bodies()) == (0, {})
    state.add(
        "workers", {"c": {"id": column("H", 1, 2), "cpu": column("f", 5, 6)}, "s": {"user": [[1, "a"], [2, "b"]]}}
    )
    assert (state.taken, state.nbytes) == (12, 12)
    state.add("workers", {"c": {"id": column("H", 2, 3), "cpu": column("f", 7, 8)}, "s": {"user": [[2, "c"]], "n": 1}})
    assert (state.taken, state.nbytes) == (24, 18)
    state.add("meta", {"s": {"title": "x"}})
    state.add("meta", {"s": {"title": "y"}})
    state.add("tasks", {"c": {"start": column("d", 1)}})
    found = state.bodies()
    assert set(found) == {"workers", "meta"}
    assert found["meta"] == {"c": {}, "s": {"title": "y"}}
    assert {name: list(values) for name, values in found["workers"]["c"].items()} == {"id": [1, 2, 3], "cpu": [5, 7, 8]}
    assert found["workers"]["s"] == {"user": [[1, "a"], [2, "c"]], "n": 1}
    state.add("held", {"c": {"id": column("H", 9)}})
    assert state.bodies()["held"] == {"c": {"id": column("H", 9)}}
    state.clear(("workers",))
    assert set(state.bodies()) == {"meta", "held"}
    state.clear()
    assert state.bodies() == {}


def test_the_newest_state_names_every_activity_and_not_only_those_of_the_last_frame() -> None:
    state = State()
    first = [[1, "execute", "inc", "disk-read", "seconds"], [2, "execute", "inc", "thread-cpu", "seconds"]]
    state.add("activities", {"c": {"id": column("H", 1, 2), "value": column("d", 1, 2)}, "s": {"names": first}})
    state.add(
        "activities", {"c": {"id": column("H", 2), "value": column("d", 5)}, "s": {"names": first[1:], "base": []}}
    )
    found = state.bodies()["activities"]
    assert list(found["c"]["value"]) == [1, 5]
    assert found["s"]["names"] == first


def test_the_newest_state_replaces_lists_that_are_whole() -> None:
    state = State()
    for types in ([["int", 1.0], ["str", 2.0]], [["str", 3.0]]):
        state.add("bandwidth", {"c": {"id": column("H", 1)}, "s": {"types": types}})
    assert state.bodies()["bandwidth"]["s"] == {"types": [["str", 3.0]]}


@pytest.mark.parametrize("topic", ["attempts", "computations", "groups"])
def test_the_newest_state_leaves_topics_with_two_tables_to_their_frames(topic: str) -> None:
    state = State()
    state.add(topic, {"c": {"id": column("H", 1)}, "m": {"prefix": column("H", 1)}, "s": {"first": 1}})
    state.add(topic, {"s": {"first": 1}})
    assert (state.bodies(), state.taken) == ({}, 0)


def test_a_column_that_some_rows_lack_is_unknown_there() -> None:
    state = State()
    state.add("workers", {"c": {"id": column("H", 1)}})
    state.add("workers", {"c": {"id": column("H", 2), "cpu": column("f", 5), "fds": column("B", 3)}})
    state.add("workers", {"c": {"id": column("I", 3), "fds": column("H", 400)}})
    columns = state.bodies()["workers"]["c"]
    assert (columns["id"].typecode, list(columns["id"])) == ("I", [1, 2, 3])
    assert (columns["fds"].typecode, list(columns["fds"])) == ("H", [0, 3, 400])
    cpu = list(columns["cpu"])
    assert [math.isnan(cpu[0]), cpu[1], math.isnan(cpu[2])] == [True, 5, True]


@pytest.mark.parametrize("seed", range(6))
def test_columns_come_back_and_rows_with_ids_refer_to_their_last(seed: int) -> None:
    random_ = random.Random(seed)
    for code in "BHIfd":
        for count in (0, 1, 7, 700):
            top = {"B": 2**8, "H": 2**16, "I": 2**32}.get(code, 0)
            some = [0.0, -1.5, math.inf, 1e30]
            values = array(code, [random_.randrange(top) if top else random_.choice(some) for _ in range(count)])
            ids = [random_.randrange(5) for _ in range(count)]
            previous = previous_rows(ids)
            assert previous == [max((j for j in range(i) if ids[j] == key), default=-1) for i, key in enumerate(ids)]
            plain, by_id = pack(values), pack(values, previous)
            assert unpack(plain).tobytes() == values.tobytes()
            assert unpack(by_id, previous).tobytes() == values.tobytes()
            short = code == "B" or not count
            assert plain[1] in ((PLAIN,) if short else (DELTA,) if code == "d" else (DELTA, PLANES))
            assert by_id[1] == (PLAIN if short else DELTA_BY_ID)


def test_differences_are_chosen_where_they_help_and_for_some_columns() -> None:
    rising, noise = array("I", range(0, 70_000, 100)), array("I", random.Random(1).choices(range(4), k=700))
    assert (pack(rising)[1], pack(noise)[1]) == (DELTA, PLANES)
    choices = Choices()
    # Sixteen columns of a name are packed as the first.
    assert [pack(rising if i == 0 else noise, None, choices, "x")[1] for i in range(18)] == [DELTA] * 16 + [PLANES] * 2
    assert pack(noise, None, choices, "y")[1] == PLANES
    # A few values say nothing about others.
    few = Choices()
    assert pack(rising[:511], None, few, "x")[1] == DELTA
    assert pack(noise, None, few, "x")[1] == PLANES
    enough = Choices()
    assert pack(rising[:512], None, enough, "x")[1] == DELTA
    assert pack(noise, None, enough, "x")[1] == DELTA


@pytest.mark.parametrize(
    "packed",
    [
        [99, PLAIN, b""],
        [1, PLAIN, "text"],
        [2, PLANES, b"abc"],
        [2, 4, b"ab"],
        [2, -1, b"ab"],
        [1, DELTA, b"a"],
        [2, DELTA_BY_ID, b"ab"],
    ],
)
def test_what_is_no_packed_column_is_refused(packed: list[Any]) -> None:
    with pytest.raises(ValueError, match="column"):
        unpack(packed)
    with pytest.raises(ValueError, match="ids"):
        unpack([pack(array("H", [1]))[0], DELTA_BY_ID, b"ab"], [-1, 0])


@pytest.mark.parametrize("code", "BHd")
def test_a_column_has_no_more_values_than_a_recording(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "LIMITS", {**packing.LIMITS, "values": 10})
    assert list(unpack(pack(array(code, range(10))))) == list(range(10))
    with pytest.raises(ValueError, match="more values"):
        unpack(pack(array(code, range(11))))


class Few(io.BytesIO):
    """Writes three bytes at a time, as a file on a disk that is nearly full may."""

    def write(self, data: Any) -> int:
        return super().write(bytes(data[:3]))


def written(file: io.BytesIO | None = None, finish: bool = True) -> tuple[io.BytesIO, list[tuple[int, Any]]]:
    file = io.BytesIO() if file is None else file
    writer = BlockWriter(file)
    assert writer.size == blocks.FILE_HEADER_BYTES
    payloads: list[tuple[int, Any]] = [
        (blocks.INFO, {"name": "x"}),
        (blocks.CHUNK, b"a" * 63),
        (blocks.CHUNK, b"a" * 64),
        (blocks.KEYS, random.Random(1).randbytes(500)),
        (blocks.CHUNK, b""),
    ]
    for i, (kind, value) in enumerate(payloads):
        writer.add(kind, value, frames=i, times=(i, i + 0.5), rows=(10 * i, i), deflate=i != 3)
        assert writer.size == len(file.getvalue())
    if finish:
        writer.finish("full", ["a", "b"])
    return file, payloads


def read(reader: BlockReader) -> list[tuple[int, Any]]:
    return [(b.kind, reader.value(b) if b.kind == blocks.INFO else reader.payload(b)) for b in reader.blocks]


@pytest.mark.parametrize("file", [io.BytesIO, Few])
def test_blocks_are_read_from_the_index_and_without_it(file: type[io.BytesIO]) -> None:
    whole, payloads = written(file())
    reader = BlockReader(io.BytesIO(whole.getvalue()))
    assert (reader.complete, reader.why, reader.missing, reader.damaged) == (True, "full", ["a", "b"], 0)
    assert read(reader) == payloads
    assert [(b.frames, b.start, b.end, b.first_row, b.rows) for b in reader.blocks] == [
        (i, i, i + 0.5, 10 * i, i) for i in range(5)
    ]
    # Sixty-four bytes are worth deflating; random bytes are not, nor does anybody ask for it.
    assert [b.method for b in reader.blocks] == [0, 0, 1, 0, 0]
    assert [b.raw for b in reader.blocks][1:] == [63, 64, 500, 0]
    assert [b.next_offset for b in reader.blocks][:-1] == [b.offset for b in reader.blocks][1:]
    part, _ = written(finish=False)
    scanned = BlockReader(io.BytesIO(part.getvalue()))
    assert (scanned.complete, scanned.why, scanned.missing, scanned.damaged) == (False, None, [], 0)
    assert read(scanned) == payloads
    assert [b.offset for b in scanned.blocks] == [b.offset for b in reader.blocks]


@pytest.mark.parametrize("seed", range(5))
def test_a_file_that_is_cut_anywhere_has_its_whole_blocks(seed: int) -> None:
    random_ = random.Random(seed)
    whole, payloads = written()
    data = whole.getvalue()
    offsets = [b.offset for b in BlockReader(io.BytesIO(data)).blocks]
    ends = [*offsets[1:], BlockReader(io.BytesIO(data)).blocks[-1].next_offset]
    for _ in range(30):
        cut = random_.randrange(blocks.FILE_HEADER_BYTES, len(data))
        reader = BlockReader(io.BytesIO(data[:cut]))
        left = [end for end in ends if end <= cut]
        assert read(reader) == payloads[: len(left)]
        assert not reader.complete
        junk = random_.randbytes(random_.randrange(1, 40))
        at = random_.randrange(len(offsets))
        broken = BlockReader(io.BytesIO(data[: offsets[at]] + junk + data[offsets[at] : ends[-1]]))
        assert read(broken) == payloads
        assert broken.damaged == len(junk)


@pytest.mark.parametrize("at", [0, 15, "size", "size - 1", 2**63, 2**64 - 1])
def test_an_index_that_is_not_where_the_end_says_is_not_read(at: int | str) -> None:
    whole, payloads = written()
    data = whole.getvalue()
    place = at if isinstance(at, int) else len(data) - (at != "size")
    reader = BlockReader(io.BytesIO(data[:-16] + struct.pack("<Q", place) + data[-8:]))
    assert (reader.complete, read(reader)) == (False, payloads)


def test_what_is_no_recording_is_refused_with_a_reason() -> None:
    data = written()[0].getvalue()
    for bad, message in (
        (b"", "empty"),
        (b"x" * 100, "not a recording"),
        (data[: blocks.FILE_HEADER_BYTES - 1], "not a recording"),
        (data[:8] + struct.pack("<II", 2, 0) + data[16:], "version 2"),
    ):
        with pytest.raises(RecordingError, match=message):
            BlockReader(io.BytesIO(bad))


def test_a_damaged_block_is_an_error_that_says_how() -> None:
    data = bytearray(written()[0].getvalue())
    reader = BlockReader(io.BytesIO(data))
    block = reader.blocks[2]
    for at in (block.next_offset - 1, block.offset + 20, block.offset + blocks.HEADER_BYTES - 1):
        changed = bytearray(data)
        changed[at] ^= 1
        damaged = BlockReader(io.BytesIO(changed[: reader.blocks[-1].next_offset]))
        same = next(b for b in damaged.blocks if b.offset == block.offset)
        with pytest.raises(RecordingError, match="checksum"):
            damaged.payload(same)
    with pytest.raises(RecordingError, match="cut off"):
        BlockReader(io.BytesIO(data[: block.next_offset - 1] + b"")).payload(block)
    stored = bytes(data[block.offset + blocks.HEADER_BYTES : block.next_offset])
    for raw in (63, 65):
        head = bytearray(block.head)
        struct.pack_into("<I", head, 12, raw)
        crc = zlib.crc32(stored, zlib.crc32(bytes(head[20:])))
        struct.pack_into("<I", head, 16, crc)
        wrong = parse_header(bytes(head), block.offset)
        assert wrong is not None
        with pytest.raises(RecordingError, match="not as large"):
            reader.payload(wrong)
    with pytest.raises(RecordingError, match="damaged"):
        reader.value(reader.blocks[3])


def test_a_header_is_one_only_with_its_mark_and_sane_sizes() -> None:
    good = BlockReader(io.BytesIO(written()[0].getvalue())).blocks[1].head
    assert parse_header(good, 7) is not None
    assert parse_header(good + b"more", 7) == parse_header(good, 7)
    assert parse_header(good[:-1], 7) is None
    for at, value in ((0, b"x"), (5, b"\2"), (6, b"\1")):
        assert parse_header(good[:at] + value + good[at + 1 :], 7) is None
    for at in (8, 12):
        largest = bytearray(good)
        struct.pack_into("<I", largest, at, blocks.LARGEST_BLOCK)
        assert parse_header(bytes(largest), 7) is not None
        struct.pack_into("<I", largest, at, blocks.LARGEST_BLOCK + 1)
        assert parse_header(bytes(largest), 7) is None


def test_a_mark_at_the_edge_of_a_window_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, payloads = written()
    data = whole.getvalue()
    offsets = [b.offset for b in BlockReader(io.BytesIO(data)).blocks]
    end = BlockReader(io.BytesIO(data)).blocks[-1].next_offset
    for window in range(blocks.HEADER_BYTES, blocks.HEADER_BYTES + 90):
        monkeypatch.setattr(blocks, "_WINDOW", window)
        broken = BlockReader(io.BytesIO(data[: offsets[1]] + bytes(75) + data[offsets[1] : end]))
        assert read(broken) == payloads
        assert broken.damaged == 75


def test_missing_data_is_listed_by_server_and_the_rest_is_counted() -> None:
    names = [{"name": "one"}, {"address": "tcp://two"}, {}]
    assert missing(names, {}) == []
    sentences = missing(names, {2: "slow", 0: "gone", 9: "x"}, {1: "late"}, [0, 1, 7])
    assert [sentence.split(" could")[0].split(" did")[0].split(" left")[0] for sentence in sentences] == [
        "Worker one",
        "Worker 2",
        "Worker 9",
        "Worker tcp://two",
        "Worker tcp://two",
        "Worker 7",
    ]
    assert "(gone)" in sentences[0]
    assert "(late)" in sentences[3]
    assert "left during" in sentences[4]
    assert missing(names, {-5: "odd"})[0].startswith("Worker -5") or SCHEDULER == -5
    many = missing([], {i: "x" for i in range(NAMED + 3)}, None, range(100, 100 + NAMED + 4))
    assert len(many) == 2 * NAMED + 2
    assert many[NAMED] == "3 further workers could not be read at the end."
    assert many[-1] == "4 further workers left during the block."
    assert (
        missing([], {}, {i: "x" for i in range(NAMED + 2)})[-1] == "2 further workers did not answer at the beginning."
    )
    assert missing([], {i: "x" for i in range(NAMED + 1)})[-1] == "1 further worker could not be read at the end."
    assert len(missing([], {i: "x" for i in range(NAMED)})) == NAMED
    assert len(missing([], {i: "x" for i in range(NAMED + 1)})) == NAMED + 1
    assert missing([], {SCHEDULER: "It is gone."}) == ["Profiles, transfers and logs are not complete: It is gone."]
    assert missing([], {SCHEDULER: "asleep"}) == ["Profiles, transfers and logs are not complete: asleep."]
    assert missing([], {SCHEDULER: ""}) == []


def test_a_page_has_the_facts_as_text_and_the_recording(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "_page", lambda: (b"<head>", b"<between>", b"<tail>"))
    data = random.Random(1).randbytes(2 * page._PART + 1)
    parts = list(page.page({"title": "</script>&é"}, io.BytesIO(data)))
    assert parts[0] == b"<head>"
    assert parts[1] == b'{"title": "\\u003c/script\\u003e\\u0026\\u00e9"}'
    assert parts[2] == b"<between>"
    assert [len(b64decode(part)) for part in parts[3:-1]] == [page._PART, page._PART, 1]
    assert b64decode(b"".join(parts[3:-1])) == data
    assert parts[-1] == b"<tail>"


def test_facts_are_cut_to_a_hint() -> None:
    class Odd(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no text")

    facts = report_facts(
        "t", code="x" * 200_001, failure=ValueError("y" * 3000), duration=2.5, plots=["a"], missing=["b"]
    )
    assert (len(facts["code"]), len(facts["failure"])) == (200_000, 2000)
    assert facts["failure"].startswith("ValueError: yyy")
    assert (facts["title"], facts["duration"], facts["plots"], facts["missing"]) == ("t", 2.5, ["a"], ["b"])
    assert report_facts("t")["failure"] == ""
    assert report_facts("t", failure=ValueError())["failure"] == "ValueError"
    assert report_facts("t", failure=Odd())["failure"] == "Odd: <RuntimeError in its text>"


# -- what a page saves ----------------------------------------------------------------------------------------------


def test_a_recording_that_a_page_saves_is_complete_and_says_what_is_missing() -> None:
    envelope = {"feed": "f", "epoch": 0, "cursor": {}, "topics": {}}
    workers = {"workers": {"from": 0, "values": [{"address": "tcp://a", "name": "a"}]}}
    frames = [encode({**envelope, "time": float(i), "names": {} if i else workers}, i) for i in range(3)]
    data, tasks, absent = saving._recording(frames, "title", {0: "it did not answer"})
    reader = BlockReader(io.BytesIO(data))
    assert (reader.complete, reader.why, reader.missing, tasks) == (True, "", absent, 0)
    assert len(absent) == 1
    assert "a" in absent[0] and "it did not answer" in absent[0]
    found = Recording(io.BytesIO(data))
    assert ([each["time"] for each in found.frames()], found.info["name"]) == ([0.0, 1.0, 2.0], "title")


def test_the_history_of_a_million_tasks_can_be_read_again() -> None:
    """In parts as small as those of a recorded block: a reader refuses larger ones than 64 MiB."""
    count, parts, moves = 100_000, 10, 5

    def column(code: str, length: int, value: float = 1) -> tuple[str, bytes]:
        name = next(name for name, dtype in DTYPES.items() if dtype["array"] == code)
        return name, (array(code, [int(value) if code in "BHI" else value]) * length).tobytes()

    def frame(i: int) -> bytes:
        rows = {"lane": ("H", 0), "prefix": ("H", 0), "start": ("d", 1), "duration": ("f", 1), "nbytes": ("f", 1)}
        more = {"at": ("I", 0), "kind": ("B", 1), "start": ("d", 1), "duration": ("f", 1), "peer": ("H", 0)}
        body = {
            "c": {name: column(code, count, value) for name, (code, value) in rows.items()},
            "m": {name: column(code, moves * count, value) for name, (code, value) in more.items()},
        }
        names = {
            "prefixes": {"from": 0, "values": ["inc"]},
            "workers": {"from": 0, "values": [{"address": "tcp://a"}]},
            "lanes": {"from": 0, "values": [[0, 1]]},
        }
        envelope = {"feed": "f", "epoch": 0, "time": 1.0, "cursor": {}, "names": {} if i else names}
        return encode({**envelope, "topics": {"tasks": {**body, "s": {"first": i * count}}}}, i)

    frames = [frame(i) for i in range(parts)]
    data, tasks, _ = saving._recording(frames, "title", {})
    file = io.BytesIO()
    writer = RecordingWriter(file, {})
    history._add(writer, frames)
    writer.finish()
    for written in (io.BytesIO(data), file):
        found = Recording(written)
        assert (found.complete, found.tasks, tasks) == (True, count * parts, count * parts)
        assert sum(len(each["topics"]["tasks"]["c"]["start"]) for each in found.frames()) == tasks
        assert found.problems == []


def test_a_recording_of_odd_texts_is_written() -> None:
    """The name of a notebook, the reason of an error: what a system reads from bytes may have lone surrogates."""
    data, _, absent = saving._recording([], "report of \udcff.ipynb", {0: "no file \ud800"})
    assert "no file \ud800" in absent[0]
    found = Recording(io.BytesIO(data))
    assert found.info["name"] == "report of \\udcff.ipynb"
    assert "no file \\ud800" in found.missing[0]
    file = io.BytesIO()
    RecordingWriter(file, {"name": "x", "cluster": "\udcff", "workers": 3}).finish("why \udcff")
    found = Recording(file)
    assert (found.why, found.info["cluster"], found.info["workers"]) == ("why \\udcff", "\\udcff", 3)


class Idle:
    """A session whose scheduler sends what changes only: a frame for each position that a test gives."""

    closed, clock = False, 5.0

    def __init__(self, end: dict[str, int], idle: bool, sent: list[dict[str, int]]) -> None:
        self.end, self.idle, self.sent = end, idle, sent
        self.left: list[Any] = []

    async def ready(self) -> None:
        """It is."""

    async def ask(self, name: str, args: dict[str, Any]) -> dict[str, Any]:
        assert (name, args["now"]) == ("end", True)
        return {"idle": self.idle, "cursor": {topic: self.end[topic] for topic in args["topics"]}}

    def acknowledge(self, *_: Any) -> None:
        """Nothing waits for it."""

    def add(self, subscriber: Any, *_: Any) -> None:
        for cursor in self.sent:
            subscriber.cursor = cursor
            subscriber.sink(b"frame", 1)

    def unsubscribe(self, subscriber: Any) -> None:
        self.left.append(subscriber)


async def test_of_an_idle_cluster_some_topics_do_not_come_up_to_their_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saving, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(saving, "PATIENCE_SECONDS", 0.2)
    end = {"meta": 3, "series": 7}
    for idle, sent, whole in (
        (True, [{"meta": 3, "series": 0}], True),
        (True, [{"meta": 1, "series": 0}, {"meta": 3, "series": 0}], True),
        (True, [{"meta": 2, "series": 9}], False),
        (True, [{"meta": 3}], False),
        (False, [{"meta": 3, "series": 6}], False),
        (False, [{"meta": 3, "series": 7}], True),
        (True, [], False),
    ):
        session: Any = Idle(end, idle, sent)
        if whole:
            assert await saving.frames_of(session, list(end)) == [b"frame"] * len(sent)
        else:
            with pytest.raises(TimeoutError, match="history"):
                await saving.frames_of(session, list(end))
        assert len(session.left) == 1


def test_the_share_that_has_come_is_that_of_the_rows_that_were_there() -> None:
    end = {"tasks": 90, "events": 10, "empty": 0, "never": -1}
    for cursor, share in (
        ({}, 0.0),
        ({"tasks": -1, "events": -1, "never": -1}, 0.0),
        ({"tasks": 45}, 0.45),
        ({"tasks": 45, "events": 5}, 0.5),
        # Rows of later, and of what was empty, count for nothing.
        ({"tasks": 500, "empty": 70, "never": 8, "other": 9}, 0.9),
        ({"tasks": 90, "events": 10, "empty": 5}, 1.0),
    ):
        assert saving._share(cursor, end) == share
    assert saving._share({"tasks": 5}, {"tasks": 0, "events": -1}) == 0.0


# -- places, code and names -----------------------------------------------------------------------------------------


def test_a_path_is_a_path_whatever_it_looks_like(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for given in ("run.dask-run", "a::b", "~no-user", "c:x", "simplecache::x"):
        place = Place(given, "recording")
        assert (place.path, str(place), place.name) == (tmp_path / given, str(tmp_path / given), given)
    with pytest.raises(ValueError, match="is a path"):
        Place("run.dask-run", "recording", {"key": "x"})
    local = Place(f"file://{tmp_path}/run.dask-run", "recording")
    assert (local.path, str(local)) == (tmp_path / "run.dask-run", str(tmp_path / "run.dask-run"))
    there = Place("memory://folder/run.dask-run", "recording")
    assert (there.path, str(there), there.name) == (None, "memory://folder/run.dask-run", "run.dask-run")


def test_code_is_that_of_the_frame_where_python_finds_it() -> None:
    assert calling_code(None) == ""
    assert calling_code(sys._getframe()).startswith("def test_code_is_that_of_the_frame")
    given: dict[str, Any] = {"found": []}
    exec("import sys\nfound.append(sys._getframe())", given)
    assert calling_code(given["found"][0]) == ""


def test_a_worker_that_no_name_says_has_no_address() -> None:
    names = _Names()
    assert [names.address(i) for i in (-1, 0)] == ["", ""]
    names.learn({"names": {"workers": {"from": 0, "values": [{"address": "tcp://a"}]}, "groups": {"from": 0}}})
    assert [names.address(i) for i in (-1, 0, 1)] == ["", "tcp://a", ""]

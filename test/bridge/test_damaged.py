"""Damaged and hostile recordings: what is whole is read, in time and memory of the file's size, and errors are ours."""

from __future__ import annotations

import errno
import io
import math
import struct
import subprocess
import sys
import textwrap
import time
import warnings
import zlib
from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgpack
import pytest

import dask_panes
from dask_panes.files.blocks import CHUNK, DEFLATED, INDEX, INFO, KEYS, MARK, PACKED_KEYS, STORED, Block
from dask_panes.files.recording import Recording, RecordingError, RecordingWriter

FIXTURE = Path(__file__).resolve().parents[1] / "fixtures" / "run.dask-run"
HEADER = struct.Struct("<4sBBHIIIIddII")
FILE_HEADER = struct.pack("<8sII", b"\x89DPR\r\n\x1a\n", 1, 0)


def block(kind: int, data: bytes, deflate: bool = False, rows: int = 0) -> bytes:
    """A block whose checksum is right, whatever it holds."""
    stored = data
    if deflate:
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        stored = packer.compress(data) + packer.flush()
    method = DEFLATED if deflate else STORED
    head = HEADER.pack(MARK, kind, method, 0, len(stored), len(data), 0, 1, 0.0, 1.0, 0, rows)
    crc = zlib.crc32(stored, zlib.crc32(head[20:]))
    return HEADER.pack(MARK, kind, method, 0, len(stored), len(data), crc, 1, 0.0, 1.0, 0, rows) + stored


def finished(blocks: bytes, index: object) -> bytes:
    at = len(FILE_HEADER) + len(blocks)
    return FILE_HEADER + blocks + block(INDEX, msgpack.packb(index)) + struct.pack("<Q8s", at, b"DPR-END\n")


def chunk(**parts: object) -> bytes:
    times = [5, 0, array("d", [1.0]).tobytes()]
    return block(CHUNK, msgpack.packb({"feed": "a", "epoch": 0, "times": times, "topics": {}, **parts}))


def read(path: Path, data: bytes) -> Recording:
    path.write_bytes(data)
    return Recording(path)


def test_a_bit_of_the_facts_costs_the_facts_only(tmp_path: Path) -> None:
    data = bytearray(FIXTURE.read_bytes())
    data[84] ^= 1
    with Recording(FIXTURE) as whole, read(tmp_path / "info.dask-run", bytes(data)) as recording:
        assert recording.info == {}
        assert len(list(recording.frames())) == len(list(whole.frames()))
        assert recording.key(3) == whole.key(3)
        assert len(recording.problems) == 1


def test_a_bad_chunk_costs_its_frames_only(tmp_path: Path) -> None:
    with Recording(FIXTURE) as whole:
        chunks = [found for found in whole.blocks if found.kind == CHUNK]
        frames = len(list(whole.frames()))
        assert len(chunks) > 2
    for bad in (chunks[0], chunks[1], chunks[-1]):
        data = bytearray(FIXTURE.read_bytes())
        data[bad.offset + 60] ^= 1
        with read(tmp_path / "bad.dask-run", bytes(data)) as recording:
            assert len(list(recording.frames())) == frames - bad.frames
            assert [problem for problem in recording.problems if "left out" in problem]


@pytest.mark.parametrize("kind", [KEYS, PACKED_KEYS])
def test_bad_keys_cost_the_keys_only(tmp_path: Path, kind: int) -> None:
    data = bytearray(FIXTURE.read_bytes())
    with Recording(FIXTURE) as recording:
        bad = next(found for found in recording.blocks if found.kind == kind)
        whole = dask_panes.tasks(recording)
    data[bad.offset + 60] ^= 1
    with read(tmp_path / "bad.dask-run", bytes(data)) as recording:
        table = dask_panes.tasks(recording)
        assert dask_panes.tasks(recording).equals(table)
        (problem,) = recording.problems
    assert problem.startswith(f"Keys of {bad.rows} tasks are left out: ")
    assert 0 < table["key"].isna().sum() == bad.rows < len(table) == len(whole)
    known = table["key"].notna()
    assert list(table["key"][known]) == list(whole["key"][known])
    assert list(table["start"]) == list(whole["start"])


def test_one_task_is_one_task() -> None:
    with Recording(FIXTURE) as recording:
        part = next(found for found in recording.blocks if found.kind == CHUNK and found.rows == 1)
        keys = next(found for found in recording.blocks if found.kind == KEYS and found.first_row == part.first_row)
    data = bytearray(FIXTURE.read_bytes())
    data[keys.offset + 60] ^= 1
    with Recording(io.BytesIO(data)) as recording:
        dask_panes.tasks(recording)
        assert any(problem.startswith("The key of 1 task is left out: ") for problem in recording.problems)
    data[part.offset + 60] ^= 1
    with Recording(io.BytesIO(data)) as recording:
        dask_panes.tasks(recording)
        assert any(" s, with 1 task, is left out: " in problem for problem in recording.problems)


def test_a_table_of_a_path_warns_of_what_is_not_in_it(tmp_path: Path) -> None:
    """A caller that passes a path has no recording whose `problems` could be read."""
    with warnings.catch_warnings(), Recording(FIXTURE) as whole:
        warnings.simplefilter("error")
        count = len(dask_panes.tasks(FIXTURE))
        first, *_, last = (found for found in whole.blocks if found.kind == CHUNK and found.rows)
    path = tmp_path / "bad.dask-run"
    data = bytearray(FIXTURE.read_bytes())
    data[first.offset + 60] ^= 1
    path.write_bytes(data)
    with pytest.warns(
        UserWarning, match=rf"bad.dask-run could not be read in full. A part .* {first.rows} tasks, "
    ) as said:
        assert len(dask_panes.tasks(path)) == count - first.rows
    assert said[0].filename == __file__
    path.write_bytes(FIXTURE.read_bytes()[: last.offset + 70])
    with pytest.warns(
        UserWarning, match=r"It was not finished, or its end is damaged. 70 bytes are cut off or damaged."
    ):
        assert len(dask_panes.tasks(str(path))) == count - last.rows


def test_a_file_of_marks_is_read_in_linear_time(tmp_path: Path) -> None:
    def seconds(marks: int) -> float:
        begin = time.process_time()
        with read(tmp_path / "marks.dask-run", FILE_HEADER + block(INFO, b"\x80") + MARK * marks) as recording:
            assert recording.damaged == 4 * marks
            assert list(recording.frames()) == []
        return time.process_time() - begin

    few, many = seconds(100_000), seconds(2_000_000)
    assert many < 60 * few + 5


@pytest.mark.parametrize("more", [-20, 1, 100, 1 << 16])
def test_a_size_that_is_not_so_costs_its_block_only_also_without_an_index(tmp_path: Path, more: int) -> None:
    chunks = [chunk(times=[5, 0, array("d", [float(at)]).tobytes()]) for at in range(2000)]
    # The size in the file is not in the checksum.
    stored = struct.unpack_from("<I", chunks[7], 8)[0] + more
    chunks[7] = chunks[7][:8] + struct.pack("<I", stored) + chunks[7][12:]
    with read(tmp_path / "size.dask-run", FILE_HEADER + b"".join(chunks)) as recording:
        assert [frame["time"] for frame in recording.frames()] == [at for at in range(2000) if at != 7]
        assert (recording.damaged, recording.problems) == (len(chunks[7]), [])


def test_a_whole_block_before_a_damaged_one_is_read_without_an_index(tmp_path: Path) -> None:
    first, second = chunk(), chunk(times=[5, 0, array("d", [2.0]).tobytes()])
    data = FILE_HEADER + first + b"?" + second[1:] + chunk(times=[5, 0, array("d", [3.0]).tobytes()])
    with read(tmp_path / "mark.dask-run", data) as recording:
        assert [frame["time"] for frame in recording.frames()] == [1.0, 3.0]
        assert recording.damaged == len(second)


def test_a_file_of_headers_that_lie_is_read_in_linear_time(tmp_path: Path) -> None:
    def seconds(count: int) -> float:
        # Each says that it is as large as all behind it.
        heads = [HEADER.pack(MARK, CHUNK, STORED, 0, 48 * (count - i) - 47, 0, 0, 1, 0, 1, 0, 0) for i in range(count)]
        begin = time.process_time()
        with read(tmp_path / "heads.dask-run", FILE_HEADER + b"".join(heads)) as recording:
            assert list(recording.frames()) == []
            assert recording.damaged == 48 * count
        return time.process_time() - begin

    few, many = seconds(2_000), seconds(40_000)
    assert many < 60 * few + 5


#: Where the file ends.
END = -2.0


@pytest.mark.parametrize("offset", [math.inf, -math.inf, math.nan, 1e300, -1.0, 2.0**63, 0.0, END])
def test_an_index_that_lies_is_not_believed(tmp_path: Path, offset: float) -> None:
    blocks = block(INFO, msgpack.packb({"name": "x"})) + chunk()

    def data(offset: float) -> bytes:
        index = {"offsets": array("d", [16.0, offset]).tobytes(), "headers": blocks[:48] * 2, "why": ""}
        return finished(blocks, index)

    # The end of the file is no place of a block, either.
    at = len(data(0.0)) if offset == END else offset
    with read(tmp_path / "index.dask-run", data(at)) as recording:
        assert len(list(recording.frames())) == 1
        assert recording.info == {"name": "x"}


@pytest.mark.parametrize("change", [0, 1, -1, -48])
def test_an_index_with_a_header_that_is_none_is_not_believed(tmp_path: Path, change: int) -> None:
    blocks = block(INFO, msgpack.packb({"name": "x"})) + chunk()
    second = len(blocks) - len(chunk())
    headers = bytearray(blocks[:48] + blocks[second : second + 48])
    if change == 0:
        headers[48 + 5] = 2  # packed in a way that no reader knows
    index = {"offsets": array("d", [16.0, 16.0 + second]).tobytes(), "why": ""}
    index["headers"] = bytes(headers) + bytes(change) if change >= 0 else bytes(headers[:change])
    with read(tmp_path / "index.dask-run", finished(blocks, index)) as recording:
        assert len(list(recording.frames())) == 1
        assert not recording.complete


@pytest.mark.parametrize(
    "parts",
    [
        {"names": [[0, {"prefixes": {}}]]},
        {"names": [[0, {"prefixes": {"from": 2**60, "values": ["x"]}}]]},
        {"names": [[0, {"prefixes": {"from": "x", "values": 3}}]]},
        {"names": [[9, {"prefixes": {"from": 0, "values": []}}]]},
        {"names": 7},
        {"times": [5, 0, b"\0" * 7]},
        {"times": 3},
        {"topics": {"tasks": [{"f": [3, 0, b"\xff\xff\xff\xff"]}]}},
        {"topics": [1, 2]},
        {"topics": {"tasks": 5}},
    ],
)
def test_what_is_no_chunk_is_left_out(tmp_path: Path, parts: dict[str, object]) -> None:
    with read(tmp_path / "odd.dask-run", FILE_HEADER + chunk(**parts) + chunk()) as recording:
        assert len(list(recording.frames())) == 1
        assert len(recording.problems) == 1


def test_an_empty_file_a_text_and_a_header_alone(tmp_path: Path) -> None:
    for data in (b"", b"hello", FILE_HEADER[:9]):
        with pytest.raises(RecordingError):
            read(tmp_path / "none.dask-run", data)
    with read(tmp_path / "header.dask-run", FILE_HEADER) as recording:
        assert list(recording.frames()) == []
        assert not recording.complete


@pytest.mark.parametrize("bomb", ["zeros", "list", "frames"])
def test_a_small_file_takes_no_large_memory(tmp_path: Path, bomb: str) -> None:
    large = 2**26 - 4096
    times = [5, 0, array("d", [1.0]).tobytes()]
    data = {
        "zeros": msgpack.packb(
            {"feed": "a", "epoch": 0, "times": times, "topics": {"x": [{"f": [1, 1, bytes(large)]}]}}
        ),
        "list": b"\xdd" + struct.pack(">I", large) + bytes(large),
        "frames": msgpack.packb({"feed": "a", "epoch": 0, "times": [1, 0, bytes(2**22)], "topics": {}}),
    }[bomb]
    path = tmp_path / "bomb.dask-run"
    path.write_bytes(FILE_HEADER + block(CHUNK, data, deflate=True) + chunk())
    assert path.stat().st_size < 200_000
    script = """
    import resource, sys
    from dask_panes.files.recording import Recording
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with Recording(sys.argv[1]) as recording:
        assert len(list(recording.frames())) == 1, recording.problems
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), str(path)],
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    kilobytes = int(done.stdout) if sys.platform != "darwin" else int(done.stdout) // 1024
    assert kilobytes < 400_000


def test_a_worker_of_a_damaged_part_is_known_from_a_later_keyframe(tmp_path: Path) -> None:
    path = tmp_path / "run.dask-run"

    def facts(name: str) -> dict[str, object]:
        return {"address": f"tcp://{name}", "name": name, "host": "h", "nthreads": 2, "memory_limit": 8}

    def rows(cpu: dict[int, float]) -> dict[str, object]:
        count = len(cpu)
        columns = {"id": array("H", cpu), "status": array("B", [2] * count), "nthreads": array("H", [2] * count)}
        figures = {"memory_limit": array("d", [8.0] * count), "last_seen": array("d", [100.0] * count)}
        return {"c": {**columns, **figures, "cpu": array("f", cpu.values())}}

    with path.open("wb", buffering=0) as file:
        writer = RecordingWriter(file, {})
        for i in range(40):
            frame: dict[str, object] = {"feed": "f", "epoch": 0, "time": 100.0 + i, "names": {}, "topics": {}}
            if i < 2:
                frame["names"] = {"workers": {"from": i, "values": [facts("ab"[i])]}}
            # The second one says something once only.
            frame["topics"] = {"workers": rows({1: 50.0} if i == 1 else {0: float(i)})}
            writer.add(frame)
            writer.flush()
        writer.finish()
    whole = dask_panes.workers(path)
    assert list(zip(whole["name"], whole["cpu"])) == [("a", 39.0), ("b", 50.0)]
    data = bytearray(path.read_bytes())
    with Recording(path) as recording:
        assert list(recording.keyframes())
        bad = [found for found in recording.blocks if found.kind == CHUNK][1]
    data[bad.offset + 60] ^= 1
    with read(tmp_path / "bad.dask-run", bytes(data)) as recording:
        table = dask_panes.workers(recording)
        assert len(recording.problems) == 1
    assert table.equals(whole)


@pytest.mark.parametrize("table", [dask_panes.tasks, dask_panes.transfers, dask_panes.workers, dask_panes.series])
def test_a_closed_recording_is_an_error_and_not_an_empty_table(table: Callable[[Recording], object]) -> None:
    with dask_panes.open_recording(FIXTURE) as recording:
        assert recording.info
    with pytest.raises(ValueError, match="The recording is closed: open it again to read it"):
        table(recording)
    with pytest.raises(ValueError, match="is closed"):
        recording.key(3)
    assert recording.problems == []


def test_a_part_that_the_system_cannot_read_is_left_out_and_not_called_damaged() -> None:
    class BadDisk(io.BytesIO):
        bad: tuple[Block, ...] = ()

        def read(self, size: int | None = -1, /) -> bytes:
            if any(found.offset <= self.seek(0, io.SEEK_CUR) < found.next_offset for found in self.bad):
                raise OSError(errno.EIO, "Input/output error")
            return super().read(size)

    file = BadDisk(FIXTURE.read_bytes())
    with Recording(file) as recording:
        whole = len(dask_panes.tasks(recording))
        chunk = next(found for found in recording.blocks if found.kind == CHUNK and found.rows)
        keys = [found for found in recording.blocks if found.kind == PACKED_KEYS]
        file.bad = (chunk, *keys)
        assert len(dask_panes.tasks(recording)) == whole - chunk.rows
        assert any("cannot be read: [Errno 5]" in problem for problem in recording.problems)
        assert not any("damaged: [Errno" in problem for problem in recording.problems)


def test_tables_of_one_recording_may_be_made_in_several_threads() -> None:
    with Recording(FIXTURE) as recording, ThreadPoolExecutor(4) as pool:
        whole = dask_panes.tasks(recording)
        for table in pool.map(lambda _: dask_panes.tasks(recording), range(24)):
            assert table.equals(whole)
        assert recording.problems == []


def test_names_of_a_damaged_part_change_no_key_of_another() -> None:
    """After a restart all names are sent again: those of a damaged part are not known there, but before."""
    with Recording(FIXTURE) as whole:
        keys = {row: whole.key(row) for row in range(whole.tasks + 1)}
        chunks = [found for found in whole.blocks if found.kind == CHUNK]
        file = bytearray(FIXTURE.read_bytes())
        for bad in chunks:
            data = file.copy()
            data[bad.offset + 60] ^= 1
            with Recording(io.BytesIO(data)) as recording:
                for row, key in keys.items():
                    if not bad.first_row <= row < bad.first_row + bad.rows:
                        assert recording.key(row) in (key, None)
                table = dask_panes.tasks(recording)
            assert not table["key"].astype(str).str.startswith("?").any()
            # Before the first restart every name is known.
            if bad is not chunks[0]:
                assert table["key"].notna().sum() >= chunks[0].rows - bad.rows


def test_a_key_is_not_known_without_the_name_that_it_begins_with() -> None:
    file = io.BytesIO()
    writer = RecordingWriter(file, {})
    known: dict[str, object] = {
        "workers": {"from": 0, "values": [{"address": "a"}]},
        "lanes": {"from": 0, "values": [[0, 1]]},
    }
    row = 0
    for i, keys in enumerate([[b"\1" + bytes(16)], [b"\2" + bytes(16)], [b"\1" + bytes(16), b"\0text"]]):
        # The last part has tasks of the second prefix, and the name of a third one.
        prefixes = array("H", [min(i, 1)] * len(keys))
        columns = {
            "lane": array("H", [0] * len(keys)),
            "prefix": prefixes,
            "start": array("d", [1.0] * len(keys)),
        }
        names = {**known, "prefixes": {"from": i, "values": [["inc", "dec", "neg"][i]]}}
        known = {}
        topics = {"tasks": {"c": columns, "s": {"first": row}}}
        writer.add({"feed": "f", "epoch": 0, "time": 1.0, "names": names, "topics": topics})
        writer.flush()
        texts = {"length": array("H", map(len, keys)), "packed": b"".join(keys), "type": array("H", [0] * len(keys))}
        writer.add_keys(row, {**texts, "groups": {}, "types": {}})
        row += len(keys)
    writer.finish()
    data = bytearray(file.getvalue())
    with Recording(io.BytesIO(data)) as recording:
        whole = [recording.key(row) for row in range(4)]
        assert [key and key["key"][:9] for key in whole] == ["inc-00000", "dec-00000", "dec-00000", "text"]
        second = [block for block in recording.blocks if block.kind == CHUNK][1]
    data[second.offset + 60] ^= 1
    with Recording(io.BytesIO(data)) as recording:
        assert [recording.key(row) for row in (0, 2, 3)] == [whole[0], None, whole[3]]
        assert list(dask_panes.tasks(recording)["prefix"]) == ["inc", "?", "?"]

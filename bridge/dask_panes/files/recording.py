"""Recordings: a feed in a file. ``docs/recording.md`` is normative; `dask_panes.record` writes one.

Writer and reader handle frames with any topics: those of later versions pass through.
"""

from __future__ import annotations

import zlib
from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from struct import error as StructError
from time import time as wall_clock
from types import TracebackType
from typing import Any, BinaryIO

from .._about import version
from ..feed import FrameError, FrameValidator
from ..feed.schema import LIMITS, PROTOCOL
from ..scheduler.collector.keys import unpacked
from .blocks import CHUNK, INFO, KEYFRAME, KEYS, PACKED_KEYS, Block, BlockReader, BlockWriter, RecordingError
from .packing import Choices, pack, unpack
from .tables import State, Table, bodies

__all__ = ["Recording", "RecordingError", "RecordingWriter"]

#: Limits of a chunk: task rows, values of all columns, or seconds. A crash loses at most one chunk.
CHUNK_ROWS = 16_384
CHUNK_VALUES = 2**18
CHUNK_SECONDS = 4.0
#: A keyframe is written after changes of this multiple of its size and this many chunks: keyframes stay small
#: compared with the changes that they summarize, and few frames have to be read after one.
KEYFRAME_RATIO = 4
KEYFRAME_CHUNKS = 8
#: Messages about unreadable parts.
MOST_PROBLEMS = 100
#: Seconds of the longest recording with a seek position.
_LONGEST = 1e9


class RecordingWriter:
    """Writes the frames of one feed to a file.

    Parameters
    ----------
    file : binary file
        Unbuffered and empty; stays open.
    info : dict
        Metadata for users: ``name`` (of the file), ``cluster``, ``address``, ``started`` …
    next_row : int
        Number of the first task row in the recording; -1: that of the first frame.

    Raises
    ------
    OSError
        Here and in every method, if the file cannot be written.
    """

    def __init__(self, file: BinaryIO, info: Mapping[str, Any], next_row: int = -1) -> None:
        self._blocks = BlockWriter(file)
        self._blocks.add(INFO, {"protocol": PROTOCOL, "version": version(), "created": wall_clock(), **info})
        self._feed = ""
        self._epoch = -1
        self._state = State()
        #: All dictionary entries so far, for keyframes.
        self._names: dict[str, list[Any]] = {}
        self._choices: defaultdict[str, Choices] = defaultdict(Choices)
        self._since_keyframe = 0
        self._chunks_since = 0
        #: Number of the next task row; -1 if not known yet.
        self.next_row = next_row
        #: Ranges of task rows (first row, number) that were written and need their keys.
        self.unkeyed: list[tuple[int, int]] = []
        #: Task rows written.
        self.rows = 0
        self._begin_chunk()

    @property
    def size(self) -> int:
        """Bytes written."""
        return self._blocks.size

    @property
    def names(self) -> Mapping[str, list[Any]]:
        """All entries of the dictionaries so far."""
        return self._names

    @property
    def feed(self) -> str:
        """The recorded feed; empty before the first frame."""
        return self._feed

    def _begin_chunk(self) -> None:
        self._times = array("d")
        self._new_names: list[list[Any]] = []
        self._tables: dict[str, list[Table]] = {}
        self._chunk_values = 0
        self._chunk_first = 0
        self._chunk_rows = 0

    def add(self, frame: Mapping[str, Any]) -> None:
        """Add one decoded frame (`dask_panes.feed.decode`).

        Raises
        ------
        ValueError
            It belongs to another feed, so its rows and names have another meaning.
        """
        if self._feed and frame["feed"] != self._feed:
            raise ValueError("a recording holds one feed")
        if frame["epoch"] != self._epoch:
            self.flush()
            self._feed, self._epoch = frame["feed"], frame["epoch"]
            # Names and rows of another epoch start from the first again; task rows are identified by their numbers.
            self._state.clear()
            self._names.clear()
            self._since_keyframe = self._state.taken
        elif self._gap(frame["topics"].get("tasks")):
            # Within a chunk, rows have consecutive numbers.
            self.flush()
        at = len(self._times)
        self._times.append(frame["time"])
        names = {name: entries for name, entries in frame.get("names", {}).items() if self._extend_names(name, entries)}
        if names:
            self._new_names.append([at, names])
        for topic, body in frame["topics"].items():
            self._add_body(at, topic, self._new_rows(body) if topic == "tasks" else body)

    def _extend_names(self, name: str, entries: Mapping[str, Any]) -> bool:
        """Add dictionary entries; returns whether any was new."""
        known = self._names.setdefault(name, [])
        # The scheduler keeps only the newest group names.
        known.extend([""] * (entries["from"] - len(known)))
        fresh = entries["values"][max(0, len(known) - entries["from"]) :]
        known.extend(fresh)
        return bool(fresh)

    def _gap(self, body: Mapping[str, Any] | None) -> bool:
        if body is None or not self._chunk_rows:
            return False
        return bool(body.get("s", {}).get("first", 0) > self.next_row)

    def _new_rows(self, body: dict[str, Any]) -> dict[str, Any]:
        """Rows not written yet: after a restart of the cluster the history is sent again."""
        first = body.get("s", {}).get("first", 0)
        count = len(body.get("c", {}).get("start", ()))
        if self.next_row < 0:
            self.next_row = first
        skip = min(count, max(0, self.next_row - first))
        if not self._chunk_rows:
            self._chunk_first = first + skip
        self.next_row = max(self.next_row, first + count)
        self._chunk_rows += count - skip
        self.rows += count - skip
        return _without(body, skip) if skip else body

    def _add_body(self, at: int, topic: str, body: dict[str, Any]) -> None:
        columns = body.get("c") or {}
        moves = body.get("m") or {}
        tables = self._tables.setdefault(topic, [])
        table = next((table for table in tables if table.takes(columns, moves)), None)
        if table is None:
            table = Table(columns)
            tables.append(table)
        self._chunk_values += table.add(at, body)
        self._state.add(topic, body)

    @property
    def full(self) -> bool:
        """Whether the gathered data should be written: it is large, or spans a long time."""
        large = self._chunk_rows >= CHUNK_ROWS or self._chunk_values >= CHUNK_VALUES
        return large or (bool(self._times) and self._times[-1] - self._times[0] >= CHUNK_SECONDS)

    def flush(self) -> None:
        """Write the current chunk: from then on a crash does not lose it."""
        if not self._times:
            return
        times = (self._times[0], self._times[-1])
        topics = {
            topic: [table.packed(self._choices[topic]) for table in tables] for topic, tables in self._tables.items()
        }
        chunk = {"feed": self._feed, "epoch": self._epoch, "times": pack(self._times), "topics": topics}
        if self._new_names:
            chunk["names"] = self._new_names
        rows = (self._chunk_first, self._chunk_rows)
        self._blocks.add(CHUNK, chunk, frames=len(self._times), times=times, rows=rows)
        if self._chunk_rows:
            self.unkeyed.append(rows)
        self._begin_chunk()
        self._keyframe(times[1])

    def _keyframe(self, now: float) -> None:
        self._chunks_since += 1
        changed = self._state.taken - self._since_keyframe
        if self._chunks_since < KEYFRAME_CHUNKS or changed < KEYFRAME_RATIO * self._state.nbytes:
            return
        self._since_keyframe = self._state.taken
        self._chunks_since = 0
        topics: dict[str, list[Any]] = {}
        for topic, body in self._state.bodies().items():
            table = Table(body["c"])
            table.add(0, body)
            topics[topic] = [table.packed(Choices())]
        names = {name: {"from": 0, "values": values} for name, values in self._names.items()}
        keyframe = {
            "feed": self._feed,
            "epoch": self._epoch,
            "times": pack(array("d", [now])),
            "topics": topics,
            "names": [[0, names]],
        }
        rows = (max(0, self.next_row), 0)
        self._blocks.add(KEYFRAME, keyframe, frames=1, times=(now, now), rows=rows)

    def add_keys(self, first: int, keys: Mapping[str, Any]) -> None:
        """Add the keys of rows, as packed by the collector.

        Parameters
        ----------
        first : int
            Number of the first row.
        keys : mapping
            ``length`` (array of the bytes of each packed key), ``packed`` (bytes), ``type`` (array of type ids),
            ``groups`` and ``types`` (names by id, those that are used).
        """
        rows = (first, len(keys["length"]))
        told = {name: keys[name] for name in ("groups", "types")}
        value = {**told, "length": pack(keys["length"]), "type": pack(keys["type"])}
        self._blocks.add(KEYS, value, rows=rows)
        self._blocks.add(PACKED_KEYS, bytes(keys["packed"]), rows=rows, deflate=_compresses(keys["packed"]))

    def finish(self, why: str = "", missing: Sequence[str] = ()) -> None:
        """Write the gathered data and the index.

        Parameters
        ----------
        why : str
            Why the recording ends early, for users.
        missing : sequence of str
            Messages about missing data, for users.
        """
        self.flush()
        self._blocks.finish(why, missing)


def _compresses(data: bytes) -> bool:
    """Whether deflating keys is worthwhile: for random ones it only costs time."""
    sample = data[: 8 * 1024]
    return len(zlib.compress(sample, 1)) < 0.9 * len(sample)


def _without(body: dict[str, Any], skip: int) -> dict[str, Any]:
    """A body of `tasks` without its first rows."""
    cut: dict[str, Any] = {
        "c": {name: values[skip:] for name, values in body["c"].items()},
        "s": {**body.get("s", {}), "first": body.get("s", {}).get("first", 0) + skip},
    }
    cut["s"].pop("lost", None)
    moves = body.get("m")
    if moves:
        kept = [i for i, at in enumerate(moves["at"]) if at >= skip]
        cut["m"] = {name: array(values.typecode, [values[i] for i in kept]) for name, values in moves.items()}
        cut["m"]["at"] = array("I", [at - skip for at in cut["m"]["at"]])
    return cut


class Recording:
    """A recording, read from a file.

    Parameters
    ----------
    path : str, path or binary file
        The file; it stays open until `close`.

    Attributes
    ----------
    problems : list of str
        What could not be read so far, in sentences: a damaged part costs only itself.

    Raises
    ------
    RecordingError
        Where it is no recording.
    OSError
        Where it cannot be read.

    Examples
    --------
    >>> with Recording("run.dask-run") as recording:  # doctest: +SKIP
    ...     for frame in recording.frames():
    ...         print(frame["time"], list(frame["topics"]))
    """

    def __init__(self, path: str | Path | BinaryIO) -> None:
        self._file: BinaryIO
        if isinstance(path, (str, Path)):
            self._file = Path(path).open("rb")  # noqa: SIM115 - closed by `close`
        else:
            self._file = path
        try:
            self._reader = BlockReader(self._file)
        except BaseException:
            self._file.close()
            raise
        self._chunks = self._of(CHUNK)
        self._with_tasks = [block for block in self._chunks if block.rows]
        self._keys = self._of(KEYS)
        self._packed = {block.first_row: block for block in self._of(PACKED_KEYS)}
        self._prefixes: list[str] | None = None
        #: What could not be read so far, in sentences: a damaged part costs only itself.
        self.problems: list[str] = []
        #: The last chunk read: keys are requested one after the other.
        self._read_keys: tuple[Block, dict[str, Any], bytes, list[int]] | None = None
        self._read_prefixes: tuple[Block, list[int]] | None = None

    def __enter__(self) -> Recording:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _of(self, kind: int) -> list[Block]:
        return [block for block in self._reader.blocks if block.kind == kind]

    @property
    def info(self) -> dict[str, Any]:
        """Facts that the writer knew: protocol, version, created, name …"""
        found = self._of(INFO)
        try:
            value = self._reader.value(found[0]) if found else {}
        except RecordingError as error:
            self._note(f"The facts about the recording cannot be read: {error}")
            return {}
        return value if isinstance(value, dict) else {}

    def _note(self, problem: str) -> None:
        if problem not in self.problems and len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)

    @property
    def complete(self) -> bool:
        """Whether it was finished; False after a crash, where everything up to the last chunk is there."""
        return self._reader.complete

    @property
    def why(self) -> str:
        """Why it ended before its time, else empty."""
        return self._reader.why or ""

    @property
    def missing(self) -> list[str]:
        """Data that was unavailable when it was written, as messages: untrusted texts, like the rest of the file."""
        return self._reader.missing

    @property
    def damaged(self) -> int:
        """Bytes that could not be read as blocks."""
        return self._reader.damaged

    @property
    def blocks(self) -> list[Block]:
        """What the file consists of."""
        return self._reader.blocks

    @property
    def start(self) -> float:
        """Scheduler's clock of the first frame, seconds; NaN where there is none."""
        return self._chunks[0].start if self._chunks else float("nan")

    @property
    def end(self) -> float:
        """Scheduler's clock of the last frame, seconds; NaN where there is none."""
        return self._chunks[-1].end if self._chunks else float("nan")

    @property
    def tasks(self) -> int:
        """Executions recorded."""
        return sum(block.rows for block in self._chunks)

    def frames(self) -> Iterator[dict[str, Any]]:
        """All frames in order, as `dask_panes.feed.decode` gives them.

        Those of a damaged chunk are left out; `problems` says so.
        """
        seq = 0
        validator = FrameValidator()
        for block in self._chunks:
            for frame in self._whole_frames_of(block, validator):
                frame["seq"] = seq
                seq += 1
                yield frame

    def keyframes(self) -> Iterator[dict[str, Any]]:
        """The keyframes, in order of time; damaged ones are skipped."""
        for block in self._of(KEYFRAME):
            # A keyframe contains all names.
            yield from self._whole_frames_of(block, FrameValidator())

    def _whole_frames_of(self, block: Block, validator: FrameValidator) -> Iterator[dict[str, Any]]:
        """The intact frames of a chunk; none if it is damaged."""
        try:
            frames = self._frames_of(block)
        except RecordingError as error:
            validator.gap()
            tasks = f" and its {block.rows} tasks" if block.rows else ""
            # Times in a damaged file may have any value.
            at = block.start - self.start
            where = f" at {at:.1f} s" if 0 <= at < _LONGEST else ""
            self._note(f"A part of the recording{where}{tasks} is left out: {error}")
            return
        for frame in frames:
            try:
                problems = validator.check(frame)
            except FrameError as error:
                validator.gap()
                self._note(f"A frame of the recording is left out: {error}")
            else:
                for problem in problems:
                    self._note(f"A part of a frame is left out: {problem}")
                yield frame

    def _frames_of(self, block: Block) -> list[dict[str, Any]]:
        value = self._reader.value(block)
        try:
            times = unpack(value["times"])
            if len(times) > LIMITS["frames"]:
                raise ValueError(f"it has {len(times)} frames")
            frames: list[dict[str, Any]] = [
                {"v": PROTOCOL, "feed": value["feed"], "epoch": value["epoch"], "time": time, "names": {}, "topics": {}}
                for time in times
            ]
            for at, names in value.get("names", ()):
                frames[at]["names"] = names
            for topic, tables in value["topics"].items():
                for table in tables:
                    for at, body in bodies(table, len(frames)):
                        frames[at]["topics"][topic] = body
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
            raise RecordingError(f"A chunk of the recording is damaged: {error!r}") from error
        return frames

    def key(self, row: int) -> dict[str, str] | None:
        """Key and type of the result of one execution.

        Parameters
        ----------
        row : int
            Number of the execution: ``first`` of a frame's topic ``tasks``, plus the position in its columns.

        Returns
        -------
        dict or None
            ``{"key", "type"}``; None where the recording has no key of the row.

        Raises
        ------
        RecordingError
            Where that part of the file is damaged.
        """
        at = bisect_right(self._keys, row, key=lambda block: block.first_row) - 1
        if at < 0 or row >= self._keys[at].first_row + self._keys[at].rows:
            return None
        found = self._keys_of(self._keys[at])
        prefix = self._prefix_of(row)
        if found is None or prefix is None:
            return None
        block, keys, packed, offsets = found
        i = row - block.first_row
        try:
            key = unpacked(packed[offsets[i] : offsets[i + 1]], prefix, keys["groups"])
            return {"key": key, "type": str(keys["types"].get(keys["type"][i], ""))}
        except (LookupError, TypeError, ValueError, AttributeError, StructError) as error:
            raise RecordingError(f"Keys of the recording are damaged: {error}") from error

    def _keys_of(self, block: Block) -> tuple[Block, dict[str, Any], bytes, list[int]] | None:
        """The names, the packed keys and the start of each key."""
        if self._read_keys is None or self._read_keys[0] is not block:
            packed = self._packed.get(block.first_row)
            if packed is None:
                return None
            keys = self._reader.value(block)
            try:
                offsets = [0, *accumulate(unpack(keys["length"]))]
                keys["type"] = unpack(keys["type"])
            except (KeyError, TypeError, ValueError) as error:
                raise RecordingError(f"Keys of the recording are damaged: {error}") from error
            self._read_keys = (block, keys, self._reader.payload(packed), offsets)
        return self._read_keys

    def _prefix_of(self, row: int) -> str | None:
        at = bisect_right(self._with_tasks, row, key=lambda block: block.first_row) - 1
        if at < 0 or row >= self._with_tasks[at].first_row + self._with_tasks[at].rows:
            return None
        block = self._with_tasks[at]
        if self._read_prefixes is None or self._read_prefixes[0] is not block:
            ids: list[int] = []
            for frame in self._frames_of(block):
                ids.extend(frame["topics"].get("tasks", {}).get("c", {}).get("prefix", ()))
            self._read_prefixes = (block, ids)
        try:
            return str(self._prefix_names()[self._read_prefixes[1][row - block.first_row]])
        except IndexError:
            raise RecordingError("The keys of the recording do not fit its tasks.") from None

    def _prefix_names(self) -> list[str]:
        if self._prefixes is None:
            names: list[str] = []
            for frame in self.frames():
                entries = frame["names"].get("prefixes")
                if entries:
                    names[entries["from"] :] = entries["values"]
            self._prefixes = names
        return self._prefixes

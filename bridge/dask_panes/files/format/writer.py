"""Writes a recording: frames of one feed, gathered to chunks, with a keyframe now and then.

Guarantees: what was flushed survives a crash; rows of tasks are consecutive within a chunk and come once, though a
feed that starts over sends them again; a keyframe has the state of that moment, of the topics that `State` knows.
Topics of later versions pass through.
"""

from __future__ import annotations

import zlib
from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from time import time as wall_clock
from typing import Any, BinaryIO

from ..._about import version
from ...feed.schema import PROTOCOL
from ...scheduler.collector.plain import text
from ..blocks import CHUNK, INFO, KEYFRAME, KEYS, PACKED_KEYS, BlockWriter
from .packing import Choices, pack
from .tables import State, Table

#: Limits of a chunk: task rows, values of all columns, or seconds. A crash loses at most one chunk.
CHUNK_ROWS = 16_384
CHUNK_VALUES = 2**18
CHUNK_SECONDS = 4.0
#: Blocks after each of which chunks get twice as long, and how often they do: the index has 56 bytes for each block.
#: With chunks of 4 s it would be larger than a reader takes after 18 days, so it is after 3 years.
LENGTHENED, MOST_LENGTHENED = 100_000, 7
#: A keyframe is written after changes of this multiple of its size and this many chunks: keyframes stay small
#: compared with the changes that they summarize, and few frames have to be read after one.
KEYFRAME_RATIO = 4
KEYFRAME_CHUNKS = 8


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
        # Names of files and clusters may have lone surrogates, which cannot be written.
        facts = {name: text(value) if isinstance(value, str) else value for name, value in info.items()}
        self._blocks.add(INFO, {"protocol": PROTOCOL, "version": version(), "created": wall_clock(), **facts})
        self._feed = ""
        self._epoch = -1
        self._now = float("-inf")
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
        # The clock of gathered data is an estimate; a reader searches frames in order of time.
        self._now = max(self._now, frame["time"])
        self._times.append(self._now)
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
    def lengthened(self) -> float:
        """By what factor chunks are now longer than the first ones."""
        return 2.0 ** min(self._blocks.count // LENGTHENED, MOST_LENGTHENED)

    @property
    def full(self) -> bool:
        """Whether the gathered data should be written: it is large, or spans a long time."""
        large = self._chunk_rows >= CHUNK_ROWS or self._chunk_values >= CHUNK_VALUES
        return large or (bool(self._times) and self._times[-1] - self._times[0] >= CHUNK_SECONDS * self.lengthened)

    def add_whole(self, frame: Mapping[str, Any]) -> None:
        """Add one frame of many, and write the chunk if it is full: a reader takes none that is too large."""
        self.add(frame)
        if self.full:
            self.flush()

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
        texts = {name: keys[name] for name in ("groups", "types")}
        value = {**texts, "length": pack(keys["length"]), "type": pack(keys["type"])}
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
        self._blocks.finish(text(why), [text(message) for message in missing])


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

"""Recordings: a feed in a file. ``docs/recording.md`` is normative; `dask_panes.record` writes one.

Guarantees: a damaged part costs only itself, and `problems` says what was left out; frames are validated as those of
a live feed; topics of later versions pass through.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate
from pathlib import Path
from struct import error as StructError
from types import TracebackType
from typing import Any, BinaryIO

from ..feed import FrameError, FrameValidator
from ..feed.schema import LIMITS, PROTOCOL
from ..scheduler.collector.keys import grouped_by, unpacked
from .blocks import CHUNK, INFO, KEYFRAME, KEYS, PACKED_KEYS, Block, BlockReader, RecordingError, holding
from .format.names import BEHIND_PREFIX, LOST, prefix_names
from .format.packing import unpack
from .format.tables import bodies
from .format.writer import RecordingWriter
from .place import opened

__all__ = ["Recording", "RecordingError", "RecordingWriter"]

#: Messages about unreadable parts.
MOST_PROBLEMS = 100
#: Seconds of the longest recording with a seek position.
_LONGEST = 1e9


class Recording:
    """A recording, read from a file.

    Parameters
    ----------
    path : str, path or binary file
        The file; it stays open until `close`.
    storage_options : mapping, optional
        Arguments of the file system, for a `path` that is a URL of fsspec.

    Raises
    ------
    RecordingError
        Where it is not a recording.
    OSError
        Where it cannot be read.

    Examples
    --------
    >>> with Recording("run.dask-run") as recording:  # doctest: +SKIP
    ...     for frame in recording.frames():
    ...         print(frame["time"], list(frame["topics"]))
    """

    def __init__(self, path: str | Path | BinaryIO, storage_options: Mapping[str, Any] | None = None) -> None:
        self._name = str(path) if isinstance(path, (str, Path)) else ""
        self._file = opened(path, storage_options) if isinstance(path, (str, Path)) else path
        try:
            self._reader = BlockReader(self._file)
        except BaseException as error:
            self._file.close()
            if self._name == "" or not isinstance(error, RecordingError):
                raise
            raise RecordingError(f"{self._name}: {error}") from None
        self._chunks = self._of(CHUNK)
        self._with_tasks = [block for block in self._chunks if block.rows]
        self._keys = self._of(KEYS)
        self._packed = {block.first_row: block for block in self._of(PACKED_KEYS)}
        self._prefixes: list[str] | None = None
        #: What could not be read so far.
        self._unread: list[str] = []
        #: The last chunk read: keys are requested one after the other.
        self._read_keys: tuple[Block, dict[str, Any], bytes, list[int]] | None = None
        self._read_prefixes: tuple[Block, list[int]] | None = None

    def __repr__(self) -> str:
        ended = "" if self.complete else ", not complete"
        length = f", {self.end - self.start:.1f} s" if self._chunks else ""
        return f"<Recording {self._name}: {self.tasks:,} tasks{length}{ended}>"

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
        if problem not in self._unread and len(self._unread) < MOST_PROBLEMS:
            self._unread.append(problem)

    @property
    def problems(self) -> list[str]:
        """Why it ended early, and what could not be read so far, in sentences: a damaged part costs only itself."""
        return [*([self.why] if self.why else []), *self._unread]

    @property
    def is_damaged(self) -> bool:
        """Whether a part could not be read so far."""
        return bool(self._unread)

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
            tasks = f", with {block.rows:,} task{'s' * (block.rows > 1)}," if block.rows else ""
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
        entry = self._entry(row)
        return None if entry is None else {"key": entry[0], "type": entry[1]}

    def _entry(self, row: int) -> tuple[str, str, Any] | None:
        """Key and type of one execution, and by what Dask groups it."""
        held = holding(self._keys, row)
        found = None if held is None else self._keys_of(held[0])
        prefix = self._prefix_of(row)
        if held is None or found is None or prefix is None:
            return None
        i, (_, keys, packed, offsets) = held[1], found
        try:
            stored = packed[offsets[i] : offsets[i + 1]]
            if prefix == LOST and stored[0] in BEHIND_PREFIX:
                return None
            key = unpacked(stored, prefix, keys["groups"])
            return key, str(keys["types"].get(keys["type"][i], "")), grouped_by(stored, key, keys["groups"])
        except (LookupError, TypeError, ValueError, AttributeError, StructError) as error:
            raise RecordingError(f"Keys of the recording are damaged: {error}") from error

    def _keys_of(self, block: Block) -> tuple[Block, dict[str, Any], bytes, list[int]] | None:
        """The names, the packed keys and the start of each key."""
        # Another thread may read other ones meanwhile.
        read = self._read_keys
        if read is None or read[0] is not block:
            packed = self._packed.get(block.first_row)
            if packed is None:
                return None
            keys = self._reader.value(block)
            try:
                offsets = [0, *accumulate(unpack(keys["length"]))]
                keys["type"] = unpack(keys["type"])
            except (KeyError, TypeError, ValueError) as error:
                raise RecordingError(f"Keys of the recording are damaged: {error}") from error
            read = self._read_keys = (block, keys, self._reader.payload(packed), offsets)
        return read

    def _prefix_of(self, row: int) -> str | None:
        held = holding(self._with_tasks, row)
        if held is None:
            return None
        block, i = held
        read = self._read_prefixes
        if read is None or read[0] is not block:
            ids: list[int] = []
            for frame in self._frames_of(block):
                ids.extend(frame["topics"].get("tasks", {}).get("c", {}).get("prefix", ()))
            read = self._read_prefixes = (block, ids)
        try:
            return str(self._prefix_names()[read[1][i]])
        except IndexError:
            raise RecordingError("The keys of the recording do not fit its tasks.") from None

    def _prefix_names(self) -> list[str]:
        if self._prefixes is None:
            self._prefixes = prefix_names(self.frames(), self.keyframes())
        return self._prefixes

"""The file of a recording: a sequence of independently readable blocks.

``docs/recording.md`` is normative. A file that ends in the middle of a block (a killed kernel, a full disk) or that
is damaged is read up to that point, and from the next whole block on.
"""

from __future__ import annotations

import zlib
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from struct import Struct
from threading import Lock
from typing import Any, BinaryIO

import msgpack

from ..feed.shape import check_shape

#: First bytes of a file: not text, and changed by a transfer as text.
MAGIC = b"\x89DPR\r\n\x1a\n"
#: Version of the file format.
VERSION = 1
#: First bytes of a block.
MARK = b"\xd5DPB"
#: Last bytes of a file that was finished: where its index begins, then this.
END = b"DPR-END\n"

#: Kinds of blocks.
INFO, CHUNK, KEYFRAME, KEYS, PACKED_KEYS, INDEX = range(1, 7)
STORED, DEFLATED = range(2)

_FILE_HEADER = Struct("<8sII")
#: mark, type, method, 0, bytes stored, bytes unpacked, crc32, frames, start, end, first row, rows
_HEADER = Struct("<4sBBHIIIIddII")
_TRAILER = Struct("<Q8s")
#: Start of the checksummed part of a header; the payload follows.
_SUMMED = 20

HEADER_BYTES = _HEADER.size
FILE_HEADER_BYTES = _FILE_HEADER.size
#: Maximum size of a block in its header; more counts as damage.
LARGEST_BLOCK = 64 * 2**20
#: Bytes of a file scanned at once.
_WINDOW = 2**20
#: Level of deflate: higher ones find a few per cent more in columns and keys, and take twice as long.
_LEVEL = 1
#: Memory of deflate, as zlib counts it. Less means shorter runs of data with codes of their own, which suits the planes
#: of columns; more is faster.
_MEMORY = 8
#: Minimum bytes for which deflating is worthwhile.
_WORTH = 64
#: What to do where a file is no recording.
_HINT = "Give a file that dask_panes.record() wrote."
#: A header has the number of a row modulo this.
ROWS = 2**32


class RecordingError(ValueError):
    """A file that is not a recording, or a recording that could not be written; the text is for users."""


@dataclass(frozen=True)
class Block:
    """Fields of a block's header.

    Attributes
    ----------
    kind : int
        INFO, CHUNK …; readers skip unknown ones.
    offset : int
        Byte of the file at which the block begins.
    frames : int
        Frames of a chunk.
    start, end : float
        Scheduler's clock of the first and last frame, seconds.
    first_row, rows : int
        Rows of the topic ``tasks`` in it: the number of the first modulo 2³², and how many.
    """

    kind: int
    offset: int
    method: int
    stored: int
    raw: int
    crc: int
    frames: int
    start: float
    end: float
    first_row: int
    rows: int
    head: bytes

    @property
    def next_offset(self) -> int:
        """Offset of the next block."""
        return self.offset + HEADER_BYTES + self.stored


def parse_header(head: bytes, offset: int) -> Block | None:
    """Parse a header; None if the bytes are not one."""
    if len(head) < HEADER_BYTES:
        return None
    mark, kind, method, zero, stored, raw, crc, frames, start, end, first, rows = _HEADER.unpack_from(head)
    if mark != MARK or zero or method > DEFLATED or max(stored, raw) > LARGEST_BLOCK:
        return None
    return Block(kind, offset, method, stored, raw, crc, frames, start, end, first, rows, bytes(head[:HEADER_BYTES]))


_first_row = attrgetter("first_row")


def holding(blocks: Sequence[Block], row: int) -> tuple[Block, int] | None:
    """The block, of some in order of their rows, that has a row, and the position of the row in it."""
    if not blocks:
        return None
    base = blocks[0].first_row
    if row < ROWS and base <= blocks[-1].first_row:
        # Almost always: each key of a table is found here.
        at = bisect_right(blocks, row, key=_first_row)
    else:
        at = bisect_right(blocks, (row - base) % ROWS, key=lambda block: (block.first_row - base) % ROWS)
    # Before the first is the last one, which has no such row.
    block = blocks[at - 1]
    i = (row - block.first_row) % ROWS
    return (block, i) if i < block.rows else None


class BlockWriter:
    """Appends blocks to a file; each is handed to the operating system before the next begins.

    Parameters
    ----------
    file : binary file
        Unbuffered and empty.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._offset = 0
        self._offsets = array("d")
        self._headers = bytearray()
        self._write(_FILE_HEADER.pack(MAGIC, VERSION, 0))

    @property
    def size(self) -> int:
        """Bytes written."""
        return self._offset

    @property
    def count(self) -> int:
        """Blocks written."""
        return len(self._offsets)

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            # A raw file may write less than requested, for example when the disk is nearly full.
            done = self._file.write(view)
            view = view[done:]
        self._offset += len(data)

    def add(
        self,
        kind: int,
        value: Any,
        *,
        frames: int = 0,
        times: tuple[float, float] = (0.0, 0.0),
        rows: tuple[int, int] = (0, 0),
        deflate: bool = True,
    ) -> None:
        """Write one block.

        Parameters
        ----------
        value : bytes or object
            The payload; other types are packed with msgpack.
        frames : int
            Frames in it.
        times : (float, float)
            Clock of the first and the last of them.
        rows : (int, int)
            First task row in it, and their number.
        deflate : bool
            False for random data.

        Raises
        ------
        OSError
            The file cannot be written.
        """
        data: bytes = value if isinstance(value, bytes) else msgpack.packb(value)
        first, count = rows[0] % ROWS, rows[1]
        method, stored = STORED, data
        if deflate and len(data) >= _WORTH:
            packed = _deflate(data)
            if len(packed) < len(data):
                method, stored = DEFLATED, packed
        head = _HEADER.pack(MARK, kind, method, 0, len(stored), len(data), 0, frames, *times, first, count)
        crc = zlib.crc32(stored, zlib.crc32(head[_SUMMED:]))
        head = _HEADER.pack(MARK, kind, method, 0, len(stored), len(data), crc, frames, *times, first, count)
        if kind != INDEX:
            self._offsets.append(self._offset)
            self._headers += head
        self._write(head + stored)

    def finish(self, why: str, missing: Sequence[str] = ()) -> None:
        """Write the index: with it a reader need not scan every block.

        Parameters
        ----------
        why : str
            Why the recording ended early, for users; else empty.
        missing : sequence of str
            Messages about missing data, for users.
        """
        at = self._offset
        offsets = memoryview(self._offsets).tobytes() if _LITTLE else _swapped(self._offsets)
        index = {"offsets": offsets, "headers": bytes(self._headers), "why": why, "missing": list(missing)}
        self.add(INDEX, index)
        self._write(_TRAILER.pack(at, END))


_LITTLE = array("H", [1]).tobytes() == b"\x01\x00"


def _swapped(values: array[Any]) -> bytes:
    copy = array(values.typecode, values)
    copy.byteswap()
    return copy.tobytes()


def _deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -15, _MEMORY)
    return packer.compress(data) + packer.flush()


class BlockReader:
    """Finds and reads the blocks of a file.

    Parameters
    ----------
    file : binary file
        Seekable.

    Raises
    ------
    RecordingError
        It is not a recording, or of a later version.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._lock = Lock()
        self._size = file.seek(0, 2)
        if not self._size:
            raise RecordingError(f"This is not a recording of Dask Panes: the file is empty. {_HINT}")
        head = self._at(0, FILE_HEADER_BYTES)
        if head[: len(MAGIC)] != MAGIC or len(head) < FILE_HEADER_BYTES:
            raise RecordingError(f"This is not a recording of Dask Panes. {_HINT}")
        version = _FILE_HEADER.unpack(head)[1]
        if version != VERSION:
            raise RecordingError(
                f"The recording has version {version} of its format; this reader knows {VERSION}. "
                "Another version of Dask Panes reads it."
            )
        #: Bytes that belong to no whole block.
        self.damaged = 0
        #: Why the recording ended early; None if it was not finished.
        self.why: str | None = None
        #: Data that was unavailable when it was written, as messages.
        self.missing: list[str] = []
        self.blocks: list[Block] = self._from_index() or list(self._scan())

    @property
    def complete(self) -> bool:
        """Whether the recording was finished, and not truncated by a crash."""
        return self.why is not None

    def _at(self, offset: int, count: int) -> bytes:
        if self._file.closed:
            raise ValueError("The recording is closed: open it again to read it.")
        # Tables may be made in several threads.
        with self._lock:
            self._file.seek(offset)
            return self._file.read(count)

    def _from_index(self) -> list[Block]:
        trailer = self._at(max(0, self._size - _TRAILER.size), _TRAILER.size)
        if len(trailer) < _TRAILER.size or trailer[8:] != END:
            return []
        offset = _TRAILER.unpack(trailer)[0]
        block = parse_header(self._at(offset, HEADER_BYTES), offset) if offset < self._size else None
        if block is None or block.kind != INDEX:
            return []
        try:
            index = self.value(block)
            offsets = _plain_doubles(index["offsets"])
            heads = bytes(index["headers"])
            blocks = [
                parse_header(heads[i * HEADER_BYTES : (i + 1) * HEADER_BYTES], int(at)) for i, at in enumerate(offsets)
            ]
            # A text of a damaged file may be anything.
            why = str(index.get("why", ""))
            missing = [str(text) for text in index.get("missing", ())]
            whole = [found for found in blocks if found is not None]
            if any(not FILE_HEADER_BYTES <= at < self._size for at in offsets):
                return []
            if not len(heads) / HEADER_BYTES == len(whole) == len(offsets):
                # What it says of one block is no more certain of the others.
                return []
        except (RecordingError, KeyError, TypeError, ValueError, AttributeError, OverflowError):
            return []
        self.why, self.missing = why, missing
        return whole

    def _scan(self) -> Iterator[Block]:
        offset, checked = FILE_HEADER_BYTES, 0
        window = _Window(self._file)
        while offset + HEADER_BYTES <= self._size:
            block = parse_header(window.at(offset, HEADER_BYTES), offset)
            believed = block is not None and block.next_offset <= self._size
            if block is not None and believed and not self._leads_on(block):
                # A file of such headers is not read again for each of them.
                checked += HEADER_BYTES + block.stored
                believed = checked <= self._size and self._is_whole(block)
            if block is not None and believed:
                if block.kind != INDEX:
                    yield block
                offset = block.next_offset
                continue
            found = window.find(MARK, offset + 1)
            if found < 0:
                break
            self.damaged += found - offset
            offset = found
        self.damaged += max(0, self._size - offset)

    def _leads_on(self, block: Block) -> bool:
        """Whether a block, with the size in its header, ends where another one begins, or the file ends."""
        after = self._at(block.next_offset, len(MARK))
        return MARK.startswith(after) or block.next_offset == self._size - _TRAILER.size

    def _is_whole(self, block: Block) -> bool:
        return _checksum(block, self._at(block.offset + HEADER_BYTES, block.stored)) == block.crc

    def payload(self, block: Block) -> bytes:
        """The bytes of a block.

        Raises
        ------
        RecordingError
            They are damaged, or the system cannot read them.
        ValueError
            The file is closed.
        """
        try:
            stored = self._at(block.offset + HEADER_BYTES, block.stored)
        except OSError as error:
            raise RecordingError(f"A block of the recording cannot be read: {error}") from error
        if len(stored) < block.stored:
            raise RecordingError("A block of the recording is cut off.")
        if _checksum(block, stored) != block.crc:
            raise RecordingError("A block of the recording is damaged: its checksum is wrong.")
        if block.method == STORED:
            return stored
        try:
            unpacker = zlib.decompressobj(-15)
            data = unpacker.decompress(stored, block.raw + 1)
        except zlib.error as error:
            raise RecordingError(f"A block of the recording is damaged: {error}") from error
        if len(data) != block.raw:
            raise RecordingError("A block of the recording is not as large as it says.")
        return data

    def value(self, block: Block) -> Any:
        """The msgpack value of a block.

        Raises
        ------
        RecordingError
            It is damaged, or the system cannot read it.
        ValueError
            The file is closed.
        """
        data = self.payload(block)
        try:
            check_shape(data)
            return msgpack.unpackb(data, strict_map_key=False)
        except Exception as error:
            raise RecordingError(f"A block of the recording is damaged: {error}") from error


def _checksum(block: Block, stored: bytes) -> int:
    return zlib.crc32(stored, zlib.crc32(block.head[_SUMMED:]))


class _Window:
    """Scans a file from start to end; each byte is read about once."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._start = 0
        self._data = b""

    def at(self, offset: int, count: int) -> bytes:
        """Bytes from an offset on; fewer at the end of the file."""
        begin = offset - self._start
        if begin < 0 or begin + count > len(self._data):
            self._file.seek(offset)
            self._start, self._data, begin = offset, self._file.read(_WINDOW), 0
        return self._data[begin : begin + count]

    def find(self, mark: bytes, offset: int) -> int:
        """Offset of the next mark, from an offset on; -1 if there is none."""
        while len(self.at(offset, len(mark))) == len(mark):
            found = self._data.find(mark, offset - self._start)
            if found >= 0:
                return self._start + found
            # A mark may begin with the last bytes of the window.
            offset = self._start + len(self._data) - len(mark) + 1
        return -1


def _plain_doubles(data: bytes) -> array[float]:
    values = array("d")
    values.frombytes(data)
    if not _LITTLE:
        values.byteswap()
    return values

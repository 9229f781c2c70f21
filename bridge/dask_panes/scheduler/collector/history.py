"""The ring of executions: one row for each finished task, as typed columns in chunks."""

from __future__ import annotations

import asyncio
from array import array
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from dask.utils import key_split

from .columns import WireColumn, wire
from .key_search import Keys
from .keys import KeyColumn
from .names import Ids, Names
from .plain import literal, text

#: Rows per chunk; below 65,536, so that a key's group fits into two bytes.
CHUNK_ROWS = 16_384

#: Values per execution in a list of notes.
FIELDS = 7

#: Codes of the schema's enum ``kind`` for the intervals other than compute.
MOVE_KINDS = {"transfer": 1, "disk-read": 2, "disk-write": 3, "deserialize": 4}
_UNSHIFTED = (2, 3, 4)


class Chunk:
    """Rows ``first`` to ``first + len(self)`` and their transfers and I/O (``moves``)."""

    __slots__ = (
        "duration",
        "first",
        "keys",
        "lane",
        "move_at",
        "move_duration",
        "move_kind",
        "move_peer",
        "move_start",
        "nbytes",
        "prefix",
        "start",
        "status",
        "typename",
    )

    def __init__(self, first: int, names: Names) -> None:
        # A chunk adds at most CHUNK_ROWS new names, so the width can be chosen once, with this margin.
        def code(count: int) -> str:
            return "H" if count + CHUNK_ROWS < 65536 else "I"

        self.first = first
        self.lane = array(code(len(names.lanes)))
        self.prefix = array(code(len(names.prefixes)))
        self.start = array("d")
        self.duration = array("f")
        self.status = array("B")
        self.nbytes = array("f")
        self.typename = array("H")
        self.keys = KeyColumn()
        self.move_at = array("H")
        self.move_kind = array("B")
        self.move_start = array("d")
        self.move_duration = array("f")
        self.move_peer = array(code(len(names.workers) + 1))

    def __len__(self) -> int:
        return len(self.start)

    def cut(self, rows: int) -> None:
        """Drop all rows from a number on, even if columns have different lengths."""
        for column in (self.lane, self.prefix, self.start, self.duration, self.status, self.nbytes, self.typename):
            del column[rows:]
        self.keys.cut(rows)
        moves = bisect_left(self.move_at, rows)
        for column in (self.move_at, self.move_kind, self.move_start, self.move_duration, self.move_peer):
            del column[moves:]


class History:
    """The newest `limit` executions of a scheduler.

    Parameters
    ----------
    names : Names
        Dictionaries to which lanes and prefixes are added.
    limit : int
        Rows kept; whole chunks of 16,384 rows are dropped, so up to one chunk more is kept.
    """

    def __init__(self, names: Names, limit: int) -> None:
        self._names = names
        self._limit = limit
        self._chunks: deque[Chunk] = deque()
        self._tail: Chunk | None = None
        #: Number of the next row.
        self.end = 0
        #: Number of executions that could not be written, and the error of the last one.
        self.refused = 0
        self.refusal = ""
        #: Called with the first of the rows that were written, and with their keys.
        self.wrote: Callable[[int, list[Any]], None] = lambda first, keys: None
        self._typenames: list[str] = [""]
        self._typename_ids = Ids(self._new_typename)

    @property
    def first(self) -> int:
        """Number of the oldest kept row."""
        return self._chunks[0].first if self._chunks else self.end

    @property
    def nbytes(self) -> int:
        """Bytes of all columns and packed keys."""
        return sum(sum(len(c) * c.itemsize for c in _columns(chunk)) + chunk.keys.nbytes for chunk in self._chunks)

    def _roll(self) -> Chunk:
        chunk = Chunk(self.end, self._names)
        self._chunks.append(chunk)
        while self.end - self.first > self._limit:
            self._chunks.popleft()
        self._tail = chunk
        return chunk

    def extend(self, notes: list[Any], erred: Iterable[int] = ()) -> None:
        """Append executions.

        Parameters
        ----------
        notes : list
            ``FIELDS`` values for each execution, flat, as recorded by the transition hook: key, TaskState, worker
            address, thread, startstops (Dask's dicts with ``action``, ``start``, ``stop``), nbytes, typename.
        erred : iterable of int
            Which of the executions failed, counted from 0.
        """
        failed = set(erred)
        done, count = 0, len(notes) // FIELDS
        while done < count:
            chunk = self._tail
            if chunk is None or len(chunk) >= CHUNK_ROWS:
                chunk = self._roll()
            part = min(count - done, CHUNK_ROWS - len(chunk))
            whole = notes if part == count else notes[done * FIELDS : (done + part) * FIELDS]
            self._append(chunk, whole, {i - done for i in failed if done <= i < done + part})
            done += part

    def _append(self, chunk: Chunk, notes: list[Any], failed: set[int]) -> None:
        """Append to one chunk; executions that cannot be written are skipped, whatever the error."""
        try:
            self._extend(chunk, notes, failed)
        except Exception as error:
            chunk.cut(self.end - chunk.first)
            count = len(notes) // FIELDS
            if count == 1:
                self.refused += 1
                self.refusal = text(f"{type(error).__name__}: {text(error)}", 300)
                return
            half = count // 2
            self._append(chunk, notes[: half * FIELDS], {i for i in failed if i < half})
            self._append(chunk, notes[half * FIELDS :], {i - half for i in failed if i >= half})
        else:
            keys = notes[::FIELDS]
            self.wrote(self.end - len(keys), keys)

    def _extend(self, chunk: Chunk, notes: list[Any], failed: set[int]) -> None:
        # Column by column, so that the loops run in C; `fromlist` takes a third of the time of `extend`.
        keys, tasks, workers, threads, rows, sizes, typenames = (notes[i::FIELDS] for i in range(FIELDS))
        prefixes = [ts.prefix.name for ts in tasks]
        if failed:
            sizes = [size or 0 for size in sizes]
            chunk.status.fromlist([i in failed for i in range(len(keys))])
        else:
            chunk.status.frombytes(bytes(len(keys)))
        self._append_intervals(chunk, rows, workers, failed)
        chunk.lane.fromlist([*map(self._names.lane_ids.__getitem__, zip(workers, threads))])
        ids = [*map(self._names.prefix_ids.__getitem__, prefixes)]
        chunk.prefix.fromlist(ids)
        chunk.nbytes.fromlist(sizes)
        chunk.typename.fromlist([*map(self._typename_ids.__getitem__, typenames)])
        # Keys are restored with the text of the entry, which a few prefixes share.
        chunk.keys.extend(keys, [self._names.prefixes[found] for found in ids] if self._names.inexact else prefixes)
        self.end += len(keys)

    def _append_intervals(self, chunk: Chunk, rows: list[Any], workers: list[str], failed: set[int]) -> None:
        # Dask reports compute last, and for most tasks nothing else; only a failed task may have none.
        last = [startstops[-1] for startstops in rows]
        begin = len(chunk)
        chunk.start.fromlist([interval["start"] for interval in last])
        chunk.duration.fromlist([interval["stop"] - interval["start"] for interval in last])
        several = [i for i, startstops in enumerate(rows) if len(startstops) > 1]
        for i in sorted(failed.union(several)) if failed else several:
            compute = self._append_moves(chunk, begin + i, rows[i], workers[i])
            chunk.start[begin + i] = compute["start"]
            chunk.duration[begin + i] = compute["stop"] - compute["start"]

    def _append_moves(self, chunk: Chunk, at: int, startstops: Any, worker: str) -> dict[str, Any]:
        """Record the intervals other than compute; return the compute interval, an empty one if there is none."""
        compute = None
        # A worker that keeps a task after its release (because it needs it) reports its older intervals again.
        computes = [at for at, interval in enumerate(startstops) if interval["action"] == "compute"]
        for interval in startstops[computes[-2] + 1 :] if len(computes) > 1 else startstops:
            if interval["action"] == "compute":
                compute = interval
                continue
            kind = MOVE_KINDS.get(interval["action"])
            if kind is None:
                continue
            start = interval["start"]
            # Dask shifts compute and transfer to the scheduler's clock, but not disk intervals and unpickling.
            if kind in _UNSHIFTED:
                start += self._names.clock_delay(worker)
            chunk.move_at.append(at)
            chunk.move_kind.append(kind)
            chunk.move_start.append(start)
            chunk.move_duration.append(interval["stop"] - interval["start"])
            chunk.move_peer.append(self._names.worker_at(interval.get("source")) + 1)
        if compute is None:
            end = max(interval["stop"] for interval in startstops)
            compute = {"start": end, "stop": end}
        return compute

    def _new_typename(self, typename: str | None) -> int:
        if not typename or len(self._typenames) >= 65535:
            return 0
        self._typenames.append(text(typename, 200))
        return len(self._typenames) - 1

    def read(self, cursor: int, limit: int) -> tuple[dict[str, Any], int]:
        """Rows after a cursor.

        Parameters
        ----------
        cursor : int
            Number of the first row.
        limit : int
            Maximum number of rows, and of moves unless the first row has more; a read never crosses a chunk, so it may
            return fewer.

        Returns
        -------
        (dict, int)
            The topic body (``c`` columns, ``m`` moves, ``s`` scalars) and the cursor after it.
        """
        first = max(cursor, self.first)
        chunk = self._chunk_of(first) or Chunk(first, self._names)
        low = first - chunk.first
        high = _end_within(chunk, low, limit)
        body: dict[str, Any] = {
            "c": {
                "lane": wire(chunk.lane[low:high]),
                "prefix": wire(chunk.prefix[low:high]),
                "start": wire(chunk.start[low:high]),
                "duration": wire(chunk.duration[low:high]),
                "status": wire(chunk.status[low:high]),
                "nbytes": wire(chunk.nbytes[low:high]),
            },
            "s": {"first": first, "end": self.end},
        }
        if first > cursor:
            body["s"]["lost"] = first - cursor
        moves = self._moves(chunk, low, high)
        if moves:
            body["m"] = moves
        return body, chunk.first + high

    @staticmethod
    def _moves(chunk: Chunk, low: int, high: int) -> dict[str, WireColumn]:
        a = bisect_left(chunk.move_at, low)
        b = bisect_left(chunk.move_at, high)
        if a == b:
            return {}
        return {
            "at": wire(array("I", (at - low for at in chunk.move_at[a:b]))),
            "kind": wire(chunk.move_kind[a:b]),
            "start": wire(chunk.move_start[a:b]),
            "duration": wire(chunk.move_duration[a:b]),
            "peer": wire(chunk.move_peer[a:b]),
        }

    def _chunk_of(self, row: int) -> Chunk | None:
        if not self._chunks or not self.first <= row < self.end:
            return None
        return self._chunks[(row - self.first) // CHUNK_ROWS]

    def keys_at(self, number: int) -> Keys | None:
        """The keys of the chunk of a row; None if it has left the ring."""
        chunk = self._chunk_of(number)
        return None if chunk is None else Keys(chunk.first, chunk.keys, chunk.prefix)

    def describe(self, row: int) -> dict[str, Any] | None:
        """Fields that frames omit: the key and the type of the result.

        Returns
        -------
        dict or None
            ``{"key": str, "type": str}``; None if the row has left the ring.
        """
        chunk = self._chunk_of(row)
        if chunk is None:
            return None
        i = row - chunk.first
        prefix = self._names.prefixes[chunk.prefix[i]]
        return {"key": chunk.keys.text(i, prefix), "type": self._typenames[chunk.typename[i]]}

    async def find(self, key: str, prefix: str | None, count: int) -> list[int]:
        """Numbers of the newest executions of a key, at most `count`, newest first.

        Parameters
        ----------
        key : str
            As a user writes it.
        prefix : str or None
            Name of its prefix; if None, it is derived from the key as in Dask.
        count : int
            Maximum number of rows.

        Notes
        -----
        Yields to the scheduler between chunks.
        """
        prefixes = {key_split(key), key_split(literal(key))} if prefix is None else {prefix}
        known = prefixes & self._names.prefix_ids.keys()
        ids = {*map(self._names.prefix_ids.__getitem__, known), *self._names.shared}
        if self._names.inexact and known != prefixes:
            # What is stored of a task has the text of its prefix, which is not the name if that is very long or odd.
            ids.update(i for i, entry in enumerate(self._names.prefixes) if entry in prefixes)
        rows: list[int] = []
        for chunk in reversed(list(self._chunks)):
            found = {
                i
                for prefix_id in ids
                for i in chunk.keys.find(key, self._names.prefixes[prefix_id])
                if chunk.prefix[i] == prefix_id
            }
            rows += sorted((chunk.first + i for i in found), reverse=True)
            if len(rows) >= count:
                break
            await asyncio.sleep(0)
        return rows[:count]

    def execution(self, row: int) -> dict[str, Any] | None:
        """One execution with its transfers and I/O; None if the row has left the ring."""
        chunk = self._chunk_of(row)
        if chunk is None:
            return None
        i = row - chunk.first
        moves = range(bisect_left(chunk.move_at, i), bisect_left(chunk.move_at, i + 1))
        return {
            "row": row,
            "lane": chunk.lane[i],
            "start": chunk.start[i],
            "duration": chunk.duration[i],
            "erred": bool(chunk.status[i]),
            "nbytes": chunk.nbytes[i],
            "type": self._typenames[chunk.typename[i]],
            "moves": [
                {"kind": chunk.move_kind[m], "start": chunk.move_start[m], "duration": chunk.move_duration[m]}
                for m in moves
            ],
        }

    def keys(self, row: int, groups_of: int, groups: int, types: int) -> dict[str, Any]:
        """Packed keys and types of rows from `row` to the end of its chunk.

        Parameters
        ----------
        row : int
            Number of the first row.
        groups_of, groups : int
            Chunk (its first row), and number of group names that the reader has of it.
        types : int
            Number of type names that the reader has.

        Returns
        -------
        dict
            ``first``, ``chunk``, the result of `KeyColumn.packed`, ``type`` (wire column of type ids) and ``types``;
            ``first`` is beyond `row` if rows have left the ring. Without rows there is only ``first``.
        """
        first = max(row, self.first)
        chunk = self._chunk_of(first)
        if chunk is None:
            return {"first": first}
        low = first - chunk.first
        return {
            "first": first,
            "chunk": chunk.first,
            "type": wire(chunk.typename[low:]),
            "types": self._typenames[types:],
            **chunk.keys.packed(low, len(chunk), groups if groups_of == chunk.first else 0),
        }


def _columns(chunk: Chunk) -> list[Any]:
    return [
        chunk.lane,
        chunk.prefix,
        chunk.start,
        chunk.duration,
        chunk.status,
        chunk.nbytes,
        chunk.typename,
        chunk.move_at,
        chunk.move_kind,
        chunk.move_start,
        chunk.move_duration,
        chunk.move_peer,
    ]


def _end_within(chunk: Chunk, low: int, limit: int) -> int:
    """End of the rows from `low` on that are at most `limit`, with at most as many moves; at least one row."""
    high = min(len(chunk), low + limit)
    after = bisect_left(chunk.move_at, low) + limit
    if after < len(chunk.move_at):
        high = min(high, max(low + 1, chunk.move_at[after]))
    return high

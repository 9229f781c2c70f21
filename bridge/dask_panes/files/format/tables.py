"""Tables of a recording: the bodies of one topic combined, and the newest state of topics with ids."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...feed.schema import SCHEMA
from ...feed.validate import second_table
from .packing import Choices, pack, previous_rows, unpack

#: Column types from narrow to wide, of integers and of floats: a table uses the widest of its frames.
_WIDER = "BHIfd"

Columns = dict[str, "array[Any]"]
#: A body of a decoded frame: ``c`` columns, ``m`` moves, ``s`` scalars.
Body = dict[str, Any]


class Table:
    """Bodies of one topic that have the same columns, one after the other."""

    def __init__(self, columns: Iterable[str]) -> None:
        self._columns: Columns = {name: array("B") for name in columns}
        self._moves: Columns = {}
        self._frames = array("I")
        self._rows = array("I")
        self._move_rows = array("I")
        self._scalars: list[Any] = []

    def takes(self, columns: Iterable[str], moves: Iterable[str]) -> bool:
        """Whether a body has these columns."""
        return list(columns) == list(self._columns) and (
            not moves or not self._moves or list(moves) == list(self._moves)
        )

    def add(self, frame: int, body: Body) -> int:
        """Append a body; `frame` is the index of its frame in the chunk. Returns its number of values."""
        columns, moves = body.get("c") or {}, body.get("m") or {}
        rows, move_rows = _extend(self._columns, columns), _extend(self._moves, moves)
        self._frames.append(frame)
        self._rows.append(rows)
        self._move_rows.append(move_rows)
        self._scalars.append(body.get("s"))
        return rows * len(columns) + move_rows * len(moves)

    def packed(self, choices: Choices) -> dict[str, Any]:
        """The table in file format; `choices` are those of its topic."""
        table: dict[str, Any] = {
            "f": pack(self._frames, None, choices, "f"),
            "n": pack(self._rows, None, choices, "n"),
            "c": _pack(self._columns, choices, "c"),
        }
        if self._moves:
            table["k"] = pack(self._move_rows, None, choices, "k")
            table["m"] = _pack(self._moves, choices, "m")
        if any(scalars is not None for scalars in self._scalars):
            table["s"] = self._scalars
        return table


def _extend(columns: Columns, body: Mapping[str, Any]) -> int:
    rows = 0
    for name, values in body.items():
        rows = len(values)
        mine = columns.get(name)
        if mine is None:
            columns[name] = values[:]
        elif mine.typecode == values.typecode:
            mine.extend(values)
        else:
            wider = max(mine.typecode, values.typecode, key=_WIDER.index) if mine else values.typecode
            columns[name] = array(wider, [*mine, *values])
    return rows


def _pack(columns: Columns, choices: Choices, part: str) -> dict[str, Any]:
    ids = columns.get("id")
    previous = None if ids is None else previous_rows(ids.tolist())
    return {
        name: pack(values, None if name == "id" else previous, choices, f"{part}.{name}")
        for name, values in columns.items()
    }


def _unpack(columns: Mapping[str, Any]) -> Columns:
    ids = unpack(columns["id"]) if "id" in columns else None
    previous = None if ids is None else previous_rows(ids.tolist())
    return {name: unpack(value, None if name == "id" else previous) for name, value in columns.items()}


def bodies(table: Mapping[str, Any], most: int) -> Iterator[tuple[int, Body]]:
    """The bodies of a packed table with their frame indices.

    Parameters
    ----------
    table : mapping
        The result of `Table.packed`.
    most : int
        Frames of the chunk: each has at most one body of a table.

    Raises
    ------
    ValueError
        Its parts are inconsistent.
    """
    frames, rows = unpack(table["f"]), unpack(table["n"])
    columns = _unpack(table["c"])
    moves = _unpack(table.get("m", {}))
    move_rows = unpack(table["k"]) if moves else array("I", bytes(4 * len(frames)))
    scalars = table.get("s") or [None] * len(frames)
    if len(frames) > most:
        raise ValueError("a table refers to more frames than there are")
    if not len(frames) == len(rows) == len(move_rows) == len(scalars):
        raise ValueError("a table has several numbers of frames")
    for part, counts in ((columns, rows), (moves, move_rows)):
        total = sum(counts)
        if any(len(values) != total for values in part.values()):
            raise ValueError("a table's columns differ in length")
    at = move_at = 0
    for frame, count, move_count, extra in zip(frames, rows, move_rows, scalars):
        body: Body = {"c": {name: values[at : at + count] for name, values in columns.items()}}
        if move_count:
            body["m"] = {name: values[move_at : move_at + move_count] for name, values in moves.items()}
        if extra is not None:
            body["s"] = extra
        at += count
        move_at += move_count
        yield frame, body


class State:
    """The newest rows of topics whose tables have ids, and the newest map of topics without columns.

    These can be written again at any time; all other topics are histories, available only from their own frames, and so
    are topics with two tables, since rows of the second have no ids, and those whose lists have several entries of a
    row.
    """

    def __init__(self) -> None:
        self._rows: dict[str, dict[int, tuple[Columns, int]]] = {}
        self._scalars: dict[str, Any] = {}
        #: Bytes of columns received, and of the newest rows.
        self.taken = 0

    def clear(self, topics: tuple[str, ...] = ()) -> None:
        """Clear topics, or everything."""
        for name in topics or tuple({*self._rows, *self._scalars}):
            self._rows.pop(name, None)
            self._scalars.pop(name, None)

    def add(self, topic: str, body: Body) -> None:
        """Fold one body in."""
        columns = body.get("c") or {}
        if topic in _NOT_KEPT:
            return
        if "id" in columns:
            rows = self._rows.setdefault(topic, {})
            for i, key in enumerate(columns["id"]):
                rows[key] = (columns, i)
            self.taken += sum(len(values) * values.itemsize for values in columns.values())
            self._merge(topic, body.get("s"))
        elif not columns and not body.get("m"):
            self._scalars[topic] = body.get("s", {})

    def _merge(self, topic: str, scalars: Mapping[str, Any] | None) -> None:
        """Merge lists that refer to rows of their frame, by id, as rows are merged."""
        known = self._scalars.setdefault(topic, {})
        for name, value in (scalars or {}).items():
            part = _KEYED.get((topic, name))
            if part is None:
                known[name] = value
            else:
                items = {item[part]: item for item in (*known.get(name, ()), *value)}
                known[name] = list(items.values())

    @property
    def nbytes(self) -> int:
        """Bytes of the columns that `bodies` would return."""
        return sum(
            len(rows) * sum(values.itemsize for values in next(iter(rows.values()))[0].values())
            for rows in self._rows.values()
            if rows
        )

    def bodies(self) -> dict[str, Body]:
        """The state as bodies of one frame."""
        found: dict[str, Body] = {
            topic: {"c": {}, "s": scalars} for topic, scalars in self._scalars.items() if topic not in self._rows
        }
        for topic, rows in self._rows.items():
            columns: Columns = {}
            for source, i in rows.values():
                _extend_row(columns, source, i)
            found[topic] = {"c": columns}
            if self._scalars.get(topic):
                found[topic]["s"] = self._scalars[topic]
        return found


def _keyed_lists() -> Iterator[tuple[tuple[str, str], int | str]]:
    """Lists of the schema whose entries belong to a row, with where an entry has the row's id."""
    for topic, about in SCHEMA["topics"].items():
        if "id" not in about.get("columns", {}):
            continue
        for name, scalar in about.get("scalars", {}).items():
            entry = scalar.get("list", {})
            if "in" in (first := entry.get("tuple", [{}])[0]) or first.get("is") == "identity":
                yield (topic, name), 0
            elif "id" in entry.get("fields", {}):
                yield (topic, name), "id"


_KEYED = dict(_keyed_lists())


def _has_several(about: Mapping[str, Any]) -> bool:
    """Whether a list of a topic may have several entries of one row, of which only one would be left."""
    lists = [scalar for scalar in about.get("scalars", {}).values() if "tuple" in scalar.get("list", {})]
    return "id" in about.get("columns", {}) and any(
        scalar["most"] != "rows" and scalar["list"]["tuple"][0].get("is") in ("count", "identity") for scalar in lists
    )


#: Topics of which a state has nothing.
_NOT_KEPT = frozenset(topic for topic, about in SCHEMA["topics"].items() if second_table(about) or _has_several(about))


def _extend_row(columns: Columns, source: Columns, i: int) -> None:
    have = len(next(iter(columns.values()))) if columns else 0
    for name, values in source.items():
        mine = columns.get(name)
        if mine is None:
            # A column missing in earlier rows: their values are unknown.
            blank = [float("nan") if values.typecode in "fd" else 0] * have
            mine = columns[name] = array(values.typecode, blank)
        if mine.typecode != values.typecode:
            wider = max(mine.typecode, values.typecode, key=_WIDER.index)
            mine = columns[name] = array(wider, mine)
        mine.append(values[i])
    for name, mine in columns.items():
        if name not in source:
            mine.append(float("nan") if mine.typecode in "fd" else 0)

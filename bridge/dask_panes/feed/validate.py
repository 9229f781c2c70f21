"""Checks decoded frames against the schema (``docs/feed.md``, "Validation"), so that no other code has to."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from math import isfinite, nan
from typing import Any

from .codec import FrameError
from .schema import LIMITS, SCHEMA

_DICTIONARIES = ("workers", "prefixes", "groups", "lanes")
_SECOND_TABLES = ("moves", "edges", "stacks", "functions", "ends")
_BARE_WORKER = {"address": "", "name": "", "host": "", "nthreads": 0, "memory_limit": 0}
#: Replaces a missing entry; a lane of no worker.
_UNNAMED: dict[str, Any] = {
    "workers": {**_BARE_WORKER, "name": "?"},
    "prefixes": "?",
    "groups": "?",
    "lanes": [-1, 0],
}
#: Number 0 of frames and stacks means none.
_NOTHING_OWN = {"prefixes": 0, "frames": 1, "stacks": 1}
_OWN_TOPICS = frozenset(name for name, topic in SCHEMA["topics"].items() if "frames" in topic.get("scalars", {}))
_LARGEST_WHOLE = 2**53 - 1

Body = dict[str, Any]
Lengths = Mapping[str, int]


def _damaged(what: str) -> FrameError:
    return FrameError(f"This frame is damaged: {what}.")


def second_table(topic: Mapping[str, Any]) -> Mapping[str, Any]:
    """Columns of the second table that the schema describes for a topic; empty if it has none."""
    columns: Mapping[str, Any] = next((topic[name]["columns"] for name in _SECOND_TABLES if name in topic), {})
    return columns


class FrameValidator:
    """Checks the frames of one feed, in order: indices are checked against the dictionaries as they grow.

    A topic that breaks a bound is removed from the frame and reported; if the envelope or the dictionaries do, the
    frame is refused. Topics, columns and scalars that this version does not know are not changed.
    """

    def __init__(self) -> None:
        self._feed: Any = None
        self._epoch: Any = None
        self._known = dict.fromkeys(_DICTIONARIES, 0)
        self._own: dict[str, dict[str, int]] = {}
        #: Dictionaries that may have missing entries.
        self._gapped: set[str] = set()
        self._broken = False

    def check(self, frame: dict[str, Any]) -> list[str]:
        """Check a result of `decode`, in place.

        Returns
        -------
        list of str
            A message for each removed topic.

        Raises
        ------
        FrameError
            Nothing of the frame can be used; has a message.
        """
        _check_envelope(frame)
        if (frame["feed"], frame["epoch"]) != (self._feed, self._epoch):
            self._feed, self._epoch = frame["feed"], frame["epoch"]
            self._known = dict.fromkeys(_DICTIONARIES, 0)
            self._own = {}
            self._broken = False
        self._learn(frame)
        problems = []
        topics = frame["topics"]
        for name, topic in SCHEMA["topics"].items():
            if name in topics:
                try:
                    self._check_body(name, topic, topics[name])
                except FrameError as error:
                    problems.append(str(error))
                    del topics[name]
        return problems

    def gap(self) -> None:
        """Report that a part of the feed is missing.

        The next names may skip indices, which get the name "?", and a topic's own lists are unreadable until it
        starts over.
        """
        self._gapped = set(_DICTIONARIES)
        self._broken = True
        self._own = {}

    def _learn(self, frame: dict[str, Any]) -> None:
        names = frame.setdefault("names", {})
        if not isinstance(names, dict):
            raise _damaged("its names are no map")
        known = dict(self._known)
        checked = {}
        for dictionary in _DICTIONARIES:
            if dictionary in names:
                entries = self._entries(dictionary, names[dictionary], known)
                known[dictionary] = max(known[dictionary], entries["from"] + len(entries["values"]))
                checked[dictionary] = entries
        frame["names"] = {**names, **checked}
        self._known = known
        self._gapped -= checked.keys()

    def _entries(self, dictionary: str, value: Any, known: Lengths) -> dict[str, Any]:
        where = f"the dictionary {dictionary}"
        start: Any = value.get("from") if isinstance(value, dict) else None
        values: Any = value.get("values") if isinstance(value, dict) else None
        if not _is_whole(start) or not isinstance(values, list):
            raise _damaged(f"{where} has no entries")
        if start + len(values) > LIMITS["entries"]:
            if dictionary == "groups":
                # Their indices grow forever because the oldest are dropped: only the newest of this number have
                # names.
                return {"from": known[dictionary], "values": []}
            raise _damaged(f"{where} has too many entries")
        missing = start - known[dictionary]
        # Of groups only the newest names are kept.
        if missing > 0 and dictionary not in self._gapped and dictionary != "groups":
            raise _damaged(f"{where} leaves out entries")
        spec = SCHEMA["names"][dictionary]
        checked = [_value(spec, entry, where, known) for entry in values]
        if dictionary == "workers":
            checked = [{**_BARE_WORKER, **facts} for facts in checked]
        if missing > 0:
            return {"from": known[dictionary], "values": [_UNNAMED[dictionary]] * missing + checked}
        return {"from": start, "values": checked}

    def _check_body(self, name: str, topic: Mapping[str, Any], body: Any) -> None:
        where = f"topic {name}"
        if not isinstance(body, dict):
            raise _damaged(f"{where} is no map")
        columns, moves, scalars = (body.get(part) or {} for part in "cms")
        rows, more = _rows(columns, where), _rows(moves, f"the second table of {where}")
        if max(rows, more) > LIMITS["rows"]:
            raise _damaged(f"{where} has too many rows")
        if not isinstance(scalars, dict):
            raise _damaged(f"the scalars of {where} are no map")
        lengths: dict[str, int] = {**self._known, "rows": rows}
        for scalar, spec in topic.get("scalars", {}).items():
            if scalar in scalars:
                scalars[scalar] = _value(spec, scalars[scalar], f"{scalar} of {where}", lengths)
        grown = self._grow(name, scalars, more) if name in _OWN_TOPICS else {}
        lengths.update({f"own.{part}": length for part, length in grown.items()})
        _check_columns(topic["columns"], columns, rows, where, lengths)
        _check_columns(second_table(topic), moves, more, f"the second table of {where}", lengths)
        if grown:
            self._own[name] = grown

    def _grow(self, name: str, scalars: Mapping[str, Any], stacks: int) -> dict[str, int]:
        """The size of a topic's own lists after a body."""
        before = None if scalars.get("first") == 0 else self._own.get(name)
        if before is None:
            if self._broken and scalars.get("first") != 0:
                raise _damaged(f"topic {name} goes on from a part that is missing")
            before = _NOTHING_OWN
        news = {
            "prefixes": len(scalars.get("prefixes", ())),
            "frames": len(scalars.get("frames", ())),
            "stacks": stacks,
        }
        grown = {part: length + news[part] for part, length in before.items()}
        if max(grown.values()) > LIMITS["entries"]:
            raise _damaged(f"topic {name} has too many stacks, functions or prefixes")
        return grown


def _check_envelope(frame: Mapping[str, Any]) -> None:
    feed, time, topics = frame["feed"], frame["time"], frame["topics"]
    if not isinstance(feed, str) or len(feed) > LIMITS["identity"] or not isinstance(topics, dict):
        raise _damaged("it does not say of which feed it is")
    cursor = frame.get("cursor", {})
    if not isinstance(cursor, dict) or len(cursor) > LIMITS["cursor"]:
        raise _damaged("its cursor is none")
    if not all(isinstance(name, str) and len(name) <= LIMITS["identity"] for name in cursor):
        raise _damaged("its cursor is none")
    if not all(map(_is_whole, (frame["epoch"], frame.get("seq", 0), *cursor.values()))):
        raise _damaged("its numbers are out of bounds")
    rule = SCHEMA["rules"]["time"]
    if not _is_number(time) or not rule["least"] <= time <= rule["most"]:
        raise _damaged("its time lies outside of the years 1970 to 2200")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST_WHOLE


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _rows(columns: Any, where: str) -> int:
    if not isinstance(columns, dict) or not all(isinstance(column, array) for column in columns.values()):
        raise _damaged(f"{where} is no table")
    lengths = {len(column) for column in columns.values()}
    if len(lengths) > 1:
        raise _damaged(f"the columns of {where} differ in length")
    return max(lengths, default=0)


def _check_columns(specs: Mapping[str, Any], columns: dict[str, Any], rows: int, where: str, lengths: Lengths) -> None:
    for name, column in columns.items():
        spec = specs.get(name) or specs.get("*_" + str(name).rpartition("_")[2])
        if spec is not None and column:
            columns[name] = _check_column(spec, column, f"column {name} of {where}", lengths)
        elif spec is not None:
            _check_type(spec, column, f"column {name} of {where}")
    lacks = next((name for name, spec in specs.items() if spec.get("needed") and name not in columns), None)
    if lacks is not None and rows:
        raise _damaged(f"{where} has no column {lacks}")


def _check_type(spec: Mapping[str, Any], column: array[Any], where: str) -> None:
    if (column.typecode in "fd") != spec["dtype"].startswith("f"):
        raise _damaged(f"{where} is of another type")


def _check_column(spec: Mapping[str, Any], column: array[Any], where: str, lengths: Lengths) -> array[Any]:
    _check_type(spec, column, where)
    least, most, unknown = _bounds(spec, lengths)
    # A sum is finite only if all values are: then minimum and maximum cover all.
    if isfinite(sum(column)) and least <= min(column) and max(column) <= most:
        return column
    if unknown:
        return array(column.typecode, [value if least <= value <= most else nan for value in column])
    for row, value in enumerate(column):
        if not least <= value <= most:
            raise _damaged(f"{where} has a value that cannot be ({value} in row {row})")
    return column


def _bounds(spec: Mapping[str, Any], lengths: Lengths) -> tuple[float, float, bool]:
    if "in" in spec:
        return 0, lengths.get(spec["in"], 0) - 1 + spec.get("plus", 0), False
    if "enum" in spec:
        return 0, len(SCHEMA["enums"][spec["enum"]]) - 1, False
    rule = SCHEMA["rules"][spec["is"]]
    return rule["least"], rule["most"], rule.get("unknown", False)


def _value(spec: Mapping[str, Any], value: Any, where: str, lengths: Lengths) -> Any:
    if value is None and spec.get("null"):
        return None
    if isinstance(value, str) and "text" in spec:
        return value[: spec["text"]]
    if "in" in spec or "is" in spec:
        return _number(spec, value, where, lengths)
    if isinstance(value, bool) and "flag" in spec:
        return value
    if isinstance(value, list) and ("list" in spec or "tuple" in spec):
        return _list(spec, value, where, lengths)
    if isinstance(value, dict) and ("map" in spec or "fields" in spec):
        return _map(spec, value, where, lengths)
    raise _damaged(f"{where} is not what it should be")


def _list(spec: Mapping[str, Any], value: list[Any], where: str, lengths: Lengths) -> list[Any]:
    if "tuple" in spec:
        if len(value) != len(spec["tuple"]):
            raise _damaged(f"{where} is not what it should be")
        return [_value(inner, part, where, lengths) for inner, part in zip(spec["tuple"], value)]
    if len(value) > (lengths["rows"] if spec["most"] == "rows" else spec["most"]):
        raise _damaged(f"{where} has too many entries")
    return [_value(spec["list"], part, where, lengths) for part in value]


def _number(spec: Mapping[str, Any], value: Any, where: str, lengths: Lengths) -> Any:
    least, most, unknown = _bounds(spec, lengths)
    whole = "in" in spec or SCHEMA["rules"][spec["is"]].get("whole")
    if _is_number(value) and least <= value <= most and (not whole or value == int(value)):
        return value
    if unknown:
        return None
    raise _damaged(f"{where} is not what it should be")


def _map(spec: Mapping[str, Any], value: dict[Any, Any], where: str, lengths: Lengths) -> dict[str, Any]:
    if "map" in spec:
        if len(value) > spec["most"]:
            raise _damaged(f"{where} has too many entries")
        return {str(key)[: spec["keys"]]: _value(spec["map"], part, where, lengths) for key, part in value.items()}
    fields = spec["fields"]
    known = {name: _value(fields[name], value[name], f"{name} of {where}", lengths) for name in fields if name in value}
    return {**{name: part for name, part in value.items() if name not in fields}, **known}

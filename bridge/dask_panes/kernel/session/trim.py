"""Removes from an answer what a subscriber already has: several tabs share a read but may differ by a few rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...feed.schema import DTYPES
from ...scheduler.collector.names import dictionaries

#: Topics whose rows must be sent exactly once; the others replace rows by id.
_COUNTED = frozenset(("tasks", "events", "memory_samples", "steals"))

#: Scalars that are columns of text: one for each row.
_ROW_TEXTS = frozenset(("topic", "action", "text"))


def ahead(cursor: Mapping[str, int], have: Mapping[str, int], topics: Iterable[str]) -> dict[str, int]:
    """The entries of an answer's cursor that advance a subscriber: its topics and the dictionaries."""
    wanted = {*topics, *name_cursors(topics)}
    return {name: max(value, have.get(name, 0)) for name, value in cursor.items() if name in wanted}


def name_cursors(topics: Iterable[str]) -> list[str]:
    """The entries of a cursor for the dictionaries of some topics."""
    return ["n_" + name for name in dictionaries(topics)]


def _cut(columns: Mapping[str, Any], rows: int) -> dict[str, Any]:
    return {name: (dtype, data[rows * DTYPES[dtype]["bytes"] :]) for name, (dtype, data) in columns.items()}


def _cut_tasks(body: Mapping[str, Any], rows: int) -> dict[str, Any]:
    from array import array

    cut = {"c": _cut(body["c"], rows), "s": {**body["s"], "first": body["s"]["first"] + rows}}
    cut["s"].pop("lost", None)
    moves = body.get("m")
    if moves:
        at = array("I", bytes(moves["at"][1]))
        skip = sum(1 for index in at if index < rows)
        if skip < len(at):
            cut["m"] = _cut(moves, skip)
            cut["m"]["at"] = ("u4", array("I", (index - rows for index in at[skip:])).tobytes())
    return cut


def _cut_rows(body: Mapping[str, Any], rows: int) -> dict[str, Any]:
    scalars = {**body["s"], "first": body["s"]["first"] + rows}
    scalars.pop("lost", None)
    for name in _ROW_TEXTS & scalars.keys():
        scalars[name] = list(scalars[name])[rows:]
    return {"c": _cut(body["c"], rows), "s": scalars}


def trim(answer: Mapping[str, Any], topics: Iterable[str], have: Mapping[str, int]) -> dict[str, Any] | None:
    """The part of an answer that a subscriber lacks.

    Parameters
    ----------
    answer : mapping
        A collector's answer, read from a cursor at or behind `have`.
    topics : iterable of str
        Topics of the subscriber.
    have : mapping
        The subscriber's cursor.

    Returns
    -------
    dict or None
        An answer with fewer rows, and with the names of these topics only; None if nothing is left.
    """
    bodies: dict[str, Any] = {}
    for topic in topics:
        body = answer["topics"].get(topic)
        if body is None or answer["cursor"][topic] <= have.get(topic, 0):
            continue
        if topic in _COUNTED:
            rows = have.get(topic, 0) - body["s"]["first"]
            if rows > 0:
                body = _cut_tasks(body, rows) if topic == "tasks" else _cut_rows(body, rows)
        bodies[topic] = body
    known = dictionaries(topics)
    names = {name: entries for name, entries in answer["names"].items() if name in known}
    return {**answer, "topics": bodies, "names": names} if bodies or names else None

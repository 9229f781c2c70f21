"""Keys of task rows, as the collector packs them, taken over into a recording without unpacking.

Guarantees: names of groups and types are asked for once; a recording has those that its keys use.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from ...feed.schema import DTYPES
from ...scheduler.collector.keys import groups_in

#: Group names written without checking whether all are used.
FEW_GROUPS = 64


class KeysKnown:
    """Names of groups and types received from the collector so far."""

    def __init__(self) -> None:
        self.chunk = -1
        self.groups: list[str] = []
        self.types: list[str] = []

    def question(self, row: int) -> dict[str, int]:
        """Arguments of the request ``keys``, from a row on."""
        return {"row": row, "chunk": self.chunk, "groups": len(self.groups), "types": len(self.types)}

    def take(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Store the names of an answer; returns its keys with the names that they use."""
        if answer["chunk"] != self.chunk:
            self.chunk, self.groups = answer["chunk"], []
        self.groups.extend(answer["groups"])
        self.types.extend(answer["types"])
        offsets = _column(answer["offsets"])
        packed = bytes(answer["packed"])
        return {
            "first": answer["first"],
            "length": _lengths(offsets, answer["begin"] + len(packed)),
            "packed": packed,
            "type": _column(answer["type"]),
            "all_groups": self.groups,
            "all_types": self.types,
        }


def _column(wire: tuple[str, bytes]) -> array[int]:
    dtype, data = wire
    values: array[int] = array(DTYPES[dtype]["array"])
    values.frombytes(data)
    return values


def _lengths(offsets: array[int], end: int) -> array[int]:
    """Bytes of each key, from where each begins and where the last ends."""
    ends = offsets[1:]
    ends.append(end)
    # Each end is after its start, so nothing is borrowed: as one long integer they are subtracted all at once.
    begins, beyond = (int.from_bytes(values.tobytes(), sys.byteorder) for values in (offsets, ends))
    lengths: array[int] = array(offsets.typecode)
    lengths.frombytes((beyond - begins).to_bytes(len(offsets) * offsets.itemsize, sys.byteorder))
    return lengths


def first_keys(keys: Mapping[str, Any], count: int) -> dict[str, Any]:
    """The first keys, with the names that they use; if there are few names, all of them, since filtering takes
    longer.
    """
    lengths, kinds = keys["length"][:count], keys["type"][:count]
    packed = keys["packed"][: sum(lengths)]
    known = keys["all_groups"]
    groups = range(len(known)) if len(known) <= FEW_GROUPS else groups_in(packed, accumulate(lengths[:-1], initial=0))
    return {
        "length": lengths,
        "packed": packed,
        "type": kinds,
        "groups": {found: known[found] for found in groups},
        "types": {found: keys["all_types"][found] for found in sorted(set(kinds))},
    }

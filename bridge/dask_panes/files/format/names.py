"""Names of prefixes, which keys are packed without."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

#: Name of a prefix that was in a damaged part.
LOST = "?"
#: Forms of packed keys, "hex" and "uuid", that are not known without the name of their prefix.
BEHIND_PREFIX = (1, 2)


def prefix_names(frames: Iterator[dict[str, Any]], keyframes: Iterator[dict[str, Any]]) -> list[str]:
    """Names of prefixes by id; keyframes are read only if a name was in a damaged part."""
    names: list[str] = []
    _learn(names, frames)
    if LOST in names:
        _learn(names, keyframes)
    return names


def _learn(names: list[str], frames: Iterator[dict[str, Any]]) -> None:
    for frame in frames:
        entries = frame["names"].get("prefixes", {"from": 0, "values": ()})
        # Later epochs have the same names again; behind a damaged part some are not known.
        for i, name in enumerate(entries["values"], entries["from"]):
            if i >= len(names):
                names.append(name)
            elif names[i] == LOST:
                names[i] = name

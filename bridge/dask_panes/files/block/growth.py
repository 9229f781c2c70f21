"""Counts that go down, too: of tasks that have failed or will not run, until they are tried again."""

from __future__ import annotations

from typing import Any


def grown(row: dict[str, Any], base: dict[str, Any], name: str) -> int:
    """How many of a count came in the block.

    Tasks from before the block that are tried again in it and fail again leave the count as it was. What they were
    tried again for is in the count with ``_ever`` after its name, which never goes down.

    Parameters
    ----------
    row, base : dict
        The newest row, and that at the start of the block.
    """
    ever = f"{name}_ever"
    if ever in row and ever in base:
        return int(min(row[name], max(0, row[ever] - base[ever])))
    # An older collector: what was seen to have gone down.
    base[name] = min(base.get(name, 0), row[name])
    return int(row[name] - base[name])

"""Totals of functions in the computations of a block."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from math import isnan, nan
from typing import Any

from .growth import grown

#: Counts and sums.
_SUMS = ("again", "done", "compute", "dropped_ever", "failed_ever")


class Shares:
    """Subtracts the totals that the functions of computations had before the block."""

    def __init__(self) -> None:
        self._base: dict[tuple[int, int], dict[str, float]] = {}

    def cut(self, table: dict[str, array[Any]], begun: bool, kept: Iterable[int]) -> dict[str, array[Any]]:
        """The part of a table that belongs to the block.

        Parameters
        ----------
        table : dict
            Second table of topic ``computations``.
        begun : bool
            Whether the block has begun; before, the table is its baseline.
        kept : iterable of int
            Computations that belong to the block.
        """
        rows = [dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True)]
        if not begun:
            self._base.update(((int(row["computation"]), int(row["prefix"])), row) for row in rows)
        wanted = set(kept)
        cut = [self._cut(row) for row in rows if row["computation"] in wanted]
        return {name: array(values.typecode, [row[name] for row in cut]) for name, values in table.items()}

    def _cut(self, row: dict[str, Any]) -> dict[str, Any]:
        base = self._base.get((int(row["computation"]), int(row["prefix"])))
        if base is None:
            return row
        # An older collector lacks some.
        sums = {name: row[name] - base[name] for name in _SUMS if name in row}
        # A sum that is not known stays so: `max` would make it 0.
        sums = {name: value if isnan(value) else max(type(value)(0), value) for name, value in sums.items()}
        sums |= {name: grown(row, base, name) for name in ("failed", "dropped")}
        # A failed task that was tried again was none of those that were left.
        ended = sums["done"] + sums["failed"] + sums["dropped"]
        tasks = max(0, row["tasks"] - base["tasks"] + base["left"], ended + row["left"])
        # One that was computed several times is one task.
        tasks = min(tasks, row["tasks"])
        # The longest one may have been before.
        return {**row, **sums, "tasks": tasks, "longest": nan}

"""What failed in a block."""

from __future__ import annotations

from array import array
from typing import Any

from .growth import grown

#: Counts of a group, from 0 on in the block; a group in which all are 0 is left out.
_COUNTS = ("count", "dependents", "elsewhere")
#: The same for what only grows.
_EVER = ("dependents_ever",)


class ErrorsCut:
    """Subtracts what had failed before the block, and leaves out groups without a failure in it."""

    def __init__(self) -> None:
        self._base: dict[int, dict[str, float]] = {}
        #: Failures by (list, group, index) before the block.
        self._listed: dict[tuple[str, int, int], int] = {}
        #: Groups all of whose tasks that had not run before the block were tried again in it.
        self._unblocked: set[int] = set()
        #: Texts of groups that are not in the block yet.
        self._texts: dict[int, dict[str, Any]] = {}
        self._first: dict[int, float] = {}

    def cut(self, body: dict[str, Any], begun: bool) -> dict[str, Any]:
        """The part of a body of topic ``errors`` that belongs to the block.

        Parameters
        ----------
        body : dict
            Columns and scalars.
        begun : bool
            Whether the block has begun; before, the body is its baseline.
        """
        columns, scalars = body["c"], dict(body.get("s") or {})
        rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
        if not begun:
            self._base.update((int(row["id"]), row) for row in rows)
            for name in ("at", "blocked"):
                self._listed.update(((name, i, at), count) for i, at, count in scalars.get(name, ()))
        # A text may change in part only: later ones are whole, too.
        self._texts.update((text["id"], text) for text in scalars.get("texts", ()))
        kept = [cut for cut in map(self._row, rows) if cut["id"] in self._first or any(map(cut.get, _COUNTS))]
        for row in kept:
            row["first"] = self._first.setdefault(int(row["id"]), float(row["first"]))
        scalars["texts"] = [self._texts.pop(found) for found in [*self._texts] if found in self._first]
        scalars["keys"] = [entry for entry in scalars.get("keys", ()) if entry[0] in self._first]
        for name in ("at", "blocked"):
            listed = [(i, at, count - self._before(name, i, at)) for i, at, count in scalars.get(name, ())]
            scalars[name] = [[i, at, count] for i, at, count in listed if i in self._first and count > 0]
        cut_columns = {name: array(values.typecode, [row[name] for row in kept]) for name, values in columns.items()}
        return {**body, "c": cut_columns, "s": scalars}

    def _before(self, name: str, group: int, at: int) -> int:
        return 0 if name == "blocked" and group in self._unblocked else self._listed.get((name, group, at), 0)

    def _row(self, row: dict[str, Any]) -> dict[str, Any]:
        base = self._base.get(int(row["id"]))
        if base is None:
            return row
        counts = {name: max(0, row[name] - int(base.get(name, 0))) for name in (*_COUNTS, *_EVER) if name in row}
        if "dependents" in row:
            left = row["dependents"] - base.get("dependents", 0)
            counts["dependents"] = grown(row, base, "dependents")
            if "dependents_ever" in row and counts["dependents_ever"] - left >= base.get("dependents", 0):
                self._unblocked.add(int(row["id"]))
        cut = {**row, **counts}
        if "now" in row:
            # Earlier ones and those that were released meanwhile cannot be distinguished.
            cut["now"] = min(row["now"], counts["count"] + counts.get("dependents", 0))
        if "again" in row:
            cut["again"] = self._again(cut, row, base)
        # When it first failed in the block: at the latest when this was first reported.
        return {**cut, "first": row["last"]}

    @staticmethod
    def _again(cut: dict[str, Any], row: dict[str, Any], base: dict[str, Any]) -> int:
        """Failures of the block that were tried again in it, at least: those from before may be the ones."""
        before = min(base.get("now", 0), base["count"] - base.get("again", 0))
        again = row["again"] - base.get("again", 0) - max(0, before)
        # Of those that are erred now, some did not run because of the others.
        erred = max(0, cut.get("now", 0) - cut.get("dependents", 0))
        return int(max(0, min(again, cut["count"] - erred)))

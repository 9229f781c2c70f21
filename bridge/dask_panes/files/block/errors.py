"""What failed in a block."""

from __future__ import annotations

from array import array
from typing import Any

#: Counts.
_COUNTS = ("count", "dependents", "elsewhere")


class ErrorsCut:
    """Subtracts what had failed before the block, and leaves out groups without a failure in it."""

    def __init__(self) -> None:
        self._base: dict[int, dict[str, float]] = {}
        #: Failures by (list, group, index) before the block.
        self._listed: dict[tuple[str, int, int], int] = {}
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
            scalars[name] = [
                [i, at, count - self._listed.get((name, i, at), 0)]
                for i, at, count in scalars.get(name, ())
                if i in self._first and count > self._listed.get((name, i, at), 0)
            ]
        cut_columns = {name: array(values.typecode, [row[name] for row in kept]) for name, values in columns.items()}
        return {**body, "c": cut_columns, "s": scalars}

    def _row(self, row: dict[str, Any]) -> dict[str, Any]:
        base = self._base.get(int(row["id"]))
        if base is None:
            return row
        # Blocked before, tried again in the block.
        base["dependents"] = min(base.get("dependents", 0), row.get("dependents", 0))
        counts = {name: max(0, row[name] - int(base.get(name, 0))) for name in _COUNTS if name in row}
        cut = {**row, **counts}
        if "now" in row:
            # Earlier ones and those that were released meanwhile cannot be distinguished.
            cut["now"] = min(row["now"], counts["count"] + counts.get("dependents", 0))
        if "again" in row:
            cut["again"] = min(max(0, row["again"] - int(base.get("again", 0))), counts["count"])
        # When it first failed in the block: at the latest when this was first reported.
        return {**cut, "first": row["last"]}

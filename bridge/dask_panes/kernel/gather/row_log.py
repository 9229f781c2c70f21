"""A numbered, bounded log of rows: typed columns, columns of text, and a few facts of the whole log."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Mapping, Sequence
from typing import Any

from ...feed.schema import DTYPES

#: Wire type by ``array`` type code.
_DTYPES = {dtype["array"]: name for name, dtype in DTYPES.items()}
#: Maximum bytes of text per frame: over a slow link, a tab receives nothing else while one arrives.
FRAME_BYTES = 250_000
#: Bits of a cursor that count changes of the facts since the last row.
_CHANGES = 16


class RowLog:
    """The newest rows, numbered from 0.

    Parameters
    ----------
    columns : mapping of str to str
        ``array`` type code by name.
    texts : sequence of str
        Names of the columns of text.
    limit : int
        Minimum number of rows kept.
    """

    def __init__(self, columns: Mapping[str, str], texts: Sequence[str], limit: int) -> None:
        self._columns: dict[str, array[Any]] = {name: array(code) for name, code in columns.items()}
        self._texts: dict[str, list[str]] = {name: [] for name in texts}
        self._limit = limit
        self._first = self._next = self._changes = 0
        self._facts: dict[str, Any] = {}

    @property
    def end(self) -> int:
        """Cursor of a reader that has everything; 0 while there is no data."""
        return self._next << _CHANGES | self._changes

    def add(self, rows: Sequence[Mapping[str, Any]], facts: dict[str, Any]) -> None:
        """Append rows, and set the facts of the whole log."""
        if facts != self._facts:
            self._facts = facts
            self._changes = min(self._changes + 1, 2**_CHANGES - 1)
        if rows:
            for name, column in self._columns.items():
                column.extend([row[name] for row in rows])
            for name, texts in self._texts.items():
                texts.extend([row[name] for row in rows])
            self._next += len(rows)
            self._changes = 0
        over = self._next - self._first - self._limit
        # A tenth more, so that columns are not shifted with every row.
        if over > self._limit // 10:
            for values in (*self._columns.values(), *self._texts.values()):
                del values[:over]
            self._first += over

    def read(self, cursor: int, rows: int) -> tuple[dict[str, Any], int]:
        """Rows after a cursor, up to a number and to `FRAME_BYTES`: the topic body and the cursor after it."""
        have = cursor >> _CHANGES
        start = max(have, self._first) - self._first
        stop = self._stop(start, min(start + rows, self._next - self._first))
        body: dict[str, Any] = {
            "c": {name: _wire(column[start:stop]) for name, column in self._columns.items()},
            "s": {
                **{name: texts[start:stop] for name, texts in self._texts.items()},
                **self._facts,
                "first": have,
                "lost": self._first + start - have,
            },
        }
        after = self._first + stop
        return body, self.end if after == self._next else after << _CHANGES

    def _stop(self, start: int, most: int) -> int:
        """The end of the rows from `start` on that have `FRAME_BYTES` of text together, `most` at most."""
        room = FRAME_BYTES
        for at in range(start, most):
            room -= sum(len(texts[at].encode()) for texts in self._texts.values())
            if room < 0:
                return max(at, start + 1)
        return most


def _wire(values: array[Any]) -> tuple[str, bytes]:
    if sys.byteorder == "big":
        values = array(values.typecode, values)
        values.byteswap()
    return _DTYPES[values.typecode], values.tobytes()

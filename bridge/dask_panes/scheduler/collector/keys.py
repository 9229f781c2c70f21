"""Task keys, packed losslessly: a tooltip must show the key itself, not a hash of it.

Most keys are ``name-<32 hex digits>``, ``name-<uuid>`` or a tuple of such a text and small integers. These use 1 +
16, 1 + 16 and 3 + 4 n bytes; every other key is stored as text.
"""

from __future__ import annotations

import ast
import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from struct import Struct
from struct import error as StructError
from typing import Any
from uuid import UUID

from . import plain
from .columns import wire
from .names import Ids

_TEXT, _HEX, _UUID, _TUPLE, _REPR = range(5)
_TEXT_FORM, _HEX_FORM, _UUID_FORM, _, _REPR_FORM = (bytes([form]) for form in range(5))
#: Form, group and n indices of four bytes, by the types of the key.
_TUPLE_FORMS = {(str, *(int,) * n): Struct(f"<BH{n}i") for n in range(17)}
_PACK_1, _PACK_2 = _TUPLE_FORMS[str, int].pack, _TUPLE_FORMS[str, int, int].pack


def _uuid_bytes(text: str) -> bytes:
    """The 16 bytes of 36 characters that are a uuid in its usual form, else empty."""
    # A quarter of the time of `uuid.UUID`, which accepts other forms, too.
    if text[8] != "-" or text[13] != "-" or text[18] != "-" or text[23] != "-":
        return b""
    digits = text[:8] + text[9:13] + text[14:18] + text[19:23] + text[24:]
    try:
        raw = bytes.fromhex(digits)
    except ValueError:
        return b""
    # Blanks give fewer bytes; capitals, and dashes elsewhere, would not round-trip.
    return raw if len(raw) == 16 and digits == digits.lower() else b""


#: A number of NumPy as it writes itself: equal to Python's, so that either finds a key.
_NUMPY = re.compile(r"\bnp\.u?(?:int|float)\d*\((-?\d[\d.e+-]{0,40})\)")


def literal(text: str) -> Any:
    """Parse the text of a tuple, number or text in Python's notation; returns any other text unchanged."""
    try:
        return ast.literal_eval(_NUMPY.sub(r"\1", text))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return text


class KeyColumn:
    """Packed keys of one chunk of rows, in order of the rows.

    A row's key is described by its first byte (the form) and the bytes up to the next row's offset.
    """

    __slots__ = ("_blob", "_group_ids", "_groups", "_offsets")

    def __init__(self) -> None:
        self._blob = bytearray()
        self._offsets = array("I")
        self._groups: list[str] = []
        self._group_ids = Ids(self._new_group)

    def __len__(self) -> int:
        return len(self._offsets)

    @property
    def nbytes(self) -> int:
        """Bytes used, without group names."""
        return len(self._blob) + len(self._offsets) * self._offsets.itemsize

    @property
    def packed_bytes(self) -> bytearray:
        """All packed keys, one after the other; not to be changed."""
        return self._blob

    @property
    def offsets(self) -> array[int]:
        """Where each key begins; not to be changed."""
        return self._offsets

    @property
    def groups(self) -> Sequence[str]:
        """Names of groups by their number in this column."""
        return self._groups

    def extend(self, keys: Sequence[Any], prefixes: Sequence[str]) -> None:
        """Add the keys of the next rows.

        Parameters
        ----------
        keys : sequence
            Dask keys: str, tuple, bytes, int or float.
        prefixes : sequence of str
            Names of their prefixes; the forms "hex" and "uuid" store only the part after ``prefix-``.

        Notes
        -----
        One loop with everything in locals: this is half of what a task costs the collector.
        """
        blob = self._blob
        note = self._offsets.append
        fromhex = bytes.fromhex
        pack_1, pack_2 = _PACK_1, _PACK_2
        groups = self._group_ids
        for key, prefix in zip(keys, prefixes):
            note(len(blob))
            if type(key) is str:
                rest = len(key) - len(prefix)
                # `fromhex` accepts blanks (then there are fewer bytes) and capitals: text that would not round-trip
                # is stored as text.
                if rest == 33 and key.startswith(prefix) and key[-33] == "-":
                    digits = key[-32:]
                    try:
                        raw = fromhex(digits)
                    except ValueError:
                        raw = b""
                    if len(raw) == 16 and digits.islower():
                        blob += _HEX_FORM + raw
                        continue
                elif rest == 37 and key.startswith(prefix) and key[-37] == "-":
                    raw = _uuid_bytes(key[-36:])
                    if raw:
                        blob += _UUID_FORM + raw
                        continue
                blob += _TEXT_FORM + key.encode("utf-8", "backslashreplace")
                continue
            # bool and NumPy integers would pack, but not round-trip: the exact types decide. The keys of dataframes
            # (two parts) and of matrices (three) are so common that a loop over their parts would be noticeable.
            if type(key) is tuple:
                try:
                    if len(key) == 3:
                        name, i, j = key
                        if type(i) is int and type(j) is int and type(name) is str:
                            blob += pack_2(_TUPLE, groups[name], i, j)
                            continue
                    elif len(key) == 2:
                        name, i = key
                        if type(i) is int and type(name) is str:
                            blob += pack_1(_TUPLE, groups[name], i)
                            continue
                    elif tuple(map(type, key)) in _TUPLE_FORMS:
                        blob += _TUPLE_FORMS[tuple(map(type, key))].pack(_TUPLE, groups[key[0]], *key[1:])
                        continue
                except StructError:
                    pass  # An index beyond four bytes: stored as text below.
            blob += _REPR_FORM + repr(key).encode("utf-8", "backslashreplace")

    def renew(self) -> None:
        """New groups are created by this version's code, in a column filled by an older version."""
        known = self._group_ids
        self._group_ids = Ids(self._new_group)
        self._group_ids.update(known)

    def cut(self, rows: int) -> None:
        """Drop all keys from a row on."""
        if rows < len(self._offsets):
            del self._blob[self._offsets[rows] :]
            del self._offsets[rows:]

    def _new_group(self, name: str) -> int:
        self._groups.append(plain.text(name))
        return len(self._groups) - 1

    def find(self, text: str, prefix: str) -> list[int]:
        """Rows whose key a user writes as `text`; see `text`.

        Parameters
        ----------
        text : str
            The key.
        prefix : str
            Name of its prefix: the result may include rows of other prefixes, to be dropped by the caller.
        """
        found: set[int] = set()
        for packed in self._packed(text, prefix):
            at = self._blob.find(packed)
            while at >= 0:
                row = bisect_right(self._offsets, at) - 1
                end = self._offsets[row + 1] if row + 1 < len(self._offsets) else len(self._blob)
                if self._offsets[row] == at and end == at + len(packed):
                    found.add(row)
                at = self._blob.find(packed, at + 1)
        return sorted(found)

    def _packed(self, text: str, prefix: str) -> list[bytes]:
        """Every form in which a key with this text may be stored."""
        column = KeyColumn()
        column.extend((text,), (prefix,))
        # As a text, too: the prefix in the text of a key with lone surrogates is not the one that it was stored with.
        written = text.encode("utf-8", "backslashreplace")
        forms = [*{bytes(column._blob), _TEXT_FORM + written, _REPR_FORM + written}]
        key = literal(text)
        if type(key) is tuple and tuple(map(type, key)) in _TUPLE_FORMS and key[0] in self._group_ids:
            # An index beyond four bytes is stored as text.
            with suppress(StructError):
                forms.append(_TUPLE_FORMS[tuple(map(type, key))].pack(_TUPLE, self._group_ids[key[0]], *key[1:]))
        return forms

    def text(self, i: int, prefix: str) -> str:
        """The key of row `i` as a user writes it: text keys as they are, others as Python's ``repr``.

        Parameters
        ----------
        i : int
            Row within the chunk.
        prefix : str
            Name of the row's prefix.
        """
        start = self._offsets[i]
        end = self._offsets[i + 1] if i + 1 < len(self._offsets) else len(self._blob)
        return unpacked(bytes(self._blob[start:end]), prefix, self._groups)

    def packed(self, low: int, high: int, groups: int) -> dict[str, Any]:
        """The packed keys of rows `low` to `high`.

        Parameters
        ----------
        low, high : int
            Rows within the chunk.
        groups : int
            Number of group names that the reader has.

        Returns
        -------
        dict
            ``offsets`` (wire column: where each key begins), ``begin`` (start of the first), ``packed`` and the new
            ``groups``.
        """
        begin = self._offsets[low] if low < len(self._offsets) else len(self._blob)
        end = self._offsets[high] if high < len(self._offsets) else len(self._blob)
        return {
            "offsets": wire(self._offsets[low:high]),
            "begin": begin,
            "packed": bytes(self._blob[begin:end]),
            "groups": self._groups[groups:],
        }


def unpacked(packed: bytes, prefix: str, groups: Sequence[str] | Mapping[int, str]) -> str:
    """A packed key as a user writes it: text keys as they are, others as Python's ``repr``.

    Parameters
    ----------
    packed : bytes
        The form and its data.
    prefix : str
        Name of the row's prefix.
    groups : sequence or mapping of str
        Names of groups by id.
    """
    form, body = packed[0], packed[1:]
    if form == _HEX:
        return f"{prefix}-{body.hex()}"
    if form == _UUID:
        return f"{prefix}-{UUID(bytes=body)}"
    if form == _TUPLE:
        _, group, *indices = Struct(f"<BH{(len(body) - 2) // 4}i").unpack(packed)
        return repr((groups[group], *indices))
    if form == _TEXT:
        return body.decode("utf-8", "backslashreplace")
    return body.decode("utf-8", "replace")


def grouped_by(packed: bytes, key: str, groups: Sequence[str] | Mapping[int, str]) -> Any:
    """Where ``key_split_group`` of Dask finds the group of a packed key: its text may be that of another key.

    Parameters
    ----------
    packed : bytes
        The form and its data.
    key : str
        Its text; see `unpacked`.
    groups : sequence or mapping of str
        Names of groups by id.
    """
    if packed[0] == _TUPLE:
        return (groups[packed[1] | packed[2] << 8],)
    return literal(key) if packed[0] == _REPR else key


def packed_group(number: int) -> bytes:
    """How the key of every task of a group of a column begins, if it is packed as a tuple."""
    return Struct("<BH").pack(_TUPLE, number)


def groups_in(packed: bytes, offsets: Iterable[int]) -> list[int]:
    """Ids of the groups in packed keys; `offsets` are the starts of the keys."""
    return sorted({packed[i + 1] | packed[i + 2] << 8 for i in offsets if packed[i] == _TUPLE})

"""Task keys, packed exactly: what a hover shows must be the key itself, never a hash of it.

Most keys are ``name-<32 hex digits>``, ``name-<uuid>`` or a tuple of such a text and small integers. These
take 1 + 16, 1 + 16 and 3 + 4 n bytes; every other key is kept as text.
"""

from __future__ import annotations

from array import array
from typing import Any

_TEXT, _HEX, _UUID, _TUPLE, _REPR = range(5)
_INT_RANGE = 2**31
_HEX_DIGITS = frozenset("0123456789abcdef")


class KeyColumn:
    """Packed keys of one chunk of rows, in order of the rows.

    A row's key is described by its first byte (the form) and the bytes up to the next row's offset.
    """

    __slots__ = ("_blob", "_group_ids", "_groups", "_offsets")

    def __init__(self) -> None:
        self._blob = bytearray()
        self._offsets = array("I")
        self._groups: list[str] = []
        self._group_ids: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._offsets)

    @property
    def nbytes(self) -> int:
        """Bytes held, without the names of groups."""
        return len(self._blob) + len(self._offsets) * self._offsets.itemsize

    def append(self, key: Any, prefix: str) -> None:
        """Add the key of the next row.

        Parameters
        ----------
        key : str, tuple, bytes, int or float
            Dask key.
        prefix : str
            Name of its prefix; forms 1 and 2 keep only what comes after ``prefix-``.
        """
        blob = self._blob
        self._offsets.append(len(blob))
        if type(key) is str:
            self._append_text(key, prefix)
        elif type(key) is tuple and self._append_tuple(key):
            pass
        else:
            blob.append(_REPR)
            blob += repr(key).encode("utf-8", "replace")

    def _append_text(self, key: str, prefix: str) -> None:
        blob = self._blob
        rest = len(key) - len(prefix)
        if rest == 33 and key.startswith(prefix) and key[-33] == "-":
            # `fromhex` forgives blanks and capitals: only what comes back the same may be packed.
            digits = key[-32:]
            if _HEX_DIGITS.issuperset(digits):
                blob.append(_HEX)
                blob += bytes.fromhex(digits)
                return
        elif rest == 37 and key.startswith(prefix) and key[-37] == "-":
            tail = key[-36:]
            if tail[8] == tail[13] == tail[18] == tail[23] == "-":
                digits = tail.replace("-", "")
                if len(digits) == 32 and _HEX_DIGITS.issuperset(digits):
                    blob.append(_UUID)
                    blob += bytes.fromhex(digits)
                    return
        blob.append(_TEXT)
        blob += key.encode("utf-8", "surrogatepass")

    def _append_tuple(self, key: tuple[Any, ...]) -> bool:
        name = key[0] if key else None
        if type(name) is not str:
            return False
        indices = key[1:]
        for index in indices:
            if type(index) is not int or not -_INT_RANGE <= index < _INT_RANGE:
                return False
        group = self._group_ids.get(name)
        if group is None:
            group = self._group_ids[name] = len(self._groups)
            self._groups.append(name)
        blob = self._blob
        blob.append(_TUPLE)
        blob += group.to_bytes(2, "little")
        blob += array("i", indices).tobytes()
        return True

    def text(self, i: int, prefix: str) -> str:
        """The key of row `i` as a person writes it: text keys as they are, others as Python's ``repr``.

        Parameters
        ----------
        i : int
            Row within the chunk.
        prefix : str
            Name of the row's prefix.
        """
        start = self._offsets[i]
        end = self._offsets[i + 1] if i + 1 < len(self._offsets) else len(self._blob)
        form = self._blob[start]
        body = bytes(self._blob[start + 1 : end])
        if form == _HEX:
            return f"{prefix}-{body.hex()}"
        if form == _UUID:
            digits = body.hex()
            parts = (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
            return f"{prefix}-{'-'.join(parts)}"
        if form == _TUPLE:
            indices = array("i", body[2:])
            return repr((self._groups[int.from_bytes(body[:2], "little")], *indices))
        if form == _TEXT:
            return body.decode("utf-8", "surrogatepass")
        return body.decode("utf-8", "replace")

"""Rows of a packed column of keys whose key contains texts, without unpacking all of them.

What a packed key would say is derived from the text: hexadecimal digits are looked for in the digits of the column,
the name of a group by its number, all else in the column's own text. Each of these is one search in C. What they find
may be too much, never too little, so each row found is unpacked and compared. If a text says too little, such as a
single digit, all rows are compared.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence
from struct import Struct
from struct import error as StructError
from typing import NamedTuple

from .keys import KeyColumn, packed_group

#: Rows compared between two yields: about 0.3 ms.
PIECE = 256
#: Groups whose rows are looked for one by one; with more, all rows are compared.
GROUPS = 16

#: Digits from which on whole bytes are looked for, at both parities, since these are rare enough.
HALVES = 5

_DIGITS = frozenset(b"0123456789abcdef-")
#: What follows the name in the text of a tuple: ``, 3, -4)``.
_INDICES = frozenset(b"0123456789, -)")
_WHOLE = re.compile(rb"((?:, -?(?:0|[1-9][0-9]{0,9}))+)(?=[,)])")
_index = Struct("<i").pack


class Found(NamedTuple):
    """A part of a search.

    Attributes
    ----------
    rows : list of int
        Rows within the column that fit, in falling order.
    reached : int
        All rows from here on have been searched.
    """

    rows: list[int]
    reached: int


def folded(text: str) -> bytes:
    """A text for comparisons: the letters A to Z are as a to z, all else is exact."""
    return text.encode("utf-8", "backslashreplace").lower()


def search(
    column: KeyColumn,
    prefixes: Sequence[int],
    names: Sequence[str],
    texts: Sequence[bytes],
    low: int,
    high: int,
) -> Iterator[Found]:
    """Rows from `low` to `high` whose keys contain all texts, from the last to the first; yields every 0.5 ms.

    Parameters
    ----------
    column : KeyColumn
        The keys.
    prefixes : sequence of int
        Ids of the prefixes of its rows.
    names : sequence of str
        Names of prefixes by id.
    texts : sequence of bytes
        What the keys must contain, `folded`; at least one.
    """
    needle = max(texts, key=len)
    rows: Sequence[int] = range(low, high)
    # Most often no function at all has such a name, and then its rows need not be looked at.
    if not _everywhere(needle, names) or not _everywhere(needle, [names[found] for found in set(prefixes[low:high])]):
        yield Found([], high)
        places = yield from _places(column, needle, high)
        if places is not None:
            rows = sorted(row for row in _rows(column, places) if low <= row < high)
            yield Found([], high)
    for end in range(len(rows), 0, -PIECE):
        part = rows[max(0, end - PIECE) : end]
        fits = []
        for row in reversed(part):
            key = folded(column.text(row, names[prefixes[row]]))
            if all(text in key for text in texts):
                fits.append(row)
        yield Found(fits, part[0])
    yield Found([], low)


def _everywhere(needle: bytes, prefixes: Sequence[str]) -> bool:
    """Whether the names of functions alone make keys fit, or the text says nothing by which to look."""
    return not needle.strip(b"-") or needle in folded("-\n".join(prefixes) + "-")


def _places(column: KeyColumn, needle: bytes, high: int) -> Generator[Found, None, list[int] | None]:
    """Bytes of the column at which what is looked for may be; None if these are too many to look at one by one."""
    patterns = yield from _groups(needle, column, high)
    if patterns is None:
        return None
    packed = column.packed_bytes
    most = len(column) // 8
    found: list[int] = []
    for pattern in patterns:
        if not _add(found, packed, pattern, most):
            return None
        yield Found([], high)
    if not _add(found, packed.lower(), needle, most):
        return None
    yield Found([], high)
    for digits in _digits(needle):
        at = len(found)
        if len(digits) < HALVES:
            # In text, each half byte has a place of its own.
            if not _add(found, packed.hex().encode(), digits, most):
                return None
            found[at:] = [place // 2 for place in found[at:]]
        else:
            for begin in (0, 1):
                end = begin + (len(digits) - begin) // 2 * 2
                if not _add(found, packed, bytes.fromhex(digits[begin:end].decode()), most):
                    return None
        yield Found([], high)
    return found


def _groups(needle: bytes, column: KeyColumn, high: int) -> Generator[Found, None, list[bytes] | None]:
    """Parts of packed tuples whose text may contain the needle; None if these may be any."""
    # Indices follow the quotation mark that ends a name.
    quoted = max(needle.rfind(b"'"), needle.rfind(b'"')) + 1
    indices = _packed(needle[quoted:]) if _INDICES.issuperset(needle[quoted:]) else None
    patterns = []
    if column.groups and indices is not None and not quoted:
        if not indices:
            return None
        patterns.append(indices)
    for number, name in enumerate(column.groups):
        head = folded("(" + repr(name))
        if needle in head:
            patterns.append(packed_group(number))
        elif quoted and indices is not None and head.endswith(needle[:quoted]):
            patterns.append(packed_group(number) + indices)
        if len(patterns) > GROUPS:
            return None
        if number % PIECE == PIECE - 1:
            yield Found([], high)
    return patterns


def _packed(text: bytes) -> bytes:
    """The whole indices in a part of the text of a tuple, as they are packed: ``, 3, 4`` has 3, since 4 may go on."""
    whole = _WHOLE.match(text)
    try:
        return b"".join(_index(int(digits)) for digits in whole[1].split(b", ")[1:]) if whole else b""
    except StructError:
        # It is no index of a packed tuple.
        return b""


def _digits(needle: bytes) -> set[bytes]:
    """Digits that a key ``name-<digits>`` contains if it contains the needle, wherever its name ends."""
    cuts = [0, *(i + 1 for i, letter in enumerate(needle) if letter == ord("-"))]
    return {needle[cut:].replace(b"-", b"") for cut in cuts if _DIGITS.issuperset(needle[cut:])} - {b""}


def _add(found: list[int], data: bytes | bytearray, pattern: bytes, most: int) -> bool:
    """Add the places of a pattern; returns False if there are too many."""
    at = data.find(pattern)
    while at >= 0:
        if len(found) >= most:
            return False
        found.append(at)
        at = data.find(pattern, at + 1)
    return True


def _rows(column: KeyColumn, places: Sequence[int]) -> set[int]:
    offsets = column.offsets
    return {bisect_right(offsets, place) - 1 for place in places}

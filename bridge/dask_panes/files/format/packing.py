"""Columns of a recording: bytes ordered so that deflate finds repetitions.

Times increase slowly, a worker's row resembles the previous one, and the high bytes of numbers are nearly constant.
So the bit patterns of the values are differenced (which is lossless, also for floats), and stored as byte planes: the
first bytes of all values, then the second ones. ``docs/recording.md`` is normative.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any

from ...feed.schema import DTYPES, LIMITS

#: Packing methods.
PLAIN, PLANES, DELTA, DELTA_BY_ID = range(4)

_CODES: dict[str, int] = {dtype["array"]: dtype["code"] for dtype in DTYPES.values()}
_TYPES: dict[int, str] = {dtype["code"]: dtype["array"] for dtype in DTYPES.values()}
#: Unsigned and signed integers as wide as a value.
_BITS = {2: ("H", "h"), 4: ("I", "i"), 8: ("Q", "q")}
#: Number of values tried to choose between raw bytes and differences.
_SAMPLE = 512
#: Number of columns with one name packed alike before the next trial: a trial takes as long as packing.
_TRIED_AFTER = 16


def previous_rows(ids: Sequence[int]) -> list[int]:
    """For each row the previous one with the same id, -1 if there is none."""
    last: dict[int, int] = {}
    previous = []
    for i, key in enumerate(ids):
        previous.append(last.get(key, -1))
        last[key] = i
    return previous


def _bits(values: array[Any]) -> array[int]:
    patterns = array(_BITS[values.itemsize][1])
    patterns.frombytes(values.tobytes())
    return patterns


def _zigzag(deltas: list[int], width: int) -> bytes:
    """Differences modulo 2**(8 width), small ones of either sign as small numbers; little-endian."""
    wrap, half = 1 << 8 * width, 1 << 8 * width - 1
    signed = [(d + half) % wrap - half for d in deltas]
    return b"".join([(d + d if d >= 0 else -d - d - 1).to_bytes(width, "little") for d in signed])


@lru_cache(64)
def _top_bits(count: int, width: int) -> int:
    return int.from_bytes((bytes(width - 1) + b"\x80") * count, "little")


def _zigzag_deltas(raw: bytes, width: int) -> bytes:
    """The same for the differences to the previous value.

    All values are treated as one long integer, each in its own lane: a few operations on it replace a loop that would
    take ten times as long.
    """
    bits = 8 * width
    count = len(raw) // width
    top = _top_bits(count, width)
    low, every = top >> bits - 1, (1 << bits * count) - 1
    x = int.from_bytes(raw, "little")
    y = (x << bits) & every
    # Lane by lane x - y: the top bits are excluded, so that nothing is borrowed from the neighbour.
    delta = ((x | top) - (y & ~top)) ^ ((x ^ ~y) & top)
    negative = (delta & top) >> bits - 1
    zigzag = ((delta << 1) & every & ~low) ^ ((negative << bits) - negative)
    return zigzag.to_bytes(len(raw), "little")


def _unzigzag(values: array[int]) -> list[int]:
    return [-(z >> 1) - 1 if z & 1 else z >> 1 for z in values]


def _little(values: array[Any]) -> bytes:
    if sys.byteorder == "big":
        values = array(values.typecode, values)
        values.byteswap()
    return values.tobytes()


def _planes(raw: bytes, width: int) -> bytes:
    return b"".join([raw[k::width] for k in range(width)])


def _unplanes(data: bytes, typecode: str) -> array[Any]:
    values = array(typecode)
    width = values.itemsize
    count = len(data) // width
    raw = bytearray(len(data))
    for k in range(width):
        raw[k::width] = data[k * count : (k + 1) * count]
    values.frombytes(raw)
    if sys.byteorder == "big":
        values.byteswap()
    return values


def _deltas_by(values: array[Any], previous: list[int]) -> bytes:
    bits = _bits(values).tolist()
    return _zigzag([b if p < 0 else b - bits[p] for b, p in zip(bits, previous)], values.itemsize)


class Choices:
    """Which columns are packed as differences: a result for one name is valid for several following columns."""

    def __init__(self) -> None:
        #: By name: the result, and for how many more columns it is valid.
        self._found: dict[str, tuple[bool, int]] = {}

    def differences(self, name: str, raw: bytes, width: int) -> bool:
        """Whether differences of these values deflate better than the values."""
        found, left = self._found.get(name, (False, 0))
        count = len(raw) // width
        if not left:
            found = _differences_help(raw[: _SAMPLE * width], width)
            # A few values are not representative of many.
            left = _TRIED_AFTER if count >= _SAMPLE else 1
        self._found[name] = (found, left - 1)
        return found


def pack(
    values: array[Any], previous: list[int] | None = None, choices: Choices | None = None, name: str = ""
) -> list[Any]:
    """Pack one column.

    Parameters
    ----------
    values : array
        Of a type code of the frame schema.
    previous : list of int, optional
        From `previous_rows`, for a table whose rows have ids.
    choices : Choices, optional
        Results for previously packed columns.
    name : str
        Of the column, for `choices`.

    Returns
    -------
    list of (int, int, bytes)
        Code of the dtype, the packing method, and the bytes.
    """
    code, width = _CODES[values.typecode], values.itemsize
    raw = _little(values)
    if width == 1 or not values:
        return [code, PLAIN, raw]
    if previous is not None:
        return [code, DELTA_BY_ID, _planes(_deltas_by(values, previous), width)]
    if width == 8 or (choices or Choices()).differences(name, raw, width):
        return [code, DELTA, _planes(_zigzag_deltas(raw, width), width)]
    return [code, PLANES, _planes(raw, width)]


def _differences_help(sample: bytes, width: int) -> bool:
    plain, deltas = _planes(sample, width), _planes(_zigzag_deltas(sample, width), width)
    return len(zlib.compress(deltas, 1)) < len(zlib.compress(plain, 1))


def unpack(packed: Sequence[Any], previous: list[int] | None = None) -> array[Any]:
    """Unpack the result of `pack`.

    Raises
    ------
    ValueError
        It is not a packed column.
    """
    code, how, data = packed
    typecode = _TYPES.get(code)
    if typecode is None or not isinstance(data, bytes):
        raise ValueError(f"no column of type {code!r}")
    width = array(typecode).itemsize
    if len(data) > LIMITS["values"] * width:
        raise ValueError("a column has more values than any recording")
    if len(data) % width:
        raise ValueError(f"a column of {len(data)} bytes does not hold values of {width}")
    if how == PLAIN:
        return _plain(data, typecode)
    if how == PLANES:
        return _unplanes(data, typecode)
    if how not in (DELTA, DELTA_BY_ID) or width == 1:
        raise ValueError(f"no column packed as {how!r}")
    deltas = _unzigzag(_unplanes(data, _BITS[width][0]))
    mask = (1 << 8 * width) - 1
    if how == DELTA:
        bits = [b & mask for b in accumulate(deltas)]
    else:
        if previous is None or len(previous) != len(deltas):
            raise ValueError("a column refers to ids that its table does not have")
        bits = []
        for d, p in zip(deltas, previous):
            bits.append((d if p < 0 else bits[p] + d) & mask)
    return _plain(array(_BITS[width][0], bits).tobytes(), typecode, sys.byteorder)


def _plain(data: bytes, typecode: str, order: str = "little") -> array[Any]:
    values = array(typecode)
    values.frombytes(data)
    if order != sys.byteorder:
        values.byteswap()
    return values

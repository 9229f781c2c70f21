"""Columns of a recording: bytes in an order in which deflate finds what repeats.

Times grow by little, a worker's row resembles the one before it, and the high bytes of numbers are nearly constant. So
the values are differenced on their bit patterns (which loses nothing, of floats neither), and the first bytes of all
values stand together, then the second ones. ``docs/recording.md`` is normative.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from ..feed.schema import DTYPES

#: How a column is packed.
PLAIN, PLANES, DELTA, DELTA_BY_ID = range(4)

_CODES: dict[str, int] = {dtype["array"]: dtype["code"] for dtype in DTYPES.values()}
_TYPES: dict[int, str] = {dtype["code"]: dtype["array"] for dtype in DTYPES.values()}
#: Unsigned and signed integers as wide as a value.
_BITS = {2: ("H", "h"), 4: ("I", "i"), 8: ("Q", "q")}
#: Values that are tried to choose between bytes as they are and differences.
_SAMPLE = 256


def previous_rows(ids: Sequence[int]) -> list[int]:
    """For each row the last one before it that has the same id, -1 where there is none."""
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


def _zigzag(deltas: list[int], width: int) -> array[int]:
    """Differences modulo 2**(8 width), small ones of either sign as small numbers."""
    mask = (1 << 8 * width) - 1
    half, wrap = 1 << 8 * width - 1, 1 << 8 * width
    code = _BITS[width][0]
    try:
        return array(code, [d + d if d >= 0 else -d - d - 1 for d in deltas])
    except OverflowError:
        signed = [((d & mask) ^ half) - half for d in deltas]
        return array(code, [(d + d if d >= 0 else -d - d - 1) % wrap for d in signed])


def _unzigzag(values: array[int]) -> list[int]:
    return [-(z >> 1) - 1 if z & 1 else z >> 1 for z in values]


def _planes(values: array[Any]) -> bytes:
    data = values
    if sys.byteorder == "big":
        data = array(values.typecode, values)
        data.byteswap()
    raw = data.tobytes()
    width = values.itemsize
    return b"".join(raw[k::width] for k in range(width))


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


def _deltas(values: array[Any]) -> array[int]:
    bits = _bits(values).tolist()
    return _zigzag([b - a for a, b in zip([0, *bits], bits)], values.itemsize)


def _deltas_by(values: array[Any], previous: list[int]) -> array[int]:
    bits = _bits(values).tolist()
    return _zigzag([b if p < 0 else b - bits[p] for b, p in zip(bits, previous)], values.itemsize)


def pack(values: array[Any], previous: list[int] | None = None) -> list[Any]:
    """Pack one column.

    Parameters
    ----------
    values : array
        Of a type code of the frame schema.
    previous : list of int, optional
        From `previous_rows`, for a table whose rows have ids.

    Returns
    -------
    list of (int, int, bytes)
        Code of the dtype, how it is packed, and the bytes.
    """
    code = _CODES[values.typecode]
    if values.itemsize == 1 or not values:
        return [code, PLAIN, values.tobytes()]
    if previous is not None:
        return [code, DELTA_BY_ID, _planes(_deltas_by(values, previous))]
    if values.itemsize == 8 or _differences_help(values[:_SAMPLE]):
        return [code, DELTA, _planes(_deltas(values))]
    return [code, PLANES, _planes(values)]


def _differences_help(sample: array[Any]) -> bool:
    # Bytes that are zero cost next to nothing after deflate.
    return _deltas(sample).tobytes().count(0) > sample.tobytes().count(0) + len(sample) // 4


def unpack(packed: Sequence[Any], previous: list[int] | None = None) -> array[Any]:
    """Unpack what `pack` gave.

    Raises
    ------
    ValueError
        Where it is no packed column.
    """
    code, how, data = packed
    typecode = _TYPES.get(code)
    if typecode is None or not isinstance(data, bytes):
        raise ValueError(f"no column of type {code!r}")
    width = array(typecode).itemsize
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
            raise ValueError("a column is told by ids that its table lacks")
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

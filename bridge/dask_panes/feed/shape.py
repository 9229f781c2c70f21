"""Checks the shape of msgpack bytes before anything is decoded."""

from __future__ import annotations

from .schema import LIMITS

#: By head byte from 0xc0 on: size of the length field, and fixed size of the value.
_LENGTHS = (0, 0, 0, 0, 1, 2, 4, 1, 2, 4, *[0] * 15, 1, 2, 4, 2, 4, 2, 4)
_FIXED = (0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 3, 5, 9, 17, *[0] * 7)
_NEVER_USED, _ARRAY_16, _MAP_16 = 0xC1, 0xDC, 0xDE


def check_shape(data: bytes) -> None:
    """Walk through one msgpack value without decoding it.

    A decoder allocates as many entries as an array claims, level by level: a few bytes could use all memory.

    Raises
    ------
    ValueError
        It is truncated, has trailing bytes, or is deeper or larger than any frame or block.
    """
    size = len(data)
    if size > LIMITS["frameBytes"]:
        raise ValueError("it is too large")
    deepest, most = LIMITS["depth"], LIMITS["values"]
    outer: list[int] = []
    at, values, wanted = 0, 0, 1
    while wanted:
        wanted -= 1
        values += 1
        if at >= size or values > most:
            raise ValueError("it is cut off" if at >= size else "it has too many values")
        head = data[at]
        at += 1
        inner = 0
        if 0x80 <= head < 0xE0:
            at, inner = _span(data, at, head)
            if at + inner > size:
                raise ValueError("it is cut off")
            if inner:
                if len(outer) >= deepest:
                    raise ValueError("it is too deep")
                outer.append(wanted)
                wanted = inner
        while not wanted and outer:
            wanted = outer.pop()
    if at != size:
        raise ValueError("something follows it")


def _span(data: bytes, at: int, head: int) -> tuple[int, int]:
    """End of a head's data, and the number of nested values."""
    if head < 0x90:
        return at, 2 * (head & 0x0F)
    if head < 0xA0:
        return at, head & 0x0F
    if head < 0xC0:
        return at + (head & 0x1F), 0
    if head == _NEVER_USED:
        raise ValueError("it is not msgpack")
    end = at + _LENGTHS[head - 0xC0]
    length = int.from_bytes(data[at:end], "big")
    if head >= _ARRAY_16:
        return end, 2 * length if head >= _MAP_16 else length
    return end + length + _FIXED[head - 0xC0], 0

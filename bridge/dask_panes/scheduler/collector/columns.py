"""Typed columns: the format in which tables leave the collector."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable

#: Column type of the frame schema by ``array`` type code.
DTYPES = {"B": "u1", "H": "u2", "I": "u4", "f": "f4", "d": "f8"}

#: A column as it leaves the collector: (dtype of the schema, little-endian bytes).
WireColumn = tuple[str, bytes]


def wire(values: array[int] | array[float]) -> WireColumn:
    """Give an array its wire form.

    Parameters
    ----------
    values : array
        A column; its type code must be one of ``DTYPES``.

    Returns
    -------
    tuple of (str, bytes)
        The schema's dtype and the values, little-endian.
    """
    if sys.byteorder == "big":
        values = array(values.typecode, values)
        values.byteswap()
    return DTYPES[values.typecode], values.tobytes()


def unsigned(values: Iterable[int], largest: int) -> array[int]:
    """Store small integers in two bytes if they fit, else in four.

    Parameters
    ----------
    values : iterable of int
        Values from 0 to `largest`.
    largest : int
        Upper bound of the values.
    """
    return array("H" if largest < 65536 else "I", values)

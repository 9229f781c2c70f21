"""Converts answers to JSON for the Jupyter channel."""

from __future__ import annotations

from array import array
from math import isfinite
from typing import Any

from ..scheduler.collector.plain import plain
from .schema import DTYPES


def for_json(value: Any) -> Any:
    """A value that strict JSON in UTF-8 can represent.

    Parameters
    ----------
    value : object
        Any value; a wire column ``(dtype, bytes)`` becomes a list of numbers.

    Returns
    -------
    object
        NaN and infinities become None, bytes become text.
    """
    if isinstance(value, dict):
        return {str(plain(name)): for_json(item) for name, item in value.items()}
    if isinstance(value, (tuple, list)):
        if len(value) == 2 and isinstance(value[0], str) and value[0] in DTYPES and isinstance(value[1], bytes):
            return for_json(array(DTYPES[value[0]]["array"], value[1]).tolist())
        return [for_json(item) for item in value]
    result = plain(value)
    if isinstance(result, float) and not isfinite(result):
        return None
    return repr(result) if isinstance(result, bytes) else result

"""What comes from others, made such that msgpack and JSON take it.

Keys, names, log lines and metrics are whatever a user's code made of them: with lone surrogates, which are no UTF-8
(file names of another encoding have them), with integers beyond 64 bits, with objects whose ``str`` raises. Each is
made plain where it enters, so that nothing that is kept can stop an answer.
"""

from __future__ import annotations

from math import inf
from typing import Any

#: Integers that msgpack takes.
_LEAST, _LARGEST = -(2**63), 2**64 - 1
#: Depth of nested lists and maps that are kept.
DEEPEST = 20


def text(value: object, limit: int | None = None) -> str:
    """A value as a text that UTF-8 can encode.

    Parameters
    ----------
    value : object
        A text, or anything else, of which ``str`` is taken.
    limit : int, optional
        Characters kept.

    Returns
    -------
    str
        A lone surrogate is written as Python writes it, ``\\udcff``.
    """
    if type(value) is not str:
        try:
            value = str.__str__(str(value))
        except Exception as error:
            value = f"<{type(value).__name__}: {type(error).__name__}>"
    if limit is not None:
        value = value[:limit]
    if value.isascii():
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-8", "backslashreplace").decode()[:limit]
    return value


def number(value: object, default: float = 0.0) -> float:
    """A value as a float; the default for what is no number, infinity for an integer beyond the range of floats."""
    if not isinstance(value, (int, float)):
        return default
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def plain(value: Any, depth: int = DEEPEST) -> Any:
    """A value made of what msgpack knows: None, bool, int of 64 bits, float, bytes, text, lists and maps of texts.

    Parameters
    ----------
    value : object
        Integers beyond 64 bits become floats, other objects texts.
    depth : int
        Nested lists and maps that are kept; what lies deeper becomes a text.
    """
    kind = type(value)
    if kind is str:
        return text(value)
    if value is None or kind in (bool, float, bytes):
        return value
    if kind is int:
        return value if _LEAST <= value <= _LARGEST else number(value)
    if depth and isinstance(value, dict):
        return {text(name): plain(item, depth - 1) for name, item in value.items()}
    if depth and isinstance(value, (list, tuple)):
        return [plain(item, depth - 1) for item in value]
    return number(value) if isinstance(value, (int, float)) else text(value)

"""Makes untrusted values serializable with msgpack and JSON.

Keys, names, log lines and metrics are whatever a user's code created: with lone surrogates, which are not valid UTF-8
(from file names in another encoding), with integers beyond 64 bits, with objects whose ``str`` raises. Each is
converted on entry, so that no stored value can break an answer.
"""

from __future__ import annotations

import ast
import re
from math import inf
from typing import Any

#: Integer range of msgpack.
_LEAST, _LARGEST = -(2**63), 2**64 - 1
#: Maximum depth of nested lists and maps.
DEEPEST = 20
#: What Python and NumPy write of numbers that is no literal, such as ``inf`` and ``np.int64(3)``: only a text with one
#: of these is looked at more closely. NumPy's numbers are equal to Python's, so that either finds a key.
_NAMED = re.compile(r"\b(?:inf|nan|np\.u?(?:int|float)\d*\()")


def text(value: object, limit: int | None = None) -> str:
    """A value as a text that UTF-8 can encode.

    Parameters
    ----------
    value : object
        A text, or any object, converted with ``str``.
    limit : int, optional
        Maximum number of characters.

    Returns
    -------
    str
        Lone surrogates are written in Python's notation, ``\\udcff``.
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
    """A value as a float; the default if it is not a number, infinity for an integer beyond the range of floats."""
    if not isinstance(value, (int, float)):
        return default
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def written(key: Any) -> str:
    """A key as users write it: a text as it is, others in Python's notation; `literal` reads it."""
    return key if isinstance(key, str) else repr(key)


class _Numbers(ast.NodeTransformer):
    """Replaces the names of numbers, and NumPy's numbers, by literals."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(float(node.id)) if node.id in ("inf", "nan") else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if len(node.args) != 1 or _NAMED.fullmatch(f"{ast.unparse(node.func)}(") is None:
            return node
        number: ast.expr = self.visit(node.args[0])
        return number


def literal(text: str) -> Any:
    """Parse the text of a tuple, number or text in Python's notation; returns any other text unchanged."""
    try:
        if _NAMED.search(text) is None:
            return ast.literal_eval(text)
        return ast.literal_eval(_Numbers().visit(ast.parse(text.lstrip(" \t"), mode="eval")))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return text


def plain(value: Any, depth: int = DEEPEST) -> Any:
    """A value in msgpack's types: None, bool, int of 64 bits, float, bytes, text, lists and maps of texts.

    Parameters
    ----------
    value : object
        Integers beyond 64 bits become floats, other objects texts.
    depth : int
        Maximum nesting of lists and maps; deeper values become texts.
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

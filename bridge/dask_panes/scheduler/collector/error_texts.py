"""Texts of exceptions: their type, their message, and the shape that messages share."""

from __future__ import annotations

import re

from .plain import text

#: Characters of the type of an exception and of a message.
TYPE, MESSAGE = 200, 2_000
#: Characters of a message that are compared; of an exception that are looked at.
SHAPE = 300

_TYPE = re.compile(rf"[^\W\d][\w.]{{0,{TYPE - 1}}}")
_HEX = re.compile(r"0x[0-9a-fA-F]+|\b(?=[0-9a-f-]{0,40}\d)[0-9a-f-]{8,}\b")
_NUMBER = re.compile(r"\d+")
_VARIES = "…"


def parts_of(exception: str) -> tuple[str, str]:
    """Type and message of an exception, from its ``repr``.

    Returns
    -------
    (str, str)
        The type is empty where the text does not begin with a name and a bracket; then the text is the message.
    """
    shown = text(exception, MESSAGE + TYPE)
    found = _TYPE.match(shown)
    if found is None or shown[found.end() : found.end() + 1] != "(":
        return "", shown[:MESSAGE]
    message = shown[found.end() + 1 :].removesuffix(")")
    # One argument, a text: without its quotes.
    if len(message) > 1 and message[0] in "'\"" and message.find(message[0], 1) == len(message) - 1:
        message = message[1:-1]
    return found[0], message[:MESSAGE]


def shape_of(message: str) -> str:
    """A message without what differs from one task to the next."""
    return _NUMBER.sub(_VARIES, _HEX.sub(_VARIES, message[:SHAPE]))[:SHAPE]


def both_ends(value: str, most: int) -> str:
    """The beginning and the end of a text: the end of a traceback is where it was raised."""
    if len(value) <= most:
        return text(value, most)
    head = most // 4
    return f"{text(value[:head], head)}\n…\n{text(value[head + 3 - most :])[-(most - head - 3) :]}"

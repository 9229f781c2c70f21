"""Encodes and decodes frames."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Mapping
from typing import Any

import msgpack

from ..scheduler.collector.plain import plain
from .schema import DTYPES, PROTOCOL
from .shape import check_shape

_CODES: dict[str, int] = {name: dtype["code"] for name, dtype in DTYPES.items()}
_BY_CODE: dict[int, str] = {dtype["code"]: dtype["array"] for dtype in DTYPES.values()}


class FrameError(ValueError):
    """The bytes are not a frame of a supported protocol."""


def _columns(columns: Mapping[str, tuple[str, bytes]]) -> dict[str, msgpack.ExtType]:
    return {name: msgpack.ExtType(_CODES[dtype], bytes(data)) for name, (dtype, data) in columns.items()}


def _topic(body: Mapping[str, Any]) -> dict[str, Any]:
    topic: dict[str, Any] = {}
    if body.get("c"):
        topic["c"] = _columns(body["c"])
    if body.get("s"):
        topic["s"] = body["s"]
    if body.get("m"):
        topic["m"] = _columns(body["m"])
    return topic


def encode(answer: Mapping[str, Any], seq: int) -> bytes:
    """Encode a collector's answer as one frame.

    Parameters
    ----------
    answer : mapping
        ``{feed, epoch, time, cursor, names, topics}``; columns are ``(dtype, little-endian bytes)``.
    seq : int
        Number of the frame within its subscription, from 0.

    Returns
    -------
    bytes
        msgpack: a map with the keys v, feed, epoch, seq, time, cursor, names, topics; a typed column is an extension
        whose code names its dtype.
    """
    frame = {
        "v": PROTOCOL,
        "feed": answer["feed"],
        "epoch": answer["epoch"],
        "seq": seq,
        "time": answer["time"],
        "cursor": answer["cursor"],
        "topics": {name: _topic(body) for name, body in answer["topics"].items()},
    }
    if answer["names"]:
        frame["names"] = answer["names"]
    try:
        packed: bytes = msgpack.packb(frame)
    except (TypeError, ValueError, OverflowError):
        # Texts are converted on entry; a topic that forgets this must not end the feed.
        packed = msgpack.packb(_plain_texts(frame))
    return packed


def _plain_texts(frame: dict[str, Any]) -> dict[str, Any]:
    topics = {
        name: {part: plain(value) if part == "s" else value for part, value in body.items()}
        for name, body in frame["topics"].items()
    }
    rest = {name: plain(value) for name, value in frame.items() if name != "topics"}
    return {**rest, "topics": topics}


def _unpack_extension(code: int, data: bytes) -> Any:
    typecode = _BY_CODE.get(code)
    if typecode is None:
        return msgpack.ExtType(code, data)
    values = array(typecode)
    try:
        values.frombytes(data)
    except ValueError as error:
        raise FrameError(f"a column of {len(data)} bytes does not hold {typecode!r} values") from error
    if sys.byteorder == "big":
        values.byteswap()
    return values


def decode(data: bytes) -> dict[str, Any]:
    """Decode one frame.

    Parameters
    ----------
    data : bytes
        The result of `encode`.

    Returns
    -------
    dict
        The frame, checked only for its form: validate untrusted ones with a `FrameValidator`. Columns are
        ``array.array``; unknown topics and columns are kept.

    Raises
    ------
    FrameError
        The bytes are not a frame, or of another protocol.
    """
    try:
        check_shape(data)
        frame = msgpack.unpackb(data, ext_hook=_unpack_extension, strict_map_key=False)
    except FrameError:
        raise
    except Exception as error:
        raise FrameError(f"not a frame: {error}") from error
    if not isinstance(frame, dict):
        raise FrameError("a frame is a map")
    if frame.get("v") != PROTOCOL:
        raise FrameError(f"frame of protocol {frame.get('v')!r}; this reader knows {PROTOCOL}")
    for name in ("feed", "epoch", "seq", "time", "topics"):
        if name not in frame:
            raise FrameError(f"the frame has no {name!r}")
    frame.setdefault("names", {})
    return frame

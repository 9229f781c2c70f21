"""The frame format: schema, encoding, decoding. The only place that knows the envelope; ``docs/feed.md`` is normative."""

from __future__ import annotations

from .codec import FrameError, decode, encode
from .schema import DTYPES, PROTOCOL, SCHEMA

__all__ = ["DTYPES", "PROTOCOL", "SCHEMA", "FrameError", "decode", "encode"]

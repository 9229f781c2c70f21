"""The frame format: schema, encoding, decoding; ``docs/feed.md`` is normative.

The only package that knows the envelope.
"""

from __future__ import annotations

from .codec import FrameError, decode, encode
from .schema import DTYPES, PROTOCOL, SCHEMA
from .shape import check_shape
from .validate import FrameValidator

__all__ = ["DTYPES", "PROTOCOL", "SCHEMA", "FrameError", "FrameValidator", "check_shape", "decode", "encode"]

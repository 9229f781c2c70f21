"""The frame schema, read from the one file that TypeScript is generated from."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

#: The whole schema; see ``docs/feed.md``.
SCHEMA: dict[str, Any] = json.loads(resources.files(__package__).joinpath("schema.json").read_text("utf-8"))
#: Version of the frame format.
PROTOCOL: int = SCHEMA["protocol"]
#: Frames and bytes that may be on their way to one tab without an acknowledgement.
CREDIT_FRAMES: int = SCHEMA["credit"]["frames"]
CREDIT_BYTES: int = SCHEMA["credit"]["bytes"]
#: msgpack extension code, bytes of a value and ``array`` type code by dtype.
DTYPES: dict[str, dict[str, Any]] = SCHEMA["dtypes"]
#: What a reader takes at most.
LIMITS: dict[str, int] = {name: value for name, value in SCHEMA["limits"].items() if name != "doc"}

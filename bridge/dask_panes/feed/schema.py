"""The frame schema, read from the file from which the TypeScript is generated."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

#: The whole schema; see ``docs/feed.md``.
SCHEMA: dict[str, Any] = json.loads(resources.files(__package__).joinpath("schema.json").read_text("utf-8"))
#: Version of the frame format.
PROTOCOL: int = SCHEMA["protocol"]
#: Maximum frames and bytes in flight to one tab without an acknowledgement.
CREDIT_FRAMES: int = SCHEMA["credit"]["frames"]
CREDIT_BYTES: int = SCHEMA["credit"]["bytes"]
#: msgpack extension code, bytes of a value and ``array`` type code by dtype.
DTYPES: dict[str, dict[str, Any]] = SCHEMA["dtypes"]
#: Limits of a reader.
LIMITS: dict[str, int] = {name: value for name, value in SCHEMA["limits"].items() if name != "doc"}

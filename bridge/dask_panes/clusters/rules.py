"""What a person may choose of a hosted cluster, read from the one file that TypeScript is generated from."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

#: Patterns of whole texts, and limits; ``rules.json`` has the reasons.
RULES: dict[str, Any] = json.loads(resources.files(__package__).joinpath("rules.json").read_text("utf-8"))

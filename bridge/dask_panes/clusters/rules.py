"""Rules for the options of a hosted cluster, read from the file from which the TypeScript is generated."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

#: Patterns of whole texts, and limits; ``rules.json`` has the reasons.
RULES: dict[str, Any] = json.loads(resources.files(__package__).joinpath("rules.json").read_text("utf-8"))

"""Source lines of this kernel's cells, which workers in other processes cannot read.

A function that a cell defines keeps, on a worker, the name of the file that IPython compiled the cell as. Such a name
has a hash of the cell's source and the number of the kernel's process or of the execution, and the cell's lines are in
`linecache` of this process. So one of another kernel, or of this one before it was restarted, is not found. The lines
must also define a function of that name where the worker reports it: else the text is not known.
"""

from __future__ import annotations

import linecache
import os
import re
from collections.abc import Sequence
from typing import Any

from ..options import options
from .probes.profile import TEXT

#: Names of files that IPython gives to cells: with the number of the kernel's process, and as older releases do.
_CELL = re.compile(r"(?:^|[\\/])ipykernel_(\d+)[\\/]\d+\.py$|^<ipython-input-\d+-[0-9a-f]+>$")
_DEF = re.compile(r"^[ \t]*(?:async\s+)?def\s+(\w+)", re.MULTILINE)
#: Lines within which decorators end and a function begins.
HEAD = 30


def text_of(frame: Sequence[Any]) -> str:
    """Source text of a frame as a probe reports it; empty if it is not known, or if code of cells is not to be sent."""
    name, file, first, line, text = frame
    cell = _CELL.search(file)
    if cell is None:
        return str(text)
    if not options().code:
        return ""
    return str(text) or _line(name, file, first, line, cell[1])


def _line(name: str, file: str, first: int, line: int, process: str | None) -> str:
    if process is not None and process != str(os.getpid()):
        return ""
    known = linecache.cache.get(file)
    lines = known[2] if known is not None and len(known) == 4 else []
    if not 0 < first <= line <= len(lines) or not _defines(lines[first - 1 : first - 1 + HEAD], name):
        return ""
    return lines[line - 1].strip()[:TEXT]


def _defines(lines: list[str], name: str) -> bool:
    """Whether the first of some lines begins a function of this name."""
    if name == "<lambda>":
        return "lambda" in lines[0]
    if name.startswith("<"):
        return name != "<module>" and re.search(r"\bfor\b", "".join(lines)) is not None
    found = _DEF.search("".join(lines))
    return found is not None and found[1] == name and (found.start() == 0 or lines[0].lstrip().startswith("@"))

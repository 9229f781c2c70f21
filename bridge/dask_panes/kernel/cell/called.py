"""The line of a cell that submits: where its own code is, in the calls that lead to the calling code.

IPython compiles what it has made of a cell, which has magics as calls and no blank lines at the start. It is compared
with the source of the cell: a front end may have changed more, and another cell's functions have names of files that
cannot be distinguished from the cell's own. Where that fails the line is not known.
"""

from __future__ import annotations

import linecache
import sys
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from weakref import ref

if TYPE_CHECKING:
    from weakref import WeakSet

    from distributed import Client

#: Frames searched, from the calling code outwards.
DEEPEST = 1_000
#: Beginning of the names of files that IPython gives to the code of `%time` and `%%time`.
_TIMED = "<timed "
#: What IPython makes of a magic.
_MAGIC = "get_ipython()"


class Line(NamedTuple):
    """The line of a cell that submitted first: since the last restart of the cluster, to one scheduler."""

    #: From 1; 0 if it is not known.
    number: int
    restarts: int
    #: The Client's connection to the scheduler; None if there was none, so that it was submitted to the next one.
    connection: ref[Any] | None


class Called(Protocol):
    """What is noted of a cell: see `Cell` of `cells.py`."""

    info: Any
    lines: dict[str, Line]
    known_to: WeakSet[Any]


def note_line(cell: Called, client: str, sender: Client | None, names: Any) -> None:
    """Find the line that submits: at the first submission of a cell, after a restart, and to another scheduler."""
    restarts, to = getattr(sender, "generation", 0), getattr(sender, "scheduler_comm", None)
    connection = None if to is None else ref(to)
    known = cell.lines.get(client)
    if known is not None and known.restarts == restarts:
        if known.connection == connection:
            return
        if known.connection is None:
            cell.lines[client] = known._replace(connection=connection)
            return
    cell.lines[client] = Line(line_of(getattr(cell.info, "raw_cell", ""), names), restarts, connection)
    if known is not None:
        # What it submits now is another computation, of this line.
        cell.known_to.discard(to or sender)


def line_of(source: Any, names: Any) -> int:
    """Line of a cell that has led to the calling code, from 1; 0 if it is not known.

    Parameters
    ----------
    source : str
        The cell as the user wrote it.
    names : dict
        The user's global variables.
    """
    if not isinstance(source, str):
        return 0
    lines = source.splitlines()
    # Python and the panes must count the same lines.
    if lines != source.split("\n")[: len(lines)]:
        return 0
    blank = _blank(lines)
    lines = lines[blank:]
    own: dict[str, bool] = {}
    timed = 0
    frame: FrameType | None = sys._getframe(1)
    for _ in range(DEEPEST):
        if frame is None:
            break
        if frame.f_globals is names:
            code, line = frame.f_code, frame.f_lineno or 0
            file = code.co_filename
            if file.startswith(_TIMED):
                # The outermost: `%time` can be inside of `%%time`.
                timed = line if code.co_name == "<module>" else timed
            else:
                if file not in own:
                    own[file] = _made_of(file, lines)
                if own[file] and 0 < line <= len(lines):
                    return _line(lines, line, timed, blank)
        frame = frame.f_back
    return 0


def _line(lines: list[str], line: int, timed: int, blank: int) -> int:
    """Line of the whole cell, from a line of its code without `blank` lines at the start, and one of `%%time`."""
    if not lines[line - 1].startswith("%%"):
        return line + blank
    words = lines[0].split(maxsplit=1)
    line = 1 + _blank(lines[1:]) + timed
    return line + blank if timed and words[0] == "%%time" and line <= len(lines) else 0


def _made_of(file: str, lines: list[str]) -> bool:
    """Whether a file is what IPython compiled of a cell."""
    made = linecache.cache.get(file)
    text = made[2] if made is not None and len(made) == 4 else None
    if not text or len(text) > len(lines):
        return False
    rest = lines[len(text) :]
    if any(line.strip() for line in rest) and not lines[0].startswith("%%"):
        return False
    return all(has.strip() == line.strip() or _MAGIC in has for has, line in zip(text, lines))


def _blank(lines: list[str]) -> int:
    """How many blank lines there are at the start."""
    return next((i for i, line in enumerate(lines) if line.strip()), len(lines))

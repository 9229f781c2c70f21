"""What is known of one graph submission: by whom, from which code, from which execution of a cell."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from math import nan
from types import FrameType
from typing import Any, NamedTuple

from .plain import number, text

#: Maximum characters of code.
CODE = 4_000
#: Maximum characters of the name of a span.
SPAN = 200
#: Frames searched for Dask's, from ours outwards.
_DEEPEST = 7
#: Dask's function that creates the tasks of a graph and calls the plugins.
_CREATES = "_create_taskstate_from_graph"
#: Appended to a graph's stimulus by a kernel that marks it: number of the cell's execution in this kernel (0 for none),
#: and bytes of the graph. Before it: microseconds that the Client took to pack the graph, where they are known.
_MARK = re.compile(r"(?: packed-us (\d{1,15}))? dask-panes (\d{1,15}) (\d{1,18})$")
MARK = " dask-panes {} {}"
PACKED = " packed-us {}"


class Code(NamedTuple):
    """Source code of a submission.

    Attributes
    ----------
    identity : tuple
        Equal for submissions from the same code.
    text : str
        Its beginning.
    line : int
        Line of `text` with the call, from 1; 0 unknown.
    """

    identity: tuple[Any, ...]
    text: str
    line: int


class Submission(NamedTuple):
    """One graph, as it arrived."""

    client: str
    stimulus: str
    #: When the scheduler began to read it, seconds; 0 unknown.
    begun: float
    #: None: the graph is not marked; 0: no cell was running.
    cell: int | None
    #: Bytes of the graph as it was sent; None unknown.
    nbytes: int | None
    #: What Dask recorded; None if that is nothing.
    code: Code | None
    #: Names of the spans of its tasks, each once; empty for tasks without one.
    spans: tuple[str, ...]
    #: Seconds that the Client took to pack it for sending; None unknown.
    packing: float | None = None


def reading(message: Any, stimulus: str) -> float | None:
    """Seconds that Dask took to read a graph, as its event reports; None if the event is about something else."""
    if not isinstance(message, dict) or message.get("action") != "update-graph":
        return None
    if message.get("stimulus_id") != stimulus:
        return None
    metrics = message.get("metrics")
    return number(metrics.get("duration_seconds"), nan) if isinstance(metrics, dict) else nan


def observe(kwargs: dict[str, Any], tasks: Sequence[Any]) -> Submission:
    """Read the arguments of a plugin's `update_graph`, and those of Dask's own call around it.

    Dask passes plugins neither the code nor when it began to read, and merges the code of several submissions in its
    own records: they are taken from the local variables of its call. Where these differ, the values are not known.
    """
    given = _locals()
    stimulus = kwargs.get("stimulus_id") or given.get("stimulus_id")
    stimulus = stimulus if isinstance(stimulus, str) else ""
    mark = _MARK.search(stimulus) if "dask-panes" in stimulus else None
    begun = given.get("start")
    return Submission(
        text(kwargs.get("client", ""), 200),
        stimulus,
        number(begun) if begun is not None else 0.0,
        int(mark[2]) if mark else None,
        int(mark[3]) or None if mark else None,
        _code(given.get("code")),
        _spans(kwargs.get("annotations"), tasks),
        int(mark[1]) / 1e6 if mark and mark[1] else None,
    )


def _locals() -> dict[str, Any]:
    frame: FrameType | None = sys._getframe(2)
    for _ in range(_DEEPEST):
        if frame is None:
            break
        if frame.f_code.co_name == _CREATES:
            return frame.f_locals
        frame = frame.f_back
    return {}


def _code(given: Any) -> Code | None:
    """Dask's tuple of frames, outermost first: the innermost is the user's call."""
    if not isinstance(given, tuple) or not given:
        return None
    frame = given[-1]
    source, file = getattr(frame, "code", None), getattr(frame, "filename", None)
    if not isinstance(source, str) or not isinstance(file, str):
        return None
    relative, line = getattr(frame, "lineno_relative", None), getattr(frame, "lineno_frame", None)
    if not isinstance(relative, int) or not isinstance(line, int):
        relative = line = 0
    # Line of the frame's first statement: 0 for modules in some releases of Python.
    first = line - relative
    return Code((file, first, len(source)), text(source, CODE), max(0, relative + min(1, first)))


def _spans(annotations: Any, tasks: Sequence[Any]) -> tuple[str, ...]:
    """Names of the spans of a graph's tasks, as these depend on each other; Dask names none for a task without one."""
    named = annotations.get("span") if isinstance(annotations, dict) else None
    if not isinstance(named, dict) or not named:
        return ("",)
    # A span has one tuple for all its tasks. To look at it takes far less than Dask takes for a task.
    names = {id(name): name for each in named.values() if isinstance(each, dict) for name in (each.get("name"),)}
    # Dask goes from what is wanted to what that needs: the work begins with what comes last.
    found = dict.fromkeys(map(_span, reversed([*names.values()])))
    if len(tasks) > len(named):
        found[""] = None
    return tuple(found) or ("",)


def _span(name: Any) -> str:
    if not isinstance(name, (tuple, list)):
        return ""
    name = tuple(text(part, SPAN) for part in name[:10])
    return "" if name == ("default",) else text(" / ".join(name), SPAN)

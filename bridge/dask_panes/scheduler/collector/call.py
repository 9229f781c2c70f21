"""What a task calls its function with, and its annotations, as short texts.

Of objects of users only the type is named: none is called.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from .plain import text, written

if TYPE_CHECKING:
    from distributed.scheduler import TaskState

#: Arguments and fused tasks that are reported; an ellipsis stands for the others.
MOST = 20
#: Maximum characters of an argument.
LONGEST = 200
#: Elements of a container that are named, and how deep.
ELEMENTS, DEPTH = 5, 2
#: Longer numbers take long to write; this is far more than a user reads.
_BITS = 1_000
#: Classes of Dask's task specification that stand for the result of another task.
_REFERENCES = frozenset(("Alias", "TaskRef"))
#: By name of the class, of Python or of Dask's task specification: before and after the elements.
_BRACKETS = {
    **dict.fromkeys(("list", "List"), ("[", "]")),
    **dict.fromkeys(("tuple", "Tuple"), ("(", ")")),
    **dict.fromkeys(("set", "Set"), ("{", "}")),
    "frozenset": ("frozenset({", "})"),
}


def call_of(ts: TaskState) -> dict[str, list[str]]:
    """The arguments of a task and the tasks that fusion has absorbed into it.

    Parameters
    ----------
    ts : distributed.scheduler.TaskState

    Returns
    -------
    dict
        ``arguments``: texts such as ``23``, ``name='a'``, ``result of load-1`` or ``<DataFrame>``, at most 20 of at
        most 200 characters. ``fused``: keys of absorbed tasks. Both are empty where Dask's graph does not say it, as
        before its task specification (2024.12).
    """
    spec = ts.run_spec
    if type(spec).__module__ != "dask._task_spec" or type(spec).__name__ != "Task":
        return {"arguments": [], "fused": []}
    args, kwargs = spec.args, spec.kwargs
    if getattr(spec.func, "__name__", "") == "_execute_subgraph" and args and type(args[0]) is dict:
        return {"arguments": [], "fused": _reported(key for key in args[0] if key != ts.key)}
    named = (f"{text(name, 50)}={_words(value)}" for name, value in kwargs.items())
    return {"arguments": _reported(chain(map(_words, args), named)), "fused": []}


def annotations_of(ts: TaskState) -> str:
    """The annotations of a task, as short as its arguments; empty if it has none."""
    pairs = (f"{_words(name)}: {text(_words(value), LONGEST)}" for name, value in (ts.annotations or {}).items())
    written = ", ".join(_first(pairs, MOST))
    return f"{{{written}}}" if written else ""


def _reported(values: Iterable[object]) -> list[str]:
    return _first((text(value, LONGEST) for value in values), MOST)


def _first(texts: Iterable[str], most: int) -> list[str]:
    """The first texts, and an ellipsis for the others."""
    found = list(islice(texts, most + 1))
    return found if len(found) <= most else [*found[:most], "…"]


def _words(value: object, depth: int = 0) -> str:
    """A value as Python writes it where that is short and runs no code of users, else its type."""
    kind = type(value)
    if value is None or kind in (bool, float, complex):
        return repr(value)
    if isinstance(value, int) and kind is int and value.bit_length() <= _BITS:
        return repr(value)
    if isinstance(value, (str, bytes)) and kind in (str, bytes):
        return repr(value[:LONGEST]) + ("…" if len(value) > LONGEST else "")
    if kind.__module__ == "dask._task_spec":
        return _specified(value, depth)
    if depth < DEPTH and isinstance(value, (list, tuple, set, frozenset)) and kind.__module__ == "builtins":
        return _listed(kind.__name__, value, depth)
    if depth < DEPTH and isinstance(value, dict) and kind is dict:
        pairs = ((_words(name, depth + 1), element) for name, element in value.items())
        return "{" + _joined(f"{name}: {_words(element, depth + 1)}" for name, element in pairs) + "}"
    return f"<{kind.__name__}>"


def _specified(value: Any, depth: int) -> str:
    """A part of Dask's task specification."""
    name = type(value).__name__
    if name in _REFERENCES:
        return f"result of {written(value.key)}"
    if name == "DataNode":
        return _words(value.value, depth)
    if name in ("List", "Tuple", "Set") and depth < DEPTH:
        return _listed(name, value.args, depth)
    return f"<{name}>"


def _listed(kind: str, values: Collection[object], depth: int) -> str:
    left, right = _BRACKETS[kind]
    if right.startswith("}") and not values:
        # Braces alone are a dictionary.
        return f"{kind.lower()}()"
    comma = "," if left == "(" and len(values) == 1 else ""
    return left + _joined(_words(element, depth + 1) for element in values) + comma + right


def _joined(texts: Iterable[str]) -> str:
    return ", ".join(_first(texts, ELEMENTS))

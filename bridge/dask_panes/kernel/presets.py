"""Kinds of clusters that Dask's configuration names, for "New cluster" of the sidebar.

`labextension.factory`, `.default` and `.initial` are the keys of dask-labextension with their meaning there;
`dask-panes.hosting.presets` names further kinds. Nothing is imported or made here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_FACTORY, _DEFAULT, _INITIAL = "labextension.factory", "labextension.default", "labextension.initial"
_PRESETS = "dask-panes.hosting.presets"
_DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
#: Modules that offer Dask's own `LocalCluster`.
_LOCAL = ("dask.distributed", "distributed", "distributed.deploy", "distributed.deploy.local")
#: Limits of what is sent to pages.
MOST_PRESETS, MOST_INITIAL, LONGEST_NAME = 50, 8, 64


@dataclass(frozen=True)
class Preset:
    """How to make one kind of cluster.

    Attributes
    ----------
    key : str
        Where it is in Dask's configuration.
    module, factory : str
        Of the class, or of a function that returns a cluster.
    args, kwargs
        Its arguments.
    workers : int, optional
        How many workers to ask for when it is made.
    adapt : dict, optional
        Arguments of the cluster's ``adapt``, which comes before `workers`.
    """

    key: str
    module: str = "dask.distributed"
    factory: str = "LocalCluster"
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    workers: int | None = None
    adapt: dict[str, Any] | None = None

    @property
    def local(self) -> bool:
        """Whether it is Dask's own ``LocalCluster``."""
        return self.factory == "LocalCluster" and self.module in _LOCAL


def preset(name: str = "") -> Preset:
    """Read one kind of cluster.

    Parameters
    ----------
    name : str
        In ``dask-panes.hosting.presets``; ``""`` for that of ``labextension.factory``.

    Raises
    ------
    ValueError
        There is no such preset, or it cannot be used; a message for users.
    """
    import dask

    if name == "":
        given = _mapping(dask.config.get(_FACTORY, None), _FACTORY)
        default = _mapping(dask.config.get(_DEFAULT, None), _DEFAULT)
        return _read(_FACTORY, given, default, _DEFAULT)
    presets = _mapping(dask.config.get(_PRESETS, None), _PRESETS)
    found = next((value for key, value in presets.items() if str(key) == name), None)
    if found is None:
        known = ", ".join(repr(str(key)[:LONGEST_NAME]) for key in list(presets)[:MOST_PRESETS])
        others = f"It has {known}" if known else "It has none"
        raise ValueError(f"Dask's configuration has no preset {name[:LONGEST_NAME]!r} ({_PRESETS}). {others}")
    where = f"{_PRESETS}.{name}"
    given = _mapping(found, where)
    return _read(where, given, given, where)


def for_page() -> dict[str, Any]:
    """What is sent to pages: names and classes, no arguments, and how many presets are not listed; never fails."""
    import dask

    presets = dask.config.get(_PRESETS, None)
    names = [str(key) for key in presets] if isinstance(presets, Mapping) else []
    usable = [name for name in names if len(name) <= LONGEST_NAME]
    return {
        "factory": _class_of(""),
        "presets": [{"name": name, "class": _class_of(name)} for name in usable[:MOST_PRESETS]],
        "unlisted": max(0, len(usable) - MOST_PRESETS),
        "initial": initial(),
    }


def initial() -> list[dict[str, Any]]:
    """The clusters of ``labextension.initial``: name, preset, and the workers where they differ; never fails.

    Names become names that `dask_panes.connect` takes: what is neither letter, digit, point, hyphen nor underscore
    becomes a hyphen.
    """
    import dask

    entries = dask.config.get(_INITIAL, None)
    found: list[dict[str, Any]] = []
    for entry in entries if isinstance(entries, (list, tuple)) else ():
        if not isinstance(entry, Mapping) or len(found) == MOST_INITIAL:
            continue
        made: dict[str, Any] = {
            "name": _as_name(entry.get("name")),
            "preset": str(entry.get("preset") or "")[:LONGEST_NAME],
        }
        bounds = entry.get("adapt")
        if isinstance(bounds, Mapping) and _is_count(bounds.get("minimum", 0)) and _is_count(bounds.get("maximum")):
            made |= {"minimum": bounds.get("minimum", 0), "maximum": bounds["maximum"]}
        elif _is_count(entry.get("workers")):
            made["workers"] = entry["workers"]
        found.append(made)
    return found


def _read(where: str, given: Mapping[str, Any], counts: Mapping[str, Any], counts_where: str) -> Preset:
    module, factory = given.get("module", Preset.module), given.get("class", Preset.factory)
    for key, value in (("module", module), ("class", factory)):
        if not isinstance(value, str) or not _DOTTED.fullmatch(value):
            raise ValueError(f"Dask configuration {where}.{key}: {str(value)[:100]!r} is not a Python name")
    args = given.get("args") or []
    if not isinstance(args, (list, tuple)):
        raise ValueError(f"Dask configuration {where}.args: {str(args)[:100]!r} is not a list")
    # Dask's configuration may write hyphens for underscores.
    kwargs = {str(key).replace("-", "_"): v for key, v in _mapping(given.get("kwargs"), f"{where}.kwargs").items()}
    workers = counts.get("workers")
    if workers is not None and not _is_count(workers):
        raise ValueError(
            f"Dask configuration {counts_where}.workers: {str(workers)[:100]!r} is not a number of workers"
        )
    adapt = {str(k).replace("-", "_"): v for k, v in _mapping(counts.get("adapt"), f"{counts_where}.adapt").items()}
    return Preset(where, module, factory, tuple(args), kwargs, workers, adapt or None)


def _class_of(name: str) -> str:
    """Name of the class of a preset, ``""`` if it cannot be used."""
    try:
        return preset(name).factory[:LONGEST_NAME]
    except ValueError:
        return ""


def _mapping(value: Any, where: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ValueError(f"Dask configuration {where}: {str(value)[:100]!r} is not a mapping")
    return value


def _as_name(given: Any) -> str:
    text = re.sub(r"[^A-Za-z0-9._-]+", "-", str(given) if given is not None else "").lstrip("._-")
    return text[:LONGEST_NAME].rstrip("-")


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 100_000

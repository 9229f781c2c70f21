"""A collector of a newer version takes over the data of an older one on the same scheduler.

Columns are moved, not copied, and only if both versions have the same layout: the attributes below exist in both, and
rows have the same columns. Data that cannot be taken over starts over, and readers are notified.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from .computation import HALTED_OWNER, Computation, is_halted
from .forgotten import Forgotten
from .history import Chunk
from .keys import KeyColumn
from .memory_samples import SampledRun
from .names import Ids
from .shares import Shares
from .shuffle import Shuffle
from .versions import renumber

#: Version of the carried data's meaning: increment it when an attribute below keeps its name but changes its meaning.
LAYOUT = 1
#: Attributes carried for each part of a collector. The names come first: all others refer to their ids.
CARRIED: dict[str, tuple[str, ...]] = {
    "names": (
        *("prefixes", "groups", "workers", "lanes", "prefix_ids", "group_ids", "lane_ids"),
        *("_worker_ids", "_delays"),
    ),
    "history": ("_chunks", "_tail", "end", "_typenames", "_typename_ids"),
    "workers": ("_versions", "_lost", "_states", "version"),
    "prefixes": ("_before", "_forgotten"),
    "groups": ("held", "dropped"),
    "series": ("_fine", "_coarse", "_pending", "_newest", "end"),
    "worker_series": ("_times", "_workers", "_values", "step", "_skip"),
    "events": ("_ring", "end"),
    "memory_samples": ("_runs", "_ids", "_next_run", "_run", "_time", "_nbytes", "end"),
    "graph": (
        *("gone", "_numbers", "_unwalked", "_pending", "first", "end", "_skipped", "_latest"),
        *("_prefix", "_group", "_state", "_keys", "_first_edge", "_source", "_target"),
        *("_first_mark", "_mark_nodes", "_mark_edges"),
    ),
}
#: Everything that starts over where nothing is carried.
ALL = (*CARRIED, "computations")
#: Attributes carried if the older collector has them.
LATER: dict[str, tuple[str, ...]] = {
    "names": ("first_group", "shared", "inexact", "_shared_ids"),
    "groups": ("_kept", "_ids", "_rows", "_versions", "_edges", "version"),
    "activities": ("_before",),
    "executed": ("_numbers", "first"),
    "attempts": ("_rows", "_versions", "version"),
    "prefixes": ("_away",),
    "graph": ("endings",),
    "errors": ("_rows", "_texts", "_keys", "_workers", "_blocked", "_ids", "_alike", "_versions", "erring", "version"),
    "steals": ("_aside", "_asked", "_ring", "end"),
    "shuffles": ("_shuffles", "_active", "_known", "_versions", "_next", "_begun", "version"),
}
#: Attributes with objects of our classes, which use the new version's code afterwards.
_OBJECTS: dict[tuple[str, str], type] = {
    ("history", "_chunks"): Chunk,
    ("graph", "_keys"): KeyColumn,
    ("memory_samples", "_runs"): SampledRun,
    ("prefixes", "_forgotten"): Forgotten,
    ("shuffles", "_shuffles"): Shuffle,
}
#: Attributes of computations that are carried as they are.
_OF_COMPUTATIONS = ("_versions", "_texts", "_open", "_cells", "_next", "_newest", "version")
#: Constants of a part's module that define the layout of a row.
_COLUMNS = {"series": ("MEASURES", "OWN"), "worker_series": ("WORKER_MEASURES",)}
#: Slices of graph work that are finished first, about 3 ms each.
_PIECES = 20

#: Message for users.
USED_UP = (
    "The history of this scheduler has begun again: so many workers have come and gone that no more can be numbered. "
    "What was before is not shown."
)


def version_of(collector: Any) -> tuple[int, ...]:
    """Version of a collector, for comparison; empty for those without versions."""
    version = getattr(collector, "version", ())
    return tuple(version) if isinstance(version, (tuple, list)) else ()


def take_over(new: Any, old: Any) -> list[str]:
    """Move the data of an older collector to a new, empty one.

    Returns
    -------
    list of str
        Parts that start over.
    """
    if getattr(old, "layout", 1) != LAYOUT or not _carry(new, old, "names"):
        return list(ALL)
    for _ in range(_PIECES):
        if not old.graph.busy:
            break
        old.graph.step()
    for part, names in LATER.items():
        _move(new, old, part, names)
    _move(new, old, "attempts", ("_timed", "_next"))
    halting = _move(new, old, "errors", ("_again",))
    _move(new, old, "errors", ("_unblocked",))
    new.names.renew()
    with suppress(AttributeError):
        # Earlier versions append each sample to the columns of the workers at once.
        for _ in old.worker_series.divide():
            pass
    restarted = [part for part in CARRIED if part != "names" and not _carry(new, old, part)]
    if "graph" in restarted:
        new.executed.restart()
    try:
        _take_computations(new.computations, old.computations)
    except AttributeError:
        restarted.append("computations")
    if not halting:
        _mark_blocked(new, old.scheduler.tasks if hasattr(old, "scheduler") else {})
    with suppress(AttributeError):
        # Versions that had none counted from the scheduler's start.
        new.prefixes.episodes.take(old.prefixes.episodes, "computations" not in restarted)
    with suppress(AttributeError):
        new.idleness.take(old.idleness)
    with suppress(AttributeError, TypeError, ValueError):
        # Earlier versions kept them with the idleness.
        looks = old.looks if hasattr(old, "looks") else old.idleness
        new.looks.take(looks.at if hasattr(looks, "at") else looks._looked_at, looks.unobserved)
    with suppress(AttributeError):
        new.hardware.take(old.hardware._rows, old.hardware._failures, old.hardware._facts)
    new.workers.packages.take(getattr(old.workers, "packages", None), new.workers._states.values())
    for part in ("workers", "groups", "attempts"):
        # An older version assigned the same version to several rows.
        target = getattr(new, part)
        target._versions, newest = renumber(target._versions)
        target.version = max(target.version, newest)
    new.groups.widen()
    new.attempts.widen()
    if not hasattr(old.groups, "_kept"):
        for group in list(old.groups.held.values()):
            new.groups.hold(group)
    # The same feed, which readers start over: version numbers have changed.
    new.feed, new.epoch = old.feed, old.epoch + 1
    if "history" not in restarted:
        new.earlier, new.started = old.earlier, old.started
        new.marked.update(old.marked if hasattr(old, "marked") else old._marked)
        new.halted.begin(old.scheduler.tasks if hasattr(old, "scheduler") else {}, new.marked)
    return restarted


def _mark_blocked(new: Any, tasks: Mapping[Any, Any]) -> None:
    """An older collector did not tell tasks that have failed from those that did not run because of them."""
    erring, owners = new.errors.erring, new.computations.claims.owners
    for key, found in list(erring.items()):
        blamed = getattr(tasks.get(key), "exception_blame", None)
        if found < 0 or blamed is None or blamed is tasks[key]:
            continue
        erring[key] = ~found
        owner = owners.get(key, 0)
        if owner < 0 and not is_halted(~owner):
            owners[key] = ~(~owner + HALTED_OWNER)


async def begin_again(old: Any, new: Any) -> None:
    """Put a new collector in the place of one of which it knows nothing, in one turn: readers start over."""
    new.meta.not_carried = USED_UP
    plugins = old.scheduler.plugins
    del plugins[old.name]
    await new.start(old.scheduler)
    plugins[old.name] = new
    await old.close()


def _take_computations(new: Any, old: Any) -> None:
    """Go on with the computations of an older collector, before the start; they must not be used there any more.

    Raises
    ------
    AttributeError
        It had none, or others: nothing has changed here.
    """
    rows = {found: Computation.like(row) for found, row in old._rows.items()}
    shares = Shares(new.shares.ids)
    shares.take(old.shares)
    values = {name: getattr(old, name) for name in _OF_COMPUTATIONS}
    new.claims.take(old.claims)
    if hasattr(old, "owned"):
        new.owned.take(old.owned)
    for name, value in values.items():
        setattr(new, name, value)
    new.shares = shares
    new.kept.take(rows, old)


def _carry(new: Any, old: Any, part: str) -> bool:
    source, target = getattr(old, part, None), getattr(new, part)
    if not all(hasattr(target, name) for name in CARRIED[part]):
        return False
    if any(_constant(source, name) != _constant(target, name) for name in _COLUMNS.get(part, ())):
        return False
    return _move(new, old, part, CARRIED[part])


def _move(new: Any, old: Any, part: str, names: tuple[str, ...]) -> bool:
    """Move attributes of a part, all or none."""
    source, target = getattr(old, part, None), getattr(new, part)
    if not all(hasattr(source, name) for name in names):
        return False
    values = {name: getattr(source, name) for name in names}
    objects = {name: _OBJECTS[part, name] for name in names if (part, name) in _OBJECTS}
    if not all(_alike(values[name], kind) for name, kind in objects.items()):
        return False
    for name, value in values.items():
        known = getattr(target, name, None)
        if isinstance(known, Ids):
            known.update(value)
            continue
        setattr(target, name, value)
        if name in objects:
            for item in _items(value):
                _own(item, objects[name])
    return True


def _constant(part: Any, name: str) -> Any:
    return getattr(sys.modules.get(type(part).__module__), name, None)


def _items(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else list(value)


def _alike(value: Any, kind: Any) -> bool:
    return all(
        type(item).__slots__ == kind.__slots__
        and (kind is not Chunk or type(item.keys).__slots__ == KeyColumn.__slots__)
        for item in _items(value)
    )


def _own(item: Any, kind: type) -> None:
    item.__class__ = kind
    if isinstance(item, Chunk):
        _own(item.keys, KeyColumn)
    elif isinstance(item, KeyColumn):
        item.renew()

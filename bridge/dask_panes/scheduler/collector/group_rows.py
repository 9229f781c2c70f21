"""Rows of the groups topic: their columns, and whether a group can still change."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from distributed.scheduler import TaskGroup

STATES = ("released", "waiting", "queued", "no-worker", "processing", "memory", "erred", "forgotten")
_ALIVE = STATES[:-1]
ROW_COLUMNS = (
    ("prefix", "I"),
    *((state.replace("-", "_"), "I") for state in STATES),
    ("forgotten_erred", "I"),
    ("cancelled", "I"),
    ("nbytes", "d"),
    ("duration", "d"),
    ("start", "d"),
    ("stop", "d"),
    ("read", "d"),
    ("freed", "d"),
    ("freed_tasks", "I"),
)
_AT = {name: i for i, (name, _) in enumerate(ROW_COLUMNS)}
MEMORY, STOP, READ, FREED = (_AT[name] for name in ("memory", "stop", "read", "freed"))
#: The row before the first.
UNSEEN: tuple[float, ...] = (0,) * len(ROW_COLUMNS)


def is_alive(group: TaskGroup) -> bool:
    """Whether the scheduler has a task of a group."""
    return any(map(group.states.get, _ALIVE))

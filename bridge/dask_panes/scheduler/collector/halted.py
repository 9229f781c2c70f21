"""Tasks that were released before they had run and that the scheduler still has.

When a task fails, those that only its dependents needed are released, and stay as long as a client has a future of a
dependent. Dask's state of them is ``released``, as that of tasks that have finished.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from distributed.scheduler import TaskGroup, TaskState

#: Mark of such a task; see ``Parts.marked``.
HALTED = "cancelled"


class Halted:
    """Numbers of halted tasks; as many entries as they have functions and groups, at most.

    Attributes
    ----------
    of_prefix : dict
        By the name of the function.
    of_group : dict
        By the task group.
    """

    def __init__(self) -> None:
        self.of_prefix: dict[str, int] = {}
        self.of_group: dict[TaskGroup, int] = {}

    def add(self, ts: TaskState) -> None:
        """It was released before it had run."""
        name, group = ts.prefix.name, ts.group
        self.of_prefix[name] = self.of_prefix.get(name, 0) + 1
        self.of_group[group] = self.of_group.get(group, 0) + 1

    def remove(self, ts: TaskState) -> None:
        """It has left that state."""
        name, group = ts.prefix.name, ts.group
        left, left_of_group = self.of_prefix.get(name, 0) - 1, self.of_group.get(group, 0) - 1
        if left > 0:
            self.of_prefix[name] = left
        else:
            self.of_prefix.pop(name, None)
        if left_of_group > 0:
            self.of_group[group] = left_of_group
        else:
            self.of_group.pop(group, None)

    def begin(self, tasks: Mapping[Any, TaskState], marked: Mapping[Any, str]) -> None:
        """Count those that an older collector has marked."""
        for key, mark in marked.items():
            ts = tasks.get(key) if mark == HALTED else None
            if ts is not None and ts.state == "released":
                self.add(ts)

    def restart(self) -> None:
        """The scheduler was cleared on purpose."""
        self.of_prefix.clear()
        self.of_group.clear()

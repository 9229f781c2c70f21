"""The groups topic: counts, durations and dependencies by task group.

Dask forgets a group with its last task. Its object is held here, so that what it did can be looked at after the run.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from .columns import unsigned, wire
from .names import Names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from distributed.scheduler import TaskGroup

#: Groups kept; the oldest that the scheduler has forgotten leave first.
LIMIT = 5_000

_STATES = ("released", "waiting", "queued", "no-worker", "processing", "memory", "erred", "forgotten")
_ROW_COLUMNS = (
    ("prefix", "I"),
    *((state.replace("-", "_"), "I") for state in _STATES),
    ("nbytes", "d"),
    ("duration", "d"),
    ("start", "d"),
    ("stop", "d"),
)


class Groups:
    """Rows of all groups with the version at which each last changed.

    Parameters
    ----------
    names : Names
        Dictionaries to which groups and prefixes are added.
    """

    def __init__(self, names: Names) -> None:
        self._names = names
        #: Groups by name, in order of first appearance.
        self.held: dict[str, TaskGroup] = {}
        self._rows: dict[int, tuple[float, ...]] = {}
        self._versions: dict[int, int] = {}
        self._edges: dict[int, frozenset[int]] = {}
        self._transitions = -1
        #: Groups that were dropped.
        self.dropped = 0
        self.version = 0

    def hold(self, group: TaskGroup) -> None:
        """Keep a group; one of the same name that the scheduler has forgotten is replaced."""
        self.held[group.name] = group

    def restart(self) -> None:
        """The scheduler forgot everything on purpose."""
        self.held.clear()
        self._rows.clear()
        self._versions.clear()
        self._edges.clear()
        self._transitions = -1
        self.dropped = 0
        self.version += 1

    def trim(self, alive: Mapping[str, TaskGroup]) -> None:
        """Drop the oldest forgotten groups beyond the limit."""
        over = len(self.held) - LIMIT
        if over <= 0:
            return
        for name in [name for name in self.held if name not in alive][:over]:
            del self.held[name]
            found = self._names.group_ids[name]
            for rows in (self._rows, self._versions, self._edges):
                rows.pop(found, None)
            self.dropped += 1

    def scan(self, alive: Mapping[str, TaskGroup], transitions: int) -> None:
        """Version the groups that changed; costs nothing while no task moved.

        Parameters
        ----------
        alive : mapping
            ``Scheduler.task_groups``.
        transitions : int
            ``Scheduler.transition_counter``.
        """
        if transitions == self._transitions:
            return
        self._transitions = transitions
        self.held.update(alive)
        self.trim(alive)
        version = self.version + 1
        ids = self._names.group_ids
        for name, group in self.held.items():
            found = ids[name]
            row = self._row(group)
            # Groups only gain dependencies.
            edges = self._edges.get(found, frozenset())
            if len(edges) != len(group.dependencies):
                edges = frozenset(ids[other.name] for other in group.dependencies)
            if self._rows.get(found) != row or self._edges.get(found) is not edges:
                self._rows[found] = row
                self._edges[found] = edges
                self._versions[found] = version
                self.version = version

    def _row(self, group: TaskGroup) -> tuple[float, ...]:
        return (
            self._names.prefix_ids[group.prefix.name],
            *(group.states[state] for state in _STATES),
            group.nbytes_total,
            group.duration,
            group.start or 0.0,
            group.stop or 0.0,
        )

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Rows that changed after a version; the topic body and the cursor after it."""
        ids = [found for found, version in self._versions.items() if version > cursor]
        columns = {"id": wire(unsigned(ids, max(ids, default=0)))}
        for i, (name, code) in enumerate(_ROW_COLUMNS):
            values = (self._rows[found][i] for found in ids)
            columns[name] = wire(array(code, (max(0, int(v)) for v in values) if code == "I" else values))
        edges = [(source, target) for target in ids for source in sorted(self._edges.get(target, ()))]
        body: dict[str, Any] = {"c": columns, "s": {"not_kept": self.dropped}}
        if edges:
            body["m"] = {
                "source": wire(array("I", (source for source, _ in edges))),
                "target": wire(array("I", (target for _, target in edges))),
            }
        return body, self.version

"""The prefixes topic: counts of tasks by prefix and state.

Dask's own counts go down when a finished group is forgotten (``TaskPrefix.remove_group``), so a finished map would
vanish from a progress bar. The states come from Dask; what was forgotten is counted here.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from .columns import unsigned, wire
from .names import Names

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler, TaskPrefix

_STATES = ("released", "waiting", "queued", "no-worker", "processing", "memory", "erred")
_COUNTERS = ("forgotten", "forgotten_erred", "cancelled")
_DURATIONS = ("compute", "transfer", "disk-read", "disk-write", "deserialize")


class Forgotten:
    """What the hook counts of one prefix: forgotten tasks that had erred, and those that had never run."""

    __slots__ = ("cancelled", "erred")

    def __init__(self) -> None:
        self.cancelled = 0
        self.erred = 0


class Prefixes:
    """Rows of all prefixes with the version at which each last changed."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._before: dict[str, int] = {}
        self._forgotten: dict[str, Forgotten] = {}
        self._rows: dict[int, tuple[float, ...]] = {}
        self._versions: dict[int, int] = {}
        self._transitions = -1
        self.version = 0

    def begin(self, scheduler: Scheduler) -> None:
        """What the scheduler forgot before us is not counted: we do not know what it had come to."""
        self._before = {name: prefix.state_counts["forgotten"] for name, prefix in scheduler.task_prefixes.items()}

    def forget(self, prefix: str, how: str) -> None:
        """Count a forgotten task that had not finished.

        Parameters
        ----------
        how : {"erred", "cancelled"}
            What it had come to; a cancelled task had never run.
        """
        counts = self._forgotten.get(prefix)
        if counts is None:
            counts = self._forgotten[prefix] = Forgotten()
        setattr(counts, how, getattr(counts, how) + 1)

    def restart(self) -> None:
        """The scheduler forgot everything on purpose: its prefixes are new objects, and counts begin again."""
        self._before.clear()
        self._forgotten.clear()
        self._rows.clear()
        self._versions.clear()
        self._transitions = -1
        self.version += 1

    def scan(self, scheduler: Scheduler) -> None:
        """Version the prefixes that changed; costs nothing while no task moved."""
        if scheduler.transition_counter == self._transitions:
            return
        self._transitions = scheduler.transition_counter
        version = self.version + 1
        for name, prefix in scheduler.task_prefixes.items():
            self._note(name, self._row(name, prefix), version)

    def _note(self, name: str, row: tuple[float, ...], version: int) -> None:
        if not any(row[: len(_STATES) + len(_COUNTERS)]):
            return
        found = self._names.prefix_ids[name]
        if self._rows.get(found) != row:
            self._rows[found] = row
            self._versions[found] = version
            self.version = version

    def _row(self, name: str, prefix: TaskPrefix) -> tuple[float, ...]:
        gone = self._forgotten.get(name)
        erred, cancelled = (gone.erred, gone.cancelled) if gone else (0, 0)
        forgotten = prefix.state_counts["forgotten"] - self._before.get(name, 0)
        counters = (max(0, forgotten - erred - cancelled), erred, cancelled)
        states = prefix.states
        durations = prefix.all_durations
        return (
            *(max(0, states[state]) for state in _STATES),
            *counters,
            prefix.nbytes_total,
            prefix.duration_average,
            prefix.max_exec_time,
            *(durations.get(action, 0.0) for action in _DURATIONS),
            prefix.suspicious,
        )

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Rows that changed after a version; the topic body and the cursor after it."""
        ids = [found for found, version in self._versions.items() if version > cursor]
        rows = [self._rows[found] for found in ids]
        columns = {"id": wire(unsigned(ids, max(ids, default=0)))}
        for i, (name, code) in enumerate(_ROW_COLUMNS):
            values = (row[i] for row in rows)
            columns[name] = wire(array(code, map(int, values) if code == "I" else values))
        return {"c": columns}, self.version


#: Columns of a row in its order, with their array type codes.
_ROW_COLUMNS = (
    *((state.replace("-", "_"), "I") for state in _STATES),
    *((counter, "I") for counter in _COUNTERS),
    ("nbytes", "d"),
    ("duration_average", "f"),
    ("max_exec_time", "f"),
    *((action.replace("-", "_"), "d") for action in _DURATIONS),
    ("suspicious", "I"),
)

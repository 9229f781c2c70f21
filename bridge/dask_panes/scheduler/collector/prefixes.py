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
        together: dict[int, tuple[float, ...]] = {}
        for name, prefix in scheduler.task_prefixes.items():
            row = self._row(name, prefix)
            if not any(row[: len(_STATES) + len(_COUNTERS)]):
                continue
            found = self._names.prefix_ids[name]
            if found in self._names.shared:
                known = together.get(found)
                together[found] = row if known is None else _added(known, row)
            else:
                self._note(found, row, version)
        for found, row in together.items():
            self._note(found, row, version)

    def _note(self, found: int, row: tuple[float, ...], version: int) -> None:
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


def _added(one: tuple[float, ...], other: tuple[float, ...]) -> tuple[float, ...]:
    """The row of prefixes that share an entry: of times of one task the largest, of everything else the sum."""
    return tuple(
        max(a, b) if name in _EXTREMES else a + b for (name, _), a, b in zip(_ROW_COLUMNS, one, other, strict=True)
    )


_EXTREMES = frozenset(("duration_average", "max_exec_time"))

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

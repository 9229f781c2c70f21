"""The prefixes topic: counts of tasks by prefix and state.

Dask's own counts go down when a finished group is forgotten (``TaskPrefix.remove_group``), so a finished map would
disappear from a progress bar. The states come from Dask; forgotten tasks are counted here.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from distributed.metrics import time

from .columns import unsigned, wire
from .episodes import GAP, Episodes
from .forgotten import Forgotten
from .halted import Halted
from .names import Names
from .versions import changed, touch
from .walk import Walk

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler, TaskPrefix

_STATES = ("released", "waiting", "queued", "no-worker", "processing", "memory", "erred")
_COUNTERS = ("forgotten", "forgotten_erred", "cancelled")
_RELEASED, _MEMORY = _STATES.index("released"), _STATES.index("memory")
_DURATIONS = ("compute", "transfer", "disk-read", "disk-write", "deserialize")

#: Prefixes per slice of a walk: a millisecond.
PIECE = 100
#: Functions with counts of their forgotten tasks' final states; beyond that, those that share an entry have a sum.
COUNTED = 20_000
#: Rows per read.
READ_ROWS = 500


class Prefixes:
    """Rows of all prefixes with the version at which each last changed.

    Parameters
    ----------
    names : Names
        Dictionary of prefixes.
    failed : callable
        Called when a walk has raised, which ends it.
    halted : Halted, optional
        Released tasks that have not run, which count as cancelled.
    """

    def __init__(self, names: Names, failed: Callable[[Exception], None], halted: Halted | None = None) -> None:
        self._names, self._failed = names, failed
        self._halted = Halted() if halted is None else halted
        self.walk = Walk(self._fail)
        self._before: dict[str, int] = {}
        self._forgotten: dict[str, Forgotten] = {}
        #: By entry: counts of functions that are not tracked individually any more.
        self._away: dict[int, Forgotten] = {}
        self._rows: dict[int, tuple[float, ...]] = {}
        self._versions: dict[int, int] = {}
        self._seen: tuple[int, ...] = ()
        #: Time since which new tasks are counted.
        self.episodes = Episodes(self._finished, self._shared)
        self.version = 0

    @property
    def end(self) -> int:
        """The newest version; -1 before the first walk."""
        return self.version if self.walk.ended else -1

    def begin(self, scheduler: Scheduler, fresh: bool) -> None:
        """Start, with `fresh` or an older collector's counts.

        Tasks forgotten before the start are not counted: their final states are unknown.
        """
        prefixes = scheduler.task_prefixes
        if fresh:
            self._before = {name: prefix.state_counts["forgotten"] for name, prefix in prefixes.items()}
        self.episodes.begin(scheduler.task_prefixes)

    def forget(self, prefix: str, how: str) -> None:
        """Count an unfinished forgotten task.

        Parameters
        ----------
        how : {"erred", "cancelled"}
            Its final state; a cancelled task had never run.
        """
        counts = self._forgotten.get(prefix)
        if counts is None:
            if len(self._forgotten) >= COUNTED:
                self._put_away()
            counts = self._forgotten[prefix] = Forgotten()
        setattr(counts, how, getattr(counts, how) + 1)

    def _put_away(self) -> None:
        """Drop the individual counts of some functions that share an entry, which keeps their sum."""
        for name in [name for name in self._forgotten if self._shared(name) is not None][: COUNTED // 10]:
            counts, entry = self._forgotten.pop(name), self._names.prefix_ids[name]
            away = self._away.setdefault(entry, Forgotten())
            away.erred += counts.erred
            away.cancelled += counts.cancelled

    def restart(self) -> None:
        """The scheduler was cleared on purpose: its prefixes are new objects, and counts start over."""
        self.walk.restart()
        self._halted.restart()
        self._before.clear()
        self._forgotten.clear()
        self._away.clear()
        self._rows.clear()
        self._versions.clear()
        self._seen = ()
        self.episodes.restart()
        self.version += 1

    def scan(self, scheduler: Scheduler) -> None:
        """Version the prefixes that changed; costs nothing without changes."""
        # Scattered data arrive without a transition.
        seen = (scheduler.transition_counter, len(scheduler.tasks), self.episodes.version)
        if seen == self._seen or not self.walk.due:
            return
        self._seen = seen
        self.walk.begin(self._look(scheduler))

    def stop(self) -> None:
        """Stop walking, after one last scan of the present state."""
        self.walk.restart()
        self._seen = ()

    def _fail(self, error: Exception) -> None:
        self._seen = ()
        self._failed(error)

    def _look(self, scheduler: Scheduler) -> Iterator[None]:
        together: dict[int, list[tuple[float, ...]]] = {}
        newest: dict[int, float] = {}
        empty: dict[int, tuple[float, ...]] = {}
        prefixes = [*scheduler.task_prefixes.values()]
        for i in range(0, len(prefixes), PIECE):
            now = time()
            for prefix in prefixes[i : i + PIECE]:
                row = self._row(prefix, now)
                if not any(row[: len(_STATES) + len(_COUNTERS)]):
                    # One that is known has no tasks any more: a mirror of a scheduler does not see how they ended.
                    known = self._names.prefix_ids.get(prefix.name)
                    if known is not None and known in self._rows:
                        empty[known] = row
                    continue
                found = self._names.prefix_ids[prefix.name]
                if found in self._names.shared:
                    together.setdefault(found, []).append(row)
                    newest[found] = max(row[_SINCE], newest.get(found, 0.0))
                else:
                    self._note(found, row)
            yield
        for found, rows in together.items():
            begun = newest[found] - GAP
            combined = rows
            while combined is rows or len(combined) > 1:
                parts, combined = combined, []
                for i in range(0, len(parts), PIECE):
                    combined.append(_together(parts[i : i + PIECE], begun))
                    yield
            self._note(found, self._with_away(found, combined[0]))
        for found in empty.keys() - together.keys():
            self._note(found, self._with_away(found, empty[found]))

    def _with_away(self, found: int, row: tuple[float, ...]) -> tuple[float, ...]:
        """The row of an entry: unfinished tasks that are not tracked individually any more count as finished."""
        away = self._away.get(found)
        if away is None:
            return row
        values = list(row)
        for name, more in (
            ("forgotten", -away.erred - away.cancelled),
            ("forgotten_erred", away.erred),
            ("cancelled", away.cancelled),
            ("done_before", -away.erred - away.cancelled),
            ("erred_before", away.erred),
        ):
            values[_PLACES[name]] = max(0, values[_PLACES[name]] + more)
        return tuple(values)

    def _note(self, found: int, row: tuple[float, ...]) -> None:
        if self._rows.get(found) != row:
            self._rows[found] = row
            self.version += 1
            touch(self._versions, found, self.version)

    def _counters(self, prefix: TaskPrefix) -> tuple[int, int, int]:
        """Forgotten tasks: finished, erred, and never run."""
        gone = self._forgotten.get(prefix.name)
        erred, cancelled = (gone.erred, gone.cancelled) if gone else (0, 0)
        forgotten = prefix.state_counts["forgotten"] - self._before.get(prefix.name, 0)
        return max(0, forgotten - erred - cancelled), erred, cancelled

    def _shared(self, prefix: str) -> int | None:
        found = self._names.prefix_ids[prefix]
        return found if found in self._names.shared else None

    def _finished(self, prefix: TaskPrefix) -> tuple[int, int]:
        forgotten, erred, _ = self._counters(prefix)
        states = prefix.states
        done = self._released(prefix, states["released"]) + max(0, states["memory"]) + forgotten
        return done, max(0, states["erred"]) + erred

    def _released(self, prefix: TaskPrefix, released: int) -> int:
        """Released tasks that had run."""
        return max(0, released - self._halted.of_prefix.get(prefix.name, 0))

    def _row(self, prefix: TaskPrefix, now: float) -> tuple[float, ...]:
        states = prefix.states
        durations = prefix.all_durations
        episode = self.episodes.of(prefix, now)
        counts = [max(0, states[state]) for state in _STATES]
        finished, erred, cancelled = self._counters(prefix)
        counters = (finished, erred, cancelled + self._halted.of_prefix.get(prefix.name, 0))
        counts[_RELEASED] = self._released(prefix, states["released"])
        return (
            *counts,
            *counters,
            prefix.nbytes_total,
            prefix.duration_average,
            prefix.max_exec_time,
            *(durations.get(action, 0.0) for action in _DURATIONS),
            prefix.suspicious,
            episode.since,
            episode.until,
            episode.order,
            episode.done,
            episode.erred,
            episode.held_before(counts[_MEMORY], counts[_RELEASED] + counts[_MEMORY] + counters[0]),
            *self.episodes.recent(prefix, episode),
        )

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Rows that changed after a version; the topic body and the cursor after it."""
        ids, after = changed(self._versions, cursor, READ_ROWS, self.version)
        rows = [self._rows[found] for found in ids]
        columns = {"id": wire(unsigned(ids, max(ids, default=0)))}
        for i, (name, code) in enumerate(_ROW_COLUMNS):
            values = (row[i] for row in rows)
            columns[name] = wire(array(code, map(int, values) if code == "I" else values))
        return {"c": columns}, after


def _together(rows: list[tuple[float, ...]], begun: float) -> tuple[float, ...]:
    """The row of prefixes that share an entry: the sum of each column, except for times and ranks.

    They have one episode: those without work since `begun` belong to earlier ones. Rows may be combined in parts, and
    these again.
    """
    names = [name for name, _ in _ROW_COLUMNS]
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    total = {name: sum(values) for name, values in columns.items()}
    present = [i for i, until in enumerate(columns["until"]) if not until or until >= begun]
    old = set(range(len(rows))).difference(present)
    for name, parts in _BEFORE.items():
        total[name] += sum(columns[part][i] for part in parts for i in old) - sum(columns[name][i] for i in old)
    for name in ("duration_average", "max_exec_time"):
        total[name] = max(columns[name])
    shown = present or range(len(rows))
    total["since"] = min(columns["since"][i] for i in shown)
    total["order"] = min(columns["order"][i] for i in shown)
    untils = [columns["until"][i] for i in shown]
    total["until"] = 0.0 if 0.0 in untils else max(untils)
    total["recent"] = sum(columns["recent"][i] for i in present)
    total["recent_since"] = min((columns["recent_since"][i] for i in present if columns["recent"][i]), default=0.0)
    return tuple(total[name] for name in names)


#: Columns that count the tasks of a prefix that ended before an episode.
_BEFORE = {
    "done_before": ("released", "memory", "forgotten"),
    "erred_before": ("erred", "forgotten_erred"),
    "memory_before": ("memory",),
}

#: Columns of a row in its order, with their array type codes.
_ROW_COLUMNS = (
    *((state.replace("-", "_"), "I") for state in _STATES),
    *((counter, "I") for counter in _COUNTERS),
    ("nbytes", "d"),
    ("duration_average", "f"),
    ("max_exec_time", "f"),
    *((action.replace("-", "_"), "d") for action in _DURATIONS),
    ("suspicious", "I"),
    ("since", "d"),
    ("until", "d"),
    ("order", "I"),
    ("done_before", "I"),
    ("erred_before", "I"),
    ("memory_before", "I"),
    ("recent", "I"),
    ("recent_since", "d"),
)
_PLACES = {name: i for i, (name, _) in enumerate(_ROW_COLUMNS)}
_SINCE = _PLACES["since"]

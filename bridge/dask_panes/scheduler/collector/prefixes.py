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
from .episodes import GAP, MOVED, Episodes
from .forgotten import Forgotten
from .halted import Halted
from .names import Names
from .prefix_pieces import PIECE, Pieces
from .prefix_rows import COUNTERS, DURATIONS, PLACES, ROW_COLUMNS, STATES, TIMES, Share, together
from .versions import changed, touch
from .walk import Walk

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler, TaskPrefix

_RELEASED, _MEMORY = STATES.index("released"), STATES.index("memory")
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
    ended : callable, optional
        Number of the next row of the topic tasks, and of the first that is not among the counts of episodes yet.
    """

    def __init__(
        self,
        names: Names,
        failed: Callable[[Exception], None],
        halted: Halted | None = None,
        ended: Callable[[], tuple[int, int]] = lambda: (0, 0),
    ) -> None:
        self._names, self._failed, self._ended = names, failed, ended
        self._halted = Halted() if halted is None else halted
        self.walk = Walk(self._fail)
        #: Looks at the functions that moved last.
        self.quick = Walk(self._fail)
        self._before: dict[str, int] = {}
        self._forgotten: dict[str, Forgotten] = {}
        #: By entry: counts of functions that are not tracked individually any more.
        self._away: dict[int, Forgotten] = {}
        self._rows: dict[int, tuple[float, ...]] = {}
        self._versions: dict[int, int] = {}
        self._seen: tuple[int, ...] = ()
        self._noticed: tuple[int, ...] = ()
        #: Time since which new tasks are counted.
        self.episodes = Episodes(self._finished, self._shared)
        self._pieces = Pieces(self.episodes.moves)
        #: By entry that functions share: the contribution of each piece, and when the newest of their episodes began.
        self._shares: dict[int, dict[int, Share]] = {}
        self._newest: dict[int, float] = {}
        #: Entries of which a contribution has changed.
        self._stale: dict[int, None] = {}
        self.version = 0
        #: What `ended` was when the last look at all that had moved began, and when each row was computed.
        self._counted = 0
        self._counted_of: dict[int, int] = {}

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
        self._pieces.doubt()

    def restart(self) -> None:
        """The scheduler was cleared on purpose: its prefixes are new objects, and counts start over."""
        self.stop()
        self._pieces.clear()
        self._halted.restart()
        tables: tuple[dict[Any, Any], ...] = (self._before, self._forgotten, self._away, self._rows, self._versions)
        for table in (*tables, self._shares, self._newest, self._stale, self._counted_of):
            table.clear()
        self.episodes.restart()
        self.version += 1

    def scan(self, scheduler: Scheduler) -> None:
        """Version the prefixes that changed; costs nothing without changes.

        Beside all functions, which are many only where keys like ``load_17`` make one each, those that moved last are
        looked at within a budget of their own.
        """
        # Scattered data arrive without a transition.
        seen = (scheduler.transition_counter, len(scheduler.tasks), self.episodes.version)
        if self.walk.walking or self.quick.walking:
            return
        if seen != self._seen and self.walk.due:
            self._seen = self._noticed = seen
            self.walk.begin(self._look(scheduler))
        elif seen != self._noticed and self.walk.ended and self.quick.due:
            self._noticed = seen
            self.quick.begin(self._look(scheduler, quick=True))

    def stop(self) -> None:
        """Stop walking, after one last scan of the present state."""
        self.walk.restart()
        self.quick.restart()
        self._seen = self._noticed = ()

    def _fail(self, error: Exception) -> None:
        self._seen = self._noticed = ()
        self._failed(error)

    def _look(self, scheduler: Scheduler, quick: bool = False) -> Iterator[None]:
        pieces = self._pieces
        ended, counted = self._ended()
        yield from pieces.adopt(scheduler.task_prefixes)
        names = self.episodes.take_moved()
        for number in pieces.likely(names) if quick else range(len(pieces)):
            if pieces.moved(number):
                self._take(number)
            yield
        while self._stale:
            yield from self._combine(next(iter(self._stale)))
        if not quick:
            self._counted = ended
        elif len(names) < MOVED:
            # Nothing says yet of which functions the others are.
            self._counted = max(self._counted, counted)

    def _take(self, number: int) -> None:
        """Compute the rows of a piece."""
        now, known = time(), self._names.prefix_ids
        shared: dict[int, list[tuple[float, ...]]] = {}
        for prefix in self._pieces[number].prefixes:
            row = self._row(prefix, now)
            # One that is known may have no tasks any more: a mirror does not see how they ended. Blocks subtract times.
            if not any((*row[: len(STATES) + len(COUNTERS)], *row[TIMES])) and known.get(prefix.name) not in self._rows:
                continue
            found = known[prefix.name]
            if found in self._names.shared:
                shared.setdefault(found, []).append(row)
            else:
                self._note(found, row)
        for found, rows in shared.items():
            share = Share(rows, self._newest.get(found, 0.0))
            self._newest[found] = max(share.since, self._newest.get(found, 0.0))
            self._shares.setdefault(found, {})[number] = share
            self._stale[found] = None
        self._pieces.took(number)

    def _combine(self, found: int) -> Iterator[None]:
        """Version the row of an entry that functions share."""
        shares = self._shares[found]
        while True:
            newest = self._newest[found] = max(share.since for share in shares.values())
            begun = newest - GAP
            others = [number for number, share in shares.items() if not share.holds(begun)]
            if not others:
                break
            for number in others:
                self._take(number)
                yield
        combined = [share.row for share in shares.values()]
        while True:
            parts, combined = combined, []
            for i in range(0, len(parts), PIECE):
                combined.append(together(parts[i : i + PIECE], begun))
                yield
            if len(combined) == 1:
                break
        self._note(found, self._with_away(found, combined[0]))
        del self._stale[found]

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
            values[PLACES[name]] = max(0, values[PLACES[name]] + more)
        return tuple(values)

    def _note(self, found: int, row: tuple[float, ...]) -> None:
        if self._rows.get(found) != row:
            self._rows[found] = row
            self._counted_of[found] = self._ended()[0]
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
        counts = [max(0, states[state]) for state in STATES]
        finished, erred, cancelled = self._counters(prefix)
        counters = (finished, erred, cancelled + self._halted.of_prefix.get(prefix.name, 0))
        counts[_RELEASED] = self._released(prefix, states["released"])
        return (
            *counts,
            *counters,
            prefix.nbytes_total,
            prefix.duration_average,
            prefix.max_exec_time,
            *(durations.get(action, 0.0) for action in DURATIONS),
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
        for i, (name, code) in enumerate(ROW_COLUMNS):
            values = (row[i] for row in rows)
            columns[name] = wire(array(code, map(int, values) if code == "I" else values))
        columns["counted"] = wire(array("d", [self._counted_of.get(found, 0) for found in ids]))
        # While more rows follow, it is not so for their functions.
        return {"c": columns, "s": {"counted": self._counted} if after == self.version else {}}, after

"""The groups topic: counts, durations and dependencies by task group.

Dask forgets a group with its last task. Its data is kept here so that it can be viewed after the run; its object is
not, since it references its dependencies, and these reference others.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any

from distributed.metrics import time

from .columns import unsigned, wire
from .group_rows import FREED, MEMORY, READ, ROW_COLUMNS, STATES, STOP, UNSEEN, is_alive
from .halted import Halted
from .names import Names
from .versions import changed, touch
from .walk import Walk

if TYPE_CHECKING:
    from distributed.scheduler import TaskGroup

#: Maximum number of groups, and the excess before the oldest are dropped: first those that the scheduler forgot.
LIMIT, SLACK = 5_000, 500
#: Groups per slice of a walk.
PIECE = 100
#: Groups that have ended of which the last row is taken when others are dropped; and groups per read.
LOOKS, READ_ROWS = 300, 500
#: Groups of which it is seen with each tick whether they have ended; 20 µs each if they have.
TIDIED = 50


class Groups:
    """Rows of all groups with the version at which each last changed.

    Parameters
    ----------
    names : Names
        Dictionaries to which groups and prefixes are added.
    failed : callable
        Called when a walk has raised, which ends it.
    halted : Halted, optional
        Released tasks that have not run, which count as forgotten and cancelled.
    """

    def __init__(self, names: Names, failed: Callable[[Exception], None], halted: Halted | None = None) -> None:
        self._names, self._failed = names, failed
        self._halted = Halted() if halted is None else halted
        #: Groups that can still change, by name.
        self.held: dict[str, TaskGroup] = {}
        #: Ids of the kept groups, in order of first appearance.
        self._kept: dict[int, None] = {}
        self._ids: dict[str, int] = {}
        self._newest: TaskGroup | None = None
        self._rows: dict[int, tuple[float, ...]] = {}
        self._versions: dict[int, int] = {}
        self._edges: dict[int, frozenset[int]] = {}
        #: By group, the end of the last task that depends on a result of it.
        self._reads: dict[int, float] = {}
        #: Names of groups that were read since the last walk.
        self._stale: dict[str, None] = {}
        #: For groups with unfinished forgotten tasks: how many had erred, and how many had never run.
        self._ends: dict[str, tuple[TaskGroup, int, int]] = {}
        self._seen: tuple[int, ...] = ()
        #: Names that `tidy` has not come to yet.
        self._round: list[str] = []
        self.walk = Walk(self._fail)
        #: Number of dropped groups.
        self.dropped = 0
        self.version = 0

    @property
    def end(self) -> int:
        """The newest version; -1 before the first walk."""
        return self.version if self.walk.ended else -1

    def hold(self, group: TaskGroup) -> None:
        """Track a group from now on, instead of a former one of its name; old ones leave, also without readers."""
        before = self.held.get(group.name)
        if before is not None and before is not group:
            self._note_reads(before, before.stop or 0.0)
        self.held[group.name] = group
        found = self._ids[group.name] = self._names.group_ids[group.name]
        if before is not group:
            # Groups normally only gain dependencies, but this is another group.
            self._edges.pop(found, None)
        self._kept[found] = None
        if len(self._kept) >= LIMIT + SLACK:
            self._trim()

    def renumber(self, less: int) -> None:
        """Group indices have decreased; see `Names.renew_groups`."""
        self.walk.restart()
        lost = {found for found in self._kept if found <= less}
        self._kept = {found - less: None for found in self._kept if found > less}
        self._rows = {found - less: row for found, row in self._rows.items() if found > less}
        self._versions = {found - less: version for found, version in self._versions.items() if found > less}
        self._reads = {found - less: read for found, read in self._reads.items() if found > less}
        self._edges = {
            target - less: frozenset(source - less for source in sources if source > less)
            for target, sources in self._edges.items()
            if target > less
        }
        self._seen = ()
        again = [self.held[name] for name, found in self._ids.items() if found in lost and name in self.held]
        self._ids = {name: found - less for name, found in self._ids.items() if found > less}
        for group in again:
            # It is older than all kept names, and still alive.
            self.hold(group)

    def forget(self, group: TaskGroup, how: str) -> None:
        """Count an unfinished forgotten task.

        Parameters
        ----------
        how : {"erred", "cancelled"}
            Its final state; a cancelled task had never run.
        """
        if group.name not in self._ends and len(self._ends) >= LIMIT + SLACK:
            del self._ends[next(iter(self._ends))]
        erred, cancelled = self._ended(group)
        self._ends[group.name] = (group, erred + (how == "erred"), cancelled + (how == "cancelled"))

    def _ended(self, group: TaskGroup) -> tuple[int, int]:
        known = self._ends.get(group.name)
        return known[1:] if known is not None and known[0] is group else (0, 0)

    def stop(self) -> None:
        """Stop walking."""
        self.walk.stop()

    def widen(self) -> None:
        """Rows of an older version have fewer columns: nothing is known for the others."""
        self._rows = {found: (*row, *UNSEEN[len(row) :]) for found, row in self._rows.items()}
        self._reads = {found: row[READ] for found, row in self._rows.items() if row[READ]}

    def restart(self) -> None:
        """The scheduler was cleared on purpose."""
        self.walk.restart()
        tables: tuple[dict[Any, Any], ...] = (self.held, self._ids, self._stale, self._ends, self._kept, self._rows)
        for table in (*tables, self._versions, self._edges, self._reads):
            table.clear()
        self._newest = None
        self._seen = ()
        self.dropped = 0
        self.version += 1

    def _trim(self) -> None:
        """Drop the oldest groups, those that the scheduler has forgotten first; 3 to 5 ms for `SLACK` groups."""
        over = len(self._kept) - LIMIT
        ended = {self._ids[name]: name for name, group in self.held.items() if not is_alive(group)}
        alive = {found for found in self._ids.values() if found not in ended}
        leave = {*islice((found for found in self._kept if found not in alive), over)}
        # More groups at once than are kept: the oldest are not tracked any more.
        leave.update(islice((found for found in self._kept if found not in leave), over - len(leave)))
        for name in [name for name, found in self._ids.items() if found in leave]:
            group = self.held.pop(name)
            self._note_reads(group, group.stop or 0.0)
            del self._ids[name]
        for found in leave:
            del self._kept[found]
            for rows in (self._rows, self._versions, self._edges, self._reads):
                rows.pop(found, None)
        self.dropped += over
        # Without readers nobody else looks: objects that have ended must not stay, and with them those before.
        for name in [name for found, name in reversed(ended.items()) if found not in leave][:LOOKS]:
            self._look(name)

    def tidy(self) -> None:
        """Let some groups go that have ended, also without readers: each refers to all those before it."""
        self._round = self._round or [*self.held]
        some, self._round = self._round[:TIDIED], self._round[TIDIED:]
        for name in some:
            if (group := self.held.get(name)) is not None and not is_alive(group):
                self._look(name)

    def scan(self, alive: dict[str, TaskGroup], *seen: int) -> None:
        """Version the groups that changed; costs nothing without changes.

        Parameters
        ----------
        alive : dict
            ``Scheduler.task_groups``.
        *seen : int
            Values that change with every change of a group: ``Scheduler.transition_counter`` and the number of tasks,
            since scattered data arrive without a transition.
        """
        if seen == self._seen or not self.walk.due:
            return
        self._seen = seen
        self.walk.begin(self._look_at_all(alive))

    def _fail(self, error: Exception) -> None:
        self._seen = ()
        self._failed(error)

    def _look_at_all(self, alive: dict[str, TaskGroup]) -> Iterator[None]:
        yield from self._adopt(alive)
        yield from self._look_at([*self.held])
        # Those that were found to be read after their turn.
        read, self._stale = [*self._stale], {}
        yield from self._look_at(read)

    def _look_at(self, names: list[str]) -> Iterator[None]:
        for i in range(0, len(names), PIECE):
            for name in names[i : i + PIECE]:
                if name in self.held:
                    self._look(name)
            yield

    def _note_reads(self, group: TaskGroup, stop: float) -> None:
        """Tasks of a group have ended, the last one at `stop`: the groups on which it depends have been read."""
        for other in group.dependencies:
            found = self._ids.get(other.name)
            if found is not None and other is not group and stop > self._reads.get(found, 0.0):
                self._reads[found] = stop
                self._stale[other.name] = None

    def _look(self, name: str) -> None:
        group, found = self.held[name], self._ids[name]
        before = self._rows.get(found, UNSEEN)
        if group.stop and group.stop > before[STOP]:
            self._note_reads(group, group.stop)
        row = self._row(group, self._reads.get(found, 0.0), before)
        edges = self._edges.get(found, frozenset())
        if len(edges) != len(group.dependencies):
            ids = self._names.group_ids
            edges = frozenset(ids[other.name] for other in group.dependencies)
        if self._rows.get(found) != row or self._edges.get(found) != edges:
            self._rows[found] = row
            self._edges[found] = edges
            self.version += 1
            touch(self._versions, found, self.version)
        if not is_alive(group):
            del self.held[name], self._ids[name]
            self._ends.pop(name, None)

    def _adopt(self, alive: dict[str, TaskGroup]) -> Iterator[None]:
        """Track the groups that arrived without a graph, as those of scattered results do; in slices."""
        newest = self._newest
        fresh = [*takewhile(lambda name: alive[name] is not newest, islice(reversed(alive), LIMIT))]
        now = alive[fresh[0]] if fresh else newest
        for i, name in enumerate(reversed(fresh)):
            group = alive.get(name)
            if group is not None and self.held.get(name) is not group:
                self.hold(group)
            if i % PIECE == PIECE - 1:
                yield
        self._newest = now

    def _row(self, group: TaskGroup, read: float, before: tuple[float, ...]) -> tuple[float, ...]:
        freed = before[FREED:]
        if group.states["memory"] > 0:
            freed = (0.0, 0)
        elif before[MEMORY] > 0:
            freed = (time(), before[MEMORY])
        (erred, cancelled), halted = self._ended(group), self._halted.of_group.get(group, 0)
        released, *states, forgotten = (group.states[state] for state in STATES)
        return (
            self._names.prefix_ids[group.prefix.name],
            *(released - halted, *states, forgotten + halted),
            *(erred, cancelled + halted),
            group.nbytes_total,
            group.duration,
            group.start or 0.0,
            group.stop or 0.0,
            read,
            *freed,
        )

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Rows that changed after a version; the topic body and the cursor after it."""
        ids, after = changed(self._versions, cursor, READ_ROWS, self.version)
        columns = {"id": wire(unsigned(ids, max(ids, default=0)))}
        for i, (name, code) in enumerate(ROW_COLUMNS):
            values = (self._rows[found][i] for found in ids)
            columns[name] = wire(array(code, (max(0, int(v)) for v in values) if code == "I" else values))
        edges = [(source, target) for target in ids for source in sorted(self._edges.get(target, ()))]
        body: dict[str, Any] = {"c": columns, "s": {"not_kept": self.dropped}}
        if edges:
            body["m"] = {
                "source": wire(array("I", (source for source, _ in edges))),
                "target": wire(array("I", (target for _, target in edges))),
            }
        return body, after

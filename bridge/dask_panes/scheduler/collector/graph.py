"""The graph and states topics: tasks by number, their dependencies, and the state of each.

A number identifies a key from when the scheduler receives it until it forgets it; a key that comes again gets another
number. Forgotten tasks stay in the columns: a graph can be viewed after the run. All work per task (walking
dependencies, recording states) is done in small slices between the scheduler's other events, small graphs together, and
state changes are recorded only while there is a subscriber.
"""

from __future__ import annotations

import asyncio
from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Any

from distributed.metrics import time

from .columns import wire
from .episodes import ACTIVE
from .groups import Groups
from .key_search import Keys
from .keys import KeyColumn
from .names import Names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from distributed.scheduler import TaskGroup, TaskState

#: Maximum number of tasks: the oldest are dropped in chunks, so up to one chunk more is kept.
LIMIT = 200_000
#: Maximum number of dependencies.
EDGE_LIMIT = 1_000_000
#: Tasks dropped together; below 65,536, so that the group of a packed key fits into two bytes.
CHUNK = 16_384
#: Tasks and dependencies per slice: 1 to 3 ms.
PIECE = 1_000
#: What a new group counts for: 15 to 25 µs, with its function and the groups that it displaces.
NEW_GROUP = 5
#: Dependencies scanned in one go.
EDGE_PIECE = 10_000
#: Forgotten tasks released together: this is when Python deallocates them, 5 µs each.
BATCH = 200
#: Tasks that are numbered together.
PART = 200
#: Tasks and dependencies of small graphs that wait to be numbered together: a millisecond.
TOGETHER = 200
#: Tasks and dependencies per answer: 60 and 130 kB.
READ_NODES = 8_192
READ_EDGES = 16_384
#: Dependencies that leave together.
EDGE_CHUNK = 65_536
#: Edges looked at between two turns of the event loop: a millisecond and a half.
EDGE_SLICE = 16_384
#: Versions of states kept: a reader that is further behind receives all states.
VERSIONS = 64

#: Codes of the schema's enum ``taskState``.
STATES = ("released", "waiting", "no-worker", "queued", "processing", "memory", "erred", "forgotten", "cancelled")
_CODES = {state: code for code, state in enumerate(STATES)}
FORGOTTEN = _CODES["forgotten"]
#: The final state of a forgotten task, shown in the graph.
_ENDS = {"erred": _CODES["erred"], "cancelled": _CODES["cancelled"]}


class Graph:
    """Tasks of one scheduler as typed columns.

    Parameters
    ----------
    names : Names
        Dictionaries to which prefixes and groups are added.
    groups : Groups
        Notified of every new group.
    arrive : callable
        Receives tasks to be computed, and when their graph arrived.
    drain : callable
        Writes the executions that have ended into the ring.
    noted : callable
        Returns the row of the next execution that ends.

    Attributes
    ----------
    gone : list of TaskState
        Forgotten tasks that are not recorded yet; the transition hook appends to it.
    endings : dict
        Final states of those that did not simply finish: ``"erred"`` or ``"cancelled"``, by the identity of the task.
        A key may come again before its first task is recorded.
    moved : dict
        New states of tasks, by key; filled while there is a subscriber.
    """

    def __init__(
        self,
        names: Names,
        groups: Groups,
        arrive: Callable[[list[TaskState], float], None],
        drain: Callable[[], None] = lambda: None,
        noted: Callable[[], int] = lambda: 0,
    ) -> None:
        self._names = names
        self._groups = groups
        self._arrive = arrive
        self._drain = drain
        self._noted = noted
        self._tasks: Mapping[Any, TaskState] = {}
        self.gone: list[TaskState] = []
        self.endings: dict[int, str] = {}
        self.moved: dict[Any, str] = {}
        #: Called with tasks that get numbers, and with the first of these.
        self.numbered: Callable[[list[TaskState], int], None] = lambda tasks, number: None
        self._reset()

    def _reset(self) -> None:
        self._numbers: dict[Any, int] = {}
        #: Numbers assigned to dependencies before they were walked.
        self._unwalked: set[int] = set()
        self._pending: deque[tuple[float, list[Any]]] = deque()
        #: New tasks of small graphs that have no number yet, by key, and what numbering them costs, in tasks and
        #: dependencies.
        self._together: dict[Any, TaskState] = {}
        self._size = 0
        #: Keys of the first of the forgotten tasks that are not recorded yet, and how many of them.
        self._gone_keys, self._looked = set[Any](), 0
        self._work: Iterator[None] | None = None
        #: Whether the tasks of a graph are being walked.
        self._walking = False
        self._spent = 0
        #: Number of the oldest kept task.
        self.first = 0
        #: Number of the next task.
        self.end = 0
        #: Tasks that were never walked, because more arrived at once than are kept.
        self._skipped = 0
        #: Number of the first task after the scheduler last had none.
        self._latest = 0
        self._prefix = array("I")
        self._group = array("I")
        self._state = array("B")
        self._keys: deque[KeyColumn] = deque()
        self._first_edge = 0
        #: Number of the oldest kept task when dependencies were last dropped.
        self._checked = 0
        self._source = array("I")
        self._target = array("I")
        #: After each slice: number of the next task and of the next dependency. Indices are the cursor.
        self._first_mark = 0
        self._mark_nodes = array("I", (0,))
        self._mark_edges = array("I", (0,))
        self._changed: set[int] = set()
        self._log: deque[tuple[int, array[int]]] = deque()
        #: Numbers in that log.
        self._logged = 0
        self._whole_before = 0
        #: Keys of tasks whose states may have changed while there was no subscriber.
        self._unseen: list[Any] = []
        #: Version of the states.
        self.version = 1
        #: Row of the first execution whose end the states may not know of yet, and that of the newest version.
        self._known = self._published = 0
        self._watching = False

    def restart(self) -> None:
        """The scheduler was cleared on purpose: start over."""
        watching = self._watching
        self.drop_gone()
        # The transition hook has a reference to it.
        self.moved.clear()
        self._reset()
        self._watching = watching

    def drop_gone(self) -> None:
        """Record no forgotten task of those so far."""
        # The transition hook has references to these.
        self.gone.clear()
        self.endings.clear()
        self._gone_keys, self._looked = set(), 0
        self._together = {key: ts for key, ts in self._together.items() if self._tasks.get(key) is ts}

    def renumber_groups(self, less: int) -> None:
        """Group indices have decreased; see `Names.renew_groups`."""
        self._group = array("I", [max(0, found - less) for found in self._group])

    def begin(self, tasks: Mapping[Any, TaskState]) -> None:
        """Add existing tasks; `tasks` is ``Scheduler.tasks``, and a reference to it is kept."""
        self._tasks = tasks
        self.submit(list(tasks), time())

    # -- what happens --------------------------------------------------------------------------------------------

    def submit(self, keys: list[Any], time: float) -> None:
        """The scheduler received tasks at a time; they are walked later, in slices."""
        if len(keys) > LIMIT:
            self._skipped += len(keys) - LIMIT
            keys = keys[-LIMIT:]
        self._pending.append((time, keys))

    def collect(self, keys: Sequence[Any]) -> list[TaskState] | None:
        """The scheduler received a graph, before any transition of its tasks.

        If it is small and nothing else is being walked, its new tasks are numbered with those of other graphs, which
        costs a fifth. That is done before anybody asks, before numbers of forgotten tasks are removed, and with the
        next tick; some of them may be forgotten by then.

        Returns
        -------
        list of TaskState, optional
            Those to be computed. None if it was not taken: then it must be submitted.
        """
        if self._work or self._pending or self._size + len(keys) > TOGETHER or len(self.gone) >= BATCH:
            return None
        together, numbers, gone, find = self._together, self._numbers, self._look_at_gone(), self._tasks.get
        fresh: dict[Any, TaskState] = {}
        known: list[TaskState] = []
        size = self._size
        for key in keys:
            ts = find(key)
            if ts is None or key in gone:
                return None
            if key not in numbers and key not in together:
                fresh[key] = ts
                held = self._groups.held.get(ts.group.name) is ts.group
                size += 1 + len(ts.dependencies) + (0 if held else NEW_GROUP)
            elif ts.state == "released" or numbers.get(key) in self._unwalked:
                # Perhaps it will be computed again; its dependencies are not recorded.
                return None
            elif ts.state in ACTIVE:
                known.append(ts)
        if size > TOGETHER:
            return None
        if numbers.keys() <= gone and together.keys() <= gone:
            # All tasks before it are forgotten.
            self._latest = self.end + len(together)
        together.update(fresh)
        self._size = size
        return [*fresh.values(), *known]

    def walk_together(self) -> None:
        """Number the tasks that were collected, and record their dependencies."""
        if self._together:
            tasks = [*self._together.values()]
            # Before anything that may raise.
            self._together, self._size = {}, 0
            self._spent += 2 * len(tasks)
            self._number(tasks)
            self._link_together(tasks)
            self._mark()

    def watch(self, on: bool) -> None:
        """The first reader subscribes to states, or the last one leaves."""
        self._watching = on
        self.moved.clear()
        # Changes without a subscriber have no version.
        self._unseen = [*self._numbers] if on else []
        self._known = 0
        if on:
            self._log.clear()
            self._logged = 0
            self.version += 1
            self._whole_before = self.version

    @property
    def reading(self) -> bool:
        """Whether there are tasks that have no number yet."""
        return self._walking or bool(self._pending or self._together)

    @property
    def busy(self) -> bool:
        """Whether there is work for `step`."""
        return bool(self.gone or self.reading or self.moved or self._unseen or self._work)

    def step(self, tick: bool = False) -> bool:
        """Do one slice of work; returns whether more of it is urgent.

        Parameters
        ----------
        tick : bool
            Whether all that has happened is due. Otherwise, while a small graph arrives, forgotten tasks and states
            wait for the next tick: few at a time, they cost more than the graph.
        """
        self.walk_together()
        if self._work is None:
            self._work = self._pieces(tick or not self._pending)
        if next(self._work, self) is self:
            self._work = None
        self._mark()
        return bool(self._work or self._pending)

    def _pieces(self, everything: bool) -> Iterator[None]:
        self._walking = False
        noted = self._noted()
        if everything:
            yield from self._forget()
        while self._pending:
            everything = everything or self._depends_on_forgotten(self._pending[0][1])
            if everything:
                yield from self._forget()
            time, keys = self._pending.popleft()
            if self._numbers.keys() <= self._gone_keys:
                # All tasks before it are forgotten.
                self._latest = self.end
            self._walking = True
            for i in range(0, len(keys), PART):
                yield from self._walk(keys[i : i + PART], time)
                if everything:
                    # A key forgotten meanwhile may come again: its old number must be removed first.
                    yield from self._forget()
                yield from self._let_edges_go()
            self._walking = False
        if everything:
            yield from self._let_edges_go()
            yield from self._move()
            if self._watching and not self._unseen:
                self._known = noted

    def _depends_on_forgotten(self, keys: list[Any]) -> bool:
        """Whether a graph cannot be walked before forgotten tasks have lost their numbers: they are many, it is not
        small, or it has one of their keys.
        """
        return len(keys) > PART or len(self.gone) >= BATCH or not self._look_at_gone().isdisjoint(keys)

    def _look_at_gone(self) -> set[Any]:
        """Keys of forgotten tasks that are not recorded yet. Each is looked at once, however many graphs arrive."""
        gone = self.gone
        if len(gone) > self._looked:
            self._gone_keys.update([ts.key for ts in gone[self._looked :]])
            self._looked = len(gone)
        return self._gone_keys

    def _forget(self) -> Iterator[None]:
        """Remove the numbers of forgotten tasks; those forgotten before they were walked are walked first."""
        if self.gone:
            self._gone_keys, self._looked = set(), 0
            # Executions of forgotten tasks need their numbers.
            self._drain()
        while self.gone:
            batch = self._next_gone()
            if self.reading:
                early = [ts for ts in batch if ts.key not in self._numbers]
                self._number(early)
                yield from self._link(early)
            self._end(batch)
            size = len(batch)
            batch.clear()
            if self._spend(size * PIECE // BATCH):
                yield

    def _end(self, batch: list[TaskState]) -> None:
        """Remove the numbers of forgotten tasks and set their final states."""
        endings, unwalked, state, first = self.endings, self._unwalked, self._state, self.first
        remove = self._numbers.pop
        for ts in batch:
            number = remove(ts.key, -1)
            # Both are nearly always empty, and this is done for every task.
            code = _ENDS.get(endings.pop(id(ts), ""), FORGOTTEN) if endings else FORGOTTEN
            if unwalked:
                unwalked.discard(number)
            if number >= first:
                if self._watching:
                    self._set_state(number, code)
                else:
                    state[number - first] = code

    def _next_gone(self) -> list[TaskState]:
        """Take forgotten tasks from the list, at most `BATCH`, and each key once.

        A key may have come again and been forgotten again meanwhile: its second task gets a number only after that of
        the first is removed.
        """
        batch = self.gone[:BATCH]
        if len({ts.key for ts in batch}) == len(batch):
            del self.gone[:BATCH]
            return batch
        by_key: dict[Any, TaskState] = {}
        for ts in islice(self.gone, BATCH):
            if by_key.setdefault(ts.key, ts) is not ts:
                break
        del self.gone[: len(by_key)]
        return list(by_key.values())

    def _walk(self, keys: list[Any], time: float) -> Iterator[None]:
        """Number tasks and record their dependencies."""
        unwalked = self._unwalked
        # Looking up a key costs more than all else that is done with it here: each is looked up once.
        found = list(map(self._tasks.get, keys))
        known = list(map(self._numbers.get, keys))
        due = [ts for ts, number in zip(found, known) if ts is not None and (number is None or number in unwalked)]
        again: list[TaskState] = []
        if len(due) < len(keys):
            walked = {ts.key for ts in due}
            again = [ts for ts in found if ts is not None and ts.key not in walked and ts.state in ACTIVE]
        self._arrive([*due, *again], time)
        self._number([ts for ts, number in zip(found, known) if ts is not None and number is None])
        yield from self._link(due)

    def _link(self, tasks: list[TaskState]) -> Iterator[None]:
        """Record dependencies of tasks; dependencies without a number get one."""
        if self._link_together(tasks):
            if self._spend(2 * len(tasks)):
                yield
        elif len(tasks) > 1:
            half = len(tasks) // 2
            yield from self._link(tasks[:half])
            yield from self._link(tasks[half:])
        else:
            yield from self._link_one(tasks[0])

    def _link_together(self, tasks: list[TaskState]) -> bool:
        """Record the dependencies of tasks at once, unless they are many; returns whether it did."""
        counts = [len(ts.dependencies) for ts in tasks]
        total = sum(counts)
        if total > PIECE:
            return False
        numbers = self._numbers
        if total:
            dependencies = [dts for ts in tasks for dts in ts.dependencies]
            sources = [numbers.get(dts.key, -1) for dts in dependencies]
            if -1 in sources:
                fresh = {dts.key: dts for dts, number in zip(dependencies, sources) if number < 0}
                self._number_early(list(fresh.values()))
                sources = [
                    numbers.get(dts.key, -1) if number < 0 else number for dts, number in zip(dependencies, sources)
                ]
            targets = [numbers.get(ts.key, -1) for ts in tasks]
            if -1 in sources or -1 in targets:
                # Tasks dropped from the columns meanwhile have no number any more.
                return False
            self._source.extend(sources)
            self._target.extend(chain.from_iterable(map(repeat, targets, counts)))
            self._spent += total
        if self._unwalked:
            self._unwalked.difference_update([numbers.get(ts.key, -1) for ts in tasks])
        return True

    def _link_one(self, ts: TaskState) -> Iterator[None]:
        """Record the dependencies of a task with many, or with some that have been dropped."""
        every = list(ts.dependencies)
        for i in range(0, len(every), PIECE):
            part = every[i : i + PIECE]
            self._connect(ts, part)
            if self._spend(len(part)):
                yield
        self._unwalked.discard(self._numbers.get(ts.key, -1))
        if self._spend(2):
            yield

    def _number_early(self, tasks: list[TaskState]) -> None:
        """Number dependencies before they are walked."""
        self._number(tasks)
        numbers = self._numbers
        self._unwalked.update([numbers[ts.key] for ts in tasks if ts.key in numbers])

    def _spend(self, amount: int) -> bool:
        """Count work; returns whether to yield to the scheduler."""
        self._spent += amount
        if self._spent < PIECE:
            return False
        self._spent = 0
        return True

    def _connect(self, ts: TaskState, dependencies: list[TaskState]) -> None:
        numbers = self._numbers
        fresh = [dts for dts in dependencies if dts.key not in numbers]
        if fresh:
            self._number_early(fresh)
        target = numbers.get(ts.key)
        # Tasks dropped from the columns meanwhile have no number any more.
        sources = [numbers[dts.key] for dts in dependencies if dts.key in numbers]
        if target is not None:
            self._source.extend(sources)
            self._target.extend([target] * len(sources))

    def _number(self, tasks: list[TaskState]) -> None:
        names, numbers, groups = self._names, self._numbers, self._groups
        if not tasks:
            return
        keys = [ts.key for ts in tasks]
        numbers.update(zip(keys, range(self.end, self.end + len(tasks))))
        self.numbered(tasks, self.end)
        self.end += len(tasks)
        # By group: of the tasks of a graph most have the same, and to look names up for each costs a quarter of this.
        every_group = [ts.group for ts in tasks]
        found: dict[TaskGroup, tuple[int, int, str]] = {}
        for group in dict.fromkeys(every_group):
            if groups.held.get(group.name) is not group:
                groups.hold(group)
                self._spent += NEW_GROUP
            name = group.prefix.name
            prefix = names.prefix_ids[name]
            shown = names.prefixes[prefix] if names.inexact else name
            found[group] = (prefix, names.group_ids[group.name], shown)
        prefixes, ids, shown_names = zip(*map(found.__getitem__, every_group))
        self._prefix.extend(prefixes)
        self._group.extend(ids)
        self._state.extend([_CODES.get(ts.state, 0) for ts in tasks])
        self._pack(keys, shown_names)
        while self.end - self.first >= LIMIT + CHUNK:
            self._evict()

    def _pack(self, keys: list[Any], prefixes: Sequence[str]) -> None:
        done = 0
        while done < len(keys):
            if not self._keys or len(self._keys[-1]) >= CHUNK:
                self._keys.append(KeyColumn())
            column = self._keys[-1]
            to = done + CHUNK - len(column)
            column.extend(keys[done:to], prefixes[done:to])
            done = to

    def _evict(self) -> None:
        """Drop the oldest chunk of tasks with their dependencies."""
        self.first += CHUNK
        for column in (self._prefix, self._group, self._state):
            del column[:CHUNK]
        self._keys.popleft()
        # Numbers are in insertion order: those to drop are in front.
        for key in [key for key, number in islice(self._numbers.items(), CHUNK) if number < self.first]:
            del self._numbers[key]
        self._unwalked = {number for number in self._unwalked if number >= self.first}
        marks = bisect_right(self._mark_nodes, self.first) - 1
        if marks > 0:
            self._first_mark += marks
            del self._mark_nodes[:marks], self._mark_edges[:marks]

    def _let_edges_go(self) -> Iterator[None]:
        """Drop the oldest dependencies, of tasks that were dropped."""
        while self._checked < self.first:
            part = zip(self._source[:EDGE_PIECE], self._target[:EDGE_PIECE])
            count = next((i for i, ends in enumerate(part) if min(ends) >= self.first), EDGE_PIECE)
            self._drop_edges(count)
            if count < EDGE_PIECE or not self._source:
                self._checked = self.first
            elif self._spend(PIECE):
                yield

    def _drop_edges(self, count: int) -> None:
        count = min(count, len(self._source))
        self._first_edge += count
        del self._source[:count], self._target[:count]

    def _move(self) -> Iterator[None]:
        """Record the states of changed tasks."""
        tasks = self._tasks
        while self._unseen:
            part = self._unseen[-PIECE:]
            del self._unseen[-PIECE:]
            self._take_states([(key, ts.state) for key in part if (ts := tasks.get(key)) is not None])
            if self._spend(len(part)):
                yield
        moved = [*self.moved.items()]
        self.moved.clear()
        for i in range(0, len(moved), PIECE):
            self._take_states(moved[i : i + PIECE])
            if self._spend(len(moved[i : i + PIECE])):
                yield

    def _take_states(self, moved: list[tuple[Any, str]]) -> None:
        """Record states by key; what has no number is given its state with it."""
        number_of, first, states = self._numbers.get, self.first, self._state
        for key, state in moved:
            number, code = number_of(key, -1), _CODES.get(state, 0)
            if number >= first and states[number - first] != code:
                states[number - first] = code
                self._note(number)

    def _set_state(self, number: int, code: int) -> None:
        if self._state[number - self.first] != code:
            self._state[number - self.first] = code
            self._note(number)

    def _note(self, number: int) -> None:
        if self._watching:
            self._changed.add(number)

    def _mark(self) -> None:
        edges = self._first_edge + len(self._source)
        if self.end != self._mark_nodes[-1] or edges != self._mark_edges[-1]:
            self._mark_nodes.append(self.end)
            self._mark_edges.append(edges)
        if len(self._source) > EDGE_LIMIT + EDGE_CHUNK:
            self._drop_edges(EDGE_CHUNK)

    def publish(self) -> None:
        """Assign a version to the state changes since the last call."""
        self.walk_together()
        if self._watching and not self.busy:
            self._known = self._noted()
        # A task that runs again may be in the state that it was in before.
        if not self._changed and self._known == self._published:
            return
        self._published = self._known
        self.version += 1
        if len(self._changed) > max(1000, (self.end - self.first) // 4):
            # Sending all states, one byte each, is shorter than this many with their numbers.
            self._log.clear()
            self._logged = 0
            self._whole_before = self.version
        else:
            self._log.append((self.version, array("I", self._changed)))
            self._logged += len(self._changed)
            # A delta larger than all states is not assembled.
            while len(self._log) > VERSIONS or self._logged > max(1000, self.end - self.first):
                self._whole_before, gone = self._log.popleft()
                self._logged -= len(gone)
        self._changed.clear()

    # -- reading ------------------------------------------------------------------------------------------------

    @property
    def position(self) -> int:
        """Number of the newest mark: the end of the topic ``graph``."""
        self.walk_together()
        return self._first_mark + len(self._mark_nodes) - 1

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Tasks and dependencies after a cursor: the topic body and the cursor after it."""
        at = min(max(cursor - self._first_mark, 0), len(self._mark_nodes) - 1)
        first = max(self._mark_nodes[at], self.first)
        first_edge = max(self._mark_edges[at], self._first_edge)
        to = min(
            bisect_right(self._mark_nodes, first + READ_NODES), bisect_right(self._mark_edges, first_edge + READ_EDGES)
        )
        to = max(at + 1, to - 1)
        to = min(to, len(self._mark_nodes) - 1)
        low, high = first - self.first, max(self._mark_nodes[to], self.first) - self.first
        edges = slice(first_edge - self._first_edge, max(self._mark_edges[to] - self._first_edge, 0))
        body = {
            "c": {
                "prefix": wire(self._prefix[low:high]),
                "group": wire(self._group[low:high]),
                "state": wire(self._state[low:high]),
            },
            "m": {"source": wire(self._source[edges]), "target": wire(self._target[edges])},
            "s": {
                "first": first,
                "first_edge": first_edge,
                "kept": self.first,
                "not_kept": self.first + self._skipped,
                "edges_not_kept": self._first_edge,
                "latest": max(self._latest, self.first),
                "waiting": sum(len(keys) for _, keys in self._pending),
            },
        }
        return body, self._first_mark + to

    def read_states(self, cursor: int) -> tuple[dict[str, Any], int]:
        """States that changed after a version, or all of them: the topic body and the cursor after it."""
        if cursor < max(self._whole_before, 1):
            whole = {"first": self.first, "counted": self._published}
            return {"c": {"state": wire(self._state)}, "s": whole}, self.version
        changed: set[int] = set()
        for version, numbers in self._log:
            if version > cursor:
                changed.update(numbers)
        numbers = array("I", (number for number in changed if number >= self.first))
        states = array("B", (self._state[number - self.first] for number in numbers))
        body = {"c": {"number": wire(numbers), "state": wire(states)}, "s": {"counted": self._published}}
        return body, self.version

    # -- one task -----------------------------------------------------------------------------------------------

    def number(self, key: Any) -> int:
        """Number of a key that the scheduler knows, -1 if it has none."""
        self.walk_together()
        return self._numbers.get(key, -1)

    def numbers_of(self, keys: list[Any], otherwise: int) -> list[int]:
        """Numbers of keys that the scheduler knows."""
        self.walk_together()
        get = self._numbers.get
        return [get(key, otherwise) for key in keys]

    def text(self, number: int) -> str | None:
        """The key of a number as a user writes it, None if it was dropped."""
        if not self.first <= number < self.end:
            return None
        i = number - self.first
        # Chunks begin at multiples of their size, and are dropped whole.
        return self._keys[i // CHUNK].text(i % CHUNK, self._names.prefixes[self._prefix[i]])

    def keys_at(self, number: int) -> Keys | None:
        """The keys of the chunk of a task; None if it was dropped."""
        if not self.first <= number < self.end:
            return None
        at = (number - self.first) // CHUNK
        return Keys(self.first + at * CHUNK, self._keys[at], self._prefix[at * CHUNK : (at + 1) * CHUNK])

    def find(self, key: str, prefix: str) -> int:
        """Number of the newest task with a key as a user writes it, -1 if none is stored."""
        self.walk_together()
        for i in range(len(self._keys) - 1, -1, -1):
            found = self._keys[i].find(key, prefix)
            if found:
                return self.first + i * CHUNK + found[-1]
        return -1

    def describe(self, number: int) -> dict[str, Any] | None:
        """The stored data of a number, None if there is none."""
        key = self.text(number)
        if key is None:
            return None
        i = number - self.first
        return {
            "key": key,
            "number": number,
            "prefix": self._names.prefixes[self._prefix[i]],
            "group": self._names.group(self._group[i]),
            "state": STATES[self._state[i]],
        }

    async def neighbours(self, number: int) -> tuple[list[int], list[int]]:
        """Numbers of the stored dependencies and dependents of a task."""
        source, target = self._source[:], self._target[:]
        dependencies: list[int] = []
        dependents: list[int] = []
        for i in range(0, len(source), EDGE_SLICE):
            for a, b in zip(source[i : i + EDGE_SLICE], target[i : i + EDGE_SLICE]):
                if b == number:
                    dependencies.append(a)
                elif a == number:
                    dependents.append(b)
            await asyncio.sleep(0)
        return dependencies, dependents

    @property
    def nbytes(self) -> int:
        """Bytes of all columns and packed keys."""
        columns = (self._prefix, self._group, self._state, self._source, self._target)
        return sum(len(c) * c.itemsize for c in columns) + sum(keys.nbytes for keys in self._keys)


#: The transition hook while there is a subscriber to states.
def watching(hook: Callable[..., None], moved: dict[Any, str]) -> Callable[..., None]:
    """A transition hook that also notes the new states of tasks.

    Parameters
    ----------
    hook : callable
        The rest of the hook.
    moved : dict
        Receives the states, by key; a forgotten task leaves it, since its key may come again.
    """

    def transition(key: Any, start: str, finish: str, **kwargs: Any) -> None:
        if finish == "forgotten":
            moved.pop(key, None)
        else:
            moved[key] = finish
        hook(key, start, finish, **kwargs)

    return transition

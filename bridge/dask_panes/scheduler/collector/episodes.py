"""Episodes: since when the tasks of a function are counted, and the counts before.

Dask counts a function's tasks for the scheduler's whole life, so the tenth run of a cell would begin at 90 %. New
tasks that arrive while a function has no active task begin an episode if they are of another computation, or, where
that is not known, 2 s or more after its last active task. Episodes are kept here and not by readers, so that a late
subscriber, a second tab and a recording all agree.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from distributed.scheduler import TaskGroup, TaskPrefix, TaskState

#: Seconds without an active task after which new tasks begin an episode.
GAP = 2.0
#: Graphs whose computation is remembered until their tasks arrive.
GRAPHS = 1_000
#: Seconds over which finished tasks are counted.
WINDOW = 10.0
#: Seconds per bucket of finished tasks.
SLOT = 0.25
#: Functions per check for inactivity: half a millisecond.
SLICE = 100
#: Groups of a function tracked individually; beyond that, the number of results from before an episode is estimated.
GROUPS = 100
#: Order of a function whose first task is unknown.
LAST = 2**32 - 1
#: Functions with an episode; beyond that, functions are dropped that share an entry and are not part of its newest
#: episode.
LIMIT = 10_000
#: Time since which those have been inactive; 0 would mean active.
PAST = 1.0
#: Functions dropped at once.
DROPS = 100
#: Bits that record which functions were dropped.
DROPPED_BITS = 2**20
#: Functions whose episodes moved that are named for the next look; the look at all functions finds the others.
MOVED = 1_000
#: States of unfinished tasks.
ACTIVE = ("waiting", "queued", "no-worker", "processing")


def active(states: Mapping[Any, int]) -> bool:
    """Whether any tasks, counted by state, are unfinished."""
    # Written out, and without making entries for states that no task has: this is called for every function, at every
    # tick and read.
    count = states.get
    return count("processing", 0) > 0 or count("waiting", 0) > 0 or count("queued", 0) > 0 or count("no-worker", 0) > 0


def _start(intervals: Any, now: float) -> float:
    try:
        return float(intervals[0]["start"])
    except (TypeError, ValueError, LookupError, OverflowError):
        # Values from workers are untrusted.
        return now


def _bit(name: str) -> tuple[int, int]:
    """The byte and the bit of a function in the record of dropped functions."""
    place = hash(name) % DROPPED_BITS
    return place // 8, 1 << place % 8


def _old_results(group: TaskGroup, count: int, tasks: int, new: int) -> int:
    """Results of a group from before the episode, of `count` when the group had this many tasks; `new` tasks have
    ended since.
    """
    memory = group.states["memory"]
    # The sum of all states is the number of tasks that the group has ever had: forgotten ones still count.
    added = sum(group.states.values()) - tasks
    return int(min(count, max(0, memory - min(added, new))))


class RecentEnds:
    """Number of tasks of each function that ended in the last 10 s."""

    def __init__(self) -> None:
        self._slots: deque[tuple[float, Counter[Any]]] = deque()
        self._counts: Counter[Any] = Counter()
        self._starts: dict[Any, float] = {}

    def add(
        self, names: Iterable[Any], starts: Callable[[], Iterable[float]], counts: Counter[Any], now: float
    ) -> None:
        """Count ended tasks.

        Parameters
        ----------
        names : iterable
            The function of each.
        starts : callable
            The start of each, seconds; called only if needed.
        counts : Counter
            Their number, by function.
        """
        # Iterate over the new names: a difference of keys would scan all known ones.
        fresh = {name for name in counts if name not in self._counts}
        if fresh:
            for name, start in zip(names, starts()):
                if name in fresh:
                    self._starts[name] = min(start, self._starts.get(name, now))
        if not self._slots or now - self._slots[-1][0] >= SLOT:
            self._slots.append((now, Counter()))
        self._slots[-1][1].update(counts)
        self._counts.update(counts)

    def expire(self, now: float) -> set[Any]:
        """Drop expired buckets. Returns the functions that had ended tasks in them."""
        expired: set[Any] = set()
        # Or of a time that is still to come, since the clock was set back.
        while self._slots and not -WINDOW < now - self._slots[0][0] < WINDOW:
            counts = self._slots.popleft()[1]
            expired.update(counts)
            for name, count in counts.items():
                left = self._counts[name] - count
                if left > 0:
                    self._counts[name] = left
                else:
                    del self._counts[name], self._starts[name]
        return expired

    def forget(self, name: Any) -> None:
        """Reset a function."""
        if self._counts.pop(name, 0):
            del self._starts[name]
            for _, counts in self._slots:
                counts.pop(name, None)

    def take(self, other: Any) -> None:
        """Go on with the numbers of an older collector."""
        slots = deque((time, Counter(counts)) for time, counts in other._slots)
        self._slots, self._counts, self._starts = slots, Counter(other._counts), dict(other._starts)

    def clear(self) -> None:
        """Reset everything."""
        self._slots.clear()
        self._counts.clear()
        self._starts.clear()

    def of(self, name: Any) -> tuple[int, float]:
        """Number of tasks of a function, and the start of the first in a sequence without a pause of 10 s; 0 for
        none.
        """
        return self._counts.get(name, 0), self._starts.get(name, 0.0)


class Episode:
    """The newest episode of one function.

    Attributes
    ----------
    since : float
        When its first tasks arrived, seconds.
    until : float
        Time since which it has had no active task, 0 while it has one.
    computation : int, optional
        The computation that it began with; None if that is not known.
    order : int
        Its rank among the functions that began with the same graph, in Dask's order of tasks.
    done, erred : int
        Tasks that had ended before it, with a result and with an error.
    recent : (int, float)
        Tasks that had ended in the 10 s before `until`: see `RecentEnds.of`.
    groups : dict, optional
        Groups with earlier results, by name: number of results, and of the group's tasks; None if they cannot be
        distinguished.
    moves : int
        Grows when any of these changes otherwise than with the states of the function's tasks.
    """

    __slots__ = (
        *("_again", "_held", "_rest", "computation", "done", "erred", "groups", "late", "moves", "order", "recent"),
        *("since", "until"),
    )

    def __init__(self, since: float, late: bool, computation: int | None = None) -> None:
        self.since, self.computation = since, computation
        #: Whether it was detected by its work: its tasks had arrived before.
        self.late = late
        self.order = LAST
        self.moves = 1
        self.until = 0.0
        self.done = self.erred = 0
        self.recent = (0, 0.0)
        #: Counts when it became inactive: ended with a result, with an error, results in memory.
        self._rest = (0, 0, 0)
        self.groups: dict[str, tuple[TaskGroup, int, int]] | None = None
        self._held = 0
        #: Executions of an episode detected by its work: with a result, with an error.
        self._again = (0, 0)

    @classmethod
    def like(cls, other: Any, known: bool) -> Episode:
        """The same episode, of another version's code; `known`, whether numbers of computations mean the same."""
        made = cls(other.since, other.late)
        for name in cls.__slots__:
            setattr(made, name, getattr(other, name, getattr(made, name)))
        made.computation = made.computation if known else None
        return made

    def begin(self, since: float, late: bool, prefix: TaskPrefix, computation: int | None) -> None:
        """New tasks have arrived: of another computation, or after a pause."""
        self.since, self.late, self.order, self.computation = since, late, LAST, computation
        self.done, self.erred, self._held = self._rest
        self._again = (0, 0)
        groups = list(islice(prefix.groups, GROUPS + 1)) if self._held else []
        few = 0 < len(groups) <= GROUPS
        held = [(group, group.states["memory"], sum(group.states.values())) for group in groups]
        self.groups = {entry[0].name: entry for entry in held if entry[1] > 0} if few else None

    def join(self, group: TaskGroup) -> None:
        """A task of the group is one of the episode's first."""
        entry = self.groups.get(group.name) if self.groups else None
        if entry is not None and self.groups is not None:
            self.groups[group.name] = (entry[0], entry[1], entry[2] - 1)

    def resume(self, done: int, erred: int, held: int) -> None:
        """Use the current counts as the baseline: the earlier state is no longer known."""
        self.done, self.erred, self._held = done, erred, held

    def rest(self, now: float, done: int, erred: int, held: int, recent: tuple[int, float]) -> None:
        """There are no active tasks any more."""
        self.until = now
        self._rest = (done, erred, held)
        self.recent = recent

    def execute(self, done: int, erred: int) -> None:
        """Tasks were executed. Without new tasks, they belong to the earlier work: lost results, retried errors."""
        if self.late:
            self._again = (self._again[0] + done, self._again[1] + erred)

    def trim(self, done: int, erred: int) -> None:
        """Subtract tasks that became active again from the earlier counts, based on the counts of all episodes."""
        self.done = min(self.done, max(0, done - self._again[0]))
        self.erred = min(self.erred, max(0, erred - self._again[1]))

    def held_before(self, held: int, done: int) -> int:
        """How many results in memory are of tasks from before the episode.

        For a group without new tasks since, the number is exact. Futures of one function share one group: for these,
        earlier results are assumed to be released first, as happens when a variable is reassigned.

        Parameters
        ----------
        held, done : int
            Results in memory, and tasks that ended with a result, of all episodes.
        """
        new = max(0, done - self.done)
        if self.late and self._again[0]:
            # What was computed again before that was noticed is among the groups' results of then.
            old = 0
        elif self.groups is None:
            old = self._held
        else:
            self.groups = {name: entry for name, entry in self.groups.items() if entry[0].states["memory"] > 0}
            old = sum(_old_results(*entry, new) for entry in self.groups.values())
        return min(held, self.done, max(old, held - new))


class Episodes:
    """The newest episode of every function.

    Keys like ``load_17`` create a function per key, and many of these share an entry. Beyond `LIMIT` functions, those
    not in the newest episode of their entry are dropped. When such a function becomes active again, the counts at
    that moment are its baseline.

    Parameters
    ----------
    finished : callable
        Receives a prefix; returns how many of its tasks have ended with a result, and how many with an error.
    shared : callable
        Receives the name of a function; returns the entry that it shares with others, None if it has a separate one.

    Attributes
    ----------
    touched : dict
        Names of functions that may have become inactive; the transition hook adds to it.
    version : int
        Changes with the readable data.
    """

    def __init__(self, finished: Callable[[TaskPrefix], tuple[int, int]], shared: Callable[[str], int | None]) -> None:
        self._finished, self._shared = finished, shared
        self._prefixes: Mapping[str, TaskPrefix] = {}
        self._episodes: dict[str, Episode] = {}
        self._recent = RecentEnds()
        #: By shared entry: its inactive functions, longest inactive first.
        self._resting: dict[int, OrderedDict[str, None]] = {}
        #: By shared entry: start of its newest episode.
        self._newest: dict[int, float] = {}
        #: By hash of the name. Colliding names only start with an unnecessary baseline.
        self._dropped = bytearray()
        #: By arrival of a graph: its computation.
        self._graphs: OrderedDict[float, int | None] = OrderedDict()
        self.touched: dict[str, None] = {}
        self._moved: dict[str, None] = {}
        self.version = 0

    def begin(self, prefixes: Mapping[str, TaskPrefix]) -> None:
        """Start; `prefixes` is ``Scheduler.task_prefixes``, and a reference to it is kept."""
        self._prefixes = prefixes

    def restart(self) -> None:
        """The scheduler was cleared on purpose."""
        self._episodes.clear()
        self._resting.clear()
        self._newest.clear()
        self._dropped = bytearray()
        self._recent.clear()
        self._graphs.clear()
        self.touched.clear()
        self._moved.clear()
        self.version += 1

    def moves(self, names: Iterable[str]) -> int:
        """A number that is another one when an episode of these functions has moved; see `Episode.moves`."""
        find = self._episodes.get
        return sum([episode.moves for name in names if (episode := find(name)) is not None])

    def take_moved(self) -> list[str]:
        """Functions, `MOVED` at most, whose episodes have moved since the last call."""
        names = [*self._moved]
        self._moved.clear()
        return names

    def _move(self, name: str, episode: Episode) -> None:
        episode.moves += 1
        if len(self._moved) < MOVED:
            self._moved[name] = None
        self.version += 1

    def take(self, other: Any, known: bool) -> None:
        """Go on with the episodes of an older collector, before the start.

        Raises
        ------
        AttributeError
            It had none, or others: nothing has changed here.
        """
        episodes = {name: Episode.like(episode, known) for name, episode in other._episodes.items()}
        resting = {entry: OrderedDict(names) for entry, names in other._resting.items()}
        newest, dropped, touched, graphs = dict(other._newest), other._dropped[:], [*other.touched], [*other._graphs]
        self._recent.take(other._recent)
        self._episodes, self._resting, self._newest, self._dropped = episodes, resting, newest, dropped
        # The hook has a reference to it.
        self.touched.update(dict.fromkeys(touched))
        self._graphs.update((time, other._graphs[time] if known else None) for time in graphs)

    def submitted(self, time: float, computation: int | None) -> None:
        """A graph has arrived; its tasks follow in `arrive`, with the same time.

        `computation` is None where neither a cell nor code tells it from others.
        """
        self._graphs[time] = computation
        if len(self._graphs) > GRAPHS:
            self._graphs.popitem(last=False)

    def arrive(self, tasks: list[TaskState], time: float) -> None:
        """Record new tasks, and tasks to be computed again.

        Parameters
        ----------
        time : float
            When their graph arrived: equal for all its parts.
        """
        self.add(tasks, time, self._graphs.get(time))

    def add(self, tasks: list[TaskState], time: float, computation: int | None) -> None:
        """As `arrive`, where the computation is known: see `submitted`."""
        fresh: dict[str, Episode] = {}
        for name, prefix in {ts.prefix.name: ts.prefix for ts in tasks}.items():
            episode = self._awake(prefix, time, late=False, computation=computation)
            self.touched[name] = None
            self._move(name, episode)
            if episode.since == time:
                fresh[name] = episode
        if not fresh:
            return
        for ts in tasks:
            begun = fresh.get(ts.prefix.name)
            # Dask's own order of tasks: Dask walks a graph from its end, so functions arrive in another order.
            if begun is None:
                continue
            if ts.priority is not None and ts.priority[-1] < begun.order:
                begun.order = max(0, int(ts.priority[-1]))
            if begun.groups:
                begun.join(ts.group)

    def ended(
        self,
        tasks: Iterable[TaskState],
        startstops: Iterable[Any],
        failed: Iterable[int],
        now: float,
        owners: Iterable[int | None] = (),
    ) -> None:
        """Record executed tasks.

        Parameters
        ----------
        startstops : iterable
            Dask's intervals of each.
        failed : iterable of int
            Which of them failed, counted from 0.
        owners : iterable of int, optional
            The computation of each, see `submitted`; negative for tasks that are computed again: these begin no
            episode by it.
        """
        names = [ts.prefix.name for ts in tasks]
        erred = Counter([names[i] for i in failed])
        counts = Counter(names)
        of = {name: owner for name, owner in zip(names, owners) if owner is not None and owner >= 0}
        for name, count in counts.items():
            prefix = self._prefixes.get(name)
            if prefix is not None:
                # Before counting them: tasks that ended before an episode are not part of it.
                episode = self._awake(prefix, now, late=True, computation=of.get(name))
                episode.execute(count - erred[name], erred[name])
                self._move(name, episode)
                self.touched[name] = None
        self._recent.add(names, lambda: (_start(intervals, now) for intervals in startstops), counts, now)
        self.version += 1

    def settle(self, now: float) -> None:
        """Check which functions have become inactive, some of those that may have; several times with every tick."""
        for name in self._recent.expire(now):
            episode = self._episodes.get(name)
            # What an inactive one has of them is of its end.
            if episode is not None and not episode.until:
                self._move(name, episode)
        for name in list(islice(self.touched, SLICE)):
            del self.touched[name]
            prefix = self._prefixes.get(name)
            if prefix is not None and not active(prefix.states):
                self._inactive(prefix, now)

    def of(self, prefix: TaskPrefix, now: float) -> Episode:
        """The episode of a prefix with its current counts."""
        if not active(prefix.states):
            return self._inactive(prefix, now)
        episode = self._awake(prefix, now, late=True)
        episode.trim(*self._finished(prefix))
        return episode

    def _inactive(self, prefix: TaskPrefix, now: float) -> Episode:
        """The episode of a prefix without active tasks."""
        episode = self._episodes.get(prefix.name)
        if episode is None:
            if self._was_dropped(prefix.name):
                return self._past(prefix)
            episode = self._new(prefix, now, late=True)
        done, erred = self._finished(prefix)
        if not episode.until:
            self._rest(prefix, episode, now, done, erred)
        episode.trim(done, erred)
        return episode

    def recent(self, prefix: TaskPrefix, episode: Episode) -> tuple[int, float]:
        """Tasks that ended in the last 10 s; for an inactive function, in its last: see `RecentEnds.of`."""
        return episode.recent if episode.until else self._recent.of(prefix.name)

    def _awake(self, prefix: TaskPrefix, time: float, late: bool, computation: int | None = None) -> Episode:
        name = prefix.name
        episode = self._episodes.get(name)
        if episode is None:
            episode = self._new(prefix, time, late, computation)
        elif episode.until:
            unknown = computation is None or episode.computation is None
            if time - episode.until >= GAP if unknown else computation != episode.computation:
                episode.begin(time, late, prefix, computation)
                self._recent.forget(name)
            episode.until = 0.0
            entry = self._shared(name)
            if entry is not None:
                self._resting.get(entry, {}).pop(name, None)
                self._drop(entry, episode.since)
        elif episode.late and not late and time < episode.since:
            episode.since, episode.late, episode.computation = time, False, computation
        return episode

    def _new(self, prefix: TaskPrefix, time: float, late: bool, computation: int | None = None) -> Episode:
        episode = self._episodes[prefix.name] = Episode(time, late, computation)
        if self._was_dropped(prefix.name):
            episode.resume(*self._finished(prefix), max(0, prefix.states["memory"]))
        entry = self._shared(prefix.name)
        if entry is not None:
            self._drop(entry, time)
        return episode

    def _drop(self, entry: int, since: float) -> None:
        """A new episode of an entry begins: some functions that had been inactive can be dropped."""
        newest = self._newest[entry] = max(since, self._newest.get(entry, since))
        resting = self._resting.get(entry)
        for _ in range(DROPS):
            if not resting or len(self._episodes) <= LIMIT:
                break
            name = next(iter(resting))
            if self._episodes[name].until >= newest - GAP:
                break
            resting.popitem(last=False)
            del self._episodes[name]
            self._dropped = self._dropped or bytearray(DROPPED_BITS // 8)
            place, bit = _bit(name)
            self._dropped[place] |= bit

    def _was_dropped(self, name: str) -> bool:
        if not self._dropped:
            return False
        place, bit = _bit(name)
        return bool(self._dropped[place] & bit)

    def _past(self, prefix: TaskPrefix) -> Episode:
        """The episode of a dropped, inactive function: from before the newest one of its entry."""
        episode = Episode(0.0, late=True)
        episode.until = PAST
        episode.resume(*self._finished(prefix), max(0, prefix.states["memory"]))
        return episode

    def _rest(self, prefix: TaskPrefix, episode: Episode, now: float, done: int, erred: int) -> None:
        episode.rest(now, done, erred, max(0, prefix.states["memory"]), self._recent.of(prefix.name))
        self._move(prefix.name, episode)
        entry = self._shared(prefix.name)
        if entry is not None:
            self._resting.setdefault(entry, OrderedDict())[prefix.name] = None
            self._drop(entry, episode.since)

"""Episodes: since when the tasks of a function are counted, and what had been counted before.

Dask counts a function's tasks for as long as the scheduler lives, so the tenth run of a cell would begin at 90 %. New
tasks that arrive 2 s or more after the function's last active task begin an episode. It is kept here and not by those
who read, so that a late pane, a second tab and a recording say the same.
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
#: Seconds over which ended tasks are counted.
WINDOW = 10.0
#: Seconds whose ended tasks are counted together.
SLOT = 0.25
#: Functions of one look at what has become inactive: 1 to 2 ms.
SLICE = 500
#: Groups of a function that are told apart; of more, it is only estimated which results are from before an episode.
GROUPS = 100
#: Place of a function whose first task is not known.
LAST = 2**32 - 1
#: Functions whose episode is kept; of more, those are dropped that share an entry and are not of its newest episode.
LIMIT = 10_000
#: Since when those have been inactive; 0 would mean that they are active.
PAST = 1.0
#: Functions that are dropped at once.
DROPS = 100
#: Bits in which it is noted which functions were dropped.
DROPPED_BITS = 2**20

#: States of tasks that are still to be done.
ACTIVE = ("waiting", "queued", "no-worker", "processing")


def active(states: Mapping[Any, int]) -> bool:
    """Whether tasks in these states, counts by state, are still to be done."""
    return any(states[state] > 0 for state in ACTIVE)


def _start(intervals: Any, now: float) -> float:
    try:
        return float(intervals[0]["start"])
    except (TypeError, ValueError, LookupError, OverflowError):
        # A worker tells them: it may tell anything.
        return now


def _bit(name: str) -> tuple[int, int]:
    """The byte and the bit of a function in the note of those that were dropped."""
    place = hash(name) % DROPPED_BITS
    return place // 8, 1 << place % 8


def _old_results(group: TaskGroup, count: int, tasks: int, new: int) -> int:
    """Results of a group that are from before, of `count` when it had so many tasks; `new` tasks have ended since."""
    memory = group.states["memory"]
    # The sum of all states is the number of tasks that the group has ever had: forgotten ones stay counted.
    added = sum(group.states.values()) - tasks
    return int(min(count, max(0, memory - min(added, new))))


class Recent:
    """How many tasks of each function ended in the last 10 s."""

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
            The start of each, seconds; called only where it matters.
        counts : Counter
            How many they are, by function.
        """
        # By what is new: a difference of keys looks through all that are known.
        fresh = {name for name in counts if name not in self._counts}
        if fresh:
            for name, start in zip(names, starts()):
                if name in fresh:
                    self._starts[name] = min(start, self._starts.get(name, now))
        if not self._slots or now - self._slots[-1][0] >= SLOT:
            self._slots.append((now, Counter()))
        self._slots[-1][1].update(counts)
        self._counts.update(counts)

    def expire(self, now: float) -> bool:
        """Let go of what is too old. Returns whether there was any."""
        before = len(self._slots)
        while self._slots and self._slots[0][0] <= now - WINDOW:
            for name, count in self._slots.popleft()[1].items():
                left = self._counts[name] - count
                if left > 0:
                    self._counts[name] = left
                else:
                    del self._counts[name], self._starts[name]
        return len(self._slots) != before

    def forget(self, name: Any) -> None:
        """Begin again with a function."""
        if self._counts.pop(name, 0):
            del self._starts[name]
            for _, counts in self._slots:
                counts.pop(name, None)

    def clear(self) -> None:
        """Begin again."""
        self._slots.clear()
        self._counts.clear()
        self._starts.clear()

    def of(self, name: Any) -> tuple[int, float]:
        """Tasks of a function, and when the first of those began that ended without a pause of 10 s; 0 for none."""
        return self._counts.get(name, 0), self._starts.get(name, 0.0)


class Episode:
    """The newest episode of one function.

    Attributes
    ----------
    since : float
        When its first tasks arrived, seconds.
    until : float
        Since when it has had no active task, 0 while it has one.
    order : int
        Its place among the functions that began with the same graph, in Dask's order of tasks.
    done, erred : int
        Tasks that had ended before it, with a result and with an error.
    recent : (int, float)
        Tasks that had ended in the 10 s before `until`: see `Recent.of`.
    groups : dict, optional
        Groups with results of before, by name: how many results, and how many tasks the group had; None where they
        cannot be distinguished.
    """

    __slots__ = ("_again", "_held", "_rest", "done", "erred", "groups", "late", "order", "recent", "since", "until")

    def __init__(self, since: float, late: bool) -> None:
        self.since = since
        #: Whether it was noticed by its work: its tasks had arrived before.
        self.late = late
        self.order = LAST
        self.until = 0.0
        self.done = self.erred = 0
        self.recent = (0, 0.0)
        #: Counts when it became inactive: ended with a result, with an error, results in memory.
        self._rest = (0, 0, 0)
        self.groups: dict[str, tuple[TaskGroup, int, int]] | None = None
        self._held = 0
        #: Executions of an episode that was noticed by its work: with a result, with an error.
        self._again = (0, 0)

    def begin(self, since: float, late: bool, prefix: TaskPrefix) -> None:
        """New tasks have come after a pause."""
        self.since, self.late, self.order = since, late, LAST
        self.done, self.erred, self._held = self._rest
        self._again = (0, 0)
        groups = list(islice(prefix.groups, GROUPS + 1)) if self._held else []
        few = 0 < len(groups) <= GROUPS
        held = [(group, group.states["memory"], sum(group.states.values())) for group in groups]
        self.groups = {entry[0].name: entry for entry in held if entry[1] > 0} if few else None

    def join(self, group: TaskGroup) -> None:
        """A task of the group is one of those with which the episode begins."""
        entry = self.groups.get(group.name) if self.groups else None
        if entry is not None and self.groups is not None:
            self.groups[group.name] = (entry[0], entry[1], entry[2] - 1)

    def resume(self, done: int, erred: int, held: int) -> None:
        """Begin with the counts of this moment as the baseline: what was before is not known any more."""
        self.done, self.erred, self._held = done, erred, held

    def rest(self, now: float, done: int, erred: int, held: int, recent: tuple[int, float]) -> None:
        """There is no active task any more."""
        self.until = now
        self._rest = (done, erred, held)
        self.recent = recent

    def execute(self, done: int, erred: int) -> None:
        """Tasks were executed. Where no new ones had arrived, they are of before: lost results, errors tried again."""
        if self.late:
            self._again = (self._again[0] + done, self._again[1] + erred)

    def trim(self, done: int, erred: int) -> None:
        """Leave out of what was before the tasks that became active again, by the counts of all episodes."""
        self.done = min(self.done, max(0, done - self._again[0]))
        self.erred = min(self.erred, max(0, erred - self._again[1]))

    def held_before(self, held: int, done: int) -> int:
        """How many results in memory are of tasks from before the episode.

        A group that has had no new tasks since tells it exactly. Futures of one function share one group: of these, the
        results of before are taken to be released first, as they are where a variable is assigned again.

        Parameters
        ----------
        held, done : int
            Results in memory, and tasks that ended with a result, of all episodes.
        """
        new = max(0, done - self.done)
        if self.groups is None:
            old = self._held
        else:
            self.groups = {name: entry for name, entry in self.groups.items() if entry[0].states["memory"] > 0}
            old = sum(_old_results(*entry, new) for entry in self.groups.values())
        return min(held, self.done, max(old, held - new))


class Episodes:
    """The newest episode of every function.

    Keys like ``load_17`` make a function of each key, and many of these share an entry. Of more than `LIMIT` functions
    those are dropped that are not of the newest episode of their entry. When such a function becomes active again, the
    counts of that moment are its baseline.

    Parameters
    ----------
    finished : callable
        Takes a prefix; how many of its tasks have ended with a result, and how many with an error.
    shared : callable
        Takes the name of a function; the entry that it shares with others, None where it has its own.

    Attributes
    ----------
    touched : dict
        Names of functions that may have become inactive; the transition hook adds to it.
    version : int
        Changes with what can be read.
    """

    def __init__(self, finished: Callable[[TaskPrefix], tuple[int, int]], shared: Callable[[str], int | None]) -> None:
        self._finished, self._shared = finished, shared
        self._prefixes: Mapping[str, TaskPrefix] = {}
        self._episodes: dict[str, Episode] = {}
        self._recent = Recent()
        #: By shared entry: its inactive functions, those first that have been inactive for longest.
        self._resting: dict[int, OrderedDict[str, None]] = {}
        #: By shared entry: when its newest episode began.
        self._newest: dict[int, float] = {}
        #: By hash of the name. Names with the same bits only begin with a baseline that they need not have.
        self._dropped = bytearray()
        self.touched: dict[str, None] = {}
        self.version = 0

    def begin(self, prefixes: Mapping[str, TaskPrefix]) -> None:
        """Begin to observe; `prefixes` is ``Scheduler.task_prefixes`` and stays known."""
        self._prefixes = prefixes

    def restart(self) -> None:
        """The scheduler forgot everything on purpose."""
        self._episodes.clear()
        self._resting.clear()
        self._newest.clear()
        self._dropped = bytearray()
        self._recent.clear()
        self.touched.clear()
        self.version += 1

    def arrive(self, tasks: list[TaskState], time: float) -> None:
        """Take note of new tasks, and of those that are to be computed again.

        Parameters
        ----------
        time : float
            When their graph came: the same for all its parts.
        """
        fresh: dict[str, Episode] = {}
        for name, prefix in {ts.prefix.name: ts.prefix for ts in tasks}.items():
            episode = self._awake(prefix, time, late=False)
            self.touched[name] = None
            if episode.since == time:
                fresh[name] = episode
        if not fresh:
            return
        for ts in tasks:
            begun = fresh.get(ts.prefix.name)
            # Dask's own order of tasks: Dask walks a graph from its end, so functions do not come in theirs.
            if begun is None:
                continue
            if ts.priority is not None and ts.priority[-1] < begun.order:
                begun.order = max(0, int(ts.priority[-1]))
            if begun.groups:
                begun.join(ts.group)

    def ended(self, tasks: Iterable[TaskState], startstops: Iterable[Any], failed: Iterable[int], now: float) -> None:
        """Take note of tasks that were executed.

        Parameters
        ----------
        startstops : iterable
            Dask's intervals of each.
        failed : iterable of int
            Which of them failed, counted from 0.
        """
        names = [ts.prefix.name for ts in tasks]
        erred = Counter([names[i] for i in failed])
        counts = Counter(names)
        for name, count in counts.items():
            prefix = self._prefixes.get(name)
            if prefix is not None:
                # Before they are counted: what ended before an episode is not of it.
                self._awake(prefix, now, late=True).execute(count - erred[name], erred[name])
                self.touched[name] = None
        self._recent.add(names, lambda: (_start(intervals, now) for intervals in startstops), counts, now)
        self.version += 1

    def settle(self, now: float) -> None:
        """Look which functions have become inactive; with every tick."""
        self.version += self._recent.expire(now)
        for name in list(islice(self.touched, SLICE)):
            del self.touched[name]
            prefix = self._prefixes.get(name)
            if prefix is not None and not active(prefix.states):
                self._rest(prefix, self.of(prefix, now), now)

    def of(self, prefix: TaskPrefix, now: float) -> Episode:
        """The episode of a prefix as its counts are now."""
        episode = self._episodes.get(prefix.name)
        if episode is None:
            if self._was_dropped(prefix.name) and not active(prefix.states):
                return self._past(prefix)
            episode = self._new(prefix, now, late=True)
        if active(prefix.states):
            episode = self._awake(prefix, now, late=True)
        elif not episode.until:
            self._rest(prefix, episode, now)
        episode.trim(*self._finished(prefix))
        return episode

    def recent(self, prefix: TaskPrefix, episode: Episode) -> tuple[int, float]:
        """Tasks that ended in the last 10 s, of an inactive function in its last: see `Recent.of`."""
        return episode.recent if episode.until else self._recent.of(prefix.name)

    def _awake(self, prefix: TaskPrefix, time: float, late: bool) -> Episode:
        name = prefix.name
        episode = self._episodes.get(name)
        if episode is None:
            episode = self._new(prefix, time, late)
        elif episode.until:
            if time - episode.until >= GAP:
                episode.begin(time, late, prefix)
                self._recent.forget(name)
            episode.until = 0.0
            entry = self._shared(name)
            if entry is not None:
                self._resting.get(entry, {}).pop(name, None)
                self._drop(entry, episode.since)
        elif episode.late and not late and time < episode.since:
            episode.since, episode.late = time, False
        return episode

    def _new(self, prefix: TaskPrefix, time: float, late: bool) -> Episode:
        episode = self._episodes[prefix.name] = Episode(time, late)
        if self._was_dropped(prefix.name):
            episode.resume(*self._finished(prefix), max(0, prefix.states["memory"]))
        entry = self._shared(prefix.name)
        if entry is not None:
            self._drop(entry, time)
        return episode

    def _drop(self, entry: int, since: float) -> None:
        """An entry has an episode from this moment on: some of what had been inactive before can be dropped."""
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
        """The episode of a function that was dropped and is inactive: from before the newest one of its entry."""
        episode = Episode(0.0, late=True)
        episode.until = PAST
        episode.resume(*self._finished(prefix), max(0, prefix.states["memory"]))
        return episode

    def _rest(self, prefix: TaskPrefix, episode: Episode, now: float) -> None:
        if not episode.until:
            done, erred = self._finished(prefix)
            episode.rest(now, done, erred, max(0, prefix.states["memory"]), self._recent.of(prefix.name))
            self.version += 1
            entry = self._shared(prefix.name)
            if entry is not None:
                self._resting.setdefault(entry, OrderedDict())[prefix.name] = None
                self._drop(entry, episode.since)

"""Tasks that were released before they had run and that the scheduler still has.

When a task fails, those that only its dependents needed are released, and stay as long as a client has a future of a
dependent. Others never leave that state: a graph has another task under a known key, and Dask keeps the known one, but
also makes the tasks that the other one needs. Dask's state of all these is ``released``, as that of tasks that have
finished.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from .computation import HALTED_OWNER, is_halted, number_of
from .marks import ERRED, HALTED

if TYPE_CHECKING:
    from distributed.scheduler import TaskGroup, TaskState

#: Tasks looked at when the collector begins to observe: some milliseconds.
EARLIER = 50_000
#: Graphs whose tasks are not looked at yet, and tasks of one slice: a third of a millisecond.
GRAPHS = 10_000
SLICE = 1_000
#: Tasks of a graph of which it is looked at once whether clients want them all.
FEW = 20


class Owners(Protocol):
    """Which computation a task belongs to: `Claims`."""

    owners: dict[Any, int]
    drop: Callable[..., None]
    halted: Halted


class Halted:
    """Numbers of halted tasks; as many entries as they have functions and groups, at most.

    A halted task is none of those that its computation has left, but one that was dropped, until it is needed again. If
    another computation asks for it, it belongs to that one.

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
        self._claims: Owners | None = None
        self._marked: dict[Any, str] = {}
        #: Keys of graphs that have arrived, and the position in the first of them.
        self._arrived: deque[list[Any]] = deque(maxlen=GRAPHS)
        self._at = 0

    def follow(self, claims: Owners, marked: dict[Any, str]) -> None:
        """Drop halted tasks from the computations that they belong to.

        Parameters
        ----------
        claims : Owners
            Calls `asked` and `claimed` from now on.
        marked : dict
            See ``Parts.marked``.
        """
        self._claims, self._marked = claims, marked
        claims.halted = self

    def add(self, ts: TaskState) -> None:
        """It was released before it had run."""
        name, group = ts.prefix.name, ts.group
        self.of_prefix[name] = self.of_prefix.get(name, 0) + 1
        self.of_group[group] = self.of_group.get(group, 0) + 1
        self._drop(ts.key, name)

    def remove(self, ts: TaskState, fails: bool = False) -> None:
        """It has left that state: it is needed again, or was in it only until it fails."""
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
        owner = self._owner(ts.key)
        if self._claims is not None and is_halted(owner):
            self._claims.owners[ts.key] = owner - HALTED_OWNER
            self._claims.drop(owner - HALTED_OWNER, name, tasks=-1, undone=fails)

    def _owner(self, key: Any) -> int:
        return -1 if self._claims is None else self._claims.owners.get(key, -1)

    def _drop(self, key: Any, function: str) -> None:
        owner = self._owner(key)
        if self._claims is not None and owner >= 0 and not is_halted(owner):
            self._claims.drop(owner, function)
            self._claims.owners[key] = owner + HALTED_OWNER

    def asked(self, number: int, keys: Iterable[Any]) -> None:
        """A graph of a computation asks for these keys: it will claim those that are halted and of another one."""
        if self.of_prefix and self._claims is not None:
            for key in keys:
                owner = self._owner(key)
                if is_halted(owner) and number_of(owner) != number:
                    del self._claims.owners[key]

    def claimed(self, keys: Iterable[Any], functions: Iterable[str]) -> None:
        """A computation has claimed these: tasks of a large graph may have been halted before."""
        if self.of_prefix:
            for key, function in zip(keys, functions):
                if self._marked.get(key) == HALTED:
                    self._drop(key, function)

    def arrive(self, keys: list[Any], tasks: Mapping[Any, TaskState]) -> bool:
        """A graph with these tasks has arrived; returns whether `step` must be called after their first transitions.

        What a client wants will run: then nothing is to be looked at in the graphs that `client.submit` makes.
        """
        if len(keys) <= FEW and all([(ts := tasks.get(key)) is not None and ts.who_wants for key in keys]):
            return False
        self._arrived.append(keys)
        return True

    def step(self, tasks: Mapping[Any, TaskState]) -> bool:
        """Mark tasks of new graphs that nothing will ever run, in slices; returns whether there is more to look at."""
        if not self._arrived:
            return False
        keys, marked = self._arrived[0], self._marked
        for key in keys[self._at : self._at + SLICE]:
            ts = tasks.get(key)
            if ts is None or ts.state != "released" or ts.nbytes >= 0 or ts.who_wants or ts.waiters or key in marked:
                continue
            marked[key] = HALTED
            self.add(ts)
        self._at += SLICE
        if self._at >= len(keys):
            self._arrived.popleft()
            self._at = 0
        return bool(self._arrived)

    def begin(self, tasks: Mapping[Any, TaskState], marked: Mapping[Any, str]) -> None:
        """Count those that an older collector has marked."""
        for key, mark in marked.items():
            ts = tasks.get(key) if mark == HALTED else None
            if ts is not None and ts.state == "released":
                self.add(ts)

    def mark_earlier(self, tasks: Mapping[Any, TaskState], marked: dict[Any, str]) -> None:
        """Mark tasks that had failed, or been released, before the observation began: no hook has seen it."""
        for key, ts in islice(tasks.items(), EARLIER):
            if ts.state == "erred":
                marked[key] = ERRED
            elif ts.state == "released" and ts.nbytes < 0 and key not in marked:
                marked[key] = HALTED
                self.add(ts)

    def restart(self) -> None:
        """The scheduler was cleared on purpose."""
        self._arrived.clear()
        self._at = 0
        self.of_prefix.clear()
        self.of_group.clear()

"""Which computation a task belongs to: the first that asked for it.

The transition hook reads and marks one dict entry per execution, and removes it when the task is forgotten. Small
graphs are claimed at once, large ones in slices between the scheduler's other events; what happens to their tasks
meanwhile is queued behind them, so that the order is that of the scheduler.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from dask.utils import key_split

from .computation import number_of
from .episodes import ACTIVE
from .halted import Halted

if TYPE_CHECKING:
    from distributed.scheduler import TaskState

#: Tasks followed at the same time, about 90 bytes each.
LIMIT = 500_000
#: Tasks of a graph claimed at once, and in one slice of a larger graph: 0.5 and 1 ms.
AT_ONCE = 500
SLICE = 1_000
#: Keys with a result that are remembered once they are forgotten: this number, and as many before, about 70 bytes each.
KNOWN = 100_000
#: Executions, and totals of executions, kept until their graph is claimed.
EARLY = LATE = 20_000
#: Tasks that had failed before and are counted only once for their computation.
ASKED = 20_000
#: Tasks looked at when the collector begins to observe: 10 ms.
EARLIER = 50_000
#: States of tasks that do not have to be executed.
_ENDED = frozenset(("memory", "erred"))

#: Key, Dask's intervals, bytes of the result, whether it failed, its row of the ring (-1 unknown).
Execution = tuple[Any, Any, Any, bool, int]


class Claims:
    """The computation of every task that the scheduler knows.

    Parameters
    ----------
    claimed : callable
        Receives the number of a computation, the name of the function of each task that became its own, how many are
        not followed, the functions of those that had had a result, and how many tasks of the graph had failed before.
    dropped : callable
        Receives the number of a computation and the name of a function: the scheduler has forgotten a task of it that
        had not run.
    settle : callable
        Called before queued entries are removed: recorded executions must be resolved first.
    failed : callable
        Receives the error that ended the claiming of a graph.

    Attributes
    ----------
    owners : dict
        Number of the computation by key; its complement (``~number``) once the task has been executed. See `number_of`.
    drop : callable
        `dropped`; the transition hook calls it.
    queue : deque
        Graphs that are not claimed yet, and keys that were forgotten meanwhile, in order.
    results : deque
        Keys that were forgotten after they had had a result; the transition hook appends them.
    """

    def __init__(
        self,
        claimed: Callable[[int, list[str], int, list[str], int], None],
        dropped: Callable[..., None],
        settle: Callable[[], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self._claimed, self.drop, self._settle, self._failed = claimed, dropped, settle, failed
        self._tasks: Mapping[Any, TaskState] = {}
        self.owners: dict[Any, int] = {}
        #: Hears of keys that are asked for, and of those that are claimed.
        self.halted = Halted()
        self.queue: deque[tuple[int | None, list[Any]]] = deque()
        #: Position in the first graph of the queue.
        self._at = 0
        #: Keys that were executed before they were claimed.
        self._early: set[Any] = set()
        self.results: deque[Any] = deque(maxlen=KNOWN)
        #: Hashes of keys that had a result, in two parts of which the older one is dropped.
        self._known, self._known_before = set[int](), set[int]()
        #: Keys of the queue that were forgotten without a result although they had been executed.
        self._failed_keys: set[Any] = set()
        #: Executions of tasks that are not claimed yet.
        self._late: list[Execution] = []
        #: Tasks that had failed before, with the computations that asked for them: each is counted once.
        self._asked: set[tuple[int, Any]] = set()
        self._handle: asyncio.Handle | None = None
        #: Whether executions may have been noted before their graph was claimed.
        self.busy = False

    def begin(self, tasks: Mapping[Any, TaskState]) -> None:
        """Start; `tasks` is ``Scheduler.tasks``, and a reference to it is kept."""
        self._tasks = tasks
        if self.queue:
            self._wait()

    def unclaimed(self) -> list[Any]:
        """Unfinished tasks without an owner; empty while graphs are not claimed yet."""
        if self.queue:
            return []
        tasks = islice(self._tasks.items(), EARLIER)
        return [key for key, ts in tasks if ts.state in ACTIVE and key not in self.owners]

    def take(self, old: Any) -> None:
        """Go on with the claims of an older collector, before the start."""
        self.owners, self.queue = old.owners, old.queue
        self._at, self._early, self.busy = old._at, old._early, old.busy
        # An older collector did not keep the row.
        self._late = [(*execution, -1)[:5] for execution in old._late]
        # Those of a collector that remembered what was asked for, not what had a result, are not taken over.
        if hasattr(old, "results"):
            self._known, self._known_before = old._known, old._known_before
            self.results.extend(old.results)
            self._failed_keys = old._failed_keys

    def clear(self) -> None:
        """The scheduler was cleared on purpose."""
        self.stop()
        # The transition hook has references to these.
        self.owners.clear()
        self.queue.clear()
        self._early.clear()
        self._late.clear()
        self.results.clear()
        self._failed_keys.clear()
        self._asked.clear()
        self._known, self._known_before = set(), set()
        self._at, self.busy = 0, False

    def stop(self) -> None:
        """Claim nothing more."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def submit(self, number: int, keys: list[Any]) -> None:
        """A graph of a computation has arrived; before any transition of its tasks."""
        self.halted.asked(number, keys)
        if not self.queue and len(keys) <= AT_ONCE:
            self._claim(number, keys)
            return
        self.busy = True
        self.queue.append((number, list(keys)))
        self._wait()

    # -- what the transition hook notes while graphs are not claimed ---------------------------------------------

    def execute(self, key: Any) -> None:
        """A task without an owner was executed."""
        if len(self._early) < EARLY:
            self._early.add(key)

    def forget(self, key: Any, failed: bool = False) -> None:
        """A task was forgotten, perhaps without a result of its execution: after the graphs that arrived before."""
        if failed:
            self._failed_keys.add(key)
        last = self.queue[-1]
        if last[0] is None:
            last[1].append(key)
        else:
            self.queue.append((None, [key]))

    # -- slices --------------------------------------------------------------------------------------------------

    def _wait(self) -> None:
        if self._handle is None:
            self._handle = asyncio.get_running_loop().call_soon(self._step)

    def _step(self) -> None:
        self._handle = None
        try:
            self.step()
        except Exception as error:
            # The graph's tasks stay without an owner.
            self.queue.clear()
            self._early.clear()
            self._failed_keys.clear()
            self._at = 0
            self.busy = False
            self._failed(error)
        if self.queue:
            self._wait()

    def step(self) -> None:
        """Do one slice of the queue."""
        number, keys = self.queue[0]
        part = keys[self._at : self._at + SLICE]
        if number is None:
            self._settle()
            for key in part:
                owner = self.owners.pop(key, None)
                if owner is not None and owner >= 0:
                    self.drop(owner, key_split(key))
                elif owner is not None and key not in self._failed_keys:
                    self.results.append(key)
                self._failed_keys.discard(key)
        else:
            self._claim(number, part)
        self._at += SLICE
        if self._at >= len(keys):
            self.queue.popleft()
            self._at = 0
            if not self.queue:
                self._settle()
                self._early.clear()
                self._failed_keys.clear()
                self.busy = False

    def _claim(self, number: int, keys: list[Any]) -> None:
        owners, task, early, room = self.owners, self._tasks.get, self._early, LIMIT - len(self.owners)
        fresh: list[Any] = []
        functions: list[str] = []
        for key in keys:
            if key in owners:
                continue
            ts = task(key)
            # Nothing is known of who asked for a result that existed before.
            if (ts is not None and ts.state not in _ENDED) or key in early:
                fresh.append(key)
                functions.append(key_split(key) if ts is None else ts.prefix.name)
        for key in fresh[: max(0, room)]:
            owners[key] = number
        before = 0 if len(fresh) == len(keys) else self._before(number, keys)
        followed = functions[: max(0, room)]
        self._claimed(number, followed, len(fresh) - len(followed), self._again(fresh), before)
        self.halted.claimed(fresh, followed)

    def _before(self, number: int, keys: list[Any]) -> int:
        """How many of a graph's tasks had failed before, and do not run now."""
        owners, task, early, asked, count = self.owners, self._tasks.get, self._early, self._asked, 0
        for key in keys:
            if (ts := task(key)) is None or ts.state != "erred" or key in early:
                continue
            owner = owners.get(key)
            if owner is None and self.queue and (ts.exception_blame is not ts or len(early) >= EARLY):
                # May have failed while the graph waited to be claimed.
                continue
            if (owner is not None and number_of(owner) == number) or (number, key) in asked:
                continue
            if len(asked) >= ASKED:
                asked.clear()
            asked.add((number, key))
            count += 1
        return count

    def _again(self, fresh: list[Any]) -> list[str]:
        """Functions of keys that have had a result before: the scheduler has forgotten them since."""
        known, before = self._known, self._known_before
        known.update(map(hash, self.results))
        self.results.clear()
        if len(known) > KNOWN:
            self._known, self._known_before = set(), known
        hashes = [*map(hash, fresh)]
        if known.isdisjoint(hashes) and before.isdisjoint(hashes):
            return []
        again = [key for key, found in zip(fresh, hashes) if found in known or found in before]
        return [key_split(key) if (ts := self._tasks.get(key)) is None else ts.prefix.name for key in again]

    def _resolve(self, key: Any) -> int | None:
        """Owner of a task that was executed before it was claimed, marked as executed; None if it is not known."""
        owner = self.owners.get(key)
        if owner is not None and owner >= 0:
            self.owners[key] = ~owner
        return owner

    def resolved(self, keys: list[Any], owners: list[int | None]) -> tuple[list[int | None], list[int]]:
        """Owners of executions whose tasks have been claimed since they ended, and which of them wait for a graph."""
        found, waiting = owners[:], []
        for i, owner in enumerate(owners):
            if owner is None:
                found[i] = self._resolve(keys[i])
                if found[i] is None and self.queue:
                    waiting.append(i)
        return found, waiting

    def keep(self, executions: Iterable[Execution]) -> None:
        """Keep executions until their graph is claimed, as many as there is room for."""
        self._late.extend(islice(executions, LATE - len(self._late)))

    def settled(self) -> Iterator[tuple[int, Execution]]:
        """Executions whose tasks have been claimed meanwhile, with their owners."""
        late, self._late = self._late, []
        for execution in late:
            owner = self._resolve(execution[0])
            if owner is not None:
                yield owner, execution
            elif self.queue:
                self._late.append(execution)

"""The errors topic: what failed, grouped by function, type of exception and shape of its message.

Two messages have one shape where they differ in numbers and hexadecimal digits only. Nothing is unpickled: Dask keeps
the exception and its traceback as texts, too. Groups stay when Dask forgets its tasks. Of an attempt that is retried
Dask keeps no text: these are counted by function.

Everything is bounded: groups, shapes of one function's exceptions, texts, workers and functions that a group names.
What does not fit is counted in groups without a message. Tasks that are erred now are followed by key: as many as the
scheduler itself has.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from dask.utils import key_split
from distributed.metrics import time

from .columns import unsigned, wire
from .error_texts import MESSAGE, both_ends, parts_of, shape_of
from .names import Names
from .plain import number, text, written
from .scheduler_errors import KILLED, death, scheduler_exception
from .versions import changed, touch

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler, TaskState, WorkerState

#: Groups, and those of one function and type of exception.
GROUPS, ALIKE = 1_000, 100
#: Characters of a traceback and of a key.
TRACEBACK, KEY = 4_000, 1_000
#: Workers that a group names, and functions of tasks that did not run because of it.
NAMED = 20
#: Groups of one read: with the texts below a megabyte.
READ_ROWS = 100
#: Exceptions whose group is remembered by their text.
REMEMBERED = 1_000
#: Tasks that did not run, of errors from before, that are looked for.
EARLIER = 10_000
#: Codes of the schema's enum ``errorKind``.
ERRED, RETRIED = range(2)
#: Columns of a row, in the order of its values, after its kind and function.
COUNTS = ("count", "now", "dependents", "elsewhere")

#: Instead of the shape of further messages; no shape is the same.
_MORE = "\0"


def _group_of(followed: int) -> int:
    """The group of an entry of `Errors.erring`."""
    return max(followed, ~followed)


class Errors:
    """Groups of errors with the version at which each last changed.

    Parameters
    ----------
    names : Names
        Dictionaries of prefixes and workers.
    worker_at : callable
        The worker at an address, also one that was just lost, as the last heartbeat left it.
    """

    def __init__(self, names: Names, worker_at: Callable[[str], WorkerState | None]) -> None:
        self._names = names
        self._worker_at = worker_at
        #: By group: kind, 1 + prefix id, then `COUNTS`, first and last time.
        self._rows: list[list[Any]] = []
        self._texts: list[dict[str, Any]] = []
        self._keys: list[str] = []
        #: By group: failures by worker id, and tasks that did not run by prefix id.
        self._workers: list[dict[int, int]] = []
        self._blocked: list[dict[int, int]] = []
        self._ids: dict[tuple[int, int, str, str], int] = {}
        self._alike: dict[tuple[int, str], int] = {}
        self._remembered: dict[tuple[int, str], int] = {}
        #: Of rows by group, of texts by ~group: a reader lacks either alone.
        self._versions: dict[int, int] = {}
        #: By group: failures of tasks that were tried again since, and tasks that had not run because of it.
        self._again: dict[int, int] = {}
        self._unblocked: dict[int, int] = {}
        #: Group of each task that is erred now: its own error; in complement, the one that it did not run for. Read by
        #: the hook.
        self.erring: dict[Any, int] = {}
        self.version = 0

    # -- what happens -------------------------------------------------------------------------------------------

    def begin(self, scheduler: Scheduler) -> None:
        """Take the errors that Dask still lists from before, unless an older collector has handed its own over."""
        if self.version:
            return
        left = EARLIER
        for entry in reversed([*getattr(scheduler, "erred_tasks", ())]):
            ts = scheduler.tasks.get(entry.key)
            own = ts is None or ts.exception_blame is None or ts.exception_blame is ts
            if not own or not (entry.exception_text or (ts is not None and scheduler_exception(ts))):
                continue
            name = key_split(entry.key) if ts is None else ts.prefix.name
            if ts is None or entry.exception_text:
                found = self._group(ERRED, name, entry.exception_text, entry.traceback_text)
            else:
                found = self._of_scheduler(ts, "", None)
            self._count(found, entry.key, sorted(map(str, entry.erred_on)), number(entry.timestamp))
            if ts is not None and ts.state == "erred":
                self._follow(found, entry.key)
                left = self._begin_dependents(ts, left)

    def _begin_dependents(self, blamed: TaskState, left: int) -> int:
        """Take the tasks that did not run because of one; Dask does not list these. Returns how many more to take."""
        waiting = [blamed]
        while waiting:
            for ts in waiting.pop().dependents:
                if left > 0 and ts.exception_blame is blamed and ts.state == "erred" and ts.key not in self.erring:
                    left -= 1
                    self._block(ts, blamed)
                    waiting.append(ts)
        return left

    def fail(self, ts: TaskState, start: str, worker: str | None, details: dict[str, Any]) -> None:
        """A task erred: it raised, its workers died, no worker fits, or a task that it needs failed before."""
        blamed = ts.exception_blame
        if blamed is not None and blamed is not ts:
            self._block(ts, blamed)
            return
        exception, traceback = details.get("exception_text"), details.get("traceback_text")
        if exception:
            found = self._group(ERRED, ts.prefix.name, str(exception), str(traceback or ""))
        else:
            found = self._of_scheduler(ts, start, worker)
        self._count(found, ts.key, () if worker is None else (worker,), time())
        self._follow(found, ts.key)

    def retry(self, ts: TaskState) -> None:
        """An attempt failed, and the task is tried again."""
        self._count(self._group(RETRIED, ts.prefix.name, "", ""), ts.key, (), time())

    def leave(self, ts: TaskState, again: bool) -> None:
        """A task is not erred any more: it was released, forgotten or, `again`, is tried again."""
        followed = self.erring.pop(ts.key)
        found = _group_of(followed)
        row = self._rows[found]
        row[3] -= 1
        if again and followed >= 0:
            self._again[found] = self._again.get(found, 0) + 1
        elif again:
            self._unblock(found, self._names.prefix_ids[ts.prefix.name])
        self._touch(found)

    def _unblock(self, found: int, prefix: int) -> None:
        self._rows[found][4] -= 1
        self._unblocked[found] = self._unblocked.get(found, 0) + 1
        functions = self._blocked[found]
        # A function beyond those that are named is not counted.
        if prefix in functions:
            functions[prefix] -= 1
            if not functions[prefix]:
                del functions[prefix]

    def restart(self) -> None:
        """The scheduler was cleared on purpose: the groups stay, their tasks are gone."""
        self.erring.clear()
        for found, row in enumerate(self._rows):
            row[3] = 0
            self._touch(found)

    # -- groups -------------------------------------------------------------------------------------------------

    def _of_scheduler(self, ts: TaskState, start: str, worker: str | None) -> int:
        """The group of an exception of the scheduler itself, which comes without a text."""
        raised = scheduler_exception(ts, start, worker)
        found = self._group(ERRED, ts.prefix.name, raised, "")
        if raised == KILLED:
            self._describe(found, death(ts, None if worker is None else self._worker_at(worker)))
        return found

    def _group(self, kind: int, name: str, exception: str, traceback: str) -> int:
        prefix = self._names.prefix_ids[name]
        short = kind == ERRED and len(exception) <= MESSAGE
        if short:
            known = self._remembered.get((prefix, exception))
            if known is not None:
                return known
        type_, message = parts_of(exception)
        found = self._find(kind, prefix, type_, message, traceback)
        if short:
            if len(self._remembered) >= REMEMBERED:
                self._remembered.clear()
            self._remembered[prefix, exception] = found
        return found

    def _find(self, kind: int, prefix: int, type_: str, message: str, traceback: str) -> int:
        shape = shape_of(message)
        found = self._ids.get((kind, prefix, type_, shape))
        if found is not None:
            if message != self._texts[found]["message"] and not self._texts[found]["shape"]:
                self._describe(found, {"shape": shape})
            return found
        if self._alike.get((prefix, type_), 0) >= ALIKE:
            # Too many different messages: one group for the others.
            shape, message, traceback = _MORE, "", ""
        elif len(self._rows) >= GROUPS:
            prefix, type_, shape, message, traceback = -1, "", _MORE, "", ""
        found = self._ids.get((kind, prefix, type_, shape))
        return self._add(kind, prefix, type_, shape, message, traceback) if found is None else found

    def _add(self, kind: int, prefix: int, type_: str, shape: str, message: str, traceback: str) -> int:
        found = self._ids[kind, prefix, type_, shape] = len(self._rows)
        self._alike[prefix, type_] = self._alike.get((prefix, type_), 0) + 1
        self._rows.append([kind, prefix + 1, 0, 0, 0, 0, 0.0, 0.0])
        self._texts.append({"type": type_, "message": "", "shape": "", "traceback": ""})
        self._keys.append("")
        self._workers.append({})
        self._blocked.append({})
        texts = {"message": message, "traceback": both_ends(traceback, TRACEBACK), "more": shape == _MORE}
        self._describe(found, texts)
        return found

    def _describe(self, found: int, texts: dict[str, Any]) -> None:
        self._texts[found].update(texts)
        self._touch(~found)

    def _count(self, found: int, key: Any, workers: Iterable[str], now: float) -> None:
        row = self._rows[found]
        row[2] += 1
        row[6] = row[6] or now
        row[7] = max(row[7], now)
        self._keys[found] = text(written(key), KEY)
        known = self._workers[found]
        for address in workers:
            worker = self._names.worker_at(address)
            if worker in known:
                known[worker] += 1
            elif worker >= 0 and len(known) < NAMED:
                known[worker] = 1
            else:
                row[5] += 1
        self._touch(found)

    def _follow(self, found: int, key: Any) -> None:
        if key not in self.erring:
            self.erring[key] = found
            self._rows[_group_of(found)][3] += 1

    def _block(self, ts: TaskState, blamed: TaskState) -> None:
        followed = self.erring.get(blamed.key)
        if followed is not None:
            found = _group_of(followed)
        else:
            found = self._group(ERRED, blamed.prefix.name, blamed.exception_text or "", blamed.traceback_text or "")
        self._rows[found][4] += 1
        functions = self._blocked[found]
        prefix = self._names.prefix_ids[ts.prefix.name]
        if prefix in functions or len(functions) < NAMED:
            functions[prefix] = functions.get(prefix, 0) + 1
        self._follow(~found, ts.key)
        self._touch(found)

    def _touch(self, found: int) -> None:
        self.version += 1
        touch(self._versions, found, self.version)

    # -- reading ------------------------------------------------------------------------------------------------

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Groups and texts that changed after a version: the topic body and the cursor after it."""
        news, after = changed(self._versions, cursor, READ_ROWS, self.version)
        ids = [found for found in news if found >= 0]
        rows = [self._rows[found] for found in ids]
        columns = {
            "id": wire(unsigned(ids, max(ids, default=0))),
            "kind": wire(array("B", (row[0] for row in rows))),
            "prefix": wire(unsigned((row[1] for row in rows), len(self._names.prefixes))),
            **{name: wire(array("I", (row[2 + i] for row in rows))) for i, name in enumerate(COUNTS)},
            "again": wire(array("I", (self._again.get(found, 0) for found in ids))),
            "dependents_ever": wire(array("I", (self._rows[i][4] + self._unblocked.get(i, 0) for i in ids))),
            "first": wire(array("d", (row[6] for row in rows))),
            "last": wire(array("d", (row[7] for row in rows))),
        }
        scalars = {
            "texts": [{"id": ~found, **self._texts[~found]} for found in news if found < 0],
            "keys": [[i, self._keys[i]] for i in ids],
            "at": [[i, worker, count] for i in ids for worker, count in self._workers[i].items()],
            "blocked": [[i, prefix, count] for i in ids for prefix, count in self._blocked[i].items()],
        }
        return {"c": columns, "s": scalars}, after

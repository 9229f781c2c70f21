"""The computations topic: what users computed, by graph submissions that belong together, with accumulated totals.

A computation is the submissions of one client from the same execution of a cell, or from the same code less than a
second after each other or after the end of its tasks, as in a loop. A task belongs to the first computation that asked
for it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any

from dask.utils import key_split
from distributed.metrics import time

from .claims import Claims
from .columns import unsigned, wire
from .computation import HALTED_OWNER, Computation, functions_of, is_halted, number_of, renews
from .computation_columns import columns_of
from .kept import Kept
from .owned import Owned
from .plain import text
from .shares import Shares
from .submission import CODE, Submission, reading
from .versions import changed, touch

#: Computations kept (see `Kept`), and those that may still be continued.
LIMIT = 1_000
#: Seconds between two submissions from the same code that belong together, or from the end of its tasks to the next.
APART = 1.0
#: Executions of cells that kernels described.
CELLS = 1_000
#: Rows, and texts of rows, per read.
READ_ROWS, READ_TEXTS = 500, 50


class Computations:
    """The newest computations with the version at which each last changed.

    Parameters
    ----------
    drain : callable
        Records the executions that the transition hook has noted; calls `ended`.
    failed : callable
        Receives an error in the work of slices.
    threads : callable
        Returns ``Scheduler.total_nthreads_history``.
    ids : mapping
        Index by name of a function.
    code : bool
        Whether source code is kept.
    """

    def __init__(
        self,
        drain: Callable[[], None],
        failed: Callable[[Exception], None],
        threads: Callable[[], Sequence[tuple[float, int]]],
        ids: Mapping[str, int],
        code: bool = True,
    ) -> None:
        self._drain, self._threads, self._code = drain, threads, code
        self.claims = Claims(self._claimed, self._drop, self._settle, failed)
        self.shares = Shares(ids)
        self.owned = Owned()
        self.kept = Kept()
        self._rows = self.kept.rows
        self._versions: dict[int, int] = {}
        #: Version of each row's texts, which change rarely.
        self._texts: dict[int, int] = {}
        #: Newest computation by client and cell, or client and code.
        self._open: OrderedDict[tuple[Any, ...], int] = OrderedDict()
        self._cells: OrderedDict[tuple[Any, ...], tuple[int, str, str, int]] = OrderedDict()
        self._next = self.version = 0
        #: Stimulus of the newest graph, and its computation: next, Dask reports what it cost.
        self._newest = self._submitted = ("", -1)

    def begin(self, tasks: Mapping[Any, Any]) -> None:
        """Start; `tasks` is ``Scheduler.tasks``. Unfinished tasks that nobody has claimed become one computation."""
        self.claims.begin(tasks)
        if left := self.claims.unclaimed():
            found = self._begin(Submission("", "", 0.0, None, None, None, ("",)), ("", "earlier"), time())
            self._rows[found].origin = "earlier"
            self.claims.submit(found, left)

    def restart(self) -> None:
        """The scheduler was cleared on purpose: its tasks are gone, what was computed stays."""
        self.claims.clear()
        self.kept.left = 0
        for found, row in self._rows.items():
            if row.left:
                row.drop_all()
                self._touch(found)
                self.shares.drop_all(found, self.version)
        self._open.clear()
        # What a cell submits from now on is of another line, which its kernel reports.
        self._cells = OrderedDict((key, (*cell[:3], 0)) for key, cell in self._cells.items())

    def submit(self, submission: Submission, keys: list[Any], now: float) -> int:
        """A graph has arrived, before any transition of its tasks; returns its computation."""
        found = self._computation(submission, keys, now)
        row = self._rows[found]
        row.submit(submission, len(keys), now)
        if row.within(submission.spans):
            self._touch(found, self._texts)
        self._newest = self._submitted = (submission.stimulus, found)
        self._touch(found)
        self.claims.submit(found, keys)
        return found

    def _computation(self, submission: Submission, keys: list[Any], now: float) -> int:
        code = submission.code.identity if submission.code is not None else None
        key = (submission.client, submission.cell, None if submission.cell else code)
        found = self._open.get(key, -1)
        row = self._rows.get(found)
        begun = submission.begun if 0 < submission.begun <= now else now
        if row is not None and (submission.cell or begun - row.last < APART):
            return found
        functions = () if submission.cell or code else functions_of(keys)
        follows = row is not None and row.is_followed_by(functions, begun, APART)
        return found if follows else self._begin(submission, key, now, functions)

    def is_identified(self, found: int) -> bool:
        """Whether the cell or the code of a computation is known."""
        return found in self._rows and not self._rows[found].functions

    def _begin(self, submission: Submission, key: tuple[Any, ...], now: float, functions: tuple[str, ...] = ()) -> int:
        found, self._next = self._next, self._next + 1
        row = self._rows[found] = Computation(submission, now, functions)
        self._open[key] = found
        self._open.move_to_end(key)
        if len(self._open) > LIMIT:
            self._open.popitem(last=False)
        if submission.cell and (described := self._cells.get(key[:2])) is not None:
            row.describe(*described)
        if submission.code is not None and self._code:
            row.code, row.line, row.origin = submission.code.text, submission.code.line, "dask"
        self._touch(found, self._texts)
        for gone in self.kept.shrink(LIMIT, self._drain):
            self.shares.forget(gone)
            for versions in (self._versions, self._texts):
                versions.pop(gone, None)
        return found

    def cell(self, client: str, cell: int, shown: int, code: str, cell_id: str, line: int = 0) -> None:
        """A kernel describes the execution of a cell that it marks the graphs of a client with.

        `cell` is its number in the marks, `shown` the one that the notebook shows, `line` that of `code` which submits,
        0 if unknown; `code` is empty if it must not be sent, `cell_id` if unknown.
        """
        key = (text(client, 200), cell)
        described = self._cells[key] = (shown, text(code, CODE) if self._code else "", text(cell_id, 200), line)
        if len(self._cells) > CELLS:
            self._cells.popitem(last=False)
        if (found := self._open.get((*key, None), -1)) in self._rows:
            self._rows[found].describe(*described)
            self._touch(found, self._texts)

    def logged(self, message: Any) -> None:
        """Dask's event about a graph that it has read."""
        stimulus, found = self._newest
        row = self._rows.get(found)
        if row is None or (seconds := reading(message, stimulus)) is None:
            return
        self._newest = ("", -1)
        if isfinite(seconds):
            row.has_read(seconds)
            self._touch(found)

    def graphs(self, found: int) -> dict[str, Any] | None:
        """The newest graphs of a computation: see `RecentGraphs.describe`; None if it is not kept."""
        return self._rows[found].recent.describe() if found in self._rows else None

    def _claimed(self, found: int, functions: list[str], unfollowed: int, again: list[str], before: int) -> None:
        if (row := self._rows.get(found)) is None:
            self.version += self.kept.end(found, -len(functions))
        elif functions or unfollowed or before:
            row.claim(len(functions), unfollowed, len(again), before)
            self._touch(found)
            self.shares.claim(found, functions, again, self.version)

    def _drop(self, owner: int, function: str, failed: bool = False, tasks: int = 1, undone: bool = False) -> None:
        found, renewed = number_of(owner), renews(owner)
        if (row := self._rows.get(found)) is None:
            self.version += self.kept.end(owner, tasks)
        elif not is_halted(owner):
            row.drop(renewed, tasks, undone)
            self._touch(found)
            self.shares.drop(found, function, failed, self.version, renewed, tasks, undone)

    def fail(self, key: Any, function: str, itself: bool) -> None:
        """A task erred without an execution: `itself` (its workers died, none fits), or since an earlier one had."""
        # Without an owner, the next computation: it has no row.
        owner = self.claims.owners.get(key, ~self._next)
        if (row := self._rows.get(number_of(owner))) is not None:
            row.erred, row.failed = row.erred + itself, row.failed + itself
            row.dropped -= owner >= 0 and itself and not renews(owner)
            self._touch(number_of(owner))
        if owner >= 0:
            self.claims.owners[key] = ~owner if itself else ~(owner + HALTED_OWNER)
            self._drop(owner, function, failed=True)

    def retry(self, key: Any, function: str) -> None:
        """A task is tried again that had failed, or had not run since one that it needs had."""
        found = number_of(owner := ~self.claims.owners.get(key, 0))
        if owner >= 0:
            self.claims.owners[key] = owner % HALTED_OWNER
            if (row := self._rows.get(found)) is None:
                self.version += self.kept.end(found, -1)
            else:
                row.retry(renews(owner), is_halted(owner))
                self._touch(found)
                self.shares.drop(found, function, True, self.version, tasks=-1)

    def lose(self, key: Any, function: str, stimulus: str | None, lost: bool) -> None:
        """A result must be computed again: `lost` while something needed it, or released and needed again."""
        found = number_of(owner := self.claims.owners.get(key, 0))
        if owner < 0 and (row := self._rows.get(found)) is not None:
            asked = not lost and self._submitted == (stimulus, found)
            self.claims.owners[key] = found + row.lose(asked, time() if lost else None)
            self._touch(found)
            self.shares.lose(found, function, self.version)
        elif owner < 0:
            self.claims.owners[key] = found
            self.version += self.kept.end(found, -1)

    def ended(
        self,
        keys: list[Any],
        tasks: list[Any],
        owners: list[int | None],
        rows: list[Any],
        sizes: list[Any],
        failed: Sequence[int],
        first: int | None = None,
    ) -> None:
        """Count executions.

        Parameters
        ----------
        keys, tasks, owners : list
            The task of each, and its entry in `Claims.owners` when it ended, None without one.
        rows, sizes : list
            Dask's intervals of each, and bytes of each result.
        failed : sequence of int
            Which of them failed, counted from 0.
        first : int, optional
            Row of the ring of the first of them; the others follow it.
        """
        wrong, waiting = set(failed), list[int]()
        if self.claims.busy:
            owners, waiting = self.claims.resolved(keys, owners)
            row = -len(keys) if first is None else first
            self.claims.keep((keys[i], rows[i], sizes[i], i in wrong, row + i) for i in waiting)
        else:
            self.version = self.owned.seal(self.version, finally_=True)
        if first is not None:
            self.version = self.owned.note(first, owners, waiting, self.version)
        for (owner, function), at in self.shares.grouped(owners, tasks).items():
            erred = sum([i in wrong for i in at]) if wrong else 0
            self._count(owner, function, [rows[i] for i in at], [sizes[i] for i in at], erred)

    def _settle(self) -> None:
        """Count executions whose tasks have been claimed meanwhile."""
        self._drain()
        for owner, (key, intervals, size, erred, row) in self.claims.settled():
            self.owned.settle(row, owner)
            self._count(owner, key_split(key), [intervals], [size], int(erred))
        self.version = self.owned.seal(self.version, finally_=not self.claims.queue)

    def _count(self, owner: int, function: str | None, rows: list[Any], sizes: list[Any], erred: int) -> None:
        """Add executions of one function, or of functions without a share, of one entry of `Claims.owners`."""
        if (row := self._rows.get(found := number_of(owner))) is None:
            self.version += self.kept.end(owner, len(rows))
            return
        durations = (row.renew if renews(owner) else row.add)(rows, sizes, erred, again=owner < 0)
        self._touch(found)
        if function is not None:
            self.shares.count(owner, function, durations, len(rows), erred, self.version)

    def _touch(self, found: int, versions: dict[int, int] | None = None) -> None:
        self.version = version = self.version + 1
        touch(self._versions if versions is None else versions, found, version)

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Rows and texts that changed after a version: the topic body and the cursor after it."""
        ids, after = changed(self._versions, cursor, READ_ROWS, self.version)
        described, after_texts = changed(self._texts, cursor, READ_TEXTS, self.version)
        columns = {
            "id": wire(unsigned(ids, max(ids, default=0))),
            **columns_of([self._rows[found] for found in ids], self._threads()),
        }
        scalars = {
            **{"kept": self.kept.whole_from, "older": self.kept.older, "unkept": self.kept.left},
            "texts": [{"id": found, **self._rows[found].texts} for found in described],
        }
        scalars["rows"], after_rows = self.owned.read(cursor, self.version)
        return {"c": columns, "m": self.shares.read(ids, cursor), "s": scalars}, min(after, after_texts, after_rows)

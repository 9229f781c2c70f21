"""Totals of the tasks of each function in each computation.

Guarantees: a computation has a bounded number of functions, and all computations together, too; beyond that the oldest
computations have none. Tasks without a share still count in the totals of their computation.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from math import nan
from typing import Any

from .columns import unsigned, wire
from .computation import number_of, renews

#: Functions of one computation, and of all together; about 150 bytes each.
FUNCTIONS = 200
LIMIT = 10_000
#: Columns of the frame.
COUNTS = ("tasks", "again", "left", "dropped", "failed", "done")
EVER = ("dropped_ever", "failed_ever")
FIGURES = ("compute", "longest")


#: What older collectors do not know.
_NEW = ("again", "undropped", "unfailed")


def _counted(names: Iterable[str]) -> dict[str, int]:
    # To make a `Counter` takes longer than to count the one task of many a graph.
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return counts


class Share:
    """Counts of one function in one computation; see topic ``computations`` of the schema."""

    __slots__ = (*COUNTS, *FIGURES, "function", "undropped", "unfailed", "version")

    def __init__(self, function: int) -> None:
        #: Index of the function's name: several names may share one.
        self.function = function
        self.tasks = self.again = self.left = self.dropped = self.failed = self.done = 0
        self.compute = self.longest = 0.0
        #: Tasks that were dropped, or had failed, and may run after all.
        self.undropped = self.unfailed = 0
        #: Version of its computation when it last changed.
        self.version = 0

    @property
    def dropped_ever(self) -> int:
        """As `dropped`, with those that may run after all."""
        return self.dropped + self.undropped

    @property
    def failed_ever(self) -> int:
        """As `failed`, with those that may run after all."""
        return self.failed + self.unfailed

    def drop(self, tasks: int, failed: bool, renewed: bool, undone: bool = False) -> None:
        """See `Shares.drop`."""
        dropped = not failed and not renewed
        self.left -= tasks
        self.failed += tasks * failed
        self.dropped += tasks * dropped
        self.unfailed += max(0, -tasks) * failed
        self.undropped += max(0, -tasks) * (dropped and not undone)

    def add(self, durations: Sequence[float] | None, count: int, erred: int, again: bool) -> None:
        """Count executions.

        Parameters
        ----------
        durations : sequence of float, optional
            Seconds of each; None if they could not be read.
        count, erred : int
            Number of executions, and of those that failed.
        again : bool
            Whether their tasks had been executed before.
        """
        if not again:
            self.left -= count
            self.failed += erred
        self.done += count - erred
        if durations is None:
            self.compute = self.longest = nan
        elif durations:
            self.compute += sum(durations)
            self.longest = max(self.longest, *durations) if self.longest == self.longest else nan

    def renew(self, durations: Sequence[float] | None, count: int, erred: int, again: bool) -> None:
        """Count executions after the computation had ended: they do not count in its times. See `add`."""
        if not again:
            self.left -= count
            self.failed += erred


class Shares:
    """Shares of all computations, by the name of the function.

    Parameters
    ----------
    ids : mapping
        Index by name of a function.
    """

    def __init__(self, ids: Mapping[str, int]) -> None:
        self.ids = ids
        self._of: dict[int, dict[str, Share]] = {}
        self._count = 0

    def take(self, old: Any) -> None:
        """Go on with those of an older collector."""
        for found, shares in old._of.items():
            same: dict[int, Share] = {}
            for share in shares.values():
                mine = same[id(share)] = Share(share.function)
                for name in Share.__slots__:
                    setattr(mine, name, getattr(share, name, 0) if name in _NEW else getattr(share, name))
            self._of[found] = {function: same[id(share)] for function, share in shares.items()}
            self._count += len(shares)

    def of(self, found: int, function: str, version: int) -> Share | None:
        """The share of a function, about to change; None where there are too many."""
        shares = self._of.get(found)
        share = None if shares is None else shares.get(function)
        if share is not None:
            share.version = version
        return share

    def claim(self, found: int, functions: Iterable[str], again: Iterable[str], version: int) -> None:
        """Tasks became a computation's own.

        Parameters
        ----------
        functions, again : iterable of str
            The function of each of them, and of each that an earlier computation had asked for.
        """
        shares = self._of.get(found)
        if shares is None:
            shares = self._of[found] = {}
        for function, count in _counted(functions).items():
            share = shares.get(function)
            if share is None:
                if len(shares) >= FUNCTIONS:
                    continue
                share = shares[function] = self._new(shares, self.ids[function])
            share.tasks += count
            share.left += count
            share.version = version
        for function in again:
            if function in shares:
                shares[function].again += 1
        while self._count > LIMIT and len(self._of) > 1:
            self.forget(next(iter(self._of)))

    def _new(self, shares: dict[str, Share], function: int) -> Share:
        self._count += 1
        return next((share for share in shares.values() if share.function == function), None) or Share(function)

    def drop(
        self,
        found: int,
        function: str,
        failed: bool,
        version: int,
        renewed: bool = False,
        tasks: int = 1,
        undone: bool = False,
    ) -> None:
        """Tasks will not run, or may after all (-1).

        Parameters
        ----------
        failed, renewed, undone : bool
            Because one that they need has failed; they had run before; they were not dropped, as was counted (-1).
        """
        share = self.of(found, function, version)
        if share is not None:
            share.drop(tasks, failed, renewed, undone)

    def count(
        self,
        owner: int,
        function: str,
        durations: Sequence[float] | None,
        count: int,
        erred: int,
        version: int,
    ) -> None:
        """Count executions of an entry of `Claims.owners`: see `Share.add`."""
        share = self.of(number_of(owner), function, version)
        if share is not None:
            (share.renew if renews(owner) else share.add)(durations, count, erred, again=owner < 0)

    def lose(self, found: int, function: str, version: int) -> None:
        """A result of a function must be computed again."""
        share = self.of(found, function, version)
        if share is not None:
            share.left += 1

    def drop_all(self, found: int, version: int) -> None:
        """No task of a computation that is left will run."""
        for share in self._of.get(found, {}).values():
            if share.left:
                share.dropped, share.left, share.version = share.dropped + share.left, 0, version

    def forget(self, found: int) -> None:
        """A computation has no shares any more."""
        self._count -= len(self._of.pop(found, ()))

    def grouped(self, owners: Sequence[int | None], tasks: Sequence[Any]) -> dict[tuple[int, str | None], list[int]]:
        """Places of tasks that have an owner, by owner and name of their function; None for functions without a share,
        of which there may be as many as tasks.

        Parameters
        ----------
        owners : sequence
            Entries in `Claims.owners`.
        """
        functions = {owner: self._of.get(number_of(owner), {}) for owner in set(owners) if owner is not None}
        groups: dict[tuple[int, str | None], list[int]] = {}
        for i, (owner, ts) in enumerate(zip(owners, tasks)):
            if owner is not None:
                name = ts.prefix.name
                pair = (owner, name if name in functions[owner] else None)
                if pair in groups:
                    groups[pair].append(i)
                else:
                    groups[pair] = [i]
        return groups

    def read(self, computations: Iterable[int], cursor: int) -> dict[str, Any]:
        """Columns of what changed after a version, of some computations."""
        changed = [
            (found, share)
            for found in computations
            for share in {id(share): share for share in self._of.get(found, {}).values()}.values()
            if share.version > cursor
        ]
        ids, functions = [found for found, _ in changed], [share.function for _, share in changed]
        columns = {
            "computation": wire(unsigned(ids, max(ids, default=0))),
            "prefix": wire(unsigned(functions, max(functions, default=0))),
        }
        for name in (*COUNTS, *EVER):
            columns[name] = wire(array("I", [max(0, getattr(share, name)) for _, share in changed]))
        for name in FIGURES:
            columns[name] = wire(array("d", [getattr(share, name) for _, share in changed]))
        return columns

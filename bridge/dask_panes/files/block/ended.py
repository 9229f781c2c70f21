"""Counts of the tasks that ended in a block, out of those that a scheduler counts for its whole life.

Two totals are kept apart, of tasks with a result and of tasks that failed: a task that is computed again leaves its
total and comes back, so it belongs to the block although the total is the same. How a total divides into states is
known less well: Dask does not distinguish earlier results from those of the block.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

Row = dict[str, float]

#: Counts of tasks with a result, of failed ones, and of others that have ended.
DONE = ("forgotten", "released", "memory")
ERRED = ("forgotten_erred", "erred")
NAMES = (*DONE, *ERRED, "cancelled")


class Ended:
    """The counts of one table, by id.

    Parameters
    ----------
    time : float
        Scheduler's clock at the start of the block, seconds.
    together : bool
        Whether forgotten tasks include those without a result, as a task group counts them.
    """

    def __init__(self, time: float, together: bool) -> None:
        self._time, self._together = time, together
        #: Whether one collector has seen all of the block.
        self._same = True
        #: The least that each count and total has been since the start: what of it is from before the block.
        self._before: dict[int, Row] = {}

    def begin(self, row: Row) -> None:
        """A row at the start of the block."""
        # An older collector does not tell tasks that failed from others.
        if all(name in row for name in NAMES):
            self._before[int(row["id"])] = self._totals(row)

    def take_over(self) -> None:
        """Another collector goes on: what was before the block is before its runs."""
        self._same = False

    def forget(self, found: int | None = None) -> None:
        """Counts of one id, or of all, start over."""
        if found is None:
            self._before.clear()
        else:
            self._before.pop(found, None)

    def results(self, found: int) -> float:
        """Most earlier results that may still be in memory."""
        return self._before.get(found, {}).get("memory", inf)

    def cut(self, row: Row, results: float = inf) -> Row | None:
        """The counts of a row that belong to the block; None where it is not known what was before it.

        Parameters
        ----------
        row : dict
        results : float, optional
            Most earlier results that may still be in memory, where that is known otherwise.
        """
        before = self._before.get(int(row["id"]))
        if before is None:
            return None
        now = self._totals(row)
        for name, value in now.items():
            before[name] = min(before[name], value)
        before["memory"] = min(before["memory"], results)
        if self._same and row.get("since", -inf) >= self._time:
            # The collector knows what was before the newest run of the function, which began in the block.
            for name, of in (("done", "done_before"), ("failed", "erred_before"), ("memory", "memory_before")):
                before[name] = min(before[name], row[of])
        new = {name: now[name] - before[name] for name in now}
        found = {
            **_divided(new["done"], ((name, new[name], now[name]) for name in ("memory", "released", "forgotten"))),
            **_divided(new["failed"], ((name, new[name], now[name]) for name in ("erred", "forgotten_erred"))),
            "cancelled": new["cancelled"],
        }
        if self._together:
            found["forgotten"] += found["forgotten_erred"] + found["cancelled"]
        return found

    def _totals(self, row: Row) -> Row:
        totals = {name: row[name] for name in NAMES}
        if self._together:
            totals["forgotten"] = max(0, row["forgotten"] - row["forgotten_erred"] - row["cancelled"])
        return {
            **totals,
            "done": sum(totals[name] for name in DONE),
            "failed": sum(totals[name] for name in ERRED),
        }


def _divided(total: float, counts: Iterable[tuple[str, float, float]]) -> Row:
    """A total of new tasks by count: of each name, what is new in it comes first, and there are no more than now."""
    found: Row = {}
    most: Row = {}
    for name, new, now in counts:
        found[name] = min(total, new)
        most[name] = now
        total -= found[name]
    for name in found:
        more = min(total, most[name] - found[name])
        found[name] += more
        total -= more
    return found

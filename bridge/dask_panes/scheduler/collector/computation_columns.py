"""Computations as columns of a frame."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from math import nan

from .columns import WireColumn, wire
from .computation import Computation

#: Changes of the number of threads that are summed, and more threads than there are.
CHANGES = 1_000
MOST_THREADS = 2**31

#: Columns, in the order of the frame.
COUNTS = (
    *("submissions", "tasks", "unfollowed", "again", "left", "dropped", "done", "erred", "erred_before"),
    *("renewing", "renewed", "failed", "dropped_ever"),
)
FIGURES = ("since", "last", "start", "stop", "compute", "transfer", "disk", "nbytes", "lost", "begun")


def offered(history: Sequence[tuple[float, int]], start: float, stop: float) -> float:
    """Thread-seconds of all workers between two times; NaN if that is not known.

    Parameters
    ----------
    history : sequence of (float, int)
        When the number of threads changed, seconds, and to what.
    """
    if not start < stop:
        return nan
    first = bisect_right(history, (start, MOST_THREADS)) - 1
    last = bisect_right(history, (stop, MOST_THREADS))
    if first < 0 or last - first > CHANGES:
        return nan
    times = [start, *(time for time, _ in history[first + 1 : last]), stop]
    return sum((b - a) * threads for a, b, (_, threads) in zip(times, times[1:], history[first:last]))


def columns_of(rows: Sequence[Computation], threads: Sequence[tuple[float, int]]) -> dict[str, WireColumn]:
    """Columns of computations, except for their numbers.

    Parameters
    ----------
    threads : sequence of (float, int)
        See `offered`.
    """
    columns = {name: wire(array("I", [max(0, getattr(row, name)) for row in rows])) for name in COUNTS}
    for name in FIGURES:
        columns[name] = wire(array("d", [getattr(row, name) for row in rows]))
    # Sums over graphs are known if they are known of each.
    columns["offered"] = wire(array("d", [offered(threads, row.since, row.stop) for row in rows]))
    columns["reading"] = wire(array("d", [row.reading if row.read == row.submissions else nan for row in rows]))
    columns["packing"] = wire(array("d", [row.packing if row.packed == row.submissions else nan for row in rows]))
    columns["graph"] = wire(array("d", [row.graph if row.sized == row.submissions else nan for row in rows]))
    return columns

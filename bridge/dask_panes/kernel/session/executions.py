"""What ran since the last read, from Dask's own task stream, for schedulers that take no plugin.

Guarantees: each execution is returned once and in the order of the scheduler, whatever the clocks of kernel, scheduler
and workers say. Those of which the stream keeps no trace, since more have ended than it keeps, are missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from typing import Any

from distributed.metrics import time

#: Factor by which more are asked for until a known one is among them.
GROWTH = 4
#: Seconds between two clocks that are no difference: a heartbeat may be that old.
SAME_CLOCK = 5.0


class Executions:
    """Reads the scheduler's task stream from where it was read before.

    Neither times nor numbers tell where that was: workers report late and their clocks differ, releases before 2026
    have no numbers, and a stream that is full says nothing of what it has dropped.

    Parameters
    ----------
    call : callable
        Calls an RPC of the scheduler by name with keyword arguments.
    """

    def __init__(self, call: Callable[..., Any]) -> None:
        self._call = call
        self._begun = False
        #: The newest execution that is known; None if there was none.
        self._newest: Any = None
        #: How many to ask for: somewhat more than were new at the last read.
        self._count = 1

    async def new(self) -> list[dict[str, Any]]:
        """Executions since the last read; the first call makes the scheduler start its own stream."""
        rows, at = await self._until_known()
        if rows:
            self._newest = _mark(rows[-1])
        fresh = rows[at:] if self._begun else []
        self._count = len(fresh) + len(fresh) // 2 + 1
        self._begun = True
        return fresh

    async def _until_known(self) -> tuple[list[dict[str, Any]], int]:
        """The newest executions, and which of them is the first that is not known."""
        count = self._count
        while True:
            rows = list(await self._call("get_task_stream", count=count))
            for at, row in enumerate(rows):
                if self._newest is not None and _mark(row) == self._newest:
                    return rows, at + 1
            if len(rows) < count or not self._begun:
                return rows, 0
            count *= GROWTH


def _mark(row: dict[str, Any]) -> tuple[Any, ...]:
    """What tells an execution from all others.

    A worker that still has a result reports its old times again, by another message.
    """
    return row["key"], row["worker"], row.get("stimulus_id"), row["startstops"]


class SchedulerClock:
    """How far the kernel's clock, by which frames are made, is ahead of the scheduler's.

    No standard answer has the scheduler's time; the newest heartbeat of its workers comes close. Without a correction
    of clocks that differ, all workers would seem silent, and what runs now would be drawn in the past.

    Attributes
    ----------
    ahead : float
        Seconds to add to the scheduler's times; 0 while the clocks seem to be the same.
    doubtful : bool
        Whether the newest heartbeat is old, and none has come since that says whether the clocks differ or the workers
        are silent.
    """

    def __init__(self) -> None:
        self.ahead = 0.0
        self.doubtful = False
        self._least, self._most = inf, -inf
        #: The newest heartbeat, and when the scheduler had answered before.
        self._newest, self._noted = inf, 0.0

    def note(self, heartbeats: Iterable[float]) -> None:
        """The scheduler has answered: when it heard of each worker, by its clock."""
        newest = max(heartbeats, default=0.0)
        if newest > 0:
            now = time()
            # Heartbeats only get older: the least difference is closest.
            self._least = min(self._least, now - newest)
            if newest > self._newest:
                # It has come since the answer before: the clocks do not differ by less.
                self._most = max(self._most, self._noted - newest)
            self._newest, self._noted = newest, now
            differ = self._least < -SAME_CLOCK or self._most > SAME_CLOCK
            self.doubtful = self._least > SAME_CLOCK and not differ
            self.ahead = self._least if differ else 0.0

    def shifted(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Executions in the kernel's time."""
        return [{**row, "startstops": [*map(self._shift, row["startstops"])]} for row in rows] if self.ahead else rows

    def _shift(self, interval: dict[str, Any]) -> dict[str, Any]:
        return {**interval, "start": interval["start"] + self.ahead, "stop": interval["stop"] + self.ahead}

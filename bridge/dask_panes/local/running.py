"""The running topic of local schedulers: tasks that Dask has handed out and whose results it has not taken yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dask.utils import key_split

from ..scheduler.collector.running import EXECUTING, Running


class RunningHere(Running):
    """Rows of the running tasks of one compute; they are known at once, without heartbeats."""

    def look(self, starts: Mapping[Any, float], address: str, now: float) -> None:
        """Take what runs now.

        Parameters
        ----------
        starts : mapping
            Start of each running task by key, seconds.
        address : str
            The worker that stands for the scheduler's pool.
        now : float
            Seconds.
        """
        for key in [known for known in self.rows_of if known not in starts]:
            self._end(self.rows_of[key])
        worker = self._names.worker_id(address)
        unlisted = 0
        for key, start in starts.items():
            if key not in self.rows_of:
                unlisted += self._note(key, EXECUTING, worker, key_split(key), start, now) is None
        if unlisted != self._unlisted.get(address, 0):
            self.version += 1
            self._unlisted[address] = unlisted

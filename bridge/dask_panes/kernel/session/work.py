"""The tasks of a session on the Client's loop, and the failures of its parts.

Guarantees: no task outlives the session; no exception of ours is printed below the user's cell: it becomes a message
for users, and leaves when the part works again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any

from ...scheduler.collector.plain import text

logger = logging.getLogger(__name__)

#: Maximum failures reported at the same time.
MOST_FAULTS = 5


class Work:
    """Runs coroutines and collects failures.

    Parameters
    ----------
    changed : callable
        Called when the messages have changed.

    Attributes
    ----------
    tasks : set of asyncio.Task
        Those that have not ended.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self.tasks: set[asyncio.Task[Any]] = set()
        #: Current failures, as messages for users, by part.
        self._faults: dict[str, str] = {}

    def spawn(self, coroutine: Any) -> asyncio.Task[Any]:
        """Run a coroutine on this loop until the session ends."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self.tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        # An exception that is never retrieved is printed below the user's cell.
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self.report("The panes", error)

    def cancel(self) -> None:
        """End all tasks; on their loop."""
        for task in list(self.tasks):
            task.cancel()

    def cancel_from_anywhere(self) -> None:
        """End all tasks; any thread."""
        for task in list(self.tasks):
            # Its loop has ended, and the task with it.
            with contextlib.suppress(RuntimeError):
                task.get_loop().call_soon_threadsafe(task.cancel)

    async def stop(self, patience: float) -> None:
        """End all tasks, so that none is left when the loop is inspected; waits `patience` seconds at most."""
        tasks = [task for task in self.tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=patience)

    def report(self, what: str, error: Exception | None) -> None:
        """Notify the tabs of a failure, or, without an error, that it is resolved.

        Parameters
        ----------
        what : str
            The outdated data, as the beginning of a message.
        """
        if error is None:
            changed = self._faults.pop(what, None) is not None
        else:
            logger.debug("%s failed", what, exc_info=error)
            reason = text(f"{type(error).__name__}: {text(error)}", 300)
            sentence = f"{what}: not up to date, because our code in the kernel failed ({reason}). It is tried again."
            changed = self._faults.get(what) != sentence
            self._faults[what] = sentence
            while len(self._faults) > MOST_FAULTS:
                del self._faults[next(iter(self._faults))]
        if changed:
            self._changed()

    def problems(self) -> list[str]:
        """Current failures, as messages for users; any thread."""
        # Copied in one step: the Client's loop changes it meanwhile.
        return list(self._faults.values())

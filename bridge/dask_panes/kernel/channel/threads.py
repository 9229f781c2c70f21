"""Calls that may block, in threads that do not outlive the process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


async def in_thread(function: Callable[[], T], dropped: Callable[[T], Any] | None = None) -> T:
    """Call a function that may block for minutes, in a thread that does not delay the end of the process.

    Parameters
    ----------
    function : callable
        What to call.
    dropped : callable, optional
        Called in the thread with a result for which nobody waits any more.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def drop(result: T) -> None:
        if dropped is not None:
            dropped(result)

    def drop_later(result: T) -> None:
        # What closes a cluster may block, too.
        threading.Thread(target=drop, args=(result,), daemon=True).start()

    def settle(result: T | None, error: BaseException | None) -> None:
        if future.done():
            # Cancelled.
            if error is None:
                drop_later(result)  # type: ignore[arg-type]
        elif error is not None:
            # A future takes no StopIteration.
            future.set_exception(RuntimeError(repr(error)) if isinstance(error, StopIteration) else error)
        else:
            future.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, failure = None, None
        try:
            result = function()
        except BaseException as error:
            failure = error
        try:
            loop.call_soon_threadsafe(settle, result, failure)
        except RuntimeError:
            # The loop has ended.
            if failure is None:
                drop(result)  # type: ignore[arg-type]

    threading.Thread(target=run, name="dask-panes-cluster", daemon=True).start()
    try:
        return await future
    except asyncio.CancelledError:
        # It may come in the same turn of the loop as the result.
        if future.done() and not future.cancelled() and future.exception() is None:
            drop_later(future.result())
        raise

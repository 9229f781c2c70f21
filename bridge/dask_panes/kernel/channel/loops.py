"""Calls from one event loop of the kernel to another: the control thread's, and that of each client.

Guarantees: nothing waits for the other loop; an exception is never printed below the user's cell; a loop that has
ended is no error.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any

from .client_like import ClientLike

logger = logging.getLogger(__name__)


def quietly(function: Callable[..., None], *args: Any) -> None:
    """Call a function from an event loop, which would print exceptions below the user's cell."""
    try:
        function(*args)
    except Exception as error:
        logger.debug("%s failed", function, exc_info=True)
        report = getattr(getattr(function, "__self__", None), "report", None)
        if report is not None:
            report("One page", error)


#: Why a source whose loop `is_stopped` answers nothing.
STOPPED = "The event loop of this asynchronous client does not run: nothing can be asked for until it runs again."


def is_stopped(source: ClientLike) -> bool:
    """Whether the loop of a source is there and does not run: what is called there may wait forever."""
    loop = source.loop
    return loop is not None and not loop.is_running()


def is_of_main_thread(source: ClientLike) -> bool:
    """Whether the loop of a source runs in the main thread, as the kernel's does, which runs cells."""
    return getattr(source.loop, "_thread_id", None) == threading.main_thread().ident


def on_loop_of(source: ClientLike, function: Callable[..., None], *args: Any) -> None:
    """Call a function soon, on the loop of a source; nothing happens if it is gone."""
    call_soon(source.loop, function, *args)


def call_soon(loop: asyncio.AbstractEventLoop | None, function: Callable[..., None], *args: Any) -> None:
    """Call a function soon, on a loop of any thread; nothing happens if it is gone."""
    if loop is None:
        return
    try:
        loop.call_soon_threadsafe(quietly, function, *args)
    except RuntimeError:
        # Its thread has closed it since it was looked up.
        logger.debug("%s came too late", function, exc_info=True)


def spawn_on_loop_of(source: ClientLike, coroutine: Coroutine[Any, Any, None]) -> Future[None] | None:
    """Run a coroutine on the loop of a source; returns None if that is gone, and the coroutine is closed."""
    loop = source.loop
    if loop is None:
        coroutine.close()
        return None
    try:
        return asyncio.run_coroutine_threadsafe(coroutine, loop)
    except RuntimeError:
        # Its thread has closed it since it was looked up.
        coroutine.close()
        return None

"""The requests ``host.*`` of a kernel that was made for a cluster (``docs/feed.md``).

The kernel has no document; the browser creates it for this cluster and communicates over the control channel.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..kernel.cell.scaling import checked_bounds, checked_workers
from ..kernel.options import options
from .hosting import Host, end
from .options import ClusterOptions

if TYPE_CHECKING:
    from ..kernel.channel.call import Call

logger = logging.getLogger(__name__)

_host: Host | None = None


def serve() -> None:
    """Answer the requests ``host.*`` in this kernel. Idempotent.

    Raises
    ------
    RuntimeError
        Not in a kernel with a control channel.
    """
    global _host
    if _host is not None:
        return
    from ..kernel.activate import channel, install

    install()
    found = channel()
    if found is None:
        raise RuntimeError("Only a Jupyter kernel with a control channel (ipykernel 6 or later) can host a cluster")
    host = _host = Host(found.mark_active, options().activity_interval, _main_loop())
    _end_with(found.kernel, host)

    def answer(act: Callable[[Mapping[str, Any]], object]) -> Callable[[Call], None]:
        def handle(call: Call) -> None:
            try:
                act(call.arguments)
            except (ValueError, FileExistsError, RuntimeError) as error:
                # Messages for users, displayed as they are.
                call.fail(str(error))
            except Exception as error:
                logger.debug("request failed", exc_info=True)
                call.fail(f"{type(error).__name__}: {error}")
            else:
                call.reply({"value": host.facts()})

        return handle

    def answer_later(act: Callable[[Mapping[str, Any]], object]) -> Callable[[Call], None]:
        # The class may take its time; on the control channel everything else would wait for it.
        handle = answer(act)
        return lambda call: threading.Thread(
            target=handle, args=(call,), name="dask-panes-request", daemon=True
        ).start()

    found.handle("host.state", answer(lambda _: None))
    found.handle("host.start", answer(lambda given: host.start(ClusterOptions.read(given))))
    found.handle(
        "host.scale", answer_later(lambda given: host.scale(checked_workers(given.get("workers"), most=host.most)))
    )
    found.handle("host.adapt", answer_later(lambda given: host.adapt(*checked_bounds(given, host.most))))
    found.handle("host.stop", answer(lambda _: host.stop()))


def _main_loop() -> asyncio.AbstractEventLoop | None:
    """The loop on which the cell runs that calls `serve`."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        # No loop runs in this thread: `serve` was not called in a cell.
        return None


def _end_with(kernel: Any, host: Host) -> None:
    """End the cluster when the kernel is asked to shut down, before ipykernel ends all child processes.

    A worker that ipykernel ends is restarted by its nanny; the kernel would loop until Jupyter kills it.
    """
    given = kernel.do_shutdown

    async def do_shutdown(restart: bool) -> Any:
        await asyncio.to_thread(end, host)
        content = given(restart)
        return await content if inspect.isawaitable(content) else content

    kernel.do_shutdown = do_shutdown

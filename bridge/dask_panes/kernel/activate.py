"""Creates a kernel's channel and its Clients' sessions.

The extension silently executes ``install()`` when a kernel has started. It makes every later Client run
:func:`attach`, attaches to existing ones, and imports neither dask nor distributed itself.

It returns at once, does nothing outside an ipykernel, prints nothing and never lets user code fail.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from .cell.closing import settling
from .imports import when_imported
from .registry import INSTALLERS

if TYPE_CHECKING:
    from distributed import Client

    from .cells import Cells
    from .channel.channel import Channel
    from .session.session import Session

logger = logging.getLogger(__name__)

_channel: Channel | None = None
_cells: Cells | None = None
_making = threading.Lock()
#: What is installed once distributed is there, while it is being imported.
_after_distributed: list[Callable[[], None]] = []
#: The process of the kernel; one that it forks has its variables, but no pages.
_process = 0


def kernel() -> Any:
    """The ipykernel of this process, None if there is none or it has no control channel to wrap."""
    app = sys.modules.get("ipykernel.kernelapp")
    if app is None or not app.IPKernelApp.initialized():
        return None
    found = getattr(app.IPKernelApp.instance(), "kernel", None)
    handlers = getattr(found, "control_handlers", None)
    return found if isinstance(handlers, dict) and "debug_request" in handlers else None


def channel() -> Channel | None:
    """The channel of this kernel, created on first use; None outside a kernel."""
    global _channel, _cells, _process
    made = None
    with _making:
        if _channel is None:
            found = kernel()
            if found is not None:
                from .cell import display
                from .cells import Cells
                from .channel.channel import Channel

                shell = getattr(found, "shell", None)
                made = _channel = Channel(found, lambda: getattr(shell, "user_ns", {}))
                _process = os.getpid()
                _cells = Cells(shell, made.notify)
                if shell is not None:
                    display.install(shell)
                    shell.events.register("post_run_cell", made.cell_ended)
                settling.watch_kernel(found)
                _channel.announce()
    # Without the lock: an import here may wait for another thread's import, which may wait for the lock.
    if made is not None:
        for module, installer in INSTALLERS.items():
            when_imported(module, partial(_install_whole, installer, made))
    return _channel


def _install_whole(installer: Callable[[Any], None], made: Channel) -> None:
    """Install now, or at the end of an import of distributed, which begins with dask: both may be needed."""
    spec = getattr(sys.modules.get("distributed"), "__spec__", None)
    if getattr(spec, "_initializing", False):
        _after_distributed.append(partial(_install, installer, made))
    else:
        _install(installer, made)


def _install(installer: Callable[[Any], None], made: Channel) -> None:
    try:
        installer(made)
    except Exception:
        logger.debug("%s failed", installer, exc_info=True)


def install() -> None:
    """The silent hook: answer pages, and attach to every existing and future Client. Idempotent."""
    try:
        if channel() is not None:
            when_imported("distributed", _on_distributed)
    except Exception:
        logger.debug("could not install", exc_info=True)


def _on_distributed() -> None:
    """Distributed was imported: attach to every future Client, and to those created before."""
    from distributed import Client

    from .client_preload import add_to_clients

    add_to_clients(attach, detach)
    while _after_distributed:
        _after_distributed.pop()()
    for client in list(Client._instances):
        _attach_later(client)


def _watch_samplers() -> None:
    """Record the labels of Dask's MemorySampler; without them its runs are shown by uid."""
    try:
        from .gather.samplers import watch

        watch(_note_sampler)
    except Exception:
        logger.debug("memory samplers are not watched", exc_info=True)


def _note_sampler(client: Any, key: str, label: str) -> None:
    from .cell.facts import key_of

    if _channel is not None:
        _channel.notify(key_of(client), "label_samples", {"key": key, "label": label})


def _attach_later(client: Client) -> None:
    if client.status != "running":
        return
    try:
        loop = client.loop.asyncio_loop
    except (AttributeError, RuntimeError):
        # Closed meanwhile: its loop has ended.
        return
    asyncio.run_coroutine_threadsafe(attach(client), loop)


async def attach(client: Client, asked: bool = False) -> None:
    """Create a Client's session. On the Client's loop; returns after 150 ms at the latest.

    Parameters
    ----------
    client : distributed.Client
        A running client.
    asked : bool
        Whether the user requested it: then the setting ``dask-panes.attach`` is ignored.
    """
    try:
        from ..scheduler.collector.stakes import is_of_worker
        from .options import options

        chosen = options()
        if not chosen.enabled or not (chosen.attach or asked):
            if _channel is not None and os.getpid() == _process and not is_of_worker(client.id):
                _channel.clients.withhold(client)
            return
        found = channel()
        # Tasks with a client of their own (`get_client`) run in the kernel's process with `processes=False`.
        if found is None or os.getpid() != _process or is_of_worker(client.id) or found.known(client):
            return
        _watch_samplers()
        session = found.session(client)
        settling.watch(client, session)
        if _cells is not None:
            _cells.code = chosen.code
            _cells.begin_early(client)
        await session.start()
        if _cells is not None:
            await _cells.begin(session)
    except Exception:
        logger.debug("could not attach", exc_info=True)


def session_of(client: Client) -> tuple[Session, bool]:
    """The session of a Client, and whether it was made for the caller, who starts and closes it then."""
    from .options import options
    from .session.session import Session

    found = channel()
    if found is None or not found.known(client):
        return Session(client, lambda: None, options()), True
    return found.session(client), False


async def detach(client: Client) -> None:
    """The Client closes: its tabs receive the remaining data. On the Client's loop; returns after 200 ms at the
    latest.
    """
    try:
        found = _channel
        if found is not None and found.known(client):
            await found.session(client).finish()
    except Exception:
        logger.debug("could not detach", exc_info=True)

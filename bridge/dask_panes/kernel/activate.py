"""Two ways into a kernel, one activation.

(i) Dask's configuration names :mod:`dask_panes.kernel.preload` in ``distributed.client.preload``, so every Client
runs :func:`attach`. (ii) The extension silently executes ``install()`` when a kernel is ready, which makes sure that
the preload is configured once distributed is imported, and imports neither dask nor distributed itself.

Both return at once, do nothing outside an ipykernel, print nothing and never let user code fail.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import sys
import threading
from functools import partial
from typing import TYPE_CHECKING, Any

from .imports import when_imported

if TYPE_CHECKING:
    from distributed import Client

    from .channel import Channel

logger = logging.getLogger(__name__)

PRELOAD = "dask_panes.kernel.preload"

#: Rooms after this one are named, not imported: with a module of the user's they get the channel by their ``install``.
BESIDE = {"dask": "dask_panes.local"}

_channel: Channel | None = None
_making = threading.Lock()


def kernel() -> Any:
    """The ipykernel of this process, None where there is none or where it has no control channel to wrap."""
    app = sys.modules.get("ipykernel.kernelapp")
    if app is None or not app.IPKernelApp.initialized():
        return None
    found = getattr(app.IPKernelApp.instance(), "kernel", None)
    handlers = getattr(found, "control_handlers", None)
    return found if isinstance(handlers, dict) and "debug_request" in handlers else None


def channel() -> Channel | None:
    """The channel of this kernel, made on first use; None outside a kernel."""
    global _channel
    made = None
    with _making:
        if _channel is None:
            found = kernel()
            if found is not None:
                from . import display
                from .channel import Channel

                shell = getattr(found, "shell", None)
                made = _channel = Channel(found, lambda: getattr(shell, "user_ns", {}))
                if shell is not None:
                    display.install(shell)
                _channel.announce()
    # Without the lock: what is imported here may wait for an import of another thread, which may wait for the lock.
    if made is not None:
        for module, room in BESIDE.items():
            when_imported(module, partial(_place_beside, room, made))
    return _channel


def _place_beside(room: str, made: Channel) -> None:
    try:
        importlib.import_module(room).install(made)
    except Exception:
        logger.debug("%s could not be installed", room, exc_info=True)


def install() -> None:
    """The silent hook: answer pages, and attach to every Client, made already or to be made. Idempotent."""
    try:
        if channel() is not None:
            when_imported("distributed", _on_distributed)
    except Exception:
        logger.debug("could not install", exc_info=True)


def _on_distributed() -> None:
    """Distributed was imported: see to the preload, attach to clients that were made before us."""
    import dask
    from distributed import Client

    from .options import options

    preload = dask.config.get("distributed.client.preload", [])
    preload = [preload] if isinstance(preload, str) else list(preload)
    if PRELOAD not in preload and options().enabled:
        argv = dask.config.get("distributed.client.preload-argv", [])
        # One list of arguments may stand for all preloads; several are matched one by one.
        if argv and isinstance(argv[0], (list, tuple)):
            argv = [*argv, []]
        dask.config.set({"distributed.client.preload": [*preload, PRELOAD], "distributed.client.preload-argv": argv})
        logging.getLogger("distributed.preloading").setLevel(logging.WARNING)
    _keep_from_workers()
    for client in list(Client._instances):
        _attach_later(client)


def _watch_samplers() -> None:
    """Learn the labels of Dask's MemorySampler; without them its runs are shown under their uids."""
    try:
        from .samplers import watch

        watch(_note_sampler)
    except Exception:
        logger.debug("memory samplers are not watched", exc_info=True)


def _note_sampler(client: Any, key: str, label: str) -> None:
    if _channel is not None:
        _channel.tell(client.id, "label_samples", {"key": key, "label": label})


def _keep_from_workers() -> None:
    """Leave our preload out of the configuration that clusters hand to machines that may lack this package.

    ``SSHCluster`` serialises the whole configuration for its workers. A task there that makes a Client would import
    the preload, and fail. Workers never need it: it does nothing outside a kernel.
    """
    import dask

    given = dask.config.serialize
    if getattr(given, "keeps_dask_panes", False):
        return

    def serialize(data: Any) -> str:
        return str(given(_without_preload(data)))

    serialize.keeps_dask_panes = True  # type: ignore[attr-defined]
    serialize.__doc__ = given.__doc__
    dask.config.serialize = serialize


def _without_preload(data: Any) -> Any:
    """A configuration whose client preloads lack ours; anything else as it is."""
    try:
        preload = data["distributed"]["client"]["preload"]
    except (KeyError, TypeError):
        return data
    if not isinstance(preload, (list, tuple)) or PRELOAD not in preload:
        return data
    client = {**data["distributed"]["client"], "preload": [name for name in preload if name != PRELOAD]}
    return {**data, "distributed": {**data["distributed"], "client": client}}


def _attach_later(client: Client) -> None:
    if client.status != "running":
        return
    try:
        loop = client.loop.asyncio_loop
    except (AttributeError, RuntimeError):
        return
    asyncio.run_coroutine_threadsafe(attach(client), loop)


async def attach(client: Client, asked: bool = False) -> None:
    """Give a Client its session. On the Client's loop; returns after 100 ms at the latest.

    Parameters
    ----------
    client : distributed.Client
        A running client.
    asked : bool
        Whether a person asked for it: then the switch ``dask-panes.attach`` does not matter.
    """
    try:
        from .options import options

        chosen = options()
        if not chosen.enabled or not (chosen.attach or asked):
            return
        found = channel()
        # Tasks that use a client of their own (`get_client`) run in the kernel's process with `processes=False`.
        if found is None or client.id.startswith("Client-worker-") or found.known(client.id):
            return
        _watch_samplers()
        await found.session(client).start()
    except Exception:
        logger.debug("could not attach", exc_info=True)


async def detach(client: Client) -> None:
    """The Client closes: its tabs get what they lack yet. On the Client's loop; returns after 200 ms at the latest."""
    try:
        found = _channel
        if found is not None and found.known(client.id):
            await found.session(client).finish()
    except Exception:
        logger.debug("could not detach", exc_info=True)

"""Lets every Client of a kernel run a call when it has connected and another before it closes.

Dask's configuration is not changed. A preload named there would replace a site's own list in every process of the
environment, would travel to machines that lack this package, and would print two lines for each Client.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

Awaited = Callable[[Any], Awaitable[None]]


class ClientPreload:
    """One entry of a Client's `distributed.preloading.PreloadManager`.

    Parameters
    ----------
    client : distributed.Client
        The Client whose entry this is.
    attach, detach : callable
        Awaited with the client when it has connected, and before it leaves its scheduler.
    """

    name = f"{__package__}.preload"

    def __init__(self, client: Any, attach: Awaited, detach: Awaited) -> None:
        self._client, self._attach, self._detach = client, attach, detach

    async def start(self) -> None:
        """Called by Dask when the Client has connected."""
        await self._attach(self._client)

    async def teardown(self) -> None:
        """Called by Dask when the Client closes, before it leaves its scheduler."""
        await self._detach(self._client)


def add_to_clients(attach: Awaited, detach: Awaited) -> None:
    """Add our entry, as the last one, to the preloads of every Client that this process makes from now on. Idempotent.

    Schedulers, workers and nannies of this process keep exactly the preloads of their configuration.
    """
    from distributed import Client, preloading

    made_by_dask = preloading.process_preloads
    if getattr(made_by_dask, "adds_dask_panes", False):
        return

    def process_preloads(server: Any, *args: Any, **kwargs: Any) -> Any:
        manager = made_by_dask(server, *args, **kwargs)
        return (
            type(manager)([*manager, ClientPreload(server, attach, detach)]) if isinstance(server, Client) else manager
        )

    process_preloads.adds_dask_panes = True  # type: ignore[attr-defined]
    process_preloads.__doc__ = made_by_dask.__doc__
    preloading.process_preloads = process_preloads

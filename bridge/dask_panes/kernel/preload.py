"""Lets every Client of a kernel run `attach` when it has connected and `detach` before it closes.

Dask's configuration is left as it is. A preload named there would replace a site's own list in every process of the
environment, would travel to machines that lack this package, and would print two lines for each Client. A site that
wants clients of kernels without a browser to be known can still name this module in ``distributed.client.preload``.
"""

from __future__ import annotations

from typing import Any

from .activate import attach, detach

__all__ = ["add_to_clients", "dask_setup", "dask_teardown"]


async def dask_setup(client: Any) -> None:
    """Dask awaits this when a Client has connected."""
    await attach(client)


async def dask_teardown(client: Any) -> None:
    """Dask awaits this when a Client closes, before it leaves its scheduler."""
    await detach(client)


class ClientPreload:
    """One entry of a Client's `distributed.preloading.PreloadManager`.

    Parameters
    ----------
    client : distributed.Client
        The Client whose entry this is.
    """

    name = __name__

    def __init__(self, client: Any) -> None:
        self._client = client

    async def start(self) -> None:
        """Called by Dask when the Client has connected."""
        await attach(self._client)

    async def teardown(self) -> None:
        """Called by Dask when the Client closes, before it leaves its scheduler."""
        await detach(self._client)


def add_to_clients() -> None:
    """Add our entry, as the last one, to the preloads of every Client that this process makes from now on. Idempotent.

    Schedulers, workers and nannies of this process keep exactly the preloads of their configuration.
    """
    from distributed import Client, preloading

    made_by_dask = preloading.process_preloads
    if getattr(made_by_dask, "adds_dask_panes", False):
        return

    def process_preloads(server: Any, *args: Any, **kwargs: Any) -> Any:
        manager = made_by_dask(server, *args, **kwargs)
        return type(manager)([*manager, ClientPreload(server)]) if isinstance(server, Client) else manager

    process_preloads.adds_dask_panes = True  # type: ignore[attr-defined]
    process_preloads.__doc__ = made_by_dask.__doc__
    preloading.process_preloads = process_preloads

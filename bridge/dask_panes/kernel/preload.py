"""For ``distributed.client.preload``, where a site wants clients of kernels without a browser to be known.

Kernels with a browser do not need it: `client_preload` gives each of their Clients the same two calls.
"""

from __future__ import annotations

from typing import Any

from .activate import attach, detach

__all__ = ["dask_setup", "dask_teardown"]


async def dask_setup(client: Any) -> None:
    """Dask awaits this when a Client has connected."""
    await attach(client)


async def dask_teardown(client: Any) -> None:
    """Dask awaits this when a Client closes, before it leaves its scheduler."""
    await detach(client)

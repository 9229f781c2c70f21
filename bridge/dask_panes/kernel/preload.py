"""For ``distributed.client.preload``, if a site wants clients of kernels without a browser to be attached.

Kernels with a browser do not need it: `client_preload` runs the same two calls for each Client.
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

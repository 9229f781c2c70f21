"""The hook that Dask runs in every Client (``distributed.client.preload``)."""

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

"""Sent as source text: send a heartbeat now, so that the scheduler has the worker's state at this moment."""

from __future__ import annotations

from typing import Any


async def probe(server: Any) -> dict[str, Any]:
    """Send a heartbeat, as the worker does itself every half second or less often; returns when it has arrived.

    Parameters
    ----------
    server : distributed.Worker

    Returns
    -------
    dict
        Empty.
    """
    # A closing worker has sent its last heartbeat.
    if server.status.name in ("running", "paused"):
        await server.heartbeat()
    return {}

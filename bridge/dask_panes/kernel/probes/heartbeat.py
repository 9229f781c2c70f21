"""Sent as source text: a heartbeat now, so that the scheduler knows what the worker did up to this moment."""

from __future__ import annotations

from typing import Any


async def probe(server: Any) -> dict[str, Any]:
    """Send a heartbeat as the worker does by itself every half second or less often; returns when it has arrived.

    Parameters
    ----------
    server : distributed.Worker

    Returns
    -------
    dict
        Empty.
    """
    # One that is closing has told its last.
    if server.status.name in ("running", "paused"):
        await server.heartbeat()
    return {}

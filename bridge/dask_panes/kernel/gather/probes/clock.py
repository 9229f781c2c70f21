"""Sent as source text: the worker's clock, to see which of its heartbeats began later."""

from __future__ import annotations

from typing import Any

from distributed.metrics import time


def probe(server: Any) -> dict[str, Any]:
    """The time by the clock with which the worker marks its heartbeats.

    Parameters
    ----------
    server : distributed.Worker

    Returns
    -------
    dict
        ``time``, seconds; empty where the worker is closing and has sent its last heartbeat.
    """
    return {"time": time()} if server.status.name in ("running", "paused") else {}

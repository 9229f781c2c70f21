"""Sent as source text: give memory that was freed back to the operating system, as Dask's documentation suggests."""

from __future__ import annotations

import asyncio
import ctypes
from typing import Any


def _trim() -> int:
    return int(ctypes.CDLL("libc.so.6").malloc_trim(0))


async def probe(server: Any, only: str = "") -> dict[str, Any]:
    """Call ``malloc_trim`` in a worker's process, beside its event loop.

    Parameters
    ----------
    server : distributed.Worker
    only : str
        Address of the only worker that does it; empty for every one.

    Returns
    -------
    dict
        ``before``, ``after``: memory of the process in bytes; ``process``: which one; ``refused``: why it cannot. Empty
        for other workers.
    """
    if only and server.address != only:
        return {}
    process = server.monitor.proc
    before = process.memory_info().rss
    try:
        await asyncio.get_running_loop().run_in_executor(None, _trim)
    except (OSError, AttributeError):
        return {"refused": "its C library has no malloc_trim"}
    return {"before": before, "after": process.memory_info().rss, "process": f"{server.ip} {process.pid}"}

"""Sent as source text: the transfers of a worker that a reader lacks.

Dask keeps the newest transfers of a worker in two logs without numbers. They are numbered here, in the order in which
they were logged: the newest entry that was seen is remembered, what comes after it is new.
"""

from __future__ import annotations

import sys
from array import array
from typing import Any

from distributed.metrics import time

#: Maximum keys listed, and characters of a name.
KEYS = 3
TEXT = 200


def _number(server: Any, name: str) -> tuple[list[Any], int, int]:
    """All entries of a log, the number of the first, and the number before which some were dropped unread."""
    entries = list(getattr(server, name, None) or ())
    # Stored on the worker itself: numbers outlive this code, which may be installed again.
    seen = server.__dict__.setdefault("_dask_panes_seen", {})
    last, count, gap = seen.get(name, (None, 0, 0))
    new = 0
    for entry in reversed(entries):
        if entry is last:
            break
        new += 1
    if new == len(entries) and last is not None:
        gap = count
    count += new
    if entries:
        seen[name] = (entries[-1], count, gap)
    return entries, count - len(entries), gap


def _bytes(code: str, values: Any) -> bytes:
    column = array(code, values)
    if sys.byteorder == "big":
        column.byteswap()
    return column.tobytes()


def _side(server: Any, name: str, after: int, limit: int, newest: int, now: bool) -> dict[str, Any]:
    entries, first, gap = _number(server, name)
    start = len(entries) if now else max(0, after - first)
    if newest:
        start = max(start, len(entries) - newest)
    taken = entries[start : start + limit]
    return {
        "end": first + start + len(taken),
        "more": start + len(taken) < len(entries),
        "dropped": 0 < after < first or 0 < after <= gap,
        "start": _bytes("d", (entry["start"] for entry in taken)),
        "stop": _bytes("d", (entry["stop"] for entry in taken)),
        "total": _bytes("d", (entry["total"] for entry in taken)),
        "compressed": _bytes("d", (entry.get("compressed", -1) for entry in taken)),
        "count": _bytes("I", (len(entry["keys"]) for entry in taken)),
        # A client that gathers has no address.
        "peer": [str(entry["who"] or "")[:TEXT] for entry in taken],
        "keys": [[str(key)[:TEXT] for key, _ in zip(entry["keys"], range(KEYS))] for entry in taken],
    }


def probe(
    server: Any, incoming: int = 0, outgoing: int = 0, limit: int = 500, newest: int = 0, now: bool = False
) -> dict[str, Any]:
    """Transfers from a number on.

    Parameters
    ----------
    server : distributed.Worker
    incoming, outgoing : int
        Numbers of the first entries wanted.
    limit : int
        Entries of each log in one answer.
    newest : int
        Skip all but this many entries at the end of a log; 0 for no such bound.
    now : bool
        Give no entry, only the numbers after the newest ones.

    Returns
    -------
    dict
        ``address`` of the worker; ``time``: its scheduler clock; ``incoming`` and ``outgoing``: ``end``, number after
        the last; ``more``: whether others wait; ``dropped``: whether Dask had dropped some before they were read;
        columns start, stop (f8, s, scheduler clock), total, compressed (f8, B; -1 unknown), count (u4, keys); peer and
        the first keys as texts.
    """
    return {
        "address": str(server.address),
        "time": time() + server.scheduler_delay,
        "incoming": _side(server, "transfer_incoming_log", incoming, limit, newest, now),
        "outgoing": _side(server, "transfer_outgoing_log", outgoing, limit, newest, now),
    }

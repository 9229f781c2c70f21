"""Sent as source text: the lines of a server's log that a reader lacks.

Dask keeps the newest records of a server's loggers without numbers. They are numbered here, in the order in which they
were logged: the newest record that was seen is remembered, what comes after it is new.
"""

from __future__ import annotations

from typing import Any

#: Maximum characters of a line, and of a logger's name.
TEXT = 4_000
NAME = 200


def probe(server: Any, after: int = 0, limit: int = 200, newest: int = 0, now: bool = False) -> dict[str, Any]:
    """Log records from a number on, as ``Server.get_logs`` formats them.

    Parameters
    ----------
    server : distributed.Worker or distributed.Scheduler
    after : int
        Number of the first record wanted.
    limit : int
        Records of one answer.
    newest : int
        Skip all but this many records at the end; 0 for no such bound.
    now : bool
        Give no record, only the number after the newest one.

    Returns
    -------
    dict
        ``end``: number after the last record; ``more``: whether others wait; ``dropped``: whether Dask had dropped some
        before they were read; ``lines``: [time (s, scheduler clock), level (number of Python's logging), level's name,
        logger, text].
    """
    handler = server._deque_handler
    records = list(handler.deque)
    # Stored on the server itself: numbers outlive this code, which may be installed again.
    seen = server.__dict__.setdefault("_dask_panes_seen", {})
    last, count, gap = seen.get("logs", (None, 0, 0))
    new = 0
    for record in reversed(records):
        if record is last:
            break
        new += 1
    if new == len(records) and last is not None:
        gap = count
    count += new
    if records:
        seen["logs"] = (records[-1], count, gap)
    first = count - len(records)
    start = len(records) if now else max(0, after - first)
    if newest:
        start = max(start, len(records) - newest)
    taken = records[start : start + limit]
    # A worker's own clock; the scheduler has no delay.
    delay = getattr(server, "scheduler_delay", 0.0) or 0.0
    return {
        "end": first + start + len(taken),
        "more": start + len(taken) < len(records),
        "dropped": 0 < after < first or 0 < after <= gap,
        "lines": [
            [
                record.created + delay,
                int(record.levelno),
                str(record.levelname)[:NAME],
                str(record.name)[:NAME],
                _formatted(handler, record)[:TEXT],
            ]
            for record in taken
            if _is_of(server, record) and not _is_ours(record)
        ],
    }


def _is_of(server: Any, record: Any) -> bool:
    """Whether this server reports a record: servers of one process share loggers, and the first one asked reports."""
    owner = record.__dict__.setdefault("_dask_panes_server", id(server))
    if owner != id(server) and owner not in _living(type(server)):
        owner = record.__dict__["_dask_panes_server"] = id(server)
    return bool(owner == id(server))


def _is_ours(record: Any) -> bool:
    """Whether a worker logged the installation of one of our probes: it names what it runs."""
    arguments = record.args if isinstance(record.args, tuple) and len(record.args) == 1 else ("",)
    return str(record.msg).startswith("Run out-of-band") and str(arguments[0]).startswith("dask_panes_")


def _living(kind: Any) -> set[int]:
    """Servers of a kind in this process that have not closed."""
    return {id(other) for other in list(getattr(kind, "_instances", ())) if other.status.name != "closed"}


def _formatted(handler: Any, record: Any) -> str:
    """A line in the server's own format; the raw message if its arguments do not fit."""
    try:
        return str(handler.format(record))
    except Exception:
        return f"{record.msg if isinstance(record.msg, str) else type(record.msg).__name__} (arguments do not fit)"

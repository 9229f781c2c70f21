"""What a person may choose of a hosted cluster, checked before anything is started."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: A name is a part of a file name and of a line of Python, so nothing in it may mean something there.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")
_MEMORY = re.compile(r"\d+(\.\d+)?\s*[KMGTP]i?B\Z", re.IGNORECASE)
_DASHBOARD = re.compile(r"(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|localhost)?:?(\d{1,5})\Z")

#: More is a slip of the keyboard on one machine.
MOST_WORKERS = 512
MOST_THREADS = 512
#: Bytes below which a worker process pauses or is killed before its first task.
LEAST_MEMORY = 128 * 2**20
_LAST_PORT = 65_535


def checked_name(name: object) -> str:
    """A name that is safe in file names.

    Raises
    ------
    ValueError
        With a sentence for people.
    """
    if not isinstance(name, str) or not _NAME.match(name):
        raise ValueError(
            "The name of a cluster has 1 to 64 letters (a-z), digits, points, hyphens and underscores, "
            f"and begins with a letter or a digit; this is none: {name!r}"
        )
    return name


@dataclass(frozen=True)
class Options:
    """A hosted cluster as it was asked for.

    Parameters
    ----------
    name : str
        What `dask_panes.connect` is called with.
    workers : int, optional
        Number of worker processes; Dask chooses by the number of cores without it.
    threads : int, optional
        Threads of each worker; Dask chooses without it.
    memory : int, optional
        Bytes of each worker; an equal share of the machine's memory without it.
    dashboard : str
        Address of Dask's own dashboard on this machine, ``"127.0.0.1:8787"``; ``""`` for none.
    """

    name: str
    workers: int | None = None
    threads: int | None = None
    memory: int | None = None
    dashboard: str = ""

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Options:
        """Take what came from outside; absent, ``None`` and ``""`` leave the choice to Dask.

        Raises
        ------
        ValueError
            With a sentence for people.
        """
        return cls(
            name=checked_name(given.get("name")),
            workers=_count(given.get("workers"), "workers", MOST_WORKERS),
            threads=_count(given.get("threads"), "threads of each worker", MOST_THREADS),
            memory=_memory(given.get("memory")),
            dashboard=_dashboard(given.get("dashboard")),
        )


def checked_scale(workers: object, least: int = 0) -> int:
    """A number of workers to scale to.

    Raises
    ------
    ValueError
        With a sentence for people.
    """
    if isinstance(workers, bool) or not isinstance(workers, int) or not least <= workers <= MOST_WORKERS:
        raise ValueError(f"The number of workers is a whole number from {least} to {MOST_WORKERS}, not {workers!r}")
    return workers


def _count(value: object, what: str, most: int) -> int | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise ValueError(f"The number of {what} is a whole number from 1 to {most}, not {value!r}")
    return value


def _memory(value: object) -> int | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str) or not _MEMORY.match(value.strip()):
        raise ValueError(f"The memory of a worker is a number with a unit, as in '4 GiB', not {value!r}")
    from dask.utils import parse_bytes

    found = int(parse_bytes(value.strip()))
    if found < LEAST_MEMORY:
        raise ValueError(f"A worker needs at least {LEAST_MEMORY // 2**20} MiB to start; {value!r} is less")
    return found


def _dashboard(value: object) -> str:
    if value is None or value == "":
        return ""
    match = _DASHBOARD.match(value.strip()) if isinstance(value, str) else None
    if match is None or int(match[2]) > _LAST_PORT:
        raise ValueError(
            "Dask's dashboard has no password, so it is offered on this machine only: an address such as "
            f"'127.0.0.1:8787', not {value!r}"
        )
    return f"{match[1] or '127.0.0.1'}:{match[2]}"

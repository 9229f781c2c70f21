"""Validates the user's options of a hosted cluster before anything is started."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..kernel.cell.scaling import MOST_WORKERS, checked_bounds
from ..kernel.presets import preset
from .rules import RULES

_LAST_PORT = 65_535


def checked_name(name: object) -> str:
    """A name that is safe in file names.

    Raises
    ------
    ValueError
        With a message for users.
    """
    if not isinstance(name, str) or not re.fullmatch(RULES["name"], name):
        raise ValueError(
            "The name of a cluster has 1 to 64 letters (a-z), digits, points, hyphens and underscores, "
            f"and begins with a letter or a digit; this name is not valid: {name!r}"
        )
    return name


@dataclass(frozen=True)
class ClusterOptions:
    """The requested options of a hosted cluster.

    Parameters
    ----------
    name : str
        The argument of `dask_panes.connect`.
    workers : int, optional
        Number of worker processes, 0 for none until it is scaled. Default: Dask chooses by the number of cores.
    threads : int, optional
        Threads of each worker; Default: Dask chooses.
    memory : int, optional
        Bytes of each worker; an equal share of the machine's memory without it.
    dashboard : str
        Address of Dask's own dashboard on this machine, ``"127.0.0.1:8787"``; ``""`` for none.
    preset : str
        In ``dask-panes.hosting.presets`` of Dask's configuration; ``""`` for that of ``labextension.factory``.
    adapt : tuple of int, optional
        The numbers of workers between which Dask chooses.
    """

    name: str
    workers: int | None = None
    threads: int | None = None
    memory: int | None = None
    dashboard: str = ""
    preset: str = ""
    adapt: tuple[int, int] | None = None

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> ClusterOptions:
        """Validate untrusted options; missing ones, ``None`` and ``""`` are left to Dask.

        Raises
        ------
        ValueError
            With a message for users.
        """
        chosen = given.get("preset") or ""
        if not isinstance(chosen, str):
            raise ValueError(f"The preset of a cluster is a name, not {str(chosen)[:40]!r}")
        name, kind = checked_name(given.get("name")), preset(chosen)
        most = RULES["mostWorkers"] if kind.local else MOST_WORKERS
        options = cls(
            name=name,
            workers=_count(given.get("workers"), "workers", 0, most),
            threads=_count(given.get("threads"), "threads of each worker", 1, RULES["mostThreads"]),
            memory=_memory(given.get("memory")),
            dashboard=_dashboard(given.get("dashboard")),
            preset=chosen,
            adapt=checked_bounds(given, most) if given.get("maximum") is not None else None,
        )
        if not kind.local and (options.threads is not None or options.memory is not None or options.dashboard):
            raise ValueError(
                f"Threads, memory and the address of the dashboard can be chosen for a LocalCluster only: those of a "
                f"{kind.factory} are in Dask's configuration ({kind.key}.kwargs)"
            )
        return options


def _count(value: object, what: str, least: int, most: int) -> int | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"The number of {what} is a whole number from {least} to {most}, not {value!r}")
    return value


def _memory(value: object) -> int | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str) or not re.fullmatch(RULES["memory"], value.strip()):
        raise ValueError(f"The memory of a worker is a number with a unit, as in '4 GiB', not {value!r}")
    from dask.utils import parse_bytes

    found = int(parse_bytes(value.strip()))
    if found < RULES["leastMemory"]:
        raise ValueError(f"A worker needs at least {RULES['leastMemory'] // 2**20} MiB to start; {value!r} is less")
    return found


def _dashboard(value: object) -> str:
    if value is None or value == "":
        return ""
    text = value.strip() if isinstance(value, str) else ""
    host, _, port = text.rpartition(":")
    if not re.fullmatch(RULES["dashboard"], text) or int(port) > _LAST_PORT:
        raise ValueError(
            "Dask's dashboard has no password, so it is offered on this machine only: an address such as "
            f"'127.0.0.1:8787', not {value!r}"
        )
    return f"{host or '127.0.0.1'}:{port}"


def local_arguments(options: ClusterOptions, given: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of a ``LocalCluster``: the user's choice, the configuration, loopback interface and TLS."""
    from distributed.security import Security

    chosen = {
        "n_workers": options.workers,
        "threads_per_worker": options.threads,
        "memory_limit": options.memory,
        "dashboard_address": options.dashboard or None,
    }
    arguments: dict[str, Any] = {"name": options.name, "host": "127.0.0.1", "protocol": "tls://", **given}
    arguments |= {name: value for name, value in chosen.items() if value is not None}
    if not arguments.get("dashboard_address"):
        # Dask serves something in any case; at its default port, the user's next cluster would report the port as
        # taken.
        scheduler = {**(arguments.get("scheduler_kwargs") or {}), "dashboard": False}
        arguments |= {"dashboard_address": "127.0.0.1:0", "scheduler_kwargs": scheduler}
    if str(arguments["protocol"]).startswith("tls") and "security" not in arguments:
        arguments["security"] = Security.temporary()
    return arguments

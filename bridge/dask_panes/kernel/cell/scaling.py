"""Scaling a cluster of this kernel: what Dask's own widget does, for the card of a client and for hosted clusters.

Works with every class with Dask's scaling methods (``scale(n)``, ``adapt(minimum=, maximum=)``); it need not derive
from ``distributed``'s. The functions that change something may block as long as the class does.
"""

from __future__ import annotations

import asyncio
import inspect
import math
from collections.abc import Callable, Mapping
from time import monotonic, sleep
from typing import Any, TypedDict

from ..options import options

#: More workers than this are considered a typing error.
MOST_WORKERS = 100_000
#: Carrying out a decision of adaptive scaling may take as long as workers take to retire.
DECISION_SECONDS = 10.0


class Scaling(TypedDict):
    """Actual and requested number of workers of a cluster, and their memory.

    Attributes
    ----------
    workers
        Current workers.
    asked
        Requested workers.
    adaptive
        The minimum and maximum between which Dask chooses; None if it does not.
    memory
        Total memory limit of the current workers in bytes; 0 if one of them has no limit.
    machine
        Memory available to all processes of this machine in bytes, if all workers are on it; else 0.
    grouped
        Whether jobs have several workers each. Dask then takes all of them for not started when it scales down, and may
        end any (``SpecCluster.scale``, distributed 2026.8).
    """

    workers: int
    asked: int
    adaptive: tuple[int, int] | None
    memory: int
    machine: int
    grouped: bool


def switched_off() -> str:
    """Why pages may not act on any cluster, as a message; ``""`` if they may."""
    found = options()
    if not found.enabled:
        return "Dask Panes is switched off in Dask's configuration (dask-panes.enabled)."
    return "" if found.actions else "Actions are switched off in Dask's configuration (dask-panes.actions)."


def refusal(cluster: Any) -> str:
    """Why a cluster cannot be scaled from here, as a message; ``""`` if it can."""
    off = switched_off()
    if off:
        return off
    if cluster is None:
        return "This kernel has no cluster object, only an address: scale the cluster where it was made."
    return unscalable(cluster)


def unscalable(cluster: Any) -> str:
    """Why a class cannot scale or is over, as a message; ``""`` if it can."""
    name = class_name(cluster)
    if has_ended(cluster):
        return "The cluster is closed."
    if not callable(getattr(cluster, "scale", None)) or not _supports_scaling(cluster):
        if not getattr(cluster, "new_spec", True):
            return f"{name} has a fixed number of workers: Dask can neither scale nor adapt it. Create a new one."
        return f"A {name} cannot be scaled."
    return ""


def has_ended(cluster: Any) -> bool:
    """Whether a cluster is closed, or only its scheduler: after an idle timeout Dask leaves the rest as it is."""
    found = (getattr(each, "status", None) for each in (cluster, getattr(cluster, "scheduler", None)))
    return any(getattr(status, "name", "") in ("closed", "closing", "failed") for status in found)


def class_name(cluster: Any) -> str:
    """Name of the class of a cluster, as known to users."""
    name = type(cluster).__name__
    # ``SSHCluster`` is a function that names the general class which it returns.
    given = getattr(cluster, "name", None) if name == "SpecCluster" else None
    return given if isinstance(given, str) and given.endswith("Cluster") and given.isidentifier() else name


def scaling(cluster: Any) -> Scaling:
    """Actual and requested number of workers of a cluster; any thread, without a request."""
    workers = _count(lambda: cluster.scheduler_info["workers"])
    asked = _count(lambda: cluster.plan)
    there = workers if workers is not None else 0
    memory, machine = _memory(cluster)
    return {
        "workers": there,
        "asked": asked if asked is not None else there,
        "adaptive": _bounds(cluster),
        "memory": memory,
        "machine": machine,
        "grouped": _grouped(cluster),
    }


def scale(cluster: Any, workers: int) -> None:
    """Request a number of workers, and stop adaptive scaling."""
    # An adaptive cluster undoes a requested number within seconds; Dask's own widget stops it in the same way.
    call(cluster, stop_adapting, cluster)
    wait_for_decision(cluster)
    call(cluster, cluster.scale, workers)


def stop_adapting(cluster: Any) -> None:
    """Stop adaptive scaling."""
    stop = getattr(getattr(cluster, "_adaptive", None), "stop", None)
    if callable(stop):
        stop()


def wait_for_decision(cluster: Any) -> None:
    """Wait until adaptive scaling has carried out what it decided before it was stopped; not on the cluster's loop.

    It would undo a number that is requested meanwhile: Dask stops later decisions only.
    """
    adaptive = getattr(cluster, "_adaptive", None)
    end = monotonic() + DECISION_SECONDS
    while getattr(adaptive, "_adapting", False) is True and monotonic() < end:
        sleep(0.02)


def adapt(cluster: Any, minimum: int, maximum: int) -> None:
    """Start adaptive scaling: Dask chooses the number of workers by load."""
    call(cluster, cluster.adapt, minimum=minimum, maximum=maximum)


def call(cluster: Any, function: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Call a method of a cluster on the loop that it expects, and wait for it; not on the cluster's loop."""
    loop = getattr(getattr(cluster, "loop", None), "asyncio_loop", None)

    async def on_loop() -> None:
        result = function(*args, **kwargs)
        if inspect.isawaitable(result):
            await result

    if getattr(cluster, "_asynchronous", False) and loop is not None:
        asyncio.run_coroutine_threadsafe(on_loop(), loop).result()
        return
    result = function(*args, **kwargs)
    if inspect.isawaitable(result) and loop is not None:
        asyncio.run_coroutine_threadsafe(_wait(result), loop).result()


def checked_workers(workers: object, least: int = 0, most: int = MOST_WORKERS) -> int:
    """A number of workers to scale to.

    Raises
    ------
    ValueError
        With a message for users.
    """
    if isinstance(workers, bool) or not isinstance(workers, int) or not least <= workers <= most:
        raise ValueError(f"The number of workers is a whole number from {least} to {most}, not {str(workers)[:40]!r}")
    return workers


def checked_bounds(given: Mapping[str, Any], most: int = MOST_WORKERS) -> tuple[int, int]:
    """The minimum and maximum number of workers for adaptive scaling.

    Raises
    ------
    ValueError
        With a message for users.
    """
    minimum, maximum = (
        checked_workers(given.get("minimum"), 0, most),
        checked_workers(given.get("maximum"), 1, most),
    )
    if minimum > maximum:
        raise ValueError(f"The minimum number of workers ({minimum}) is greater than the maximum ({maximum})")
    return minimum, maximum


async def _wait(result: Any) -> None:
    await result


def _supports_scaling(cluster: Any) -> bool:
    try:
        return bool(getattr(cluster, "_supports_scaling", True))
    except Exception:
        # A property of a third-party class; whether it scales becomes clear on a request.
        return True


def _count(read: Callable[[], Any]) -> int | None:
    try:
        return len(read())
    except Exception:
        # The class has no such attribute, or its loop is changing it at this moment.
        return None


def _grouped(cluster: Any) -> bool:
    try:
        return any("group" in spec for spec in list(cluster.worker_spec.values()))
    except Exception:
        # The class has no such attribute, or its loop is changing it at this moment.
        return False


def machine_memory() -> int:
    """Bytes available to all processes of this machine, or of its control group."""
    from distributed.system import MEMORY_LIMIT

    return int(MEMORY_LIMIT)


def _memory(cluster: Any) -> tuple[int, int]:
    from distributed.utils import get_ip

    try:
        workers = list(cluster.scheduler_info["workers"].values())
        limits = [int(worker["memory_limit"] or 0) for worker in workers]
        here = {"127.0.0.1", "::1", "localhost", get_ip()}
        together = all(worker["host"] in here for worker in workers)
    except Exception:
        # A third-party class has fewer facts, or its loop is changing them at this moment.
        return 0, 0
    return (sum(limits) if all(limits) else 0), (machine_memory() if workers and together else 0)


def _bounds(cluster: Any) -> tuple[int, int] | None:
    adaptive = getattr(cluster, "_adaptive", None)
    if getattr(adaptive, "periodic_callback", None) is None:
        return None
    least, greatest = getattr(adaptive, "minimum", 0), getattr(adaptive, "maximum", math.inf)
    try:
        return int(least), int(min(greatest, MOST_WORKERS))
    except (TypeError, ValueError):
        # A third-party class has other bounds than numbers.
        return None

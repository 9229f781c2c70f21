"""What workers reported with their last heartbeats, read once for each.

With many workers, a heartbeat is seconds old when the next one comes: rows and samples are made several times of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple

from . import gpus
from .metrics import cancelled_tasks, user_metrics
from .plain import number

if TYPE_CHECKING:
    from distributed.scheduler import WorkerState

_EMPTY: dict[str, Any] = {}


class Reported(NamedTuple):
    """Values of one heartbeat, units as in the frame schema; NaN where the worker may not know one, and does not."""

    #: Dask's own object, which is replaced with each heartbeat.
    metrics: Mapping[str, Any]
    cpu: float
    #: Bytes of the process, of results on disk, and of what these had taken in memory; 0 before the first heartbeat.
    process: float
    spilled: float
    unloaded: float
    #: Bytes per second, read and written.
    network: tuple[float, float]
    disk: tuple[float, float]
    #: Bytes on their way, in and out.
    transfer: tuple[float, float]
    event_loop: float
    gil: float
    fds: int
    cancelled: int
    #: Metrics of user code.
    own: dict[str, float | str]
    gpu: dict[str, float]


def report_of(ws: WorkerState) -> Reported:
    """Read the last heartbeat of a worker."""
    metrics = ws.metrics
    spilled = metrics.get("spilled_bytes") or _EMPTY
    transfer = metrics.get("transfer") or _EMPTY
    network = metrics.get("host_net_io") or _EMPTY
    disk = metrics.get("host_disk_io") or _EMPTY
    fds = number(metrics.get("num_fds"))
    return Reported(
        metrics,
        number(metrics.get("cpu")),
        number(metrics.get("memory")),
        number(spilled.get("disk")),
        number(spilled.get("memory")),
        (number(network.get("read_bps"), nan), number(network.get("write_bps"), nan)),
        (number(disk.get("read_bps"), nan), number(disk.get("write_bps"), nan)),
        (number(transfer.get("incoming_bytes")), number(transfer.get("outgoing_bytes"))),
        number(metrics.get("event_loop_interval"), nan),
        number(metrics.get("gil_contention"), nan),
        int(fds) if 0 <= fds < 2**32 else 0,
        cancelled_tasks(ws),
        user_metrics(ws),
        gpus.read_gpu(ws),
    )


class Reports:
    """The last heartbeats of all workers, by address."""

    def __init__(self) -> None:
        self._known: dict[str, Reported] = {}

    def of(self, ws: WorkerState) -> Reported:
        """What a worker reported last."""
        known = self._known.get(ws.address)
        if known is None or known.metrics is not ws.metrics:
            known = self._known[ws.address] = report_of(ws)
        return known

    def forget(self, address: str) -> None:
        """A worker has left."""
        self._known.pop(address, None)

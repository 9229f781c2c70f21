"""What decides on an idle cluster whether a worker's row is sent again: figures that have left their dead-bands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from . import bands, gpus
from .metrics import seceded_tasks
from .plain import number
from .reported import Reported

if TYPE_CHECKING:
    from distributed.scheduler import WorkerState


class Figures(NamedTuple):
    """Values that decide on an idle cluster whether a worker's row is sent again."""

    #: Compared exactly: status, threads, load, tasks, results and their bytes, missed heartbeats, seceded, cancelled.
    exact: tuple[Any, ...]
    #: Process memory, what of it has long been unmanaged, what is on disk, and what is being transferred; bytes.
    amounts: tuple[float, ...]
    #: Their dead-band in bytes.
    band: float
    #: CPU, file descriptors, turns of the event loop, share of the GIL.
    others: tuple[float, ...]
    #: Metrics of user code.
    own: dict[str, float | str]
    gpu: dict[str, float]

    def like(self, reported: Figures | None) -> bool:
        """Whether a reader with the other figures needs no update."""
        if reported is None or self.exact != reported.exact:
            return False
        amounts = zip(self.amounts, reported.amounts)
        others = zip(self.others, reported.others, _OTHERS)
        return (
            not any(bands.differ(before, now, self.band) for now, before in amounts)
            and not any(bands.differ(before, now, band) for now, before, band in others)
            and (self.own == reported.own or bands.same_metrics(reported.own, self.own))
            and gpus.same_gpu(self.gpu, reported.gpu)
        )


#: Dead-bands of `Figures.others`.
_OTHERS = (bands.CPU, bands.FDS, bands.LOOP, bands.GIL)


def figures_of(ws: WorkerState, load: int, overdue: bool, last: Reported) -> Figures:
    """The figures of a worker.

    Parameters
    ----------
    load : int
        See the schema's enum ``workerLoad``.
    overdue : bool
        Whether its heartbeats are.
    last : Reported
        Its last heartbeat.
    """
    exact = (
        *(ws.status, ws.nthreads, load, len(ws.processing), len(ws.executing)),
        *(len(ws.has_what), ws.nbytes, last.metrics.get("managed_bytes"), overdue, seceded_tasks(ws), last.cancelled),
    )
    amounts = (
        last.process,
        # It grows with a heartbeat that brings nothing new, 30 s after the memory was taken.
        number(getattr(ws, "_memory_unmanaged_old", 0)),
        last.spilled,
        *last.transfer,
    )
    others = (last.cpu, float(last.fds), last.event_loop, last.gil)
    band = bands.memory_band(ws.memory_limit or 0)
    return Figures(exact, amounts, band, others, last.own, last.gpu)

"""One P2P shuffle: its row of the topic, and how it is counted from what Dask keeps of it."""

from __future__ import annotations

from itertools import islice
from math import isnan, nan
from typing import TYPE_CHECKING, Any

from .plain import number, text

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Characters of the id of a shuffle, and of what kind it is.
LONGEST = 200
#: Beginning of the key of a barrier, followed by the id of its shuffle.
BARRIER = "shuffle-barrier-"
#: What one update may cost, in tasks.
COST = 30_000
#: A larger amount is not a number of bytes.
_MOST = 1e24
#: Codes of the schema's enum ``shuffleState``.
SENDING, UNPACKING, DONE, FAILED, STOPPED = range(5)
#: States of a task that has a result, or had one.
_RAN = frozenset(("memory", "released", "forgotten"))
#: States of a barrier whose inputs have all run.
_SENT = frozenset(("queued", "no-worker", "processing", "memory"))
#: Bytes in a worker's heartbeat, in the order of the columns: part and name.
BYTES = {
    "sent": ("comm", "written"),
    "received": ("comm", "read"),
    "to_send": ("comm", "memory"),
    "stored": ("disk", "written"),
    "to_store": ("disk", "memory"),
    "read_back": ("disk", "read"),
}


class Shuffle:
    """One run of a P2P shuffle; Dask starts another one where a worker that takes part is lost."""

    __slots__ = ("active", "at", "figures", "kind", "name", "on_disk", "row", "start")

    def __init__(self, active: Any, start: float) -> None:
        #: Dask's own state; None once it has ended.
        self.active: Any = active
        self.start = start
        spec = active.run_spec.spec
        self.name = text(spec.id, LONGEST)
        self.kind = text(type(spec).__name__, LONGEST)
        self.on_disk = bool(spec.disk)
        #: State, stop, workers, inputs, inputs done, outputs, outputs done.
        self.row: tuple[float, ...] = (SENDING, nan, 0, nan, nan, nan, nan)
        #: Workers that reported their bytes, and the sums of `BYTES`; not known before the first heartbeat.
        self.figures: tuple[float, ...] = (0, *(nan for _ in BYTES))
        #: The same for each worker: its id and `BYTES`.
        self.at: list[list[float]] = []


def row_at(barrier: Any, shuffle: Shuffle, start: str, finish: str) -> tuple[float, ...]:
    """The row of a shuffle whose barrier changes its state."""
    states = {start, finish}
    sent, opened = not states.isdisjoint(_SENT), "memory" in states
    before, after = len(barrier.dependencies), len(barrier.dependents)
    _, _, _, _, inputs_done, outputs, outputs_done = shuffle.row
    outputs = after if isnan(outputs) else max(outputs, after)
    if start != "memory":
        # A look counts them.
        outputs_done = nan if opened else 0
    elif finish in ("released", "erred") and after == outputs <= COST:
        # It ends: none of them has been forgotten, and of those that are released, some may not have run.
        outputs_done = sum(ts.state in _RAN and (ts.state != "released" or ts.nbytes >= 0) for ts in barrier.dependents)
    return (
        *(UNPACKING if opened else SENDING, nan, len(shuffle.active.participating_workers)),
        *(before, before if sent else inputs_done, outputs, outputs_done),
    )


def has_failed(barrier: Any, active: Any) -> bool:
    """Whether a task of a shuffle that has ended has erred; `barrier` is None if the scheduler has forgotten it."""
    if active._failed or not text(active._archived_by or "").startswith("task-erred"):
        return bool(active._failed)
    if barrier is None:
        return True
    # Otherwise a task after those that take output has: the shuffle was released, since nothing needed it any more.
    return barrier.exception_blame is not None or any(ts.state == "erred" for ts in islice(barrier.dependents, COST))


def count_tasks(scheduler: Scheduler, shuffle: Shuffle) -> int:
    """Count the tasks before and after the barrier that have run; returns the cost."""
    workers = len(shuffle.active.participating_workers)
    barrier = scheduler.tasks.get(f"{BARRIER}{shuffle.active.id}")
    if barrier is None:
        shuffle.row = (shuffle.row[0], nan, workers, *shuffle.row[3:])
        return 1
    opened = barrier.state == "memory"
    before, after = len(barrier.dependencies), len(barrier.dependents)
    known = before + after <= COST
    sent = before if opened else sum(ts.state in _RAN for ts in barrier.dependencies) if known else nan
    # Those that are forgotten have left the barrier's dependents.
    _, _, _, _, _, most, _ = shuffle.row
    outputs = after if isnan(most) else max(most, after)
    ran = outputs - sum(ts.state not in _RAN for ts in barrier.dependents) if known and opened else nan if opened else 0
    shuffle.row = (UNPACKING if opened else SENDING, nan, workers, before, sent, outputs, ran)
    return before + after if known else 1


def bytes_of(beat: Any, part: str, name: str) -> float:
    """An amount in a heartbeat; NaN if it is not valid."""
    amounts = beat.get(part) if isinstance(beat, dict) else None
    value = number(amounts.get(name), nan) if isinstance(amounts, dict) else nan
    return value if 0 <= value <= _MOST else nan

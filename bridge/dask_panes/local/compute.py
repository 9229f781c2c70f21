"""One compute of a local scheduler, from its start to its end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from dask.utils import funcname, key_split

#: Which scheduler runs: Dask's names for ``compute(scheduler=...)``.
Scheduler = Literal["threads", "processes", "sync"]
#: Status of a compute.
Outcome = Literal["running", "done", "erred", "interrupted"]

#: Maximum characters of a call.
LONGEST_CALL = 200

#: Dask's functions that return a task's worker, by scheduler.
_SCHEDULERS: Mapping[str, Scheduler] = {
    "_thread_get_id": "threads",
    "_process_get_id": "processes",
    "default_get_id": "sync",
}


class Place(NamedTuple):
    """Where a compute runs, as far as known."""

    scheduler: Scheduler
    workers: int

    @classmethod
    def of(cls, variables: Mapping[str, Any]) -> Place:
        """From the local variables of Dask's ``get_async``, which passes neither to callbacks.

        With ``compute(scheduler=<an Executor>)`` tasks do not tell their thread, as in a synchronous compute.
        """
        from dask.local import SynchronousExecutor

        name = getattr(variables.get("get_id"), "__name__", "")
        workers = variables.get("num_workers")
        scheduler = _SCHEDULERS.get(name, "threads")
        pool = getattr(variables.get("submit"), "__self__", None)
        if scheduler == "sync" and pool is not None and not isinstance(pool, SynchronousExecutor):
            # By name: loky has one of its own.
            bases = {base.__name__ for base in type(pool).__mro__}
            scheduler = "processes" if "ProcessPoolExecutor" in bases else "threads"
        return cls(scheduler, workers if isinstance(workers, int) and workers > 0 else 1)


class Compute:
    """The stored data of a compute. It must not keep Dask's own objects alive.

    Parameters
    ----------
    graph : mapping
        Dask's graph, tasks by key.
    place : Place
        Where it runs.
    began : float
        Seconds.
    """

    def __init__(self, graph: Mapping[Any, Any], place: Place, began: float) -> None:
        self.graph = graph
        self.place = place
        self.began = began
        self.ended: float | None = None
        self.outcome: Outcome = "running"
        self.total = self.done = 0

    def know(self, state: Mapping[str, Any]) -> list[Any]:
        """Copy the needed parts of Dask's state at the start; returns the keys that will run, first ones first."""
        keys = [*reversed(state["ready"]), *state["waiting"]]
        self.total = len(keys)
        return keys

    def end(self, time: float, outcome: Outcome) -> None:
        """The compute is over: keep its figures, none of its objects."""
        self.ended, self.outcome = time, outcome
        self.graph = {}


def call_of(task: Any) -> str:
    """A task's call as text: ``qr(…)``, ``fused: getitem, sum``; empty if it makes none."""
    function = task[0] if type(task) is tuple and task else getattr(task, "func", None)
    if function is None:
        return ""
    if getattr(function, "__name__", "") == "_execute_subgraph":
        graph = next(iter(getattr(task, "args", ())), None)
        names = dict.fromkeys(key_split(key) for key in graph) if isinstance(graph, Mapping) else {}
        return f"fused: {', '.join(names)}"[:LONGEST_CALL]
    return f"{funcname(function)}(…)"[:LONGEST_CALL]

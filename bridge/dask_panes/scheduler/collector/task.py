"""The request ``task``: all details of one task from the scheduler, the graph and the ring."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from distributed.metrics import time

from .attempt_ends import attempts_of
from .call import annotations_of, call_of
from .faults import Refusal
from .graph import Graph
from .heartbeats import Heartbeats
from .history import MOVE_KINDS, History
from .looks import Looks
from .marks import AGAIN, LOST
from .names import Names
from .plain import literal, written
from .scheduler_errors import scheduler_exception
from .stakes import wanted_by
from .waiting import reasons

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler, TaskState, WorkerState

#: Dependencies, dependents and workers reported; their counts are always exact.
LISTED = 200
#: Executions of one key reported, newest first.
EXECUTIONS = 10
#: Running tasks of a worker whose frames are sent.
STACKS = 100
#: Neighbours per slice of a full scan of a task.
PIECE = 5_000
#: Maximum characters of a traceback, of a call stack and of each piece of code.
LONGEST = 20_000
#: A lone surrogate in the notation of `plain.text`.
_SURROGATE = re.compile(r"\\u(d[89a-f][0-9a-f]{2})")
#: Kinds of intervals by their code.
_KINDS = {code: kind for kind, code in MOVE_KINDS.items()}


def find(scheduler: Scheduler, text: str) -> TaskState | None:
    """Find the task for a key as a user writes it: text keys as they are, others as Python's ``repr``."""
    found: TaskState | None = scheduler.tasks.get(text)
    if found is not None:
        return found
    try:
        return scheduler.tasks.get(literal(text)) or scheduler.tasks.get(_SURROGATE.sub(_surrogate, text))
    except TypeError:
        # A literal that cannot be a key, such as a list.
        return None


def _surrogate(written: re.Match[str]) -> str:
    return chr(int(written[1], 16))


class Tasks:
    """Answers questions about single tasks.

    Parameters
    ----------
    scheduler : Scheduler
        Where live tasks are.
    names, graph, history, marked
        The collector's data.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        names: Names,
        graph: Graph,
        history: History,
        marked: Mapping[Any, str],
        looks: Looks,
    ) -> None:
        self._scheduler = scheduler
        self._names = names
        self._graph = graph
        self._history = history
        self._marked = marked
        self._heartbeats = Heartbeats(looks)

    async def describe(self, args: dict[str, Any]) -> dict[str, Any]:
        """Describe a task named by ``key`` (its text) or by ``number``.

        Returns
        -------
        dict
            ``known``: whether the scheduler has it now. If it is neither there nor stored, only ``known`` and
            ``key``. ``before``: why it must run once more: its result was lost while something needed it ("lost"), or
            had been released ("again"); empty otherwise. Of ``why``, see `reasons`, and ``silent``: its worker has
            missed its heartbeats. Of an execution, ``gone``: its worker is not there any more.
        """
        kept: dict[str, Any] | None = None
        if "number" in args:
            kept = self._graph.describe(int(args["number"]))
            if kept is None:
                return {"known": False, "key": ""}
        key = kept["key"] if kept else str(args.get("key", ""))
        ts = find(self._scheduler, key)
        if ts is not None and kept is not None and self._graph.number(ts.key) != kept["number"]:
            # The key has come again: the number means the earlier task.
            ts = None
        details: dict[str, Any] = {"known": False, "key": key, **(kept or {})}
        if ts is not None:
            details.update(await self._live(ts))
        elif kept is not None:
            details.update(await self._gone(kept["number"]))
        details["executions"] = await self._executions(key, details.get("prefix"))
        return details

    async def _live(self, ts: TaskState) -> dict[str, Any]:
        dependencies, lacking = await self._list(ts.dependencies)
        dependents, _ = await self._list(ts.dependents)
        details: dict[str, Any] = {
            "known": True,
            "key": written(ts.key),
            "number": self._graph.number(ts.key),
            "prefix": ts.prefix.name,
            "group": ts.group.name,
            "state": ts.state,
            "before": mark if (mark := self._marked.get(ts.key)) in (LOST, AGAIN) else "",
            "priority": repr(ts.priority) if ts.priority is not None else "",
            "worker": self._worker(ts.processing_on.address) if ts.processing_on else "",
            "holders": [self._worker(ws.address) for ws in list(ts.who_has or ())[:LISTED]],
            "holder_count": len(ts.who_has or ()),
            "nbytes": ts.nbytes if ts.nbytes >= 0 else None,
            "type": (ts.type or "")[:200],
            **wanted_by(self._scheduler, ts),
            "retries": ts.retries or 0,
            "suspicious": ts.suspicious or 0,
            "attempts": self._attempts(ts),
            "actor": bool(ts.actor),
            "lacking": lacking,
            "lost_dependencies": bool(ts.has_lost_dependencies),
            "dependencies": dependencies,
            "dependency_count": len(ts.dependencies),
            "dependents": dependents,
            "dependent_count": len(ts.dependents),
            "restrictions": _restrictions(ts),
            "annotations": annotations_of(ts),
            "code": self._code(ts),
            **call_of(ts),
        }
        details.update(self._failure(ts))
        details["why"] = reasons(self._scheduler, ts)
        if ts.processing_on is not None:
            details["why"]["silent"] = self._silent(ts.processing_on)
        return details

    def _attempts(self, ts: TaskState) -> list[dict[str, Any]]:
        try:
            return attempts_of(self._scheduler, ts.key)
        except Exception:
            # A release with another log of transitions: all else is known.
            return []

    def _silent(self, ws: WorkerState) -> bool:
        """Whether a worker has missed its heartbeats: what they have reported is old."""
        latest = self._heartbeats.latest(len(self._scheduler.workers), time())
        return latest is not None and ws.last_seen < latest

    def _worker(self, address: str) -> str:
        ws = self._scheduler.workers.get(address)
        return str(ws.name)[:200] if ws is not None else address

    async def _list(self, tasks: Iterable[TaskState]) -> tuple[list[dict[str, Any]], int]:
        """Neighbours of a task, those that block it first, and how many of them are not in memory."""
        known = list(tasks)
        first: list[TaskState] = []
        others: list[TaskState] = []
        lacking = 0
        for i in range(0, len(known), PIECE):
            for ts in known[i : i + PIECE]:
                lacking += ts.state != "memory"
                found = others if ts.state in ("memory", "released", "forgotten") else first
                if len(found) < LISTED:
                    found.append(ts)
            if len(known) > PIECE:
                await asyncio.sleep(0)
        listed = [*first, *others][:LISTED]
        return [self._neighbour(ts) for ts in listed], lacking

    def _neighbour(self, ts: TaskState) -> dict[str, Any]:
        on = ts.processing_on
        facts = {"key": written(ts.key), "state": ts.state, "number": self._graph.number(ts.key)}
        return facts if on is None else {**facts, "worker": self._worker(on.address), "runs": ts in on.executing}

    def _failure(self, ts: TaskState) -> dict[str, Any]:
        if ts.state != "erred":
            return {}
        blamed = ts.exception_blame or ts
        # The scheduler's own exceptions come without a text.
        return {
            "blamed": "" if blamed is ts else written(blamed.key),
            "exception": (blamed.exception_text or scheduler_exception(blamed))[:LONGEST],
            "traceback": (blamed.traceback_text or "")[:LONGEST],
            "erred_on": sorted(self._worker(str(address)) for address in blamed.erred_on or ())[:LISTED],
        }

    def _code(self, ts: TaskState) -> list[dict[str, Any]]:
        """The lines of the user's code that submitted the task's group, if Dask has them."""
        for computation in reversed(self._scheduler.computations):
            if ts.group in computation.groups:
                return [
                    {
                        "code": str(frame.code)[:LONGEST],
                        "line": int(frame.lineno_relative),
                        "file": str(frame.filename)[:1000],
                        "file_line": int(frame.lineno_frame),
                    }
                    for frames in list(computation.code)[:3]
                    for frame in list(frames)[:3]
                ]
        return []

    async def _gone(self, number: int) -> dict[str, Any]:
        dependencies, dependents = await self._graph.neighbours(number)
        return {
            "dependencies": self._numbers(dependencies),
            "dependency_count": len(dependencies),
            "dependents": self._numbers(dependents),
            "dependent_count": len(dependents),
        }

    def _numbers(self, numbers: list[int]) -> list[dict[str, Any]]:
        described = (self._graph.describe(number) for number in numbers[:LISTED])
        return [{"key": t["key"], "state": t["state"], "number": t["number"]} for t in described if t is not None]

    async def _executions(self, key: str, prefix: str | None) -> list[dict[str, Any]]:
        rows = await self._history.find(key, prefix, EXECUTIONS)
        listed = []
        for row in rows:
            execution = self._history.execution(row)
            if execution is not None:
                worker, _ = self._names.lanes[execution.pop("lane")]
                facts = self._names.workers[worker]
                moves = [{**move, "kind": _KINDS[move["kind"]]} for move in execution["moves"]]
                gone = facts["address"] not in self._scheduler.workers
                listed.append({**execution, "moves": moves, "worker": str(facts["name"])[:200], "gone": gone})
        return listed

    async def call_stack(self, args: dict[str, Any]) -> list[dict[str, Any]]:
        """Frames of a running task, or of all that run on a worker; empty if none does.

        Raises
        ------
        Refusal
            The scheduler does not know the task or the worker, or the worker does not answer.
        """
        if "call_stack" in self._scheduler.blocked_handlers:
            raise Refusal("The scheduler does not allow it (distributed.scheduler.blocked-handlers: call_stack).")
        if "worker" in args:
            stacks_of = self._stacks_on(str(args["worker"]))
        else:
            ts = find(self._scheduler, str(args.get("key", "")))
            if ts is None:
                raise Refusal("The scheduler does not know this task any more.")
            # Not by Dask's own search, which walks from a task that waits along every path to those before it.
            if ts.processing_on is None:
                return []
            stacks_of = self._stacks_on(ts.processing_on.address, [ts.key])
        try:
            stacks = await asyncio.wait_for(stacks_of, 10)
        except (OSError, asyncio.TimeoutError) as error:
            raise Refusal("The worker does not answer: it may be busy in code that holds the GIL.") from error
        return [
            {
                "worker": self._worker(worker),
                "key": written(key),
                "frames": [str(line)[:LONGEST] for line in frames][:200],
            }
            for worker, by_key in stacks.items()
            for key, frames in list(by_key.items())[:STACKS]
        ]

    async def _stacks_on(self, worker: str, keys: list[Any] | None = None) -> dict[str, Any]:
        if worker not in self._scheduler.workers:
            raise Refusal("The scheduler does not know this worker any more.")
        return {worker: await self._scheduler.rpc(worker).call_stack(keys=keys)}


def _restrictions(ts: TaskState) -> dict[str, Any]:
    return {
        "workers": sorted(map(str, ts.worker_restrictions or ()))[:LISTED],
        "hosts": sorted(map(str, ts.host_restrictions or ()))[:LISTED],
        "resources": {str(name)[:200]: float(amount) for name, amount in (ts.resource_restrictions or {}).items()},
        "loose": bool(ts.loose_restrictions),
    }

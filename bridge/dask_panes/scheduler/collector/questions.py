"""Requests from kernels to the collector, other than reads."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from inspect import isawaitable, signature
from math import inf
from typing import Any

from distributed.metrics import time

from .faults import Refusal
from .heartbeats import began
from .holdings import Holdings
from .key_search import Keeper, KeySearch, Purse
from .neighbours import neighbours
from .parts import Parts
from .plain import plain, text
from .stakes import stakes

#: Task keys per answer.
KEYS_AT_ONCE = 200
#: Requests whose answers are plain: those of probes, and lists of numbers.
PLAIN = frozenset(("servers", "search_keys"))
#: Topics whose rows are numbered as they come, and all that only grow.
NUMBERED = ("tasks", "events", "memory_samples", "steals")
HISTORIES = (*NUMBERED, "executed", "graph", "series")
#: Maximum seconds for sliced work to reach a moment.
SETTLING = 3.0
#: The same while the user waits for the end of a cluster; turns in which readers are sent what they lack, and the
#: seconds of one.
LAST_SETTLING = 0.1
LAST_TURNS, LAST_TURN = 10, 0.01
#: Seconds after which a cluster that was about to be closed is taken for one that stays, unless those who close it say
#: again that they do: some may be interrupted or stopped, and stay connected.
HELD = 30.0


class Questions:
    """Answers the requests of kernels to one collector.

    Parameters
    ----------
    parts : Parts
        What the collector keeps.
    settle : callable
        Completes sliced work up to now, within a number of seconds.
    remove : callable
        Takes the plugin off the scheduler.
    """

    def __init__(
        self, parts: Parts, settle: Callable[[float], Awaitable[None]], remove: Callable[[], Awaitable[None]]
    ) -> None:
        self._parts, self._settle, self._take_off = parts, settle, remove
        self._held, self._purse = Holdings(), Purse()
        keepers: dict[str, Keeper] = {"executions": parts.history, "graph": parts.graph}
        #: How often closing the cluster was over while its scheduler went on.
        self._overs = 0
        self._key_search = KeySearch(keepers, lambda: parts.names.prefixes, lambda: parts.closed)
        #: Every request, with the function that receives its arguments; its result may be awaitable.
        self._known: dict[str, Callable[[dict[str, Any]], Any]] = {
            "key": self._key,
            "task": self._task,
            "neighbours": self._neighbours,
            "callstack": self._call_stack,
            "numbers": self._numbers,
            "keys": self._keys,
            "search_keys": self._search_keys,
            "end": self._end,
            "series": self._series,
            "label_samples": self._label_samples,
            "cell": self._cell,
            "graphs": lambda args: parts.computations.graphs(int(args["computation"])),
            "marks": self._marks,
            "servers": self._servers,
            "heartbeats": self._heartbeats,
            "stakes": self._stakes,
            "holdings": self._holdings,
            "plan": parts.wants.plan,
            "carry_out": parts.wants.carry_out,
            "benchmark": self._benchmark,
            "wake": self._wake,
            "size": self._size,
            "closing": self._closing,
            "remove": self._remove,
        }

    async def ask(self, name: str, args: dict[str, Any] | None = None) -> Any:
        """Answer one question, or carry out one action.

        Parameters
        ----------
        name : str
            One of those below.
            ``key``: ``{"row": int}`` → ``{"key", "type"}`` or None if the row has left the ring.
            ``task``: ``{"key": str}`` or ``{"number": int}`` → all details of one task.
            ``neighbours``: ``{"row": int}`` → where its dependencies and dependents ran, see `neighbours`.
            ``callstack``: ``{"key": str}`` → frames of a running task by worker.
            ``holdings``: ``{"worker": str}`` → tasks assigned to a worker and its results, see `holdings`; of a
            moment ago, if another page asked then.
            ``numbers``: ``{"numbers": [int]}`` → the keys of tasks of the graph, None for dropped ones.
            ``keys``: ``{"row", "chunk", "groups", "types"}`` → packed keys of consecutive rows, see `History.keys`.
            ``search_keys``: ``{"search", "texts", "of", "from", "before"}``: a part of a search, from ``before`` (None
            for the newest) to older rows, not beyond ``from``. ``search`` names it: a new request with its name ends
            the former one, one without ``texts`` too. ``of`` is ``"executions"`` or ``"graph"``. → ``{"rows",
            "reached", "before", "first", "done"}``: those whose keys contain all ``texts``, the newest first; down to
            ``reached`` all are searched, from ``first`` on keys are kept. Or ``{"cancelled": True}``.
            ``end``: ``{"topics": [str]}`` → ``{"feed", "epoch", "time", "cursor"}``: the position of a complete
            reader. With ``"now": True`` sliced and periodic work is completed first, and all readers receive what
            they lack at once; the answer then has ``first``, numbers of the next rows of histories, and ``idle``.
            ``series``: ``{"worker": int}``, and ``after``, a time, or all → wire columns of one worker over time.
            ``label_samples``: ``{"key": str, "label": str}``: the client's label for a run of its MemorySampler.
            ``cell``: ``{"client", "cell", "shown", "code", "id"}``, and ``line``: the kernel describes an execution of
            a cell, see `Computations.cell`.
            ``graphs``: ``{"computation": int}`` → its newest graphs, see `Computations.graphs`.
            ``marks``: → whether the scheduler takes the stimulus of a graph from a client, which marks it with a cell.
            ``servers``: see `Reach.ask`; `each` as lists of id and arguments. With ``asker``, the id of a kernel, and
            ``again``, a number of seconds, it counts for that long as one that reads without a pane (0: it has one).
            The answer also has ``feed``; ``executed``, the number of executions so far; ``working``: whether workers
            have tasks; ``idle``: whether the cluster has had nothing to do for a while; ``readers``: kernels that share
            the requests to the workers.
            ``heartbeats``: ``{"since": [[worker, time]]}`` → ids of those workers of which no heartbeat began then or
            later, by their own clock.
            ``benchmark``: measure the hardware, see `Hardware.begin`.
            ``stakes``: what an action would cost; ``plan``, ``carry_out``: actions on tasks, see `Wants`.
            ``wake``: ``{"reader": str}``: end the reader's long poll.
            ``size``: → bytes and rows in the parts.
            ``closing``: the cluster is about to be closed, which begins with its workers: all readers receive what they
            lack, and nothing of its end, in which results are lost and tasks wait for workers that never come. With
            ``"interrupted": True`` the end may have begun: workers that have just left belong to it. ``"client"``: id
            of a client that leaves before or with the scheduler. With ``"over": True`` closing has ended, and the
            scheduler goes on.
            ``remove``: the plugin leaves the scheduler.

        Returns
        -------
        object
            The answer; ``{"refused": sentence}`` if there is none, or the request is unknown.
        """
        question = self._known.get(name)
        if question is None:
            return {"refused": f"The collector knows no request {text(name, 100)!r}."}
        try:
            answer = question(args or {})
            result = await answer if isawaitable(answer) else answer
        except Refusal as refusal:
            return {"refused": str(refusal)}
        # Some answers are plain already, and may be large: this is the scheduler's time.
        return result if name in PLAIN else plain(result)

    def _key(self, args: dict[str, Any]) -> dict[str, Any] | None:
        self._parts.write()
        return self._parts.history.describe(int(args["row"]))

    async def _task(self, args: dict[str, Any]) -> dict[str, Any]:
        self._parts.write()
        return await self._parts.tasks.describe(args)

    async def _neighbours(self, args: dict[str, Any]) -> dict[str, Any]:
        parts = self._parts
        parts.write()
        return await neighbours(parts.scheduler, parts.graph, parts.history, self._purse, args)

    async def _call_stack(self, args: dict[str, Any]) -> list[dict[str, Any]]:
        return await self._parts.tasks.call_stack(args)

    def _numbers(self, args: dict[str, Any]) -> list[str | None]:
        return [self._parts.graph.text(int(number)) for number in args["numbers"][:KEYS_AT_ONCE]]

    def _keys(self, args: dict[str, Any]) -> dict[str, Any]:
        self._parts.write()
        row, chunk, groups, types = (int(args[name]) for name in ("row", "chunk", "groups", "types"))
        return self._parts.history.keys(row, chunk, groups, types)

    async def _search_keys(self, args: dict[str, Any]) -> dict[str, Any]:
        self._parts.write()
        return await self._key_search.ask(args)

    async def _end(self, args: dict[str, Any]) -> dict[str, Any]:
        parts = self._parts
        now = bool(args.get("now"))
        if now:
            await self._settle(SETTLING)
        parts.drain()
        topics = {name: parts.topics[name] for name in args["topics"] if name in parts.topics}
        for name, topic in topics.items():
            if topic.scan is not None:
                parts.faults.guard(name, "scan", topic.scan, None)
        cursor = {name: topic.end() for name, topic in topics.items()}
        answer = {"feed": parts.feed, "epoch": parts.epoch, "time": time(), "cursor": cursor}
        if now:
            parts.pace.hurry()
            parts.graph.walk_together()
            numbered = {name: cursor[name] for name in NUMBERED if name in cursor}
            answer["first"] = {**numbered, "graph": parts.graph.end, "series": parts.series.end - 1}
            answer["idle"] = parts.idle
        return answer

    def _series(self, args: dict[str, Any]) -> dict[str, Any]:
        return self._parts.worker_series.read(int(args["worker"]), float(args.get("after", -inf)))

    def _label_samples(self, args: dict[str, Any]) -> None:
        parts = self._parts
        parts.memory_samples.label(parts.scheduler, str(args["key"]), str(args["label"]))
        parts.wake()

    def _cell(self, args: dict[str, Any]) -> bool:
        cell, shown = int(args["cell"]), int(args["shown"])
        # Older kernels do not report the line.
        line = int(args.get("line", 0))
        self._parts.computations.cell(str(args["client"]), cell, shown, str(args["code"]), str(args["id"]), line)
        self._parts.wake()
        return True

    def _marks(self, args: dict[str, Any]) -> bool:
        return "stimulus_id" in signature(self._parts.scheduler.update_graph).parameters

    async def _servers(self, args: dict[str, Any]) -> dict[str, Any]:
        parts = self._parts
        asked = {**args, "each": {int(server): more for server, more in args["each"]}}
        asker, again = str(asked.pop("asker", "")), float(asked.pop("again", 0.0))
        if asker:
            parts.pace.note_asker(asker, again)
        reply = await parts.reach.ask(**asked)
        working = any(ws.processing for ws in parts.scheduler.workers.values())
        facts = {"feed": parts.feed, "executed": parts.history.end, "working": working}
        return {**reply, **facts, "idle": parts.idle, "readers": parts.pace.asking}

    def _heartbeats(self, args: dict[str, Any]) -> list[int]:
        since = {int(server): float(at) for server, at in args["since"]}
        workers = self._parts.scheduler.workers
        known = ((self._parts.names.worker_at(address), ws) for address, ws in workers.items())
        return [server for server, ws in known if began(ws) < since.get(server, -inf)]

    async def _stakes(self, args: dict[str, Any]) -> dict[str, Any]:
        return await stakes(self._parts.scheduler, args)

    async def _holdings(self, args: dict[str, Any]) -> dict[str, Any]:
        return await self._held.ask(self._parts.scheduler, str(args.get("worker") or ""))

    def _benchmark(self, args: dict[str, Any]) -> dict[str, Any]:
        return self._parts.hardware.begin(self._parts.scheduler)

    def _wake(self, args: dict[str, Any]) -> None:
        reader = self._parts.pace.readers.get(str(args["reader"]))
        if reader is not None:
            reader.wake()

    def _size(self, args: dict[str, Any]) -> dict[str, int]:
        history, graph = self._parts.history, self._parts.graph
        return {"rows": history.end - history.first, "bytes": history.nbytes + graph.nbytes}

    async def _closing(self, args: dict[str, Any]) -> bool:
        pace, client, overs = self._parts.pace, str(args.get("client", "")), self._overs
        if args.get("over"):
            self._overs += 1
            pace.release()
            return True
        if args.get("again"):
            # Not where something has shown meanwhile that the cluster goes on.
            if pace.closing:
                self._hold(client, {})
            return True
        ends: dict[str, int] = {}
        try:
            interrupted = bool(args.get("interrupted"))
            if not pace.closing and not (interrupted and pace.doubted):
                self._parts.drain()
                ends = {name: self._parts.topics[name].end() for name in HISTORIES}
                await self._send_all(interrupted)
        finally:
            # Also where the kernel does not wait any longer; it may have said meanwhile that the cluster goes on.
            if overs == self._overs:
                self._hold(client, ends)
        return True

    def _hold(self, client: str, ends: dict[str, int]) -> None:
        pace = self._parts.pace
        pace.hold(HELD, client, ends)
        if client and client not in self._parts.scheduler.clients:
            pace.leave(client)

    async def _send_all(self, interrupted: bool) -> None:
        pace = self._parts.pace
        await self._settle(LAST_SETTLING)
        self._parts.drain()
        if not interrupted:
            # What has been lost by now is not of the end.
            pace.release()
        pace.hurry()
        for _ in range(LAST_TURNS):
            await asyncio.sleep(LAST_TURN)
            if pace.caught_up:
                break

    async def _remove(self, args: dict[str, Any]) -> bool:
        await self._take_off()
        return True

"""Actions on the tasks that clients want: cancel and retry.

A plan is made first and shown to the user; the action then applies to the planned tasks only, as far as they are still
as they were. Both are done in slices between the scheduler's other events.

``Client.cancel`` is not used. The scheduler's part of it (as of distributed 2026.8) raises for a key with a
dependent that no client wants, which ends the client's connection, and it takes quadratic time. What it does to a key
is done here: the client's interest is released, and the client is notified that the key is cancelled.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from .faults import Refusal
from .names import LONGEST
from .plain import text, written
from .stakes import LONGEST_NAME, NAMED, PENDING, STRIDE, Turns, by_client, client_of
from .task import find

if TYPE_CHECKING:
    from distributed.scheduler import ClientState, Scheduler, TaskState

#: Tasks of one plan; a larger one is carried out in parts.
MOST = 100_000
#: Keys of one slice of an action: some milliseconds of the scheduler, which takes 50 to 100 µs for each.
AT_ONCE = 50
#: Plans kept, one for each client.
PLANS = 20


class Plan(NamedTuple):
    """The tasks to which an action applies."""

    token: str
    #: ``cancel`` or ``retry``.
    action: str
    keys: list[Any]


class Wants:
    """Plans and carries out actions on the tasks that clients want.

    Parameters
    ----------
    scheduler : callable
        Returns the scheduler, where live tasks are.
    """

    def __init__(self, scheduler: Callable[[], Scheduler]) -> None:
        self._at = scheduler
        #: By id of the client.
        self._plans: dict[str, Plan] = {}

    @property
    def _scheduler(self) -> Scheduler:
        return self._at()

    # -- plans --------------------------------------------------------------------------------------------------

    async def plan(self, args: dict[str, Any]) -> dict[str, Any]:
        """What an action on a task (``key``) or a function (``prefix``) would apply to, for the client ``client``.

        Returns
        -------
        dict
            ``plan``: names the plan; ``tasks``: unfinished tasks (or erred ones, for ``retry``) of the key or function;
            ``direct``: those of them that the client wants; ``results``: all that the client wants and would be
            cancelled (or retried), of which ``keys`` are the first; ``shared``: those of them that others want, too;
            ``others``: other clients, each with its number of results that need these tasks, and ``other_keys``, the
            first of those; ``left``: results that are too many for one plan.

        Raises
        ------
        Refusal
            There is no such task or function, the scheduler does not know the client, or does not allow the action.
        """
        action, client = str(args["action"]), str(args["client"])
        self._check(action)
        cs, turns = self._client(client), Turns()
        wanted = PENDING if action == "cancel" else frozenset(("erred",))
        begin = await self._subject(args, wanted, turns)
        mine: list[Any] = []
        direct = shared = 0
        others: Counter[str] = Counter()
        other_keys: list[str] = []
        for i, ts in enumerate(await self._results(begin, wanted, turns)):
            theirs = [other for other in ts.who_wants or () if other is not cs]
            if ts in cs.wants_what:
                mine.append(ts.key)
                # What is left for another plan is only counted.
                if len(mine) <= MOST:
                    direct += ts in begin
                    shared += bool(theirs)
            for other in theirs:
                others[other.client_key] += 1
            if theirs and len(other_keys) < NAMED:
                other_keys.append(_text(ts.key))
            if i % STRIDE == 0:
                await turns.rest()
        plan = Plan(os.urandom(8).hex(), action, mine[:MOST])
        self._plans.pop(client, None)
        self._plans[client] = plan
        while len(self._plans) > PLANS:
            del self._plans[next(iter(self._plans))]
        return {
            "plan": plan.token,
            "tasks": len(begin),
            "direct": direct,
            "results": len(plan.keys),
            "keys": [_text(key) for key in plan.keys[:NAMED]],
            "shared": shared,
            "others": by_client(self._scheduler, others),
            "other_keys": other_keys,
            "left": len(mine) - len(plan.keys),
        }

    def _check(self, action: str) -> None:
        # Dask's own client asks for it by this handler; for cancelling there is none that could be blocked.
        if action == "retry" and "retry" in self._scheduler.blocked_handlers:
            raise Refusal("The scheduler does not allow it (distributed.scheduler.blocked-handlers: retry).")

    def _client(self, client: str) -> ClientState:
        found = client_of(self._scheduler, client)
        if found is None:
            raise Refusal("The scheduler does not know this client: it has closed, or is connecting again.")
        return found

    async def _subject(self, args: dict[str, Any], states: frozenset[str], turns: Turns) -> dict[TaskState, None]:
        """The tasks in these states that a key or a function names, in order."""
        key, name = args.get("key"), str(args.get("prefix", ""))
        if key is not None:
            ts = find(self._scheduler, str(key))
            if ts is None:
                raise Refusal("The scheduler does not know this task any more.")
            return {ts: None} if ts.state in states else {}
        prefix = next((p for known, p in self._scheduler.task_prefixes.items() if text(known, LONGEST) == name), None)
        if prefix is None:
            # Names that stand for several are made by `names`.
            raise Refusal("The scheduler does not know this function any more, or its name here stands for several.")
        found: dict[TaskState, None] = {}
        for i, ts in enumerate(list(self._scheduler.tasks.values())):
            if ts.prefix is prefix and ts.state in states:
                found[ts] = None
            if i % STRIDE == 0:
                await turns.rest()
        return found

    async def _results(self, begin: Iterable[TaskState], states: frozenset[str], turns: Turns) -> list[TaskState]:
        """The tasks in these states that some client wants, among these and those that depend on them."""

        def onward(ts: TaskState) -> list[TaskState]:
            return [other for other in ts.dependents if other.state in states]

        return [ts async for ts in _reached(begin, onward, turns) if ts.who_wants]

    # -- actions ------------------------------------------------------------------------------------------------

    async def carry_out(self, args: dict[str, Any]) -> dict[str, int]:
        """Carry out the ``plan`` of the client ``client``, once.

        Returns
        -------
        dict
            ``done``: tasks that were cancelled or retried; ``left_out``: planned ones that had changed meanwhile;
            ``gone``: tasks that the scheduler has forgotten with those that were cancelled.

        Raises
        ------
        Refusal
            There is no such plan, or the scheduler does not know the client any more.
        """
        client = str(args["client"])
        plan = self._plans.pop(client, None)
        if plan is None or plan.token != str(args["plan"]):
            raise Refusal("The tasks were read too long ago, or by another page. Try again.")
        self._check(plan.action)
        own = self._client(client).client_key
        if plan.action == "cancel":
            done, gone = await self._cancel(plan.keys, own, str(args.get("reason", "")))
        else:
            done, gone = await self._retry(plan.keys, own), 0
        return {"done": done, "left_out": len(plan.keys) - done, "gone": gone}

    async def _cancel(self, keys: list[Any], client: str, reason: str) -> tuple[int, int]:
        scheduler, done, gone = self._scheduler, 0, 0
        scheduler.log_event(client, {"action": "cancel", "count": len(keys), "force": False})
        for i in range(0, len(keys), AT_ONCE):
            if client not in scheduler.clients:
                # It has left meanwhile, and its wishes with it.
                break
            now = [ts.key for ts in self._still(keys[i : i + AT_ONCE], client, PENDING)]
            # Futures of older releases do not receive the reason.
            more = {"reason": reason, "msg": None} if reason else {}
            before = len(scheduler.tasks)
            scheduler.client_releases_keys(keys=now, client=client)
            gone += before - len(scheduler.tasks)
            scheduler.report({"op": "cancelled-keys", "keys": now, **more}, client=client)
            done += len(now)
            await asyncio.sleep(0)
        return done, gone

    async def _retry(self, keys: list[Any], client: str) -> int:
        erred: list[TaskState] = []
        # All of them before the first is retried: what has failed for the same reason is not erred after that.
        for i in range(0, len(keys), AT_ONCE):
            erred += self._still(keys[i : i + AT_ONCE], client, frozenset(("erred",)))
            await asyncio.sleep(0)
        roots = await self._roots(erred, Turns())
        for i in range(0, len(roots), AT_ONCE):
            # The scheduler raises for a key that it does not have.
            live = self._live(roots[i : i + AT_ONCE])
            self._scheduler.stimulus_retry(keys=[ts.key for ts in live], client=client)
            await asyncio.sleep(0)
        return len(erred)

    async def _roots(self, tasks: list[TaskState], turns: Turns) -> list[TaskState]:
        """The tasks that raised, for which these are erred. (Dask's own search visits a task once for each path.)"""

        def onward(ts: TaskState) -> list[TaskState]:
            return [other for other in ts.dependencies if other.state == "erred"]

        return [ts async for ts in _reached(tasks, onward, turns) if not onward(ts)]

    def _live(self, tasks: Iterable[TaskState]) -> list[TaskState]:
        known = self._scheduler.tasks
        return [ts for ts in tasks if known.get(ts.key) is ts and ts.state == "erred"]

    def _still(self, keys: list[Any], client: str, states: frozenset[str]) -> list[TaskState]:
        """The tasks that the client still wants and that still are in one of these states."""
        cs = self._scheduler.clients.get(client)
        found = [self._scheduler.tasks.get(key) for key in keys]
        return [ts for ts in found if ts is not None and cs is not None and ts in cs.wants_what and ts.state in states]


async def _reached(
    begin: Iterable[TaskState], onward: Callable[[TaskState], list[TaskState]], turns: Turns
) -> AsyncIterator[TaskState]:
    """These tasks and those to which they lead, each once."""
    seen: set[TaskState] = set()
    stack, looked = list(begin), 0
    while stack:
        ts = stack.pop()
        if ts not in seen:
            seen.add(ts)
            yield ts
            more = onward(ts)
            stack += more
            looked += len(more)
        looked += 1
        if looked >= STRIDE:
            looked = 0
            await turns.rest()


def _text(key: Any) -> str:
    return text(written(key), LONGEST_NAME)

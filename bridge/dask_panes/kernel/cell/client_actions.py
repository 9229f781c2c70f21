"""What pages do to a cluster through a client of this kernel: workers, tasks, and all of it.

Coroutines on the client's event loop: neither the control channel nor a cell waits for them. Each takes the session of
the client and checked arguments; it raises with a message for users.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from inspect import signature
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from ...scheduler.collector.plain import text
from ..channel.threads import in_thread
from .closing import cluster_of
from .scaling import call

if TYPE_CHECKING:
    from ..session.session import Session

_Item = TypeVar("_Item")

#: Maximum characters of an address, a key or the name of a function; keys of users can be long.
LONGEST = 100_000
#: Seconds for a restart of workers: a batch system or a container may take this long.
RESTART_SECONDS = 120.0
#: Seconds for a worker to end that has retired; Dask waits 30 s for its threads.
END_SECONDS = 120.0
#: Seconds between two checks whether something has happened.
LOOK_SECONDS = 0.1
#: Futures of a client that are looked at between two turns of its loop.
TURN = 2_000
#: Seconds in which a client receives the messages that its scheduler has sent.
ARRIVAL = 2.0


def checked_text(given: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Arguments that are texts, exactly one of those named; the collector looks them up.

    Raises
    ------
    ValueError
        With a message for users.
    """
    found = {name: given[name] for name in names if given.get(name) is not None}
    if len(found) != 1 or not all(isinstance(value, str) and 0 < len(value) <= LONGEST for value in found.values()):
        raise ValueError(f"This action needs {' or '.join(names)}, as a text.")
    return found


async def stakes(session: Session, worker: str = "") -> Any:
    """What a restart of the cluster, or the end of one of its workers, would cost; see `collector.stakes`."""
    answer = await session.ask("stakes", {"worker": worker, "client": session.key})
    return {**answer, "adaptive": _adaptive(session)}


async def retire(session: Session, worker: str) -> Any:
    """End a worker, after its results have moved to others."""
    client = _client(session)
    known = (await session.ask("stakes", {"worker": worker}))["worker"]
    name = known["name"]
    # A collector of an older version does not report it.
    actors = known.get("actors", 0)
    if actors:
        raise RuntimeError(
            f"Worker {name} cannot be retired: {actors} {'actor lives' if actors == 1 else 'actors live'} on it, and "
            "Dask does not move actors. Release the variables that hold them, and try again."
        )
    cluster = cluster_of(client)
    made = _spec_names(cluster, worker, name)
    # A scheduler that forgets the worker before it has ended logs a warning for each of its last heartbeats.
    retired = await client.retire_workers([worker], close_workers=not made, remove=False)
    if not retired:
        raise RuntimeError(
            f"Worker {name} was not retired and continues: no other worker has room for its results. "
            "Add a worker, or release results that are not needed, and try again."
        )
    end = monotonic() + END_SECONDS
    if made:
        # Where this hangs, the message below says that the worker has not ended.
        with contextlib.suppress(asyncio.TimeoutError):
            # The cluster ends it, or it would start the worker again when it scales.
            await asyncio.wait_for(in_thread(lambda: call(cluster, cluster.scale_down, made)), END_SECONDS)
    while await _has(session, worker):
        if monotonic() > end:
            raise RuntimeError(
                f"Worker {name} takes no more tasks and its results have moved, but it has not ended within "
                f"{END_SECONDS:.0f} s. Its process may be stopped or hang: end it where it runs."
            )
        await asyncio.sleep(LOOK_SECONDS)
    return {"worker": name}


async def restart_worker(session: Session, worker: str) -> Any:
    """Restart the process of a worker; its results are computed again where they are needed."""
    client = _client(session)
    known = (await session.ask("stakes", {"worker": worker}))["worker"]
    if not known["nanny"]:
        raise RuntimeError(
            f"Worker {known['name']} cannot be restarted: it has no nanny, which would start it again. "
            "Retire it and start another one, with a nanny."
        )
    begin = monotonic()
    try:
        answer = await client.restart_workers([worker], timeout=RESTART_SECONDS, raise_for_error=False)
    except KeyError:
        # Dask has no outcome for a worker that left in this moment.
        answer = {}
    outcome = answer.get(worker)
    if outcome is None:
        raise RuntimeError(f"Worker {known['name']} was not restarted: it has left the cluster meanwhile.")
    if outcome != "OK":
        # Dask says "timed out" at once, too: where the nanny cannot be reached.
        raise RuntimeError(
            f"Worker {known['name']} did not come back ({text(outcome, 100)}, after {monotonic() - begin:.0f} s). "
            "Its nanny may have ended: start another worker where it ran."
        )
    return {"worker": known["name"]}


async def restart(session: Session) -> Any:
    """Restart all workers and forget all tasks."""
    client = _client(session)
    known = await session.ask("stakes", {})
    without = known["workers"] - known["nannies"]
    if without:
        raise RuntimeError(
            f"{without} of {known['workers']} workers cannot be restarted: they have no nanny, which would start them "
            "again. A restart would only end them. Close the cluster and make a new one, or start workers with nannies."
        )
    if not known["workers"]:
        raise RuntimeError("The cluster has no workers to restart.")
    await client.restart(timeout=RESTART_SECONDS)
    return {"workers": known["workers"]}


async def trim(session: Session, worker: str = "") -> Any:
    """Let workers give freed memory back to the operating system."""
    # Imported here: pages rarely ask for it.
    from ..gather.probe import Probe, WorkerReach

    probe = Probe.of("trim", "dask_panes.kernel.gather.probes", "trim.py")
    answers = await WorkerReach(session.ask).workers(probe, {"only": worker})
    if answers.refusal:
        raise RuntimeError(f"The scheduler does not allow code on workers ({answers.refusal}).")
    done = [answer for answer in answers.of.values() if answer]
    trimmed = [answer for answer in done if "refused" not in answer]
    failed = [*answers.failed.values(), *(answer["refused"] for answer in done if "refused" in answer)]
    if not trimmed:
        reason = failed[0] if failed else "the cluster does not have this worker any more"
        raise RuntimeError(f"No memory was given back: {reason}.")
    # Several workers may be in one process.
    freed: dict[str, int] = {}
    for answer in trimmed:
        found = answer["before"] - answer["after"]
        freed[answer["process"]] = max(0, found, freed.get(answer["process"], 0))
    return {"workers": len(trimmed), "failed": len(failed), "freed": sum(freed.values())}


async def benchmark(session: Session) -> Any:
    """Begin to measure the hardware of all workers; the topic ``hardware`` has how far it is, and what it gave."""
    return await session.ask("benchmark", {})


async def plan(session: Session, action: str, **subject: str) -> Any:
    """What cancelling or retrying a task or a function would apply to; see `Wants.plan`."""
    return await session.ask("plan", {"action": action, "client": session.key, **subject})


async def carry_out(session: Session, plan: str, cancels: bool = True) -> Any:
    """Carry out a plan, which cancels tasks or retries them."""
    client = _client(session)
    reason = "Cancelled in Dask Panes." if "reason" in signature(client._handle_cancelled_keys).parameters else ""
    before = len(await _cancelled(client)) if cancels else 0
    answer = await session.ask("carry_out", {"client": session.key, "plan": plan, "reason": reason})
    if not cancels:
        return answer
    # The scheduler's messages arrive beside its answer.
    end = monotonic() + ARRIVAL
    while len(cancelled := await _cancelled(client)) < before + answer["done"] and monotonic() < end:
        await asyncio.sleep(LOOK_SECONDS)
    async for key, state in _in_turns(cancelled):
        # As `Client.cancel` does: the same task, submitted again, is computed. It may have been meanwhile.
        if client.futures.get(key) is state:
            del client.futures[key]
    return answer


async def _cancelled(client: Any) -> list[tuple[Any, Any]]:
    """Keys of cancelled futures, with their states."""
    return [each async for each in _in_turns(list(client.futures.items())) if each[1].status == "cancelled"]


async def _in_turns(items: list[_Item]) -> AsyncIterator[_Item]:
    """Items one by one: the loop, which may be the scheduler's, has its turn after some of them."""
    for i, item in enumerate(items):
        yield item
        if i % TURN == TURN - 1:
            await asyncio.sleep(0)


def _client(session: Session) -> Any:
    client = session.client
    if client is None or session.closed:
        raise RuntimeError("The client is closed.")
    return client


def _adaptive(session: Session) -> bool:
    cluster = cluster_of(_client(session))
    return getattr(getattr(cluster, "_adaptive", None), "periodic_callback", None) is not None


def _spec_names(cluster: Any, worker: str, name: str) -> list[Any]:
    """What the cluster object of this kernel calls a worker; empty if it has not made it."""
    # Copied in one step: its loop, which may be another one, changes them meanwhile.
    alike = [known for known in list(getattr(cluster, "worker_spec", ())) if str(known) == name]
    # Of worker 0 and a worker "0", which has joined by itself, only one is the cluster's.
    workers = list(cluster.scheduler_info["workers"].items()) if alike else []
    others = [facts["name"] for address, facts in workers if address != worker]
    return [known for known in alike if known not in others]


async def _has(session: Session, worker: str) -> bool:
    try:
        await session.ask("stakes", {"worker": worker})
    except ValueError:
        # A refusal: it has gone.
        return False
    return True

"""Recordings of a scheduler's existing data, for JupyterLab's "Save report" and similar.

A page asks twice (`kernel.channel`): ``save`` gathers everything from the first row on, on the Client's event loop,
so a busy main thread does not matter; ``saved`` returns the bytes in parts, since one large message would delay the
frames of live panes.
"""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from time import monotonic
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ..feed.codec import decode, encode
from ..feed.schema import SCHEMA
from ..kernel.gather.probe import WorkerReach
from ..kernel.gather.topics import make_sources
from ..kernel.session.subscriber import Subscriber
from .block.feed import SILENT_WHILE_IDLE
from .block.gathering import Gathering
from .block.missing import missing
from .facts import ReportFacts, report_facts
from .format.writer import RecordingWriter

if TYPE_CHECKING:
    from ..kernel.session.session import Session

#: Topics that the session itself gathers from the workers: they begin on the first subscription.
GATHERED = frozenset(source.topic for source in make_sources())
#: Bytes of one part; a multiple of three, so that parts in base64 join without padding.
PART_BYTES = 3 * 2**17
#: Seconds without a request after which data is dropped.
KEPT_SECONDS = 120.0
#: Seconds without a frame after which the data counts as complete.
QUIET_SECONDS = 0.3
#: Total seconds for the workers' own data.
GATHERING_SECONDS = 60.0
#: Maximum seconds to wait for a cluster that constantly sends updates.
BUSY_SECONDS = 2.0
#: Seconds after which a waiting page receives the progress and asks again: its requests have a timeout.
ANSWER_SECONDS = 1.0
#: Maximum seconds for a history.
PATIENCE_SECONDS = 300.0


@dataclass(frozen=True)
class _Saved:
    data: bytes
    tasks: int
    facts: ReportFacts


class SavingProgress:
    """Progress of a recording of existing data."""

    def __init__(self) -> None:
        #: Fraction of the scheduler's history that has arrived, 0 to 1.
        self.history = 0.0
        #: The last read of the workers, once it has begun.
        self.gathering: Gathering | None = None

    def for_page(self) -> dict[str, Any]:
        """For a page: ``doing`` (``"history"`` or ``"workers"``), and its completed fraction ``share``."""
        if self.gathering is None:
            return {"doing": "history", "share": self.history}
        return {"doing": "workers", "share": self.gathering.looked / max(1, len(self.gathering.topics))}


@dataclass
class _Work:
    task: asyncio.Task[_Saved]
    progress: SavingProgress
    #: When a page asked for it last, or when it ended; `monotonic`.
    used: float


#: Recordings in progress, or waiting to be fetched, by id.
_kept: dict[str, _Work] = {}


async def save(session: Session, args: dict[str, Any]) -> dict[str, Any]:
    """Record what the scheduler still has.

    Parameters
    ----------
    session : Session
        Of the client.
    args : dict
        ``title``: headline; ``topics``: names, all where it is missing; ``plots``: ids of those that a report shows,
        all where it is missing. To go on waiting only ``id``, as the answer before gave it; with ``cancel`` true,
        to stop and to forget it.

    Returns
    -------
    dict
        ``{id, pending: True, doing, share}`` while it takes its time (see :class:`SavingProgress`): ask again. Then
        ``{id, size, part, tasks, facts}``: fetch `size` bytes in parts of `part` bytes with ``saved``.
        ``{id, cancelled: True}`` where it was cancelled.

    Raises
    ------
    LookupError
        Where the id is not known any more, or was cancelled meanwhile.
    RuntimeError, TimeoutError
        Where the client or its scheduler is gone.
    """
    name = str(args["id"]) if "id" in args else _begin(session, args)
    work = _work(name)
    if args.get("cancel"):
        _forget(name)
        return {"id": name, "cancelled": True}
    done, _ = await asyncio.wait({work.task}, timeout=ANSWER_SECONDS)
    if not done:
        return {"id": name, "pending": True, **work.progress.for_page()}
    if work.task.cancelled():
        raise LookupError("The recording was cancelled.")
    found = work.task.result()
    return {"id": name, "size": len(found.data), "part": PART_BYTES, "tasks": found.tasks, "facts": found.facts}


def _begin(session: Session, args: dict[str, Any]) -> str:
    name = uuid4().hex
    known = SCHEMA["topics"]
    topics = [str(topic) for topic in args.get("topics") or known if topic in known]
    title, plots = str(args.get("title") or "Dask report"), [str(plot) for plot in args.get("plots") or ()]
    progress = SavingProgress()
    task = asyncio.create_task(_gather(session, topics, title, plots, progress))
    _kept[name] = _Work(task, progress, monotonic())
    # With the client, all timers of its loop end.
    session.spawn(_expire(name)).add_done_callback(lambda _: _forget(name))
    return name


async def _expire(name: str) -> None:
    """Wait until a recording is not kept any more."""
    work = _kept.get(name)
    if work is not None:
        await asyncio.wait({work.task})
        work.used = monotonic()
    # Its data goes when it is fetched.
    del work
    # Over a slow connection the parts of a large one take long.
    while (left := _left(name)) > 0:
        await asyncio.sleep(left)


def _left(name: str) -> float:
    """Seconds for which a recording is still kept."""
    work = _kept.get(name)
    return 0.0 if work is None else work.used + KEPT_SECONDS - monotonic()


def _forget(name: str) -> None:
    work = _kept.pop(name, None)
    if work is not None:
        # Also where it has failed: asyncio would print what nobody fetched below the user's cell.
        work.task.cancel()


def _work(name: str) -> _Work:
    try:
        work = _kept[name]
    except KeyError:
        raise LookupError("The recording was fetched already, or too late: save it again.") from None
    work.used = monotonic()
    return work


async def _gather(
    session: Session, topics: list[str], title: str, plots: list[str], progress: SavingProgress
) -> _Saved:
    frames = await frames_of(session, topics, progress)
    # Off the event loop: live panes continue.
    unread = dict(progress.gathering.unread) if progress.gathering else {}
    data, tasks, absent = await asyncio.to_thread(_recording, frames, title, unread)
    return _Saved(data, tasks, report_facts(title, plots=plots, missing=absent))


async def saved(_: Session, args: dict[str, Any]) -> str:
    """One part of a recording, in base64; after the last one it is forgotten.

    Parameters
    ----------
    args : dict
        ``id`` of `save`, ``offset`` of the first byte, a multiple of the part.

    Raises
    ------
    LookupError
        Where it was fetched already, or too late.
    """
    name, offset = str(args["id"]), int(args["offset"])
    data = (await _work(name).task).data
    if offset + PART_BYTES >= len(data):
        _kept.pop(name, None)
    return b64encode(data[offset : offset + PART_BYTES]).decode("ascii")


async def frames_of(session: Session, topics: list[str], progress: SavingProgress | None = None) -> list[bytes]:
    """All frames from the first row on, received as another reader of the session."""
    progress = progress or SavingProgress()
    frames: list[bytes] = []
    begun = last = monotonic()

    def take(data: bytes, seq: int) -> None:
        nonlocal last
        frames.append(data)
        last = monotonic()
        # Not within the call: the session continues sending after it has returned.
        asyncio.get_running_loop().call_soon(session.acknowledge, subscriber, seq)

    await session.ready()
    collected = [topic for topic in topics if topic not in GATHERED] or ["meta"]
    subscriber = Subscriber(take)

    async def stand() -> tuple[tuple[str, int], dict[str, int]]:
        """The scheduler's feed and epoch, and its positions now."""
        answer = await session.ask("end", {"topics": collected, "now": True})
        # For topics that an idle cluster does not send, any data is sufficient.
        silent = SILENT_WHILE_IDLE if answer.get("idle") else ()
        end = {topic: 0 if topic in silent else at for topic, at in answer["cursor"].items()}
        return (answer.get("feed", ""), answer.get("epoch", -1)), end

    of, end = await stand()
    asked = of
    session.add(subscriber, collected, "", -1, {})

    def add(bodies: dict[str, Any]) -> None:
        envelope = {"feed": subscriber.feed, "epoch": subscriber.epoch, "time": session.clock, "cursor": {}}
        frames.append(encode({**envelope, "names": {}, "topics": bodies}, 0))

    try:
        while monotonic() - begun < PATIENCE_SECONDS:
            await asyncio.sleep(0.05)
            if session.closed:
                raise RuntimeError("The client is closed: its data stays, but nothing more can be requested.")
            if frames and (subscriber.feed, subscriber.epoch) not in (of, asked):
                # A restart of the cluster: positions from before it are never reached.
                asked = (subscriber.feed, subscriber.epoch)
                of, end = await stand()
            there = bool(frames) and all(subscriber.cursor.get(topic, -1) >= at for topic, at in end.items())
            # A busy cluster never becomes quiet: the rows from the beginning are complete, and the rest is newer.
            if there and (monotonic() - last > QUIET_SECONDS or monotonic() - begun > BUSY_SECONDS):
                progress.gathering = Gathering(WorkerReach(session.ask), add, topics)
                await progress.gathering.everything(GATHERING_SECONDS)
                return frames
            progress.history = _share(subscriber.cursor, end)
        raise TimeoutError("The scheduler has not sent its history within five minutes.")
    finally:
        session.unsubscribe(subscriber)


def _share(cursor: Mapping[str, int], end: Mapping[str, int]) -> float:
    """Fraction of the rows up to `end` that a reader at `cursor` has."""
    wanted = sum(max(0, at) for at in end.values())
    there = sum(min(max(0, cursor.get(topic, 0)), max(0, at)) for topic, at in end.items())
    return there / wanted if wanted else 0.0


def _recording(frames: list[bytes], name: str, unread: Mapping[int, str]) -> tuple[bytes, int, list[str]]:
    """The frames as the bytes of a recording, how many tasks it has, and what is missing."""
    file = BytesIO()
    writer = RecordingWriter(file, {"name": name})
    for data in frames:
        writer.add_whole(decode(data))
    absent = missing(writer.names.get("workers", []), unread)
    writer.finish("", absent)
    return file.getvalue(), writer.rows, absent

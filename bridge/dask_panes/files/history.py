"""Records what a scheduler still has of its history, including keys."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, BinaryIO

from ..feed.codec import decode
from ..kernel.activate import session_of
from ..kernel.options import require_enabled
from .block.feed import REGISTERED
from .block.keys import KeysKnown, first_keys
from .block.missing import missing
from .format.writer import RecordingWriter
from .saving import GATHERED, SavingProgress, frames_of

if TYPE_CHECKING:
    from distributed import Client

    from ..kernel.session.session import Session


#: Why there is no table, for users.
SILENT = "The scheduler does not answer: try again when it does."


async def history(client: Client, topics: Sequence[str], file: BinaryIO) -> None:
    """Write what a scheduler still has into a file; on the Client's loop.

    The rows come in frames, at the collector's usual rate, and the keys in parts of a chunk.

    Parameters
    ----------
    client : distributed.Client
        A running client.
    topics : sequence of str
        Names of topics.
    file : binary file
        Unbuffered and empty.

    Raises
    ------
    RuntimeError, TimeoutError, OSError
        The client is closed, or its scheduler does not answer or does not permit a collector.
    """
    require_enabled()
    session, own = session_of(client)
    if own:
        await session.start()
    try:
        await asyncio.wait_for(session.ready(), REGISTERED)
        progress = SavingProgress()
        frames = await frames_of(session, list(topics), progress)
        writer = RecordingWriter(file, {"name": "history"})
        await asyncio.to_thread(_add, writer, frames)
        if "tasks" in topics:
            await _add_keys(session, writer)
        # Of other topics the scheduler has everything.
        unread = progress.gathering.unread if progress.gathering and not GATHERED.isdisjoint(topics) else {}
        writer.finish("", missing(writer.names.get("workers", []), unread))
    except asyncio.TimeoutError as error:
        # That of asyncio has no text, and before Python 3.11 it is no OSError.
        raise TimeoutError(str(error) or SILENT) from None
    finally:
        if own:
            session.close()


def _add(writer: RecordingWriter, frames: list[bytes]) -> None:
    for data in frames:
        writer.add_whole(decode(data))
    writer.flush()


async def _add_keys(session: Session, writer: RecordingWriter) -> None:
    known = KeysKnown()
    for first, rows in writer.unkeyed:
        row, end = first, first + rows
        while row < end:
            answer = await session.ask("keys", known.question(row))
            keys = None if answer is None or "packed" not in answer else known.take(answer)
            count = 0 if keys is None else min(end - keys["first"], len(keys["length"]))
            if keys is None or count <= 0:
                # They have left the ring meanwhile.
                break
            writer.add_keys(keys["first"], first_keys(keys, count))
            row = keys["first"] + count

"""`dask_panes.record`: write the feed of a Client to a file while a block of code runs.

A recorder is a subscriber of the Client's session like any browser tab (`block.feed`); its sink is a thread that
writes (`block.thread`).

Guarantees: the file is of the block and of nothing before it; the end of the block waits for what the cluster has not
sent yet, at most 10 s without progress; errors of writing are raised there, and never instead of the block's own.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import warnings
from collections.abc import Coroutine, Mapping
from concurrent.futures import CancelledError
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from ..kernel.options import require_enabled
from ..kernel.session.link import CLOSED
from .block.feed import CLIENT_CLOSED, BlockFeed
from .block.target import Target
from .place import Place
from .recording import RecordingError

if TYPE_CHECKING:
    from distributed import Client

_T = TypeVar("_T")

#: Why a recording ends early, for users.
INTERRUPTED = "The end of the block was interrupted before everything had arrived."


class Recorder:
    """Records while a block runs; see `record`.

    Attributes
    ----------
    path : pathlib.Path or str
        The file; text if it is not on a file system of this machine.
    size : int
        Bytes of the file; known after the block.
    tasks : int
        Executions of tasks in the file; known after the block.
    missing : list of str
        Messages about missing data; known after the block.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        client: Client | None = None,
        storage_options: Mapping[str, Any] | None = None,
        what: str = "recording",
    ) -> None:
        self._place = Place(path, what, storage_options)
        self._is_report = what == "report"
        #: The file; text if it is not on a file system of this machine.
        self.path: Path | str = self._place.path or str(self._place)
        #: Bytes and task executions in the file.
        self.size = 0
        self.tasks = 0
        #: Messages about missing data; known after the block.
        self.missing: list[str] = []
        self._given = client
        self._active = False

    def __repr__(self) -> str:
        ended = f"{self.tasks:,} tasks, {self.size:,} bytes" if self.size else "not started"
        return f"<Recorder {self.path}: {'active' if self._active else ended}>"

    # -- blocks -------------------------------------------------------------------------------------------------

    def __enter__(self) -> Recorder:
        client = self._begin()
        if client.asynchronous:
            self._abandon()
            raise TypeError(f"This Client is asynchronous: write `async with dask_panes.{self._call}(...)`.")
        try:
            self._wait(self._feed.start())
        except BaseException:
            self._feed.writing.drop()
            self._feed.writing.join()
            self._abandon()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._feed.reachable():
                self._wait(self._feed.arrive())
        except CancelledError:
            # Its loop has ended while it waited there: another thread has closed the Client.
            self._feed.writing.why = CLIENT_CLOSED
        except BaseException:
            self._feed.writing.why = INTERRUPTED
            raise
        finally:
            self._active = False
            self._feed.writing.end()
            self._feed.writing.join()
            self._take_over()
        self._conclude(error)

    async def __aenter__(self) -> Recorder:
        self._begin()
        try:
            await self._here(self._feed.start())
        except BaseException:
            self._feed.writing.drop()
            await asyncio.to_thread(self._feed.writing.join)
            self._abandon()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._feed.reachable():
                await self._here(self._feed.arrive())
        except BaseException:
            self._feed.writing.why = INTERRUPTED
            raise
        finally:
            self._active = False
            self._feed.writing.end()
            await asyncio.to_thread(self._feed.writing.join)
            self._take_over()
        self._conclude(error)

    def _on_loop(self, coroutine: Coroutine[Any, Any, _T]) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def _wait(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine on the Client's loop to its end, unless the user interrupts it."""
        begun: list[asyncio.Task[Any] | None] = []
        over = threading.Event()

        async def run() -> None:
            begun.append(asyncio.current_task())
            if over.is_set():
                coroutine.close()
            else:
                await coroutine

        def cancel() -> None:
            for task in begun:
                if task is not None:
                    task.cancel()

        # The interruption may come as soon as the loop has it, before this thread has anything to cancel.
        try:
            self._on_loop(run()).result()
        finally:
            over.set()
            # The loop may have ended.
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(cancel)

    async def _here(self, coroutine: Coroutine[Any, Any, _T]) -> _T:
        if asyncio.get_running_loop() is self._loop:
            return await coroutine
        result: _T = await asyncio.wrap_future(self._on_loop(coroutine))
        return result

    def _begin(self) -> Client:
        if self._active:
            raise RuntimeError(f"This recorder is already recording: make another one with dask_panes.{self._call}().")
        require_enabled()
        client = self._given or _current_client()
        if client.status == "closed":
            raise RuntimeError(CLOSED)
        self._loop: asyncio.AbstractEventLoop = client.loop.asyncio_loop
        self._target = Target(self._place)
        self._feed = BlockFeed(client, self._target, self._place.name, "report" if self._is_report else "recording")
        self._active = True
        return client

    @property
    def _call(self) -> str:
        """Name of the function that the user has called."""
        return "report" if self._is_report else "record"

    def _abandon(self) -> None:
        """Nothing was recorded: do not leave an empty file."""
        self._target.abandon()
        self._active = False

    def _take_over(self) -> None:
        writing = self._feed.writing
        self.size, self.tasks, self.missing = writing.size, writing.tasks, writing.missing

    def _conclude(self, error: BaseException | None) -> None:
        writing = self._feed.writing
        if writing.error is None:
            return
        reason = f"{str(writing.error).rstrip('.')}.{self._target.left()}"
        whole = f"The recording could not be put at {self.path}: {reason}"
        subject = "What was recorded for this report" if self._is_report else f"The recording {self.path}"
        text = whole if self._target.whole else f"{subject} is not complete: {reason}"
        if error is None:
            raise RecordingError(text) from writing.error
        # An exception of the block takes precedence.
        warnings.warn(text, stacklevel=3)


def _current_client() -> Client:
    from distributed.client import default_client

    client: Client = default_client()
    return client


def record(
    path: str | os.PathLike[str],
    client: Client | None = None,
    *,
    storage_options: Mapping[str, Any] | None = None,
) -> Recorder:
    """Record what a cluster does while a block of code runs.

    Parameters
    ----------
    path : str or path
        The file; JupyterLab opens those that end in ``.dask-run``. An existing one is replaced.
    client : distributed.Client, optional
        The Client whose cluster is recorded; without it the current one.
    storage_options : mapping, optional
        Arguments of the file system, for a `path` that is a URL (``s3://…``); see fsspec.

    Returns
    -------
    Recorder
        A context manager, for ``with`` and, with an asynchronous Client, for ``async with``.

    Raises
    ------
    RecordingError
        At the end of the block, where the file could not be written; an exception of the block itself takes precedence.
    OSError
        At the start of the block, where the file cannot be made, or another block is written to its path.
    TimeoutError
        At the start of the block, where the scheduler does not answer: the block does not run then.
    ValueError
        Where there is no Client, fsspec does not know the place, or `storage_options` are given for a plain path.
    ImportError
        Where fsspec lacks the package for the place.
    TypeError
        At the start of a ``with`` block, for an asynchronous Client.
    RuntimeError
        At the start of the block, where the scheduler allows no collector, the Client is closed, or with
        ``dask-panes.enabled: false``.

    Examples
    --------
    >>> with dask_panes.record("run.dask-run"):  # doctest: +SKIP
    ...     result.compute()
    >>> async with dask_panes.record("run.dask-run", client=client):  # doctest: +SKIP
    ...     await client.compute(result)
    """
    return Recorder(path, client, storage_options)

"""Reads the user's label of a run of Dask's MemorySampler.

The scheduler knows each run by a random uid; its label stays in the client until the run has ended. So the generator
inside the context manager returned by ``MemorySampler.sample`` is wrapped: once it has started, its uid and label are
sent to the collector. Results, exceptions, signature and the type of the context manager are Dask's own. Without the
wrapper a run is shown by its uid.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import AsyncGenerator, Callable, Generator
from types import TracebackType
from typing import Any

logger = logging.getLogger(__name__)

#: Receives (client, uid, label) when a run has started; the label is empty if the user gave none.
Note = Callable[[Any, str, str], None]


class _Watched(Generator[Any, Any, Any]):
    """A generator that reports when it has reached its first yield; otherwise transparent."""

    def __init__(self, inner: Generator[Any, Any, Any], started: Callable[[Any], None]) -> None:
        self._inner = inner
        self._started: Callable[[Any], None] | None = started

    def send(self, value: Any) -> Any:
        result = self._inner.send(value)
        started, self._started = self._started, None
        if started is not None:
            started(getattr(self._inner, "gi_frame", None))
        return result

    def throw(self, typ: Any, val: Any = None, tb: TracebackType | None = None) -> Any:
        if val is None and tb is None:
            return self._inner.throw(typ)
        return self._inner.throw(typ, val, tb)

    def close(self) -> None:
        self._inner.close()


class _WatchedAsync(AsyncGenerator[Any, Any]):
    """The same for an asynchronous generator."""

    def __init__(self, inner: AsyncGenerator[Any, Any], started: Callable[[Any], None]) -> None:
        self._inner = inner
        self._started: Callable[[Any], None] | None = started

    async def asend(self, value: Any) -> Any:
        result = await self._inner.asend(value)
        started, self._started = self._started, None
        if started is not None:
            started(getattr(self._inner, "ag_frame", None))
        return result

    async def athrow(self, typ: Any, val: Any = None, tb: TracebackType | None = None) -> Any:
        if val is None and tb is None:
            return await self._inner.athrow(typ)
        return await self._inner.athrow(typ, val, tb)

    async def aclose(self) -> None:
        await self._inner.aclose()


def watch(note: Note) -> None:
    """Watch every ``MemorySampler.sample`` from now on. Idempotent.

    Parameters
    ----------
    note : callable
        Called when a run has started, in the thread that started it; exceptions are logged, never raised.
    """
    from distributed.diagnostics import MemorySampler

    given = MemorySampler.sample
    if getattr(given, "watched_by_dask_panes", False):
        return

    @functools.wraps(given)
    def sample(self: Any, label: Any = None, *args: Any, **kwargs: Any) -> Any:
        context = given(self, label, *args, **kwargs)
        try:
            _observe(context, label, note)
        except Exception:
            logger.debug("a memory sampler is not watched", exc_info=True)
        return context

    sample.watched_by_dask_panes = True  # type: ignore[attr-defined]
    MemorySampler.sample = sample


def _observe(context: Any, label: Any, note: Note) -> None:
    inner = context.gen

    def started(frame: Any) -> None:
        try:
            found = frame.f_locals
            key = found["key"]
            if isinstance(key, str):
                note(found["client"], key, "" if label is None else str(label))
        except Exception:
            logger.debug("a memory sampler has no label", exc_info=True)

    context.gen = (_WatchedAsync if hasattr(inner, "asend") else _Watched)(inner, started)

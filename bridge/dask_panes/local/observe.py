"""Dask's five callbacks, as cheap as possible: two calls per task, everything else in batches."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator
from threading import get_ident
from time import perf_counter
from traceback import walk_tb
from typing import Any

from .compute import Outcome, Place
from .record import BATCH, Record

logger = logging.getLogger(__name__)

#: Dask's tuple of callbacks: start, start_state, pretask, posttask, finish.
Callbacks = tuple[Callable[..., None], ...]

#: Results whose size the interpreter knows at once. Sizes of others would exceed our budget, or run user code.
_PLAIN = frozenset((bool, int, float, complex, str, bytes, bytearray, type(None)))
_UNKNOWN = float("nan")


class Observer:
    """The callbacks that fill a record. Our own errors are logged at debug level and end the observation of a
    compute.

    Parameters
    ----------
    record : Record
        The record to fill.
    changed : callable
        Called on the computing thread when a compute has begun or ended.

    Attributes
    ----------
    callbacks : tuple
        For ``dask.callbacks.Callback.active``; always the same objects, so that they can be found again.
    """

    def __init__(self, record: Record, changed: Callable[[], None]) -> None:
        self._record = record
        self._changed = changed
        self._process = os.getpid()
        self._thread = 0
        #: The graph of the observed compute; other computes pass their own.
        self._observed: Any = None
        self._dependencies: Any = {}
        self._released: Any = ()
        self._arrays: Any = None
        self.callbacks: Callbacks = (
            self._start,
            self._start_state,
            self._make_pretask(),
            self._make_posttask(),
            self._finish,
        )

    def _start(self, dsk: Any) -> None:
        # On the same thread the other one must be over, even if an interrupt kept Dask from reporting it.
        overlaps = self._observed is not None and self._thread != get_ident()
        if overlaps or os.getpid() != self._process or _in_worker():
            return
        try:
            self._thread = get_ident()
            self._arrays = getattr(sys.modules.get("numpy"), "ndarray", None)
            self._record.start(dsk, Place.of(sys._getframe(1).f_locals))
            self._observed = dsk
        except Exception:
            logger.debug("a compute is not observed", exc_info=True)

    def _start_state(self, dsk: Any, state: Any) -> None:
        if dsk is not self._observed:
            return
        try:
            self._dependencies, self._released = state["dependencies"], state["released"]
            self._record.expect(state)
            self._changed()
        except Exception:
            self._observed = None
            logger.debug("a compute is not observed", exc_info=True)

    def _make_pretask(self) -> Callable[..., None]:
        starts = self._record.starts

        def pretask(key: Any, dsk: Any, state: Any) -> None:
            if dsk is self._observed:
                starts[key] = perf_counter()

        return pretask

    def _make_posttask(self) -> Callable[..., None]:
        record = self._record
        notes = record.notes
        note, take, release = notes.extend, record.starts.pop, record.gone.extend
        getsizeof = sys.getsizeof

        def posttask(key: Any, value: Any, dsk: Any, state: Any, worker: Any) -> None:
            if dsk is not self._observed:
                return
            end = perf_counter()
            try:
                kind = type(value)
                size = value.nbytes if kind is self._arrays else getsizeof(value) if kind in _PLAIN else _UNKNOWN
                # A result is released with the last task that needs it: this task's released dependencies are gone
                # now.
                needed, released = self._dependencies[key], self._released
                gone = needed & released if needed else ()
                if gone:
                    release(gone)
                # Flat: containers that live long would make Python's garbage collector traverse the user's graph more
                # often.
                note((key, take(key), end, worker, kind, size, len(gone)))
                if len(notes) > BATCH:
                    record.drain()
            except Exception:
                self._observed = None
                logger.debug("the rest of a compute is not observed", exc_info=True)

        return posttask

    def _finish(self, dsk: Any, state: Any, failed: bool) -> None:
        if dsk is not self._observed:
            return
        self._observed, self._dependencies, self._released = None, {}, ()
        try:
            self._record.finish(*_outcome(state, failed))
            self._changed()
        except Exception:
            logger.debug("the end of a compute was not noted", exc_info=True)


def _in_worker() -> bool:
    """Whether this thread runs a task of a distributed worker that lives in this process (``processes=False``)."""
    worker = sys.modules.get("distributed.worker")
    return worker is not None and hasattr(getattr(worker, "thread_state", None), "key")


def _outcome(state: Any, failed: bool) -> tuple[Outcome, Any]:
    """How a compute ended, and the key of the task that raised, if Dask's own frame still has it."""
    if not failed:
        return "done", None
    error = sys.exc_info()[1]
    if error is None or not isinstance(error, Exception):
        return "interrupted" if error is not None else "erred", None
    running = state.get("running", ())
    if len(running) == 1:
        return "erred", next(iter(running))
    found = [key for key in _keys_at_hand(error, state) if key in running]
    return "erred", found[0] if found else None


def _keys_at_hand(error: Exception, state: Any) -> Iterator[Any]:
    """The key that Dask's ``get_async`` was processing when it raised: only its frame has it."""
    for frame, _ in walk_tb(error.__traceback__):
        variables = frame.f_locals if frame.f_code.co_name == "get_async" else {}
        if variables.get("state") is state:
            yield variables.get("key")

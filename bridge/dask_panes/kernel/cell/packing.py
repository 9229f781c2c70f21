"""How long a Client takes to pack a graph: from the call of its method that does so to the message to the scheduler.

That is serialising the graph and the data in it. What is done before, such as optimising a collection, is not known.
"""

from __future__ import annotations

import threading
import weakref
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ...scheduler.collector.submission import PACKED

if TYPE_CHECKING:
    from distributed import Client

#: Dask's method that packs a graph and sends it.
_PACKS = "_graph_to_futures"
#: Clients whose method is ours, not that of another extension.
_timed: weakref.WeakSet[Client] = weakref.WeakSet()
#: When the graph that a thread packs was begun.
_now = threading.local()


def begin(client: Client) -> None:
    """Time the graphs of a Client from now on. Where another extension has replaced the method, they are not timed."""
    pack_of = getattr(type(client), _PACKS, None)
    if pack_of is None or _PACKS in vars(client):
        return
    # The Client must not refer to itself: it would live until the garbage collector runs.
    found = weakref.ref(client)

    def pack(*args: Any, **kwargs: Any) -> Any:
        # A graph may be submitted while another one is serialised.
        before = getattr(_now, "begun", None)
        _now.begun = perf_counter()
        try:
            return pack_of(found(), *args, **kwargs)
        finally:
            _now.begun = before

    setattr(client, _PACKS, pack)
    _timed.add(client)


def end(client: Client) -> None:
    """Stop timing."""
    if client in _timed:
        _timed.discard(client)
        vars(client).pop(_PACKS, None)


def mark() -> str:
    """What to put into the stimulus of the graph that this thread packs; empty if that was not timed."""
    begun = getattr(_now, "begun", None)
    return "" if begun is None else PACKED.format(round(1e6 * (perf_counter() - begun)))


def size(message: dict[str, Any]) -> int:
    """Bytes of a graph as it is sent; 0 if they are not known."""
    frames = message.get("graph_frames") or getattr(message.get("expr_ser"), "frames", None) or ()
    return sum(getattr(frame, "nbytes", None) or len(frame) for frame in frames)

"""``dask_panes.show()``: the browser tab in which it acts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .tab import Tab

#: Seconds for which a request waits for a first tab.
SHOW_SECONDS = 10.0
#: Seconds in which the tab with the cell may claim it, before all tabs are asked.
CLAIM_SECONDS = 1.0
#: Maximum number of waiting requests.
WAITING = 20


@dataclass(eq=False)
class Request:
    """One call of ``show``: when, what, of which client, by a cell of which connection ("" if unknown)."""

    time: float
    what: str
    client: str
    session: str
    #: When a tab was first available for it.
    offered: float | None = None


def running_session(kernel: Any) -> str:
    """Id of the connection whose cell runs in this thread, "" if there is none.

    A thread started by the user runs no cell: which cell started it is unknown.
    """
    if threading.current_thread() is not threading.main_thread():
        return ""
    try:
        header = kernel.get_parent("shell").get("header", {})
        return str(header.get("session", "")) if header.get("msg_type") == "execute_request" else ""
    except (AttributeError, LookupError, TypeError):
        return ""


class Shows:
    """Pending requests, and the tab that shows each: the tab of the cell. On the control loop, except `add`.

    If no tab claims the cell within `CLAIM_SECONDS` (a front end without our extension has run it, a script's thread,
    a server that runs cells), all tabs are asked. If there is no tab, the first one within `SHOW_SECONDS` is asked: a
    cell may run before its tab has found the kernel's bridge.

    Parameters
    ----------
    tabs : callable
        Returns the existing tabs.
    later : callable
        Calls a function after some seconds.
    """

    def __init__(self, tabs: Callable[[], Collection[Tab]], later: Callable[[float, Callable[[], None]], Any]) -> None:
        self._tabs, self._later = tabs, later
        self._lock = threading.Lock()
        self._waiting: list[Request] = []

    def add(self, request: Request) -> None:
        """Add a request; any thread."""
        with self._lock:
            self._waiting = [*self._waiting[1 - WAITING :], request]

    def settle(self) -> None:
        """New tabs or requests: send each request that has a tab."""
        now = monotonic()
        tabs = list(self._tabs())
        for request in list(self._waiting):
            owners = [tab for tab in tabs if request.session in tab.sessions]
            if now - request.time >= SHOW_SECONDS:
                self._drop(request)
            elif owners or (tabs and self._unclaimed(request, now)):
                self._drop(request)
                for tab in owners or tabs:
                    tab.push("show", what=request.what, client=request.client, session=request.session)

    def _unclaimed(self, request: Request, now: float) -> bool:
        if request.offered is None:
            request.offered = now
            self._later(CLAIM_SECONDS, self.settle)
        return request.session == "" or now - request.offered >= CLAIM_SECONDS

    def _drop(self, request: Request) -> None:
        with self._lock:
            self._waiting = [other for other in self._waiting if other is not request]

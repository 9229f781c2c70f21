"""``dask_panes.show()``: in which browser tab it acts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .tab import Tab

#: Seconds for which something that is to be shown waits for a first tab.
SHOW_SECONDS = 10.0
#: Seconds in which the tab whose cell asked may say that the cell is its own, before all tabs are asked.
CLAIM_SECONDS = 1.0
#: Most that waits.
WAITING = 20


@dataclass(eq=False)
class Request:
    """One call of ``show``: when, what, of which client, by a cell of which connection ("" where nobody knows)."""

    time: float
    what: str
    client: str
    session: str
    #: When there was a tab for it first.
    offered: float | None = None


def running_session(kernel: Any) -> str:
    """Id of the connection whose cell runs in this thread, "" where none does.

    A thread that the user has started runs no cell: which one started it is not known.
    """
    if threading.current_thread() is not threading.main_thread():
        return ""
    try:
        header = kernel.get_parent("shell").get("header", {})
        return str(header.get("session", "")) if header.get("msg_type") == "execute_request" else ""
    except (AttributeError, LookupError, TypeError):
        return ""


class Shows:
    """What is to be shown, and who shows it: the tab whose cell asked. On the control loop, but for `add`.

    Where nobody says within `CLAIM_SECONDS` that the cell was its own (a front end without our extension has run it, a
    script's thread, a server that runs cells), all tabs are asked. Where there is no tab, what comes within
    `SHOW_SECONDS` is asked: a cell may run before the tab in which it stands has found the kernel's bridge.

    Parameters
    ----------
    tabs : callable
        Gives the tabs that there are.
    later : callable
        Calls a function after some seconds.
    """

    def __init__(self, tabs: Callable[[], Collection[Tab]], later: Callable[[float, Callable[[], None]], Any]) -> None:
        self._tabs, self._later = tabs, later
        self._waiting: list[Request] = []

    def add(self, request: Request) -> None:
        """Note a request; any thread."""
        self._waiting = [*self._waiting[1 - WAITING :], request]

    def settle(self) -> None:
        """Tabs or requests are new: hand over what has found its tab."""
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
        self._waiting = [other for other in self._waiting if other is not request]

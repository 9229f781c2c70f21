"""How far the end of a block is, as a fact of its Client: cards, panes and the sidebar show it; nothing is printed.

Everything here runs on the Client's event loop.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal

from ...kernel.channel.loops import quietly

if TYPE_CHECKING:
    from ...kernel.session.session import Session
    from .gathering import Gathering

#: An end that takes less than this is not reported, seconds.
QUIET = 1.0
#: Seconds between two reports.
INTERVAL = 0.5
#: Name of the fact.
FACT = "ending"


class EndProgress:
    """The progress of one end.

    Parameters
    ----------
    session : Session
        Of the Client.
    gathering : Gathering
        Reads the workers.
    what : str
        What is made of the block: ``"recording"`` or ``"report"``.

    Attributes
    ----------
    doing : str
        What it waits for: the ``"workers"``, the scheduler's ``"history"``, or the ``"file"``.
    """

    def __init__(self, session: Session, gathering: Gathering, what: str) -> None:
        self._session, self._gathering, self._what = session, gathering, what
        self.doing: Literal["workers", "history", "file"] = "workers"
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """The end begins."""
        # Not a task: asyncio would print one that is left when the loop closes.
        self._timer = asyncio.get_running_loop().call_later(QUIET, quietly, self._report)

    def end(self) -> None:
        """The end is over."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._session.note(FACT, None)

    def _report(self) -> None:
        share = self._gathering.looked / max(1, len(self._gathering.topics))
        self._session.note(FACT, {"what": self._what, "doing": self.doing, "share": share})
        self._timer = asyncio.get_running_loop().call_later(INTERVAL, quietly, self._report)

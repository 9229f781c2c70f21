"""The clients of a kernel and what else has a feed, each with its session; pages get a list of them.

Guarantees: one session per Client; the list is sorted by age, and an entry that cannot say what it is hides only
itself; the newest closed clients stay listed, with nothing but their facts. Any thread, unless a method says
otherwise.
"""

from __future__ import annotations

import logging
import threading
import weakref
from collections.abc import Callable
from time import time
from typing import TYPE_CHECKING, Any

from .client_like import ClientLike
from .loops import spawn_on_loop_of

if TYPE_CHECKING:
    from distributed import Client

    from ..session.session import Session

logger = logging.getLogger(__name__)

#: Number of closed clients that stay listed, newest first.
CLOSED_KEPT = 10
#: Why Clients are not shown: messages for users.
OFF = "Dask's configuration of this kernel has dask-panes.enabled: false."
NOT_ATTACHED = "Dask's configuration of this kernel has dask-panes.attach: false: call dask_panes.attach(client)."
MADE_BEFORE = (
    "A client was made while Dask's configuration of this kernel did not let it be shown: "
    "call dask_panes.attach(client)."
)


class Clients:
    """The sessions of one kernel.

    Parameters
    ----------
    namespace : callable
        Returns the user's variables, to name clients.
    changed : callable
        Called when the list may have changed.

    Attributes
    ----------
    sessions : dict
        By key.
    newest_facts : dict
        Last facts of sources, by key.
    """

    def __init__(self, namespace: Callable[[], dict[str, Any]], changed: Callable[[], None]) -> None:
        self._namespace, self._changed = namespace, changed
        self._lock = threading.Lock()
        self.sessions: dict[str, Session] = {}
        self.newest_facts: dict[str, dict[str, Any]] = {}
        self._others: dict[str, ClientLike] = {}
        #: Clients that the configuration keeps from being shown.
        self._withheld: weakref.WeakSet[Client] = weakref.WeakSet()

    def session(self, client: Client) -> Session:
        """The session of a Client, created if missing."""
        # Imported here: a kernel that has imported neither dask nor distributed must stay that way.
        from ..options import options
        from ..session.session import Session

        with self._lock:
            found = self.known(client)
            if found is None:
                found = Session(client, self._changed, options(), lasting=True)
                self.sessions[found.key] = found
                self._forget_closed()
        self._changed()
        return found

    def withhold(self, client: Client) -> None:
        """Note a Client that Dask's configuration keeps from being shown."""
        with self._lock:
            self._withheld.add(client)
        self._changed()

    def notice(self) -> str:
        """Why there are Clients that are not listed; a message for users, empty where all are."""
        with self._lock:
            withheld = list(self._withheld)
        if all(client.status in ("closing", "closed") or self.known(client) for client in withheld):
            return ""
        from ..options import options

        now = options()
        if not now.enabled:
            return OFF
        return MADE_BEFORE if now.attach else NOT_ATTACHED

    def known(self, client: Client) -> Session | None:
        """The session of a Client, if there is one."""
        from ..cell.facts import key_of

        return self.sessions.get(key_of(client))

    def _forget_closed(self) -> None:
        closed = [key for key, session in self.sessions.items() if session.closed]
        for key in closed[:-CLOSED_KEPT]:
            del self.sessions[key]
            self.newest_facts.pop(key, None)

    def add(self, source: ClientLike) -> None:
        """List a source that is not a Client; an existing one is updated."""
        self._others[source.key] = source
        self._changed()

    def source(self, key: str) -> ClientLike:
        """A Client's session or another source.

        Raises
        ------
        LookupError
            With a message for users.
        """
        found = self.sessions.get(key) or self._others.get(key)
        if found is None:
            raise LookupError(f"this kernel knows no client {key!r}")
        return found

    def acting(self, key: str) -> Session:
        """The session of a Client, for actions.

        Raises
        ------
        LookupError
            With a message for users.
        """
        session = self.sessions.get(key)
        if session is None:
            raise LookupError(f"This kernel knows no client {key[:80]!r}.")
        return session

    def notify(self, key: str, op: str, args: dict[str, Any]) -> None:
        """Send the collector of a Client a request without waiting for the answer."""
        session = self.sessions.get(key)
        if session is not None:
            spawn_on_loop_of(session, session.notify(op, args))

    def facts(self) -> list[dict[str, Any]]:
        """Facts of all, oldest first."""
        try:
            namespace = dict(self._namespace())
        except RuntimeError:
            # The user's cell is adding variables at this moment: names are read at the next check.
            namespace = {}
        sources = [*list(self.sessions.values()), *list(self._others.values())]
        return sorted((self._info(source, namespace) for source in sources), key=lambda info: float(info["created"]))

    def _info(self, source: ClientLike, namespace: dict[str, Any]) -> dict[str, Any]:
        """Facts of a source; third-party cluster classes may raise anything."""
        try:
            info = source.info(namespace)
            float(info["created"])
        except Exception as error:
            logger.debug("a client cannot say what it is", exc_info=True)
            notice = f"The facts of this client cannot be read: {type(error).__name__}: {error}"
            known = {"created": time(), **self.newest_facts.get(source.key, {})}
            info = {**known, "key": source.key, "notice": notice, **({"status": "closed"} if source.closed else {})}
        with self._lock:
            # Another thread may have dropped it meanwhile.
            if source.key in self.sessions or source.key in self._others:
                self.newest_facts[source.key] = info
        return info

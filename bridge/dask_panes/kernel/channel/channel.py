"""The Jupyter control channel: ``debug_request`` envelopes with ``command: "daskPanes"``.

The kernel's own handler is wrapped; every other command is passed on untouched. Handlers return at once (the kernel
handles control messages one at a time), answers are sent later from the control loop. Only the announcement is
published on iopub, so a running cell, its figures and its prints are not affected.

Envelope: ``{type: "request", seq, command: "daskPanes", arguments: {op, ...}}`` → a reply whose content is ``{type:
"response", request_seq, success, command, body}``; frames travel as the reply's binary buffer. The requests are
specified in ``docs/feed.md``.

This is the wrapper and the table of requests; clients are in `clients`, the subscriptions of tabs in `tabs`.

Guarantees: a handler returns at once and raises nothing into the kernel; what fails is refused with a message for
users; other commands of the channel are the kernel's own.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any

from ..._about import version
from ...feed.schema import PROTOCOL
from ..cell.actions import Actions
from ..registry import ANSWERS
from .call import COMMAND, Call
from .client_like import ClientLike
from .clients import Clients
from .loops import STOPPED, call_soon, is_stopped, quietly, spawn_on_loop_of
from .shows import Request, Shows, running_session
from .tabs import LEASE_SECONDS, Tabs, Unsubscribed

if TYPE_CHECKING:
    from distributed import Client

    from ..session.session import Session

logger = logging.getLogger(__name__)

#: iopub comm id that is never opened: it makes existing pages send another hello.
ANNOUNCEMENT = "dask-panes-announce"
#: The same for a kernel that is in use though it runs no cell: a culler must not consider it idle.
ACTIVITY = "dask-panes-activity"
#: Seconds between two looks at the facts of clients: Dask renews the numbers of workers in them as often.
LOOK_SECONDS = 2.0
#: Reason of a refusal: the page has to subscribe again.
SUBSCRIPTION = "subscription"

#: Requests to the collector that only actions and kernels send: actions can be switched off, and a collector that is
#: removed takes the history of all kernels with it.
NOT_FOR_PAGES = frozenset(("plan", "carry_out", "benchmark", "servers", "remove", "cell", "wake", "closing"))

#: Executes one request; returns the reply's body.
Handler = Callable[[Call], Any]


class Channel:
    """All conversations of one kernel. `Channel.install` creates the only one.

    Parameters
    ----------
    kernel : ipykernel.kernelbase.Kernel
        Must have ``control_handlers`` with a ``debug_request``.
    namespace : callable
        Returns the user's variables, to name clients.
    """

    def __init__(self, kernel: Any, namespace: Callable[[], dict[str, Any]]) -> None:
        self.kernel = kernel
        self._passed_on = kernel.control_handlers["debug_request"]
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()
        self.clients = Clients(namespace, self._clients_changed)
        self.tabs = Tabs(self.clients.source, self._tab_arrived)
        self._shows = Shows(self.tabs.known.values, self._later)
        #: The clients as last sent to pages.
        self._listed: dict[str, Any] = {}
        self._notice_due = False
        #: Whether the next look at the facts is planned.
        self._looking = False
        self._actions = Actions(self.clients.acting)
        self._handlers: dict[str, Handler] = {
            "hello": self._hello,
            "options": self._options,
            "subscribe": self._subscribe,
            "want": self.tabs.want,
            "ack": self.tabs.acknowledge,
            "renew": self.tabs.renew,
            "unsubscribe": self.tabs.unsubscribe,
            "request": self._request,
            "act": self._actions.handle,
        }
        kernel.control_handlers["debug_request"] = self._handle

    # -- the wrapper --------------------------------------------------------------------------------------------

    async def _handle(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        content = parent.get("content")
        if not isinstance(content, dict) or content.get("command") != COMMAND:
            await self._passed_on(stream, ident, parent)
            return
        self._loop = asyncio.get_running_loop()
        call = Call(self, stream, ident, parent)
        op = call.arguments.get("op")
        handler = self._handlers.get(op) if isinstance(op, str) else None
        if handler is None:
            call.fail(
                f"dask_panes {version()} knows no request {op!r}: is the extension newer than the kernel's package?"
            )
            return
        try:
            handler(call)
        except Unsubscribed as error:
            call.fail(str(error), reason=SUBSCRIPTION)
        except Exception as error:
            logger.debug("request failed", exc_info=True)
            call.fail(f"{type(error).__name__}: {error}")

    @property
    def loop(self) -> asyncio.AbstractEventLoop | None:
        """The control loop; None before the first request and after the end."""
        loop = self._loop
        return None if loop is None or loop.is_closed() else loop

    def on_loop(self, function: Callable[..., None], *args: Any) -> None:
        """Run a function on the control loop, from any thread; nothing happens once the kernel stops."""
        call_soon(self.loop, function, *args)

    def handle(self, op: str, handler: Handler) -> None:
        """Forward a request to another module; an exception of its handler becomes the refusal."""
        self._handlers[op] = handler

    def remove(self) -> None:
        """Restore the kernel's own handler and drop all subscribers."""
        self.kernel.control_handlers["debug_request"] = self._passed_on
        for tab in list(self.tabs.known):
            self.tabs.forget(tab)

    # -- sessions -----------------------------------------------------------------------------------------------

    def session(self, client: Client) -> Session:
        """The session of a Client, created if missing; any thread."""
        return self.clients.session(client)

    def known(self, client: Client) -> bool:
        """Whether a Client has a session."""
        return self.clients.known(client) is not None

    def add(self, source: ClientLike) -> None:
        """List a source that is not a Client; an existing one is updated. Any thread."""
        self.clients.add(source)

    def notify(self, key: str, op: str, args: dict[str, Any]) -> None:
        """Send the collector of a Client a request without waiting for the answer; any thread."""
        self.clients.notify(key, op, args)

    def _clients_changed(self) -> None:
        """Notify all tabs, once for a burst of changes."""
        with self._lock:
            if self._notice_due:
                return
            self._notice_due = True
        self.on_loop(self._push_clients)
        if self._loop is None:
            self._notice_due = False

    def _push_clients(self) -> None:
        self._notice_due = False
        self._listed = self._list()
        for tab in list(self.tabs.known.values()):
            tab.push("clients", **self._listed)

    def _list(self) -> dict[str, Any]:
        notice = self.clients.notice()
        return {"clients": self.clients.facts(), **({"notice": notice} if notice else {})}

    def cell_ended(self, _: Any = None) -> None:
        """Notify tabs of clients that the cell has given a name to; any thread."""
        self.on_loop(self._check_clients)

    def announce(self) -> None:
        """Make pages that were open before us send another hello."""
        self._publish(ANNOUNCEMENT, {"protocol": PROTOCOL})

    def mark_active(self) -> None:
        """Show the server that the kernel is in use though it runs no cell; any thread."""
        self._publish(ACTIVITY, {})

    def _publish(self, comm: str, data: dict[str, Any]) -> None:
        """One iopub message on a comm that is never opened: browsers drop it, the server counts it as activity."""
        kernel = self.kernel
        kernel.session.send(
            kernel.iopub_socket, "comm_msg", {"comm_id": comm, "data": data}, ident=b"comm-" + comm.encode()
        )

    def show(self, what: str, client: str) -> int:
        """Ask the tab whose cell runs to show a layout or a plot (see `Shows`); returns the number of tabs."""
        self._shows.add(Request(monotonic(), what, client, running_session(self.kernel)))
        self.on_loop(self._shows.settle)
        return len(self.tabs.known)

    def _tab_arrived(self) -> None:
        self._shows.settle()

    def _later(self, seconds: float, function: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_later(seconds, quietly, function)

    # -- requests -----------------------------------------------------------------------------------------------

    def _hello(self, call: Call) -> None:
        call.reply({"protocol": PROTOCOL, "version": version(), "lease": LEASE_SECONDS, **self._list()})

    def _options(self, call: Call) -> None:
        """Dask's current configuration of this kernel; null if Dask has not been imported: we do not import it.

        With ``read``, another process of this Python then reads what a new kernel would have.
        """
        if "dask" in sys.modules:
            from ..options import options

            call.reply({"value": options().for_page()})
        elif call.arguments.get("read") is True:
            from ..options import read_in_subprocess

            # This takes seconds, in which the control loop must not stop.
            threading.Thread(target=lambda: call.reply({"value": read_in_subprocess()}), daemon=True).start()
        else:
            call.reply({"value": None})

    def _subscribe(self, call: Call) -> None:
        tab = self.tabs.subscribe(call)
        tab.push("clients", **self._list())
        self._shows.settle()
        self._look_later()

    def _look_later(self) -> None:
        """Look at the facts from time to time: workers come and go without a notification to the client."""
        if self.tabs.known and not self._looking:
            self._looking = True
            self._later(LOOK_SECONDS, self._look)

    def _look(self) -> None:
        self._looking = False
        # Whatever fails below, there is another look.
        self._look_later()
        self._check_clients()

    def _check_clients(self) -> None:
        if self.tabs.known and self._list() != self._listed:
            self._clients_changed()

    def _request(self, call: Call) -> None:
        session = self.clients.source(str(call.arguments["client"]))
        if is_stopped(session):
            call.fail(STOPPED)
            return
        args = call.arguments.get("args")
        coroutine = self._answer(call, session, str(call.arguments["name"]), args if isinstance(args, dict) else {})
        if not spawn_on_loop_of(session, coroutine):
            call.fail("The client is closed: its data stays, but nothing more can be requested.")

    async def _answer(self, call: Call, source: ClientLike, name: str, args: dict[str, Any]) -> None:
        try:
            if name in NOT_FOR_PAGES:
                raise LookupError(f"{name!r} is not a request of pages; these act on a cluster with 'act'.")
            handler, session = ANSWERS.get(name), self.clients.sessions.get(source.key)
            if handler is not None and session is None:
                raise LookupError("This is for clients of a cluster; local schedulers have none.")
            answer = handler(session, args) if handler and session else source.ask(name, args)
            call.reply(await answer)
        except Exception as error:
            call.fail(str(error) or type(error).__name__)

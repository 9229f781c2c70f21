"""The Jupyter control channel: ``debug_request`` envelopes with ``command: "daskPanes"``.

The kernel's own handler is wrapped; every other command is passed on untouched. Handlers return at once (the kernel
handles control messages one at a time), answers are sent later from the control loop. Only the announcement is
published on iopub, so a running cell, its figures and its prints are not affected.

Envelope: ``{type: "request", seq, command: "daskPanes", arguments: {op, ...}}`` → a reply whose content is ``{type:
"response", request_seq, success, command, body}``; frames travel as the reply's binary buffer. The requests are
specified in ``docs/feed.md``.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import Callable, Coroutine
from time import monotonic, time
from typing import TYPE_CHECKING, Any

from .._about import version
from ..feed.schema import PROTOCOL
from .actions import Actions
from .beats import Beats
from .call import COMMAND, Call
from .shows import Request, Shows, running_session
from .subscriber import Subscriber
from .tab import Tab, texts

if TYPE_CHECKING:
    from distributed import Client

    from .session import Session
    from .source import Source

logger = logging.getLogger(__name__)

#: iopub comm id that is never opened: it makes existing pages send another hello.
ANNOUNCEMENT = "dask-panes-announce"
#: The same for a kernel that is in use though it runs no cell: a culler must not consider it idle.
ACTIVITY = "dask-panes-activity"
#: Reason of a refusal: the page has to subscribe again.
SUBSCRIPTION = "subscription"
#: Seconds after which a tab that does not renew its lease is dropped.
LEASE_SECONDS = 60.0
#: Number of closed clients that stay listed, newest first.
CLOSED_KEPT = 10

#: Requests about a client that are answered in the kernel, not by the collector: ``module:function`` in this package,
#: called with ``(session, args)`` on the Client's loop. Named, not imported: a module is loaded on its first request.
BESIDE = {"save": "files.saving:save", "saved": "files.saving:saved"}

#: Executes one request; returns the reply's body.
Handler = Callable[[Call], Any]


class Unsubscribed(LookupError):
    """A tab refers to a subscription that this kernel does not have (any more)."""


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
        self._namespace = namespace
        self._passed_on = kernel.control_handlers["debug_request"]
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()
        self._tabs: dict[str, Tab] = {}
        self._shows = Shows(self._tabs.values, self._later)
        self._sessions: dict[str, Session] = {}
        #: Last facts of sources, by key.
        self._told: dict[str, dict[str, Any]] = {}
        self._others: dict[str, Source] = {}
        #: The clients as last sent to pages.
        self._listed: list[dict[str, Any]] = []
        self._notice_due = False
        self._beats = Beats(lambda: list(self._tabs.values()))
        self._actions = Actions(self._client)
        self._handlers: dict[str, Handler] = {
            "hello": self._hello,
            "options": self._options,
            "subscribe": self._subscribe,
            "want": self._want,
            "ack": self._ack,
            "renew": self._renew,
            "unsubscribe": self._unsubscribe,
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
        loop = self.loop
        if loop is not None:
            loop.call_soon_threadsafe(_quietly, function, *args)

    def handle(self, op: str, handler: Handler) -> None:
        """Forward a request to another module; an exception of its handler becomes the refusal."""
        self._handlers[op] = handler

    def remove(self) -> None:
        """Restore the kernel's own handler and drop all subscribers."""
        self.kernel.control_handlers["debug_request"] = self._passed_on
        for tab in list(self._tabs):
            self._forget(tab)

    # -- sessions -----------------------------------------------------------------------------------------------

    def session(self, client: Client) -> Session:
        """The session of a client, created if missing; any thread."""
        # Imported here: a kernel that has imported neither dask nor distributed must stay that way.
        from .options import options
        from .session import Session

        with self._lock:
            found = self._sessions.get(client.id)
            if found is None:
                found = self._sessions[client.id] = Session(client, self._clients_changed, options())
                self._forget_closed()
        self._clients_changed()
        return found

    def _forget_closed(self) -> None:
        closed = [key for key, session in self._sessions.items() if session.closed]
        for key in closed[:-CLOSED_KEPT]:
            del self._sessions[key]
            self._told.pop(key, None)

    def add(self, source: Source) -> None:
        """List a source that is not a Client; an existing one is updated. Any thread."""
        self._others[source.key] = source
        self._clients_changed()

    def known(self, key: str) -> bool:
        """Whether a client has a session."""
        return key in self._sessions

    def _source(self, key: str) -> Source:
        found = self._sessions.get(key) or self._others.get(key)
        if found is None:
            raise LookupError(f"this kernel knows no client {key!r}")
        return found

    def _client(self, key: str) -> Client | None:
        """A client that may receive actions; None if it is closed."""
        session = self._sessions.get(key)
        if session is None:
            raise LookupError(f"This kernel knows no client {key[:80]!r}.")
        return None if session.closed else session.client

    def tell(self, key: str, op: str, args: dict[str, Any]) -> None:
        """Send the collector of a client a request without waiting for the answer; any thread."""
        session = self._sessions.get(key)
        if session is not None:
            coroutine = session.tell(op, args)
            if not _spawn_on_loop_of(session, coroutine):
                coroutine.close()

    def _clients(self) -> list[dict[str, Any]]:
        try:
            namespace = dict(self._namespace())
        except RuntimeError:
            # The user's cell is adding variables at this moment: names are read at the next check.
            namespace = {}
        sources = [*list(self._sessions.values()), *list(self._others.values())]
        return sorted((self._info(source, namespace) for source in sources), key=lambda info: float(info["created"]))

    def _info(self, source: Source, namespace: dict[str, Any]) -> dict[str, Any]:
        """Facts of a source; third-party cluster classes may raise anything."""
        try:
            info = source.info(namespace)
            float(info["created"])
        except Exception as error:
            logger.debug("a client cannot say what it is", exc_info=True)
            notice = f"What this client says of itself cannot be read: {type(error).__name__}: {error}"
            known = {"created": time(), **self._told.get(source.key, {})}
            info = {**known, "key": source.key, "notice": notice, **({"status": "closed"} if source.closed else {})}
        with self._lock:
            # Another thread may have dropped it meanwhile.
            if source.key in self._sessions or source.key in self._others:
                self._told[source.key] = info
        return info

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
        clients = self._listed = self._clients()
        for tab in list(self._tabs.values()):
            tab.push("clients", clients=clients)

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
        return len(self._tabs)

    def _later(self, seconds: float, function: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_later(seconds, _quietly, function)

    # -- requests -----------------------------------------------------------------------------------------------

    def _hello(self, call: Call) -> None:
        call.reply({"protocol": PROTOCOL, "version": version(), "lease": LEASE_SECONDS, "clients": self._clients()})

    def _options(self, call: Call) -> None:
        """Dask's current configuration of this kernel; null if Dask has not been imported: we do not import it."""
        told = None
        if "dask" in sys.modules:
            from .options import options

            told = options().told()
        call.reply({"value": told})

    def _subscribe(self, call: Call) -> None:
        name = str(call.arguments["tab"])
        self._forget(name)
        tab = self._tabs[name] = Tab(call)
        tab.push("clients", clients=self._clients())
        self._shows.settle()
        self._check_lease(name, tab)

    def _check_lease(self, name: str, tab: Tab) -> None:
        rest = tab.renewed + LEASE_SECONDS - monotonic()
        if rest > 0:
            tab.lease = asyncio.get_running_loop().call_later(rest + 0.1, self._check_lease, name, tab)
        else:
            self._forget(name)

    def _forget(self, name: str) -> None:
        tab = self._tabs.pop(name, None)
        if tab is not None:
            if tab.lease is not None:
                tab.lease.cancel()
            for session, subscriber in tab.subscribers.values():
                _on_loop_of(session, session.unsubscribe, subscriber)

    def _tab(self, call: Call) -> Tab:
        tab = self._tabs.get(str(call.arguments.get("tab")))
        if tab is None:
            raise Unsubscribed("this tab has no subscription here: subscribe again")
        if tab.id != str(call.arguments.get("subscription", "")):
            raise Unsubscribed("a later subscription of this tab has replaced this one: subscribe again")
        tab.renewed = monotonic()
        return tab

    def _want(self, call: Call) -> None:
        tab = self._tab(call)
        key = str(call.arguments["client"])
        topics = [str(topic) for topic in call.arguments.get("topics") or ()]
        session = self._source(key)
        known = tab.subscribers.get(key)
        if not topics:
            if known is not None:
                del tab.subscribers[key]
                _on_loop_of(session, session.unsubscribe, known[1])
        elif known is not None and call.arguments.get("cursor") is None:
            _on_loop_of(session, session.retopic, known[1], topics)
        else:
            if known is not None:
                _on_loop_of(session, session.unsubscribe, known[1])
            generation = int(call.arguments.get("gen", 0))
            subscriber = Subscriber(lambda data, seq: tab.frame(key, generation, data, seq))
            tab.subscribers[key] = (session, subscriber)
            cursor = call.arguments.get("cursor") or {}
            feed, epoch = str(call.arguments.get("feed", "")), int(call.arguments.get("epoch", -1))
            _on_loop_of(session, session.add, subscriber, topics, feed, epoch, cursor)
            assert self._loop is not None
            self._beats.begin(self._loop)
        call.reply({})

    def _ack(self, call: Call) -> None:
        known = self._tab(call).subscribers.get(str(call.arguments["client"]))
        if known is not None:
            session, subscriber = known
            _on_loop_of(session, session.acknowledge, subscriber, int(call.arguments["seq"]))

    def _renew(self, call: Call) -> None:
        tab = self._tab(call)
        if "sessions" in call.arguments:
            tab.sessions = texts(call.arguments["sessions"])
            self._shows.settle()
        call.reply({"silent": self._beats.silence(tab.sources)})
        # Workers come and go without a notification to the client: pages receive the numbers with their next renewal.
        if self._clients() != self._listed:
            self._clients_changed()

    def _unsubscribe(self, call: Call) -> None:
        try:
            self._tab(call)
        except Unsubscribed:
            # A page that changes its connection subscribes over the new one before this arrives over the old one.
            call.reply({})
            return
        self._forget(str(call.arguments.get("tab")))
        call.reply({})

    def _request(self, call: Call) -> None:
        session = self._source(str(call.arguments["client"]))
        args = call.arguments.get("args")
        coroutine = self._answer(call, session, str(call.arguments["name"]), args if isinstance(args, dict) else {})
        if not _spawn_on_loop_of(session, coroutine):
            coroutine.close()
            call.fail("The client is closed: what was seen stays, nothing more can be asked.")

    async def _answer(self, call: Call, source: Source, name: str, args: dict[str, Any]) -> None:
        try:
            beside, session = BESIDE.get(name), self._sessions.get(source.key)
            if beside is not None and session is None:
                raise LookupError("This is for clients of a cluster; local schedulers have none.")
            answer = _load(beside)(session, args) if beside and session else source.ask(name, args)
            call.reply(await answer)
        except Exception as error:
            call.fail(str(error) or type(error).__name__)


def _load(place: str) -> Callable[[Session, dict[str, Any]], Coroutine[Any, Any, Any]]:
    from importlib import import_module

    module, _, function = place.partition(":")
    found: Callable[[Session, dict[str, Any]], Coroutine[Any, Any, Any]] = getattr(
        import_module(f"{__package__.rpartition('.')[0]}.{module}"), function
    )
    return found


def _on_loop_of(session: Source, function: Callable[..., None], *args: Any) -> None:
    loop = session.loop
    if loop is not None:
        loop.call_soon_threadsafe(_quietly, function, *args)


def _quietly(function: Callable[..., None], *args: Any) -> None:
    """Call a function from an event loop, which would print exceptions below the user's cell."""
    try:
        function(*args)
    except Exception as error:
        logger.debug("%s failed", function, exc_info=True)
        report = getattr(getattr(function, "__self__", None), "report", None)
        if report is not None:
            report("One page", error)


def _spawn_on_loop_of(session: Source, coroutine: Coroutine[Any, Any, None]) -> bool:
    loop = session.loop
    if loop is None:
        return False
    asyncio.run_coroutine_threadsafe(coroutine, loop)
    return True

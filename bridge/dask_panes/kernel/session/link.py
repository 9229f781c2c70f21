"""The connection of one Client to its scheduler's collector: registration, reads and requests.

Guarantees: no request goes to a handler that the scheduler does not have yet, or not any more (it would log a
warning); one that gets no answer ends after its time; a scheduler that permits no collector is read by its standard
RPCs (`stand_in`), and `limited` says so. Everything here runs on the Client's event loop.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TYPE_CHECKING, Any

from distributed import Scheduler

from ...scheduler.collector.plugin import ASK_HANDLER, READ_HANDLER
from ...scheduler.ship import register
from ..options import KernelOptions
from .pulse import Pulse
from .stand_in import MISSING, StandIn
from .subscriber import Subscriber
from .work import Work

if TYPE_CHECKING:
    from distributed import Client

logger = logging.getLogger(__name__)

#: Seconds after its timeout at which a poll counts as lost (a half-open link never answers).
POLL_GRACE = 10.0
#: The message for users who ask a closed Client.
CLOSED = "The client is closed: its data stays, but nothing more can be requested."
#: Seconds between two attempts to reach a scheduler that does not answer.
RETRY_SECONDS = 1.0


class Link:
    """Registers the collector and calls it.

    Parameters
    ----------
    client : callable
        Returns the Client; None when it is gone.
    options : KernelOptions
        The configuration.
    work : Work
        Runs the registration.
    changed : callable
        Called when `limited` may have changed, or the connection is lost.
    gone : callable
        Called when the Client turns out to be closed.

    Attributes
    ----------
    limited : str
        Why the scheduler has no collector and what is missing therefore, for users; or an empty text.
    registered : asyncio.Task or None
        The first registration.
    pulse : Pulse
        When the scheduler last answered.
    """

    def __init__(
        self,
        client: Callable[[], Client | None],
        options: KernelOptions,
        work: Work,
        changed: Callable[[], None],
        gone: Callable[[], None],
    ) -> None:
        self._client, self._options, self._work = client, options, work
        self._changed, self._gone = changed, gone
        self.limited = ""
        self.registered: asyncio.Task[None] | None = None
        self.pulse = Pulse(self._echo, work.spawn, work.report)
        self._stand_in: StandIn | None = None
        #: Scheduler's clock minus ours (`time.monotonic`) at the newest answer.
        self._clock_offset = 0.0
        #: The connection on which the scheduler last received its collector.
        self._connection: Any = None
        #: Whether the tabs were notified that the connection to the scheduler is lost.
        self._reported_lost = False

    @property
    def clock(self) -> float:
        """Current scheduler time, estimated from the newest answer, seconds."""
        return monotonic() + self._clock_offset

    # -- registration -------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Register the collector for the first time."""
        self.registered = self._work.spawn(self.register())

    async def register(self) -> None:
        """Make sure that the scheduler has its collector."""
        client = self._client()
        if client is None:
            return
        connection = client.scheduler_comm
        try:
            await register(client, **self._options.for_collector())
            self._connection = connection
            self.limited = ""
            self.end()
        except (OSError, asyncio.TimeoutError):
            # The first read will find no collector, and try again.
            logger.debug("connection lost while registering", exc_info=True)
        except Exception as error:
            logger.debug("collector refused", exc_info=True)
            if client.status in ("closed", "closing"):
                # Nobody has refused anything.
                return
            self._connection = connection
            await self._stand_in_for(str(error) or type(error).__name__)
        self._changed()

    async def _stand_in_for(self, reason: str) -> None:
        """The scheduler accepts no collector: use only its standard RPCs, and report it."""
        # If a site has disabled the handler, the message names it.
        self.limited = f"{reason}; {MISSING}"
        if self._stand_in is None:
            stand_in = StandIn(self._standard, **self._options.for_collector())
            try:
                await stand_in.begin()
                if self._stand_in is None:
                    self._stand_in = stand_in
            except Exception:
                logger.debug("the scheduler's standard answers do not do", exc_info=True)
            finally:
                if self._stand_in is not stand_in:
                    # Its timer would keep it for as long as the loop runs.
                    await stand_in.close()

    def end(self) -> None:
        """Use the standard RPCs no more; any thread."""
        if self._stand_in is not None:
            self._stand_in.end()
            self._stand_in = None

    @property
    def readable(self) -> bool:
        """Whether there is anything to read: a collector, or the standard RPCs."""
        return not self.limited or self._stand_in is not None

    @property
    def beside(self) -> bool:
        """Whether the scheduler runs on the Client's loop; any thread."""
        client = self._client()
        return client is not None and self._beside(client) is not None

    @property
    def last_answer_due(self) -> bool:
        """Whether a closing Client's scheduler can still be read; one that has closed sent its last answer then."""
        client = self._client()
        if client is None or self.registered is None or not self.registered.done() or not self.readable:
            return False
        beside = self._beside(client)
        return beside is None or READ_HANDLER in beside.handlers

    async def ready(self) -> None:
        """Return when the scheduler has its collector.

        Raises
        ------
        RuntimeError
            It does not permit one, or the Client is closed; with a message for users.
        """
        await self.registration()
        client = self._client()
        if client is None or client.status == "closed":
            raise RuntimeError(CLOSED)
        if client.status == "running" and client.scheduler_comm is not self._connection:
            # While there are no tabs, nothing else notices that another scheduler is at the address. It would log a
            # warning for a request that it does not know.
            await self.register()
        if not self.readable:
            raise RuntimeError(f"The scheduler allows no collector: {self.limited}")

    async def registration(self, patience: float | None = None) -> None:
        """Wait until the first one has ended, or for some seconds.

        A scheduler logs a warning for a request to a handler that it does not have yet.
        """
        if self.registered is not None:
            await asyncio.wait({self.registered}, timeout=patience)

    async def recover(self) -> None:
        """The scheduler did not answer, or has no collector: wait, register."""
        await asyncio.sleep(RETRY_SECONDS)
        client = self._client()
        if client is None or client.status in ("closed", "closing"):
            self._gone()
            return
        if client.status == "running":
            self._reported_lost = False
            await self.register()
        elif not self._reported_lost:
            self._reported_lost = True
            self._changed()

    # -- requests -----------------------------------------------------------------------------------------------

    async def read(self, where: Subscriber, reader: str, timeout: float) -> dict[str, Any] | None:
        """One read, or None if the scheduler has no collector (a new scheduler at the old address)."""
        if self._stand_in is not None and self._stand_in.replaced:
            self.end()
            await self.register()
        question = {
            "reader": reader,
            "feed": where.feed,
            "epoch": where.epoch,
            "cursor": where.cursor,
            "topics": list(where.topics),
            "timeout": timeout,
        }
        answer: dict[str, Any] | None = await self._call(READ_HANDLER, question, timeout + POLL_GRACE)
        self._note()
        if answer is not None:
            self._clock_offset = answer["time"] - monotonic()
            # An older collector does not report it.
            self.pulse.readers = answer.get("readers", 1)
        return answer

    async def ask(self, name: str, args: Any) -> Any:
        """One request; None if the scheduler has no collector."""
        answer = await self._call(ASK_HANDLER, {"name": name, "args": args}, 30)
        self._note()
        return answer

    def _note(self) -> None:
        """The collector has answered; one in the kernel does also while the scheduler does not."""
        if self._stand_in is None:
            self.pulse.note()

    async def _standard(self, name: str, **args: Any) -> Any:
        """One of Dask's own RPCs."""
        answer = await self._call(name, args, POLL_GRACE)
        self.pulse.note()
        return answer

    async def _call(self, handler: str, args: dict[str, Any], timeout: float) -> Any:
        """One RPC to the collector.

        Raises
        ------
        OSError
            The connection is lost, or was closed with the client.
        """
        client = self._client()
        if client is None or client.scheduler is None:
            raise OSError("the client is closed")
        ours = handler in (READ_HANDLER, ASK_HANDLER)
        if ours and not self.readable:
            raise OSError("the scheduler has no collector")
        if self._stand_in is not None and ours:
            return await (self._stand_in.read if handler == READ_HANDLER else self._stand_in.ask)(**args)
        beside = self._beside(client) if ours else None
        if ours and beside is None and client.status == "connecting":
            # Another scheduler at the address lacks the handler, and would log a warning.
            raise OSError("the client has lost its scheduler")
        ask = beside.handlers.get(handler) if beside is not None else None
        if ask is None:
            ask = getattr(client.scheduler, handler)
        elif handler == READ_HANDLER:
            # It has its own timeout, and nothing can be lost in transit here. (`wait_for` is two more turns of the
            # loop, each a wait for the GIL.)
            return await ask(**args, beside=True)
        try:
            return await asyncio.wait_for(ask(**args), timeout)
        except RuntimeError as error:
            # "ConnectionPool is closed": the client was closed without a notification.
            if client.status in ("closed", "closing"):
                raise OSError("the client is closed") from error
            raise

    def _echo(self) -> Awaitable[Any] | None:
        """Send the scheduler an empty request; None if it runs on this loop."""
        client = self._client()
        if client is None or client.scheduler is None or self._beside(client) is not None:
            return None
        answer: Awaitable[Any] = client.scheduler.echo(data=None)
        return answer

    def _beside(self, client: Client) -> Scheduler | None:
        """The scheduler if it runs on this loop, as for a ``LocalCluster``: no connection is needed.

        While the main thread computes, every system call of a connection is a wait for the GIL, of 5 ms
        (`sys.getswitchinterval`), and an answer over a connection takes a dozen. A closing scheduler still answers
        here when its connections are gone.
        """
        scheduler = getattr(client.cluster, "scheduler", None)
        return scheduler if isinstance(scheduler, Scheduler) and scheduler.loop is client.loop else None

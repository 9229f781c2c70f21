"""The subscriptions of browser tabs, and what each wants of which client.

Guarantees: a later subscription of a tab replaces the earlier, which is refused from then on; a tab that does not
renew its lease is dropped, with everything that it wanted. Everything here runs on the control loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic

from ..session.subscriber import Subscriber
from .beats import Beats
from .call import Call
from .client_like import ClientLike
from .loops import on_loop_of
from .tab import Tab, texts

#: Seconds after which a tab that does not renew its lease is dropped.
LEASE_SECONDS = 60.0


class Unsubscribed(LookupError):
    """A tab refers to a subscription that this kernel does not have (any more)."""


class Tabs:
    """The tabs of one kernel.

    Parameters
    ----------
    source : callable
        Returns a client's feed by its key; raises LookupError.
    arrived : callable
        Called when a tab has come, or has said which connections it has.

    Attributes
    ----------
    known : dict
        By the name of the tab.
    """

    def __init__(self, source: Callable[[str], ClientLike], arrived: Callable[[], None]) -> None:
        self._source, self._arrived = source, arrived
        self.known: dict[str, Tab] = {}
        self.beats = Beats(lambda: list(self.known.values()))

    def subscribe(self, call: Call) -> Tab:
        """A tab subscribes; an earlier subscription of it ends."""
        name = str(call.arguments["tab"])
        self.forget(name)
        tab = self.known[name] = Tab(call)
        self.check_lease(name, tab)
        return tab

    def check_lease(self, name: str, tab: Tab) -> None:
        """Drop a tab whose lease has run out; else check again when it would."""
        rest = tab.renewed + LEASE_SECONDS - monotonic()
        if rest > 0:
            tab.lease = asyncio.get_running_loop().call_later(rest + 0.1, self.check_lease, name, tab)
        else:
            self.forget(name)

    def forget(self, name: str) -> None:
        """Drop a tab."""
        tab = self.known.pop(name, None)
        if tab is not None:
            if tab.lease is not None:
                tab.lease.cancel()
            for source, subscriber in tab.subscribers.values():
                on_loop_of(source, source.unsubscribe, subscriber)

    def of(self, call: Call) -> Tab:
        """The tab that made a call, whose lease that renews.

        Raises
        ------
        Unsubscribed
            With a message for users.
        """
        tab = self.known.get(str(call.arguments.get("tab")))
        if tab is None:
            raise Unsubscribed("this tab has no subscription here: subscribe again")
        if tab.id != str(call.arguments.get("subscription", "")):
            raise Unsubscribed("a later subscription of this tab has replaced this one: subscribe again")
        tab.renewed = monotonic()
        return tab

    def want(self, call: Call) -> None:
        """A tab wants other topics of a client than before, or none."""
        tab = self.of(call)
        key = str(call.arguments["client"])
        topics = [str(topic) for topic in call.arguments.get("topics") or ()]
        known = tab.subscribers.get(key)
        if not topics:
            # Also of a client that is not listed any more.
            if known is not None:
                del tab.subscribers[key]
                on_loop_of(known[0], known[0].unsubscribe, known[1])
            call.reply({})
            return
        source = self._source(key)
        if known is not None and call.arguments.get("cursor") is None:
            on_loop_of(source, source.retopic, known[1], topics)
        else:
            if known is not None:
                on_loop_of(source, source.unsubscribe, known[1])
            generation = int(call.arguments.get("gen", 0))
            subscriber = Subscriber(lambda data, seq: tab.frame(key, generation, data, seq))
            tab.subscribers[key] = (source, subscriber)
            cursor = call.arguments.get("cursor") or {}
            feed, epoch = str(call.arguments.get("feed", "")), int(call.arguments.get("epoch", -1))
            on_loop_of(source, source.add, subscriber, topics, feed, epoch, cursor)
            self.beats.begin(asyncio.get_running_loop())
        call.reply({})

    def acknowledge(self, call: Call) -> None:
        """A tab has received a frame."""
        known = self.of(call).subscribers.get(str(call.arguments["client"]))
        if known is not None:
            source, subscriber = known
            on_loop_of(source, source.acknowledge, subscriber, int(call.arguments["seq"]))

    def renew(self, call: Call) -> None:
        """A tab is still there; the answer says which schedulers are silent."""
        tab = self.of(call)
        if "sessions" in call.arguments:
            tab.sessions = texts(call.arguments["sessions"])
            self._arrived()
        call.reply({"silent": self.beats.silence(tab.sources)})

    def unsubscribe(self, call: Call) -> None:
        """A tab leaves."""
        try:
            self.of(call)
        except Unsubscribed:
            # A page that changes its connection subscribes over the new one before this arrives over the old one.
            call.reply({})
            return
        self.forget(str(call.arguments.get("tab")))
        call.reply({})

"""Start and stop observing the local schedulers of a kernel."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from ..kernel.options import options
from .compute import Place
from .observe import Observer
from .record import Record
from .resources import Sampler
from .session import LocalSession

if TYPE_CHECKING:
    from ..kernel.channel.channel import Channel

logger = logging.getLogger(__name__)


class Watch:
    """Our callbacks among Dask's, and the session that serves their records.

    Parameters
    ----------
    channel : Channel
        The kernel's channel; it gets the session with the first compute.
    """

    def __init__(self, channel: Channel) -> None:
        self.record = Record()
        self._channel = channel
        self.session = LocalSession(self.record, lambda: channel.loop, self._looked, self._list)
        self._sampler = Sampler(self.record, lambda: self.session.wants("series"))
        self.callbacks = Observer(self.record, self._changed).callbacks
        self._listed: Place | None = None
        self._events = getattr(getattr(channel.kernel, "shell", None), "events", None)
        if self._events is not None:
            self._events.register("pre_run_cell", self._before_cell)
        self.register()

    def register(self) -> None:
        """Add our callbacks to Dask's, unless they are there or an observed compute hides them."""
        from dask.callbacks import Callback

        if not self.record.running and self.callbacks not in Callback.active:
            Callback.active.add(self.callbacks)

    def remove(self) -> None:
        """Undo everything."""
        from dask.callbacks import Callback

        Callback.active.discard(self.callbacks)
        if self._events is not None:
            self._events.unregister("pre_run_cell", self._before_cell)
            self._events = None

    def _before_cell(self, info: Any = None) -> None:
        """Dask loses all global callbacks when computes overlap: ours are restored with the next cell."""
        try:
            self.register()
        except Exception:
            logger.debug("callbacks could not be registered", exc_info=True)

    def _changed(self) -> None:
        compute = self.record.compute
        if compute is not None and compute.place != self._listed:
            self._listed = compute.place
            self._list()
        self._sampler.nudge()
        self._channel.on_loop(self.session.pump)

    def _list(self) -> None:
        self._channel.add(self.session)

    def _looked(self) -> None:
        self._sampler.nudge()


_watch: Watch | None = None


def install(channel: Channel) -> None:
    """Observe the local schedulers of this kernel; a second call changes nothing."""
    global _watch
    chosen = options()
    if _watch is None and chosen.enabled and chosen.local:
        _watch = Watch(channel)


def uninstall() -> None:
    """Stop observing: Dask's callbacks are restored."""
    global _watch
    if _watch is not None:
        _watch.remove()
        _watch = None

"""The Client in a cell, kernel side: our MIME type in addition to Dask's own HTML.

IPython computes what a cell shows from formatters that are registered by type. For a client ours *adds* a
representation; Dask's ``_repr_html_`` and ``repr`` stay as they are, so a page without the extension, nbconvert and a
notebook opened without a kernel show what they always did. A cluster displays itself (``_ipython_display_``, which
comes before all other representations): we let it, and add our type to the message that it publishes. Its widget with
Scale and Adapt, its HTML and its text stay in the output.

Types are registered by name: dask and distributed are not imported here before the user does it. If anything fails
here, Dask's own display remains.
"""

from __future__ import annotations

import logging
import platform
import sys
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from ..options import options
from . import facts as client_facts
from .actions import handle_of

if TYPE_CHECKING:
    from distributed import Client
    from distributed.deploy.cluster import Cluster

logger = logging.getLogger(__name__)

#: What the front end renders; safe: facts as JSON, no code and no markup.
MIME_TYPE = "application/vnd.dask-panes.client+json"
#: Version of the JSON under ``MIME_TYPE``; incremented when older readers would fail.
VERSION = 1

#: Module and name of the formatted classes; this includes subclasses.
_CLIENT = ("distributed.client", "Client")
_CLUSTER = ("distributed.deploy.cluster", "Cluster")

_Printer = Callable[[Any], object]


class Formatter(Protocol):
    """The used part of ``IPython.core.formatters.BaseFormatter``."""

    type_printers: dict[type, _Printer]
    deferred_printers: dict[tuple[str, str], _Printer]


class Formatters(Protocol):
    """The used part of ``IPython.core.formatters.DisplayFormatter``."""

    mimebundle_formatter: Formatter
    ipython_display_formatter: Formatter


class Publisher(Protocol):
    """The used part of ``ipykernel.zmqshell.ZMQDisplayPublisher``."""

    def register_hook(self, hook: Callable[[dict[str, Any]], dict[str, Any] | None]) -> None:
        """Register a function that may change or replace each message of this thread."""

    def unregister_hook(self, hook: Callable[[dict[str, Any]], dict[str, Any] | None]) -> bool:
        """Remove a function."""


class Shell(Protocol):
    """The used part of ``IPython.core.interactiveshell.InteractiveShell``."""

    display_formatter: Formatters
    user_ns: dict[str, object]


def install(shell: Shell) -> None:
    """Add the live view to clients and clusters in the cells of a shell; a second call changes nothing."""
    if _displays.shell is not shell:
        _displays.remove()
        _displays.place(shell)


def uninstall() -> None:
    """Remove the live view: restores Dask's own display."""
    _displays.remove()


def payload(source: client_facts.ClientOrCluster, namespace: Mapping[str, object] | None = None) -> dict[str, object]:
    """The JSON under ``MIME_TYPE``: the facts, with the kernel's wall clock at that time."""
    kind = client_facts.kind(source)
    return {
        "version": VERSION,
        "kind": kind,
        "time": time.time(),
        "versions": _versions(),
        # A cluster may have no client yet: then the card refers to it by this handle.
        **({"handle": handle_of(source)} if kind == "cluster" else {}),
        **client_facts.facts(source, namespace),
    }


class _Addition:
    """Adds our type to the message in which Dask displays a cluster.

    A hook of ipykernel's publisher, which has hooks per thread: the output of other threads is not affected.
    """

    def __init__(self, publisher: Publisher, data: dict[str, object]) -> None:
        self.publisher = publisher
        self._data = data

    def __call__(self, message: dict[str, Any]) -> dict[str, Any]:
        content = message.get("content", {})
        bundle = content.get("data", {})
        # With ipywidgets 7 Dask displays a bare widget: without its HTML, pages could show only ours.
        if message.get("msg_type") == "display_data" and "text/html" in bundle:
            return {**message, "content": {**content, "data": {**bundle, MIME_TYPE: self._data}}}
        return message


class _Displays:
    """Our formatters in one shell, and those that they replaced."""

    def __init__(self) -> None:
        self.shell: Shell | None = None
        self._undo: list[Callable[[], None]] = []

    def place(self, shell: Shell) -> None:
        self.shell = shell
        formatters = shell.display_formatter
        self._undo = [
            _register(formatters.mimebundle_formatter, _CLIENT, self._client_bundle),
            _register(formatters.ipython_display_formatter, _CLUSTER, self._display_cluster),
        ]

    def remove(self) -> None:
        for undo in self._undo:
            undo()
        self._undo = []
        self.shell = None

    def _client_bundle(self, client: Client) -> dict[str, object] | None:
        """Representation added to those that IPython finds itself; ``None`` adds nothing."""
        if not options().enabled:
            return None
        try:
            return {MIME_TYPE: payload(client, self._names())}
        except Exception:
            logger.debug("no live view of a client", exc_info=True)
            return None

    def _display_cluster(self, cluster: Cluster) -> None:
        add = self._addition(cluster)
        if add is None:
            cluster._ipython_display_()
            return
        publisher = add.publisher
        publisher.register_hook(add)
        try:
            cluster._ipython_display_()
        finally:
            publisher.unregister_hook(add)

    def _addition(self, cluster: Cluster) -> _Addition | None:
        """Adds our type to the display of a cluster; ``None`` to leave Dask's display alone."""
        from distributed.deploy.cluster import Cluster as Base

        publisher: Publisher | None = getattr(self.shell, "display_pub", None)
        # Only publishers of kernels have hooks: that of ``%%capture`` has none.
        if publisher is None or not hasattr(publisher, "register_hook") or not options().enabled:
            return None
        if type(cluster)._ipython_display_ is not Base._ipython_display_:
            # A class that displays itself differently has priority.
            return None
        try:
            return _Addition(publisher, payload(cluster, self._names()))
        except Exception:
            logger.debug("no live view of a cluster", exc_info=True)
            return None

    def _names(self) -> Mapping[str, object]:
        return {} if self.shell is None else self.shell.user_ns


_displays = _Displays()


def _register(formatter: Formatter, name: tuple[str, str], printer: _Printer) -> Callable[[], None]:
    """Register a printer for a class that may not be imported yet; the result undoes it.

    IPython keeps printers of such classes by name, and moves one to the types when it first meets an object. A
    printer set later by other code stays when ours is removed.
    """
    typ = getattr(sys.modules.get(name[0]), name[1], None)
    before = formatter.deferred_printers.get(name)
    if typ is None:
        formatter.deferred_printers[name] = printer
    else:
        before = formatter.type_printers.get(typ, before)
        formatter.type_printers[typ] = printer

    def undo() -> None:
        if formatter.deferred_printers.get(name) is printer:
            del formatter.deferred_printers[name]
            if before is not None:
                formatter.deferred_printers[name] = before
        for known in [t for t, p in formatter.type_printers.items() if p is printer]:
            del formatter.type_printers[known]
            if before is not None:
                formatter.type_printers[known] = before

    return undo


def _versions() -> dict[str, str]:
    """Versions of the software that created the facts, for readers of the saved notebook."""
    modules = {name: sys.modules.get(name) for name in ("dask_panes", "distributed")}
    found = {name: str(getattr(module, "__version__", "")) for name, module in modules.items()}
    return {**found, "python": platform.python_version()}

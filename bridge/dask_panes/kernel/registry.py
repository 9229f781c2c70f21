"""What rooms above this one add to a kernel's channel: they register it, so that imports go one way.

The package itself registers (`dask_panes`), so all of it is there before a channel is. A registered function imports
its room when it is called: a kernel loads only what is used.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

#: Called with the `Channel` once the user has imported a module, by the name of that module.
INSTALLERS: dict[str, Callable[[Any], None]] = {}
#: Requests about a client that are answered in the kernel, not by the collector, by name. Called with the `Session`
#: and the arguments on the Client's loop.
ANSWERS: dict[str, Callable[[Any, dict[str, Any]], Coroutine[Any, Any, Any]]] = {}


def install_with(module: str, installer: Callable[[Any], None]) -> None:
    """Call `installer` with the channel once the user has imported `module`."""
    INSTALLERS[module] = installer


def answer(name: str, handler: Callable[[Any, dict[str, Any]], Coroutine[Any, Any, Any]]) -> None:
    """Answer requests of this name with `handler`."""
    ANSWERS[name] = handler

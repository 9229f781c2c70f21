"""Run a callback when a module is imported, without importing it."""

from __future__ import annotations

import importlib.abc
import importlib.util
import logging
import sys
import threading
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

logger = logging.getLogger(__name__)


class _Loader(importlib.abc.Loader):
    """Runs the module's own loader, then the callback."""

    def __init__(self, loader: importlib.abc.Loader, then: Callable[[], None]) -> None:
        self._loader = loader
        self._then = then

    def __getattr__(self, name: str) -> Any:
        # For code that looks for the module without importing it.
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        # Code that asks a module for its loader (importlib.resources) must find the real one.
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        try:
            self._then()
        except Exception:
            logger.debug("callback failed", exc_info=True)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds one module by the other finders and wraps its loader, until it has been imported.

    Libraries look whether a module is installed (`importlib.util.find_spec`) and do not import it, and an import may
    fail or be interrupted.
    """

    def __init__(self, name: str, then: Callable[[], None]) -> None:
        self.name = name
        self._then = then
        self._here = threading.local()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.name or getattr(self._here, "asks", False):
            return None
        self._here.asks = True
        try:
            spec = importlib.util.find_spec(fullname)
        finally:
            self._here.asks = False
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self._imported)
        return spec

    def _imported(self) -> None:
        if self in sys.meta_path:
            sys.meta_path.remove(self)
            self._then()


def when_imported(name: str, then: Callable[[], None]) -> None:
    """Call `then` after a top-level module was imported: now, if it is already imported.

    Parameters
    ----------
    name : str
        Name of the module.
    then : callable
        Called once, in the importing thread; exceptions are logged at debug level, never raised.
    """
    if name in sys.modules:
        then()
    elif not any(isinstance(finder, _Finder) and finder.name == name for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder(name, then))

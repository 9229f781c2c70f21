"""Name and version of this package."""

from __future__ import annotations

from functools import cache


@cache
def version() -> str:
    """Version of the package, same as the extension's: ``"0+unknown"`` for a source tree that was never built."""
    try:
        from ._version import __version__
    except ImportError:
        return "0+unknown"
    return str(__version__)

"""What this package is called and which version of it runs."""

from __future__ import annotations

from functools import cache


@cache
def version() -> str:
    """Version of the package, as the extension's own: ``"0+unknown"`` for a source tree that was never built."""
    try:
        from ._version import __version__
    except ImportError:
        return "0+unknown"
    return str(__version__)

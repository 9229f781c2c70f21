"""Local schedulers (threads, processes, synchronous) as a feed of their own.

Dask's callbacks tell what a ``compute`` without a Client does. They are global to the process, so what is promised is
the outermost compute, one at a time: Dask hides nested computes from callbacks, and of computes that overlap in
several threads only the first one is seen. Where Dask loses callbacks (it does when computes overlap), ours come back
with the next cell.
"""

from __future__ import annotations

from .watch import install, uninstall

__all__ = ["install", "uninstall"]

"""Local schedulers (threads, processes, synchronous) as a separate feed.

Dask's callbacks report the work of a ``compute`` without a Client. They are global to the process, so only the
outermost compute is guaranteed, one at a time: Dask hides nested computes from callbacks, and of computes that
overlap in several threads only the first one is reported. When Dask loses callbacks (which happens when computes
overlap), ours are restored with the next cell.
"""

from __future__ import annotations

from .watch import install, uninstall

__all__ = ["install", "uninstall"]

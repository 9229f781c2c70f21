"""Forgotten tasks of a function that had no result. The other forgotten ones had finished."""

from __future__ import annotations


class Forgotten:
    """The hook's counts for one prefix: forgotten tasks that had erred, and that had never run."""

    __slots__ = ("cancelled", "erred")

    def __init__(self) -> None:
        self.cancelled = 0
        self.erred = 0

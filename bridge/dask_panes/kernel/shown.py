"""The layouts and plots of the extension, so that a misspelt name is an error in the cell."""

from __future__ import annotations

from difflib import get_close_matches

from .known import KNOWN


def require_known(what: str) -> None:
    """Check that a layout or plot exists.

    Raises
    ------
    ValueError
        There is none; the message lists similar names.
    """
    if what in KNOWN:
        return
    near = get_close_matches(str(what), KNOWN, n=3, cutoff=0.5)
    hint = f"Did you mean {' or '.join(map(repr, near))}?" if near else f"There are: {', '.join(KNOWN)}."
    raise ValueError(f"There is no layout or plot {what!r}. {hint}")

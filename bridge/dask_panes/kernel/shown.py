"""The layouts and plots of the extension, so that a misspelt name is an error in the cell."""

from __future__ import annotations

import re
from difflib import get_close_matches

from .known import KNOWN

#: What an id looks like. Saved layouts and plots of other extensions, which the kernel does not know, may have such a
#: name, too.
_ID = re.compile(r"[a-z][a-z-]*")
#: A name that is this similar to an id is a misspelt one.
_MISSPELT = 0.75


def require_known(what: str) -> None:
    """Check that a name is not a misspelt id of a layout or plot. Only the browser knows the others.

    Raises
    ------
    ValueError
        The name is similar to ids, which the message lists.
    """
    name = str(what)
    if name in KNOWN or _ID.fullmatch(name) is None:
        return
    near = get_close_matches(name, KNOWN, n=3, cutoff=_MISSPELT)
    if near:
        raise ValueError(
            f"There is no layout or plot {name!r}. Did you mean {' or '.join(map(repr, near))}? "
            f"A saved layout of this name is shown by layout={name!r}."
        )

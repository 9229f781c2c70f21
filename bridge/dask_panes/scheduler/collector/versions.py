"""Rows by the version at which each last changed, in the order of versions: what a reader lacks is at the end."""

from __future__ import annotations


def touch(versions: dict[int, int], row: int, version: int) -> None:
    """A row has changed; each change has a version of its own."""
    versions.pop(row, None)
    versions[row] = version


def changed(versions: dict[int, int], cursor: int, most: int, version: int) -> tuple[list[int], int]:
    """Rows that changed after a version, those first that changed first.

    Parameters
    ----------
    versions : dict
        Version by row, in the order of versions.
    cursor : int
        Version that the reader has.
    most : int
        Rows at most: an answer with more would block the scheduler.
    version : int
        The newest version.

    Returns
    -------
    (list of int, int)
        The rows, and the version that the reader has after them.
    """
    found: list[int] = []
    for row in reversed(versions):
        if versions[row] <= cursor:
            break
        found.append(row)
    found.reverse()
    if len(found) <= most:
        return found, version
    return found[:most], versions[found[most - 1]]


def renumber(versions: dict[int, int]) -> tuple[dict[int, int], int]:
    """The same rows with versions of their own, for what an older collector has kept; and the newest of them."""
    ordered = sorted(versions, key=versions.__getitem__)
    return {row: i for i, row in enumerate(ordered, 1)}, len(ordered)

"""Rows in order of the version at which each last changed: what a reader lacks is at the end."""

from __future__ import annotations


def touch(versions: dict[int, int], row: int, version: int) -> None:
    """A row has changed; each change gets a new version."""
    versions.pop(row, None)
    versions[row] = version


def changed(versions: dict[int, int], cursor: int, most: int, version: int) -> tuple[list[int], int]:
    """Rows that changed after a version, earliest change first.

    Parameters
    ----------
    versions : dict
        Version by row, in the order of versions.
    cursor : int
        Version of the reader.
    most : int
        Maximum number of rows: a larger answer would block the scheduler.
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
    """The same rows with unique versions, for data of an older collector; and the newest version."""
    ordered = sorted(versions, key=versions.__getitem__)
    return {row: i for i, row in enumerate(ordered, 1)}, len(ordered)

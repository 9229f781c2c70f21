"""The file of a block while it is written.

Guarantees: an existing file stays as it is until the new one is complete; nothing is removed that is not a regular
file of ours; a file that was removed or replaced meanwhile is an error, though the system goes on accepting writes.
"""

from __future__ import annotations

import os
from collections.abc import Hashable
from typing import BinaryIO
from weakref import WeakValueDictionary

from ..blocks import RecordingError
from ..place import Place

#: Files of this process's blocks, by their destination: of two to one place, one would be lost.
_written: WeakValueDictionary[Hashable, Target] = WeakValueDictionary()


class Target:
    """The file that a block is recorded to.

    Parameters
    ----------
    place : Place
        Where the file goes in the end.

    Attributes
    ----------
    file : binary file
        Unbuffered; written next to an existing file, which it replaces in the end.
    whole : bool
        Whether all of it is written.

    Raises
    ------
    FileExistsError
        Another block is being written there.
    OSError
        The file cannot be made.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self.whole = False
        place.refuse()
        there = place.path
        other = _written.get(place.identity)
        if other is not None and not other.file.closed:
            raise FileExistsError(f"Another block is being written to {place}. Give another path.")
        self._path = there if there is not None and not there.is_file() else place.beside()
        try:
            self.file: BinaryIO = self._path.open("wb", buffering=0)
        except OSError as error:
            raise place.refused(error) from error
        if self._path.is_file():
            _written[place.identity] = self

    def abandon(self) -> None:
        """Nothing was recorded: do not leave an empty file."""
        self.file.close()
        # Only regular files: the destination may be a pipe.
        if self._path.is_file():
            self._path.unlink()

    def check(self) -> None:
        """Raise if the file is gone.

        Raises
        ------
        RecordingError
            A deleted file still accepts writes, but is gone.
        """
        try:
            there = os.path.samestat(self._path.stat(), os.fstat(self.file.fileno()))
        except FileNotFoundError:
            there = False
        if not there:
            raise RecordingError("the file was removed or replaced while it was written.")

    def put(self) -> None:
        """Move the complete file to its destination."""
        self.whole = True
        if self._path != self._place.path:
            self._place.take(self._path)

    def left(self) -> str:
        """Where what was written is, as a sentence after another one; empty if it is at its destination, or gone."""
        elsewhere = self._path != self._place.path and self._path.exists()
        what = "It" if self.whole else "The part that was written"
        return f" {what} is in {self._path}." if elsewhere else ""

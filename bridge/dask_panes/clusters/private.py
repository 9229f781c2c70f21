"""Files with credentials: nobody but their owner may read or have written them."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def read(path: Path) -> str:
    """The text of a file.

    Raises
    ------
    FileNotFoundError
        There is none.
    PermissionError
        It is not only its owner's, or it is a link.
    """
    # Do not follow links: one could lead to a file written by another user.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        # Without blocking: reading a pipe of that name would never end.
        descriptor = os.open(path, flags)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK):
            raise PermissionError(f"{path} is a link: its credentials are not used. Remove it") from error
        raise
    with os.fdopen(descriptor, encoding="utf-8") as file:
        check(path, os.fstat(file.fileno()))
        return file.read()


def check(path: Path, status: os.stat_result) -> None:
    """Make sure that a file is its owner's alone.

    Raises
    ------
    PermissionError
        It is not.
    """
    if not stat.S_ISREG(status.st_mode):
        raise PermissionError(f"{path} is not a file")
    if os.name != "posix":
        # The runtime directory is private there; file modes are meaningless.
        return
    if status.st_uid != os.getuid():
        raise PermissionError(f"{path} belongs to another user: its credentials are not used")
    mode = stat.S_IMODE(status.st_mode)
    if mode & 0o077:
        raise PermissionError(
            f"{path} can be read by others (mode {mode:04o}): its credentials may be known to them and are not used. "
            "Shut the cluster down and start it again"
        )


def give_name(draft: Path, path: Path) -> None:
    """Give a file its name. Exclusive: of two clusters that use a name at the same moment, one is refused."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:
        # This file system has no links.
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
        draft.rename(path)

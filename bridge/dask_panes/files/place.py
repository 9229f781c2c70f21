"""Place of a file: a path of this machine, or a URL supported by fsspec (``memory://``, ``s3://`` …)."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any, BinaryIO
from uuid import uuid4

from ..scheduler.collector.plain import text

#: Bytes of the name of an unfinished file that are of the name of the finished one: a name has 255 at most, and less on
#: encrypted disks.
NAME = 100


class Place:
    """The destination of a recording or report.

    Parameters
    ----------
    given : str or path
        A path, or a URL of fsspec.
    what : str
        Kind of file, for error messages: ``recording`` …
    storage_options : mapping, optional
        For fsspec: credentials and the like.

    Attributes
    ----------
    path : pathlib.Path or None
        The path on this machine; None if the file goes elsewhere.
    name : str
        Name of the file.

    Raises
    ------
    ValueError, ImportError, OSError
        fsspec does not support the destination, or lacks a package for it; or no file can have this name.
    """

    def __init__(
        self, given: str | os.PathLike[str], what: str, storage_options: Mapping[str, Any] | None = None
    ) -> None:
        self._what = what
        self._given = os.fspath(given)
        self.path: Path | None = None
        self._system: Any = None
        self._there = ""
        if "://" in self._given:
            self._find(dict(storage_options or {}))
        elif storage_options:
            raise ValueError(f"storage_options are for places like s3://bucket/name; {self._given} is a path.")
        else:
            # Unlike the method of Path it leaves a name such as ~old.dask-run as it is.
            self.path = Path(os.path.expanduser(self._given)).absolute()  # noqa: PTH111
            try:
                os.lstat(self.path)
            except OSError:
                # `refuse` says what it is; or the file is new.
                pass
            except ValueError as error:
                # No system takes such a name: it has a null character, or one that cannot be encoded.
                raise self.refused(OSError(errno.EINVAL, str(error))) from None
        self.name = self.path.name if self.path is not None else self._there.rpartition("/")[2]

    def _find(self, options: dict[str, Any]) -> None:
        from fsspec.core import url_to_fs
        from fsspec.implementations.local import LocalFileSystem

        try:
            system, there = url_to_fs(self._given, **options)
        except (ValueError, ImportError) as error:
            raise type(error)(f"The {self._what} cannot be written to {self._given}: {error}") from error
        if isinstance(system, LocalFileSystem):
            self.path = Path(there)
        else:
            self._system, self._there = system, there

    def __str__(self) -> str:
        return self._given if self.path is None else str(self.path)

    @property
    def identity(self) -> Hashable:
        """Equal where two destinations are one file."""
        return (self._system, self._there) if self.path is None else os.path.realpath(self.path)

    def refuse(self) -> None:
        """Raise before the block runs for errors that would otherwise occur after it.

        Raises
        ------
        FileNotFoundError, IsADirectoryError, PermissionError, OSError
            With a message for users.
        """
        path = self.path
        if path is None:
            return
        try:
            os.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            # It is new, or its folder is missing.
            pass
        except OSError as error:
            # Too long, for example.
            raise self.refused(error) from None
        folder = path.parent
        if not folder.is_dir():
            raise FileNotFoundError(
                f"The {self._what} cannot be written: there is no folder {folder}. Create it, or give another path."
            )
        if path.is_dir():
            raise IsADirectoryError(f"The {self._what} cannot be written: {path} is a folder. Give the name of a file.")
        # A device is written to where it is; a file is replaced, which its folder has to permit.
        replaced = not self._is_special()
        if (replaced and not os.access(folder, os.W_OK)) or (path.exists() and not os.access(path, os.W_OK)):
            raise PermissionError(
                f"The {self._what} cannot be written to {path}: you may not write there. Give another path."
            )

    def refused(self, error: OSError) -> OSError:
        """A system error that names the destination, and not a temporary file next to it."""
        reason = error.strerror or str(error)
        # A name may have lone surrogates, which no message can be sent with.
        return type(error)(
            f"The {self._what} cannot be written to {text(str(self))}: {text(reason)}. Give another path."
        )

    def beside(self, ending: str = "") -> Path:
        """A unique hidden path for an unfinished file: in the same folder, or in that for temporary files.

        A crash leaves the file there.
        """
        # Systems limit the bytes of a name, and this one is longer than that of the file.
        given = self.name.encode(errors="ignore")[:NAME].decode(errors="ignore")
        name = f".{given}.{uuid4().hex[:8]}{ending}.part"
        # A link stays one: its file may be on another disk. Folders of devices are none for files.
        if self.path is None or self._is_special():
            return Path(tempfile.gettempdir()) / name
        return self.path.resolve().with_name(name)

    def _is_special(self) -> bool:
        """Whether the path is that of a device, a pipe or the like."""
        try:
            return self.path is not None and not stat.S_ISREG(self.path.stat().st_mode)
        except OSError:
            # It is new, or `refuse` says what it is.
            return False

    def take(self, finished: Path) -> None:
        """Move a finished file to the destination, atomically replacing an existing one.

        The permissions of that stay. A destination that is no regular file, as a pipe, is written to.

        Raises
        ------
        Exception
            The destination cannot be written (errors of fsspec's file systems); the finished file stays.
        """
        if self.path is None:
            self._system.put_file(str(finished), self._there)
            finished.unlink()
        elif self._is_special():
            with finished.open("rb") as source, self.path.open("wb") as target:
                shutil.copyfileobj(source, target)
            finished.unlink()
        else:
            # Not all file systems have permissions, and the file may be another user's.
            with contextlib.suppress(OSError):
                shutil.copymode(self.path, finished)
            finished.replace(self.path.resolve())


def opened(path: str | Path, storage_options: Mapping[str, Any] | None = None) -> BinaryIO:
    """A recording for reading, at a path or a URL of fsspec.

    Raises
    ------
    OSError, ValueError, ImportError
        There is none, fsspec does not support the URL, or there are `storage_options` for a path.
    """
    try:
        if isinstance(path, str) and "://" in path:
            return _opened_elsewhere(path, dict(storage_options or {}))
        if storage_options:
            raise ValueError(f"storage_options are for places like s3://bucket/name; {path} is a path.")
        # As where it is written.
        return Path(os.path.expanduser(path)).open("rb")  # noqa: PTH111
    except FileNotFoundError:
        raise FileNotFoundError(f"There is no recording {path}: the file does not exist. Is the path right?") from None


def _opened_elsewhere(url: str, options: dict[str, Any]) -> BinaryIO:
    from fsspec.core import url_to_fs

    try:
        system, there = url_to_fs(url, **options)
    except (ValueError, ImportError) as error:
        raise type(error)(f"The recording cannot be read from {url}: {error}") from error
    file: BinaryIO = system.open(there, "rb")
    return file

"""The connection file of a hosted cluster: name, address and credentials, readable only by its owner.

One file for each cluster in Jupyter's runtime directory, mode 0600. Its content is never sent to a notebook or a
browser.
"""

from __future__ import annotations

import json
import os
import socket
from dataclasses import asdict, dataclass, field, replace
from math import ceil
from pathlib import Path
from time import localtime, strftime, time
from typing import Any
from uuid import uuid4

from . import owner, private
from .options import checked_name

_PREFIX, _SUFFIX = "dask-panes-cluster-", ".json"
_VERSION = 3
#: Seconds between two calls of `renew`.
RENEWAL = 60.0
#: Seconds after which the kernel of a file that nobody has renewed is probably gone.
_SILENT = 300.0
#: Prefixes of addresses that can be reached from the same machine only.
_LOOPBACK = ("127.", "localhost", "[::1]")


@dataclass(frozen=True)
class Connection:
    """How to reach one hosted cluster.

    Parameters
    ----------
    name : str
        Of the cluster.
    address : str
        Of the scheduler, on the loopback interface of `host`.
    certificate, key : str
        Credentials of a client, as PEM texts or paths; ``""`` where the class uses none. Those of a `LocalCluster` are
        temporary.
    authority : str
        Of the certificate of the scheduler.
    host : str
        Name of the machine on which the kernel runs; a home directory may be shared by several.
    pid : int
        Of the kernel.
    space, birth : str
        Where that id counts, and when the process started (`owner`): process ids are reused.
    dashboard : bool
        Whether the scheduler serves Dask's own dashboard; it names a port in any case.
    module : str
        Of the class: importing it makes protocols of its own known.
    """

    name: str
    address: str
    certificate: str = field(repr=False)
    key: str = field(repr=False)
    host: str = ""
    pid: int = 0
    space: str = ""
    birth: str = ""
    dashboard: bool = False
    authority: str = ""
    module: str = ""

    @property
    def elsewhere(self) -> bool:
        """Whether the cluster is on another machine, which its address does not reach."""
        return self.remote and any(f"://{name}" in self.address for name in _LOOPBACK)

    @property
    def remote(self) -> bool:
        """Whether its kernel is on another machine."""
        return self.host != socket.gethostname()

    @property
    def ended(self) -> bool:
        """Whether the kernel of the cluster is gone."""
        if self.remote:
            return False
        if self.unseen:
            return self.silent
        return owner.gone(self.pid, self.birth)

    @property
    def unseen(self) -> bool:
        """Whether this machine was started again since, or has several containers, which do not see each other."""
        return not self.remote and self.space != owner.space()

    @property
    def silent(self) -> bool:
        """Whether its kernel has not renewed the file for so long that it is probably gone."""
        return time() - _renewed(self) > _SILENT


def of_this_process(name: str, address: str, certificate: str, key: str, dashboard: bool = False) -> Connection:
    """The connection to a cluster of this process."""
    return Connection(
        name=name,
        address=address,
        certificate=certificate,
        key=key,
        host=socket.gethostname(),
        pid=os.getpid(),
        space=owner.space(),
        birth=owner.birth(os.getpid()) or "",
        dashboard=dashboard,
        # That of a `LocalCluster` is signed by itself.
        authority=certificate,
    )


def of_cluster(name: str, cluster: Any, dashboard: bool) -> Connection:
    """The connection to a cluster of any class that this process has made."""
    security: Any = getattr(cluster, "security", None)
    keys: dict[str, Any] = {}
    if callable(getattr(security, "get_tls_config_for_role", None)):
        keys = security.get_tls_config_for_role("client")
    # dask-gateway has credentials of its own form: one certificate for both sides.
    certificate = keys.get("cert") or getattr(security, "tls_cert", None) or ""
    key = keys.get("key") or getattr(security, "tls_key", None) or ""
    made = of_this_process(name, cluster.scheduler_address, str(certificate), str(key), dashboard)
    return replace(made, authority=str(keys.get("ca_file") or certificate), module=type(cluster).__module__)


def path_of(name: str) -> Path:
    """Path of a cluster's file.

    Raises
    ------
    ValueError
        The name is invalid.
    """
    return _folder() / f"{_PREFIX}{checked_name(name)}{_SUFFIX}"


def publish(connection: Connection) -> None:
    """Write the file of a cluster, readable by its owner only.

    Raises
    ------
    FileExistsError
        Another cluster of this name is running.
    PermissionError
        The file system cannot prevent others from reading it; no file is left.
    """
    refuse_taken(connection.name)
    path = path_of(connection.name)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    # Under a name of its own until it is whole: nobody reads a part of it, and a crash does not take the name.
    draft = path.with_name(f".{path.name}.{os.getpid()}-{uuid4().hex}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            private.check(path, os.fstat(file.fileno()))
            json.dump({"version": _VERSION, **asdict(connection)}, file)
        private.give_name(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def refuse_taken(name: str) -> None:
    """Make sure that no running cluster has a name; the file of one that has ended is removed.

    Raises
    ------
    FileExistsError
        With a message for users.
    """
    if not path_of(name).exists():
        return
    try:
        found = read(name)
    except (OSError, ValueError) as error:
        raise FileExistsError(
            f"A file for a cluster {name!r} already exists and cannot be used: {error}. Choose another name, or remove "
            "the file if that cluster has ended"
        ) from error
    if found.ended:
        withdraw(found)
    elif hint := doubt(found):
        raise FileExistsError(f"A cluster {name!r} may still run{_where(found)}. {hint}, or choose another name")
    else:
        raise FileExistsError(f"A cluster {name!r} is running already{_where(found)}: choose another name")


def read(name: str) -> Connection:
    """Read the file of a cluster.

    Raises
    ------
    FileNotFoundError
        There is none.
    PermissionError
        Another user owns the file, or others may read it: its credentials cannot be trusted.
    ValueError
        It is damaged.
    """
    path = path_of(name)
    return _parse(private.read(path), path)


def renew(connection: Connection) -> None:
    """Show that a cluster still runs: other machines cannot see its process. A file that was removed is written again.

    Raises
    ------
    OSError, ValueError
        As `read` and `publish`.
    """
    try:
        if read(connection.name) == connection:
            os.utime(path_of(connection.name))
    except FileNotFoundError:
        publish(connection)


def doubt(connection: Connection) -> str:
    """What to do about a cluster of which only its file says whether it runs; a clause for users, or ``""``."""
    renewed = _renewed(connection)
    when = strftime("%Y-%m-%d %H:%M", localtime(renewed))
    if connection.remote and connection.silent:
        return f"It has not renewed its file since {when}: if it has ended, remove {path_of(connection.name)}"
    if connection.unseen:
        minutes = max(1, ceil((renewed + _SILENT - time()) / 60))
        return f"Its file was renewed at {when}, by another container or before a restart: try again in {minutes} min"
    return ""


def withdraw(connection: Connection) -> None:
    """Remove the file of a cluster, unless another one has used the name since."""
    try:
        if read(connection.name) == connection:
            path_of(connection.name).unlink(missing_ok=True)
    except (OSError, ValueError):
        # Already removed, or no longer ours.
        return


def names() -> list[str]:
    """Names of the available clusters; files of those that have ended are removed."""
    found = []
    for path in sorted(_folder().glob(f"{_PREFIX}*{_SUFFIX}")):
        name = path.name[len(_PREFIX) : -len(_SUFFIX)]
        try:
            connection = read(name)
        except (OSError, ValueError):
            # `connect` reports what is wrong with it.
            continue
        if connection.ended:
            withdraw(connection)
        elif not (connection.remote and connection.silent):
            found.append(name)
    return found


def _folder() -> Path:
    from jupyter_core.paths import jupyter_runtime_dir

    return Path(jupyter_runtime_dir())


def _renewed(connection: Connection) -> float:
    """When the kernel of a cluster last renewed its file, seconds since the epoch."""
    try:
        return path_of(connection.name).stat().st_mtime
    except FileNotFoundError:
        # Removed at this moment, by the kernel that ended it.
        return time()


def _where(connection: Connection) -> str:
    return f" on {connection.host}" if connection.remote else ""


def _parse(text: str, path: Path) -> Connection:
    try:
        data: Any = json.loads(text)
    except ValueError as error:
        raise ValueError(f"{path} is damaged: {error}") from error
    if not isinstance(data, dict) or data.pop("version", None) != _VERSION:
        raise ValueError(f"{path} was written by another version of dask_panes")
    types: dict[str, type] = {"pid": int, "dashboard": bool}
    fields = Connection.__dataclass_fields__
    if set(data) != set(fields) or not all(isinstance(data[n], types.get(n, str)) for n in fields):
        raise ValueError(f"{path} is damaged: it lacks what a connection needs")
    return Connection(**data)

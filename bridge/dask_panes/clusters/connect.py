"""Connects a notebook to a hosted cluster by name."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .connection import Connection, doubt, names, path_of, read, withdraw

if TYPE_CHECKING:
    from distributed import Client


def connect(name: str, *, asynchronous: bool = False, **options: Any) -> Client:
    """Connect to a cluster that was started with "New cluster".

    Parameters
    ----------
    name : str
        Of the cluster.
    asynchronous : bool
        Give a client to be awaited, or used in ``async with``.
    **options
        Further arguments of ``distributed.Client``.

    Returns
    -------
    distributed.Client
        Connected, over TLS where the cluster uses it. A `LocalCluster` always does.

    Raises
    ------
    ValueError
        Where this cannot be the name of a cluster, or the file of the cluster is damaged.
    LookupError
        Where there is no cluster of this name; the sentence lists those that there are.
    ConnectionError
        Where the cluster has ended, is on another machine or does not answer.
    PermissionError
        Where others can read or wrote the credentials of the cluster.

    Examples
    --------
    >>> client = dask_panes.connect("cluster")  # doctest: +SKIP
    >>> client = await dask_panes.connect("cluster", asynchronous=True)  # doctest: +SKIP
    """
    connection = _find(name)
    from distributed import Client
    from distributed.security import Security

    from ..kernel.cell.facts import WITHOUT_DASHBOARD

    _know_protocol(connection)
    if connection.key:
        options["security"] = Security(
            require_encryption=True,
            tls_ca_file=connection.authority,
            tls_client_cert=connection.certificate,
            tls_client_key=connection.key,
        )
    # Before the client is created: it is shown from then on.
    mark = WITHOUT_DASHBOARD.discard if connection.dashboard else WITHOUT_DASHBOARD.add
    mark(connection.address)
    try:
        return Client(connection.address, asynchronous=asynchronous, **options)
    except OSError as error:
        if connection.ended:
            withdraw(connection)
            raise _ended(name) from error
        hint = doubt(connection)
        raise ConnectionError(f"The cluster {name!r} does not answer: {error}{hint and f'. {hint}'}") from error


def _know_protocol(connection: Connection) -> None:
    """Import the class of a cluster where its protocol is not one of Dask's, such as that of dask-gateway."""
    from distributed.comm.registry import backends

    scheme = connection.address.partition("://")[0]
    if scheme not in backends and connection.module:
        try:
            importlib.import_module(connection.module)
        except ImportError as error:
            raise ConnectionError(
                f"The cluster {connection.name!r} uses {scheme}://, which this kernel does not know: {error}"
            ) from error


def _find(name: str) -> Connection:
    path_of(name)
    try:
        connection = read(name)
    except FileNotFoundError:
        raise LookupError(f"There is no cluster {name!r}. {_others(name)}") from None
    if connection.elsewhere and connection.silent:
        raise ConnectionError(
            f"The cluster {name!r} was started on {connection.host}. {doubt(connection)}. {_others(name)}"
        )
    if connection.elsewhere:
        raise ConnectionError(
            f"The cluster {name!r} runs on {connection.host} and can be reached from kernels of that machine only"
        )
    if connection.ended:
        withdraw(connection)
        raise _ended(name)
    return connection


def _ended(name: str) -> ConnectionError:
    return ConnectionError(f"The cluster {name!r} has ended: its kernel is gone. {_others(name)}")


def _others(name: str) -> str:
    others = [other for other in names() if other != name]
    if others:
        return f"Running: {', '.join(map(repr, others))}"
    return "None is running: start one with “New cluster” in the Dask sidebar"

"""Dask Panes: see what a Dask cluster is doing, as native JupyterLab panes.

No call is required: with the extension installed, every ``distributed.Client`` of a kernel is detected. This module
is for explicit control.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._about import version as _version
from .clusters.connect import connect
from .kernel.registry import answer as _answer
from .kernel.registry import install_with as _install_with

if TYPE_CHECKING:
    from distributed import Client

    from .files.data import open_recording, series, tasks, transfers, workers
    from .files.record import record
    from .files.report import report
    from .kernel.cell.widget import ClientWidget
    from .kernel.channel.channel import Channel
    from .kernel.session.session import Session
    from .local.profilers import visualize

__all__ = [
    "ClientWidget",
    "attach",
    "connect",
    "open_recording",
    "record",
    "report",
    "series",
    "show",
    "tasks",
    "transfers",
    "visualize",
    "workers",
]

__version__ = _version()


def show(what: str = "status", client: Client | None = None, *, layout: str | None = None) -> None:
    """Show a layout or a plot in the browser tab whose cell runs this.

    Parameters
    ----------
    what : str
        Name of a layout (``"status"``, ``"memory"`` …, or one that was saved in JupyterLab), or id of a plot
        (``"task-stream"``, ``"progress"`` …).
    client : distributed.Client, optional
        The client to show; without it, the panes follow this notebook's newest client.
    layout : str, optional
        Name of a saved layout that is similar to the id of a plot, instead of `what`.

    Notes
    -----
    Only the browser tab knows the names of saved layouts and of other extensions' plots: it says if a name does not
    exist, and lists similar ones.

    Raises
    ------
    ValueError
        `what` is similar to the ids of plots or layouts, but is not one of them; the message lists these.
    RuntimeError
        Outside a Jupyter kernel.

    Examples
    --------
    >>> dask_panes.show()  # doctest: +SKIP
    >>> dask_panes.show("task-stream", client)  # doctest: +SKIP
    >>> dask_panes.show("My panes")  # doctest: +SKIP
    """
    from .kernel.activate import channel
    from .kernel.cell.facts import key_of
    from .kernel.shown import require_known

    if layout is None:
        require_known(what)
    found = channel()
    if found is None:
        raise RuntimeError("dask_panes.show() works in a Jupyter kernel with a control channel (ipykernel 6 or later).")
    found.show(str(layout or what), key_of(client) if client is not None else "")


def attach(client: Client) -> None:
    """Show a client in the panes, where Dask's configuration says ``dask-panes.attach: false``.

    Parameters
    ----------
    client : distributed.Client
        A running client. One that is shown already stays as it is.

    Raises
    ------
    RuntimeError
        Outside a Jupyter kernel, with ``dask-panes.enabled: false``, or for a client that is not connected.

    Examples
    --------
    >>> with dask.config.set({"dask-panes.attach": False}):  # doctest: +SKIP
    ...     client = Client()
    ...     dask_panes.attach(client)
    """
    import asyncio

    from .kernel.activate import attach as give_session
    from .kernel.activate import channel
    from .kernel.options import options

    if channel() is None:
        raise RuntimeError(
            "dask_panes.attach() works in a Jupyter kernel with a control channel (ipykernel 6 or later)."
        )
    if not options().enabled:
        raise RuntimeError("Dask's configuration has dask-panes.enabled: false. Set it to true to show clients.")
    if client.status != "running":
        ended = client.status in ("closed", "closing")
        raise RuntimeError(
            "This client is closed: create a new one."
            if ended
            else "This client is not connected yet: wait for it first."
        )
    asyncio.run_coroutine_threadsafe(give_session(client, asked=True), client.loop.asyncio_loop)


#: Modules of names that are imported on first access: they need ipywidgets, distributed or pandas.
_LATER = {
    "ClientWidget": "kernel.cell.widget",
    "open_recording": "files.data",
    "record": "files.record",
    "report": "files.report",
    "series": "files.data",
    "tasks": "files.data",
    "transfers": "files.data",
    "visualize": "local.profilers",
    "workers": "files.data",
}


def _observe_local(channel: Channel) -> None:
    from .local import install

    install(channel)


async def _save(session: Session, args: dict[str, Any]) -> Any:
    from .files.saving import save

    return await save(session, args)


async def _saved(session: Session, args: dict[str, Any]) -> Any:
    from .files.saving import saved

    return await saved(session, args)


_install_with("dask", _observe_local)
_answer("save", _save)
_answer("saved", _saved)


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from importlib import import_module

        return getattr(import_module(f".{_LATER[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__"})

"""Dask Panes: see what a Dask cluster is doing, as native JupyterLab panes.

Nothing has to be called: with the extension installed, every ``distributed.Client`` of a kernel is seen. What is
here is for people who want to say more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._about import version as _version

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["ClientWidget", "show"]

__version__ = _version()


def show(what: str = "status", client: Client | None = None) -> None:
    """Show a layout or a plot in the browser tabs in which this notebook is open.

    Parameters
    ----------
    what : str
        ``"status"`` for the layout, or the id of a plot (``"task-stream"``, ``"progress"`` …).
    client : distributed.Client, optional
        The client to show; without it, the panes follow this notebook's newest client.

    Raises
    ------
    RuntimeError
        Outside a Jupyter kernel.
    """
    from .kernel.activate import channel

    found = channel()
    if found is None:
        raise RuntimeError("dask_panes.show() works in a Jupyter kernel with a control channel (ipykernel 6 or later).")
    found.show(what, client.id if client is not None else "")


def __getattr__(name: str) -> Any:
    # ipywidgets is imported only when the widget is asked for.
    if name == "ClientWidget":
        from .kernel.widget import ClientWidget

        return ClientWidget
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

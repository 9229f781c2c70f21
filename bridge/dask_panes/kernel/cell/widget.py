"""``ClientWidget``: the Client in a cell as an ipywidget, for layouts.

A displayed ``client`` needs no widget (see ``display.py``). This one is for ``ipywidgets`` layouts: an output widget,
which every front end of ipywidgets has, with what a displayed client has. Each front end shows the best that it knows:
the live view with the JupyterLab extension of this package, else Dask's HTML. Live data arrives through the kernel's
control channel, so no comm message is sent while it is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import ipywidgets

from . import display

if TYPE_CHECKING:
    from .facts import ClientOrCluster


class ClientWidget(ipywidgets.Output):
    """View of a client or a cluster for layouts of ipywidgets.

    It is live in JupyterLab and Notebook 7 with the extension; other front ends (VS Code, Colab, Voila, nbconvert)
    show Dask's HTML, also within a layout.

    Parameters
    ----------
    source
        A ``distributed.Client`` or a cluster. Its facts are read once; no reference is kept.
    **traits
        Traits of ``ipywidgets.DOMWidget``, such as ``layout``.

    Examples
    --------
    >>> ipywidgets.HBox([ClientWidget(client), other])  # doctest: +SKIP
    """

    def __init__(self, source: ClientOrCluster, **traits: object) -> None:
        self._bundle = {
            "text/plain": repr(source),
            "text/html": source._repr_html_(),
            display.MIME_TYPE: display.payload(source),
        }
        # Before the widget opens its comm: the first message to the front end is the whole state.
        shown = {"output_type": "display_data", "data": self._bundle, "metadata": {}}
        super().__init__(outputs=(shown,), **traits)

    def _repr_mimebundle_(self, **_: object) -> dict[str, object]:
        """The bundle of a displayed client: front ends without ipywidgets show it, too."""
        return dict(self._bundle)

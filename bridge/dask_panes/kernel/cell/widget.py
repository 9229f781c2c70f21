"""``ClientWidget``: the Client in a cell as an ipywidget, for layouts in JupyterLab and Notebook 7.

A displayed ``client`` needs no widget (see ``display.py``). This one is for ``ipywidgets`` layouts. Its traits
contain the static facts; live data arrives through the kernel's control channel, so no comm message is sent while it
is shown. Only the JupyterLab extension of this package draws it: displayed alone, it shows Dask's HTML in all other
front ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import ipywidgets
import traitlets

from . import display

if TYPE_CHECKING:
    from .facts import ClientOrCluster

#: Name under which the front end registers its side (``src/client-view/widget.ts``). Other front ends load a module of
#: this name from a public server of npm packages: npm refuses names that begin with an underscore, so nobody can put
#: one there.
MODULE = "_dask-panes"
#: Version of the traits, not of the package: the kernel's environment may have another release than the server's, and
#: they are compatible as long as the traits are.
MODULE_VERSION = "0.1.0"


class ClientWidget(ipywidgets.DOMWidget):
    """Live view of a client or a cluster, for layouts in JupyterLab and Notebook 7 with the extension.

    Displayed alone it shows Dask's HTML in other front ends (VS Code, Colab, nbconvert); within a layout of other
    widgets these cannot draw it.

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

    _model_name = traitlets.Unicode("ClientModel").tag(sync=True)
    _model_module = traitlets.Unicode(MODULE).tag(sync=True)
    _model_module_version = traitlets.Unicode(f"^{MODULE_VERSION}").tag(sync=True)
    _view_name = traitlets.Unicode("ClientView").tag(sync=True)
    _view_module = traitlets.Unicode(MODULE).tag(sync=True)
    _view_module_version = traitlets.Unicode(f"^{MODULE_VERSION}").tag(sync=True)

    #: The static facts, as in the MIME type of a displayed client.
    facts = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(self, source: ClientOrCluster, **traits: object) -> None:
        # Before the widget opens its comm: the first message to the front end is the whole state.
        self.set_trait("facts", display.payload(source))
        self._text, self._html = repr(source), source._repr_html_()
        super().__init__(**traits)

    def _repr_mimebundle_(self, **_: object) -> dict[str, object]:
        """The bundle of a displayed client: front ends without the extension do not search for our widget."""
        return {"text/plain": self._text, "text/html": self._html, display.MIME_TYPE: dict(self.facts)}

"""The Client in a cell as an ipywidget."""

from __future__ import annotations

import gc
import time
import weakref
from collections.abc import Iterator

import comm
import ipywidgets
import pytest
from comm.base_comm import BaseComm, CommManager
from distributed import Client, LocalCluster
from ipywidgets.embed import embed_data

from dask_panes.kernel.cell.display import MIME_TYPE
from dask_panes.kernel.cell.widget import ClientWidget


class RecordingComm(BaseComm):
    """A comm whose front end is a list."""

    messages: list[tuple[str, dict]]

    def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **keys) -> None:
        if not hasattr(self, "messages"):
            self.messages = []
        self.messages.append((msg_type, data or {}))


@pytest.fixture(autouse=True)
def comms(monkeypatch: pytest.MonkeyPatch) -> CommManager:
    manager = CommManager()
    monkeypatch.setattr(comm, "create_comm", RecordingComm)
    monkeypatch.setattr(comm, "get_comm_manager", lambda: manager)
    return manager


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=1, processes=False, dashboard_address=":0") as cluster:
        yield cluster


def test_the_first_message_has_the_facts(cluster: LocalCluster) -> None:
    with Client(cluster) as client:
        widget = ClientWidget(client)
        ((kind, data),) = widget.comm.messages
        assert kind == "comm_open"
        (output,) = data["state"]["outputs"]
        facts = output["data"][MIME_TYPE]
        assert (facts["key"], facts["kind"], facts["dashboard"]) == (client.id, "client", client.dashboard_link)
        widget.close()


def test_in_a_layout_every_front_end_of_ipywidgets_can_draw_it(cluster: LocalCluster) -> None:
    with Client(cluster) as client:
        widget = ClientWidget(client)
        box = ipywidgets.HBox([widget, ipywidgets.Label("beside")])
        # The page that nbconvert and embed_minimal_html make has the states of all widgets in it.
        states = embed_data([box], drop_defaults=False)["manager_state"]["state"]
        modules = {state["model_module"] for state in states.values()}
        assert modules <= {"@jupyter-widgets/base", "@jupyter-widgets/controls", "@jupyter-widgets/output"}
        (output,) = states[widget.model_id]["state"]["outputs"]
        assert client.dashboard_link in output["data"]["text/html"]
        box.close()
        widget.close()


def test_it_goes_into_a_layout(cluster: LocalCluster) -> None:
    widget = ClientWidget(cluster, layout={"width": "300px"})
    box = ipywidgets.HBox([widget])
    assert box.children == (widget,)
    assert widget.layout.width == "300px"
    box.close()
    widget.close()


def gone(remains: weakref.ref) -> None:
    """Wait until an object is gone: what a client's event loop still does when it closes may refer to it."""
    end = time.monotonic() + 180
    gc.collect()
    while remains() is not None:
        assert time.monotonic() < end, gc.get_referrers(remains())
        time.sleep(0.05)
        gc.collect()


def test_a_closed_widget_leaves_nothing(cluster: LocalCluster, comms: CommManager) -> None:
    client = Client(cluster)
    widget = ClientWidget(client)
    widget.close()
    widget.layout.close()
    assert comms.comms == {}
    remains = weakref.ref(widget)
    client.close()
    del widget
    gone(remains)


def test_an_open_widget_does_not_keep_its_client_alive(cluster: LocalCluster) -> None:
    client = Client(cluster, set_as_default=False)
    widget = ClientWidget(client)
    client.close()
    remains = weakref.ref(client)
    del client
    gone(remains)
    widget.close()


def test_displayed_by_itself_it_is_dasks_html_for_other_front_ends(cluster: LocalCluster) -> None:
    with Client(cluster) as client:
        widget = ClientWidget(client)
        bundle = widget._repr_mimebundle_()
        assert set(bundle) == {"text/plain", "text/html", MIME_TYPE}
        assert client.dashboard_link in str(bundle["text/html"])
        assert bundle == widget.outputs[0]["data"]
        widget.close()

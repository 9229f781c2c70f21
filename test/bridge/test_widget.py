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
        state = data["state"]
        assert state["facts"]["key"] == client.id
        assert state["facts"]["kind"] == "client"
        assert state["facts"]["dashboard"] == client.dashboard_link
        widget.close()


def test_the_front_end_knows_what_draws_it(cluster: LocalCluster) -> None:
    widget = ClientWidget(cluster)
    state = widget.get_state()
    # npm takes no package whose name begins so: front ends without the extension look for one there.
    assert (state["_model_module"], state["_model_name"]) == ("_dask-panes", "ClientModel")
    assert (state["_view_module"], state["_view_name"]) == ("_dask-panes", "ClientView")
    assert state["_model_module_version"] == state["_view_module_version"] == "^0.1.0"
    assert state["facts"]["kind"] == "cluster"
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
        assert set(bundle) == {"text/plain", "text/html", "application/vnd.dask-panes.client+json"}
        assert client.dashboard_link in str(bundle["text/html"])
        assert bundle["application/vnd.dask-panes.client+json"] == widget.facts
        widget.close()

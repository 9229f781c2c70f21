"""What a cell shows for a client or a cluster, as IPython computes it."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from typing import Any, ClassVar

import dask
import pytest
from distributed import Client, LocalCluster
from ipykernel.zmqshell import ZMQDisplayPublisher
from IPython.core.formatters import DisplayFormatter
from IPython.core.interactiveshell import InteractiveShell
from jupyter_client.session import Session

from dask_panes.kernel.cell import display
from jupyter import RealKernel

MIME_TYPE = "application/vnd.dask-panes.client+json"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    shell = InteractiveShell.instance()
    shell.display_formatter = DisplayFormatter(parent=shell)
    # A terminal shows text only; a kernel has all types.
    shell.display_formatter.active_types = shell.display_formatter.format_types
    shell.display_pub = ZMQDisplayPublisher(parent=shell, session=Recorder(), pub_socket=object())
    display.install(shell)
    yield shell
    display.uninstall()
    InteractiveShell.clear_instance()


@pytest.fixture
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(
        n_workers=2, threads_per_worker=1, memory_limit="1 GiB", processes=False, dashboard_address=":0"
    ) as cluster:
        yield cluster


class Recorder(Session):
    """Keeps what a kernel would send."""

    sent: ClassVar[list[dict[str, Any]]] = []

    def send(self, stream: object, msg_or_type: Any, *_: object, **__: object) -> dict[str, Any]:
        self.sent.append(msg_or_type)
        return dict(msg_or_type)


def shown(shell: InteractiveShell, source: object) -> dict[str, Any]:
    """What a cell that ends in this object shows."""
    Recorder.sent.clear()
    bundle, _ = shell.display_formatter.format(source)
    published = [message["content"]["data"] for message in Recorder.sent if message["msg_type"] == "display_data"]
    assert len(published) <= 1
    return published[0] if published else bundle


def test_a_client_is_shown_by_both(shell: InteractiveShell, cluster: LocalCluster) -> None:
    with Client(cluster) as client:
        shell.user_ns["my_client"] = client
        before = time.time()
        bundle = shown(shell, client)
        assert set(bundle) == {"text/plain", "text/html", MIME_TYPE}
        facts = json.loads(json.dumps(bundle[MIME_TYPE]))
        assert facts["version"] == 1
        assert facts["kind"] == "client"
        assert facts["key"] == client.id
        assert facts["variable"] == "my_client"
        assert facts["dashboard"] == client.dashboard_link
        assert before <= facts["time"] <= time.time()
        assert facts["versions"]["distributed"]


def test_dasks_own_display_is_what_it_was(shell: InteractiveShell, cluster: LocalCluster) -> None:
    with Client(cluster) as client:
        bundle = shown(shell, client)
        assert bundle["text/html"] == client._repr_html_()
        assert client.dashboard_link in bundle["text/html"]
        assert bundle["text/plain"] == repr(client)
        assert repr(client).startswith("<Client: 'inproc://")


def test_a_cluster_is_shown_by_both(shell: InteractiveShell, cluster: LocalCluster) -> None:
    with Client(cluster) as client:
        bundle = shown(shell, client.cluster)
        assert set(bundle) == {"text/plain", "text/html", WIDGET_VIEW, MIME_TYPE}
        assert bundle["text/html"] == cluster._repr_html_()
        assert cluster.dashboard_link in bundle["text/html"]
        assert bundle["text/plain"] == repr(cluster)
        assert bundle[MIME_TYPE]["kind"] == "cluster"
        assert bundle[MIME_TYPE]["key"] == client.id


def test_a_client_by_address(shell: InteractiveShell, cluster: LocalCluster) -> None:
    with Client(cluster.scheduler_address) as client:
        bundle = shown(shell, client)
        assert bundle[MIME_TYPE]["cluster"] == "Scheduler"
        assert bundle[MIME_TYPE]["dashboard"] in bundle["text/html"]


def test_the_link_of_the_fallback_follows_the_template(shell: InteractiveShell, cluster: LocalCluster) -> None:
    with dask.config.set({"distributed.dashboard.link": "/proxy/{port}/status"}), Client(cluster) as client:
        bundle = shown(shell, client)
        port = cluster.scheduler_info["services"]["dashboard"]
        assert bundle[MIME_TYPE]["dashboard"] == f"/proxy/{port}/status"
        assert f"/proxy/{port}/status" in bundle["text/html"]


def test_a_closed_client(shell: InteractiveShell, cluster: LocalCluster) -> None:
    client = Client(cluster.scheduler_address)
    client.close()
    assert shown(shell, client)[MIME_TYPE]["status"] == "closed"


def test_an_asynchronous_client(shell: InteractiveShell, cluster: LocalCluster) -> None:
    async def bundle() -> dict[str, object]:
        async with Client(cluster.scheduler_address, asynchronous=True) as client:
            return shown(shell, client)

    content = asyncio.run(bundle())
    assert content[MIME_TYPE]["status"] == "running"
    assert content["text/html"]


@pytest.mark.parametrize("what", ["client", "cluster"])
def test_a_failure_of_ours_leaves_dasks_display(
    shell: InteractiveShell,
    cluster: LocalCluster,
    what: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no facts today")

    with Client(cluster) as client:
        monkeypatch.setattr(display, "payload", fail)
        with caplog.at_level(logging.DEBUG, logger=display.logger.name):
            bundle = shown(shell, client if what == "client" else cluster)
        assert MIME_TYPE not in bundle
        assert client.dashboard_link in bundle["text/html"]
    assert "no facts today" in caplog.text
    assert {record.levelno for record in caplog.records if record.name == display.logger.name} == {logging.DEBUG}
    assert capsys.readouterr() == ("", "")


def test_a_cluster_class_with_a_display_of_its_own_keeps_it(shell: InteractiveShell) -> None:
    class OwnDisplay(LocalCluster):
        def _ipython_display_(self, **_: object) -> None:
            shell.display_pub.publish({"text/plain": "in its own way", "text/html": "<b>own</b>"})

    with OwnDisplay(n_workers=0, processes=False, dashboard_address=":0") as cluster:
        assert shown(shell, cluster) == {"text/plain": "in its own way", "text/html": "<b>own</b>"}


def test_without_ipywidgets_a_cluster_shows_dasks_html_and_ours(
    shell: InteractiveShell, cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    bundle = shown(shell, cluster)
    assert set(bundle) == {"text/plain", "text/html", MIME_TYPE}
    assert bundle["text/html"] == cluster._repr_html_()


def test_with_ipywidgets_7_dasks_display_is_untouched(
    shell: InteractiveShell, cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There Dask displays its widget itself, which publishes a bundle without HTML."""
    import ipywidgets

    def publish(widget: ipywidgets.Widget, **_: object) -> None:
        shell.display_pub.publish({"text/plain": repr(widget), WIDGET_VIEW: {"model_id": widget.model_id}})

    monkeypatch.setattr(ipywidgets, "__version__", "7.8.5")
    monkeypatch.setattr(ipywidgets.Widget, "_ipython_display_", publish, raising=False)
    assert set(shown(shell, cluster)) == {"text/plain", WIDGET_VIEW}


def test_capturing_a_cluster_gives_dasks_display(shell: InteractiveShell, cluster: LocalCluster) -> None:
    from IPython.utils.capture import capture_output

    with capture_output() as captured:
        shell.display_formatter.format(cluster)
    assert {"text/plain", "text/html"} <= set(captured.outputs[0].data)


def test_a_display_leaves_no_hook(shell: InteractiveShell, cluster: LocalCluster) -> None:
    shown(shell, cluster)
    Recorder.sent.clear()
    shell.display_pub.publish({"text/plain": "something else", "text/html": "<i>else</i>"})
    assert set(Recorder.sent[0]["content"]["data"]) == {"text/plain", "text/html"}


def test_a_display_that_fails_leaves_no_hook(
    shell: InteractiveShell, cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise ValueError("Dask's own error")

    monkeypatch.setattr(LocalCluster, "_repr_html_", fail)
    shell.display_formatter.format(cluster)
    monkeypatch.undo()
    Recorder.sent.clear()
    shell.display_pub.publish({"text/plain": "something else", "text/html": "<i>else</i>"})
    assert set(Recorder.sent[0]["content"]["data"]) == {"text/plain", "text/html"}


def test_in_a_kernel_a_cluster_keeps_what_dask_displays() -> None:
    """The same bundle as in a kernel that has never heard of us, with our type; its widget exists."""
    code = """
        from distributed import LocalCluster
        cluster = LocalCluster(n_workers=0, processes=False, dashboard_address=":0")
    """
    types = []
    for activated in (False, True):
        with RealKernel(activated=activated) as kernel:
            kernel.run(textwrap.dedent(code))
            messages = kernel.finish(kernel.start("cluster"))
            (bundle,) = [m["content"]["data"] for m in messages if m["msg_type"] == "display_data"]
            model = bundle[WIDGET_VIEW]["model_id"]
            widget = "type(cluster._cached_widget).__name__, cluster._cached_widget.model_id"
            assert kernel.run(f"print({widget})").split() == ["Tab", model]
            kernel.run("cluster.close()")
            types.append(set(bundle))
    without, with_us = types
    assert without == {"text/plain", "text/html", WIDGET_VIEW}
    assert with_us == without | {MIME_TYPE}


def test_a_subclass_of_client_is_a_client(shell: InteractiveShell, cluster: LocalCluster) -> None:
    class Special(Client):
        pass

    with Special(cluster) as client:
        assert shown(shell, client)[MIME_TYPE]["key"] == client.id


def test_it_can_be_taken_back(shell: InteractiveShell, cluster: LocalCluster) -> None:
    with Client(cluster) as client:
        assert MIME_TYPE in shown(shell, client)
        assert MIME_TYPE in shown(shell, cluster)
        display.uninstall()
        assert MIME_TYPE not in shown(shell, client)
        assert MIME_TYPE not in shown(shell, cluster)
        assert cluster.dashboard_link in shown(shell, cluster)["text/html"]
        display.install(shell)
        assert MIME_TYPE in shown(shell, client)


def test_a_second_install_keeps_what_the_first_replaced(shell: InteractiveShell, cluster: LocalCluster) -> None:
    display.uninstall()
    formatter = shell.display_formatter.mimebundle_formatter
    formatter.for_type(Client, lambda _: {"text/plain": "somebody's own"})
    display.install(shell)
    display.install(shell)
    with Client(cluster) as client:
        assert MIME_TYPE in shown(shell, client)
        display.uninstall()
        assert shown(shell, client)["text/plain"] == "somebody's own"


def test_dask_is_imported_by_the_user_only() -> None:
    """In a process of its own: installed first, imported later, displayed then; taken back at the end."""
    code = """
        import sys
        from IPython.core.interactiveshell import InteractiveShell
        from dask_panes.kernel.cell import display

        shell = InteractiveShell.instance()
        display.install(shell)
        print("dask" in sys.modules, "distributed" in sys.modules)

        from distributed import Client
        mime_type = "application/vnd.dask-panes.client+json"
        with Client(n_workers=0, processes=False, dashboard_address=":0") as client:
            print(mime_type in shell.display_formatter.format(client)[0])
            display.uninstall()
            print(mime_type in shell.display_formatter.format(client)[0])
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.split() == ["False", "False", "True", "False"]

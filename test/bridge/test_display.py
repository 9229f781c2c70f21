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

import dask
import pytest
from distributed import Client, LocalCluster
from IPython.core.formatters import DisplayFormatter
from IPython.core.interactiveshell import InteractiveShell

from dask_panes.kernel import display

MIME_TYPE = "application/vnd.dask-panes.client+json"


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    shell = InteractiveShell.instance()
    shell.display_formatter = DisplayFormatter(parent=shell)
    # A terminal shows text only; a kernel has all types.
    shell.display_formatter.active_types = shell.display_formatter.format_types
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


def shown(shell: InteractiveShell, source: object) -> dict[str, object]:
    """What a cell that ends in this object shows."""
    with shell_output(shell) as published:
        bundle, _ = shell.display_formatter.format(source)
    return published[0] if published else bundle


class shell_output:
    """Collects what is displayed meanwhile."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell = shell
        self.published: list[dict[str, object]] = []

    def __enter__(self) -> list[dict[str, object]]:
        self.before = self.shell.display_pub.publish
        self.shell.display_pub.publish = lambda data, **_: self.published.append(data)
        return self.published

    def __exit__(self, *_: object) -> None:
        del self.shell.display_pub.publish


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
        assert set(bundle) == {"text/plain", "text/html", MIME_TYPE}
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

    told = asyncio.run(bundle())
    assert told[MIME_TYPE]["status"] == "running"
    assert told["text/html"]


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
            shell.display_pub.publish({"text/plain": "in its own way"})

    with OwnDisplay(n_workers=0, processes=False, dashboard_address=":0") as cluster:
        assert shown(shell, cluster) == {"text/plain": "in its own way"}


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
        from dask_panes.kernel import display

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

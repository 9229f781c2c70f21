"""Static facts of clients and clusters, compared with what Dask says itself."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import dask
import pytest
from distributed import Client, LocalCluster

from dask_panes.kernel.cell.facts import ENDED, created, facts
from dask_panes.kernel.options import KernelOptions
from dask_panes.kernel.session.session import Session


@pytest.fixture
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(
        n_workers=2,
        threads_per_worker=3,
        memory_limit="1 GiB",
        processes=False,
        dashboard_address=":0",
    ) as cluster:
        # The cluster's own list follows the scheduler's.
        until(lambda: len(cluster.scheduler_info["workers"]) == 2)
        yield cluster


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 180
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_client_of_a_cluster_says_what_dask_says(cluster: LocalCluster) -> None:
    with Client(cluster) as client:
        reported = facts(client)
        assert reported["key"] == client.id
        assert reported["cluster"] == "LocalCluster"
        assert reported["address"] == cluster.scheduler_address
        assert reported["scheduler"] == cluster.scheduler.id
        assert reported["dashboard"] == client.dashboard_link
        assert reported["dashboard"].endswith("/status")
        assert reported["dashboardReason"] == ""
        assert reported["status"] == "running"
        assert (reported["workers"], reported["threads"]) == (2, 6)
        assert reported["memoryLimit"] == 2 * 2**30


def test_workers_that_come_and_go_are_counted(cluster: LocalCluster) -> None:
    with Client(cluster) as client:
        cluster.scale(3)
        client.wait_for_workers(3)
        until(lambda: facts(client)["workers"] == 3)
        assert (facts(client)["workers"], facts(client)["threads"]) == (3, 9)


def test_a_client_by_address(cluster: LocalCluster) -> None:
    with Client(cluster.scheduler_address) as client:
        reported = facts(client)
        assert reported["cluster"] == "Scheduler"
        assert reported["dashboard"] == client.dashboard_link
        assert (reported["workers"], reported["threads"]) == (2, 6)
        assert reported["memoryLimit"] == 2 * 2**30


def test_no_question_goes_to_the_scheduler(cluster: LocalCluster) -> None:
    """The scheduler's loop stands still: what needs an answer from it would wait."""
    with Client(cluster.scheduler_address) as client:
        stands, go_on = threading.Event(), threading.Event()

        def stand() -> None:
            stands.set()
            go_on.wait(60)

        cluster.loop.add_callback(stand)
        stands.wait(60)
        begun = time.monotonic()
        reported = facts(client)
        assert time.monotonic() - begun < 50, "it has waited for the scheduler"
        go_on.set()
        assert reported["workers"] == 2


def test_a_client_of_an_older_dask_knows_workers_instead_of_totals(
    cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Client(cluster.scheduler_address) as client:
        identity = cluster.scheduler.identity()
        for total in ("n_workers", "total_threads", "total_memory"):
            del identity[total]
        monkeypatch.setattr(client, "_scheduler_identity", identity)
        reported = facts(client)
        assert (reported["workers"], reported["threads"]) == (2, 6)
        assert reported["memoryLimit"] == 2 * 2**30


def test_an_asynchronous_client(cluster: LocalCluster) -> None:
    address = cluster.scheduler_address

    async def facts_before_and_after():
        client = Client(address, asynchronous=True)
        before = facts(client)
        async with client:
            after = facts(client)
        return before, after

    before, after = asyncio.run(facts_before_and_after())
    assert before["status"] == "connecting"
    assert before["dashboard"] == ""
    assert before["dashboardReason"] == "not connected to a scheduler yet"
    assert after["status"] == "running"
    assert after["address"] == address
    assert after["workers"] == 2
    assert after["dashboard"].endswith("/status")


def test_a_closed_client_of_a_living_cluster(cluster: LocalCluster) -> None:
    client = Client(cluster)
    client.close()
    reported = facts(client)
    assert reported["status"] == "closed"
    assert reported["dashboard"] == cluster.dashboard_link


def test_a_closed_client_by_address(cluster: LocalCluster) -> None:
    client = Client(cluster.scheduler_address)
    client.close()
    reported = facts(client)
    assert reported["status"] == "closed"
    assert reported["dashboard"] == ""
    assert reported["dashboardReason"] == "the client is closed"
    assert reported["workers"] == 0


def test_a_client_closed_with_its_own_cluster() -> None:
    client = Client(n_workers=1, processes=False, dashboard_address=":0")
    client.close()
    reported = facts(client)
    assert reported["status"] == "closed"
    assert reported["dashboard"] == ""
    assert reported["dashboardReason"] == "the cluster is closed"


def test_a_cluster_is_known_by_its_newest_open_client(cluster: LocalCluster) -> None:
    assert facts(cluster)["key"] == ""
    assert facts(cluster)["status"] == "running"
    assert facts(cluster)["workers"] == 2
    with Client(cluster) as first, Client(cluster) as second:
        assert facts(cluster)["key"] == second.id
        second.close()
        assert facts(cluster)["key"] == first.id


def test_the_address_that_the_user_chose_for_the_dashboard(own_port: int) -> None:
    with LocalCluster(n_workers=0, processes=False, dashboard_address=f"127.0.0.1:{own_port}") as cluster:
        assert facts(cluster)["dashboard"].endswith(f":{own_port}/status")


def test_the_template_of_the_configuration(cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PANES_PREFIX", "/user/ada/")
    port = cluster.scheduler_info["services"]["dashboard"]
    with (
        dask.config.set({"distributed.dashboard.link": "{PANES_PREFIX}proxy/{port}/status"}),
        Client(cluster) as of_cluster,
        Client(cluster.scheduler_address) as by_address,
    ):
        for source in (cluster, of_cluster, by_address):
            assert facts(source)["dashboard"] == f"/user/ada/proxy/{port}/status"


def test_a_template_that_cannot_be_filled_in(cluster: LocalCluster) -> None:
    with dask.config.set({"distributed.dashboard.link": "{NO_SUCH_VARIABLE}/status"}):
        reported = facts(cluster)
    assert reported["dashboard"] == ""
    assert reported["dashboardReason"].startswith("distributed.dashboard.link cannot be filled in")
    assert "NO_SUCH_VARIABLE" in reported["dashboardReason"]


def test_a_dashboard_that_is_switched_off() -> None:
    with LocalCluster(n_workers=0, processes=False, dashboard_address=None) as cluster:
        reported = facts(cluster)
    assert reported["dashboard"] == ""
    assert reported["dashboardReason"] == "switched off for this cluster"


def test_bokeh_is_absent() -> None:
    """In a process of its own, in which every import of Bokeh fails as where it is not installed."""
    code = """
        import sys

        class Absent:
            searches = 0

            def find_spec(self, name, path=None, target=None):
                if name.partition(".")[0] == "bokeh":
                    Absent.searches += 1
                    raise ModuleNotFoundError(f"No module named {name!r}", name=name)

        sys.meta_path.insert(0, Absent())
        from distributed import Client, LocalCluster
        from dask_panes.kernel.cell.facts import facts

        with LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as cluster:
            with Client(cluster) as client:
                reported = facts(client)
                searches = Absent.searches
                assert facts(client) == facts(client) == reported and Absent.searches == searches
                print(repr(reported["dashboard"]), reported["dashboardReason"])
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.strip() == "'' Bokeh is not installed"


def test_the_variable_that_holds_it(cluster: LocalCluster) -> None:
    with Client(cluster) as client:
        assert facts(client, {"_": client, "_3": client, "c": client})["variable"] == "c"
        assert facts(client, {"_": client, "other": cluster})["variable"] == ""
        assert facts(cluster, {"other": cluster})["variable"] == "other"


def test_when_a_client_was_made(cluster: LocalCluster) -> None:
    before = time.time()
    with Client(cluster, name="a name with - in it") as client:
        assert before - 0.01 <= facts(client)["created"] <= time.time() + 0.01
    assert created("Client-of-some-later-dask") == 0
    assert created("") == 0


@pytest.mark.parametrize(("ending", "link"), [("own", False), ("cluster", False), ("address", True)])
def test_a_closed_client_links_to_a_dashboard_only_if_its_cluster_may_go_on(ending: str, link: bool) -> None:
    options: dict[str, Any] = {"n_workers": 0, "processes": False, "dashboard_address": ":0"}
    with LocalCluster(**options) as cluster:
        given = {"own": options, "cluster": {"address": cluster}, "address": {"address": cluster.scheduler_address}}
        client = Client(**given[ending], set_as_default=False)
        session = Session(client, lambda: None, KernelOptions())
        assert session.info()["dashboard"].endswith("/status")
        client.close()
        if ending == "cluster":
            assert session.info()["dashboard"].endswith("/status")
            cluster.close()
        reported = session.info()
        assert reported["status"] == "closed"
        assert (reported["dashboard"] != "", reported["dashboardReason"] == ENDED) == (link, not link)

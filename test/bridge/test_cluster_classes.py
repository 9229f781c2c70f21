"""Clusters of classes that Dask's configuration names: made as their class does it, listed, scaled, ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import dask
import pytest

import cluster_classes as classes
import dask_panes
from dask_panes.clusters import connection
from dask_panes.clusters.hosted import Hosted
from dask_panes.clusters.hosting import Host
from dask_panes.clusters.options import ClusterOptions
from dask_panes.kernel import presets
from dask_panes.kernel.cell.facts import facts as client_facts


@pytest.fixture(autouse=True)
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "runtime"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(folder))
    return folder


@pytest.fixture
def host() -> Iterator[Host]:
    made = Host(lambda: None)
    yield made
    classes.GO.set()
    made.stop()
    made.join(60)
    classes.GO.clear()
    classes.CALLED.clear()


def factory(name: str, module: str = "cluster_classes", **more: Any) -> dict[str, Any]:
    """Dask's configuration with a class as dask-labextension has it."""
    default = {name: more.pop(name) for name in ("workers", "adapt") if name in more}
    return {"labextension": {"factory": {"module": module, "class": name, **more}, "default": default}}


def until(host: Host, *states: str) -> dict[str, Any]:
    return eventually(host, lambda facts: facts["state"] in states)


def eventually(host: Host, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    end = time.monotonic() + 120
    while not condition(facts := host.facts()):
        assert time.monotonic() < end, facts
        time.sleep(0.02)
    return facts


def start(host: Host, name: str = "tests", **options: Any) -> None:
    host.start(ClusterOptions.read({"name": name, **options}))


@pytest.mark.parametrize("name", ["Site", "AsyncOnly", "Strict", "made_by_a_function"])
def test_a_class_of_the_configuration_is_made_with_its_arguments_and_workers(name: str, host: Host) -> None:
    with dask.config.set(factory(name, kwargs={"threads-per-worker": 3}, workers=2)):
        start(host)
        facts = eventually(host, lambda facts: facts["workers"] == 2)
        assert (facts["state"], facts["threads"], facts["problem"]) == ("running", 6, "")
        assert facts["class"] == ("Site" if name == "made_by_a_function" else name)
        assert facts["dashboard"] == "https://hub.example/user/a/proxy/8787/status"
        with dask_panes.connect("tests") as client:
            assert client.submit(sum, [1, 2]).result(timeout=60) == 3
        host.scale(1)
        eventually(host, lambda facts: facts["workers"] == 1 and facts["adaptive"] is None)
        host.adapt(1, 4)
        assert host.facts()["adaptive"] == [1, 4]
        # Adaptive scaling ends by itself, too, as after an error of Dask's.
        cluster = host._hosted._cluster  # type: ignore[union-attr]
        cluster.loop.add_callback(cluster._adaptive.stop)
        eventually(host, lambda facts: facts["adaptive"] is None)
        host.stop()
        until(host, "closed")
        assert connection.names() == []


@pytest.mark.parametrize(
    ("template", "link", "reason"),
    [
        ("/user/{JUPYTERHUB_USER}/proxy/{port}/status", r"/user/ada/proxy/\d+/status", ""),
        ("{NOT_IN_THE_ENVIRONMENT}/status", "", "cannot be filled in"),
    ],
)
def test_the_dashboard_of_a_hub_is_that_of_the_template(
    host: Host, monkeypatch: pytest.MonkeyPatch, template: str, link: str, reason: str
) -> None:
    monkeypatch.setenv("JUPYTERHUB_USER", "ada")
    with dask.config.set({"distributed.dashboard.link": template}):
        start(host, workers=0, dashboard="127.0.0.1:0")
        until(host, "running")
        assert re.fullmatch(link, host.facts()["dashboard"])
        with dask_panes.connect("tests") as client:
            facts = client_facts(client)
            assert re.fullmatch(link, facts["dashboard"])
            assert reason in facts["dashboardReason"] and "off" not in facts["dashboardReason"]


def test_adaptive_by_default_and_the_number_of_the_form_comes_first(host: Host) -> None:
    with dask.config.set(factory("Site", adapt={"minimum": 1, "maximum": 3})):
        start(host)
        eventually(host, lambda facts: facts["adaptive"] == [1, 3])
        host.stop()
        until(host, "closed")
        start(host, workers=2)
        assert eventually(host, lambda facts: facts["workers"] == 2)["adaptive"] is None


def test_bounds_of_the_configuration_are_shown_for_a_class_that_something_else_adapts(host: Host) -> None:
    with dask.config.set(factory("ByServer", adapt={"minimum": 1, "maximum": 3})):
        start(host)
        eventually(host, lambda facts: facts["adaptive"] == [1, 3])
        host.adapt(0, 4)
        assert host.facts()["adaptive"] == [0, 4]
        host.scale(2)
        assert host.facts()["adaptive"] is None
        host.stop()
        until(host, "closed")
    with dask.config.set(factory("ByServer", adapt={"minimum": 1})):
        start(host)
        until(host, "running")
        assert host.facts()["adaptive"] is None
        host.stop()
        until(host, "closed")
        classes.CLOSED.clear()


def test_a_cluster_that_runs_renews_its_file(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "RENEWAL", 0.1)
    with dask.config.set(factory("Site")):
        start(host)
        until(host, "running")
        path = connection.path_of("tests")
        os.utime(path, (1, 1))
        eventually(host, lambda _: path.stat().st_mtime > 1)
        path.unlink()
        eventually(host, lambda _: path.exists())


def test_a_class_that_knows_only_its_own_ways_is_made_in_a_thread(host: Host) -> None:
    with dask.config.set(factory("Plain", args=["mine"], workers=4)):
        start(host)
        # What the configuration asks for is not possible: the card says so, and the cluster runs.
        facts = eventually(host, lambda facts: facts["problem"] != "")
        assert facts["state"] == "running" and "cannot be scaled" in facts["problem"]
        assert (facts["class"], facts["fixed"]) == ("Plain", "A Plain cannot be scaled.")
        assert facts["dashboard"] == ""
        with pytest.raises(RuntimeError, match="cannot be scaled"):
            host.scale(2)
        with dask_panes.connect("tests") as client:
            future = client.submit(abs, -1)
            assert future.result(timeout=60) == 1
            # Its scheduler is behind an address: tasks are asked for.
            eventually(host, lambda facts: facts["tasks"] == 1)
            del future
        host.stop()
        until(host, "closed")
        assert classes.CLOSED.pop() == "mine"


def test_tasks_that_wait_for_the_first_worker_of_a_scheduler_elsewhere_are_counted(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    active = threading.Event()
    monkeypatch.setattr(host, "_active", active.set)
    with dask.config.set(factory("Plain", kwargs={"n_workers": 0})):
        start(host)
        until(host, "running")
        with dask_panes.connect("tests") as client:
            futures = [*client.map(abs, range(30)), client.submit(abs, -1, resources={"GPU": 1})]
            eventually(host, lambda facts: facts["tasks"] == 31)
            # The kernel is in use.
            assert active.wait(60)
            del futures
            eventually(host, lambda facts: facts["tasks"] == 0)
        host.stop()
        until(host, "closed")
        classes.CLOSED.clear()


def test_a_scheduler_elsewhere_that_is_gone_is_reported_and_keeps_no_kernel_alive(host: Host) -> None:
    with dask.config.set(factory("Apart")):
        start(host)
        until(host, "running")
        hosted: Any = host._hosted
        client = dask_panes.connect("tests")
        future = client.submit(abs, -1)
        eventually(host, lambda facts: facts["tasks"] == 1)
        assert hosted.busy and host.facts()["problem"] == ""
        # After this time, Dask's clients give up.
        hosted._client._timeout = client._timeout = 1
        hosted._cluster.kill()
        facts = eventually(host, lambda facts: "does not answer" in facts["problem"])
        # It may only be a network that is down: the cluster is not ended.
        assert (facts["state"], hosted.busy) == ("running", False)
        eventually(host, lambda _: hosted._client.status == "closed")
        del future
        client.close()
        hosted._cluster.start()
        facts = eventually(host, lambda facts: facts["problem"] == "" and facts["tasks"] == 0)
        assert facts["state"] == "running"
        with dask_panes.connect("tests", timeout=30) as client:
            future = client.submit(abs, -1)
            eventually(host, lambda facts: facts["tasks"] == 1)
            assert hosted.busy and not future.done()


@pytest.mark.parametrize("name", ["Slow", "SlowPlain"])
def test_a_constructor_that_blocks_is_shown_as_starting_and_can_be_given_up(name: str, host: Host) -> None:
    with dask.config.set(factory(name)):
        start(host)
        assert classes.CALLED.wait(60)
        assert host.facts()["state"] == "starting"
        host.stop()
        # Its loop may be blocked: facts do not wait for it.
        assert host.facts()["state"] in ("closing", "closed")
        classes.GO.set()
        until(host, "closed")
        assert connection.names() == []
        if name == "SlowPlain":
            # What came when nobody waited any more is closed.
            eventually(host, lambda _: classes.CLOSED == ["slow plain"])
            classes.CLOSED.clear()
        start(host)
        until(host, "running")


def test_it_ends_although_its_cancellation_is_lost(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before Python 3.12, `asyncio.wait_for` loses one that comes together with what it waits for."""
    looks = threading.Event()

    async def look(_: Hosted) -> None:
        looks.set()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(3600)

    monkeypatch.setattr(Hosted, "look", look)
    with dask.config.set(factory("Site")):
        start(host)
        assert looks.wait(60)
        host.stop()
        until(host, "closed")
        assert connection.names() == []


def test_one_that_ends_by_itself_is_not_interrupted_in_that(host: Host) -> None:
    with dask.config.set(factory("SlowToEnd")):
        start(host)
        assert classes.CALLED.wait(60)
        host.stop()
        classes.GO.set()
        until(host, "closed")
        assert classes.CLOSED.pop() == "slow to end"
        assert connection.names() == []


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (factory("refuse"), "PermissionError: quota <b>exceeded</b>"),
        (factory("leave"), "SystemExit: 3"),
        (factory("nothing"), "did not return a cluster, but a object without scheduler_address"),
        (factory("Missing"), "labextension.factory in Dask's configuration names cluster_classes.Missing"),
        (factory("Any", module="no_such_module"), "No module named 'no_such_module'"),
        (factory("Site", kwargs={"protocol": "inproc://"}), "can only be used in its own process"),
        (factory("GO"), "which is not a class"),
    ],
)
def test_a_failure_is_reported_with_its_traceback_and_leaves_nothing(
    given: dict[str, Any], words: str, host: Host
) -> None:
    with dask.config.set(given):
        start(host)
        facts = until(host, "failed")
        assert words in facts["error"].strip().splitlines()[-1]
        assert facts["error"].startswith("Traceback")
        assert connection.names() == []
        assert not [thread for thread in threading.enumerate() if thread.name == "dask-panes-cluster"]


def test_a_traceback_is_bounded(host: Host) -> None:
    with dask.config.set(factory("x" * 60_000)):
        start(host)
        assert len(until(host, "failed")["error"]) == 50_000


def test_what_the_class_refuses_later_is_reported_once(host: Host) -> None:
    with dask.config.set(factory("Unscalable")):
        start(host)
        until(host, "running")
        with pytest.raises(RuntimeError, match="ValueError: at most 0 workers on Sundays"):
            host.scale(3)
        assert host.facts()["problem"].endswith("on Sundays")
        host.adapt(1, 2)
        assert host.facts()["problem"] == ""


def test_what_the_class_refuses_at_the_start_is_no_refusal_of_a_request(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    requested = asyncio.Event()

    async def first_workers(_: Hosted) -> None:
        await requested.wait()
        raise ValueError("no machines at first")

    async def scale(_: Hosted, workers: int) -> None:
        requested.set()
        await asyncio.sleep(0.2)

    monkeypatch.setattr(Hosted, "first_workers", first_workers)
    monkeypatch.setattr(Hosted, "scale", scale)
    with dask.config.set(factory("Site")):
        start(host)
        until(host, "running")
        host.scale(3)
        assert host.facts()["problem"] == "ValueError: no machines at first"


def test_a_request_that_a_shutdown_ends_says_so(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    requested = threading.Event()

    async def scale(_: Hosted, workers: int) -> None:
        requested.set()
        await asyncio.sleep(3600)

    monkeypatch.setattr(Hosted, "scale", scale)
    monkeypatch.setattr("dask_panes.clusters.hosting._PATIENCE", 120)
    with dask.config.set(factory("Site")), ThreadPoolExecutor() as pool:
        start(host)
        until(host, "running")
        scaling = pool.submit(host.scale, 3)
        assert requested.wait(60)
        host.stop()
        with pytest.raises(RuntimeError, match="The cluster is being shut down"):
            scaling.result(120)


# -- what the configuration says --------------------------------------------------------------------------------------

PRESETS = {
    "dask-panes": {
        "hosting": {
            "presets": {
                "small": {"module": "cluster_classes", "class": "Site", "kwargs": {"n-workers": 1}, "workers": 1},
                "batch": {"module": "dask_jobqueue", "class": "SLURMCluster", "adapt": {"minimum": 0, "maximum": 9}},
                "broken": {"module": "os; import os", "class": 7},
                "odd": "a text",
            }
        }
    }
}


def test_presets_are_named_kinds_beside_the_factory() -> None:
    with dask.config.set(PRESETS):
        found = presets.preset("small")
        assert (found.module, found.factory) == ("cluster_classes", "Site")
        assert (found.kwargs, found.workers) == ({"n_workers": 1}, 1)
        assert presets.preset("batch").adapt == {"minimum": 0, "maximum": 9}
        assert presets.preset().local
        with pytest.raises(ValueError, match=r"no preset 'none' .*'small', 'batch', 'broken', 'odd'"):
            presets.preset("none")
        with pytest.raises(ValueError, match="not a Python name"):
            presets.preset("broken")
        with pytest.raises(ValueError, match="not a mapping"):
            presets.preset("odd")
        assert presets.for_page() == {
            "factory": "LocalCluster",
            "presets": [
                {"name": "small", "class": "Site"},
                {"name": "batch", "class": "SLURMCluster"},
                {"name": "broken", "class": ""},
                {"name": "odd", "class": ""},
            ],
            "unlisted": 0,
            "initial": [],
        }


def test_presets_that_are_not_sent_to_pages_are_counted_and_can_be_used() -> None:
    many = {"x" * 65: {}, **{f"p{i}": {} for i in range(presets.MOST_PRESETS + 3)}}
    with dask.config.set({"dask-panes.hosting.presets": many}):
        sent = presets.for_page()
        # A name that the form refuses takes no place.
        assert (len(sent["presets"]), sent["unlisted"]) == (presets.MOST_PRESETS, 3)
        assert presets.preset(f"p{presets.MOST_PRESETS + 2}").local


def test_options_of_a_local_cluster_are_refused_for_another_class() -> None:
    with dask.config.set(PRESETS):
        assert ClusterOptions.read({"name": "a", "preset": "batch", "workers": 5000}).workers == 5000
        for given in ({"threads": 1}, {"memory": "4 GiB"}, {"dashboard": ":8787"}):
            with pytest.raises(ValueError, match=r"SLURMCluster are in Dask's configuration \(.*batch.kwargs\)"):
                ClusterOptions.read({"name": "a", "preset": "batch", **given})
        with pytest.raises(ValueError, match="is a name"):
            ClusterOptions.read({"name": "a", "preset": 7})


def test_initial_clusters_are_read_and_bounded() -> None:
    entries = [
        {"name": "My Big Cluster", "workers": 100},
        {"name": "Adaptive", "adapt": {"minimum": 0, "maximum": 50}},
        {"name": "../../evil", "preset": "small"},
        {"workers": "many"},
        7,
        *({"name": f"n{i}"} for i in range(20)),
    ]
    with dask.config.set({"labextension.initial": entries}):
        found = presets.initial()
    assert found[:4] == [
        {"name": "My-Big-Cluster", "preset": "", "workers": 100},
        {"name": "Adaptive", "preset": "", "minimum": 0, "maximum": 50},
        {"name": "evil", "preset": "small"},
        {"name": "", "preset": ""},
    ]
    assert len(found) == presets.MOST_INITIAL
    for odd in (None, "text", {"name": "x"}, 7):
        with dask.config.set({"labextension.initial": odd}):
            assert presets.initial() == []


def test_a_local_cluster_keeps_the_scheduler_options_of_the_configuration(host: Host) -> None:
    kwargs = {"n_workers": 0, "processes": False, "scheduler_kwargs": {"idle_timeout": "1 hour"}}
    with dask.config.set(factory("LocalCluster", module="dask.distributed", kwargs=kwargs)):
        start(host)
        until(host, "running")
        assert host._hosted._cluster.scheduler.idle_timeout == 3600  # type: ignore[union-attr]


def test_a_cluster_whose_scheduler_has_ended_is_closed(host: Host) -> None:
    kwargs = {"n_workers": 1, "processes": False, "scheduler_kwargs": {"idle_timeout": "1 hour"}}
    with dask.config.set(factory("LocalCluster", module="dask.distributed", kwargs=kwargs)):
        start(host)
        until(host, "running")
        scheduler: Any = host._hosted._cluster.scheduler  # type: ignore[union-attr]

        def look_soon() -> None:
            # From now on: a time-out that short may end before our client is connected.
            scheduler.idle_timeout = 0.2
            callback = scheduler.periodic_callbacks["idle-timeout"]
            callback.stop()
            callback.callback_time = 50
            callback.start()

        scheduler.loop.add_callback(look_soon)
        until(host, "closed")
        assert connection.names() == []


def test_a_local_cluster_of_the_configuration_keeps_its_credentials(host: Host) -> None:
    given = factory("LocalCluster", module="dask.distributed", kwargs={"n_workers": 1, "processes": False}, workers=2)
    with dask.config.set(given):
        start(host, threads=3)
        facts = eventually(host, lambda facts: facts["workers"] == 2)
        assert (facts["threads"], facts["dashboard"]) == (6, "")
        assert connection.read("tests").address.startswith("tls://127.0.0.1:")

"""The section ``dask-panes`` of Dask's configuration, on real kernels and clusters."""

from __future__ import annotations

from typing import Any

import dask
import pytest

from dask_panes.kernel.options import Options, options
from jupyter import RealKernel, Subscription

CLUSTER = "from distributed import Client\nclient = Client(processes=False, n_workers=1, dashboard_address=None)\n"


def configure(kernel: RealKernel, **values: Any) -> None:
    pairs = {f"dask-panes.{name.replace('_', '-')}": value for name, value in values.items()}
    kernel.run(f"import dask; dask.config.set({pairs!r})")


def meta_of(subscription: Subscription) -> dict[str, Any]:
    key = subscription.clients[0]["key"]
    subscription.want(key, ["meta"])
    for frame in subscription.frames(key):
        if "meta" in frame["topics"]:
            found: dict[str, Any] = frame["topics"]["meta"]["s"]
            return found
    raise AssertionError("no meta")


def test_the_shipped_file_says_what_holds_anyway() -> None:
    assert options() == Options(ring_rows=options().ring_rows)
    with dask.config.set({"dask-panes": {}}):
        assert options() == Options()


def test_values_reach_the_collector(kernel: RealKernel) -> None:
    configure(kernel, ring_rows=2_000, intervals={"tasks": "200 ms"})
    kernel.run(CLUSTER)
    subscription = kernel.subscribe()
    assert subscription.clients[0]["notice"] == ""
    assert meta_of(subscription)["ring_rows"] == 2_000
    plugin = "client.cluster.scheduler.plugins['dask-panes-1']"
    assert kernel.run(f"print({plugin}.topics['tasks'].interval)") == "0.2\n"


def test_settings_are_told_what_holds_now(kernel: RealKernel) -> None:
    configure(kernel, ring_rows="many", intervals={"tasks": "200 ms"}, attach=False)
    told = kernel.ask("options")["value"]
    assert told["problems"] == [text for text in told["problems"] if "ring-rows: 'many'" in text] != []
    assert told == {
        "enabled": True,
        "attach": False,
        "local": True,
        "actions": True,
        "profileHistory": True,
        "ringRows": None,
        "intervals": {"tasks": 0.2},
        "problems": told["problems"],
        "clusters": {"factory": "LocalCluster", "presets": [], "initial": []},
    }


def test_values_that_cannot_be_used_are_told_and_harm_nobody(kernel: RealKernel) -> None:
    configure(kernel, ring_rows="many", intervals={"tasks": "soon", "workers": "2s"}, enabled="perhaps")
    assert kernel.run(CLUSTER + "print(client.submit(sum, [1, 2]).result())") == "3\n"
    subscription = kernel.subscribe()
    notice = subscription.clients[0]["notice"]
    assert "dask-panes.ring-rows: 'many' is not a whole number" in notice
    assert "dask-panes.intervals.tasks: 'soon' is not a duration" in notice
    assert "dask-panes.enabled: 'perhaps' is not true or false" in notice
    assert "workers" not in notice
    assert meta_of(subscription)["ring_rows"] == 1_000_000


def test_disabled_means_that_nothing_of_ours_runs(kernel: RealKernel) -> None:
    configure(kernel, enabled=False)
    kernel.run(CLUSTER)
    assert kernel.run("print('dask-panes-1' in client.cluster.scheduler.plugins)") == "False\n"
    with pytest.raises(AssertionError, match=r"dask-panes\.enabled"):
        kernel.run("import dask_panes\ndask_panes.attach(client)")


def test_without_attaching_only_clients_that_are_handed_over_are_shown(kernel: RealKernel) -> None:
    configure(kernel, attach=False)
    kernel.run(CLUSTER)
    subscription = kernel.subscribe()
    assert subscription.clients == []
    kernel.run("import dask_panes\ndask_panes.attach(client)")
    push = subscription.next(lambda p: p["kind"] == "clients" and len(p["clients"]) == 1)
    assert push["clients"][0]["key"] == kernel.run("print(client.id, end='')")

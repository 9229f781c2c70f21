"""The section ``dask-panes`` of Dask's configuration, on real kernels and clusters."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import dask
import pytest

from dask_panes.kernel.channel.clients import MADE_BEFORE
from dask_panes.kernel.options import KernelOptions, options, read_in_subprocess
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
    assert options() == KernelOptions(ring_rows=options().ring_rows)
    with dask.config.set({"dask-panes": {}}):
        assert options() == KernelOptions()


def test_values_reach_the_collector(kernel: RealKernel) -> None:
    configure(kernel, ring_rows=2_000, intervals={"tasks": "200 ms"})
    kernel.run(CLUSTER)
    subscription = kernel.subscribe()
    assert subscription.clients[0]["notice"] == ""
    assert meta_of(subscription)["ring_rows"] == 2_000
    plugin = "client.cluster.scheduler.plugins['dask-panes-1']"
    assert kernel.run(f"print({plugin}.topics['tasks'].interval)") == "0.2\n"


def test_settings_show_what_holds_now(kernel: RealKernel) -> None:
    configure(kernel, ring_rows="many", intervals={"tasks": "200 ms"}, attach=False, code=False)
    answer = kernel.ask("options")["value"]
    assert answer["problems"] == [text for text in answer["problems"] if "ring-rows: 'many'" in text] != []
    assert answer == {
        "enabled": True,
        "attach": False,
        "local": True,
        "actions": True,
        "code": False,
        "profileHistory": True,
        "ringRows": None,
        "intervals": {"tasks": 0.2},
        "activityInterval": 60.0,
        "problems": answer["problems"],
        "clusters": {"factory": "LocalCluster", "presets": [], "unlisted": 0, "initial": []},
    }


def test_a_kernel_without_dask_has_its_configuration_read_by_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "site.yaml"
    config.write_text(
        "labextension: {factory: {module: my_site, class: SiteCluster}}\n"
        'dask-panes: {hosting: {presets: {big: {module: my_site, class: BigCluster}, "\\uD83D <b>": {}}}}\n'
    )
    monkeypatch.setenv("DASK_CONFIG", str(tmp_path))
    with RealKernel(activated=True) as kernel:
        assert kernel.ask("options")["value"] is None
        presets = [{"name": "big", "class": "BigCluster"}, {"name": "\\ud83d <b>", "class": "LocalCluster"}]
        expected = {"factory": "SiteCluster", "presets": presets, "unlisted": 0, "initial": []}
        assert kernel.ask("options", read=True)["value"]["clusters"] == expected
        assert kernel.run("import sys; print('dask' in sys.modules)") == "False\n"
        # What the kernel itself knows comes first.
        kernel.run("import dask; dask.config.set({'dask-panes.hosting.presets': {}})")
        assert kernel.ask("options", read=True)["value"]["clusters"]["presets"] == []
        assert kernel.ask("options", read=True)["value"] == kernel.ask("options")["value"]


def test_a_configuration_that_cannot_be_read_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none"))
    assert read_in_subprocess() is None
    odd = tmp_path / "python"
    odd.write_text("#!/bin/sh\necho '[1]'\n")
    odd.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(odd))
    assert read_in_subprocess() is None


def test_values_that_cannot_be_used_are_reported_and_harm_nobody(kernel: RealKernel) -> None:
    configure(kernel, ring_rows="many", intervals={"tasks": "soon", "workers": "2s"}, enabled="perhaps")
    assert kernel.run(CLUSTER + "print(client.submit(sum, [1, 2]).result())") == "3\n"
    subscription = kernel.subscribe()
    notice = subscription.clients[0]["notice"]
    assert "dask-panes.ring-rows: 'many' is not a whole number" in notice
    assert "dask-panes.intervals.tasks: 'soon' is not a duration" in notice
    assert "dask-panes.enabled: 'perhaps' is not true or false" in notice
    assert "workers" not in notice
    assert meta_of(subscription)["ring_rows"] == 1_000_000


@pytest.mark.parametrize("value", ["soon", None, "0s", "-5s", [1], "", "1e999"])
def test_an_interval_of_hosted_clusters_that_cannot_be_used_is_named_and_harms_none(value: object) -> None:
    with dask.config.set({"dask-panes.hosting.activity-interval": value}):
        found = options()
    assert found.activity_interval == 60.0
    assert [problem for problem in found.problems if "hosting.activity-interval" in problem] == [*found.problems] != []
    with dask.config.set({"dask-panes.hosting.activity-interval": "90s"}):
        assert (options().activity_interval, options().problems) == (90.0, ())


@pytest.mark.parametrize("value", ["", " ", "1e999", ["500ms"], {"min": "500ms"}])
def test_an_interval_that_is_no_duration_at_all_is_named_and_harms_none(value: object) -> None:
    with dask.config.set({"dask-panes.intervals": {"tasks": value}}):
        found = options()
    assert found.intervals == {}
    assert ["intervals.tasks" in problem for problem in found.problems] == [True]


def test_disabled_means_that_nothing_of_ours_runs(kernel: RealKernel) -> None:
    configure(kernel, enabled=False)
    kernel.run(CLUSTER)
    assert kernel.run("print('dask-panes-1' in client.cluster.scheduler.plugins)") == "False\n"
    assert "dask-panes.enabled: false" in kernel.ask("hello")["notice"]
    with pytest.raises(AssertionError, match=r"dask-panes\.enabled"):
        kernel.run("import dask_panes\ndask_panes.attach(client)")
    # Neither do pages show or scale what a cell displays.
    shown = "from dask_panes.kernel.cell import display, scaling\nprint(display._displays._client_bundle(client))"
    assert kernel.run(shown) == "None\n"
    assert "dask-panes.enabled" in kernel.run("print(scaling.refusal(client.cluster))")


def test_without_attaching_only_clients_that_are_handed_over_are_shown(kernel: RealKernel) -> None:
    configure(kernel, attach=False)
    assert "notice" not in kernel.ask("hello")
    kernel.run(CLUSTER)
    # Pages do not say that there is none.
    assert "attach: false: call dask_panes.attach(client)" in kernel.ask("hello")["notice"]
    configure(kernel, attach=True)
    assert kernel.ask("hello")["notice"] == MADE_BEFORE
    configure(kernel, attach=False)
    subscription = kernel.subscribe()
    assert subscription.clients == []
    kernel.run("import dask_panes\ndask_panes.attach(client)")
    push = subscription.next(lambda p: p["kind"] == "clients" and len(p["clients"]) == 1)
    assert push["clients"][0]["key"] == kernel.run("print(client.id, end='')")
    assert "notice" not in push
    kernel.run("other = Client(client.scheduler.address, set_as_default=False)")
    subscription.next(lambda p: p["kind"] == "clients" and "notice" in p)
    kernel.run("other.close()")
    subscription.next(lambda p: p["kind"] == "clients" and "notice" not in p)

"""The hook in every Client of a kernel: silent, nowhere but in a kernel, never in the way, gone with its Client."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dask_panes.kernel.imports import when_imported
from dask_panes.scheduler.collector.plugin import READ_HANDLER
from jupyter import BRIDGE, PATIENT, RealKernel, becomes

#: The file that the wheel installs into ``etc/dask``.
CONFIG = {"DASK_CONFIG": str(BRIDGE / "dask_panes.yaml")}
CLUSTER = """
from distributed import Client
client = Client(n_workers=1, threads_per_worker=1, dashboard_address=None, processes=False)
"""
USE = """
value = client.submit(abs, -1).result()
client.close()
"""
#: Lets a session try again sooner what has failed.
HASTY = """import dask_panes.kernel.session.delivery as _d, dask_panes.kernel.session.link as _l
_d.REST = _d.RETRY_SECONDS = _l.RETRY_SECONDS = 0.2
del _d, _l
"""
#: Several times as long as it waits then.
WAIT = """
import time
time.sleep(1)
"""
#: What a cell of the tests shows when nothing is shown.
SILENT = ["status", "execute_input", "status"]


@pytest.fixture
def kernel() -> Iterator[RealKernel]:
    with RealKernel(env=CONFIG, activated=True) as kernel:
        yield kernel


def plain_python(code: str, **more: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **CONFIG, "PYTHONPATH": str(BRIDGE), **more}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env, timeout=60)


@pytest.mark.parametrize(("preload", "observed"), [("[]", False), ("['dask_panes.kernel.preload']", True)])
def test_a_notebook_without_a_page_is_observed_only_where_a_preload_asks_for_it(preload: str, observed: bool) -> None:
    # As papermill and nbconvert run it: no page activates anything.
    with RealKernel(env={**CONFIG, "DASK_DISTRIBUTED__CLIENT__PRELOAD": preload}) as kernel:
        kernel.run(CLUSTER + "import sys\nvalue = client.submit(abs, -1).result()")
        assert kernel.run("print('dask_panes' in sys.modules, end='')") == str(observed)
        becomes(kernel, f"{READ_HANDLER!r} in client.cluster.scheduler.handlers", str(observed))


def test_nothing_is_printed_and_nothing_done_outside_a_kernel() -> None:
    done = plain_python(
        CLUSTER
        + """
import dask, sys
assert dask.config.get("distributed.client.preload") == []
assert not [name for name in sys.modules if name.startswith("dask_panes")]
import dask_panes.kernel.activate as activate
activate.install()
assert activate.channel() is None
scheduler = client.cluster.scheduler
assert not [name for name in [*scheduler.plugins, *scheduler.handlers] if "panes" in name]
assert client.submit(abs, -1).result() == 1
client.close()
"""
    )
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.parametrize("processes", [True, False])
def test_nothing_is_printed_in_a_cell(kernel: RealKernel, processes: bool) -> None:
    cell = kernel.start(CLUSTER.replace("processes=False", f"processes={processes}"))
    assert [message["msg_type"] for message in kernel.finish(cell)] == SILENT
    assert kernel.ask("hello")["clients"]
    cell = kernel.start("client.close()")
    assert [message["msg_type"] for message in kernel.finish(cell)] == SILENT


#: A cluster and its client. Dask ends their event loop when the client closes first: otherwise the client may close
#: itself with its cluster, and then its loop stays.
LEFTOVERS = """
import asyncio, gc, threading, weakref
from distributed import Client, LocalCluster
cluster = LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None, processes=False)
client = Client(cluster)
client.gather(client.map(lambda x: x + 1, range(10)))
scheduler, loop, seen = cluster.scheduler, client.loop.asyncio_loop, weakref.ref(client)
"""
LEAVE = "client.close(); cluster.close()"


def test_a_closed_client_leaves_nothing_of_ours(kernel: RealKernel) -> None:
    kernel.run(LEFTOVERS)
    subscription = kernel.subscribe()
    key = subscription.clients[0]["key"]
    subscription.want(key, ["meta", "tasks", "workers", "prefixes", "series", "events"])
    assert next(subscription.frames(key))
    assert "dask_panes" in kernel.run("print([*scheduler.handlers])")
    kernel.run(LEAVE)

    # A scheduler that has closed answers late questions with None; that refers to nothing of the collector.
    left = "[handler for name, handler in scheduler.handlers.items() if 'panes' in name]"
    assert kernel.run(f"print([getattr(handler, '__self__', None) for handler in {left}], end='')") == "[None, None]"
    # Tasks and threads end a moment after they were asked to.
    kernel.run(
        "def ours(coroutine):\n"
        "    return 'dask_panes' in getattr(getattr(coroutine, 'cr_code', None), 'co_filename', '')\n"
        "def pending():\n"
        "    tasks = [task for task in gc.get_objects() if isinstance(task, asyncio.Task) and not task.done()]\n"
        "    return [repr(task) for task in tasks if ours(task.get_coro())]"
    )
    becomes(kernel, "pending()", "[]")
    becomes(kernel, "[repr(call) for call in loop._scheduled if 'dask_panes' in repr(call)]", "[]")
    kernel.run("del client")
    becomes(kernel, "gc.collect() and None or seen()", "None")

    names = "sorted(thread.name.rstrip('0123456789') for thread in threading.enumerate())"
    with RealKernel(env=CONFIG) as plain:
        plain.run(LEFTOVERS)
        plain.run(f"{LEAVE}; del client; gc.collect()")
        end = time.monotonic() + 180
        while (found := kernel.run(f"print({names})")) != (wanted := plain.run(f"print({names})")):
            assert time.monotonic() < end, (found, wanted)
            time.sleep(0.1)


@pytest.mark.parametrize(
    "broken",
    [
        "import dask_panes.kernel.session.link as m\nasync def fail(client): raise RuntimeError\nm.register = fail",
        "import dask_panes.kernel.session.session as m\ndef fail(*args): raise RuntimeError\nm.facts = fail",
        "import dask_panes.kernel.activate as m\ndef fail(): raise RuntimeError\nm.channel = fail",
        "import dask_panes.kernel.session.session as m\ndef fail(self): raise RuntimeError\nm.Session.close = fail",
    ],
    ids=["registration", "facts", "channel", "teardown"],
)
def test_code_of_the_user_never_fails_with_us(kernel: RealKernel, broken: str) -> None:
    kernel.run(broken)
    cell = kernel.start(CLUSTER + USE)
    assert [message["msg_type"] for message in kernel.finish(cell)] == SILENT
    assert kernel.run("print(value, client.status, end='')") == "1 closed"


def test_a_site_with_preloads_of_its_own_keeps_them(tmp_path: Path) -> None:
    (tmp_path / "site_preload.py").write_text(
        "import click\nran = []\n"
        "@click.command()\n@click.argument('word')\ndef dask_setup(client, word):\n    ran.append((client.id, word))\n"
    )
    site = {
        "DASK_DISTRIBUTED__CLIENT__PRELOAD": "['site_preload']",
        "DASK_DISTRIBUTED__CLIENT__PRELOAD_ARGV": "['hello']",
        "PYTHONPATH": os.pathsep.join([str(BRIDGE), str(tmp_path)]),
    }
    with RealKernel(env={**CONFIG, **site}, activated=True) as kernel:
        # Dask logs two lines about every preload of its configuration; ours is not one of them.
        lines = kernel.run(CLUSTER).splitlines()
        assert all("site_preload" in line for line in lines), lines
        assert kernel.run("import site_preload; print(site_preload.ran == [(client.id, 'hello')], end='')") == "True"
        (client,) = kernel.subscribe().clients
        assert (client["variable"], client["status"]) == ("client", "running")


def test_a_collector_that_cannot_start_harms_nobody(kernel: RealKernel) -> None:
    kernel.run("import dask_panes.scheduler.ship as m\nm.LOADER = 'def load(*args): raise RuntimeError(\"no\")'")
    kernel.run(PATIENT + HASTY)
    cell = kernel.start(CLUSTER)
    # Dask's scheduler, which lives in this kernel, logs what went wrong in it; the cell does not fail.
    assert "error" not in [message["msg_type"] for message in kernel.finish(cell)]
    subscription = kernel.subscribe()
    client = subscription.client(lambda client: bool(client["limited"]))
    assert client["status"] == "running"
    assert client["limited"].startswith("no; ")
    subscription.want(client["key"], ["meta", "tasks"])
    cell = kernel.start(WAIT + USE)
    assert [message["msg_type"] for message in kernel.finish(cell)] == SILENT


def test_a_scheduler_that_refuses_us_is_reported_as_limited_and_left_alone() -> None:
    blocked = {"DASK_DISTRIBUTED__SCHEDULER__BLOCKED_HANDLERS": '["register_scheduler_plugin"]'}
    with RealKernel(env={**CONFIG, **blocked}, activated=True) as kernel:
        kernel.run(PATIENT + HASTY)
        cell = kernel.start(CLUSTER)
        assert [message["msg_type"] for message in kernel.finish(cell)] == SILENT
        subscription = kernel.subscribe()
        client = subscription.client(lambda client: bool(client["limited"]))
        assert client["status"] == "running"
        assert "register_scheduler_plugin" in client["limited"]
        # A pane is open: nobody asks again and again for what there is not.
        subscription.want(client["key"], ["meta", "tasks"])
        cell = kernel.start(WAIT + USE)
        assert [message["msg_type"] for message in kernel.finish(cell)] == SILENT


def test_what_is_shown_before_a_tab_has_come_is_shown_in_the_first_one(kernel: RealKernel) -> None:
    kernel.run("import dask_panes; dask_panes.show('local')")
    shown = kernel.subscribe().next(lambda push: push["kind"] == "show")
    assert (shown["what"], shown["client"]) == ("local", "")
    # Once: neither a second tab nor one that comes back opens it again.
    second = kernel.subscribe()
    kernel.run("dask_panes.show('status')")
    assert second.next(lambda push: push["kind"] == "show")["what"] == "status"


#: A configuration file of a site, where Dask looks first, that uses what is often in one.
SITE = """
logging-file-config: {logging}
distributed:
  client:
    preload: [site_preload]
"""
LOGGING = "[loggers]\nkeys=root\n[handlers]\nkeys=\n[formatters]\nkeys=\n[logger_root]\nlevel=WARNING\nhandlers=\n"


@pytest.fixture
def site(tmp_path: Path) -> dict[str, str]:
    """Environment of a process whose site has a Dask configuration of its own in place of ``/etc/dask``."""
    root = tmp_path / "etc"
    root.mkdir()
    (root / "logging.ini").write_text(LOGGING)
    (root / "site.yaml").write_text(SITE.format(logging=root / "logging.ini"))
    (tmp_path / "site_preload.py").write_text("ran = []\ndef dask_setup(client):\n    ran.append(client.id)\n")
    return {"DASK_ROOT_CONFIG": str(root), "PYTHONPATH": os.pathsep.join([str(BRIDGE), str(tmp_path)])}


def test_the_configuration_of_a_site_holds_in_a_script(site: dict[str, str]) -> None:
    done = plain_python(CLUSTER + "import site_preload; print(site_preload.ran == [client.id])", **site)
    assert done.stdout == "True\n"
    assert "panes" not in done.stderr


def test_the_configuration_of_a_site_holds_in_a_kernel(site: dict[str, str]) -> None:
    with RealKernel(env={**CONFIG, **site}, activated=True) as kernel:
        kernel.run(CLUSTER)
        assert kernel.run("import site_preload; print(site_preload.ran == [client.id], end='')") == "True"
        (client,) = kernel.subscribe().clients
        assert client["status"] == "running"


def test_the_file_of_the_wheel_holds_our_own_switches_only() -> None:
    import yaml

    assert list(yaml.safe_load((BRIDGE / "dask_panes.yaml").read_text())) == ["dask-panes"]


def test_the_preloads_of_a_person_stay_in_the_log() -> None:
    done = plain_python(
        "import dask, logging\ndask.config.set({'distributed.client.preload': ['json']})\n" + CLUSTER,
        DASK_LOGGING__DISTRIBUTED="info",
    )
    assert "Import preload module: json" in done.stderr


@pytest.mark.parametrize("processes", [True, False])
def test_a_client_of_a_task_gets_no_preload_of_ours(kernel: RealKernel, processes: bool) -> None:
    kernel.run(CLUSTER.replace("processes=False", f"processes={processes}"))
    kernel.run(
        "def inside():\n"
        "    from distributed import get_client\n"
        "    return [preload.name for preload in get_client().preloads]\n"
        "names = client.submit(inside).result()"
    )
    # In the kernel's own process the client of a task is the kernel's.
    expected = "[]" if processes else "['dask_panes.kernel.preload']"
    assert kernel.run("print(names, end='')") == expected
    assert len(kernel.subscribe().clients) == 1


def test_a_client_whose_name_begins_like_that_of_a_worker_is_shown(kernel: RealKernel) -> None:
    kernel.run(CLUSTER.replace("processes=False", "processes=False, name='worker-pool'"))
    (client,) = kernel.subscribe().clients
    assert client["key"].startswith("Client-worker-pool-")


def test_clients_are_shown_after_a_library_has_looked_for_dask(kernel: RealKernel) -> None:
    # As xarray looks whether it is installed.
    found = kernel.run("from importlib.util import find_spec; found = find_spec('distributed'); print(found.origin)")
    assert kernel.run("print(found.loader.get_filename('distributed'))") == found
    kernel.run(CLUSTER)
    (client,) = kernel.subscribe().clients
    assert client["status"] == "running"
    left = "[found for found in __import__('sys').meta_path if getattr(found, 'name', '') in ('dask', 'distributed')]"
    assert kernel.run(f"print({left}, end='')") == "[]"


def test_an_import_that_is_interrupted_is_watched_when_it_is_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_module.py").write_text("import sys\nif not hasattr(sys, 'again'):\n    raise KeyboardInterrupt\n")
    monkeypatch.syspath_prepend(tmp_path)
    before, seen = [*sys.meta_path], list[str]()
    when_imported("slow_module", lambda: seen.append("imported"))
    with pytest.raises(KeyboardInterrupt):
        importlib.import_module("slow_module")
    assert seen == []
    monkeypatch.setattr(sys, "again", True, raising=False)
    importlib.import_module("slow_module")
    assert (seen, sys.meta_path) == (["imported"], before)
    del sys.modules["slow_module"]


def test_the_configuration_that_clusters_hand_on_does_not_name_us(kernel: RealKernel) -> None:
    kernel.run(CLUSTER)
    # What SSHCluster writes into the environment of its machines.
    kernel.run("import dask; handed = dask.config.deserialize(dask.config.serialize(dask.config.global_config))")
    assert kernel.run("print(handed['distributed']['client']['preload'], end='')") == "[]"


def test_a_client_of_a_forked_process_gets_no_session(kernel: RealKernel) -> None:
    kernel.run(CLUSTER.replace("processes=False", "processes=True"))
    kernel.run("""
import multiprocessing
forks = multiprocessing.get_context("fork")
def child(address, to):
    from distributed import Client
    import dask_panes.kernel.activate as activate
    with Client(address, set_as_default=False) as own:
        to.send(activate.channel().known(own))
here, there = forks.Pipe()
process = forks.Process(target=child, args=(client.scheduler.address, there))
process.start()
""")
    assert kernel.run("print(here.poll(60) and here.recv(), end='')") == "False"
    kernel.run("process.join(); client.close()")

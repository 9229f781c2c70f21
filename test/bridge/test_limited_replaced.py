"""A scheduler that takes no plugin is replaced by another one at its address, or stops."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import dask
import pytest
from distributed import Client, LocalCluster

from dask_panes.scheduler.collector import names as names_module
from processes import end
from tabs import Tab, session_of
from test_limited import BLOCKED
from test_profile_history import SCHEDULER


def eventually(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def executed(tab: Tab) -> dict[str, Counter[str]]:
    """Executions by feed and function."""
    found: dict[str, Counter[str]] = {}
    names: list[str] = []
    for frame in tab.frames:
        entries = frame["names"].get("prefixes", {"from": 0, "values": []})
        names[entries["from"] :] = entries["values"] or names[entries["from"] :]
        rows = frame["topics"].get("tasks", {}).get("c", {}).get("prefix", ())
        found.setdefault(frame["feed"], Counter()).update(names[row] for row in rows)
    return found


@pytest.mark.parametrize("then", ["blocked", "permitted"])
def test_the_tasks_of_the_new_scheduler_are_shown(then: str, own_port: int, tmp_path: Path) -> None:
    started: list[subprocess.Popen[str]] = []

    def start(log: str, environment: dict[str, str]) -> str:
        command = [sys.executable, "-c", SCHEDULER, str(own_port), str(tmp_path / log)]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment}
        )
        started.append(process)
        assert process.stdout is not None
        return process.stdout.readline().strip()

    try:
        with Client(start("first", BLOCKED)) as client, session_of(client) as session:
            tab = Tab(client, session).want("meta", "tasks", "workers", "prefixes")
            eventually(lambda: bool(tab.frames))
            client.gather(client.map(abs, range(20)))
            eventually(lambda: next(iter(executed(tab).values()))["abs"] == 20)
            assert session.link.limited
            started[0].kill()
            eventually(lambda: client.status == "connecting")
            start("second", BLOCKED if then == "blocked" else {})
            eventually(lambda: client.status == "running")
            # From its first read on, as with any scheduler without a plugin.
            eventually(lambda: len(executed(tab)) == 2)
            client.gather(client.map(str, range(5)))
            eventually(lambda: [*executed(tab).values()][-1] == {"str": 5})
            assert bool(session.link.limited) == (then == "blocked")
            tab.leave()
        assert "No handler" not in (tmp_path / "second").read_text()
    finally:
        for process in started:
            end(process)


def test_one_that_stops_is_silent_whatever_is_read_of_its_mirror(
    own_port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dask_panes.kernel.session.delivery.POLL_SECONDS", 0.5)
    command = [sys.executable, "-c", SCHEDULER, str(own_port), str(tmp_path / "log")]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **BLOCKED}
    )
    try:
        assert process.stdout is not None
        with Client(process.stdout.readline().strip()) as client, session_of(client) as session:
            tab = Tab(client, session).want("meta", "tasks")
            eventually(lambda: bool(tab.frames))
            before = session.answered
            # It is asked all the time.
            eventually(lambda: session.answered > before)
            os.kill(process.pid, signal.SIGSTOP)
            try:
                stopped = time.monotonic()
                # An answer may have been on its way.
                eventually(lambda: time.monotonic() - stopped > session.patience / 2)
                answered = session.answered
                eventually(lambda: time.monotonic() - stopped > session.patience)
                assert session.answered == answered
            finally:
                os.kill(process.pid, signal.SIGCONT)
            eventually(lambda: time.monotonic() - session.answered < 1)
            tab.leave()
    finally:
        end(process)


def test_another_one_begins_before_readers_refuse_positions_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        dask.config.set({"distributed.scheduler.blocked-handlers": ["register_scheduler_plugin"]}),
        LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
        session_of(client) as session,
    ):
        tab = Tab(client, session).want("meta", "tasks")
        tab.until(lambda tab: bool(tab.frames))
        feed = tab.last["feed"]
        monkeypatch.setattr(names_module, "LAST_INDEX", 1)
        tab.until(lambda tab: tab.last["feed"] != feed)
        monkeypatch.setattr(names_module, "LAST_INDEX", 800_000)
        assert session.link.limited
        client.submit(abs, -1, key="abs-after").result()
        tab.until(lambda tab: any(len(body["c"]["start"]) for body in tab.bodies("tasks")))
        tab.leave()

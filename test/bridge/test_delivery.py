"""Several tabs of one session while tasks end all the time: one read serves them all."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Event, Thread
from typing import Any

import pytest
from distributed import Client, LocalCluster

from dask_panes.kernel.session.session import Session
from tabs import Tab, session_of

TOPICS = ("tasks", "prefixes", "workers", "computations", "meta", "steals")


@pytest.fixture
def remote() -> Iterator[Client]:
    """A client whose reads take their time: its scheduler runs on another event loop, behind a connection."""
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=2, processes=False, protocol="tcp", dashboard_address=None
        ) as cluster,
        Client(cluster.scheduler_address) as client,
    ):
        yield client


@contextmanager
def working(client: Client) -> Iterator[None]:
    """Tasks end all the time."""
    ended = Event()

    def work() -> None:
        while not ended.is_set():
            client.gather(client.map(abs, range(10), pure=False))

    thread = Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@contextmanager
def counted(session: Session, monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """Reads of the common poll and of single tabs."""
    reads = Counter[str]()
    read = session.link.read

    async def counting(where: Any, reader: str, timeout: float) -> Any:
        reads["single" if "/" in reader else "common"] += 1
        return await read(where, reader, timeout)

    with monkeypatch.context() as patch:
        patch.setattr(session.link, "read", counting)
        yield reads


def rows_once(tab: Tab) -> int:
    """Rows of tasks that a tab got: each once, in their order."""
    end = None
    for body in tab.bodies("tasks"):
        first = body["s"]["first"]
        assert end is None or first == end, f"row {first} after {end}"
        end = first + len(body["c"]["start"])
    return end or 0


def test_tabs_that_open_one_after_the_other_share_the_reads(remote: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    with ExitStack() as stack:
        session = stack.enter_context(session_of(remote))
        stack.enter_context(working(remote))
        reads = stack.enter_context(counted(session, monkeypatch))
        tabs = []
        for _ in range(8):
            tabs.append(Tab(remote, session).want(*TOPICS))
            time.sleep(0.15)
        # What opening costs is over: each has its first rows.
        for tab in tabs:
            tab.until(lambda tab: bool(tab.bodies("tasks")))
        reads.clear()
        begin = time.monotonic()
        while reads["common"] < 30:
            assert time.monotonic() < begin + 60
            time.sleep(0.05)
        assert reads["single"] <= reads["common"] / 2
    last = {rows_once(tab) for tab in tabs}
    assert min(last) > 0


def test_a_tab_that_catches_up_puts_no_other_behind(remote: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    with ExitStack() as stack:
        session = stack.enter_context(session_of(remote))
        stack.enter_context(working(remote))
        tabs = [Tab(remote, session).want(*TOPICS) for _ in range(4)]
        reads = stack.enter_context(counted(session, monkeypatch))
        for _ in range(5):
            # It subscribes to a topic anew, and reads separately: it is ahead of the others then.
            tabs[0].retopic(*TOPICS, "series")
            time.sleep(0.3)
            tabs[0].retopic(*TOPICS)
            time.sleep(0.3)
        # Its own, and now and then one of another.
        assert reads["single"] <= 30
        assert reads["common"] > 0
    for tab in tabs:
        assert rows_once(tab) > 0

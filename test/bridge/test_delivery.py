"""Several tabs of one session while tasks end all the time: one read serves them all."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from random import Random
from threading import Event, Thread
from typing import Any

import pytest
from distributed import Client, LocalCluster

from dask_panes.kernel.session.session import Session
from reader import Reader
from restart import restart
from tabs import Tab, session_of

TOPICS = ("tasks", "prefixes", "workers", "computations", "meta", "steals")
#: Topics whose rows are sent once, those whose rows have numbers, and tables whose newest row counts.
ONCE, NUMBERED, TABLES = ("tasks", "events"), ("graph", "executed"), ("prefixes", "workers", "computations")
EVERY = (*ONCE, *NUMBERED, *TABLES, "meta", "running", "groups", "states")
#: Topics of which all tabs have the end when nothing happens any more.
ENDING = ("tasks", "events", "graph", "executed", "prefixes", "computations")


@pytest.fixture
def remote() -> Iterator[Client]:
    """A client whose reads take their time: its scheduler runs on another event loop, behind a connection."""
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=2, processes=False, protocol="tcp", dashboard_address=None
        ) as cluster,
        Client(cluster.scheduler_address) as client,
    ):
        # For a restart.
        client.cluster = cluster
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
            # It subscribes to a topic again, and reads separately: it is ahead of the others then.
            tabs[0].retopic(*TOPICS, "series")
            time.sleep(0.3)
            tabs[0].retopic(*TOPICS)
            time.sleep(0.3)
        # Its own, and now and then one of another.
        assert reads["single"] <= 30
        assert reads["common"] > 0
    for tab in tabs:
        assert rows_once(tab) > 0


class Folded:
    """What a tab has of the newest feed and epoch; an answer may repeat what it has, but never contradict it."""

    def __init__(self, tab: Tab) -> None:
        self.names: dict[str, list[Any]] = {}
        #: Values by topic and number; those of a table are the newest ones.
        self.values: dict[str, dict[int, Any]] = {}
        newest = (tab.last["feed"], tab.last["epoch"])
        for frame in tab.frames:
            if (frame["feed"], frame["epoch"]) == newest:
                self._fold(frame)

    def _fold(self, frame: dict[str, Any]) -> None:
        for name in ("prefixes", "workers", "lanes") & frame["names"].keys():
            known, values = self.names.setdefault(name, []), frame["names"][name]["values"]
            begin = frame["names"][name]["from"]
            assert begin <= len(known), f"{name}: {begin} after {len(known)}"
            assert known[begin : begin + len(values)] == values[: len(known) - begin]
            known += values[len(known) - begin :]
        for topic, body in frame["topics"].items():
            values = self.values.setdefault(topic, {})
            columns = body.get("c", {})
            table = [dict(zip(columns, row)) for row in zip(*columns.values())]
            if topic in ONCE:
                numbered = dict(enumerate(table, body["s"]["first"]))
                assert not values or min(numbered, default=max(values) + 1) == max(values) + 1, topic
                values.update(numbered)
            elif topic in NUMBERED:
                numbered = dict(enumerate(table, body["s"]["first"]))
                assert all(values.get(number, fixed(row)) == fixed(row) for number, row in numbered.items()), topic
                assert not values or min(numbered, default=0) <= max(values) + 1, topic
                values.update((number, fixed(row)) for number, row in numbered.items())
            elif topic in TABLES:
                values.update((int(row["id"]), row) for row in table)


def fixed(row: dict[str, float]) -> dict[str, float]:
    """What does not change of a row: states of tasks do."""
    return {name: value for name, value in row.items() if name != "state"}


def act(tabs: list[Tab], remote: Client, session: Session, chance: Random) -> None:
    """Something that a user or a slow connection does."""
    tab = chance.choice(tabs)
    some = chance.sample(EVERY, chance.randint(1, len(EVERY)))
    match chance.choice(("retopic", "lag", "join", "follow", "leave", "wait")):
        case "retopic":
            tab.retopic(*some)
        case "lag":
            tab.prompt = False
            time.sleep(chance.random() / 2)
            tab.go_on()
        case "join":
            tabs.append(Tab(remote, session).want(*some))
        case "leave" if len(tabs) > 2:
            tab.leave()
            tabs.remove(tab)
        case _:
            time.sleep(chance.random() / 4)


def has_all(tab: Tab, epoch: int) -> bool:
    """Whether a tab has every topic of an epoch."""
    return tab.last["epoch"] == epoch and set(EVERY) <= tab.last["cursor"].keys()


@pytest.mark.parametrize("tabs", [1, 2])
def test_after_restarts_tabs_that_acknowledge_as_pages_do_go_on(remote: Client, tabs: int) -> None:
    """The first answer of an epoch is cut, and tabs read the rest without waiting for an acknowledgement."""
    with session_of(remote) as session:
        panes = [Tab(remote, session).want(*EVERY) for _ in range(tabs)]
        for epoch in range(3):
            futures = remote.map(abs, range(20), pure=False)
            remote.gather(futures)
            for tab in panes:
                tab.until(partial(has_all, epoch=epoch))
            del futures
            restart(remote)
        reader = Reader(remote)
        reader.arrive(list(EVERY))
        for tab in panes:
            tab.until(lambda tab: all(tab.last["cursor"].get(topic, -1) >= reader.cursor[topic] for topic in ENDING))


@pytest.mark.parametrize("seed", range(3))
def test_whatever_tabs_do_each_has_everything_once_at_the_end(remote: Client, seed: int) -> None:
    chance = Random(seed)
    with session_of(remote) as session:
        tabs = [Tab(remote, session).want(*EVERY) for _ in range(3)]
        for stretch in range(2):
            with working(remote):
                for _ in range(40):
                    act(tabs, remote, session, chance)
                for tab in tabs:
                    tab.retopic(*EVERY)
                tabs.append(Tab(remote, session).want(*EVERY))
                time.sleep(0.5)
            if stretch == 0:
                # From now on there is another epoch: everything starts over.
                restart(remote)
        late = Tab(remote, session).want(*EVERY)
        reader = Reader(remote)
        reader.arrive(list(EVERY))
        for tab in [*tabs, late]:
            tab.until(lambda tab: all(tab.last["cursor"].get(topic, -1) >= reader.cursor[topic] for topic in ENDING))
    whole = Folded(late)
    assert len(whole.values["tasks"]) > 0
    for tab in tabs:
        folded = Folded(tab)
        assert folded.names == whole.names
        for topic in (*ONCE, *NUMBERED):
            have, all_rows = folded.values.get(topic, {}), whole.values.get(topic, {})
            assert not have or max(have) == max(all_rows), topic
            assert all(all_rows.get(number, row) == row for number, row in have.items()), topic
        for topic in TABLES:
            assert folded.values[topic].keys() == whole.values[topic].keys(), topic
        assert folded.values["prefixes"] == whole.values["prefixes"]

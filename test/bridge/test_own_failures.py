"""Loops of ours in the kernel go on after a failure, which is said in the pane and printed nowhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from dask_panes.kernel.channel.beats import Beats
from jupyter import RealKernel, Subscription
from test_silence import QUICKEN, beats, scheduler

__all__ = ["scheduler"]

#: Makes the first `times` calls of a method fail.
FAIL = """
def fail(owner, name, times=1):
    given = getattr(owner, name)
    def failing(*args, **kwargs):
        if failures:
            failures.pop()
            raise ZeroDivisionError("odd")
        return given(*args, **kwargs)
    failures = [None] * times
    setattr(owner, name, failing)
    return failures
"""


@pytest.fixture
def kernel() -> Iterator[RealKernel]:
    """One that is observed."""
    with RealKernel(activated=True) as kernel:
        yield kernel


def printed(kernel: RealKernel, code: str) -> list[Any]:
    """What a cell prints, and the errors that it shows."""
    messages = kernel.finish(kernel.start(code))
    return [message["content"] for message in messages if message["msg_type"] in ("stream", "error")]


def notices(subscription: Subscription) -> Iterator[str]:
    """What is said about the first client, each time that the list of clients comes."""
    while True:
        yield str(subscription.next(lambda push: push["kind"] == "clients", 10)["clients"][0]["notice"])


def said(subscription: Subscription, wanted: Callable[[str], bool]) -> str:
    """The next notice of this kind."""
    return next(notice for notice in notices(subscription) if wanted(notice))


def test_a_failure_of_the_beats_is_said_and_they_go_on(kernel: RealKernel) -> None:
    kernel.run("from distributed import Client\nclient = Client(processes=False, n_workers=1, dashboard_address=None)")
    subscription = kernel.subscribe()
    key = subscription.clients[0]["key"]
    subscription.want(key, ["meta", "tasks"])
    next(subscription.frames(key))
    kernel.run(f"{FAIL}\nfrom dask_panes.kernel.channel.beats import Beats\nfail(Beats, '_judge', 3)")
    assert printed(kernel, "import time; time.sleep(2)") == []
    notice = said(subscription, bool)
    assert notice.startswith("Whether the kernel answers: not up to date")
    assert "ZeroDivisionError: odd" in notice
    assert said(subscription, lambda notice: not notice) == ""
    assert len(beats(subscription, 5)) >= 2


def test_who_was_notified_of_a_failure_of_the_beats_is_notified_of_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def source(key: str) -> Any:
        loop = SimpleNamespace(call_soon_threadsafe=lambda function, *args: function(*args))
        reports: list[Any] = []
        return SimpleNamespace(key=key, loop=loop, reports=reports, report=lambda _, error: reports.append(error))

    first, second = source("a"), source("b")
    listeners = [SimpleNamespace(sources=[first])]
    found = Beats(lambda: listeners)  # type: ignore[arg-type,return-value]
    loop: Any = SimpleNamespace(call_later=lambda *_: None)
    error = ZeroDivisionError("odd")

    def check() -> None:
        raise error

    with monkeypatch.context() as failing:
        failing.setattr(found, "_check", check)
        found._look(loop)
    # The tab shows another client by now.
    listeners[:] = [SimpleNamespace(sources=[second])]
    monkeypatch.setattr(found, "_check", lambda: None)
    for _ in range(2):
        found._look(loop)
    assert (first.reports, second.reports) == ([error, None], [])


def test_a_failure_of_what_knows_the_tabs_is_printed_nowhere() -> None:
    def fail() -> Any:
        raise ZeroDivisionError("odd")

    Beats(fail)._look(SimpleNamespace(call_later=lambda *_: None))  # type: ignore[arg-type]


def test_a_scheduler_is_not_silent_because_a_check_of_ours_failed(
    kernel: RealKernel, scheduler: tuple[int, str]
) -> None:
    kernel.run(f"from distributed import Client\nclient = Client({scheduler[1]!r})")
    subscription = kernel.subscribe()
    key = subscription.clients[0]["key"]
    subscription.want(key, ["meta", "tasks"])
    next(subscription.frames(key))
    kernel.run(QUICKEN)
    kernel.run(
        f"{FAIL}\nimport dask_panes.kernel.activate as activate\n"
        f"failures = fail(activate.channel().clients.sessions[{key!r}].link.pulse, '_echo', 2)"
    )
    assert "Whether the scheduler answers: not up to date" in said(subscription, bool)
    assert [silent for _, silent in beats(subscription, 8) if silent] == []
    assert printed(kernel, "assert not failures") == []
    assert kernel.ask("hello")["clients"][0]["notice"] == ""


def test_a_failure_with_local_schedulers_is_said_and_they_go_on(kernel: RealKernel) -> None:
    kernel.run("import dask\ndask.get({'a': (abs, -1)}, 'a')")
    subscription = kernel.subscribe()
    key = subscription.clients[0]["key"]
    subscription.want(key, ["tasks", "prefixes"])
    next(subscription.frames(key))
    kernel.run(f"{FAIL}\nfrom dask_panes.local.record import Record\nfailures = fail(Record, 'read', 2)")
    keys = "[('f', i) for i in range(60)]"
    compute = f"dask.get({{key: (time.sleep, 0.05) for key in {keys}}}, {keys})"
    assert printed(kernel, f"import time\nassert len({compute}) == 60") == []
    notice = said(subscription, bool)
    assert notice.startswith("Local schedulers: not up to date")
    rows = 0
    for frame in subscription.frames(key, 20):
        rows += len(frame["topics"].get("tasks", {}).get("c", {}).get("start", ()))
        if rows >= 60:
            break
    assert rows == 60
    assert printed(kernel, "assert not failures") == []
    assert kernel.ask("hello")["clients"][0]["notice"] == ""

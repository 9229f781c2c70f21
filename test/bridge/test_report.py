"""Reports: what is in the file equals what Dask knows, and the block is never harmed by its report."""

from __future__ import annotations

import asyncio
import importlib
import json
import re
import threading
import time
import warnings
from base64 import b64decode
from collections import defaultdict
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import dask
import pytest
from distributed import Client, get_task_stream, wait

import dask_panes
from dask_panes.feed.schema import SCHEMA
from dask_panes.files import page as pages
from dask_panes.files import report as reports
from dask_panes.files.page import ReportPageError, script_json
from dask_panes.files.recording import Recording
from jupyter import ACTIVATE, AWAIT, PATIENT, RealKernel, Refused

HOSTILE = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)>"
CLUSTER = {"processes": False, "n_workers": 2, "threads_per_worker": 2, "dashboard_address": None}


class Scripts(HTMLParser):
    """Texts of the script elements of a page by id, and every tag in it."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: dict[str, str] = {}
        self.tags: list[str] = []
        self._id: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._id = dict(attrs).get("id", "") if tag == "script" else None

    def handle_endtag(self, tag: str) -> None:
        self._id = None

    def handle_data(self, data: str) -> None:
        if self._id is not None:
            self.texts[self._id] = self.texts.get(self._id, "") + data


class Written:
    """A report as it was written."""

    def __init__(self, path: Path) -> None:
        self.text = path.read_text("utf-8")
        scripts = Scripts()
        scripts.feed(self.text)
        self.tags = scripts.tags
        self.facts: dict[str, Any] = json.loads(scripts.texts["dp-facts"])
        copy = path.with_suffix(".dask-run")
        copy.write_bytes(b64decode(scripts.texts["dp-recording"], validate=True))
        with Recording(copy) as recording:
            self.complete = recording.complete
            self.frames = list(recording.frames())
        self.tasks = [frame["topics"]["tasks"] for frame in self.frames if "tasks" in frame["topics"]]

    @property
    def rows(self) -> int:
        return sum(len(body["c"]["start"]) for body in self.tasks)

    @property
    def seconds(self) -> dict[str, float]:
        """Seconds by action."""
        sums: dict[str, float] = defaultdict(float)
        for body in self.tasks:
            sums["compute"] += sum(body["c"]["duration"])
            for kind, duration in zip(body.get("m", {}).get("kind", ()), body.get("m", {}).get("duration", ())):
                sums[SCHEMA["enums"]["kind"][kind]] += duration
        return dict(sums)


@pytest.fixture
def cluster() -> Any:
    with Client(**CLUSTER) as client:
        yield client


def inc(x: int) -> int:
    time.sleep(0.002)
    return x + 1


def add(x: int, y: int) -> int:
    return x + y


def fail() -> None:
    raise ValueError(HOSTILE)


def test_it_has_what_dask_has(cluster: Client, tmp_path: Path) -> None:
    before = cluster.map(inc, range(50, 90), pure=False)
    wait(before)
    path = tmp_path / "report.html"
    begun = time.monotonic()
    with get_task_stream(client=cluster) as stream, dask_panes.report(path) as report:
        futures = cluster.map(inc, range(200), pure=False)
        sums = [cluster.submit(add, a, b, pure=False) for a, b in zip(futures, reversed(futures))]
        failed = cluster.submit(fail, pure=False)
        wait([*sums, failed])
    elapsed = time.monotonic() - begun
    assert report.path == path
    written = Written(path)
    assert written.complete
    assert len(stream.data) == 401
    assert written.rows == len(stream.data)
    dask: dict[str, float] = defaultdict(float)
    for task in stream.data:
        for interval in task["startstops"]:
            dask[interval["action"]] += interval["stop"] - interval["start"]
    assert written.seconds.keys() == dask.keys()
    for action, seconds in dask.items():
        assert written.seconds[action] == pytest.approx(seconds, rel=1e-4, abs=1e-4)
    assert 0 < written.facts["duration"] <= elapsed
    assert written.facts["title"] == "report"
    assert written.facts["missing"] == []
    assert written.facts["failure"] == ""
    assert "def test_it_has_what_dask_has" in written.facts["code"]
    assert {"where": "client", "package": "distributed"}.items() <= next(
        version for version in written.facts["versions"] if version["package"] == "distributed"
    ).items()
    # Nothing but the report is left in its folder.
    assert {file.name for file in tmp_path.iterdir()} == {"report.html", "report.dask-run"}


def test_it_says_everything_in_one_file_and_asks_for_nothing(cluster: Client, tmp_path: Path) -> None:
    path = tmp_path / f"{HOSTILE.replace('/', '')}.html"
    with dask_panes.report(path, title=HOSTILE):
        wait(cluster.submit(inc, 1, key=HOSTILE))
    written = Written(path)
    assert written.facts["title"] == HOSTILE
    assert written.tags.count("script") == 4
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', written.text)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert set(written.tags) == {"html", "head", "meta", "title", "style", "body", "p", "noscript", "script"}


def test_an_exception_is_the_users_and_the_report_is_written(cluster: Client, tmp_path: Path) -> None:
    path = tmp_path / "failed.html"
    with pytest.raises(ValueError, match="alert"), dask_panes.report(path):
        cluster.submit(inc, 1).result()
        cluster.submit(fail).result()
    written = Written(path)
    assert written.facts["failure"] == f"ValueError: {HOSTILE}"
    assert written.rows == 2


async def test_an_asynchronous_client(tmp_path: Path) -> None:
    async with Client(asynchronous=True, **CLUSTER) as client:
        with pytest.raises(TypeError, match="async with"), dask_panes.report(tmp_path / "no.html", client=client):
            raise AssertionError("the block must not run")
        async with dask_panes.report(tmp_path / "async.html", client=client):
            await client.gather(client.map(inc, range(20)))
    written = Written(tmp_path / "async.html")
    assert written.rows == 20
    assert "async def test_an_asynchronous_client" in written.facts["code"]
    assert not list(tmp_path.glob(".*"))


async def test_a_report_of_an_asynchronous_client_does_not_hold_its_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turned = threading.Event()
    write = reports.Report._write_to

    def slow(self: Any, target: Path, facts: Any) -> None:
        loop.call_soon_threadsafe(turned.set)
        assert turned.wait(60)
        write(self, target, facts)

    monkeypatch.setattr(reports.Report, "_write_to", slow)
    loop = asyncio.get_running_loop()
    async with (
        Client(asynchronous=True, **CLUSTER) as client,
        dask_panes.report(tmp_path / "slow.html", client=client),
    ):
        await client.submit(inc, 1)
    assert Written(tmp_path / "slow.html").rows == 1


def test_a_deeper_caller(cluster: Client, tmp_path: Path) -> None:
    def helper() -> None:
        with dask_panes.report(tmp_path / "deep.html", stacklevel=2):
            cluster.submit(inc, 1).result()

    helper()
    assert "def test_a_deeper_caller" in Written(tmp_path / "deep.html").facts["code"]


def test_a_site_that_shows_no_source_code_has_none_in_its_reports(tmp_path: Path) -> None:
    silent = dask.config.set({"dask-panes.code": False})
    with silent, Client(**CLUSTER) as client, dask_panes.report(tmp_path / "report.html"):
        client.submit(sum, [1, 2]).result()
    written = Written(tmp_path / "report.html")
    assert written.rows == 1
    assert written.facts["code"] == ""
    assert "test_a_site_that_shows_no_source_code" not in written.text
    recorded = [frame["topics"]["computations"] for frame in written.frames if "computations" in frame["topics"]]
    assert recorded != []
    assert "client.submit" not in repr(recorded)


async def test_more_callers_than_there_are_are_refused_before_the_block(cluster: Client, tmp_path: Path) -> None:
    said = "stacklevel=100000.*pass a smaller number"
    with pytest.raises(ValueError, match=said), dask_panes.report(tmp_path / "deep.html", stacklevel=100_000):
        raise AssertionError("the block must not run")
    with pytest.raises(ValueError, match=said):
        async with dask_panes.report(tmp_path / "deep.html", stacklevel=100_000):
            raise AssertionError("the block must not run")
    assert not [*tmp_path.iterdir()]


def test_a_file_that_is_edited_while_it_runs_costs_its_code_only(
    cluster: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "edited.py"
    script.write_text("def run(report):\n    with report:\n        pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    run = importlib.import_module("edited").run
    script.write_text("def run(report):\n    with report(\n")
    run(dask_panes.report(tmp_path / "edited.html", client=cluster))
    assert Written(tmp_path / "edited.html").facts["code"] == ""


@pytest.mark.parametrize("place", ["nowhere/report.html", "folder"])
def test_a_place_that_takes_no_file_is_refused_before_the_block(cluster: Client, tmp_path: Path, place: str) -> None:
    (tmp_path / "folder").mkdir()
    ran = False
    with pytest.raises(OSError, match="cannot be written"), dask_panes.report(tmp_path / place):
        ran = True
    assert not ran
    assert [file.name for file in tmp_path.iterdir()] == ["folder"]


def test_a_folder_that_may_not_be_written_is_refused(
    cluster: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The tests may run as a user who may write everywhere.
    monkeypatch.setattr(reports.os, "access", lambda *_: False)
    with pytest.raises(PermissionError, match="may not write"), dask_panes.report(tmp_path / "report.html"):
        raise AssertionError("the block must not run")


def test_a_full_disk_loses_neither_result_nor_report(
    cluster: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.html"
    path.write_text("an old report")
    write = reports.Report._write_to

    def full(self: Any, target: Path, facts: Any) -> Path:
        if target.parent == path.parent:
            raise OSError(28, "No space left on device")
        return write(self, target, facts)

    with monkeypatch.context() as patch:
        patch.setattr(reports.Report, "_write_to", full)
        patch.setattr(reports.tempfile, "tempdir", str(tmp_path))
        with pytest.warns(UserWarning, match="No space left on device"), dask_panes.report(path) as report:
            result = cluster.submit(inc, 1).result()
    assert result == 2
    assert path.read_text() == "an old report"
    assert Written(report.path).rows == 1
    assert report.path != path
    # The next one finds its place.
    with report:
        cluster.submit(inc, 2).result()
    assert report.path == path
    assert Written(path).rows == 1


def test_where_no_report_finds_a_place_the_recording_is_kept(
    cluster: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk it is there already, while a report needs room of its own."""

    def full(self: Any, target: Path, facts: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(reports.Report, "_write_to", full)
    with (
        pytest.warns(UserWarning, match="No report could be written") as warned,
        dask_panes.report(tmp_path / "report.html"),
    ):
        cluster.submit(inc, 1).result()
    (text,) = [str(each.message) for each in warned if each.filename == __file__]
    (kept,) = tmp_path.iterdir()
    assert f"What was recorded is in {kept}: " in text
    assert re.fullmatch(r"report\.html\.\w+\.dask-run", kept.name)
    with Recording(kept) as recording:
        assert (recording.complete, recording.tasks) == (True, 1)


def test_a_report_within_itself_is_refused_and_costs_nothing(cluster: Client, tmp_path: Path) -> None:
    report = dask_panes.report(tmp_path / "report.html", client=cluster)
    with report:
        with pytest.raises(RuntimeError, match=r"make a new one with dask_panes\.report"), report:
            raise AssertionError("the block must not run")
        cluster.submit(inc, 3, pure=False).result()
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    assert Written(tmp_path / "report.html").rows == 1


def test_a_client_in_the_place_of_a_number_is_refused_in_words(cluster: Client, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="client="):
        dask_panes.report(tmp_path / "report.html", cluster)  # type: ignore[arg-type]


def test_a_client_that_closes_within_the_block(tmp_path: Path) -> None:
    client = Client(**CLUSTER)
    path = tmp_path / "closed.html"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with dask_panes.report(path, client=client) as report:
            client.gather(client.map(inc, range(10)))
            # What has not come when the client closes does not come any more.
            end = time.monotonic() + 180
            while report._recorder._feed.writing.tasks < 10:
                assert time.monotonic() < end
                time.sleep(0.05)
            client.close()
    assert Written(path).rows == 10


def test_without_the_built_page_it_says_so_first(
    cluster: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages._page.cache_clear()
    monkeypatch.setattr(pages.resources, "files", lambda _: tmp_path)
    with (
        pytest.raises(ReportPageError, match="needs dask-panes to be installed"),
        dask_panes.report(tmp_path / "report.html"),
    ):
        raise AssertionError("the block must not run")
    monkeypatch.undo()
    pages._page.cache_clear()


def test_json_begins_and_ends_no_markup() -> None:
    text = script_json({"a": HOSTILE + "\u2028&lt;\ud800"})
    assert not re.search(rb"[<>&]", text)
    assert text.isascii()
    assert json.loads(text) == {"a": HOSTILE + "\u2028&lt;\ud800"}


def test_a_page_saves_what_there_is_while_the_kernel_computes(tmp_path: Path) -> None:
    with RealKernel() as kernel:
        kernel.run(ACTIVATE)
        kernel.run(PATIENT)
        kernel.run(
            "from distributed import Client\n"
            f"client = Client(**{CLUSTER!r})\n"
            "futures = client.map(lambda x: x + 1, range(300)); client.gather(futures) and None"
        )
        (info,) = kernel.ask("hello")["clients"]
        gate = tmp_path / "gate"
        busy = kernel.start(AWAIT.format(gate=str(gate)))

        def request(name: str, **args: Any) -> Any:
            return kernel.ask("request", client=info["key"], name=name, args=args)

        def save(**args: Any) -> Any:
            answer = request("save", **args)
            while answer.get("pending"):
                assert answer["doing"] in ("history", "workers")
                assert 0 <= answer["share"] <= 1
                answer = request("save", id=answer["id"])
            return answer

        answer = save(title=HOSTILE, topics=["meta", "tasks", "workers", "nothing"], plots=["task-stream"])
        assert answer["tasks"] == 300
        assert (answer["facts"]["title"], answer["facts"]["plots"]) == (HOSTILE, ["task-stream"])
        parts = [request("saved", id=answer["id"], offset=at) for at in range(0, answer["size"], answer["part"])]
        path = tmp_path / "saved.dask-run"
        path.write_bytes(b64decode("".join(parts)))
        with Recording(path) as recording:
            assert recording.tasks == 300
            topics = {topic for frame in recording.frames() for topic in frame["topics"]}
        assert topics == {"meta", "tasks", "workers"}
        # Also of topics that have no data, and of those that are gathered from the workers first.
        assert save()["tasks"] == 300
        with pytest.raises(Refused, match="save it again"):
            request("saved", id=answer["id"], offset=0)
        with pytest.raises(Refused, match="save it again"):
            request("save", id="nothing")
        gate.touch()
        kernel.finish(busy)


def test_a_page_cancels_a_report_that_waits_for_a_worker_and_saves_the_next() -> None:
    with RealKernel() as kernel:
        kernel.run(ACTIVATE)
        kernel.run(
            "import asyncio, os, signal\nfrom distributed import Client\n"
            "client = Client(n_workers=1, threads_per_worker=1, dashboard_address=None)\n"
            "client.gather(client.map(abs, range(30))) and None\n"
            "[pid] = client.run(os.getpid).values()\n"
            "os.kill(pid, signal.SIGSTOP)"
        )
        try:
            (info,) = kernel.ask("hello")["clients"]

            def request(name: str, **args: Any) -> Any:
                return kernel.ask("request", client=info["key"], name=name, args=args)

            answer = request("save")
            while answer.get("doing") != "workers":
                answer = request("save", id=answer["id"])
            assert answer["pending"]
            assert request("save", id=answer["id"], cancel=True) == {"id": answer["id"], "cancelled": True}
            for rest in ({}, {"cancel": True}):
                with pytest.raises(Refused, match="save it again"):
                    request("save", id=answer["id"], **rest)
            kernel.run(
                "async def saving():\n"
                "    return [task for task in asyncio.all_tasks() if '_gather' in repr(task)]\n"
                "assert not client.sync(saving)"
            )
        finally:
            kernel.run("os.kill(pid, signal.SIGCONT)")
        answer = request("save")
        while answer.get("pending"):
            answer = request("save", id=answer["id"])
        assert answer["tasks"] == 30


async def test_a_plain_block_with_an_asynchronous_client_names_the_function_that_was_called(tmp_path: Path) -> None:
    async with Client(processes=False, n_workers=0, dashboard_address=None, asynchronous=True) as client:
        with (
            pytest.raises(TypeError, match=r"async with dask_panes\.report"),
            dask_panes.report(tmp_path / "report.html", client=client),
        ):
            pass

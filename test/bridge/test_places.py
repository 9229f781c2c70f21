"""Where recordings and reports go: older files stay, places of fsspec, errors that say what to do."""

from __future__ import annotations

import os
import re
import threading
from pathlib import Path
from typing import Any

import dask
import fsspec
import pytest
from distributed import Client, performance_report, wait
from fsspec.implementations.memory import MemoryFileSystem

import dask_panes
from dask_panes.files.block.feed import BlockFeed
from dask_panes.files.block.target import Target
from dask_panes.files.block.thread import WritingThread
from dask_panes.files.place import Place
from dask_panes.files.recording import Recording, RecordingError


def inc(x: int) -> int:
    return x + 1


@pytest.fixture
def client():
    with Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None) as made:
        yield made


def run(client: Client) -> None:
    wait(client.map(inc, range(10), pure=False))


def test_an_older_recording_stays_until_the_new_one_is_complete(client, tmp_path, monkeypatch):
    path = tmp_path / "run.dask-run"
    path.write_bytes(b"older")

    async def refuse(self):
        raise RuntimeError("The scheduler allows no collector")

    with monkeypatch.context() as patch:
        patch.setattr(BlockFeed, "start", refuse)
        with pytest.raises(RuntimeError, match="no collector"), dask_panes.record(path, client):
            pass
    assert path.read_bytes() == b"older"
    assert list(tmp_path.iterdir()) == [path]
    with dask_panes.record(path, client):
        run(client)
        assert path.read_bytes() == b"older"
    assert list(tmp_path.iterdir()) == [path]
    with Recording(path) as recording:
        assert recording.tasks == 10
    whole = path.read_bytes()

    def full(self, item):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(WritingThread, "_take", full)
        with (
            pytest.raises(RecordingError, match=r"not complete: .* on device\. The part that was written is in"),
            dask_panes.record(path, client),
        ):
            run(client)
    assert path.read_bytes() == whole


def test_a_whole_recording_that_its_place_does_not_take_is_where_the_error_says(client, monkeypatch):
    def refuse(self, finished):
        raise PermissionError("The token has expired.")

    monkeypatch.setattr("dask_panes.files.place.Place.take", refuse)
    with pytest.raises(RecordingError) as failed, dask_panes.record("memory://dask-panes/gone.dask-run", client):
        run(client)
    found = re.fullmatch(
        r"The recording could not be put at memory://\S+: The token has expired\. It is in (\S+)\.",
        str(failed.value),
    )
    assert found is not None
    with Recording(Path(found[1])) as recording:
        assert (recording.complete, recording.tasks) == (True, 10)
    Path(found[1]).unlink()


@pytest.mark.parametrize("scheme", ["memory://", "file://"])
def test_places_of_fsspec(client, tmp_path, scheme):
    root = f"{scheme}{tmp_path}" if scheme == "file://" else "memory://dask-panes"
    system = fsspec.filesystem(scheme.removesuffix("://"))
    with dask_panes.record(f"{root}/run.dask-run", client):
        run(client)
    with dask_panes.report(filename=f"{root}/report.html", storage_options={}, client=client):
        run(client)
    there = str(tmp_path) if scheme == "file://" else "/dask-panes"
    with system.open(f"{there}/run.dask-run", "rb") as file, Recording(file) as recording:
        assert recording.tasks == 10
    with system.open(f"{there}/report.html", "rb") as file:
        assert b"dp-recording" in file.read()
    # What was written there is read from there.
    assert len(dask_panes.tasks(f"{root}/run.dask-run")) == 10
    with pytest.raises(FileNotFoundError, match=r"There is no recording .*none\.dask-run"):
        dask_panes.open_recording(f"{root}/none.dask-run")
    with pytest.raises(ValueError, match="cannot be read from nowhere://x/y"):
        dask_panes.open_recording("nowhere://x/y")


class Private(MemoryFileSystem):
    """A place that asks for a token, as a private bucket does."""

    protocol = "private"

    def __init__(self, token: str = "", **options: Any) -> None:
        super().__init__(**options)
        if token != "secret":
            raise PermissionError("no token")


def test_two_blocks_to_one_place_of_fsspec_at_once_are_refused():
    def target(url: str, **options: str) -> Target:
        return Target(Place(url, "recording", options))

    first = target("memory://dask-panes/run.dask-run")
    with pytest.raises(FileExistsError, match="Another block is being written to memory://dask-panes/run"):
        target("memory://dask-panes/run.dask-run")
    fsspec.register_implementation("private", Private, clobber=True)
    others = [
        target("memory://dask-panes/other.dask-run"),
        target("private://dask-panes/run.dask-run", token="secret"),
    ]
    first.abandon()
    for made in (*others, target("memory://dask-panes/run.dask-run")):
        made.abandon()


def test_a_private_place_is_read_with_the_options_that_it_was_written_with():
    fsspec.register_implementation("private", Private, clobber=True)
    fixture = Path(__file__).parents[1] / "fixtures" / "run.dask-run"
    url, options = "private://bucket/run.dask-run", {"token": "secret"}
    system, there = fsspec.core.url_to_fs(url, **options)
    system.pipe_file(there, fixture.read_bytes())
    with pytest.raises(PermissionError, match="no token"):
        dask_panes.open_recording(url)
    with dask_panes.open_recording(url, storage_options=options) as recording:
        assert len(dask_panes.tasks(recording)) == recording.tasks > 0
    with pytest.raises(ValueError, match="storage_options are for places like"):
        dask_panes.open_recording(fixture, storage_options=options)


def test_it_takes_what_dasks_report_takes(client, tmp_path):
    with performance_report(filename=str(tmp_path / "dask.html"), stacklevel=1, mode="inline", storage_options=None):
        run(client)
    with dask_panes.report(filename=str(tmp_path / "ours.html"), stacklevel=1, mode="inline", storage_options=None):
        run(client)
    assert (tmp_path / "ours.html").stat().st_size > 1000


def test_a_tilde_is_the_home_folder_as_for_dasks_report(client, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    with performance_report(filename="~/dask.html"):
        run(client)
    with dask_panes.report("~/ours.html", client=client), dask_panes.record("~/run.dask-run", client):
        run(client)
    assert {each.name for each in tmp_path.iterdir()} == {"dask.html", "ours.html", "run.dask-run"}
    assert len(dask_panes.tasks("~/run.dask-run")) == 10


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("what", ["record", "report"])
def test_a_link_stays_and_its_file_is_written(client, tmp_path, what, there):
    disk, target = tmp_path / "disk", tmp_path / "disk" / "target"
    disk.mkdir()
    if there:
        target.write_bytes(b"older")
    link = tmp_path / "link"
    link.symlink_to(target)
    with getattr(dask_panes, what)(link, client=client):
        run(client)
    assert link.is_symlink()
    assert target.stat().st_size > 1000
    assert [each.name for each in disk.iterdir()] == ["target"]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["disk", "link"]


@pytest.mark.parametrize("what", ["record", "report"])
def test_errors_say_what_to_do_before_the_block_runs(client, tmp_path, what):
    write = getattr(dask_panes, what)
    for path, error, words in (
        (tmp_path / "no" / "file", FileNotFoundError, "there is no folder"),
        (tmp_path, IsADirectoryError, "is a folder"),
        ("/proc/file", OSError, "cannot be written to /proc/file"),
        (tmp_path / f"{300 * 'x'}.html", OSError, "cannot be written to .*x.html: File name too long"),
        (tmp_path / "a\0b", OSError, "cannot be written to .*: embedded null"),
        (tmp_path / "a\ud800b", OSError, "cannot be written to .*: .*surrogates not allowed"),
        ("nowhere://x/y", ValueError, "cannot be written to nowhere://x/y"),
    ):
        with pytest.raises(error, match=words) as caught, write(path, client=client):
            raise AssertionError("the block must not run")
        assert ".part" not in str(caught.value)
    with (
        dask.config.set({"dask-panes.enabled": False}),
        pytest.raises(RuntimeError, match=r"dask-panes.enabled: false"),
        write(tmp_path / "file", client=client),
    ):
        raise AssertionError("the block must not run")
    with dask.config.set({"dask-panes.attach": False}), write(tmp_path / "file", client=client):
        run(client)
    assert (tmp_path / "file").stat().st_size > 100


@pytest.mark.parametrize("what", ["record", "report"])
@pytest.mark.parametrize("name", ["x" * 250, "ü" * 125, "caf\udce9.html"], ids=["long", "many bytes", "no unicode"])
def test_whatever_the_system_takes_as_a_name_is_one(client, tmp_path, what, name):
    path = tmp_path / name
    # The second one replaces the first.
    for _ in range(2):
        with getattr(dask_panes, what)(path, client=client):
            run(client)
        assert path.stat().st_size > 1000
        assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("what", [dask_panes.record, dask_panes.report])
def test_the_permissions_of_a_file_that_is_replaced_stay(client, tmp_path, what):
    path = tmp_path / "private"
    path.write_text("older")
    path.chmod(0o600)
    with what(path, client=client):
        run(client)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.stat().st_size > 1000


def test_a_device_is_written_to_where_its_folder_is_another_users(tmp_path, monkeypatch):
    pipe, file = tmp_path / "pipe", tmp_path / "file"
    os.mkfifo(pipe)
    permitted = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path and permitted(path, mode))
    Place(pipe, "recording").refuse()
    with pytest.raises(PermissionError, match="you may not write there"):
        Place(file, "recording").refuse()


@pytest.mark.parametrize("what", [dask_panes.record, dask_panes.report])
def test_a_pipe_stays_one_and_is_written_to(client, tmp_path, what):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    found = []
    reader = threading.Thread(target=lambda: found.append(path.read_bytes()))
    reader.start()
    with what(path, client=client):
        run(client)
    reader.join(60)
    assert path.is_fifo()
    assert list(tmp_path.iterdir()) == [path]
    assert len(found[0]) > 1000

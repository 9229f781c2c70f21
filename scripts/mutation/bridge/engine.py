"""Run tests of the bridge on mutated sources, in processes forked from one that has imported Dask and pytest.

Reads one JSON object per line and answers each with one. ``{"list": [files]}`` gives mutation points;
``{"cover": out, "files": [files], "tests": [arguments]}`` runs tests with probes in the sources and appends to the
file `out` one line for each test; ``{"file": ..., "start": ..., "end": ..., "text": ..., "tests": [ids], "seconds":
...}`` runs tests on a mutated source until one fails.

The package is copied first: a kernel or a worker that a test starts reads the mutated source, too, and the checkout
stays as it is.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Any

from points import points_of, with_probes

ROOT = Path(__file__).parents[3]
COPY = ROOT / "test-results" / "mutation" / f"copy-{os.getpid()}" / "bridge"
#: Every process of a mutant has this variable, so that those which a killed test leaves behind can be found.
MARK = "DASK_PANES_MUTANT"


def copy() -> None:
    """A fresh copy of the package."""
    shutil.rmtree(COPY, ignore_errors=True)
    skipped = shutil.ignore_patterns("__pycache__", "node_modules")
    shutil.copytree(ROOT / "bridge", COPY, ignore=skipped)


def preload() -> None:
    """Import what every test needs. Nothing here may start a thread: processes are forked from this one."""
    import dask.array
    import distributed
    import distributed.deploy.local
    import distributed.protocol.numpy
    import ipykernel.ipkernel
    import ipywidgets
    import jupyter_client
    import pytest
    import pytest_asyncio

    del dask, distributed, ipykernel, ipywidgets, jupyter_client, pytest, pytest_asyncio


class Hits:
    """Plugin of pytest: which probes each test reached, and how long it took."""

    def __init__(self, out: str) -> None:
        self._out = out
        self._seconds = 0.0
        self._failed = False

    def pytest_runtest_logreport(self, report: Any) -> None:
        """One phase of a test is over."""
        hits: set[tuple[str, int]] = sys.__dict__.setdefault("_mutation_hits", set())
        self._seconds += report.duration
        self._failed |= report.failed or report.skipped
        if report.when != "teardown":
            return
        found: dict[str, list[int]] = {}
        for file, line in sorted(hits.copy()):
            found.setdefault(file, []).append(line)
        hits.clear()
        record = {"test": report.nodeid, "seconds": round(self._seconds, 3), "failed": self._failed, "hits": found}
        with Path(self._out).open("a") as out:
            out.write(json.dumps(record) + "\n")
        self._seconds, self._failed = 0.0, False


class First:
    """Plugin of pytest: the first test that failed."""

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe

    def pytest_runtest_logreport(self, report: Any) -> None:
        """One phase of a test is over."""
        if report.failed:
            os.write(self._pipe, report.nodeid.encode()[:300] + b"\n")

    def pytest_collectreport(self, report: Any) -> None:
        """A file could not be imported."""
        if report.failed:
            os.write(self._pipe, str(report.nodeid).encode()[:300] + b"\n")


def run_pytest(arguments: list[str], plugin: Any) -> int:
    """Run pytest in this process on the copy."""
    import pytest

    os.environ["PYTHONPATH"] = str(COPY)
    os.chdir(ROOT)
    paths = f"pythonpath={COPY} test/bridge"
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", paths, "--no-header"]
    return int(pytest.main([*options, *arguments], plugins=[plugin]))


def forked(arguments: list[str], make: Any, seconds: float) -> tuple[int | None, str]:
    """Run pytest in a fork: its status, None when it took too long, and what its plugin wrote."""
    read, write = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(read)
        os.setsid()
        os.environ[MARK] = str(os.getpid())
        silence = os.open(os.devnull, os.O_RDWR) if "MUTATION_LOUD" not in os.environ else 2
        for stream in (0, 1, 2):
            os.dup2(silence, stream)
        status = 70
        try:
            status = run_pytest(arguments, make(write))
        finally:
            os._exit(status)
    os.close(write)
    deadline = time.monotonic() + seconds
    status: int | None = None
    while time.monotonic() < deadline:
        done, found = os.waitpid(child, os.WNOHANG)
        if done:
            status = os.waitstatus_to_exitcode(found)
            break
        time.sleep(0.02)
    else:
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
    end_left(child)
    os.set_blocking(read, False)
    text = b""
    with contextlib.suppress(BlockingIOError):
        text = os.read(read, 10_000)
    os.close(read)
    return status, text.decode().split("\n")[0]


def end_left(child: int) -> None:
    """End the processes that a test has left behind: workers and kernels have sessions of their own."""
    mark = f"{MARK}={child}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                os.kill(int(folder.name), signal.SIGKILL)


def cover(order: dict[str, Any]) -> dict[str, Any]:
    """Run tests with probes."""
    copy()
    for file in order["files"]:
        path = COPY.parent / file
        path.write_text(with_probes(file, path.read_text()))
    for tests in order["tests"]:
        forked([tests], lambda _: Hits(order["cover"]), order["seconds"])
    copy()
    return {}


def attempt(order: dict[str, Any]) -> dict[str, Any]:
    """Run tests on a mutated source."""
    path = COPY.parent / order["file"]
    whole = path.read_text()
    path.write_text(whole[: order["start"]] + order["text"] + whole[order["end"] :])
    try:
        begin = time.monotonic()
        status, first = forked(["-x", *order["tests"]], First, order["seconds"])
        return {"status": status, "by": first, "seconds": round(time.monotonic() - begin, 2)}
    finally:
        path.write_text(whole)


def main() -> None:
    """Answer until there is no more."""
    copy()
    preload()
    try:
        for line in sys.stdin:
            order = json.loads(line)
            print(json.dumps(answer_to(order)), flush=True)
    finally:
        shutil.rmtree(COPY.parent, ignore_errors=True)


def answer_to(order: dict[str, Any]) -> Any:
    """The answer to one line."""
    if "list" in order:
        return [point.wire() for file in order["list"] for point in points_of(file, (ROOT / file).read_text())]
    return cover(order) if "cover" in order else attempt(order)


# Workers that a test starts import this file again.
if __name__ == "__main__":
    main()

"""Source lines of functions that cells define, in the profiles of workers in other processes."""

from __future__ import annotations

import linecache
import os
from collections.abc import Iterator
from typing import Any

import dask
import pytest

from dask_panes.kernel.gather.cell_text import text_of
from jupyter import RealKernel

CLIENT = """
from distributed import Client, wait
client = Client(processes=True, n_workers=1, threads_per_worker=1, dashboard_address=None)
"""
#: A cell with blank lines at its start, which IPython takes off.
CELL = """

import time

def burn(seconds):
    end = time.time() + seconds
    while time.time() < end:
        sum(range(500))

wait([client.submit(burn, 0.4, pure=False) for _ in range(3)])
"""


def frames_of(kernel: RealKernel, name: str) -> list[list[Any]]:
    """Frames of a function in the profile of the kernel's client."""
    key = kernel.ask("hello")["clients"][0]["key"]
    tab = kernel.subscribe()
    tab.want(key, ["profile"])
    for frame in tab.frames(key):
        body = frame["topics"].get("profile", {"s": {}})
        found = [each for each in body["s"].get("frames", ()) if each[0] == name]
        if found:
            return found
    raise AssertionError(f"no samples of {name}")


def test_a_worker_process_shows_the_lines_of_a_cell(kernel: RealKernel) -> None:
    kernel.run(CLIENT)
    kernel.run(CELL)
    for _, file, first, line, text in frames_of(kernel, "burn"):
        assert f"ipykernel_{kernel.pid}" in file
        assert text == CELL.strip().split("\n")[line - 1].strip()
        assert first < line <= first + 3


def test_a_cell_whose_source_is_not_sent_shows_no_line(kernel: RealKernel) -> None:
    kernel.run("import dask; dask.config.set({'dask-panes.code': False})")
    kernel.run(CLIENT.replace("processes=True", "processes=False"))
    kernel.run(CELL)
    assert [frame[4] for frame in frames_of(kernel, "burn")] == [""]


#: Names of tests must be the same in each process that runs them.
CELL_FILE = "/tmp/ipykernel_{pid}/123.py"
FILE = CELL_FILE.format(pid=os.getpid())
LINES = [
    "import time",
    "@cached(",
    "    size=3)",
    "def work(n):",
    "    return sum(i",
    "               for i in range(n))",
    "add = lambda n: n + 1",
    "async def later(): pass",
    "x = 'def work'",
    "",
    "def under(): pass",
]


@pytest.fixture(autouse=True)
def cell() -> Iterator[None]:
    old = "<ipython-input-3-0123456789ab>"
    entry = (1, None, [line + "\n" for line in LINES], FILE)
    linecache.cache.update({FILE: entry, old: entry, "/somewhere/module.py": entry})
    yield
    for name in (FILE, old, "/somewhere/module.py"):
        del linecache.cache[name]


@pytest.mark.parametrize(
    ("name", "file", "first", "line", "text"),
    [
        ("work", CELL_FILE, 2, 5, "return sum(i"),
        ("work", CELL_FILE, 4, 5, "return sum(i"),
        ("work", "<ipython-input-3-0123456789ab>", 2, 5, "return sum(i"),
        ("<genexpr>", CELL_FILE, 5, 6, "for i in range(n))"),
        ("<lambda>", CELL_FILE, 7, 7, "add = lambda n: n + 1"),
        ("later", CELL_FILE, 8, 8, "async def later(): pass"),
        # Another cell's: no function of this name begins there, or the cell is shorter.
        ("other", CELL_FILE, 2, 5, ""),
        ("work", CELL_FILE, 1, 5, ""),
        ("work", CELL_FILE, 9, 9, ""),
        ("under", CELL_FILE, 10, 11, ""),
        ("<lambda>", CELL_FILE, 2, 5, ""),
        ("<module>", CELL_FILE, 1, 1, ""),
        ("under", CELL_FILE, 11, 12, ""),
        ("work", CELL_FILE, 4, 3, ""),
        ("work", CELL_FILE, 0, 0, ""),
        ("work", CELL_FILE, -7, 5, ""),
        # Another process, one that was not a cell here, and a module: this machine may have another version of it.
        ("work", "/tmp/ipykernel_{pid}1/123.py", 2, 5, ""),
        ("work", "/tmp/ipykernel_{pid}/124.py", 2, 5, ""),
        ("work", "/somewhere/module.py", 2, 5, ""),
    ],
)
def test_a_line_is_known_where_the_cell_has_the_function(
    name: str, file: str, first: int, line: int, text: str
) -> None:
    assert text_of([name, file.replace("{pid}", str(os.getpid())), first, line, ""]) == text


def test_what_a_worker_could_read_stays() -> None:
    assert text_of(["f", "/somewhere/module.py", 1, 2, "return 1"]) == "return 1"
    assert text_of(["other", FILE, 1, 2, "return 1"]) == "return 1"
    with dask.config.set({"dask-panes.code": False}):
        assert text_of(["f", "/somewhere/module.py", 1, 2, "return 1"]) == "return 1"
        assert text_of(["other", FILE, 1, 2, "return 1"]) == ""
        assert text_of(["other", "/tmp/ipykernel_1/2.py", 1, 2, "return 1"]) == ""


def test_a_long_line_is_cut() -> None:
    linecache.cache[FILE] = (1, None, ["def f(): return '" + "x" * 100_000 + "'\n"], FILE)
    assert len(text_of(["f", FILE, 1, 1, ""])) == 400
    # A file that has not been read, and one that is not there.
    linecache.cache[FILE] = (lambda: "def f(): pass",)
    assert text_of(["f", FILE, 1, 1, ""]) == ""

"""Which line of a cell a computation is named by: real kernels report the line that submitted first."""

from __future__ import annotations

import linecache
import threading
from types import SimpleNamespace
from typing import Any

from dask_panes.kernel.cell.called import line_of
from jupyter import RealKernel
from test_cells import CLIENT, RESTRICTED, computations_of

#: Cells, and what their computation is named by.
CASES = [
    ("import time\nt0 = time.time()\nfuture = client.submit(pow, 2, 2, pure=False)\nwait(future)", "future = client"),
    # In a function of this cell, and of an earlier one.
    ("def mine(n):\n    return client.submit(pow, n, 2, pure=False)\nx = 1\nwait(mine(2))", "    return client"),
    ("\n  \nx = 2\nwait([mine(n) for n in range(3)])", "wait([mine"),
    ("for n in range(3):\n    x = n\n    client.submit(pow, n, 2, pure=False).result()", "    client.submit(pow, n"),
    (
        "x = 3\nfor future in as_completed([mine(2)]):\n    client.submit(pow, 2, 2, pure=False).result()",
        "for future in",
    ),
    ("x = 4\nwait(mine(2))\nwait(client.submit(pow, 2, 2, pure=False))", "wait(mine"),
    ("x = 5\nawait asyncio.sleep(0)\nawait asyncio.to_thread(wait, mine(2))", "await asyncio.to_thread"),
    # Code of this cell in a task of asyncio and in other threads.
    ("async def inner():\n    wait(mine(2))\nx = 6\nawait asyncio.create_task(inner())", "    wait(mine"),
    ("x = 7\ndef work():\n    wait(mine(2))\nawait asyncio.to_thread(work)", "    wait(mine"),
    ("x = 8\ndef work():\n    wait(mine(2))\nt = threading.Thread(target=work)\nt.start(); t.join()", "    wait(mine"),
    ("x = 9\nwait(\n    client.submit(\n        pow, 2, 2, pure=False\n    )\n)", "    client.submit("),
    # A long line, a line with more than is reported, and lines after what is reported.
    ("x = 10\nwait(mine(2)) #" + "x" * 1_000, "wait(mine"),
    ("x = 11\nwait(mine(2)) #" + "x" * 5_000, "wait(mine"),
    ("x = 12\n#" + "x" * 5_000 + "\nwait(mine(2))", None),
    # Magics.
    ("%precision 3\nx = 13\n%time wait(mine(2))\nx", "%time wait"),
    ("x = 14\n%time y = mine(2); wait(y)\nx", "%time y"),
    ("%%time\nx = 15\nwait(mine(2))", "wait(mine"),
    ("\n%%time\n\n\nx = 16\ny = mine(2)\n%time wait(mine(3))", "y = mine"),
    ("%%time\n\nwait(mine(2))", "wait(mine"),
    ("%%time\nx = 17\n%time wait(mine(2))", "%time wait"),
    ("%%timeit -n 1 -r 1\nx = 18\nwait(mine(2))", None),
    ("!true\nx = 19\ny = !echo 1\nwait(mine(2))", "wait(mine"),
    # Code that is not a cell.
    ("x = 20\nexec('1\\nwait(mine(2))')", "exec("),
    ("x = 21\nfuture = client.submit(\n    pow,\n    2, 2,\n    pure=False)\nfuture.result()", "future = client"),
]


def test_a_cell_reports_the_line_that_submits_first(new_kernel: RealKernel) -> None:
    kernel = new_kernel
    kernel.run(CLIENT + "import asyncio, threading\nfrom distributed import as_completed")
    for cell, _ in CASES:
        kernel.run(cell)
    first, *rows = computations_of(kernel, 1 + len(CASES))
    assert first["code"].split("\n")[first["line"] - 1] == "wait(client.submit(sum, [1, 2]))"
    for row, (cell, named) in zip(rows, CASES):
        assert cell.startswith(row["code"])
        line = cell.split("\n")[row["line"] - 1] if row["line"] else None
        assert line == named or (line is not None and named is not None and line.startswith(named)), (cell, line)


def test_a_cell_whose_source_is_not_sent_has_no_line(new_kernel: RealKernel) -> None:
    new_kernel.run(RESTRICTED)
    new_kernel.run("dask.config.set({'distributed.diagnostics.computations.nframes': 1})" + CLIENT)
    (row,) = computations_of(new_kernel, 1)
    assert (row["code"], row["line"]) == ("", 0)


def ran(source: Any, made: str, **names: Any) -> int:
    """Run code of a cell; the line that it passes to the function `here` of its global variables."""
    found: list[int] = []
    names["here"] = lambda: found.append(line_of(source, names))
    file = f"cell of {threading.get_ident()}"
    linecache.cache[file] = (len(made), None, made.splitlines(True), file)
    try:
        exec(compile(made, file, "exec"), names)
    finally:
        del linecache.cache[file]
    return found[0]


def test_a_line_is_reported_only_where_the_code_is_that_of_the_cell() -> None:
    assert ran("a = 1\nhere()\n", "a = 1\nhere()\n") == 2
    assert ran("\n\n  a = 1\n  here()", "a = 1\nhere()\n") == 4
    # A front end has changed the cell.
    assert ran("here()", "a = 1\nhere()\n") == 0
    assert ran("a = 1\nthere()", "a = 1\nhere()\n") == 0
    assert ran("here()\nthere()", "here()\n") == 0
    for odd in (None, 5, "", "\n \n", "here()\r", "a = '\u2028'\nhere()"):
        assert ran(odd, "here()\n") == 0
    # Deep recursion is not searched to its end.
    deep = "def f(n):\n    return here() if n == 0 else f(n - 1)\nf(100)"
    assert ran(deep, deep + "\n") == 2
    assert line_of("here()", SimpleNamespace()) == 0

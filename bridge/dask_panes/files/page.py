"""The page of a report: one HTML file that carries its program, its facts and its recording, and asks for nothing else.

The page itself is built from ``src/report`` (``scripts/report-page.mjs``); ``docs/report.md`` says what goes into it.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any, BinaryIO

#: Where the content goes into the page: no base64 and no JSON of ours holds these.
FACTS, RECORDING = b"@FACTS@", b"@RECORDING@"
#: Bytes that are put into base64 at once: a multiple of three, so that the parts join without padding.
_PART = 3 * 2**16


class ReportPageError(RuntimeError):
    """The package has no page of reports: only its source was brought to this process."""


@cache
def _page() -> tuple[bytes, bytes, bytes]:
    """The page before the facts, between facts and recording, and after."""
    try:
        page = resources.files(__package__).joinpath("report.html").read_bytes()
    except FileNotFoundError:
        raise ReportPageError(
            "A report needs the installed package dask-panes in this environment: pip install dask-panes "
            '(or use "Save report" of JupyterLab, which needs none here).'
        ) from None
    head, _, rest = page.partition(FACTS)
    between, _, tail = rest.partition(RECORDING)
    return head, between, tail


def require_page() -> None:
    """Make sure that reports can be written at all.

    Raises
    ------
    ReportPageError
        Where the page is not there.
    """
    _page()


def script_json(value: Any) -> bytes:
    """JSON that ends no script element and starts no markup, whatever texts it has; plain ASCII."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e").encode("ascii")


def page(facts: Mapping[str, Any], recording: BinaryIO) -> Iterator[bytes]:
    """The parts of a report file.

    Parameters
    ----------
    facts : mapping
        See ``docs/report.md``; every text in it may be hostile.
    recording : binary file
        A recording, read from where it stands.

    Yields
    ------
    bytes
        Parts of the file, in order.

    Raises
    ------
    ReportPageError
        Where the package has no page.
    """
    head, between, tail = _page()
    yield head
    yield script_json(facts)
    yield between
    while part := recording.read(_PART):
        yield b64encode(part)
    yield tail

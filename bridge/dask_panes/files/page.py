"""The page of a report: one HTML file that carries its program, its facts and its recording, and asks for nothing
else.

The page itself is built from ``src/report`` (``scripts/report-page.mjs``); ``docs/report.md`` says what goes into it.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any, BinaryIO

#: Placeholders for the content of the page: neither base64 nor our JSON contains them.
FACTS, RECORDING = b"@FACTS@", b"@RECORDING@"
#: Bytes converted to base64 at once: a multiple of three, so that the parts join without padding.
_PART = 3 * 2**16


class ReportPageError(RuntimeError):
    """The package has no report page: only its source was sent to this process."""


@cache
def _page() -> tuple[bytes, bytes, bytes]:
    """The page before the facts, between facts and recording, and after."""
    try:
        page = resources.files(__package__).joinpath("report.html").read_bytes()
    except FileNotFoundError:
        raise ReportPageError(
            "A report needs dask-panes to be installed in this environment: the source that JupyterLab sends is not "
            'enough (or use "Save report" of JupyterLab, which does not need it).'
        ) from None
    head, _, rest = page.partition(FACTS)
    between, _, tail = rest.partition(RECORDING)
    return head, between, tail


def require_page() -> None:
    """Check that reports can be written.

    Raises
    ------
    ReportPageError
        The page is missing.
    """
    _page()


def script_json(value: Any) -> bytes:
    """JSON that cannot end a script element or start markup, whatever texts it contains; plain ASCII."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e").encode("ascii")


def page(facts: Mapping[str, Any], recording: BinaryIO) -> Iterator[bytes]:
    """The parts of a report file.

    Parameters
    ----------
    facts : mapping
        See ``docs/report.md``; all texts in it are untrusted.
    recording : binary file
        A recording, read from its current position.

    Yields
    ------
    bytes
        Parts of the file, in order.

    Raises
    ------
    ReportPageError
        The package has no page.
    """
    head, between, tail = _page()
    yield head
    yield script_json(facts)
    yield between
    while part := recording.read(_PART):
        yield b64encode(part)
    yield tail

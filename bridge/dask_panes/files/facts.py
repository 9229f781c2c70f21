"""Facts of a report besides its recording; ``docs/report.md`` lists them, ``src/report/facts.ts`` reads them."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from time import time
from types import FrameType
from typing import TypedDict

from .._about import version as own_version

#: Packages besides Dask whose versions affect how Dask processes data.
_PACKAGES = ("dask", "distributed", "numpy", "pandas", "pyarrow", "msgpack", "cloudpickle", "tornado")
#: Maximum characters of code and of an exception in a report: more would be data, not a hint.
LONGEST_TEXT = 200_000


class Version(TypedDict):
    """Version of one package in one place."""

    where: str
    package: str
    version: str


class ReportFacts(TypedDict):
    """See ``docs/report.md``."""

    title: str
    generator: str
    created: float
    duration: float | None
    code: str
    failure: str
    versions: list[Version]
    plots: list[str]
    missing: list[str]


def report_facts(
    title: str,
    *,
    duration: float | None = None,
    code: str = "",
    failure: BaseException | None = None,
    plots: Sequence[str] = (),
    missing: Sequence[str] = (),
) -> ReportFacts:
    """The facts of a report written now, in this process.

    Parameters
    ----------
    title : str
        Headline.
    duration : float, optional
        Length of the block, seconds; None for a report without one.
    code : str
        Source that ran it.
    failure : BaseException, optional
        The exception that ended it.
    plots : sequence of str
        Ids of the plots to show; empty for all.
    missing : sequence of str
        Messages about missing data.
    """
    message = "" if failure is None else f"{type(failure).__name__}: {_text(failure)}".rstrip(": ")
    return {
        "title": title,
        "generator": f"dask_panes {own_version()}",
        "created": time(),
        "duration": duration,
        "code": code[:LONGEST_TEXT],
        "failure": message[:2000],
        "versions": client_versions(),
        "plots": list(plots),
        "missing": list(missing),
    }


def client_versions() -> list[Version]:
    """Versions in this process, of what is installed."""
    versions: list[Version] = [{"where": "client", "package": "python", "version": platform.python_version()}]
    for package in _PACKAGES:
        try:
            found = version(package)
        except PackageNotFoundError:
            continue
        versions.append({"where": "client", "package": package, "version": found})
    return versions


def calling_code(frame: FrameType | None) -> str:
    """Source of the function, cell or script that a frame runs; empty if Python cannot find it."""
    from inspect import getsource

    if frame is None:
        return ""
    try:
        return getsource(frame)
    except Exception:
        # Typed at a prompt, or executed from a text that was not stored; or the file has changed since it was imported,
        # and is no Python at this moment: that raises errors of Python's tokenizer, which differ between versions.
        return ""


def _text(failure: BaseException) -> str:
    try:
        return str(failure)
    except Exception as error:
        # An error while formatting an exception must not end the report.
        return f"<{type(error).__name__} in its text>"

"""`dask_panes.report`: one HTML file about what a cluster did while a block of code ran.

The block is recorded into a file beside the report, which goes into the page at the end. Whatever goes wrong with the
report, the block's own result or exception is not touched: missing data is listed in the report, and a report that
cannot be written to its destination goes to the folder for temporary files, with a warning that says so.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import warnings
from pathlib import Path
from time import monotonic
from types import FrameType, TracebackType
from typing import TYPE_CHECKING

from ..kernel.options import options
from .facts import ReportFacts, calling_code, report_facts
from .page import page, require_page
from .place import Place
from .record import Recorder
from .recording import RecordingError

if TYPE_CHECKING:
    from collections.abc import Coroutine, Mapping
    from typing import Any

    from distributed import Client


class Report:
    """Reports on a block; see `report`.

    Attributes
    ----------
    path : pathlib.Path or str
        Where the report goes; after the block where it is.
    """

    def __init__(
        self,
        filename: str | os.PathLike[str],
        client: Client | None = None,
        stacklevel: int = 1,
        title: str = "",
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        self._place = Place(filename, "report", storage_options)
        self._there: Path | str = self._place.path or str(self._place)
        self.path: Path | str = self._there
        self._stacklevel = stacklevel
        self._title = title or Path(self._place.name).stem
        # Hidden, with a unique name: two reports in one folder do not conflict.
        self._beside = self._place.beside()
        self._recorder = Recorder(self._beside, client, what="report")
        self._code = ""
        self._begun = 0.0

    # -- blocks -------------------------------------------------------------------------------------------------

    def __enter__(self) -> Report:
        self._prepare(_caller(self._stacklevel))
        self._recorder.__enter__()
        self._begun = monotonic()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        duration = monotonic() - self._begun
        missing = []
        try:
            self._recorder.__exit__(kind, error, trace)
        except RecordingError as problem:
            missing.append(str(problem))
        except BaseException:
            # Interrupted (Ctrl+C): no report; the recording is deleted.
            self._beside.unlink(missing_ok=True)
            raise
        for text in self._conclude(duration, error, missing + self._recorder.missing):
            warnings.warn(text, stacklevel=2)

    def __aenter__(self) -> Coroutine[Any, Any, Report]:
        # Here and not in the coroutine: the coroutine's caller is the event loop.
        self._prepare(_caller(self._stacklevel))
        return self._enter()

    async def _enter(self) -> Report:
        await self._recorder.__aenter__()
        self._begun = monotonic()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        duration = monotonic() - self._begun
        missing = []
        try:
            await self._recorder.__aexit__(kind, error, trace)
        except RecordingError as problem:
            missing.append(str(problem))
        except BaseException:
            # Interrupted (Ctrl+C, a cancelled task): no report; the recording is deleted.
            self._beside.unlink(missing_ok=True)
            raise
        # A cluster of this process may have the loop: an upload must not hold it.
        for text in await asyncio.to_thread(self._conclude, duration, error, missing + self._recorder.missing):
            warnings.warn(text, stacklevel=2)

    def _prepare(self, frame: FrameType) -> None:
        """Raise before the block runs for errors that would otherwise occur after it."""
        if self._recorder._active:
            # Its file is being written.
            raise RuntimeError("This report has already been made: make a new one with dask_panes.report().")
        require_page()
        self._code = calling_code(frame) if options().code else ""
        self._place.refuse()
        try:
            self._beside.touch()
        except OSError as error:
            raise self._place.refused(error) from error
        self._beside.unlink()

    # -- the file -----------------------------------------------------------------------------------------------

    def _conclude(self, duration: float, error: BaseException | None, missing: list[str]) -> list[str]:
        """Write the report to its destination, else where possible; never raises, but returns warnings."""
        problems: list[str] = []
        try:
            facts = report_facts(self._title, duration=duration, code=self._code, failure=error, missing=missing)
            self.path = self._write(facts, problems)
        except Exception as problem:
            reason = str(problem).rstrip(".")
            problems.append(f"No report could be written: {reason}.{self._keep()}")
        finally:
            self._beside.unlink(missing_ok=True)
        return problems

    def _keep(self) -> str:
        """Keep the recording, since nothing else has what happened in the block; where, as a sentence after another."""
        # Not hidden: Jupyter opens no hidden files.
        kept = self._beside.with_name(f"{self._beside.stem.lstrip('.')}.dask-run")
        try:
            self._beside.rename(kept)
        except OSError:
            return ""
        return f" What was recorded is in {kept}: JupyterLab opens such files."

    def _write(self, facts: ReportFacts, problems: list[str]) -> Path | str:
        # To a temporary file next to it first: an unfinished report must not replace an old one.
        part = self._place.beside(".html")
        try:
            self._write_to(part, facts)
            self._place.take(part)
            return self._there
        except Exception as problem:
            other = Path(tempfile.mkdtemp(prefix="dask-report-")) / self._place.name
            self._write_to(other, facts)
            reason = (isinstance(problem, OSError) and problem.strerror) or problem
            problems.append(f"The report could not be written to {self._there} ({reason}). It is in {other}.")
            return other
        finally:
            part.unlink(missing_ok=True)

    def _write_to(self, target: Path, facts: ReportFacts) -> None:
        with target.open("wb") as file, self._beside.open("rb") as recording:
            for piece in page(facts, recording):
                file.write(piece)


def _caller(stacklevel: int) -> FrameType:
    """The frame of a caller, for a method of `Report` that is called by the block: 1 for the block's own.

    Raises
    ------
    ValueError
        There are fewer callers; with a message for users.
    """
    try:
        return sys._getframe(stacklevel + 1)
    except ValueError:
        raise ValueError(
            f"This report has stacklevel={stacklevel}, and its block does not have that many callers: pass a smaller "
            "number; 1 is for the code of the block itself."
        ) from None


def report(
    filename: str | os.PathLike[str] = "dask-report.html",
    stacklevel: int = 1,
    mode: str | None = None,
    storage_options: Mapping[str, Any] | None = None,
    *,
    client: Client | None = None,
    title: str = "",
) -> Report:
    """Write a report of what a cluster does while a block of code runs.

    The report is one HTML file that opens from disk in any browser, without a network: summary, task stream, profile,
    memory and CPU over time, transfers and logs, as interactive as the panes. The arguments are those of
    ``distributed.performance_report``, and more.

    Parameters
    ----------
    filename : str or path
        The file, or a URL that fsspec knows (``s3://…``); an existing one is replaced once the new one is complete.
    stacklevel : int
        Which caller's source is shown as the calling code: 1 for the code with the ``with`` statement, 2 for the caller
        of that code, …
    mode : str, optional
        Accepted for compatibility with ``performance_report``, and ignored: a report holds everything that it needs.
    storage_options : mapping, optional
        Arguments of the file system, for a `filename` that is a URL; see fsspec.
    client : distributed.Client, optional
        The Client whose cluster is reported on; without it the current one.
    title : str
        Headline; the name of the file without it.

    Returns
    -------
    Report
        A context manager, for ``with`` and, with an asynchronous Client, for ``async with``.

    Raises
    ------
    OSError
        At the start, where the file could not be written. At the end nothing is raised: a report that finds no place
        (a full disk) goes to the folder for temporary files, and a warning says where it is; if that has no room
        either, the warning says where the recording is.
    TimeoutError
        At the start, where the scheduler does not answer: the block does not run then.
    ReportPageError
        Where only the source of this package is here, as JupyterLab sends it to a kernel without the package.
    TypeError
        Where `stacklevel` is not a number, or at the start of a ``with`` block, for an asynchronous Client.
    ValueError
        Where there is no Client, fsspec does not know the place, or `storage_options` are given for a plain path; at
        the start of the block, where `stacklevel` exceeds the number of callers.
    ImportError
        Where fsspec lacks the package for the place.
    RuntimeError
        At the start of the block, where the scheduler allows no collector, the Client is closed, or with
        ``dask-panes.enabled: false``.

    Examples
    --------
    >>> with dask_panes.report("report.html"):  # doctest: +SKIP
    ...     result.compute()
    """
    if not isinstance(stacklevel, int):
        raise TypeError(
            "The second argument is a number, as with Dask's performance_report: write client=… for a Client."
        )
    return Report(filename, client, stacklevel, title, storage_options)

"""The switches of Dask's own configuration, section ``dask-panes`` (``dask_panes.yaml`` documents them)."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .presets import for_page as clusters_for_page

logger = logging.getLogger(__name__)

SECTION = "dask-panes"
#: Limits of ring rows: fewer are not useful as history, more would be gigabytes on the scheduler.
LEAST_ROWS, MOST_ROWS = 1_000, 50_000_000
#: Limits of an interval in seconds: below, frames are mostly envelopes; above, a pane looks frozen.
SHORTEST, LONGEST = 0.02, 3600.0
#: Seconds between two signs of activity of a hosted cluster.
ACTIVITY = 60.0
#: Seconds for another process to read the configuration.
PATIENCE = 20.0
#: Prints `KernelOptions.for_page` as JSON. The environment may lack this package.
_PRINT_OPTIONS = """
import json, sys
sys.path.append(sys.argv[1])
from dask_panes.kernel.options import options
print(json.dumps(options().for_page()))
"""


@dataclass(frozen=True)
class KernelOptions:
    """Options of a user or a site.

    Attributes
    ----------
    enabled : bool
        False: the bridge is off in kernels.
    attach : bool
        Whether every Client is attached automatically; else only those passed to ``dask_panes.attach``.
    local : bool
        Whether the local schedulers are observed.
    actions : bool
        Whether pages may act on clusters, such as scale them.
    code : bool
        Whether source code of cells is sent to schedulers, and so to panes, recordings and reports.
    profile_history : bool
        Whether the workers' profiles are also read while no pane is open.
    ring_rows : int
        Executions that the scheduler keeps; None: the collector's own default.
    intervals : dict of str to float
        Minimum seconds between two answers with a topic, by topic; others use the collector's default.
    activity_interval : float
        Seconds between two signs of activity of a hosted cluster that has tasks.
    problems : tuple of str
        Messages about invalid values, for which the defaults apply.
    """

    enabled: bool = True
    attach: bool = True
    local: bool = True
    actions: bool = True
    code: bool = True
    profile_history: bool = True
    ring_rows: int | None = None
    intervals: dict[str, float] = field(default_factory=dict)
    activity_interval: float = ACTIVITY
    problems: tuple[str, ...] = ()

    def for_collector(self) -> dict[str, Any]:
        """Keyword arguments of the collector that differ from its defaults."""
        given: dict[str, Any] = {} if self.code else {"code": False}
        if self.ring_rows is not None:
            given["ring_rows"] = self.ring_rows
        if self.intervals:
            given["intervals"] = dict(self.intervals)
        return given

    def for_page(self) -> dict[str, Any]:
        """The values for JupyterLab's settings, under the names of the front end; intervals in seconds."""
        return {
            "enabled": self.enabled,
            "attach": self.attach,
            "local": self.local,
            "actions": self.actions,
            "code": self.code,
            "profileHistory": self.profile_history,
            "ringRows": self.ring_rows,
            "intervals": dict(self.intervals),
            "activityInterval": self.activity_interval,
            "problems": list(self.problems),
            "clusters": clusters_for_page(),
        }


def options() -> KernelOptions:
    """Read the current configuration; never fails: invalid values are listed in ``problems``."""
    import dask

    problems: list[str] = []
    return KernelOptions(
        enabled=_switch(dask.config.get(f"{SECTION}.enabled", True), "enabled", problems),
        attach=_switch(dask.config.get(f"{SECTION}.attach", True), "attach", problems),
        local=_switch(dask.config.get(f"{SECTION}.local", True), "local", problems),
        actions=_switch(dask.config.get(f"{SECTION}.actions", True), "actions", problems),
        code=_switch(dask.config.get(f"{SECTION}.code", True), "code", problems),
        profile_history=_switch(dask.config.get(f"{SECTION}.profile-history", True), "profile-history", problems),
        ring_rows=_rows(dask.config.get(f"{SECTION}.ring-rows", None), problems),
        intervals=_intervals(dask.config.get(f"{SECTION}.intervals", None), problems),
        activity_interval=_activity(dask.config.get(f"{SECTION}.hosting.activity-interval", ACTIVITY), problems),
        problems=tuple(problems),
    )


def read_in_subprocess() -> dict[str, Any] | None:
    """`KernelOptions.for_page` of a separate process, for one that has not imported Dask; None if there is none.

    It takes about a second, and knows what a new kernel of this environment would: files and environment variables.
    """
    package = str(Path(__file__).parents[2])
    hidden = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    try:
        command = [sys.executable, "-c", _PRINT_OPTIONS, package]
        process = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=True, creationflags=hidden
        )
        values = json.loads(process.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        logger.debug("the configuration could not be read", exc_info=True)
        return None
    return values if isinstance(values, dict) else None


def require_enabled() -> None:
    """Check that the package has not been disabled before an explicit request.

    ``dask-panes.attach: false`` only disables automatic attachment; an explicit Client is attached.

    Raises
    ------
    RuntimeError
        With ``dask-panes.enabled: false``.
    """
    if not options().enabled:
        raise RuntimeError(
            f"Dask's configuration has {SECTION}.enabled: false, so Dask Panes does not run. "
            "Set it to true to record, to report and to read tables."
        )


def _problem(name: str, value: Any, wanted: str) -> str:
    return f"Dask configuration {SECTION}.{name}: {str(value)[:100]!r} is not {wanted}; the default is used."


def _switch(value: Any, name: str, problems: list[str]) -> bool:
    if isinstance(value, bool):
        return value
    problems.append(_problem(name, value, "true or false"))
    return True


def _rows(value: Any, problems: list[str]) -> int | None:
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and LEAST_ROWS <= value <= MOST_ROWS:
        return value
    problems.append(_problem("ring-rows", value, f"a whole number from {LEAST_ROWS} to {MOST_ROWS}"))
    return None


def _activity(value: Any, problems: list[str]) -> float:
    seconds = _seconds(value)
    if 0.1 <= seconds <= LONGEST:
        return seconds
    problems.append(_problem("hosting.activity-interval", value, "a duration from 100 ms to 1 hour, such as 60s"))
    return ACTIVITY


def _seconds(value: Any) -> float:
    """A duration as Dask reads it; NaN for anything else. Dask's error may be any (for an empty text: IndexError)."""
    from dask.utils import parse_timedelta

    try:
        return float(parse_timedelta(value))
    except Exception:
        return float("nan")


def _intervals(value: Any, problems: list[str]) -> dict[str, float]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        problems.append(_problem("intervals", value, "a mapping of topics to durations"))
        return {}
    intervals: dict[str, float] = {}
    for topic, duration in value.items():
        seconds = _seconds(duration)
        if SHORTEST <= seconds <= LONGEST:
            intervals[str(topic)] = seconds
        else:
            problems.append(_problem(f"intervals.{topic}", duration, "a duration from 20 ms to 1 hour, such as 500ms"))
    return intervals

"""Identifies the process of a cluster, so that nobody takes another one for it, or it for one that is gone."""

from __future__ import annotations

from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_PROCESSES = Path("/proc/self/ns/pid")
#: Fields of a process in Linux's ``/proc`` that precede its start, after its name.
_START_FIELD = 19
#: Seconds by which two readings of the same start may differ where it is derived from a clock that can be set.
_CLOCK = 30.0


def space() -> str:
    """The run of this machine and its group of processes: only there does a process id say anything.

    ``""`` where the system does not tell.
    """
    try:
        return f"{_BOOT.read_text().strip()} {_PROCESSES.readlink()}"
    except OSError:
        return ""


def gone(pid: int, born: str) -> bool:
    """Whether the process of this `space` that started then, by its `birth`, has ended."""
    now = birth(pid)
    if not now or not born or _BOOT.exists():
        return now not in (born, None)
    try:
        return abs(float(now) - float(born)) > _CLOCK
    except ValueError:
        return True


def birth(pid: int) -> str | None:
    """When a process of this `space` started: on Linux by a clock that is never set, elsewhere by psutil.

    Returns
    -------
    str or None
        ``""`` if there is no such process, None if the system does not tell.
    """
    if not _BOOT.exists():
        return _created(pid)
    try:
        status = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""
    except OSError:
        return None
    # Ticks since the machine started. The name, in parentheses, may have spaces.
    return status.rpartition(")")[2].split()[_START_FIELD]


def _created(pid: int) -> str | None:
    import psutil

    try:
        return str(psutil.Process(pid).create_time())
    except psutil.NoSuchProcess:
        return ""
    except psutil.Error:
        return None

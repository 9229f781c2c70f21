"""Processes that tests start."""

from __future__ import annotations

import signal
import subprocess


def end(process: subprocess.Popen[str]) -> tuple[str | None, str | None]:
    """End a process that ends with its input, however its test has ended; what it has written.

    One that a test has stopped would not hear of it, and one that hangs is killed.
    """
    process.send_signal(signal.SIGCONT)
    try:
        return process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise

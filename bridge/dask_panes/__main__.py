"""``python -m dask_panes advise run.dask-run``: what holds a recorded run back, for scripts and CI.

The rules are those of the browser: a program for Node.js in this package. See ``python -m dask_panes --help``.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

#: The program; it is built with the extension.
PROGRAM = Path(__file__).parent / "files" / "program.mjs"
#: Oldest release of Node.js with all that the program calls.
OLDEST = 20
#: Exit status of a command that could not be carried out.
FAILED = 2
#: All exit statuses of the program.
STATUS = (0, 1, FAILED)


def main(arguments: Sequence[str]) -> int:
    """Run a command; returns the exit status."""
    if not PROGRAM.is_file():
        return _fail(f"{PROGRAM} is missing: reinstall the package, or build it (npm run build).")
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None:
        return _fail(
            "This command needs Node.js 20 or later, and there is no program named node in PATH. "
            "Install it (https://nodejs.org, or: conda install nodejs), or open the recording in JupyterLab."
        )
    try:
        wrong = _refused(node)
        status = _fail(wrong) if wrong else subprocess.run([node, str(PROGRAM), *arguments], check=False).returncode
    except OSError as error:
        return _fail(f"{node} could not be started: {error}")
    except KeyboardInterrupt:
        return 130
    ended = f"by signal {-status}" if status < 0 else f"with status {status}"
    return status if status in STATUS else _fail(f"{node} ended {ended} before the command was carried out.")


def _refused(node: str) -> str:
    """Why an interpreter cannot run our program, as a sentence; or an empty text.

    An older Node.js does not understand it, and ends with 1, as if a cause had been found.
    """
    asked = subprocess.run([node, "--version"], check=False, capture_output=True, text=True, errors="replace")
    version = re.match(r"v(\d+)\.\S*", asked.stdout)
    if version is None:
        return f"{node} is not Node.js, or does not run: {(asked.stderr or asked.stdout).strip()[:500]}"
    if int(version[1]) < OLDEST:
        return f"Node.js {version[0][1:]} ({node}) is too old; version {OLDEST} or later is needed."
    return ""


def _fail(message: str) -> int:
    sys.stderr.write(f"dask-panes: {message}\n")
    return FAILED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

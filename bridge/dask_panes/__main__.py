"""``python -m dask_panes advise run.dask-run``: what holds a recorded run back, for scripts and CI.

The rules are those of the browser: a program for Node.js in this package. See ``python -m dask_panes --help``.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

#: The program; it is built with the extension.
PROGRAM = Path(__file__).parent / "files" / "program.mjs"
#: Exit status of a command that could not be carried out.
FAILED = 2


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
        return subprocess.run([node, str(PROGRAM), *arguments], check=False).returncode
    except OSError as error:
        return _fail(f"{node} could not be started: {error}")
    except KeyboardInterrupt:
        return 130


def _fail(message: str) -> int:
    sys.stderr.write(f"dask-panes: {message}\n")
    return FAILED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

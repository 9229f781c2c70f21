"""Two of three attempts fail; the twin's do not."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from distributed import Client

CAUSE = "retries"
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def flaky(folder: str, number: int, failures: int) -> int:
    """Fails at first."""
    time.sleep(0.15)
    path = Path(folder) / str(number)
    count = int(path.read_text()) if path.exists() else 0
    path.write_text(str(count + 1))
    if count < failures:
        raise OSError(f"the store did not answer {os.getpid()}")
    return number


def run(client: Client, failures: int) -> None:
    """Forty tasks."""
    with tempfile.TemporaryDirectory() as folder:
        client.gather(client.map(flaky, [folder] * 40, range(40), [failures] * 40, retries=3, pure=False))


def bad(client: Client) -> None:
    """Three attempts each."""
    run(client, 2)


def healthy(client: Client) -> None:
    """One each."""
    run(client, 0)

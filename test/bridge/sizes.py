"""How many tasks the largest tests have."""

from __future__ import annotations

import os

#: 1 with `npm run test:faults -- large`: several minutes, most of them Dask's own work.
SHARE = float(os.environ.get("DASK_PANES_TEST_SHARE", "0.2"))


def tasks(number: int) -> int:
    """The number of tasks that a test has here, of the number that it has in full size."""
    return round(number * SHARE)

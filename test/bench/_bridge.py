"""What the tests of the bridge have for speaking with a session and a kernel, for the benchmarks."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bridge"))

from jupyter import RealKernel
from tabs import Session, Subscriber, Tab, session_of

__all__ = ["RealKernel", "Session", "Subscriber", "Tab", "session_of"]

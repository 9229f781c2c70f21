"""Parts of the collector that raised: each is left alone for a while, longer each time, and readers are told."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import NamedTuple, TypeVar

from .plain import text

#: Seconds for which a part rests after its first failure in a row, and at most.
REST, LONGEST_REST = 5.0, 300.0
#: Characters of a reason.
REASON = 300
#: The step of what Dask calls.
HOOK = "hook"

Result = TypeVar("Result")


class Refusal(Exception):
    """A question cannot be answered, with a sentence for people. An answer like others: no log shows it as an error."""


class Fault(NamedTuple):
    """Why a part rests."""

    #: Of `time.monotonic`.
    until: float
    seconds: float
    #: What of the part failed: only when the same works again, the part works.
    step: str
    reason: str


class Faults:
    """What fails now, by the name of the part."""

    def __init__(self) -> None:
        self._resting: dict[str, Fault] = {}

    def rest(self, part: str) -> float:
        """Seconds for which a part is to be left alone; 0 or less where it may be tried."""
        if not self._resting:
            return 0.0
        found = self._resting.get(part)
        return 0.0 if found is None else found.until - monotonic()

    def note(self, part: str, error: Exception, step: str = HOOK) -> None:
        """A part raised."""
        if self.rest(part) > 0:
            return
        before = self._resting.get(part)
        again = before is not None and before.step == step != HOOK
        seconds = min(2 * before.seconds, LONGEST_REST) if before is not None and again else REST
        reason = text(f"{type(error).__name__}: {text(error)}", REASON)
        self._resting[part] = Fault(monotonic() + seconds, seconds, step, reason)

    def guard(self, part: str, step: str, function: Callable[[], Result], otherwise: Result) -> Result:
        """Run a step of a part unless the part rests; what it returns, or `otherwise`."""
        if self._resting and self.rest(part) > 0:
            return otherwise
        try:
            result = function()
        except Exception as error:
            self.note(part, error, step)
            return otherwise
        if self._resting and part in self._resting and self._resting[part].step == step:
            del self._resting[part]
        return result

    def told(self) -> list[str]:
        """A sentence for people about each part that fails."""
        # A hook is not tried again: it is called when something happens.
        for part in [part for part, fault in self._resting.items() if fault.step == HOOK and self.rest(part) <= 0]:
            del self._resting[part]
        return [
            f"{part}: not up to date, since our code on the scheduler failed ({fault.reason}). It is tried again."
            for part, fault in self._resting.items()
        ]

"""Parts of the collector that raised: each is suspended for a while, longer each time, and readers are notified."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from .plain import text

#: Suspension of a part after its first consecutive failure, and the maximum, seconds.
REST, LONGEST_REST = 5.0, 300.0
#: Maximum characters of a reason.
REASON = 300
#: Step name for calls from Dask.
HOOK = "hook"

Result = TypeVar("Result")


class Refusal(Exception):
    """A request cannot be answered; the message is for users. A normal answer: it is not logged as an error."""


class Fault(NamedTuple):
    """Why a part is suspended."""

    #: Value of `time.monotonic`.
    until: float
    seconds: float
    #: The step that failed: the part counts as working only when the same step succeeds.
    step: str
    reason: str


class Faults:
    """Current failures, by part name."""

    def __init__(self) -> None:
        self._resting: dict[str, Fault] = {}
        self._skipped: dict[str, int] = {}

    def skip(self, part: str, executions: int) -> None:
        """A part has not counted executions, and will not: it was suspended, or raised for one of them."""
        self._skipped[part] = self._skipped.get(part, 0) + executions

    def rest(self, part: str) -> float:
        """Seconds until a part may be tried again; 0 or less if it may be tried now."""
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
        """Run a step of a part unless the part is suspended; returns its result, or `otherwise`."""
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

    def messages(self) -> list[str]:
        """A message for users about each failing part."""
        # A hook is not retried: it is called when something happens.
        for part in [part for part, fault in self._resting.items() if fault.step == HOOK and self.rest(part) <= 0]:
            del self._resting[part]
        return [
            *(
                f"{part}: not up to date, because our code on the scheduler failed ({fault.reason}). It is tried again."
                for part, fault in self._resting.items()
            ),
            *(
                f"{part}: up to {executions:,} executions are not counted, because our code on the scheduler failed."
                for part, executions in self._skipped.items()
            ),
        ]


def guarded(part: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A method that Dask calls: its errors are recorded as a fault of a part, since Dask writes a plugin's exceptions
    into the scheduler's log; for a cluster in a kernel, that is below the user's cell.
    """

    def decorate(method: Callable[..., None]) -> Callable[..., None]:
        @wraps(method)
        def called(self: Any, *args: Any, **kwargs: Any) -> None:
            try:
                method(self, *args, **kwargs)
            except Exception as error:
                self.faults.note(part, error)

        return called

    return decorate

"""What looking at the scheduler costs: samples of all workers, and scans for what readers want.

Guarantees: all scans together take `SCANS` of a core, a mean over some seconds. Where they would take more, the
intervals between them get longer, at most `LONGEST_STRETCH` times as long; expensive tables are sent within what scans
and samples leave (`pace`).
"""

from __future__ import annotations

#: Fraction of a core for all scans together.
SCANS = 0.005
#: How much longer their intervals get at most.
LONGEST_STRETCH = 4.0
#: Seconds of the means.
MEAN = 10.0


class Load:
    """The cost of samples and scans, a mean of the last seconds.

    Attributes
    ----------
    stretch : float
        How many times as long as otherwise the intervals between scans are.
    """

    def __init__(self) -> None:
        self.stretch = 1.0
        #: Time of the last note, None before the first, and CPU seconds until then.
        self._at: float | None = None
        self._scanned = self._sampled = 0.0
        #: Fractions of a core: of scans if their intervals were as usual, and of samples.
        self._scans = self._samples = 0.0

    @property
    def share(self) -> float:
        """Fraction of a core that samples and scans take."""
        return self._scans / self.stretch + self._samples

    def note(self, now: float, scanned: float, sampled: float) -> None:
        """The CPU seconds of all scans and of all samples until now, by `time.monotonic`."""
        if self._at is not None and now > self._at:
            passed = now - self._at
            weight = min(1.0, passed / MEAN)
            self._scans += weight * (self.stretch * (scanned - self._scanned) / passed - self._scans)
            self._samples += weight * ((sampled - self._sampled) / passed - self._samples)
            self.stretch = min(LONGEST_STRETCH, max(1.0, self._scans / SCANS))
        self._at, self._scanned, self._sampled = now, scanned, sampled

"""The topics that a session gathers from the workers itself: to add one, add its source."""

from __future__ import annotations

from .logs import LogsSource
from .profile import ProfileSource
from .sources import Source
from .transfers import TransfersSource


def make_sources() -> list[Source]:
    """A source for each gathered topic."""
    return [ProfileSource("profile"), ProfileSource("loops"), TransfersSource(), LogsSource()]

"""The interpreter's switch interval is ours only for the moment of a send."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from dask_panes.kernel.turns import WHILE_SENDING, short_turns


@pytest.fixture(autouse=True)
def interval() -> Iterator[float]:
    before = sys.getswitchinterval()
    yield before
    sys.setswitchinterval(before)


def test_turns_are_short_for_a_moment(interval: float) -> None:
    with short_turns():
        assert sys.getswitchinterval() == pytest.approx(WHILE_SENDING)
    assert sys.getswitchinterval() == interval


def test_what_is_raised_leaves_the_interval_as_it_was(interval: float) -> None:
    with pytest.raises(OSError), short_turns():
        raise OSError
    assert sys.getswitchinterval() == interval


@pytest.mark.parametrize("chosen", [0.1, 0.0001])
def test_what_a_person_sets_meanwhile_stays(chosen: float) -> None:
    with short_turns():
        sys.setswitchinterval(chosen)
    assert sys.getswitchinterval() == pytest.approx(chosen)


def test_shorter_turns_of_a_person_stay() -> None:
    sys.setswitchinterval(0.0001)
    with short_turns():
        assert sys.getswitchinterval() == pytest.approx(0.0001)
    assert sys.getswitchinterval() == pytest.approx(0.0001)

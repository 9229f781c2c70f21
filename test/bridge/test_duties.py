"""Work in slices: its order, its errors and its end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from dask_panes.scheduler.collector.duties import Duties
from dask_panes.scheduler.collector.faults import Faults


async def test_a_duty_that_raises_is_reported_under_its_part_and_the_others_go_on() -> None:
    done: list[str] = []
    faults = Faults()
    duties = Duties(faults, lambda: done.append("all"))

    def failing() -> Iterator[None]:
        done.append("a")
        yield
        raise RuntimeError("why")

    def steps() -> Iterator[None]:
        for name in "bcd":
            done.append(name)
            yield

    duties.add("executions", failing())
    duties.add("series", steps())
    duties.once("held", "scan", lambda: done.append("e"))
    duties.go_on()
    await asyncio.wait_for(duties.finished(), 10)
    assert done == [*"abcde", "all"]
    (message,) = faults.messages()
    assert message.startswith("executions: ") and "why" in message

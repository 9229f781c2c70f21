"""What looking for a reader's news costs the scheduler."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import process_time
from typing import Any

import pytest
from distributed import Scheduler
from distributed.metrics import time

from dask_panes.scheduler.collector.plugin import Collector
from dask_panes.scheduler.collector.polls import Polls
from reader import TOPICS


@asynccontextmanager
async def collecting() -> AsyncIterator[Collector]:
    """A collector on a scheduler without workers."""
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        collector = Collector()
        await collector.start(scheduler)
        scheduler.plugins[collector.name] = collector
        yield collector
        await collector.close()


def end_task(collector: Collector, number: int) -> None:
    """One execution ends, as the scheduler tells the hook."""
    key = f"f-{number:032x}"
    collector.scheduler.new_task(key, None, "released")
    collector.transition(
        key,
        "processing",
        "memory",
        worker="tcp://127.0.0.1:1",
        thread=1,
        startstops=[{"action": "compute", "start": time(), "stop": time()}],
        nbytes=1,
        typename="int",
    )


async def poll(collector: Collector, answers: list[dict[str, Any]], topics: list[str] = TOPICS) -> None:
    """Read until the collector closes."""
    cursor: dict[str, int] = {}
    while not collector.closed:
        answer = await collector.read("reader", collector.feed, collector.epoch, cursor, topics, 30.0)
        cursor = answer["cursor"]
        answers.append(answer)


async def test_news_are_looked_for_about_once_for_each_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = 0
    due = Polls._due

    def counted(*args: Any) -> Any:
        nonlocal looks
        looks += 1
        return due(*args)

    monkeypatch.setattr(Polls, "_due", counted)
    answers: list[dict[str, Any]] = []
    async with collecting() as collector:
        reading = asyncio.create_task(poll(collector, answers))
        while not answers:
            await asyncio.sleep(0.01)
        first, looks, begin = len(answers), 0, time()
        number = 0
        while time() < begin + 3 or len(answers) < first + 20:
            end_task(collector, number)
            number += 1
            await asyncio.sleep(0.003)
        # And with each of the four ticks a second.
        assert looks <= 1.5 * (len(answers) - first) + 4 * (time() - begin)
    await reading
    assert sum(answer["topics"]["tasks"]["s"]["end"] == number for answer in answers if "tasks" in answer["topics"])


async def test_what_looking_costs_counts_in_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    due = Polls._due

    def slow(*args: Any) -> Any:
        begin = process_time()
        while process_time() < begin + 3e-3:
            pass
        return due(*args)

    monkeypatch.setattr(Polls, "_due", slow)
    answers: list[dict[str, Any]] = []
    async with collecting() as collector:
        reading = asyncio.create_task(poll(collector, answers, ["tasks"]))
        end = time() + 20
        while len(answers) < 10 and time() < end:
            end_task(collector, len(collector.scheduler.tasks))
            await asyncio.sleep(0.01)
        # A mean that follows slowly: 5 % of each.
        assert collector.pace.answer_cost >= 3e-3 * (1 - 0.95**10)
    await reading


async def test_an_answer_after_another_waits_no_longer_than_its_turn() -> None:
    """What happens just after an answer is sent as soon as the pace allows, and a recalled poll at once."""
    answers: list[dict[str, Any]] = []
    async with collecting() as collector:
        reading = asyncio.create_task(poll(collector, answers, ["events"]))
        while not answers or collector.pace.readers["reader"].future is None:
            await asyncio.sleep(0.01)
        for number in range(5):
            count = len(answers)
            # The first read of `events` is of its own history; each further one is of this event.
            collector.scheduler.log_event("mine", {"number": number})
            begin = time()
            while len(answers) == count:
                await asyncio.sleep(0.001)
            assert time() - begin < max(0.05, collector.pace.interval) + 1.0
        collector.pace.answer_cost = 1.0
        for number in range(5, 7):
            collector.scheduler.log_event("mine", {"number": number})
            count = len(answers)
            collector.pace.hurry()
            while len(answers) == count:
                await asyncio.sleep(0.001)
    await reading

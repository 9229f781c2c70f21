"""Positions of tabs: the most advanced one, from which the scheduler is read, and what another tab lacks of it.

Guarantees: pure functions of positions; a position never goes back within a feed and epoch.
"""

from __future__ import annotations

from collections.abc import Iterable

from .subscriber import Subscriber
from .trim import name_cursors


def head_of(subscribers: Iterable[Subscriber], newest: tuple[str, int]) -> Subscriber:
    """The most advanced position of all tabs: no sink, the union of topics.

    Parameters
    ----------
    newest : (str, int)
        Feed and epoch of the newest answer. Feeds cannot be ordered: the one last received wins.
    """
    head = Subscriber(lambda data, seq: None)
    topics: dict[str, None] = {}
    for subscriber in subscribers:
        topics.update(dict.fromkeys(subscriber.topics))
        if not subscriber.cursor:
            continue
        if subscriber.feed != head.feed or subscriber.epoch > head.epoch:
            if not head.feed or (subscriber.feed, subscriber.epoch) == newest:
                head.feed, head.epoch, head.cursor = subscriber.feed, subscriber.epoch, dict(subscriber.cursor)
            continue
        for name, value in subscriber.cursor.items():
            head.cursor[name] = max(head.cursor.get(name, 0), value)
    head.topics = tuple(topics)
    return head


def lacks(subscriber: Subscriber, head: Subscriber) -> bool:
    """Whether a tab in the head's feed has fewer rows or names than the head."""
    have, there = subscriber.cursor, head.cursor
    return any(have.get(topic, -1) < there.get(topic, 0) for topic in subscriber.topics) or any(
        have.get(name, 0) < there.get(name, 0) for name in name_cursors(subscriber.topics)
    )


def behind(subscriber: Subscriber, head: Subscriber) -> bool:
    """Whether a tab is in another feed or epoch than the head, or lacks something."""
    if (subscriber.feed, subscriber.epoch) != (head.feed, head.epoch) or not subscriber.cursor:
        return True
    return lacks(subscriber, head)

"""Positions of tabs: the most advanced one, what another tab lacks of it, and where a common read begins.

Guarantees: nothing here reads or sends; a position never goes back within a feed and epoch.
"""

from __future__ import annotations

from collections.abc import Iterable

from .subscriber import Subscriber
from .trim import name_cursors

#: Answers to the common poll after which a tab that had no part in them reads separately.
MISSED = 10


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


def elsewhere(subscriber: Subscriber, head: Subscriber) -> bool:
    """Whether a tab is in another feed or epoch than the head, or is new to one of its topics."""
    return (subscriber.feed, subscriber.epoch) != (head.feed, head.epoch) or not (
        subscriber.cursor and all(topic in subscriber.cursor for topic in subscriber.topics)
    )


def base_of(subscribers: Iterable[Subscriber], head: Subscriber) -> Subscriber:
    """The least advanced position of tabs in the head's feed: what any of them lacks comes after it.

    Returns
    -------
    Subscriber
        No sink, the union of topics.
    """
    base = Subscriber(lambda data, seq: None)
    base.feed, base.epoch = head.feed, head.epoch
    topics: dict[str, None] = {}
    for subscriber in subscribers:
        topics.update(dict.fromkeys(subscriber.topics))
        for name in (*subscriber.topics, *name_cursors(subscriber.topics)):
            have = subscriber.cursor.get(name, 0)
            base.cursor[name] = min(have, base.cursor.get(name, have))
    base.topics = tuple(topics)
    return base


class Positions:
    """Where the tabs of a session are.

    Parameters
    ----------
    subscribers : set of Subscriber
        The tabs; a reference is kept.

    Attributes
    ----------
    newest : (str, int)
        Feed and epoch of the newest answer.
    """

    def __init__(self, subscribers: set[Subscriber]) -> None:
        self._subscribers = subscribers
        self.newest = ("", -1)
        #: Number of answers to the common poll.
        self._answers = 0

    def head(self) -> Subscriber:
        """The most advanced position."""
        return head_of(self._subscribers, self.newest)

    def able(self, subscriber: Subscriber) -> bool:
        """Whether a tab can be sent something that it is not being sent already."""
        return bool(subscriber.topics) and subscriber.credit and not subscriber.catching_up

    def behind(self, subscriber: Subscriber) -> bool:
        """Whether the common poll is not for this tab.

        A tab that only lacks what another one has just read separately takes it from the common poll. If it read
        separately as well, that would put others behind, and so on: twenty tabs read two thousand times a second.
        """
        head = self.head()
        missed = self._answers - subscriber.answered
        return elsewhere(subscriber, head) or (missed > MISSED and lacks(subscriber, head))

    def together(self) -> list[Subscriber]:
        """The tabs for which the common poll is now."""
        return [each for each in self._subscribers if self.able(each) and not self.behind(each)]

    def common(self) -> Subscriber:
        """Where all tabs can be read from that are in the newest feed, with credit or not."""
        head = self.head()
        return base_of([each for each in self._subscribers if each.topics and not elsewhere(each, head)], head)

    def answered(self, subscriber: Subscriber) -> None:
        """A tab has part in the newest answer to the common poll."""
        subscriber.answered = self._answers

    def count(self) -> None:
        """There is another answer to the common poll."""
        self._answers += 1

    def arrived(self, subscriber: Subscriber, before: Subscriber) -> bool:
        """Whether a tab that reads separately is at least where the others were before that.

        Parameters
        ----------
        before : Subscriber
            The head at that time. Where the others have come to meanwhile does not count.
        """
        goal = before if (before.feed, before.epoch) == self.newest else self.head()
        if elsewhere(subscriber, goal) or lacks(subscriber, goal):
            return False
        self.answered(subscriber)
        return True

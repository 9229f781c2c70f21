"""Frames to tabs: an answer of the collector, and what the session gathers from the workers itself.

Guarantees: a tab gets a frame only for topics that it wants, and its position is that of the frame; a topic that
cannot be encoded costs only itself; nothing gathered is sent to a tab that is in another feed.
"""

from __future__ import annotations

from typing import Any

from ...feed.codec import encode
from ..gather.sources import Sources
from .link import Link
from .subscriber import Subscriber
from .trim import ahead, name_cursors
from .work import Work


def send(subscriber: Subscriber, answer: dict[str, Any], sources: Sources, work: Work) -> None:
    """Send an answer of the collector to a tab, which then is at the answer's position."""
    topics = {name: body for name, body in answer["topics"].items() if name in subscriber.topics}
    if answer["feed"] == subscriber.feed and answer["epoch"] == subscriber.epoch:
        cursor = {**subscriber.cursor, **ahead(answer["cursor"], subscriber.cursor, subscriber.topics)}
    else:
        wanted = {*subscriber.topics, *name_cursors(subscriber.topics)}
        cursor = {name: count for name, count in answer["cursor"].items() if name in wanted}
    subscriber.move(answer["feed"], answer["epoch"], cursor)
    positions = {**cursor, **sources.cursor(subscriber.positions)}
    subscriber.send(_encoded({**answer, "topics": topics, "cursor": positions}, subscriber.seq, work))


def send_gathered(subscriber: Subscriber, sources: Sources, link: Link, work: Work) -> bool:
    """Send a tab some of what it lacks of the gathered topics; returns whether there was any."""
    topics, after = sources.news(subscriber.gathered, subscriber.positions)
    if not topics:
        return False
    subscriber.positions.update(after)
    frame = {
        "feed": subscriber.feed,
        "epoch": subscriber.epoch,
        "time": link.clock,
        "names": {},
        "cursor": {**subscriber.cursor, **sources.cursor(subscriber.positions)},
        "topics": topics,
    }
    subscriber.send(_encoded(frame, subscriber.seq, work))
    return True


def _encoded(answer: dict[str, Any], seq: int, work: Work) -> bytes:
    """A frame; a topic that cannot be encoded is skipped and reported."""
    try:
        return encode(answer, seq)
    except Exception:
        topics: dict[str, Any] = {}
        for name, body in answer["topics"].items():
            try:
                encode({**answer, "names": {}, "topics": {name: body}}, seq)
                topics[name] = body
            except Exception as error:
                work.report(name, error)
        return encode({**answer, "topics": topics}, seq)

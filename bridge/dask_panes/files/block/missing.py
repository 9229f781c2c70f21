"""Messages for users about missing data in a recording or a report."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ...kernel.gather.probe import SCHEDULER

#: Number of workers listed by name when their data is missing.
NAMED = 20


def missing(
    names: Sequence[Mapping[str, Any]],
    unread: Mapping[int, str],
    late: Mapping[int, str] | None = None,
    left: Collection[int] = (),
    unheard: Collection[int] = (),
    unheard_first: Collection[int] = (),
    refusal: str = "",
    refusal_first: str = "",
) -> list[str]:
    """List the servers with missing data, and what is missing.

    Parameters
    ----------
    names : sequence of mapping
        Facts of the workers by id.
    unread : mapping of int to str
        Servers that could not be read at the end, with the reason.
    late : mapping of int to str, optional
        Servers that did not answer at the start, with the reason.
    left : collection of int
        Workers that left meanwhile.
    unheard, unheard_first : collection of int
        Workers that answered, but sent no heartbeat, at the end and at the start.
    refusal, refusal_first : str
        Why no worker took requests, at the end and at the start; else empty texts.

    Returns
    -------
    list of str
        One message each for the first of them, one for the others.
    """
    workers = {server: reason for server, reason in unread.items() if server != SCHEDULER}
    gone = sorted(set(left) - workers.keys())

    def name(found: int) -> str:
        worker = names[found] if 0 <= found < len(names) else {}
        return str(worker.get("name") or worker.get("address") or found)

    sentences = [
        f"Worker {name(found)} could not be read at the end ({reason}): its last profile samples, "
        "transfers, log lines and figures are missing."
        for found, reason in sorted(workers.items())[:NAMED]
    ]
    sentences += _further(len(workers), "could not be read at the end")
    sentences += [
        f"Worker {name(found)} did not answer at the beginning ({reason}): what it did until it answered is missing."
        for found, reason in sorted((late or {}).items())[:NAMED]
    ]
    sentences += _further(len(late or {}), "did not answer at the beginning")
    sentences += [
        f"Worker {name(found)} left during the block: what it did in its last seconds is missing."
        for found in gone[:NAMED]
    ]
    sentences += _further(len(gone), "left during the block")
    for stale, what, when in (
        (unheard, "its last figures and activities are missing", "end"),
        (unheard_first, "its activities may have what it did before", "beginning"),
    ):
        silent = sorted(set(stale) - workers.keys() - set(gone))
        said = f"sent no heartbeat at the {when}"
        sentences += [f"Worker {name(found)} {said} of the block: {what}." for found in silent[:NAMED]]
        sentences += _further(len(silent), f"{said} of the block")
    if refusal and refusal_first:
        sentences.append(
            f"The workers refuse requests ({refusal}): their profiles, transfers and log lines are missing, their last "
            "figures and activities may be, and their activities may have what they did before the block."
        )
    elif refusal:
        sentences.append(
            f"The workers refused requests at the end ({refusal}): profiles, transfers and log lines since they did so "
            "are missing, their last figures and activities may be."
        )
    elif refusal_first:
        sentences.append(
            f"The workers refused requests at the beginning ({refusal_first}): profiles, transfers and log lines from "
            "before they took them are missing, and their activities may have what they did before the block."
        )
    if unread.get(SCHEDULER):
        sentences.append(f"Profiles, transfers and logs are not complete: {unread[SCHEDULER].rstrip('.')}.")
    return sentences


def _further(count: int, what: str) -> list[str]:
    """What holds for the workers that are not named, as a message."""
    more = count - NAMED
    return [f"{more} further {'worker' if more == 1 else 'workers'} {what}."] if more > 0 else []

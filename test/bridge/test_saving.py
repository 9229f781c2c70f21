"""Recordings of what a scheduler has, as a page fetches them."""

from __future__ import annotations

import time
from typing import Any

import pytest
from distributed import Client, wait

from dask_panes.feed import decode
from dask_panes.files import saving
from restart import restartable
from tabs import session_of


def test_parts_that_are_fetched_slowly_are_kept_until_nobody_asks_any_more(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saving, "KEPT_SECONDS", 3.0)
    monkeypatch.setattr(saving, "PART_BYTES", 3)
    with session_of(client) as session:
        answer = client.sync(saving.save, session, {"topics": ["meta"]})
        while answer.get("pending"):
            answer = client.sync(saving.save, session, {"id": answer["id"]})
        begun = time.monotonic()
        part = {"id": answer["id"], "offset": 0}
        while time.monotonic() - begun < 2 * saving.KEPT_SECONDS:
            assert client.sync(saving.saved, session, part)
            time.sleep(0.1)
        patience = time.monotonic() + 60
        while answer["id"] in saving._kept:
            assert time.monotonic() < patience
            time.sleep(0.1)
        with pytest.raises(LookupError, match="too late"):
            client.sync(saving.saved, session, part)


def test_a_restart_while_a_history_is_sent_does_not_keep_it_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saving, "PATIENCE_SECONDS", 60.0)
    with restartable() as client, session_of(client) as session:
        wait(client.map(abs, range(500), pure=False))
        asked, restarts = session.ask, []

        async def ask(op: str, args: dict[str, Any]) -> Any:
            answer = await asked(op, args)
            if op == "end" and not restarts:
                # After it has said how far the history goes.
                restarts.append(answer)
                await client.restart(wait_for_workers=False)
            return answer

        monkeypatch.setattr(session, "ask", ask)
        begun = time.monotonic()
        frames = [decode(data) for data in client.sync(saving.frames_of, session, ["meta", "tasks", "graph"])]
        assert time.monotonic() - begun < saving.PATIENCE_SECONDS
    (before,) = restarts
    assert before["cursor"]["graph"] > 0
    assert {frame["epoch"] for frame in frames} == {before["epoch"] + 1}
    # Executions outlive a restart.
    assert sum(len(frame["topics"].get("tasks", {"c": {"start": ()}})["c"]["start"]) for frame in frames) == 500

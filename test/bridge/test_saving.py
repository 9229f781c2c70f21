"""Recordings of what a scheduler has, as a page fetches them."""

from __future__ import annotations

import time

import pytest
from distributed import Client

from dask_panes.files import saving
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

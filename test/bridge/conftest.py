"""What holds for every test of the bridge."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from distributed import Client


@pytest.fixture(autouse=True)
def every_client_is_closed() -> Iterator[None]:
    """A client that is left open would be found by the next test, which looks for all clients of the process."""
    yield
    left = [client for client in Client._instances if client.status not in ("closed", "closing")]
    for client in left:
        client.close()
    assert not left

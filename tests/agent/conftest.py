"""Fixtures of the agent tests: a room (the real store with one account), closed at the end."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.mailroom import Room


@pytest.fixture
def anyio_backend() -> str:
    """asyncio only: LangGraph and aiosqlite need it."""
    return "asyncio"


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A fresh store."""
    with Room(tmp_path) as made:
        yield made

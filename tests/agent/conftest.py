"""Fixtures of the agent tests: a room (the real store with one account), closed at the end."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from app.agent.models import close_door
from fakes.mailroom import Room
from fakes.model_server import ModelServer


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A fresh store."""
    with Room(tmp_path) as made:
        yield made


@pytest.fixture
async def model(anyio_backend: str) -> AsyncIterator[ModelServer]:
    """A scripted model; litellm's connections to it are closed at the end."""
    with ModelServer() as server:
        yield server
        await close_door()

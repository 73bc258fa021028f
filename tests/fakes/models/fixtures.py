"""Fixtures: a real store with one account, a scripted model, the embedder and the trained triage."""

from collections.abc import AsyncIterator

import pytest

from app.agent.llm.litellm_setup import close_litellm
from app.agent.retrieval import MiniLm
from app.agent.triage.classifier import LocalTriage
from fakes.models.model_server import ModelServer


@pytest.fixture
async def model(anyio_backend: str) -> AsyncIterator[ModelServer]:
    """A scripted model. litellm's connections to it are closed at the end."""
    with ModelServer() as server:
        yield server
        await close_litellm()


@pytest.fixture(scope="session")
def embedder() -> MiniLm:
    """The real embedding model."""
    return MiniLm.open()


@pytest.fixture(scope="session")
def triage(embedder: MiniLm) -> LocalTriage:
    """Local triage trained on the shipped examples."""
    return LocalTriage()

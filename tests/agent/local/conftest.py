"""The embedder and the trained triage, loaded once for the room."""

import pytest

from app.agent.embedding import MiniLm
from app.agent.local.classifier import LocalTriage


@pytest.fixture(scope="session")
def embedder() -> MiniLm:
    """The real model."""
    return MiniLm.open()


@pytest.fixture(scope="session")
def triage(embedder: MiniLm) -> LocalTriage:
    """Trained on the shipped examples."""
    return LocalTriage.train(embedder)

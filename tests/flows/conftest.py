"""Flows run on asyncio, over real processes."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """asyncio only: the program knows no other loop."""
    return "asyncio"

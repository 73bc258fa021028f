"""The engine runs on asyncio."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """asyncio only: the program knows no other loop."""
    return "asyncio"

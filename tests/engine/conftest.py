"""The engine runs on asyncio."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fakes.engine_parts import Parts, engine_parts


@pytest.fixture
async def parts(tmp_path: Path, anyio_backend: str) -> AsyncIterator[Parts]:
    """A store with one account, and the events told."""
    async with engine_parts(tmp_path) as parts:
        yield parts

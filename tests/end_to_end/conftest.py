"""An engine process over a local Gmail server."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fakes.gmail.sending import Stage, staged


@pytest.fixture
async def stage(tmp_path: Path, anyio_backend: str) -> AsyncIterator[Stage]:
    """A fresh engine over an empty mailbox."""
    async with staged(tmp_path / "data") as made:
        yield made

"""Fixtures: the parts of an engine over a real store, and the assistant's worker."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fakes.engine.assistant_worker import AssistantBench
from fakes.engine.engine_parts import Parts, engine_parts


@pytest.fixture
async def parts(tmp_path: Path, anyio_backend: str) -> AsyncIterator[Parts]:
    """A store with one account, and recorded events."""
    async with engine_parts(tmp_path) as parts:
        yield parts


@pytest.fixture
async def bench(parts: Parts) -> AsyncIterator[AssistantBench]:
    """The assistant's worker and its dependencies."""
    bench = AssistantBench(parts)
    yield bench
    bench.desk.stop()

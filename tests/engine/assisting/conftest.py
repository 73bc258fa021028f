"""The assistant over real tables."""

from collections.abc import AsyncIterator

import pytest

from fakes.assistant_bench import AssistantBench
from fakes.engine_parts import Parts


@pytest.fixture
async def bench(parts: Parts) -> AsyncIterator[AssistantBench]:
    """A worker's surroundings, in order."""
    bench = AssistantBench(parts)
    yield bench
    bench.telling.stop()

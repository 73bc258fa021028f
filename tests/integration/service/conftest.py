"""A small graph, served."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.engine.store.fixtures import room
from fakes.models.graph import SmallGraph
from fakes.models.graph_service import Served, served

__all__ = ["graph", "room", "service"]


@pytest.fixture
def graph() -> SmallGraph:
    return SmallGraph()


@pytest.fixture
def service(graph: SmallGraph, tmp_path: Path) -> Iterator[Served]:
    with served(graph.built(), tmp_path / "checkpoints.db") as found:
        yield found

"""The parts of an engine over a real store."""

from fakes.engine.fixtures import bench, parts
from fakes.engine.store.fixtures import room

__all__ = ["bench", "parts", "room"]

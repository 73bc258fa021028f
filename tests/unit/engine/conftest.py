"""The parts of an engine over a real store."""

from fakes.engine.fixtures import bench, parts

__all__ = ["bench", "parts"]

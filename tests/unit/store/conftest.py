"""A real database file for each test."""

from fakes.engine.store.fixtures import account, clock, db, room

__all__ = ["account", "clock", "db", "room"]

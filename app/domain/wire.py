"""What crosses the link between window and engine: each kind is a base class. A class's name is its name on the wire."""

from app.domain.record import Record


class Command(Record):
    """Changes something. Returns nothing; events report the result."""


class Query(Record):
    """Is awaited and returns an `Answer`."""


class Answer(Record):
    """The result of a query."""


class Event(Record):
    """Reports a change to the window."""

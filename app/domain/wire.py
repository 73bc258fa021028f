"""What crosses the link between window and engine: each kind is a base class. A class's name is its name on the wire."""


class Command:
    """Changes something. Returns nothing; events report the result."""

    __slots__ = ()


class Query:
    """Is awaited and returns an `Answer`."""

    __slots__ = ()


class Answer:
    __slots__ = ()


class Event:
    """Reports a change to the window."""

    __slots__ = ()

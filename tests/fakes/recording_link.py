"""The window's end of the wire as a double: it records commands, answers queries from a table, and tells events."""

from collections.abc import Awaitable, Callable

from app.domain.commands import Answer, Command, Query
from app.domain.errors import ExpectedError
from app.domain.events import Event


class RecordingLink:
    """Implements `EngineLink`. `answers` holds what `ask` returns or raises, by query class."""

    def __init__(self) -> None:
        self.sent: list[Command] = []
        self.asked: list[Query] = []
        self.answers: dict[type[Query], Answer | ExpectedError] = {}
        self._listeners: list[Callable[[Event], None]] = []

    def send(self, command: Command) -> None:
        """Record."""
        self.sent.append(command)

    def ask(self, query: Query) -> Awaitable[Answer]:
        """Answer from the table."""
        return self._answer(query)

    def subscribe(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """As the port says."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def tell(self, event: Event) -> None:
        """The engine says something."""
        for listener in tuple(self._listeners):
            listener(event)

    async def _answer(self, query: Query) -> Answer:
        self.asked.append(query)
        answer = self.answers[type(query)]
        if isinstance(answer, ExpectedError):
            raise answer
        return answer

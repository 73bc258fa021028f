"""The window's end of the wire without an engine: commands are kept, answers are given by the test, events are told by it."""

import asyncio
from collections.abc import Awaitable, Callable

from app.domain.errors import ExpectedError
from app.domain.protocol.commands import Answer, Command, Query
from app.domain.protocol.events import Event


class RecordedEngine:
    """An `EngineLink`. A question waits until `answer` or `refuse` settles the oldest open one, or the oldest of a kind."""

    def __init__(self) -> None:
        self.commands: list[Command] = []
        self.queries: list[Query] = []
        self.withdrawn: list[Query] = []
        self._open: list[tuple[Query, asyncio.Future[Answer]]] = []
        self._listeners: list[Callable[[Event], None]] = []

    def send(self, command: Command) -> None:
        """Keep a command."""
        self.commands.append(command)

    def ask(self, query: Query) -> Awaitable[Answer]:
        """Keep a question and wait."""
        self.queries.append(query)
        return self._wait(query)

    def subscribe(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Tell `listener` each event."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def tell(self, event: Event) -> None:
        """An event comes."""
        for listener in list(self._listeners):
            listener(event)

    def asked(self, kind: type[Query]) -> int:
        """How many questions of a kind came."""
        return sum(isinstance(one, kind) for one in self.queries)

    def answer(self, answer: Answer, to: type[object] = object) -> None:
        """Settle the oldest open question."""
        self._oldest(to).set_result(answer)

    def refuse(self, error: ExpectedError, to: type[object] = object) -> None:
        """Settle the oldest open question with trouble."""
        self._oldest(to).set_exception(error)

    def _oldest(self, kind: type[object]) -> "asyncio.Future[Answer]":
        found = next(one for one in self._open if isinstance(one[0], kind) and not one[1].done())
        self._open.remove(found)
        return found[1]

    async def _wait(self, query: Query) -> Answer:
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._open.append((query, future))
        try:
            return await future
        except asyncio.CancelledError:
            self.withdrawn.append(query)
            if (query, future) in self._open:  # else it was settled, and whoever asked went away before they heard of it
                self._open.remove((query, future))
            raise

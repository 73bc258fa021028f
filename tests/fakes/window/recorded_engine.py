"""The window's end of the link without an engine: commands are recorded, the test gives answers and events."""

import asyncio
from collections.abc import Awaitable, Callable

from app.domain.errors import ExpectedError
from app.domain.wire import Answer, Command, Event, Query


class RecordedEngine:
    """An `EngineLink`. A query waits until `answer` or `refuse` settles the oldest open one, or the oldest of a kind."""

    def __init__(self) -> None:
        self.commands: list[Command] = []
        self.queries: list[Query] = []
        self.withdrawn: list[Query] = []
        self._open: list[tuple[Query, asyncio.Future[Answer]]] = []
        self._listeners: list[Callable[[Event], None]] = []

    def send(self, command: Command) -> None:
        self.commands.append(command)

    def ask(self, query: Query) -> Awaitable[Answer]:
        """Records a query and waits for its answer."""
        self.queries.append(query)
        return self._wait(query)

    def subscribe(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Adds a listener. Returns a function that removes it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def tell(self, event: Event) -> None:
        """Sends an event to the listeners."""
        for listener in list(self._listeners):
            listener(event)

    def asked(self, kind: type[Query]) -> int:
        """The number of queries of a kind."""
        return sum(isinstance(one, kind) for one in self.queries)

    def answer(self, answer: Answer, to: type[object] = object) -> None:
        """Answers the oldest open query."""
        self._oldest(to).set_result(answer)

    def refuse(self, error: ExpectedError, to: type[object] = object) -> None:
        """Fails the oldest open query with an error."""
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
            if (query, future) in self._open:  # otherwise it was settled just before the caller was cancelled
                self._open.remove((query, future))
            raise

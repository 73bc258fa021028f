"""How much one call asks for: less where whole answers fail, until the one message that breaks them stands alone.

Google answers a batch as a whole, and one message may spoil it for the others each time. Refuses to blame a message for a
server that does not answer: that is asked something small first.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Generic, TypeVar

from app.domain.errors import ExpectedError, Offline, RejectedByServer, ServerTrouble

MOST_ALONE = 3
"""So many calls for a single thing may fail in a row before it is the server's fault after all."""

Id = TypeVar("Id", bound=str)
Found = TypeVar("Found")
_SPOILT = (ServerTrouble, RejectedByServer, Offline)


class Portions(Generic[Id]):
    """`most` ids a call; `probe` asks the server something small and raises what its port raises."""

    def __init__(self, most: int, probe: Callable[[], Awaitable[object]]) -> None:
        self._most = self._now = most
        self._probe = probe
        self._alone = 0

    async def each(
        self, ids: Sequence[Id], ask: Callable[[Sequence[Id]], Awaitable[Found]]
    ) -> AsyncIterator[tuple[Sequence[Id], Found | ExpectedError]]:
        """The ids piece by piece with the answer; one whose own call fails while the server answers, with that error. Raises what
        `ask` raises where it is not the ids' fault."""
        waiting = list(ids)
        while waiting:
            piece = waiting[: self._now]
            try:
                found: Found | ExpectedError = await ask(piece)
                self._now, self._alone = min(self._now * 2, self._most), 0
            except _SPOILT as error:
                await self._probe()
                if len(piece) > 1:
                    self._now = len(piece) // 2
                    continue
                self._alone += 1
                if self._alone > MOST_ALONE:
                    self._alone = 0
                    raise
                found = error
            yield piece, found
            waiting = waiting[len(piece) :]

"""How much one call asks for: whatever spoils an answer, everything else comes once, in order, and in few calls."""

import asyncio
from collections.abc import Collection, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import ExpectedError, Offline, RejectedByServer, ServerError
from app.engine.sync.fetching import MOST_ALONE, BatchSize

Answers = list[tuple[Sequence[str], int | ExpectedError]]
ALL = [f"m{number:02}" for number in range(64)]


class Server:
    """Answers a call with how much it asked for, unless it asks for something `bad`; `away` it answers nothing at all."""

    def __init__(self, bad: Collection[str] = (), error: type[ExpectedError] = ServerError) -> None:
        self.bad = set(bad)
        self.error = error
        self.away = False
        self.calls: list[int] = []

    async def ask(self, ids: Sequence[str]) -> int:
        """One call."""
        self.calls.append(len(ids))
        if self.away or self.bad & set(ids):
            raise self.error
        return len(ids)

    async def probe(self) -> None:
        """Something small."""
        if self.away:
            raise Offline

    async def brought(self, portions: BatchSize[str], ids: Sequence[str] = ALL) -> Answers:
        """Everything that comes."""
        return [one async for one in portions.each(ids, self.ask)]


@given(st.integers(1, 40), st.integers(0, 64), st.sets(st.sampled_from(ALL), max_size=MOST_ALONE))
def test_each_comes_once_and_in_order_and_only_what_spoils_an_answer_fails(most: int, count: int, bad: set[str]) -> None:
    server, ids = Server(bad), ALL[:count]
    answers = asyncio.run(server.brought(BatchSize(most, server.probe), ids))
    assert [one for asked, _ in answers for one in asked] == ids
    assert {one for asked, found in answers for one in asked if isinstance(found, ServerError)} == bad & set(ids)
    assert all(found == len(asked) <= most for asked, found in answers if not isinstance(found, ServerError))


@pytest.mark.parametrize("error", [ServerError, RejectedByServer, Offline])
def test_what_spoils_is_found_by_halves_and_then_more_is_asked_for_again(error: type[ExpectedError]) -> None:
    server = Server({"m05"}, error)
    asyncio.run(server.brought(BatchSize(32, server.probe)))
    assert server.calls == [32, 16, 8, 4, 8, 4, 2, 1, 2, 1, 1, 2, 4, 8, 16, 27]


def test_more_in_a_row_than_a_message_can_be_blamed_for_are_the_servers_trouble() -> None:
    server = Server(ALL)
    portions: BatchSize[str] = BatchSize(4, server.probe)
    for _ in range(2):
        answers: Answers = []

        async def all_of_it(answers: Answers = answers) -> None:
            async for one in portions.each(ALL, server.ask):
                answers.append(one)

        with pytest.raises(ServerError):
            asyncio.run(all_of_it())
        assert len(answers) == MOST_ALONE, "the next go begins to count anew"


def test_those_between_which_others_come_are_never_too_many() -> None:
    server = Server(ALL[::2])
    answers = asyncio.run(server.brought(BatchSize(4, server.probe)))
    assert sum(isinstance(found, ServerError) for _, found in answers) == 32 > MOST_ALONE


def test_a_server_that_is_away_blames_nobody() -> None:
    server = Server()
    server.away = True
    with pytest.raises(Offline):
        asyncio.run(server.brought(BatchSize(4, server.probe)))
    assert server.calls == [4]

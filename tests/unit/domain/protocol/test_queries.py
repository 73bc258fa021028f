"""Two answers to one search become one list: nothing lost, nothing twice, what has the words first."""

from hypothesis import given
from hypothesis import strategies as st

from app.domain.ids import MessageId, ThreadId
from app.domain.protocol.queries import FoundMail, MatchPlace, SearchMatch, joined

IDS = st.lists(st.integers(1, 30), unique=True, max_size=20)


def found(where: MatchPlace, ids: list[int]) -> list[FoundMail]:
    """Conversations found for one reason."""
    return [FoundMail(ThreadId(one), MessageId(one), (SearchMatch(where, "x"),)) for one in ids]


@given(IDS, IDS, IDS)
def test_what_has_the_words_stays_where_it_is_and_the_rest_comes_below(
    exact: list[int], alike: list[int], more: list[int]
) -> None:
    both = joined(found(MatchPlace.BODY, exact), found(MatchPlace.MEANING, alike))
    assert list(both)[: len(exact)] == exact
    assert list(both)[len(exact) :] == [one for one in alike if one not in exact]
    assert all((both[ThreadId(one)].why[0].where is MatchPlace.BODY) == (one in exact) for one in both)
    again = joined(found(MatchPlace.BODY, exact), found(MatchPlace.MEANING, more))
    assert list(again)[: len(exact)] == exact, "another answer by meaning moves nothing that has the words"

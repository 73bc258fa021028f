"""The remembering embedder gives what the other gives, and asks it once."""

from hypothesis import given
from hypothesis import strategies as st

from app.agent.retrieval import KEPT_TEXTS, CachingEmbedder
from fakes.engine.agent_mailbox import LetterEmbedder


@given(st.lists(st.lists(st.text(alphabet="abc", max_size=3), max_size=6), max_size=30))
def test_the_same_vectors(batches: list[list[str]]) -> None:
    other = LetterEmbedder()
    remembering = CachingEmbedder(other)
    for batch in batches:
        assert remembering.embed(batch) == LetterEmbedder().embed(batch)


def test_asked_once_and_forgotten_at_last() -> None:
    other = LetterEmbedder()
    remembering = CachingEmbedder(other)
    remembering.embed(["a"])
    remembering.embed(["a"])
    assert other.calls == 1
    for at in range(KEPT_TEXTS):
        remembering.embed([f"b{at}"])
    remembering.embed(["a"])
    assert other.calls == KEPT_TEXTS + 2
    assert (remembering.model_id, remembering.dimension) == ("letters", 26)

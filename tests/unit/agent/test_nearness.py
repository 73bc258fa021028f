"""Passages of a mail, the nearest of them, and from where on a mail is worth showing."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from app.agent.retrieval import KEPT_PASSAGES, LENGTH, LOOKED_AT, NEAR, NEAR_OTHER, MiniLm, PassageCache, near_enough, passages
from fakes.engine.agent_mailbox import LetterEmbedder

LETTER = """Hello Ondřej, we moved to the new flat at last and the children like it very much; the cat does not.
The stairs are narrow, so the piano is still at my mother's, where nobody plays it.
The battery of my bicycle lasts half as long as it did when it was new. Can you test it?
Greetings to Klára, and thank you again for the cake that she brought to the party in the garden last summer."""


def test_the_nearest_passage_is_shown() -> None:
    model = MiniLm.open()
    near = PassageCache(model)
    (vector,) = model.embed(["electric bicycle loses power"])
    assert "battery" in near.nearest(LETTER, vector)
    (other,) = model.embed(["a musical instrument"])
    assert "piano" in near.nearest(LETTER, other)


@given(st.text(max_size=4000))
def test_passages_are_short_lines_of_the_beginning(text: str) -> None:
    parts = passages(text)
    assert all(one.strip() and "\n" not in one for one in parts)
    assert "".join("".join(parts).split()) == "".join(text[:LOOKED_AT].split())
    assert all(len(one) <= max(LENGTH, LOOKED_AT) for one in parts)


def test_what_was_embedded_is_remembered_for_a_while() -> None:
    class Counted(LetterEmbedder):
        """Counts texts."""

        seen = 0

        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            """As ever."""
            self.seen += len(texts)
            return super().embed(texts)

    model = Counted()
    near, vector = PassageCache(model), model.embed(["x"])[0]
    first = near.nearest(LETTER, vector)
    seen = model.seen
    assert near.nearest(LETTER, vector) == first
    assert model.seen == seen
    for at in range(KEPT_PASSAGES):
        near.nearest(f"{at} {LETTER}", vector)
    seen = model.seen
    near.nearest(LETTER, vector)
    assert model.seen > seen


def test_a_single_passage_needs_no_embedding() -> None:
    model = LetterEmbedder()
    assert PassageCache(model).nearest("One line.", [0.0]) == "One line."
    assert PassageCache(model).nearest("", [0.0]) == ""
    assert model.calls == 0


def test_another_language_has_to_be_nearer() -> None:
    english, czech = "When do you open on Saturday, and can I come by?", "Kdy máte v sobotu otevřeno a mohu se stavit?"
    between = (NEAR + NEAR_OTHER) / 2
    assert near_enough(between, english)
    assert not near_enough(between, czech)
    assert near_enough(NEAR_OTHER, czech)
    assert not near_enough(NEAR - 0.01, english)

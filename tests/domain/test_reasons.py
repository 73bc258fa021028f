"""A ground that was put into a sentence is read back; other sentences are none."""

import pytest

from app.domain.reasons import Because, Ground, as_sentence, read_back


@pytest.mark.parametrize(
    "because",
    [
        Because(Ground.WORDS, ("odstávka",)),
        Because(Ground.WORDS, ("partner", "user", "it’s")),
        Because(Ground.JUDGED, ("ann@partner.example",)),
        Because(Ground.WHOLE),
    ],
)
def test_a_ground_is_read_back(because: Because) -> None:
    assert read_back(as_sentence(because)) == because


@pytest.mark.parametrize(
    "sentence", ["", "Asks nothing of you.", "Words such as “a” speak for it. And more.", "Most like a mail"]
)
def test_other_sentences_are_none(sentence: str) -> None:
    assert read_back(sentence) is None

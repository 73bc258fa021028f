"""Vectors of texts: their properties, what is asked once, and the passage that is nearest."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.retrieval import (
    DIMENSION,
    LENGTH,
    LOOKED_AT,
    NEAR,
    NEAR_OTHER,
    MiniLm,
    PassageCache,
    near_enough,
    passages,
)
from app.domain.errors import ModelUnavailable


@pytest.fixture(scope="module")
def opened() -> MiniLm:
    """The real model."""
    return MiniLm.open()


def test_vectors_are_unit_length_and_one_per_text(opened: MiniLm) -> None:
    vectors = np.asarray(opened.embed(["Hello", "", "Dobrý den " * 400]))
    assert vectors.shape == (3, DIMENSION) == (3, opened.dimension)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert opened.embed([]) == []


def test_near_texts_are_nearer(opened: MiniLm) -> None:
    meet, meeting, invoice = np.asarray(
        opened.embed(["Can we meet on Friday?", "Are you free for a meeting?", "Invoice attached"])
    )
    assert meet @ meeting > 0.4 > meet @ invoice


def test_a_long_question_is_cut_at_a_whole_word(opened: MiniLm) -> None:
    assert opened.question("when is the meeting?") == "when is the meeting?"
    long = "where did the electrician write about the kitchen and what it costs, " * 9
    assert long.startswith(f"{opened.question(long)} ")
    assert 20 <= len(opened.question(long).split()) <= 30
    assert opened.question("x" * 900)


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


def test_another_language_has_to_be_nearer() -> None:
    english, czech = "When do you open on Saturday, and can I come by?", "Kdy máte v sobotu otevřeno a mohu se stavit?"
    between = (NEAR + NEAR_OTHER) / 2
    assert near_enough(between, english)
    assert not near_enough(between, czech)
    assert near_enough(NEAR_OTHER, czech)
    assert not near_enough(NEAR - 0.01, english)


@pytest.mark.parametrize("part", ["model", "tokenizer"])
def test_another_file_is_refused(part: str, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"{}")
    for path, why in ((other, "has sha256"), (tmp_path / "absent", "cannot be read")):
        with pytest.raises(ModelUnavailable, match=why):
            MiniLm.open(**{part: path})

"""Vectors of texts: their properties, what is asked once, and the passage that is nearest."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.retrieval import (
    DIMENSION,
    KEPT_PASSAGES,
    KEPT_TEXTS,
    LENGTH,
    LOOKED_AT,
    MODEL_SHA256,
    NEAR,
    NEAR_OTHER,
    CachingEmbedder,
    MiniLm,
    PassageCache,
    check_digest,
    mail_text,
    near_enough,
    packaged_model,
    packaged_tokenizer,
    passages,
)
from app.domain.errors import ModelUnavailable
from fakes.engine.agent_mailbox import LetterEmbedder


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


def test_a_vector_does_not_depend_on_its_neighbours_or_on_the_thread(opened: MiniLm) -> None:
    texts = [f"Question number {number} about the lease" for number in range(6)]
    alone = [opened.embed([text])[0] for text in texts]
    assert opened.embed(texts) == alone
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(lambda text: opened.embed([text])[0], texts)) == alone


def test_text_beyond_the_limit_is_not_seen(opened: MiniLm) -> None:
    start = "alpha " * 300
    assert opened.embed([start + "omega"]) == opened.embed([start + "something else entirely"])


def test_a_long_question_is_cut_at_a_whole_word(opened: MiniLm) -> None:
    assert opened.question("when is the meeting?") == "when is the meeting?"
    long = "where did the electrician write about the kitchen and what it costs, " * 9
    assert long.startswith(f"{opened.question(long)} ")
    assert 20 <= len(opened.question(long).split()) <= 30
    assert opened.question("x" * 900)


def test_another_model_file_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "model.onnx"
    other.write_bytes(packaged_model().read_bytes()[:-1])
    with pytest.raises(ModelUnavailable, match=r"model\.onnx has sha256"):
        MiniLm.open(model=other)
    with pytest.raises(ModelUnavailable, match="cannot be read"):
        check_digest(tmp_path / "absent", MODEL_SHA256)


def test_another_tokenizer_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "tokenizer.json"
    other.write_text(packaged_tokenizer().read_text(encoding="utf-8").replace("[UNK]", "[UNX]", 1), encoding="utf-8")
    with pytest.raises(ModelUnavailable, match=r"tokenizer\.json has sha256"):
        MiniLm.open(tokenizer=other)


def test_mail_text_joins_subject_and_body() -> None:
    assert mail_text(" Hours ", "\nWhen are you open?\n") == "Hours\nWhen are you open?"
    assert mail_text("", "Only a body") == "Only a body"


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

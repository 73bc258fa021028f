"""MiniLm: vectors of the right shape and sense, the same every time; refuses other files."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from app.agent.retrieval import DIMENSION, MODEL_SHA256, MiniLm, check_digest, mail_text, packaged_model, packaged_tokenizer
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

"""The shipped examples as texts: enough of them, of every kind, and nothing of the sample mailbox in them.

The cache of examples agrees with the seeds and the code, and is refused when it does not fit.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from app.agent.retrieval import MiniLm
from app.agent.triage.examples import CACHE, Seed, as_mail, digest, load_examples, load_seeds, make, regenerate
from app.config.paths import resource
from app.domain.errors import BadFile
from app.domain.language.words import WORD
from app.domain.mail.message import SystemLabel
from app.domain.mail.triage import Category, Decision
from app.evals.mail_files import read_sample, to_text

GRAM = 5


def grams(text: str) -> set[tuple[str, ...]]:
    """All runs of five words, lower case."""
    found = [word.lower() for word in WORD.findall(text)]
    return {tuple(found[at : at + GRAM]) for at in range(len(found) - GRAM + 1)}


def test_there_are_enough_of_every_kind() -> None:
    seeds = load_seeds()
    assert len(seeds) >= 260
    kinds = Counter((seed.decision, seed.category) for seed in seeds)
    assert {kind[1] for kind in kinds} == set(Category)
    assert {kind[0] for kind in kinds} == set(Decision)
    assert min(kinds.values()) >= 15
    assert 0.15 < sum(seed.language == "cs" for seed in seeds) / len(seeds) < 0.4


def test_no_seed_is_there_twice() -> None:
    assert not [text for text, count in Counter(seed.text for seed in load_seeds()).items() if count > 1]


def test_no_seed_shares_five_words_in_a_row_with_the_sample() -> None:
    box = read_sample(resource("sample"), datetime(2026, 3, 10, 12, tzinfo=UTC))
    theirs = set[tuple[str, ...]]()
    for mail in box.mails.values():
        theirs |= grams(mail.subject) | grams(mail.body_text) | grams(to_text(mail.body_html))
    assert len(theirs) > 5000
    shared = {seed.subject: found for seed in load_seeds() if (found := (grams(seed.subject) | grams(seed.body)) & theirs)}
    assert not shared


def test_marks_become_what_the_mailbox_would_know() -> None:
    assert {mark for seed in load_seeds() for mark in seed.marks} <= {
        "list",
        "id",
        "bulk",
        "auto",
        "known",
        "reply",
        "cc",
        "blind",
    }
    plain = load_seeds()[0]
    marked = Seed(
        plain.decision, plain.category, "en", "S", "B", plain.sender, frozenset({"list", "auto", "known", "reply", "cc"})
    )
    message, thread, contact = as_mail(marked)
    assert message.header("List-Unsubscribe")
    assert message.header("Auto-Submitted") == "auto-generated"
    assert len(message.to) == 4
    assert contact is not None
    assert SystemLabel.SENT in thread[0].labels
    assert message.in_reply_to == thread[0].rfc822_id


@pytest.mark.parametrize(
    "text", ["- [", "- {decision: respond}", "- {decision: shout, category: other, language: en, mails: [{subject: a, body: b}]}"]
)
def test_a_broken_file_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(BadFile, match=r"bad\.yaml"):
        load_seeds(tmp_path)


def test_the_digest_sees_every_byte(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("[]", encoding="utf-8")
    before = digest(tmp_path)
    (tmp_path / "a.yaml").write_text("[ ]", encoding="utf-8")
    assert digest(tmp_path) != before


TWO = """
- decision: respond
  category: inquiry
  language: en
  mails:
    - {subject: Hours, body: "When do you open?"}
    - {subject: Price, body: "What is a jug?", marks: [known]}
"""


class CountingEmbedder:
    """Counts what is embedded; the vectors are simple."""

    def __init__(self, model_id: str = "counting") -> None:
        self.model_id = model_id
        self.dimension = 3
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A unit vector by length of text."""
        self.texts += texts
        return [[1.0, 0.0, 0.0] if len(text) % 2 else [0.6, 0.8, 0.0] for text in texts]


def test_the_shipped_cache_agrees_with_seeds_and_code(embedder: MiniLm) -> None:
    """Fails after a change of seeds or evidence without `regenerate`."""
    stored = load_examples(embedder)
    seeds = load_seeds()
    some = range(0, len(seeds), 13)
    made = make([seeds[at] for at in some], embedder)
    assert stored.texts == tuple(seed.text for seed in seeds)
    assert stored.verdicts == tuple((seed.decision, seed.category) for seed in seeds)
    assert np.allclose(stored.vectors[list(some)], made.vectors, atol=2e-3)
    assert np.allclose(stored.features[list(some)], made.features, atol=1e-6)


def test_the_shipped_cache_is_used(embedder: MiniLm) -> None:
    named = CountingEmbedder(embedder.model_id)
    named.dimension = embedder.dimension
    assert len(load_examples(named).texts) == len(load_seeds())
    assert not named.texts


def test_a_cache_is_used_until_seeds_or_model_change(tmp_path: Path) -> None:
    (tmp_path / "two.yaml").write_text(TWO, encoding="utf-8")
    regenerate(CountingEmbedder(), tmp_path)
    cached = CountingEmbedder()
    assert load_examples(cached, tmp_path).texts == ("Hours\nWhen do you open?", "Price\nWhat is a jug?")
    assert not cached.texts
    other = CountingEmbedder("another")
    load_examples(other, tmp_path)
    assert len(other.texts) == 2
    (tmp_path / "two.yaml").write_text(TWO.replace("jug", "cup"), encoding="utf-8")
    changed = CountingEmbedder()
    assert load_examples(changed, tmp_path).texts[1] == "Price\nWhat is a cup?"
    assert len(changed.texts) == 2


def test_making_it_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "two.yaml").write_text(TWO, encoding="utf-8")
    first = regenerate(CountingEmbedder(), tmp_path).read_bytes()
    assert regenerate(CountingEmbedder(), tmp_path).read_bytes() == first
    assert resource("seeds", CACHE).stat().st_size < 500_000

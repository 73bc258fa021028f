"""The cache of examples agrees with the seeds and the code, and is refused when it does not fit."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from app.agent.embedding import MiniLm
from app.agent.local.examples import CACHE, load_examples, make, regenerate
from app.agent.local.seeds import load_seeds
from app.config.paths import resource

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

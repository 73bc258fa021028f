"""Mail of the sample is found by meaning where its words are others, and by its words where those are typed."""

from collections.abc import Iterator
from datetime import UTC, datetime

import numpy as np
import pytest
from ruamel.yaml import YAML

from app.agent.retrieval import MiniLm
from app.config.paths import resource
from app.domain.ids import ThreadId
from app.evals.mail_files import read_sample
from app.evals.searching import Finder, SearchAnswer, SearchCase, recall, reciprocal_rank, report, searches_of


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[SearchAnswer]]:
    """The sample's searches, answered."""
    box = read_sample(resource("sample"), datetime(2026, 3, 10, 12, tzinfo=UTC))
    finder = Finder(tmp_path_factory.mktemp("found"), list(box.mails.values()), MiniLm.open())
    entries = YAML(typ="safe", pure=True).load(resource("sample", "searches.yaml"))
    yield [finder.answer(one) for one in searches_of(entries, finder, box)]
    finder.close()


def mean(answers: list[SearchAnswer], group: str, way: str) -> float:
    """Recall of a group."""
    of = [one for one in answers if one.wanted.group == group]
    assert len(of) > 1
    return float(np.mean([recall(getattr(one, way), one.wanted.threads) for one in of]))


def test_both_together_find_what_neither_finds_alone(answers: list[SearchAnswer]) -> None:
    assert mean(answers, "meaning en", "page") >= 0.85
    assert mean(answers, "meaning en", "words") <= 0.2
    assert mean(answers, "meaning cs", "page") >= 0.5
    assert mean(answers, "meaning cs", "page") >= mean(answers, "meaning cs", "meaning") + 0.05
    assert mean(answers, "words en", "page") >= 0.9
    for one in answers:
        assert one.page[: len(one.words)] == one.words


def test_the_best_first_is_no_worse_than_words_or_meaning_alone(answers: list[SearchAnswer]) -> None:
    asked = [one for one in answers if one.wanted.threads]
    assert len(asked) >= 60
    for group in {one.wanted.group for one in asked}:
        for way in ("words", "meaning"):
            assert mean(answers, group, "best") >= mean(answers, group, way), (group, way)
    ranks = {way: np.mean([reciprocal_rank(getattr(one, way), one.wanted.threads) for one in asked]) for way in ("best", "words")}
    assert ranks["best"] >= ranks["words"] + 0.3


def test_where_nothing_is_little_is_shown(answers: list[SearchAnswer]) -> None:
    silent = [one for one in answers if not one.wanted.threads]
    assert sum(bool(one.meaning) for one in silent) <= len(silent) // 3
    assert sum(bool(one.meaning) for one in silent[:4]) == 0, "keys that were hit at random"


def test_the_report_names_what_was_missed() -> None:
    wanted = SearchCase("bell", "meaning en", frozenset({ThreadId(1)}))
    words = report(
        [SearchAnswer(wanted, (), (), ()), SearchAnswer(SearchCase("qqq", "nothing", frozenset()), (), (ThreadId(2),), ())],
        misses=True,
    )
    assert "missed: bell" in words
    assert "qqq: 1 alike" in words

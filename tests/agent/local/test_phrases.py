"""The sentences of both languages are complete."""

from app.agent.local.phrases import PROMPTS, phrases
from app.agent.local.words import Language
from app.domain.triage import Category


def test_each_language_thanks_for_each_category() -> None:
    for language in Language:
        said = phrases(language)
        assert set(said.thanks) == set(Category)
        assert "{}" in said.noted
    assert phrases(Language.OTHER) is phrases(Language.EN)
    assert "{}" not in phrases(Language.CS).greet


def test_prompts_are_texts() -> None:
    assert all(PROMPTS.values())

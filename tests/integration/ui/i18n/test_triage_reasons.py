"""Reasons of triage in the window's words: each that a rule or the classifier can give, and a model's as it stands."""

import pytest

from app.domain.mail.triage import (
    NUMBERS,
    ClassifierReason,
    Ground,
    Reason,
    ReasonClause,
    ReasonCode,
    reason_sentence,
    told_words,
)
from app.domain.mail.triage import ground_sentence as as_ground
from app.ui.i18n import triage_reasons
from app.ui.i18n.triage_reasons import reason_of_triage


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (as_ground(ClassifierReason(Ground.WORDS, ("water", "kiln"))), "These words speak for it most: water, kiln"),
        (
            as_ground(ClassifierReason(Ground.JUDGED, ("ann@partner.org",))),
            "Most like a mail from ann@partner.org that you judged this way",
        ),
        (as_ground(ClassifierReason(Ground.WHOLE)), "No single word decided; the text as a whole is most like such mail"),
        ("It asks for a price, and politely.", "It asks for a price, and politely."),
        ("", ""),
    ],
)
def test_grounds_and_a_models_words(reason: str, words: str) -> None:
    assert reason_of_triage(reason) == words


def test_every_sentence_and_clause_has_words_of_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(triage_reasons, "_translated", lambda words: f"<{words}>")
    for one in ReasonCode:
        about = "ann@partner.org" if "%1" in one.value else ""
        assert reason_of_triage(told_words(Reason(one, about))) == f"<{one.value}>".replace("%1", about)
    for clause in set(ReasonClause) - {ReasonClause.QUESTIONS}:
        about = "bank.example" if "%1" in clause.value else ""
        said = reason_of_triage(reason_sentence([Reason(clause, about), Reason(ReasonClause.NOTHING_ASKED)]))
        assert said == f"<{clause.value}> and <asks nothing of you>.".replace("%1", about)


@pytest.mark.parametrize("number", NUMBERS[2:])
def test_numbers_of_questions(number: str) -> None:
    words = "five or more" if number == "five" else number
    assert reason_of_triage(reason_sentence([Reason(ReasonClause.QUESTIONS, number)])) == f"Asks {words} questions."

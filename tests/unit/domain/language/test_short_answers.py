"""Ready answers: only to one question that a yes or a no answers, in the language of the reply."""

import pytest

from app.domain.language.short_answers import LATER, TO_NEWS, ready_answers, short_answers
from app.domain.language.words import Language


@pytest.mark.parametrize(
    ("question", "language", "yes"),
    [
        ("Could you send me the invoice?", Language.EN, "Yes, of course."),
        ("Please add the fee to the invoice of March.", Language.EN, "Yes, of course."),
        ("Is the lamp still for sale?", Language.EN, "Yes."),
        ("Could we meet next week?", Language.EN, "Yes, that suits me."),
        ("Hodí se vám čtvrtek v 8:30?", Language.CS, "Ano, to se mi hodí."),
        ("Pošlete mi je prosím do úterý?", Language.CS, "Ano, samozřejmě."),
        ("Prosím vyměňte zámek ve sklepě.", Language.CS, "Ano, samozřejmě."),
        ("Bitte schicken Sie mir den Vertrag.", Language.DE, "Ja, gerne."),
        ("Ist das Zimmer noch frei?", Language.DE, "Ja."),
        ("Passt Ihnen Dienstag um 15 Uhr?", Language.DE, "Ja, das passt mir."),
    ],
)
def test_yes_and_no_are_ready(question: str, language: Language, yes: str) -> None:
    answers = ready_answers(question, language)
    assert len(answers) == 2
    assert answers[0] == yes


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("When are you open?", Language.EN),
        ("Do you take cards, or should I stop at a cash machine?", Language.EN),
        ("Do you mount seats, and could I get a price?", Language.EN),
        ("Any news?", Language.EN),
        ("Please confirm the number of pupils by Friday.", Language.EN),
        ("Please advise on the price.", Language.EN),
        ("Please select one of these days:", Language.EN),
        ("Bitte nennen Sie mir Ihre Anschrift.", Language.DE),
        ("Co s tím budete dělat?", Language.CS),
        ("Dej vědět, kolik vás bude.", Language.CS),
        ("Was kostet die Reparatur?", Language.DE),
        ("Est-ce que la lampe est encore disponible ?", Language.OTHER),
    ],
)
def test_what_wants_more_has_none(question: str, language: Language) -> None:
    assert ready_answers(question, language) == ()


def test_a_message_is_answered_in_its_language() -> None:
    assert short_answers("Hello Mia, shall we meet on Thursday?\n\nAna") == (
        "Yes, that suits me.",
        "Unfortunately that doesn't suit me.",
        LATER[Language.EN],
    )
    assert short_answers("Hello Mia, the order will be here on Monday.\n> Shall we meet?") == TO_NEWS[Language.EN]
    assert short_answers("Dobrý den, můžeme se sejít ve čtvrtek? Děkuji")[0] == "Ano, to se mi hodí."
    assert short_answers("Bonjour, est-ce que nous pouvons nous voir jeudi ? Merci pour votre réponse") == ()


def test_an_open_question_has_no_yes() -> None:
    assert short_answers("Hello Mia, when are you open on Thursday?") == (LATER[Language.EN],)

"""Greeting, body, sign-off, and names."""

import pytest

from app.agent.language.reply_parts import closing_only, first_name, greet, split_letter
from app.domain.language.words import Language
from app.domain.mail.message import Address
from fakes.gmail.messages import mail


@pytest.mark.parametrize(
    ("text", "greeting", "body", "sign_off"),
    [
        ("Hi Ana,\n\nWe open at nine.\n\nCheers,\nOlga", "Hi Ana,", "We open at nine.", "Cheers,\nOlga"),
        (
            "Dobrý den, pane Svobodo,\n\nmáme otevřeno.\n\nS pozdravem,\nOlga",
            "Dobrý den, pane Svobodo,",
            "máme otevřeno.",
            "S pozdravem,\nOlga",
        ),
        ("Hello Tom, yes we do.\nBest regards", "Hello Tom,", "yes we do.", "Best regards"),
        ("We open at nine.", "", "We open at nine.", ""),
        ("Hi again this sentence has no comma and goes on", "", "Hi again this sentence has no comma and goes on", ""),
        ("", "", "", ""),
    ],
)
def test_split(text: str, greeting: str, body: str, sign_off: str) -> None:
    found = split_letter(text)
    assert (found.greeting, found.body, found.sign_off) == (greeting, body, sign_off)


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("Ana Lima", "", "Ana"),
        ("Lima, Ana", "", "Ana"),
        ("Dr. Ana Lima", "", "Ana"),
        ("Sato Travel", "Can you?\n\nBest regards,\nKenji", "Kenji"),
        ("Sato Travel", "Can you?", ""),
        ("The Library", "", ""),
        ("ann@reader.example", "", ""),
        ("鈴木 一郎", "", ""),
        ("JOHN", "", ""),
        ("", "", ""),
        ("O'Neil Sean", "", "O'Neil"),
    ],
)
def test_first_name(name: str, text: str, wanted: str) -> None:
    assert first_name(mail(text, sender=Address("a@b.example", name)), text) == wanted


def test_greetings_keep_the_owners_opening_in_english_and_never_decline_in_czech() -> None:
    known = mail(sender=Address("a@b.example", "Petr Holub"))
    stranger = mail(sender=Address("a@b.example"))
    assert greet(Language.EN, known, "", "Hi Ana,") == "Hi Petr,"
    assert greet(Language.EN, known, "") == "Hello Petr,"
    assert greet(Language.EN, stranger, "", "Hi Ana,") == "Hi,"
    assert greet(Language.EN, stranger, "", "Dear Ana,") == "Hello,"
    assert greet(Language.CS, known, "", "Ahoj Ano,") == "Dobrý den,"
    assert greet(Language.CS, known, "Petře, nevíš, kde je razítko?") == "Ahoj,"
    assert greet(Language.CS, known, "Ptal se na Vás pan Beneš i Aleš.") == "Dobrý den,"


@pytest.mark.parametrize(
    "line",
    [
        *("Thank you for the photos of the wheel.", "Thanks for the wedding photos", "See you on Friday.", "Love the new bike!"),
        *("Best of luck with the exam", "Děkuji za fotky.", "Danke für die Bilder", "All the best for your exam"),
    ],
)
def test_a_sentence_of_one_letter_closes_nothing(line: str) -> None:
    """Past letters are split the same way, so a stranger would be thanked for it."""
    letter = split_letter(f"Hi Ana,\n\nWe open at nine.\n\n{line}\nOlga")
    assert (letter.body, letter.sign_off) == (f"We open at nine.\n\n{line}\nOlga", "")
    assert split_letter(f"Hi Ana,\n\nWe open at nine.\n\n{line}\n\nBest regards,\nOlga").sign_off == "Best regards,\nOlga"
    assert not closing_only(f"{line}\nOlga")


@pytest.mark.parametrize(
    "line",
    [
        *(
            "Best regards",
            "Kind regards, Olga",
            "Thanks in advance,",
            "Thank you and best regards,",
            "Many thanks",
            "See you soon",
        ),
        *("S pozdravem,", "Děkuji a přeji hezký den", "Mějte se hezky", "Mit freundlichen Grüßen", "Viele Grüße", "LG Anna"),
    ],
)
def test_formulas_close_a_letter_in_several_languages(line: str) -> None:
    assert split_letter(f"Hi Ana,\n\nWe open at nine.\n\n{line}\n").sign_off == line
    assert closing_only(line)

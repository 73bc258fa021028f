"""The summary on top of a long conversation: what was agreed and what is asked now, from its own sentences."""

from app.domain.language.summary import chosen, weighed

TALK = "Hello Ondřej,\n\nThanks for your note. We are still comparing rims with the workshop in Graz.\n\nRegards\nVera"


def summary(*bodies: str) -> list[str]:
    lines = [line for number, body in enumerate(bodies) for line in weighed(number, len(bodies), "Vera", body)]
    return [line.sentence for line in chosen(lines)]


def test_what_was_agreed_and_what_is_asked_stand_out() -> None:
    bodies = [TALK] * 30
    bodies[12] = "The price is 2,450 euros for the whole set, carriage paid."
    bodies[28] = "Hello,\n\nWe agreed on 42 wheels for 2,450 euros. Delivery is on Friday at ten."
    bodies[29] = "Hello,\n\nCan you confirm the number, please?\n\nBest regards\nVera"
    assert summary(*bodies) == [
        "We agreed on 42 wheels for 2,450 euros.",
        "Delivery is on Friday at ten.",
        "Can you confirm the number, please?",
    ]


def test_what_is_said_twice_is_told_once_as_said_last() -> None:
    assert summary("We meet on Monday at nine in the shop.", TALK, "So we meet on Monday at nine in the shop.") == [
        "We are still comparing rims with the workshop in Graz.",
        "So we meet on Monday at nine in the shop.",
    ]


def test_quotes_greetings_and_thanks_are_no_summary() -> None:
    assert summary("Dobrý den,\n\nděkuji.\n\n> Dohodli jsme se na 300 Kč.\n\nJana") == []

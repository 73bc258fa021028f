"""What of a model's text becomes the mail: no header lines, Markdown, HTML, notes, quotes and second greetings; open slots."""

import pytest

from app.agent.drafting.model_text import plain_text, with_slots
from app.domain.drafting.draft import Draft

LETTER = "Hello Ann,\n\nthe price is [[the price]].\n\nBest regards\nMia"


@pytest.mark.parametrize(
    "text",
    [
        f"Subject: Re: Question\n\n{LETTER}",
        f"To: ann@partner.org\nSubject: Re: Question\n\n{LETTER}",
        f"Betreff: Frage\n\n{LETTER}",
        "**Hello Ann,**\n\n## the price is *[[the price]]*.\n\n*Best regards*\nMia",
        "<p>Hello Ann,</p><p>the price is [[the price]].</p><p>Best regards<br>Mia</p>",
        f"```text\n{LETTER}\n```",
        f'{{"body": "{LETTER}"}}'.replace("\n", "\\n"),
        LETTER.replace("\n", "\\n"),
        LETTER.replace("price", "pri\u200bce").replace("Ann", "\u202eAnn\u202c"),
        f"Dear Ann,\n\n{LETTER}",
        LETTER.replace("Hello Ann,", "Hello Ann,\n\nHello Ann,"),
        f"{LETTER}\n\nKind regards\nMia Example",
        f"{LETTER}\n\n---\nNote: please replace the placeholder with the price.",
        f"{LETTER}\n\nFeel free to adjust the tone.\n\n---",
        f"{LETTER}\n\nOn Fri, Nov 20, 2026 Ann Berg <ann@partner.org> wrote:\n> Hello Mia,\n> what is the price",
        f"{LETTER}\n\n-----Original Message-----\nFrom: Ann Berg\nSent: Friday\nSubject: Question\n\nWhat is the price?",
        f"{LETTER}\nBikes Ltd",
        f"{LETTER}\n\n-- \nBikes Ltd",
    ],
)
def test_the_mail_alone_is_left(text: str) -> None:
    assert plain_text(text, "<div>Bikes Ltd</div>") == LETTER


@pytest.mark.parametrize(
    "text",
    [
        LETTER,
        "Hello Ann,\n\n- one\n- two * 3 * 4\n\n2. [see](below)\n\nGood morning from Prague!\n\nMia",
        "Date: Friday\nPlace: our shop\n\nMia",
        "> What is the price?\n\n[[the price]]\n\n> And when?\n\nOn Friday.",
        "Hello Ann,\n\nlet me know if the draft contract fits.\n\nMia",
        "Hello Ann,\n\nthank you!\n\nThanks again!\n\nBest regards\nMia",
        "Hello Ann,\n\nsee you.\n\nBest regards\nMia\n\nPS: I can adjust the date.",
        "",
    ],
)
def test_a_plain_mail_stays(text: str) -> None:
    assert plain_text(text) == text


EMPTY = Draft((), (), (), "", "", "m")


@pytest.mark.parametrize(
    ("text", "body", "slots"),
    [
        ("The price is [[the price]].", "The price is .", ("the price",)),
        ("[[a]] and [[ b c ]]", " and ", ("a", "b c")),
        ("Regards, [Your Name]", "Regards, ", ("Your Name",)),
        ("On [insert date here] at [time]", "On  at ", ("insert date here", "time")),
        ("array[0] and [1] stay [sic]", "array[0] and [1] stay [sic]", ()),
        ("[[unclosed", "[[unclosed", ()),
        ("[[]]", "[[]]", ()),
        (
            "Dear [Recipient's Name], it costs [Price]. [Ihr Name]",
            "Dear , it costs . ",
            ("Recipient's Name", "Price", "Ihr Name"),
        ),
        ("See {{product}} or {link}, call <your phone> ____", "See  or , call  ", ("product", "link", "your phone", "…")),
        ("Ticket [PROJ-12], code {x}, <b>", "Ticket [PROJ-12], code {x}, <b>", ()),
    ],
)
def test_marks(text: str, body: str, slots: tuple[str, ...]) -> None:
    draft = with_slots(EMPTY, text)
    assert (draft.body, draft.open_slots) == (body, slots)
    assert draft.complete is (not slots)


def test_a_mark_without_end_costs_no_time() -> None:
    """Spaces were counted in every way there is."""
    text = "[[" + " " * 50_000 + "x" * 400
    assert with_slots(EMPTY, text).body == text

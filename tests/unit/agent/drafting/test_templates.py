"""Template drafts.

Span arithmetic of drafts put together piece by piece.

The sentences of both languages are complete.
"""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from app.agent.drafting.templates import PROMPTS, DraftBuilder, FilledTemplate, FreeTimeFacts, fill, phrases
from app.agent.language.times import WorkingHours
from app.domain.drafting.draft import Draft, SpanKind, fill_slots
from app.domain.drafting.meeting import BusyTime
from app.domain.ids import MessageId
from app.domain.language.words import Language
from app.domain.mail.message import Address
from app.domain.mail.triage import Category
from app.domain.ports.agents import OwnReply
from fakes.gmail.messages import NOON, OWNER, mail, own_reply


def filled(
    body: str,
    category: Category = Category.INQUIRY,
    busy: Sequence[BusyTime] | None = None,
    replies: Sequence[OwnReply] = (),
    name: str = "Ann Reed",
) -> tuple[Draft, FilledTemplate]:
    """A template draft and its parts."""
    message = mail(body, sender=Address("ann@reader.example", name))
    result = fill(message, OWNER, category, FreeTimeFacts(busy, WorkingHours(), NOON), replies)
    text, spans = result.body.finish()
    return Draft((), (), (), "", text, "template", message.id, spans), result


def test_each_question_is_quoted_over_a_slot() -> None:
    draft, _ = filled("Hello, do you ship to Norway? What is the postage?")
    assert draft.body == (
        "Hello Ann,\n\nThank you for your message.\n\n> Do you ship to Norway?\n\n\n> What is the postage?\n"
        "\n\nBest regards,\nOlga Marsh"
    )
    assert len(draft.open_slots) == 2
    for span in draft.spans:
        assert draft.body[: span.start].endswith("?\n")


def test_czech_is_answered_in_czech_without_a_name() -> None:
    draft, _ = filled("Dobrý den, kolik stojí džbán? Potřebuji ho v pátek 13. března.", name="Petr Svoboda")
    assert draft.body.startswith("Dobrý den,\n\nděkuji za vaši zprávu.\n\n> ")
    assert "Beru na vědomí termín: pátek 13. března." in draft.body
    assert "Petr" not in draft.body
    assert draft.body.endswith("S pozdravem,\nOlga Marsh")


def test_other_languages_get_only_their_questions_and_slots() -> None:
    draft, _ = filled("Bonjour, je voudrais savoir le prix pour une semaine. Est-ce que vous avez une chambre pour nous ?")
    assert draft.body.strip() == "> Est-ce que vous avez une chambre pour nous ?"
    assert draft.open_slots == ("Your answer",)


def test_without_a_question_there_is_still_a_slot() -> None:
    for category, prompt in (
        (Category.COMPLAINT, "What you will do about it"),
        (Category.FOLLOW_UP, "How things stand"),
        (Category.OTHER, "What you want to say"),
    ):
        draft, _ = filled("The jug fell apart.", category)
        assert draft.open_slots == (prompt,)


def test_a_proposed_time_that_is_free_is_taken() -> None:
    taken = BusyTime(NOON.replace(day=12, hour=14), NOON.replace(day=12, hour=16))
    draft, result = filled("Could we meet on Thursday at 3 pm or on Friday at 10:00?", Category.MEETING_REQUEST, [taken])
    assert draft.complete
    assert "- Friday 13 March, 10:00" in draft.body
    assert "Thursday" not in draft.body
    assert result.times == (NOON.replace(day=13, hour=10),)


def test_else_three_free_times_are_offered() -> None:
    draft, result = filled("Could we meet some day soon?", Category.MEETING_REQUEST, [])
    assert draft.complete
    assert len(result.times) == 3
    assert draft.body.count("\n- ") == 3


def test_without_a_calendar_the_times_are_a_slot() -> None:
    draft, result = filled("Could we meet some day soon?", Category.MEETING_REQUEST, None)
    assert draft.open_slots == ("Times that suit you",)
    assert result.times == ()


def test_opening_hours_are_no_proposal_to_meet() -> None:
    draft, _ = filled("Are you open on Saturday at 9:00?", Category.MEETING_REQUEST, [])
    assert draft.open_slots == ("Your answer",)


def test_a_related_line_of_the_owner_is_marked_and_the_slot_stays() -> None:
    reply = own_reply("Prices?", "Hi Tom,\n\nWe sell tea. The large jug costs 45 euros plus postage.\n\nYours,\nOlga", 0.6)
    draft, result = filled("Hi, how much does the large jug cost?", replies=[reply])
    marked = [draft.body[span.start : span.end] for span in draft.spans if span.kind is SpanKind.FROM_SOURCE]
    assert marked == ["The large jug costs 45 euros plus postage."]
    assert draft.open_slots == ("Your answer",)
    assert result.quoted == (reply,)
    assert draft.body.endswith("Yours,\nOlga")


def test_days_that_move_are_not_noted() -> None:
    draft, _ = filled("I need the jug tomorrow.")
    assert "tomorrow" not in draft.body


PIECES = st.lists(st.tuples(st.sampled_from(["text", "taken", "slot", "paragraph"]), st.text(max_size=12)), max_size=12)


def built(pieces: list[tuple[str, str]]) -> Draft:
    """A draft of these pieces."""
    made = DraftBuilder()
    for kind, text in pieces:
        if kind == "text":
            made.text(text)
        elif kind == "taken":
            made.taken(text, MessageId(7))
        elif kind == "slot":
            made.slot(text)
        else:
            made.paragraph()
    body, spans = made.finish()
    return Draft((), (), (), "", body, "template", MessageId(1), spans)


@given(PIECES)
def test_each_taken_piece_is_marked_exactly(pieces: list[tuple[str, str]]) -> None:
    draft = built(pieces)
    taken = [text for kind, text in pieces if kind == "taken" and text]
    marked = [draft.body[span.start : span.end] for span in draft.spans if span.kind is SpanKind.FROM_SOURCE]
    assert marked == taken


@given(PIECES)
def test_slots_are_zero_wide_and_in_order(pieces: list[tuple[str, str]]) -> None:
    draft = built(pieces)
    assert draft.open_slots == tuple(text for kind, text in pieces if kind == "slot")
    assert all(span.start == span.end <= len(draft.body) for span in draft.spans if span.kind is SpanKind.OPEN_SLOT)


@given(PIECES, st.text(max_size=5))
def test_filling_the_slots_keeps_the_marks_on_their_words(pieces: list[tuple[str, str]], answer: str) -> None:
    draft = built(pieces)
    filled = fill_slots(draft, (answer,) * len(draft.open_slots))
    assert not filled.open_slots
    taken = [text for kind, text in pieces if kind == "taken" and text]
    assert [filled.body[span.start : span.end] for span in filled.spans if span.kind is SpanKind.FROM_SOURCE] == taken


def test_a_paragraph_at_the_start_adds_nothing() -> None:
    assert DraftBuilder().paragraph().text("a").paragraph().text("b").finish()[0] == "a\n\nb"


def test_each_language_thanks_for_each_category() -> None:
    for language in Language:
        said = phrases(language)
        assert set(said.thanks) == set(Category)
        assert "{}" in said.noted
    assert phrases(Language.OTHER) is phrases(Language.EN)
    assert "{}" not in phrases(Language.CS).greet


def test_prompts_are_texts() -> None:
    assert all(PROMPTS.values())

"""Drafts without a model: templates, slots, and own replies."""

import re
from collections.abc import Sequence
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.drafting.template_draft import draft_without_model
from app.agent.drafting.templates import PROMPTS, DraftBuilder, FilledTemplate, FreeTimeFacts, fill
from app.agent.language.times import WorkingHours
from app.domain.drafting.draft import Draft, Source, SourceKind, SpanKind, fill_slots
from app.domain.drafting.meeting import BusyTime
from app.domain.ids import AttachmentId, MessageId
from app.domain.mail.message import Address, Attachment, Message
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.ports.agents import OwnReply
from app.domain.record import replace
from fakes.gmail.messages import ASKS, NOON, OWNER, mail, own_reply


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


def test_each_question_is_quoted_over_a_slot_and_nothing_is_made_up() -> None:
    draft, _ = filled("Hello, do you ship to Norway? What is the postage? It was 7.3.. last time.")
    assert draft.body == "Hello Ann,\n\n> do you ship to Norway?\n\n\n> What is the postage?\n\n\nBest regards,\nOlga Marsh"
    assert draft.open_slots == ("Your answer", "Your answer")
    for span in draft.spans:
        assert draft.body[: span.start].endswith("?\n")


def test_a_short_question_stands_behind_what_it_is_about() -> None:
    draft, _ = filled("We are three and would come on Monday. Is that possible?")
    assert "> We are three and would come on Monday. Is that possible?\n" in draft.body
    draft, _ = filled("Do tell me whether you fire raku; the chairs are divided.")
    assert "> Do tell me whether you fire raku\n" in draft.body
    draft, _ = filled("My jug has a crack in its handle. What does another one cost?")
    assert "crack" not in draft.body


def test_czech_is_answered_in_czech_without_a_name() -> None:
    draft, _ = filled("Dobrý den, kolik stojí džbán? Potřebuji ho v pátek 13. března.", name="Petr Svoboda")
    assert draft.body.startswith("Dobrý den,\n\n> ")
    assert "Petr" not in draft.body
    assert draft.body.endswith("S pozdravem,\nOlga Marsh")


@pytest.mark.parametrize(
    ("text", "greeting", "closing"),
    [
        ("Hallo Olga,\n\nkannst du mir sagen, was der Krug kostet?\n\nLG Ann", "Hallo Ann,", "\n\nOlga"),
        (
            "Sehr geehrte Frau Marsh,\n\nkönnen Sie mir bitte sagen, was der Krug kostet?\n\nMit freundlichen Grüßen\nAnn",
            "Guten Tag,",
            "Mit freundlichen Grüßen\nOlga Marsh",
        ),
    ],
)
def test_german_is_answered_in_german(text: str, greeting: str, closing: str) -> None:
    draft, _ = filled(text)
    assert draft.body.startswith(f"{greeting}\n\n> ")
    assert draft.body.endswith(closing)


def test_other_languages_get_only_their_questions_and_slots() -> None:
    draft, _ = filled("Bonjour, je voudrais savoir le prix pour une semaine. Est-ce que vous avez une chambre pour nous ?")
    assert "Est-ce que vous avez une chambre pour nous ?" in draft.body
    assert "Hello" not in draft.body
    assert "regards" not in draft.body
    assert not draft.complete


@pytest.mark.parametrize("category", list(Category))
def test_nobody_is_thanked_and_nothing_is_noted(category: Category) -> None:
    """An angry customer was thanked for suggesting to meet."""
    draft, _ = filled("The jug broke. When will you come and bring another? I wait since 7.3..", category, [])
    assert not re.search(r"thank|noted|suggest", draft.body, re.IGNORECASE)


def test_a_proposed_time_that_is_free_is_taken() -> None:
    taken = BusyTime(NOON.replace(day=12, hour=14), NOON.replace(day=12, hour=16))
    draft, result = filled("Could we meet on Thursday at 3 pm or on Friday at 10:00?", Category.MEETING_REQUEST, [taken])
    assert draft.complete
    assert "Friday 13 March, 10:00 suits me." in draft.body
    assert "Thursday" not in draft.body
    assert result.times == (NOON.replace(day=13, hour=10),)


def test_a_proposed_time_that_is_taken_is_declined_with_others() -> None:
    taken = BusyTime(NOON.replace(day=12, hour=14), NOON.replace(day=12, hour=16))
    draft, result = filled("Could we meet on Thursday at 3 pm?", Category.MEETING_REQUEST, [taken])
    assert draft.complete
    assert "I am not free then. These times would suit me:" in draft.body
    assert len(result.times) == 3


def test_a_time_outside_working_hours_is_the_owners_to_accept() -> None:
    draft, _ = filled("Could we meet on Saturday at 10:00?", Category.MEETING_REQUEST, [])
    assert not draft.complete
    draft, _ = filled("Could we meet on Saturday at 10:00 or on Friday at 10:00?", Category.MEETING_REQUEST, [])
    assert "Friday 13 March, 10:00 suits me." in draft.body


@pytest.mark.parametrize(
    "text", ["Hodí se vám to do stropu, nebo mám hledat menší?", "Comments by tomorrow noon would be great."]
)
def test_who_asks_whether_something_fits_or_wants_it_by_a_day_is_offered_no_times(text: str) -> None:
    draft, result = filled(text, busy=[])
    assert not result.times
    assert f"> {text}" in draft.body


def test_another_hour_of_a_meeting_that_is_not_known_stays_open() -> None:
    draft, _ = filled("Can we move it back to 3 pm? Somebody else has the room.", Category.MEETING_REQUEST, [])
    assert draft.open_slots == ("Times that suit you",)
    draft, _ = filled("Can we move it to Friday, same time?", Category.MEETING_REQUEST, [])
    assert draft.open_slots == ("Times that suit you",)


def test_without_a_calendar_the_times_are_a_slot() -> None:
    draft, result = filled("Could we meet some day soon?", Category.MEETING_REQUEST, None)
    assert draft.open_slots == ("Times that suit you",)
    assert result.times == ()


def test_other_questions_beside_the_time_stay_open() -> None:
    draft, _ = filled("Could we meet on Friday at 10:00? What does the large jug cost?", Category.MEETING_REQUEST, [])
    assert "Friday 13 March, 10:00 suits me." in draft.body
    assert draft.open_slots == ("Your answer",)


def test_the_owners_own_closing_is_used_unless_it_is_a_sentence_of_that_letter() -> None:
    reply = own_reply("Prices?", "Hi Tom,\n\nWe sell tea.\n\nYours,\nOlga", 0.6)
    assert filled("How much is a jug?", replies=[reply])[0].body.endswith("Yours,\nOlga")
    thanks = own_reply("Prices?", "Hi Tom,\n\nWe sell tea.\n\nThank you for the wedding photos.\nOlga", 0.6)
    assert filled("How much is a jug?", replies=[thanks])[0].body.endswith("Best regards,\nOlga Marsh")


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


@given(PIECES, st.text(max_size=5))
def test_filling_the_slots_keeps_the_marks_on_their_words(pieces: list[tuple[str, str]], answer: str) -> None:
    draft = built(pieces)
    filled = fill_slots(draft, (answer,) * len(draft.open_slots))
    assert not filled.open_slots
    taken = [text for kind, text in pieces if kind == "taken" and text]
    assert [filled.body[span.start : span.end] for span in filled.spans if span.kind is SpanKind.FROM_SOURCE] == taken


HOURS = "Hi Ann,\n\nThe pottery is open Monday to Friday from 9:00 to 17:00.\n\nCheers,\nOlga"


def drafted(
    message: Message,
    replies: Sequence[OwnReply] = (),
    triage: Triage = ASKS,
    busy: Sequence[BusyTime] | None = None,
    thread: Sequence[Message] = (),
) -> tuple[Draft, tuple[Source, ...]]:
    """The draft for a mail of a stranger."""
    return draft_without_model(message, thread or (message,), OWNER, None, replies, busy, triage)


def test_an_own_reply_comes_with_its_source_and_readers() -> None:
    reply = own_reply("When is the pottery open?", HOURS, 0.8, subject="Hours")
    draft, sources = drafted(mail("Is the pottery open on Fridays?", number=9), [reply])
    assert (draft.maker, draft.reply_to, draft.complete) == ("own-reply", 9, True)
    (source,) = sources
    assert (source.kind, source.message_id, source.title) == (SourceKind.OWN_REPLY, reply.answer.id, "Re: Hours")
    assert source.readers == {"olga@potter.example", "ann@reader.example"}
    assert 0 < source.score <= 1


def test_once_the_owner_wrote_in_the_thread_no_old_reply_is_taken() -> None:
    reply = own_reply("When is the pottery open?", HOURS, 0.95)
    own = mail("We are", number=3, thread=2, labels=("SENT",), minutes=-10)
    message = mail("When is the pottery open?", number=4, thread=2)
    later = replace(own, date=NOON + timedelta(hours=1))
    assert drafted(message, [reply], thread=(own, message))[0].maker == "template"
    assert drafted(message, [reply], thread=(later, message))[0].maker == "own-reply"


@given(st.text(max_size=200), st.sampled_from(list(Category)), st.booleans())
def test_any_text_gives_a_sound_draft(text: str, category: Category, calendar: bool) -> None:
    triage = Triage(Decision.RESPOND, category, 0.9, "", "local:1")
    reply = own_reply("When is the pottery open?", HOURS, 0.7)
    draft, _ = drafted(mail(text), [reply], triage, () if calendar else None)
    assert all(0 <= span.start <= span.end <= len(draft.body) for span in draft.spans)
    known = tuple(prompt.partition("{}")[0] for prompt in PROMPTS.values())
    assert all(prompt.startswith(known) for prompt in draft.open_slots)


@pytest.mark.parametrize(
    ("signed", "wanted"),
    [
        ("Thanks,\nO.", "Thanks,\nO."),
        ("Thanks,\nFred", "Best regards,\nOlga Marsh"),
        ("Thanks\n:Olga", "Thanks\nOlga"),
        ("Thanks,\nOlga Marsh\nPottery, +44 20 5550 0199", "Thanks,\nOlga Marsh\nPottery, +44 20 5550 0199"),
    ],
)
def test_a_draft_is_signed_by_nobody_but_the_owner(signed: str, wanted: str) -> None:
    """Where a quote was not seen as one, the name of the person quoted stood below a draft."""
    old = own_reply("How much is a bell?", f"Hi Ann,\n\nA bell costs 390 crowns and we have it.\n\n{signed}", 0.5)
    draft, _ = filled("Do you repair violins from the nineteenth century?", replies=[old])
    assert draft.body.endswith(f"\n\n{wanted}")


def test_a_request_beside_a_question_is_quoted_too_and_an_introduction_is_not() -> None:
    asked = "Is the hall free?"
    draft, _ = filled(f"{asked} I need the contract by Friday. I would like to ask for your help with the tables.")
    assert draft.body.count("> ") == 3
    draft, _ = filled(f"I would like to rent a hall. Two things I was wondering about: {asked}")
    assert draft.body.count("> ") == 1


@pytest.mark.parametrize(
    ("body", "files", "said"),
    [
        ("Please confirm receipt.", (), "Thank you, I have received your email."),
        ("Please let me know that you got this.", (), "Thank you, I have received your email."),
        ("A map is attached. Can you confirm you've received this email?", (), "Thank you, I have received your email."),
        (
            "The contract is attached. Could you confirm receipt?", ("contract.pdf",),
            "Thank you, I have received your email with the attachment.",
        ),
        ("Dobrý den, prosím o potvrzení přijetí tohoto e-mailu.", (), "Potvrzuji přijetí e-mailu, děkuji."),
        ("Bitte bestätigen Sie mir kurz den Eingang dieser E-Mail.", (), "Ich bestätige den Erhalt der E-Mail, vielen Dank."),
    ],
)  # fmt: skip
def test_a_receipt_is_confirmed_by_a_complete_letter(body: str, files: Sequence[str], said: str) -> None:
    attached = tuple(
        Attachment(AttachmentId(at), MessageId(1), str(at), name, "application/pdf", 9, "", False)
        for at, name in enumerate(files)
    )
    result = fill(
        replace(mail(body), attachments=attached), OWNER, Category.INQUIRY, FreeTimeFacts(None, WorkingHours(), NOON), ()
    )
    text, spans = result.body.finish()
    assert said in text and not spans


@pytest.mark.parametrize(
    "body",
    [
        "The contract is attached. Please confirm receipt.", "We sent the parcel today. Please confirm receipt.",
        "Please confirm receipt of the payment.", "Please confirm receipt and sign by Friday.",
        "Please confirm receipt and that you accept the terms.", "Can you confirm that you received my invoice from May?",
        "Have you received it back from the printer?", "Bitte bestätigen Sie den Erhalt der Zahlung.",
        "Potvrďte prosím přijetí platby.",
    ],
)  # fmt: skip
def test_what_the_program_cannot_know_is_not_confirmed(body: str) -> None:
    draft, _ = filled(body)
    assert draft.open_slots == ("Your answer",)


def test_what_a_stranger_wrote_or_a_table_holds_is_no_question_of_the_sender() -> None:
    forwarded = "-----Original Message-----\nFrom: Joe <joe@far.example>\nSent: Monday, 2 March 2026 9:00\n\nWhere is my jug?"
    draft, _ = filled(forwarded)
    assert "jug" not in draft.body
    draft, _ = filled("Can you look at it?\n\nPrepare the list\tdone\tAnn\nPlease call all guests\t4 May\tJoe")
    assert draft.open_slots == ("Your answer",)
    draft, _ = filled("Is that an error? Please call with any questions.")
    assert draft.open_slots == ("Your answer",)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("Shall we say Friday at 11?", "Friday 13 March, 11:00 suits me."),
        ("Could you do Thursday at 2pm?", "Thursday 12 March, 14:00 suits me."),
        ("Dobrý den, co takhle středa v 9?", "Termín středa 11. března, 09:00 mi vyhovuje."),
        ("Guten Tag, ginge auch Freitag um 10 Uhr?", "Freitag, 13. März, 10:00 passt mir gut."),
        ("Please confirm our meeting on Thursday at 15:00.", "Thursday 12 March, 15:00 suits me."),
        ("Your appointment is on Thursday at 15:00. Please confirm.", "Thursday 12 March, 15:00 suits me."),
        ("Can we move our meeting from Tuesday to Wednesday at 10?", "Wednesday 11 March, 10:00 suits me."),
    ],
)
def test_a_day_that_is_asked_for_in_other_words_is_looked_up(body: str, said: str) -> None:
    draft, _ = filled(body, busy=())
    assert said in draft.body and draft.complete


@pytest.mark.parametrize("body", ["Could you do a drawing by Friday?", "Ginge auch eine Lieferung am Freitag um 10 Uhr?"])
def test_a_deed_or_delivery_by_a_day_is_no_meeting(body: str) -> None:
    draft, _ = filled(body, busy=())
    assert draft.open_slots == ("Your answer",)


def test_a_meeting_to_confirm_may_be_what_the_calendar_holds() -> None:
    busy = (BusyTime(NOON + timedelta(days=2, hours=3), NOON + timedelta(days=2, hours=4)),)
    draft, _ = filled("Please confirm our meeting on Thursday at 15:00.", busy=busy)
    assert draft.open_slots == ("Times that suit you",)


def test_a_price_asked_for_beside_a_time_is_quoted() -> None:
    draft, told = filled("Hello,\n\nWhat would the roof cost, and when could you come to see it?\n\nAnn", busy=())
    assert told.times
    assert "> What would the roof cost, and when could you come to see it?" in draft.body
    draft, told = filled("Hello,\n\nWhen could you come to see the roof?\n\nAnn", busy=())
    assert told.times and ">" not in draft.body


@pytest.mark.parametrize("more", ["who will be there", "could you bring the plan", "please bring the plan"])
def test_what_else_a_question_about_a_time_asks_stays_open(more: str) -> None:
    draft, told = filled(f"Hello,\n\nCould we meet on Friday at 11, and {more}?\n\nAnn", busy=())
    assert told.times
    assert f"and {more}?\n" in draft.body
    assert not draft.complete
    for text in ("When is the rent due, and can we meet on Friday at 2?", "Can we talk on Friday at 10, or do I have to wait?"):
        assert f"> {text}" in filled(f"Hello,\n\n{text}\n\nAnn", busy=())[0].body


@pytest.mark.parametrize(
    "text",
    [
        "Is the flat free from Monday 2 November?",
        "Does the cleaning on Thursday at 10 suit the tenant?",
        "The panel needs you on Thursday from 9 to 12, can you make it?",
        "When can we expect the deposit back?",
        "Would you be free on Thursday at 3 to collect my son?",
        "Could you arrange a viewing for Thursday at 3 with the tenant?",
        "Do you want to meet before the hearing on Thursday at 10?",
        "How about dinner on Friday?",
        "Ist die Wohnung ab Montag frei?",
        "Je ten byt od pondělí volný?",
    ],
)
def test_no_times_are_offered_where_others_or_a_thing_must_be_free(text: str) -> None:
    draft, told = filled(f"Hello,\n\n{text}\n\nAnn", busy=())
    assert not told.times
    assert f"> {text}" in draft.body

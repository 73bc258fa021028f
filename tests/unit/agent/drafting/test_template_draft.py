"""Which kind of draft a mail gets, with its sources; nothing is invented."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from app.agent.drafting.template_draft import draft_without_model
from app.agent.drafting.templates import PROMPTS
from app.domain.drafting.draft import Draft, Source, SourceKind
from app.domain.drafting.meeting import BusyTime
from app.domain.mail.message import Message
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.ports.agents import OwnReply
from fakes.gmail.messages import ASKS, NOON, OWNER, mail, own_reply

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


def test_recipients_and_subject_are_left_to_the_caller() -> None:
    draft, sources = drafted(mail("Is it blue?"))
    assert (draft.to, draft.cc, draft.bcc, draft.subject, draft.maker) == ((), (), (), "", "template")
    assert sources == ()


def test_once_the_owner_wrote_in_the_thread_no_old_reply_is_taken() -> None:
    reply = own_reply("When is the pottery open?", HOURS, 0.95)
    own = mail("We are", number=3, thread=2, labels=("SENT",), minutes=-10)
    message = mail("When is the pottery open?", number=4, thread=2)
    later = replace(own, date=NOON + timedelta(hours=1))
    assert drafted(message, [reply], thread=(own, message))[0].maker == "template"
    assert drafted(message, [reply], thread=(later, message))[0].maker == "own-reply"


def test_offered_times_are_a_calendar_source() -> None:
    asks = Triage(Decision.RESPOND, Category.MEETING_REQUEST, 0.9, "", "local:1")
    draft, sources = drafted(mail("Could we meet next week?"), triage=asks, busy=())
    assert [one.kind for one in sources] == [SourceKind.CALENDAR]
    assert all(line in draft.body for line in sources[0].excerpt.splitlines())


def test_the_same_mail_gets_the_same_draft() -> None:
    reply = own_reply("When is the pottery open?", HOURS, 0.8)
    message = mail("Is the pottery open on Fridays?")
    assert drafted(message, [reply]) == drafted(message, [reply])


@settings(max_examples=60)
@given(st.text(max_size=200), st.sampled_from(list(Category)), st.booleans())
def test_any_text_gives_a_sound_draft(text: str, category: Category, calendar: bool) -> None:
    triage = Triage(Decision.RESPOND, category, 0.9, "", "local:1")
    reply = own_reply("When is the pottery open?", HOURS, 0.7)
    draft, _ = drafted(mail(text), [reply], triage, () if calendar else None)
    assert all(0 <= span.start <= span.end <= len(draft.body) for span in draft.spans)
    known = tuple(prompt.partition("{}")[0] for prompt in PROMPTS.values())
    assert all(prompt.startswith(known) for prompt in draft.open_slots)

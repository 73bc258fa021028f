"""What a model is told when it drafts, and what it may cite."""

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from app.agent.drafting.model_request import TONES, calendar_text, draft_messages, evidence_of
from app.agent.drafting.sources import (
    Ref,
    RefKind,
)
from app.agent.runtime.state import MailState, ToolOutcome
from app.domain.drafting.draft import Draft
from app.domain.ids import MessageId
from app.domain.mail.message import Address
from app.domain.mail.triage import Category
from app.store.contacts import Contacts
from fakes.engine.agent_mailbox import OWNER, SENT, FixedTriage, Room, mail, verdict


class Preferences:
    """A memory with one text per namespace."""

    def read(self, account_id: int, namespace: str) -> str:
        return f"prefers {namespace}"


def test_the_request_holds_what_the_evidence_holds(room: Room) -> None:
    sent, message = room.put(
        mail("We close at six. Mia", key="s", sender=OWNER, labels=SENT), mail("When do you close on 24 December?", key="m")
    )
    deps = room.deps(FixedTriage(verdict()), background="Mia runs a bakery.", memory=Preferences())
    state = MailState(classification="complaint", feedback="say noon", unsupported=["figure: 5"], context=[], tool_results={})
    account = room.corpus.account(room.account_id)
    system, user = draft_messages(state, message, account, Draft((), (), (), "", "At 5.", "m"), deps)
    for words in ("Mia runs a bakery.", "prefers response_preferences", "Sign with the name Mia Example."):
        assert words in system["content"]
    for words in (TONES[Category.COMPLAINT], "Friday 2026-11-20 12:05 UTC"):
        assert words in user["content"]
        assert words not in system["content"], "it is the same for every mail"
    for words in ("We close at six.", "When do you close on 24 December?", "At 5.", "The owner says: say noon", "- figure: 5"):
        assert words in user["content"]
    evidence = evidence_of(state, message, deps)
    assert {"Mia runs a bakery.", "say noon", "Mia Example", "me@example.com"} <= set(evidence.owner)
    assert any("We close at six." in one for one in evidence.owner)
    assert any("24 December" in one for one in evidence.others)
    assert not any("24 December" in one for one in evidence.owner)
    assert sent.outgoing


def test_only_the_owners_half_of_other_exchanges_leaves(room: Room) -> None:
    asked, answer, typical, message = room.put(
        mail("Eve here, call me on +420 777 123 456 about the secret plan.", key="q", thread="t2", sender=Address("eve@x.org")),
        mail("Dear Eve, write to bob@x.org or call +420 777 123 456. Mia", key="a", thread="t2", sender=OWNER, labels=SENT),
        mail(
            "Hello Bob, thank you for your order, it is on its way to you and you will like it. Best regards, Mia",
            key="t",
            thread="t3",
            sender=OWNER,
            labels=SENT,
        ),
        mail("What do you think of it?", key="m"),
    )
    room.corpus.replies = [(asked.id, answer.id, 0.8)]
    context = [str(Ref(RefKind.OWN_REPLY, answer.id, asked.id, 0.8)), str(Ref(RefKind.MESSAGE, asked.id, score=0.7))]
    state = MailState(classification="inquiry", context=context, tool_results={})
    _, user = draft_messages(state, message, room.corpus.account(room.account_id), None, room.deps(FixedTriage(verdict())))
    assert "write to (address) or call (number)" in user["content"]
    assert "thank you for your order" in user["content"]
    for words in ("secret plan", "bob@x.org", "eve@x.org", "777 123 456"):
        assert words not in user["content"]
    assert typical.outgoing


def test_free_times_and_the_mails_own_are_told_by_code(room: Room) -> None:
    message = room.one("Can we meet on Monday at 10:00, on Tuesday at 10:00, or on Saturday at 11:00?")
    monday = datetime(2026, 11, 23, 9, 30, tzinfo=UTC)
    busy = [{"start": monday.isoformat(), "end": (monday + timedelta(hours=1)).isoformat(), "title": "Doctor"}]
    outcome = ToolOutcome(arguments={}, result={"busy": busy, "summary": "x"}, error="", latency_ms=0.0)
    state = MailState(classification="meeting_request", context=[], tool_results={"check_calendar": outcome})
    deps = room.deps(FixedTriage(verdict()), memory=Preferences())
    text = calendar_text(state, message, deps)
    assert "Monday 23 November, 10:00: taken." in text
    assert "Tuesday 24 November, 10:00: free." in text
    assert "Saturday 21 November, 11:00: free, but outside working hours." in text
    assert "Free for a meeting: Monday 23 November, 10:30; Tuesday 24 November, " in text
    _, user = draft_messages(state, message, room.corpus.account(room.account_id), None, deps)
    assert "prefers cal_preferences" in user["content"]
    assert "Doctor" not in user["content"]
    assert text in evidence_of(state, message, deps).others, "the check does not call these times invented"


def test_the_owners_note_on_a_person_tells_how_to_write_to_them(room: Room) -> None:
    message = room.one("Which number can I call?")
    deps = room.deps(FixedTriage(verdict()), memory=Preferences())
    state = MailState(classification="inquiry", context=[], tool_results={})
    account = room.corpus.account(room.account_id)
    assert "has a note" not in draft_messages(state, message, account, None, deps)[1]["content"]
    Contacts(room.db).note(room.account_id, message.sender.email, "First names, two sentences at most.", room.clock())
    task = draft_messages(state, message, account, None, deps)[1]["content"].rpartition(message.body_text)[2]
    assert f"note on {message.sender.email}. Follow it in how you write" in task
    assert "First names, two sentences at most." in task


QUOTED = "On Fri, Nov 20, 2026 at 9:00 AM Ann Berg <ann@partner.org> wrote:"

ids = st.integers(1, 10**9).map(MessageId)

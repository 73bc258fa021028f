"""Sources: ids survive, excerpts are the newest part, readers are everybody who has the text."""

from hypothesis import given
from hypothesis import strategies as st

from app.agent.drafting.sources import (
    EXCERPT_LIMIT,
    Ref,
    RefKind,
    excerpt_of,
    mail_sources,
    message_text,
    own_replies,
    tool_sources,
)
from app.agent.runtime.state import ToolOutcome
from app.domain.drafting.draft import SourceKind
from app.domain.ids import MessageId
from app.domain.mail.message import Address
from fakes.engine.agent_mailbox import ANN, OWNER, SENT, Room, mail

QUOTED = "On Fri, Nov 20, 2026 at 9:00 AM Ann Berg <ann@partner.org> wrote:"

ids = st.integers(1, 10**9).map(MessageId)


@given(st.sampled_from(RefKind), ids, st.one_of(ids, st.just(MessageId(0))), st.integers(0, 10000))
def test_refs_survive(kind: RefKind, message_id: MessageId, question_id: MessageId, share: int) -> None:
    ref = Ref(kind, message_id, question_id, share / 10000)
    assert Ref.parse(str(ref)) == ref


def test_mail_as_sources(room: Room) -> None:
    asked, said = room.put(
        mail("Open on Sunday?", key="q", cc=(Address("bob@other.org"),)),
        mail(f"No.\n\n{QUOTED}\n> Open on Sunday?", key="a", sender=OWNER, to=(ANN,), labels=SENT),
    )
    context = [str(Ref(RefKind.MESSAGE, asked.id, score=0.9)), str(Ref(RefKind.OWN_REPLY, said.id, asked.id, 0.8))]
    first, second = mail_sources(context, room.corpus)
    assert (first.kind, first.message_id, first.score) == (SourceKind.MESSAGE, asked.id, 0.9)
    assert first.readers == {"ann@partner.org", "me@example.com", "bob@other.org"}
    assert (second.kind, second.excerpt, second.readers) == (SourceKind.OWN_REPLY, "No.", {"me@example.com", "ann@partner.org"})
    (reply,) = own_replies(context, room.corpus)
    assert (reply.question.id, reply.answer.id, reply.similarity) == (asked.id, said.id, 0.8)


def test_only_tools_that_worked_are_sources(room: Room) -> None:
    account = room.corpus.account(room.account_id)
    worked = ToolOutcome(arguments={}, result={"summary": "Busy: nothing"}, error="", latency_ms=1)
    failed = ToolOutcome(arguments={}, result={}, error="offline", latency_ms=1)
    (source,) = tool_sources({"check_calendar": worked, "get_contact": failed, "create_draft": worked}, account)
    assert (source.kind, source.excerpt, source.readers) == (SourceKind.CALENDAR, "Busy: nothing", {"me@example.com"})


def test_a_mail_as_a_model_sees_it(room: Room) -> None:
    long, quoted = room.put(mail("word " * 2000, key="l"), mail(f"New words\n\n{QUOTED}\n> old words", key="n"))
    assert len(excerpt_of(long)) == EXCERPT_LIMIT
    text = message_text(long, limit=100)
    assert "more characters]" in text
    assert len(text) < 400
    seen = message_text(quoted)
    assert "From: Ann Berg <ann@partner.org>" in seen
    assert "Friday 2026-11-20 12:00 UTC" in seen
    assert "New words" in seen
    assert "old words" not in seen

"""State: drafts survive their trip as JSON, and a run that goes on from a row knows what the row knows."""

from dataclasses import replace

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from app.agent.runtime.state import DraftPayload, initial_state, pack, state_from_review, triage_of, triage_update, unpack
from app.domain.drafting.draft import Draft, Source, SourceKind, Span, SpanKind
from app.domain.drafting.review import Action, ReviewKind
from app.domain.ids import MessageId
from app.domain.mail.message import Address
from fakes.engine.agent_mailbox import Room, mail, verdict

texts = st.text(max_size=20)
spans = st.builds(
    Span, st.integers(0, 99), st.integers(0, 99), st.sampled_from(SpanKind), texts, st.integers(0, 9).map(MessageId)
)
addresses = st.lists(st.builds(Address, texts, texts), max_size=3).map(tuple)
drafts = st.builds(Draft, addresses, addresses, addresses, texts, texts, texts, spans=st.lists(spans, max_size=3).map(tuple))
sources = st.builds(Source, st.sampled_from(SourceKind), texts, texts, readers=st.frozensets(texts, max_size=3))


@given(drafts, st.lists(sources, max_size=3).map(tuple))
def test_a_draft_survives_as_json(draft: Draft, found: tuple[Source, ...]) -> None:
    drafted = unpack(pack(DraftPayload(draft, found)))
    assert (drafted.draft, drafted.sources) == (draft, found)


def test_a_verdict_survives_as_fields(room: Room) -> None:
    (message,) = room.put(mail("x"))
    state = initial_state(room.start(message))
    state.update(triage_update(verdict()))  # type: ignore[typeddict-item]
    assert triage_of(state) == verdict()
    assert msgspec.json.decode(msgspec.json.encode(state)) == state


def test_going_on_from_a_row(room: Room) -> None:
    from app.domain.drafting.review import Proposal

    (message,) = room.put(mail("x"))
    run = room.start(message)
    seen = Proposal(
        message.account_id, run.id, message.id, message.thread_id, ReviewKind.REPLY, "respond", "inquiry", 0.7, "r", "m",
        draft=Draft((), (), (), "", "body", "m"),
    )  # fmt: skip
    review_id = room.reviews.open(seen, "reply")
    room.decide(review_id, Action.RESPOND, "shorter")
    state = state_from_review(room.reviews.review(review_id), "shorter")
    assert (state["review_id"], state["revision"], state["feedback"], state["decision"]) == (review_id, 1, "shorter", "respond")
    failed_id = room.reviews.open(
        replace(seen, kind=ReviewKind.NEEDS_REVIEW, decision="", category="", draft=None), "needs_review"
    )
    state = state_from_review(room.reviews.review(failed_id), "")
    assert "review_id" not in state
    assert "decision" not in state
    assert state["answer"]

"""Single nodes of the pipeline: what they choose, find, run and put up."""

import json
from typing import Any

import pytest

from app.agent.agents.pipeline.retrieve import retrieve
from app.agent.agents.pipeline.review import review
from app.agent.runtime.state import DraftPayload, MailState, initial_state, pack, triage_update
from app.agent.runtime.steps import NodeSpec, step
from app.agent.runtime.transitions import Node
from app.domain.drafting.draft import Draft
from app.domain.drafting.review import FlagKind
from app.domain.mail.message import Address, Message
from app.domain.mail.triage import Category, Decision, Triage
from fakes.engine.agent_mailbox import ANN, OWNER, SENT, FixedTriage, Room, mail, verdict

pytestmark = pytest.mark.anyio


def state_of(room: Room, message: Message, judged: Triage | None = None, **more: Any) -> MailState:
    """The state after classify."""
    state = initial_state(room.start(message))
    return MailState(**{**state, **triage_update(judged or verdict()), **more})  # type: ignore[typeddict-item]


async def test_retrieval_keeps_to_the_correspondents_and_leaves_secrets(room: Room) -> None:
    bob = Address("bob@other.org")
    with_ann, from_bob, code, asked, said, far, message = room.put(
        mail("Your order is on its way", key="a", thread="ta"),
        mail("Bob's salary is 5", key="b", thread="tb", sender=bob),
        mail("Your verification code is 123456", key="c", thread="tc"),
        mail("Open on Sunday?", key="q", thread="tq", sender=bob),
        mail("No, sorry.", key="r", thread="tq", sender=OWNER, to=(bob,), labels=SENT),
        mail("Something far", key="f", thread="tf"),
        mail("Where is my order?"),
    )
    room.corpus.near = [(with_ann.id, 0.9), (from_bob.id, 0.8), (code.id, 0.7), (far.id, 0.1)]
    room.corpus.replies = [(asked.id, said.id, 0.8), (asked.id, said.id, 0.2)]
    update = await retrieve(state_of(room, message), room.deps(FixedTriage(verdict())))
    assert update["context"] == [f"message:{with_ann.id}@0.9000", f"own_reply:{said.id}/{asked.id}@0.8000"]


async def test_review_computes_flags_and_opens_once(room: Room) -> None:
    (message,) = room.put(mail("Price?"))
    draft = Draft((ANN, Address("eve@evil.org")), (), (), "Re: x", "See https://evil.org", "m", message.id)
    state = state_of(room, message, draft_response=pack(DraftPayload(draft)))
    deps = room.deps(FixedTriage(verdict()))
    first, second = [(await step(Node.REVIEW, NodeSpec(review), deps)(state)).update for _ in range(2)]
    assert first["review_id"] == second["review_id"]
    assert first["draft_response"] == f"review:{first['review_id']}"
    assert (first["requires_approval"], first["why"]) == (True, "auto_off")
    (stored,) = room.all_reviews()
    assert {flag.kind for flag in stored.proposal.flags} == {
        FlagKind.RECIPIENT_OUTSIDE_THREAD,
        FlagKind.NEVER_WRITTEN_TO,
        FlagKind.LINK_NOT_FROM_USER,
    }
    assert (stored.proposal.decision, stored.proposal.category, stored.proposal.reason) == (
        Decision.RESPOND,
        Category.INQUIRY,
        "Asks two questions.",
    )
    assert json.loads(json.dumps(first)) == first

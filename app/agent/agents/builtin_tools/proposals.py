"""Tools `send_reply`, `create_draft`, `escalate` and `remember`: what an agent puts before the owner. None of them sends.

An approved reply is queued in the outbox by the decision's own commit. Drafts and escalations wait in Review. A preference is
stored only after the owner approves it.
"""

import asyncio
from collections.abc import Iterable
from typing import Any

from app.agent.agents.builtin_tools.services import Case, MailCase
from app.agent.drafting.claims import unsupported
from app.agent.drafting.model_request import evidence_of
from app.agent.drafting.model_text import plain_text, with_slots
from app.agent.runtime.conversation import load, tool_steps
from app.agent.runtime.proposals import as_request, flags_of, plain_proposal, reply_proposal
from app.agent.runtime.state import DraftPayload
from app.agent.tools.registry import RegisteredTool, a_text, an_object
from app.domain.agents.call_flags import plain_address
from app.domain.agents.memory import LONGEST_TEXT, Namespace
from app.domain.agents.tools import Json, ToolDefinition, always, plan_hash
from app.domain.drafting.draft import Draft
from app.domain.drafting.review import Proposal, ReviewKind, ReviewStatus
from app.domain.errors import NotAllowed
from app.domain.ids import ReviewId
from app.domain.mail.message import Address
from app.domain.mail.recipients import reply_subject
from app.domain.policy.policy import Effect
from app.domain.record import replace

LONGEST_BODY = 20_000
ADDRESSED = {
    "to": a_text("The address it goes to.", 254),
    "subject": a_text("The subject.", 300),
    "body": a_text("The words of the mail, without signature.", LONGEST_BODY),
}
SEND = ToolDefinition(
    "send_reply",
    "Propose a reply. The owner sees it first and may change it; it leaves later.",
    an_object(("to", "subject", "body"), **ADDRESSED),
    Effect.SEND,
    ("to",),
    ("subject", "body"),
)
DRAFT = ToolDefinition(
    "create_draft",
    "Leave a draft for the owner to look at whenever they like. Another draft takes the place of the one before.",
    an_object(("to", "subject", "body"), **ADDRESSED),
    Effect.LOCAL_WRITE,
    ("to",),
    ("subject", "body"),
)
ESCALATE = ToolDefinition(
    "escalate",
    "Hand the mail over to the owner, with the reason.",
    an_object(("reason",), reason=a_text("Why, in a sentence or two.", 2000)),
    Effect.LOCAL_WRITE,
)
DRAFT_KEY = "agent_draft"


def proposing_tools(case: MailCase) -> Iterable[RegisteredTool]:
    """`send_reply`, `create_draft` and `escalate`."""

    async def send_reply(to: str, subject: str, body: str) -> Json:
        return {"status": "queued"}

    async def propose_reply(to: str, subject: str, body: str) -> Proposal:
        return await asyncio.to_thread(letter_proposal, case, SEND.name, to, subject, body)

    async def create_draft(to: str, subject: str, body: str) -> Json:
        return {"status": await asyncio.to_thread(_open_draft, case, to, subject, body)}

    async def escalate(reason: str) -> Json:
        proposal = plain_proposal(case.state, ReviewKind.ESCALATION, reason, case.deps)
        shown = replace(proposal, maker=case.maker, tools=tool_steps(load(case.state)))
        await asyncio.to_thread(case.deps.desk.open, shown, f"escalate:{case.call_id}")
        return {"status": "escalated"}

    yield RegisteredTool(SEND, send_reply, propose=propose_reply)
    yield RegisteredTool(DRAFT, create_draft)
    yield RegisteredTool(ESCALATE, escalate)


def letter_proposal(case: MailCase, action: str, to: str, subject: str, body: str) -> Proposal:
    """The review of the agent's mail, with red flags and marks on unsupported claims."""
    drafted = DraftPayload(letter(case, to, subject, body))
    flags = flags_of(drafted, case.message, case.account, case.state, case.deps, len(case.state.get("sends", [])))
    arguments: dict[str, Any] = {"to": to, "subject": subject, "body": body}
    return replace(
        reply_proposal(case.state, drafted, flags, case.deps),
        maker=case.maker,
        flags=tuple(dict.fromkeys((*flags, *case.flags))),
        request_json=as_request(action, arguments),
        plan_hash=plan_hash(action, arguments),
        tools=tool_steps(load(case.state)),
    )


def letter(case: MailCase, to: str, subject: str, body: str) -> Draft:
    """The mail as a draft in the conversation. Raises `NotAllowed` for an invalid address."""
    address = plain_address(to)
    if address is None:
        raise NotAllowed("The recipient must be exactly one mail address.")
    people = (case.message.sender, *case.message.to, *case.message.cc, *case.message.reply_to)
    known = {one.email.lower(): one for one in people}
    fields = case.given.fields
    name = fields.get("patient_name", "") if fields.get("patient_email", "").lower() == address else ""
    named = known.get(address, Address(address, name))
    same = reply_subject(subject) == reply_subject(case.message.subject)
    empty = Draft((named,), (), (), reply_subject(subject) if same else subject, "", case.maker, case.message.id)
    draft = with_slots(empty, plain_text(body, case.account.signature))
    evidence = evidence_of(case.state, case.message, case.deps)
    results = (one["content"] for one in load(case.state) if one["role"] == "tool")
    with_tools = replace(evidence, others=(*evidence.others, *results))
    return replace(draft, spans=(*draft.spans, *unsupported(draft.body, with_tools)))


def _open_draft(case: MailCase, to: str, subject: str, body: str) -> str:
    """Opens a review for the draft, or revises the pending one of this run."""
    proposal = letter_proposal(case, DRAFT.name, to, subject, body)
    review_id = case.deps.desk.open(proposal, DRAFT_KEY)
    review = case.deps.desk.review(review_id)
    if review.proposal.plan_hash == proposal.plan_hash:
        return "created"
    if review.status is ReviewStatus.PENDING:
        case.deps.desk.revise(ReviewId(review_id), proposal)
        return "revised"
    raise NotAllowed(f"The owner has decided on the draft already: it is {review.status}.")


REMEMBER = ToolDefinition(
    "remember",
    "Propose a sentence to remember about how the owner handles mail. The owner agrees first.",
    an_object(
        ("text",),
        text=a_text("One sentence.", LONGEST_TEXT),
        about={"type": "string", "enum": ["response_preferences", "triage_preferences", "cal_preferences"]},
    ),
    Effect.LOCAL_WRITE,
    asks_when=always,
)


def memory_tools(case: Case) -> Iterable[RegisteredTool]:
    """`remember`, if there is a memory."""
    memory = case.toolbox.memory
    if memory is None:
        return

    async def remember(text: str, about: str = Namespace.RESPONSE.value) -> Json:
        preference = await asyncio.to_thread(memory.add, Namespace(about), text)
        return {"status": "remembered", "preference": preference}

    yield RegisteredTool(REMEMBER, remember)

"""Nodes `generate` and `check`: write the reply and mark claims without a source.

With a model, one structured call writes the draft; code checks it and sends it back once with its unsupported claims. Without a
model, and where it gives no usable answer, the draft comes from the owner's own earlier reply or a template.
"""

import asyncio

from app.agent.agents.pipeline.classify import rerouted, verdict_of
from app.agent.drafting.claims import from_sources, unsupported
from app.agent.drafting.model_request import (
    DRAFT_SCHEMA,
    JUDGED_SCHEMA,
    below,
    busy_times,
    draft_check,
    draft_messages,
    evidence_of,
)
from app.agent.drafting.model_text import plain_text, with_slots
from app.agent.drafting.sources import mail_sources, own_replies, tool_sources
from app.agent.llm.turns import UnusableAnswer
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.state import (
    DraftPayload,
    MailState,
    Update,
    message_id_of,
    pack,
    run_id_of,
    triage_of,
    triage_update,
    unpack,
)
from app.agent.runtime.steps import may_ask, without_model
from app.agent.runtime.transitions import MAX_CHECK_ROUNDS
from app.domain.agents.runs import Route
from app.domain.drafting.draft import Draft, SourceKind
from app.domain.error_texts import Cause
from app.domain.errors import CapReached, ModelUnavailable
from app.domain.ids import ReviewId, ThreadId
from app.domain.mail.message import Account, Message
from app.domain.mail.recipients import draft_recipients, reply_subject
from app.domain.mail.triage import Decision, settle_spam
from app.domain.record import replace


async def generate(state: MailState, deps: Deps) -> Update:
    """Writes the draft with its sources: by the model, else by rules."""
    message = deps.corpus.message(message_id_of(state))
    account = deps.corpus.account(message.account_id)
    missing: Update = {}
    if deps.gateway is not None and may_ask(state):
        try:
            return await _by_model(state, message, account, deps)
        except (ModelUnavailable, CapReached) as error:
            if state.get("unsupported"):  # the model's first draft stays, with its marks
                return {"rounds": 0, "unsupported": []}
            if state.get("feedback") and not isinstance(error, UnusableAnswer):
                raise  # what the owner asked for waits for the model
            missing = without_model(state, error)
            if missing.get("outcome"):
                return missing
    drafted = await asyncio.to_thread(_by_rules, state, message, account, deps)
    return {"draft_response": pack(drafted), "rounds": 0, "unsupported": [], **missing}


async def _by_model(state: MailState, message: Message, account: Account, deps: Deps) -> Update:
    """The model's draft, from one structured call."""
    assert deps.gateway is not None
    deps.check_leaving(message.thread_id)
    before = unpack(state["draft_response"]).draft if state.get("unsupported") else None  # `check` sent it back
    if before is None and (review_id := state.get("review_id")):
        before = deps.desk.review(ReviewId(review_id)).proposal.draft
    elif before is None:
        before = _edited(state, deps)
    judges = bool(state.get("verdict_open"))
    messages = draft_messages(state, message, account, before, deps)
    schema = JUDGED_SCHEMA if judges else DRAFT_SCHEMA
    answer = await deps.gateway.structured(run_id_of(state), "generate", messages, schema, draft_check(state, message, deps))
    update: Update = {"unsupported": [], "without_model": "", "ask_again": False}
    if judges:
        said = verdict_of(answer, deps.gateway.model)
        verdict = settle_spam(await deps.gateway.weighed(triage_of(state), said))
        deps.book.verdict(run_id_of(state), message, verdict)
        update |= {**triage_update(verdict), "verdict_open": False}
        if verdict.maker != deps.gateway.model and not str(answer["body"]).strip():
            raise UnusableAnswer(Cause.VERDICT_OVERRULED, deps.gateway.model)
        if verdict.decision is not Decision.RESPOND and not state.get("answer"):
            return {**update, "draft_response": "", "rounds": 0}
        if Route.RESPONSE_AGENT in (moved := rerouted(state, verdict, deps)).values():
            return {**update, **moved, "draft_response": "", "rounds": 0}
    body = plain_text(str(answer["body"]), account.signature)
    if not body:
        raise UnusableAnswer(Cause.MODEL_EMPTY, deps.gateway.model)
    draft = with_slots(_envelope(message, account, deps.gateway.model, deps), body)
    sources = mail_sources(state.get("context", []), deps.corpus) + tool_sources(state.get("tool_results", {}), account)
    return {**update, "draft_response": pack(DraftPayload(draft, sources)), "rounds": state.get("rounds", 0) + 1}


async def check(state: MailState, deps: Deps) -> Update:
    """Checks the draft against its sources."""
    message = deps.corpus.message(message_id_of(state))
    drafted = unpack(state["draft_response"])
    draft = drafted.draft
    evidence = evidence_of(state, message, deps)
    missing = unsupported(draft.body, evidence)
    taken = from_sources(draft.body, [one for one in drafted.sources if one.kind is not SourceKind.CONTACT])
    marked = replace(draft, spans=(*draft.spans, *taken, *missing))
    claims = [f"{span.note}: {draft.body[span.start : span.end]}" for span in missing]
    if claims and state["rounds"] <= MAX_CHECK_ROUNDS and (deps.gateway is None or not deps.gateway.spare()):
        claims = []  # the owner sees the marks; another call is not left
    return {"draft_response": pack(DraftPayload(marked, drafted.sources)), "unsupported": claims}


def _edited(state: MailState, deps: Deps) -> Draft | None:
    """The user's edited draft of an earlier review of this conversation, which a newer mail must not discard."""
    return deps.desk.edited_in_thread(ThreadId(state["thread_id"]), run_id_of(state))


def _by_rules(state: MailState, message: Message, account: Account, deps: Deps) -> DraftPayload:
    """The draft without a model: a first one, or the earlier one unchanged, because only a model can follow a remark."""
    review_id = state.get("review_id")
    proposal = deps.desk.review(ReviewId(review_id)).proposal if review_id else None
    if proposal is not None and proposal.draft is not None:
        return DraftPayload(proposal.draft, proposal.sources)
    contact = deps.corpus.contact(account.id, message.sender.email)
    past = own_replies(state.get("context", []), deps.corpus)
    thread = deps.corpus.thread(message.thread_id)
    draft, sources = deps.drafter(
        message, thread, account, contact, past, busy_times(state), triage_of(state), hours=deps.hours, now=deps.clock()
    )
    envelope = _envelope(message, account, draft.maker, deps)
    draft = replace(draft, to=envelope.to, cc=envelope.cc, subject=envelope.subject)
    if (edited := _edited(state, deps)) is not None:
        draft = below(edited, draft)
    known = {source.message_id for source in sources if source.message_id}
    others = [one for one in mail_sources(state.get("context", []), deps.corpus) if one.message_id not in known]
    kinds = {source.kind for source in sources}
    read = [one for one in tool_sources(state.get("tool_results", {}), account) if one.kind not in kinds]
    return DraftPayload(draft, (*sources, *others, *read))


def _envelope(message: Message, account: Account, maker: str, deps: Deps) -> Draft:
    """An empty reply."""
    to, cc = draft_recipients(message, account, deps.corpus.thread(message.thread_id))
    return Draft(to, cc, (), reply_subject(message.subject), "", maker, message.id)

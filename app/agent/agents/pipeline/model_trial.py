"""Tries a model on a message without any effect, and scores its draft by code.

The request is the one that a run would make. Nothing is stored but the row of the call, since the text did leave.
"""

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import cast

from app.agent.agents.pipeline.classify import verdict_of
from app.agent.agents.pipeline.retrieve import retrieve
from app.agent.agents.pipeline.tools import check_calendar
from app.agent.drafting.claims import DraftEvidence, unsupported
from app.agent.drafting.model_request import JUDGED_SCHEMA, draft_check, draft_messages, evidence_of
from app.agent.drafting.model_text import plain_text, with_slots
from app.agent.drafting.templates import asked_of_owner
from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.turns import UnusableAnswer
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.state import MailState, ToolOutcome, triage_of, triage_update
from app.domain.agents.runs import ModelCall
from app.domain.drafting.draft import Draft, SpanKind
from app.domain.drafting.meeting import CHECK_CALENDAR
from app.domain.errors import CapReached, ExpectedError, ModelUnavailable
from app.domain.ids import RunId
from app.domain.language.words import content_words, language
from app.domain.mail.message import Account, Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.recipients import own_addresses
from app.domain.mail.triage import Decision
from app.domain.ports.agents import CallLedger
from app.domain.protocol.commands import DraftFault, ModelTried
from app.domain.record import replace

TRIAL_RUN = RunId("model-trial")
LONGEST_DRAFT = 200
"""Words. The owner's own answers in the labelled set have 12 to 120."""
STEM = 4
_PREAMBLE = re.compile(
    r"\s*(?:sure|certainly|of course|here(?:'s| is| are)|as an ai|i (?:cannot|can't) help|subject:|betreff:|předmět:|```|\{|<)",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


class TrialLedger:
    """Keeps the calls of one trial, and passes them on."""

    def __init__(self, ledger: CallLedger) -> None:
        self._ledger = ledger
        self.calls: list[ModelCall] = []

    def model_call(self, call: ModelCall) -> None:
        self.calls.append(call)
        self._ledger.model_call(call)

    def usage_today(self) -> tuple[int, int, float]:
        return self._ledger.usage_today()

    def usage_this_month(self) -> tuple[int, int, float]:
        return self._ledger.usage_this_month()


def faults_of(
    draft: Draft, message: Message, thread: Sequence[Message], account: Account, evidence: DraftEvidence
) -> tuple[DraftFault, ...]:
    """What code finds wrong with a draft, each once."""
    body, asked = draft.body, newest_part(message.body_text)
    slots = [span.note for span in draft.spans if span.kind is SpanKind.OPEN_SLOT]
    said = _stems("\n".join([body, *slots]))
    wants = [_stems(one.sentence) for one in asked_of_owner(message, account)]
    missed = sum(not (wanted & said) for wanted in wants if wanted)
    people = {one.email.lower() for mail in thread for one in (mail.sender, *mail.to, *mail.cc)} | own_addresses(account)
    found = {
        DraftFault.UNANSWERED: missed > len(slots),
        DraftFault.UNSUPPORTED: bool(unsupported(body, evidence)),
        DraftFault.LANGUAGE: language(body) is not language(asked),
        DraftFault.LENGTH: not body.strip() or len(body.split()) > LONGEST_DRAFT,
        DraftFault.RECIPIENTS: any(one.lower() not in people for one in _ADDRESS.findall(body)),
        DraftFault.PREAMBLE: _PREAMBLE.match(body) is not None,
    }
    return tuple(fault for fault, there in found.items() if there)


def _stems(text: str) -> frozenset[str]:
    """The beginnings of content words, so that "cost" is found in "costs"."""
    return frozenset(word[:STEM] for word in content_words(text))


async def try_model(message: Message, deps: Deps, gateway: LiteLlmGateway, ledger: TrialLedger) -> ModelTried:
    """What the model would have said, beside what the owner did. An error of the model is part of the result.

    The model's trust grows or falls with what the owner did.
    """
    thread = deps.corpus.thread(message.thread_id)
    answer = next((one for one in thread if one.outgoing and one.date > message.date), None)
    tried = ModelTried(
        message_id=message.id,
        sender=message.sender.name or message.sender.email,
        subject=message.subject,
        answered=answer is not None,
        owner_text=newest_part(answer.body_text).strip() if answer else "",
    )
    before = len(ledger.calls)
    state = await _state(message, thread, deps.corpus.account(message.account_id), deps)
    tried = replace(tried, local=state["decision"])
    try:
        tried = await _asked(tried, message, thread, state, deps, gateway)
    except (ModelUnavailable, CapReached) as error:
        tried = replace(tried, error=error.text.stored(), unusable=isinstance(error, UnusableAnswer))
    calls = ledger.calls[before:]
    return replace(
        tried,
        seconds=sum(one.latency_ms for one in calls) / 1000,
        tokens=sum(one.prompt_tokens + one.completion_tokens for one in calls),
        usd=sum(one.cost_usd for one in calls),
    )


async def _asked(
    tried: ModelTried, message: Message, thread: Sequence[Message], state: MailState, deps: Deps, gateway: LiteLlmGateway
) -> ModelTried:
    deps.check_leaving(message.thread_id)
    account = deps.corpus.account(message.account_id)
    asked = draft_messages(state, message, account, None, deps)
    answer = await gateway.structured(TRIAL_RUN, "generate", asked, JUDGED_SCHEMA, draft_check(state, message, deps))
    verdict = verdict_of(answer, gateway.model)
    local = triage_of(state)
    overruled = verdict.decision is not local.decision and gateway.trust.weighed(local, verdict) is local
    quiet = local.decision if local.decision is not Decision.RESPOND else Decision.NOTIFY
    await asyncio.to_thread(gateway.trust.learn, Decision.RESPOND if tried.answered else quiet, verdict.decision)
    tried = replace(tried, decision=verdict.decision.value, reason=verdict.reason, overruled=overruled)
    if verdict.decision is not Decision.RESPOND:
        return tried
    draft = with_slots(Draft((), (), (), "", "", gateway.model, message.id), plain_text(str(answer["body"]), account.signature))
    faults = faults_of(draft, message, thread, account, evidence_of(state, message, deps))
    return replace(tried, body=draft.body, open_slots=len(draft.open_slots), faults=faults)


async def _state(message: Message, thread: Sequence[Message], account: Account, deps: Deps) -> MailState:
    contact = deps.corpus.contact(account.id, message.sender.email)
    vector = deps.embedder.embed([message.subject + "\n" + newest_part(message.body_text)])[0]
    local = deps.triage.judge(message, thread, account, vector, contact)
    state = MailState(run_id=TRIAL_RUN, account_id=account.id, thread_id=message.thread_id, email=message.id, route="pipeline")
    state = cast(MailState, {**state, **triage_update(local), "verdict_open": True})
    state["context"] = (await retrieve(state, deps))["context"]
    if deps.calendar is not None:
        with suppress(ExpectedError):  # the draft then leaves the time open
            arguments, result = await check_calendar(message, account, deps)
            state["tool_results"] = {CHECK_CALENDAR: ToolOutcome(arguments=arguments, result=result, error="", latency_ms=0.0)}
    return state

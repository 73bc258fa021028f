"""Nodes `route` and `classify`: the agent for the mail, and its triage verdict.

Headers and rules decide clear cases. The rest goes to the model. Without one, and where it gives no usable answer, the local
classifier's verdict counts.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

from app.agent.drafting.verdict_request import TRIAGE_SCHEMA, triage_messages
from app.agent.retrieval import mail_text
from app.agent.runtime.conversation import read_mark
from app.agent.runtime.dependencies import Deps, Tier
from app.agent.runtime.state import MailState, Update, message_id_of, run_id_of, triage_update
from app.agent.runtime.steps import may_ask, without_model
from app.domain.agents.runs import Route
from app.domain.errors import CapReached, ModelUnavailable
from app.domain.ids import ThreadId
from app.domain.mail.message import Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.triage import Category, Decision, Triage, settle_spam

RULE_MAKER = "rule:"
"""Prefix of the maker of rule verdicts. The model does not judge these again."""

SURE_ANSWER = 0.75
"""Confidence of the local classifier from which a mail goes straight to its answer: one call then judges and writes.

A verdict of its own costs 700 tokens, a draft 1,300: two calls are dearer where more than half of such mail gets an answer.
"""


async def route(state: MailState, deps: Deps) -> Update:
    """Keeps the run's route. Without a model, mail for the response agent takes the pipeline."""
    started_ms = int(deps.clock().timestamp() * 1000)
    if state["route"] == Route.RESPONSE_AGENT and deps.model_for(Tier.AGENT) is None:
        return {"started_ms": started_ms, "route": Route.PIPELINE.value}
    return {"started_ms": started_ms}


async def classify(state: MailState, deps: Deps) -> Update:
    """Stores the verdict. Uncertain spam becomes notify."""
    thread = deps.corpus.thread(ThreadId(state["thread_id"]))  # read first: it fills the cache that the message is read from
    message = deps.corpus.message(message_id_of(state))
    account = deps.corpus.account(message.account_id)
    vector = await embed(message, deps)
    contact = deps.corpus.contact(account.id, message.sender.email)
    verdict = deps.triage.judge(message, thread, account, vector, contact)
    missing: Update = {}
    gateway = deps.model_for(Tier.TRIAGE)
    if gateway is not None and may_ask(state) and not verdict.maker.startswith(RULE_MAKER):
        if verdict.decision is Decision.RESPOND and verdict.confidence >= SURE_ANSWER:
            deps.book.verdict(run_id_of(state), message, verdict)
            moved = rerouted(state, verdict, deps)
            agent = Route.RESPONSE_AGENT in (state["route"], moved.get("route"))  # its turns do not judge
            return {**triage_update(verdict), **moved, "verdict_open": not agent}
        try:
            deps.check_leaving(message.thread_id)
            asked = triage_messages(message, thread, account, contact, verdict, deps)
            answer = await gateway.structured(run_id_of(state), "triage", asked, TRIAGE_SCHEMA)
            verdict = await gateway.weighed(verdict, verdict_of(answer, gateway.model))
        except (ModelUnavailable, CapReached) as error:
            missing = without_model(state, error)
            if missing.get("outcome"):
                return missing
    settled = settle_spam(verdict)
    deps.book.verdict(run_id_of(state), message, settled)
    if settled.decision is Decision.IGNORE and deps.mark_ignored_read and not state.get("answer"):
        await asyncio.to_thread(deps.journal.tool, read_mark(state, deps, "ignored"))
    return {**triage_update(settled), **rerouted(state, settled, deps), **missing}


def rerouted(state: MailState, verdict: Triage, deps: Deps) -> Update:
    """Applies the settings for mail and for meeting requests, unless a rule routed the mail. Needs a model.

    A meeting is only arranged where a calendar can be read.
    """
    able = deps.model_for(Tier.AGENT) is not None and may_ask(state)
    free = able and state["route"] == Route.PIPELINE and not state.get("ruled")
    meeting = verdict.category is Category.MEETING_REQUEST and deps.calendar is not None
    wanted = deps.meeting_route if meeting else deps.answer_route
    return {"route": wanted.value} if free and wanted is not Route.PIPELINE else {}


async def embed(message: Message, deps: Deps) -> list[float]:
    """The mail's embedding, computed in a thread."""
    text = mail_text(message.subject, newest_part(message.body_text))
    return (await asyncio.to_thread(deps.embedder.embed, [text]))[0]


def verdict_of(answer: Mapping[str, Any], model: str) -> Triage:
    decision, category = Decision(answer["decision"]), Category(answer["category"])
    return Triage(decision, category, float(answer["confidence"]), str(answer["reason"]), model)

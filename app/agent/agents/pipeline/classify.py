"""Nodes `route` and `classify`: the agent for the mail, and its triage verdict.

Headers and rules decide clear cases. The rest goes to the model. Without one, and where it gives no usable answer, the local
classifier's verdict counts.
"""

import asyncio

from app.agent.drafting.sources import message_text
from app.agent.llm.prompts import PromptBook, chat, fence
from app.agent.retrieval import mail_text
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.state import MailState, Update, message_id_of, run_id_of, triage_update
from app.agent.runtime.without_model import without_model
from app.domain.agents.runs import Route
from app.domain.errors import CapReached, ModelUnavailable
from app.domain.ids import ThreadId
from app.domain.mail.message import Account, Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.triage import Category, Decision, Triage, settle_spam

RULE_MAKER = "rule:"
"""Prefix of the maker of rule verdicts. The model does not judge these again."""

DECISION_WORDS = {
    "reply": "respond", "answer": "respond", "needs reply": "respond", "response needed": "respond", "action": "respond",
    "fyi": "notify", "inform": "notify", "read": "notify", "no reply needed": "notify", "notification": "notify",
    "skip": "ignore", "archive": "ignore", "discard": "ignore", "delete": "ignore", "no action": "ignore", "none": "ignore",
}  # fmt: skip
CATEGORY_WORDS = {
    "question": "inquiry", "enquiry": "inquiry", "request": "inquiry", "information": "inquiry", "support": "inquiry",
    "meeting": "meeting_request", "appointment": "meeting_request", "scheduling": "meeting_request", "call": "meeting_request",
    "problem": "complaint", "issue": "complaint", "followup": "follow_up", "reminder": "follow_up", "update": "follow_up",
    "junk": "spam", "phishing": "spam", "scam": "spam", "general": "other", "newsletter": "other", "notification": "other",
    "personal": "other", "unknown": "other",
}  # fmt: skip
"""Other words that models use for decisions and categories."""

TRIAGE_SCHEMA = {
    "type": "object",
    "properties": {
        "decision": {"type": "string", "enum": [one.value for one in Decision], "synonyms": DECISION_WORDS},
        "category": {"type": "string", "enum": [one.value for one in Category], "synonyms": CATEGORY_WORDS},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "reason": {"type": "string", "maxLength": 400, "cut": True, "default": ""},
    },
    "required": ["decision", "category", "confidence", "reason"],
    "additionalProperties": False,
}


async def route(state: MailState, deps: Deps) -> Update:
    """Keeps the run's route. Without a model, mail for the response agent takes the pipeline."""
    started_ms = int(deps.clock().timestamp() * 1000)
    if state["route"] == Route.RESPONSE_AGENT and deps.gateway is None:
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
    if deps.gateway is not None and not verdict.maker.startswith(RULE_MAKER):
        try:
            verdict = await _by_model(state, message, account, deps)
        except (ModelUnavailable, CapReached) as error:
            missing = without_model(state, error)
            if missing.get("outcome"):
                return missing
    settled = settle_spam(verdict)
    deps.book.verdict(run_id_of(state), message, settled)
    return {**triage_update(settled), **_rerouted(state, settled, deps), **missing}


def _rerouted(state: MailState, verdict: Triage, deps: Deps) -> Update:
    """Applies the setting for meeting requests, unless a rule routed the mail. Needs a model."""
    free = deps.gateway is not None and state["route"] == Route.PIPELINE and not state.get("ruled")
    return {"route": deps.meeting_route.value} if free and verdict.category is Category.MEETING_REQUEST else {}


async def embed(message: Message, deps: Deps) -> list[float]:
    """The mail's embedding, computed in a thread."""
    return await asyncio.to_thread(embed_now, message, deps)


def embed_now(message: Message, deps: Deps) -> list[float]:
    """The mail's embedding, computed in the calling thread."""
    return deps.embedder.embed([mail_text(message.subject, newest_part(message.body_text))])[0]


async def _by_model(state: MailState, message: Message, account: Account, deps: Deps) -> Triage:
    """The model's verdict, from one structured call."""
    assert deps.gateway is not None
    book = PromptBook.read(deps.prompts, "triage")
    preferences = deps.memory.read(account.id, "triage_preferences") if deps.memory else ""
    system = book.fill(
        "triage", owner=account.name or account.email, address=account.email, background=deps.background, preferences=preferences
    )
    answer = await deps.gateway.structured(
        run_id_of(state), "triage", chat(system, fence(message_text(message), "mail")), TRIAGE_SCHEMA
    )
    return Triage(
        Decision(answer["decision"]),
        Category(answer["category"]),
        float(answer["confidence"]),
        str(answer["reason"]),
        deps.gateway.model,
    )

"""The request for a draft by a model, the evidence its draft is checked against, and open slots.

Request and evidence use the same pieces, so that a claim is supported exactly where its source was in the request. A model writes
`[[what is needed]]` for an open slot; common placeholders such as `[Your Name]` count as slots too, so that none is ever sent.
Slots become spans and leave no text in the body.
"""

import re
from dataclasses import replace

from app.agent.drafting.claims import DraftEvidence
from app.agent.drafting.sources import excerpt_of, mail_sources, message_text, own_replies, tool_sources
from app.agent.llm.prompts import PromptBook, chat, fence
from app.agent.llm.turns import ChatMessage
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.state import MailState
from app.domain.drafting.draft import Draft, SourceKind, Span, SpanKind
from app.domain.mail.message import Account, Message
from app.domain.mail.triage import Category

DRAFT_SCHEMA = {
    "type": "object",
    "properties": {
        "language": {"type": "string", "minLength": 2, "maxLength": 40},
        "questions": {"type": "array", "items": {"type": "string"}, "maxItems": 30},
        "body": {"type": "string", "minLength": 1, "maxLength": 12000},
    },
    "required": ["language", "questions", "body"],
    "additionalProperties": False,
}

TONES: dict[Category, str] = {
    Category.INQUIRY: "professional and to the point",
    Category.COMPLAINT: "empathetic: name the trouble in your own words first, promise nothing that is not in a source",
    Category.FOLLOW_UP: "friendly",
    Category.MEETING_REQUEST: "friendly and brief; propose times only where the calendar shows the owner free",
    Category.SPAM: "brief and guarded",
    Category.OTHER: "polite and natural",
}

EARLIER_MAILS = 5
EARLIER_LIMIT = 1500


def draft_messages(state: MailState, message: Message, account: Account, before: Draft | None, deps: Deps) -> list[ChatMessage]:
    """The chat messages for a first draft, or for a better one than `before`."""
    signed = "Leave the signature out; it is added." if account.signature else f"Sign with the name {account.name}."
    preferences = deps.memory.read(account.id, "response_preferences") if deps.memory else ""
    system = PromptBook.read(deps.prompts, "generate").fill(
        "generate",
        owner=account.name or account.email,
        address=account.email,
        now=f"{deps.clock().astimezone(deps.time_zone):%A %Y-%m-%d %H:%M %Z}",
        tone=TONES[Category(state["classification"])],
        signature=signed,
        background=deps.background,
        preferences=preferences,
    )
    return chat(
        system, *_context(state, message, account, deps), fence(message_text(message), "newest mail"), _remarks(state, before)
    )


def _context(state: MailState, message: Message, account: Account, deps: Deps) -> list[str]:
    """Thread, related mail, tool results and earlier answers of the owner, each fenced."""
    context = state.get("context", [])
    thread = deps.corpus.thread(message.thread_id)
    place = next((at for at, one in enumerate(thread) if one.id == message.id), len(thread))
    earlier = thread[:place]
    parts = [fence(message_text(one, EARLIER_LIMIT), "earlier in this thread") for one in earlier[-EARLIER_MAILS:]]
    related = [one for one in mail_sources(context, deps.corpus) if one.kind is SourceKind.MESSAGE]
    parts += [fence(f"{one.title}\n{one.excerpt}", "related mail") for one in related]
    parts += [fence(one.excerpt, one.kind.value) for one in tool_sources(state.get("tool_results", {}), account)]
    for past in own_replies(context, deps.corpus):
        asked = fence(excerpt_of(past.question), "mail the owner once got")
        parts.append(f"{asked}\n{fence(excerpt_of(past.answer), 'how the owner answered it')}")
    return parts


def _remarks(state: MailState, before: Draft | None) -> str:
    """The owner's feedback and the claims without a source in the draft before."""
    parts = [fence(before.body, "your draft so far")] if before else []
    if state.get("feedback"):
        parts.append(f"The owner says: {state['feedback']}")
    if before and state.get("unsupported"):
        claims = "\n".join(f"- {claim}" for claim in state["unsupported"])
        parts.append(
            "These stand in no source. Take each out, or put [[what is needed]] in its place, and keep the rest:\n" + claims
        )
    return "\n\n".join(parts)


def evidence_of(state: MailState, message: Message, deps: Deps) -> DraftEvidence:
    """All texts of the request, split into the owner's and others'."""
    account = deps.corpus.account(message.account_id)
    context = state.get("context", [])
    thread = deps.corpus.thread(message.thread_id)
    sources = mail_sources(context, deps.corpus)
    owner = [one.excerpt for one in sources if one.kind is SourceKind.OWN_REPLY]
    owner += [one.body_text for one in thread if one.outgoing]
    owner += [deps.background, state.get("feedback", ""), account.name, account.email]
    others = [message_text(one, EARLIER_LIMIT * 4) for one in thread if not one.outgoing]
    others += [one.excerpt for one in sources if one.kind is not SourceKind.OWN_REPLY]
    others += [one.excerpt for one in tool_sources(state.get("tool_results", {}), account)]
    others.append(f"{deps.clock().astimezone(deps.time_zone):%A %Y-%m-%d}")
    return DraftEvidence(tuple(filter(None, owner)), tuple(filter(None, others)))


MARKED = re.compile(
    r"\[\[(?P<slot>[^\[\]]{1,300})\]\]"
    r"|\[\s*(?P<blank>(?:your|insert|enter|add|name|date|time|day|company|phone|address|amount|link|placeholder|tbd|xx+)\b[^\[\]]{0,80}?)\s*\]",
    re.IGNORECASE,
)


def with_slots(draft: Draft, text: str) -> Draft:
    """The draft with `text` as its body, placeholders turned into open slots."""
    body = ""
    spans: list[Span] = []
    last = 0
    for found in MARKED.finditer(text):
        body += text[last : found.start()]
        spans.append(Span(len(body), len(body), SpanKind.OPEN_SLOT, (found.group("slot") or found.group("blank")).strip() or "…"))
        last = found.end()
    return replace(draft, body=body + text[last:], spans=tuple(spans))


def below(edited: Draft, fresh: Draft) -> Draft:
    """Puts the text of `edited` above that of `fresh`, with an open slot between them so that the user checks it."""
    above = f"{edited.body.rstrip()}\n\n"
    kept = tuple(span for span in edited.spans if span.end <= len(above) - 2)
    moved = tuple(replace(span, start=span.start + len(above), end=span.end + len(above)) for span in fresh.spans)
    between = Span(len(above), len(above), SpanKind.OPEN_SLOT, fresh.subject)
    return replace(fresh, body=above + fresh.body, spans=(*kept, between, *moved))

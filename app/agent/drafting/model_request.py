"""The request for a draft by a model, the check of its answer, and the evidence its draft is checked against.

Request and evidence use the same pieces, so that a claim is supported exactly where its source was in the request.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from app.agent.drafting.claims import DraftEvidence
from app.agent.drafting.model_text import MARKED, plain_text
from app.agent.drafting.sources import excerpt_of, mail_sources, message_text, own_replies, tool_sources
from app.agent.drafting.verdict_request import VERDICT_FIELDS, triage_preferences
from app.agent.language.reply_parts import signed_by, split_letter
from app.agent.language.times import WorkingHours, free_times, is_free, proposed, suits, written
from app.agent.llm.prompts import chat, fence, prompt
from app.agent.llm.turns import ChatMessage, FaultOf
from app.agent.runtime.dependencies import OWN_MAIL_READ, Deps, about_owner, owner_prompt
from app.agent.runtime.state import MailState
from app.domain.agents.runs import Route
from app.domain.drafting.draft import Draft, SourceKind, Span, SpanKind
from app.domain.drafting.meeting import BusyTime
from app.domain.language.speech_acts import Addressee, greeted
from app.domain.language.words import alike, clear_language, content_words, language, words
from app.domain.mail.message import Account, Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.recipients import own_addresses
from app.domain.mail.triage import Category
from app.domain.record import replace

QUESTIONS = {"type": "array", "items": {"type": "string", "maxLength": 200, "cut": True}, "maxItems": 10, "default": []}
DRAFT_SCHEMA = {
    "type": "object",
    "properties": {
        "language": {"type": "string", "maxLength": 40, "cut": True, "default": ""},
        "questions": QUESTIONS,
        "body": {"type": "string", "minLength": 1, "maxLength": 12000},
    },
    "required": ["language", "questions", "body"],
    "additionalProperties": False,
}

JUDGED_SCHEMA = {
    "type": "object",
    "properties": {
        **VERDICT_FIELDS,
        "language": {"type": "string", "maxLength": 40, "cut": True, "default": ""},
        "questions": QUESTIONS,
        "body": {"type": "string", "maxLength": 12000, "default": ""},
    },
    "required": [*VERDICT_FIELDS, "language", "questions", "body"],
    "additionalProperties": False,
}
"""A verdict and, where it is to respond, the reply."""

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

TYPICAL_ANSWERS = 2
TYPICAL_LENGTH = range(60, 700)
TYPICAL_LOOKED_AT = 40
"""Newest mails of the owner among which typical answers are looked for."""
FEWEST_WORDS, MOST_ALIKE = 3, 4
"""A shorter reply, or one where each word stands so many times, is none. No answer of the sample mailbox's owner is such."""
RUN, REPEATED_FROM, MOST_REPEATED = 4, 12, 0.6
"""Words of a run, words of a draft from which repeating is counted, and the share of the mail's runs that makes it no reply."""
LEAKED = 5
"""Runs of a draft that stand in the rules for a draft."""

LONG_TEXT = 25
"""Content words from which a draft and a mail share some."""

_AS_ASSISTANT = re.compile(
    r"\bas an? (?:ai|artificial|language model|virtual assistant)\b|"
    r"\bi(?:'m| am) (?:just |only )?an? (?:ai|language model|(?:virtual|digital|e-?mail) assistant)\b|"
    r"^\W*(?:sure\W+|certainly\W+)?here(?:'s| is) (?:a|the|your|my) (?:[\w-]+ ){0,2}(?:draft|reply|response|e-?mail)\b"
    r"[^.\n]{0,40}:|"
    r"\b(?:provide|share) (?:me )?(?:with )?the (?:e-?mail|text).{0,40} (?:so|and) (?:that )?i can|"
    r"\bi (?:cannot|can't) (?:assist with|fulfil+) (?:this|that|your) request|"
    r"<<<[a-z]|"
    r"\bhow can i (?:help|assist) you today\b|\bjson object\b|"
    r"\bals (?:ki|sprachmodell|virtueller assistent)\b|^\W*hier ist (?:ein|der|die|mein) (?:entwurf|antwort)|"
    r"\bjako (?:umělá inteligence|jazykový model|virtuální asistent)|^\W*(?:zde|tady) je (?:návrh|koncept|odpověď)",
    re.IGNORECASE,
)
"""What a model says of itself or of its task."""

_REFUSES = re.compile(
    r"(?:(?:i['’]?m|i am) (?:very |really )?sorry|i apologi[sz]e|sorry|unfortunately),? (?:but )?i (?:can['’]?t|cannot|won['’]t|"
    r"am (?:not able|unable) to) (?:help|assist|comply|create|generate|write|draft|continue|process)\b|"
    r"(?:es tut mir leid|entschuldigung|leider),? .{0,40}\bkann ich .{0,30}\bnicht (?:weiter)?helfen|"
    r"(?:omlouvám se|je mi líto|bohužel),? .{0,40}\bnemohu .{0,20}\bpomoci|"
    r"(?:option|variante?|varianta|version) (?:1|a)\b",
    re.IGNORECASE,
)
"""How a text begins that refuses the task, or leaves the choice of a reply to the owner."""

MOST_PROPOSED = 6
"""Times of the mail whose place in the calendar is told."""


def draft_messages(state: MailState, message: Message, account: Account, before: Draft | None, deps: Deps) -> list[ChatMessage]:
    """The chat messages for a first draft, or for a better one than `before`.

    The system message is the same for all mails of an account, so that providers can keep it.
    """
    preferences = deps.memory.read(account.id, "response_preferences") if deps.memory else ""
    system = owner_prompt(deps, account, "generate", signature=signature_rule(account), preferences=preferences)
    newest = fence(message_text(message, zone=deps.time_zone), "newest mail", message)
    return chat(
        system, *_context(state, message, account, deps), newest, _remarks(state, before), _task(state, message, account, deps)
    )


def draft_check(state: MailState, message: Message, deps: Deps, fewest: int = FEWEST_WORDS) -> FaultOf:
    """Finds drafts that are no reply at all. How short it is, and of what it speaks, the owner may ask for in words.

    Small models write a single word, the mail once more, the same again and again, or in another language. They speak as an
    assistant, answer the owner in the sender's name, or write of something else.
    """
    account = deps.corpus.account(message.account_id)
    wishes = deps.memory.read(message.account_id, "response_preferences") if deps.memory else ""
    feedback = state.get("feedback", "")
    told = f"{_LEARNT.sub('', wishes)} {note_about_sender(message, deps)} {feedback}"
    asked = newest_part(message.body_text)
    shown = f"{message_text(message, zone=deps.time_zone)}\n{message.body_text}"
    rules = _runs(words((deps.prompts / "generate.md").read_text(encoding="utf-8")))

    def fault(answer: Mapping[str, Any]) -> str:
        text = plain_text(str(answer["body"]), account.signature)
        body = MARKED.sub("", text).strip()
        said = body.casefold().split()
        few = (body == text and len(said) < fewest) or len(set(said)) * MOST_ALIKE < len(said)
        if text and not feedback and (not any(map(str.isalnum, body)) or few or _REFUSES.match(body)):
            return "body is not a reply that could be sent."
        if (body and body.casefold() in message.body_text.casefold()) or _repeated(body, shown) >= MOST_REPEATED:
            return "body repeats the mail."
        if _AS_ASSISTANT.search(body) and not _AS_ASSISTANT.search(message.body_text):
            return "body speaks as an assistant and not as the owner."
        if _to_owner(body, message, account):
            return "body is written to the owner and not to the sender."
        if _signed_by_sender(body, message, account):
            return "body is signed by the sender and not by the owner."
        if len(rules & _runs(words(body))) >= LEAKED:
            return "body repeats the rules."
        if not feedback and _off_topic(body, message):
            return "body does not answer the mail."
        written, wanted = clear_language(body), clear_language(asked)
        other = None not in (written, wanted) and written is not wanted and not _LANGUAGES.search(told)
        return "body is not in the language of the newest mail." if other else ""

    return fault


def _repeated(body: str, shown: str) -> float:
    """The share of a draft's runs of words that stand in the mail as the model saw it. Quoted lines are left out."""
    said = words("\n".join(line for line in body.splitlines() if not line.startswith(">")))
    runs = _runs(said)
    return len(_runs(words(shown)) & runs) / len(runs) if len(said) >= REPEATED_FROM else 0.0


def _runs(said: Sequence[str]) -> frozenset[tuple[str, ...]]:
    return frozenset(zip(*(said[start:] for start in range(RUN)), strict=False))


def _to_owner(body: str, message: Message, account: Account) -> bool:
    """Whether a draft greets the owner, and the sender has another name."""
    mine, theirs = set(words(account.name)), set(words(message.sender.name))
    return bool(mine) and not mine & theirs and greeted(body, (account.name,), (message.sender.name,)) is Addressee.OWNER


def _signed_by_sender(body: str, message: Message, account: Account) -> bool:
    """Whether a draft bears the sender's name, who has another than the owner."""
    signed = split_letter(body).sign_off
    names = (account.name,), (message.sender.name,)
    return bool(signed and all(names[0] + names[1])) and [signed_by(signed, one) for one in names] == [False, True]


def _off_topic(body: str, message: Message) -> bool:
    """Whether a long draft has hardly a word of the mail, of the same language and length, in any form."""
    said, asked = content_words(body), content_words(f"{message.subject} {newest_part(message.body_text)}")
    if min(len(said), len(asked)) < LONG_TEXT or language(body) is not language(message.body_text):
        return False
    return sum(any(alike(one, other) for other in asked) for one in said) < 2


def note_about_sender(message: Message, deps: Deps) -> str:
    """The owner's note on the sender as part of a task, since it tells how to write to them; empty without one."""
    card = deps.corpus.contact(message.account_id, message.sender.email)
    note = card.own_note.strip() if card is not None else ""
    follow = "Follow it in how you write, and do not repeat it"
    return f"The owner has a note on {message.sender.email}. {follow}: {note}" if note else ""


def signature_rule(account: Account) -> str:
    if account.signature:
        return "Leave the signature out; it is added."
    return f"Sign with the name {account.name}." if account.name else "End with a closing and without a name."


def _task(state: MailState, message: Message, account: Account, deps: Deps) -> str:
    """What is to be done, behind the blocks, with what differs from mail to mail."""
    category = Category(state["classification"])
    lines = [f"It is now {deps.clock().astimezone(deps.time_zone):%A %Y-%m-%d %H:%M %Z}."]
    if category is Category.MEETING_REQUEST and deps.memory:
        wishes = deps.memory.read(account.id, "cal_preferences").strip()
        lines += [f"How the owner handles meetings:\n{wishes}"] if wishes else []
    lines += filter(None, [note_about_sender(message, deps)])
    fields = [
        '- "language": the language of the newest mail.',
        '- "questions": the questions and requests in the newest mail, each in a few words.',
    ]
    if state.get("verdict_open"):
        wishes = triage_preferences(account, deps).strip()
        lines += [f"What the owner has asked of sorting:\n{wishes}"] if wishes else []
        lines.append("First judge the newest mail, then draft the reply if it is to be answered.")
        fields = [prompt(deps.prompts, "verdict", language=deps.language), *fields]
        agent = deps.meeting_route is Route.RESPONSE_AGENT and not state.get("ruled")
        empty = ['the decision is not "respond"'] * (not state.get("answer")) + ['the category is "meeting_request"'] * agent
        fields.append(f'- "body": the reply{"; empty if " if empty else ""}{" or ".join(empty)}.')
    else:
        fields.append('- "body": the reply.')
    lines.append(f"Write the reply to the newest mail, in its language. Tone: {TONES[category]}.")
    return "\n".join([*lines, "Answer with one JSON object and nothing else:", *fields])


def _context(state: MailState, message: Message, account: Account, deps: Deps) -> list[str]:
    """Thread, tool results and mails that the owner wrote to others, each fenced."""
    thread = deps.corpus.thread(message.thread_id)
    place = next((at for at, one in enumerate(thread) if one.id == message.id), len(thread))
    parts: list[str] = [
        fence(message_text(one, EARLIER_LIMIT, deps.time_zone), "earlier in this thread", one)
        for one in thread[:place][-EARLIER_MAILS:]
    ]
    results = state.get("tool_results", {})
    parts += [fence(one.excerpt, one.kind.value) for one in tool_sources(results, account) if one.kind is not SourceKind.CALENDAR]
    if calendar := calendar_text(state, message, deps):
        parts.append(fence(calendar, SourceKind.CALENDAR.value))
    return parts + [fence(text, label, mail) for text, label, mail in _own_mails(state, message, account, thread, deps)]


def _own_mails(
    state: MailState, message: Message, account: Account, thread: Sequence[Message], deps: Deps
) -> Iterator[tuple[str, str, Message]]:
    """The owner's half of earlier exchanges, and typical answers, without addresses and phone numbers of other people."""
    known = _addresses(thread) | own_addresses(account)
    answers = [past.answer for past in own_replies(state.get("context", []), deps.corpus)]
    related = [deps.corpus.message(one.message_id) for one in mail_sources(state.get("context", []), deps.corpus)]
    answers += [one for one in related if one.outgoing and one not in answers]
    answers = [one for one in answers if not deps.stays_here(one)]
    for answer in answers:
        yield without_contacts(excerpt_of(answer), known), "how the owner answered a similar mail", answer
    wanted, speech = TYPICAL_ANSWERS - len(answers), language(message.body_text)
    for one in deps.corpus.own_mail(account.id, OWN_MAIL_READ)[:TYPICAL_LOOKED_AT] if wanted > 0 else ():
        text = newest_part(one.body_text).strip()
        fits = len(text) in TYPICAL_LENGTH and one.thread_id != message.thread_id and one not in answers
        if fits and language(text) is speech and not deps.stays_here(one):
            yield without_contacts(text, known), "how the owner writes", one
            wanted -= 1
        if wanted <= 0:
            return


def _addresses(thread: Sequence[Message]) -> frozenset[str]:
    return frozenset(one.email.lower() for mail in thread for one in (mail.sender, *mail.to, *mail.cc))


_LANGUAGES = re.compile(r"english|anglick|englisch|german|německ|deutsch|czech|česk|tschechisch", re.IGNORECASE)
_LEARNT = re.compile(r"^- (?:(?:Begin|End) replies |In Czech,? |\w+, (?:in)?formal: ).*$", re.MULTILINE)
"""Lines of the memory that name a language because each has its own style. They ask for none."""
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"(?<![\w.])(?:\+|00)?\d(?:[\s()/-]?\d){8,14}(?![\w.])")


def without_contacts(text: str, known: frozenset[str]) -> str:
    """The text without mail addresses other than the known ones, and without phone numbers."""
    shown = _ADDRESS.sub(lambda found: found[0] if found[0].lower() in known else "(address)", text)
    return _PHONE.sub("(number)", shown)


def calendar_text(state: MailState, message: Message, deps: Deps) -> str:
    """Free times, working hours and the place of the mail's own times, as code sees them. Empty where no calendar was read."""
    busy = busy_times(state)
    if busy is None:
        return ""
    hours, now, text = deps.hours, deps.clock(), newest_part(message.body_text)
    speech, zone = language(text), deps.hours.zone
    days = ", ".join(f"{date(2024, 1, 1 + one):%A}" for one in sorted(hours.days))
    lines = [f"Working hours: {days}, {hours.start:%H:%M} to {hours.end:%H:%M}, {now.astimezone(zone):%Z}."]
    asked = proposed(text, message.date, zone)[:MOST_PROPOSED]
    lines += [f"{written(moment, zone, speech)}: {_place(moment, hours, busy)}." for moment in asked]
    slots = "; ".join(written(one, zone, speech) for one in free_times(busy, now, hours))
    return "\n".join([*lines, f"Free for a meeting: {slots or 'nothing in the next four weeks'}."])


def _place(moment: datetime, hours: WorkingHours, busy: Sequence[BusyTime]) -> str:
    """Whether a time is free, taken or outside working hours."""
    if not is_free(moment, hours.length, busy):
        return "taken"
    return "free" if suits(moment, hours) else "free, but outside working hours"


def busy_times(state: MailState) -> tuple[BusyTime, ...] | None:
    """Result of `check_calendar`. None when it did not run or failed."""
    outcome = state.get("tool_results", {}).get("check_calendar")
    if outcome is None or outcome["error"]:
        return None
    rows = outcome["result"]["busy"]
    return tuple(BusyTime(datetime.fromisoformat(one["start"]), datetime.fromisoformat(one["end"]), one["title"]) for one in rows)


def _remarks(state: MailState, before: Draft | None) -> str:
    """The owner's feedback and the claims without a source in the draft before."""
    parts: list[str] = [fence(before.body, "your draft so far")] if before else []
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
    owner += [*about_owner(deps, account.id).splitlines(), state.get("feedback", ""), account.name, account.email]
    others = [message_text(one, EARLIER_LIMIT * 4) for one in thread if not one.outgoing]
    others += [one.excerpt for one in sources if one.kind is not SourceKind.OWN_REPLY]
    others += [one.excerpt for one in tool_sources(state.get("tool_results", {}), account)]
    others.append(calendar_text(state, message, deps))
    others.append(f"{deps.clock().astimezone(deps.time_zone):%A %Y-%m-%d}")
    return DraftEvidence(tuple(filter(None, owner)), tuple(filter(None, others)))


def below(edited: Draft, fresh: Draft) -> Draft:
    """Puts the text of `edited` above that of `fresh`, with an open slot between them so that the user checks it."""
    above = f"{edited.body.rstrip()}\n\n"
    kept = tuple(span for span in edited.spans if span.end <= len(above) - 2)
    moved = tuple(replace(span, start=span.start + len(above), end=span.end + len(above)) for span in fresh.spans)
    between = Span(len(above), len(above), SpanKind.OPEN_SLOT, fresh.subject)
    return replace(fresh, body=above + fresh.body, spans=(*kept, between, *moved))

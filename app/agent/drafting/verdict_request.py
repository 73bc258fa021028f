"""The request for a verdict by a model: the mail, its conversation, and what code knows about it."""

import re
from collections.abc import Sequence
from datetime import UTC, tzinfo

from app.agent.drafting.sources import message_text
from app.agent.llm.prompts import Block, chat, fence, prompt
from app.agent.llm.turns import ChatMessage
from app.agent.runtime.dependencies import Deps, owner_prompt
from app.domain.mail.message import Account, Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.recipients import own_addresses
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.ports.agents import Contact

DECISION_WORDS = {
    "reply": "respond", "answer": "respond", "needs reply": "respond", "response needed": "respond", "action": "respond",
    "fyi": "notify", "inform": "notify", "read": "notify", "no reply needed": "notify", "notification": "notify",
    "skip": "ignore", "archive": "ignore", "discard": "ignore", "delete": "ignore", "no action": "ignore", "none": "ignore",
    "odpovědět": "respond", "antworten": "respond", "oznámit": "notify", "informovat": "notify", "informieren": "notify",
    "ignorovat": "ignore", "ignorieren": "ignore",
}  # fmt: skip
CATEGORY_WORDS = {
    "question": "inquiry", "enquiry": "inquiry", "request": "inquiry", "information": "inquiry", "support": "inquiry",
    "meeting": "meeting_request", "appointment": "meeting_request", "scheduling": "meeting_request", "call": "meeting_request",
    "problem": "complaint", "issue": "complaint", "followup": "follow_up", "reminder": "follow_up", "update": "follow_up",
    "junk": "spam", "phishing": "spam", "scam": "spam", "general": "other", "newsletter": "other", "notification": "other",
    "personal": "other", "unknown": "other", "dotaz": "inquiry", "anfrage": "inquiry", "schůzka": "meeting_request",
    "termin": "meeting_request", "stížnost": "complaint", "beschwerde": "complaint", "jiné": "other", "sonstiges": "other",
}  # fmt: skip
"""Other words that models use for decisions and categories, in the languages of the mail too."""

VERDICT_FIELDS = {
    "decision": {"type": "string", "enum": [one.value for one in Decision], "synonyms": DECISION_WORDS},
    "category": {"type": "string", "enum": [one.value for one in Category], "synonyms": CATEGORY_WORDS},
    "confidence": {"type": "number", "minimum": 0, "maximum": 1},
    "reason": {"type": "string", "maxLength": 400, "cut": True, "default": ""},
}
TRIAGE_SCHEMA = {"type": "object", "properties": VERDICT_FIELDS, "required": list(VERDICT_FIELDS), "additionalProperties": False}

EARLIER_SHOWN = 2
EARLIER_CHARACTERS = 500
EXAMPLES = 3
EXAMPLE_CHARACTERS = 200
_RESULT = re.compile(r"\b(spf|dkim|dmarc)=(pass|fail|softfail|neutral|none|temperror|permerror)\b", re.IGNORECASE)
_PROGRAM_HEADERS = ("List-Id", "List-Unsubscribe", "Auto-Submitted", "Precedence", "X-Auto-Response-Suppress")


def triage_messages(
    message: Message, thread: Sequence[Message], account: Account, contact: Contact | None, hint: Triage, deps: Deps
) -> list[ChatMessage]:
    """The chat messages for a verdict. `hint` is the local one."""
    system = owner_prompt(
        deps,
        account,
        "triage",
        background=deps.background,
        preferences=triage_preferences(account, deps),
        rules=prompt(deps.prompts, "verdict", language=deps.language),
    )
    place = next((at for at, one in enumerate(thread) if one.id == message.id), len(thread))
    earlier = thread[:place][-EARLIER_SHOWN:]
    blocks = [fence(message_text(one, EARLIER_CHARACTERS, deps.time_zone), _side(one), one) for one in earlier]
    facts = known_facts(message, account, contact, hint, deps.time_zone)
    now = f"It is now {deps.clock().astimezone(deps.time_zone):%A %Y-%m-%d %H:%M %Z}."
    newest = fence(message_text(message, zone=deps.time_zone), "newest mail", message)
    examples = _examples(message, deps)
    return chat(system, *examples, *blocks, newest, f"{now} Facts about the newest mail:\n{facts}", "Sort the newest mail.")


def _examples(message: Message, deps: Deps) -> list[Block]:
    """Mail that the owner sorted otherwise than a model or code: what they had to do is the best example of what they want."""
    found = [pair for pair in deps.corrections(message.account_id) if not deps.stays_here(pair[0])][-EXAMPLES:]
    return [
        fence(
            f"From: {one.sender.domain}\nSubject: {one.subject}\n{newest_part(one.body_text)[:EXAMPLE_CHARACTERS]}",
            f"the owner sorted this as {decision}",
            one,
        )
        for one, decision in found
    ]


def triage_preferences(account: Account, deps: Deps) -> str:
    """What the owner asked of sorting, and what the corrections taught."""
    return deps.memory.read(account.id, "triage_preferences") if deps.memory else ""


def _side(one: Message) -> str:
    return "earlier, by the owner" if one.outgoing else "earlier in this thread"


def known_facts(message: Message, account: Account, contact: Contact | None, hint: Triage, zone: tzinfo = UTC) -> str:
    """What code knows about a mail, one fact a line, in words of ours only."""
    lines = [_place_of_owner(message, account), _history(contact, zone), _authentication(message)]
    program = [name for name in _PROGRAM_HEADERS if message.header(name)]
    lines.append(f"It carries headers of programs: {', '.join(program)}." if program else "")
    lines.append(f"The local classifier says {hint.decision}, {hint.category} ({hint.confidence:.2f}); it may be wrong.")
    return "\n".join(f"- {line}" for line in lines if line)


def _place_of_owner(message: Message, account: Account) -> str:
    own = own_addresses(account)
    to = [one.email.lower() for one in message.to]
    if own & set(to):
        return "It was sent to the owner alone." if len(to) == 1 else f"It was sent to the owner and {len(to) - 1} others."
    return "The owner has only a copy." if own & {one.email.lower() for one in message.cc} else "The owner is not named in it."


def _history(contact: Contact | None, zone: tzinfo) -> str:
    if contact is None or contact.received + contact.sent <= 1:
        return "Nothing else is known of the sender."
    last = f", last on {contact.last_contact.astimezone(zone):%Y-%m-%d}" if contact.last_contact else ""
    return f"The sender wrote {contact.received} mails, the owner wrote to the sender {contact.sent}{last}."


def _authentication(message: Message) -> str:
    results = dict(_RESULT.findall(message.header("Authentication-Results").lower()))
    return f"Authentication: {', '.join(f'{name} {said}' for name, said in results.items())}." if results else ""

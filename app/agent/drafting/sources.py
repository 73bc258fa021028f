"""Sources of a draft: as ids in the state, as `Source`s with excerpts, and as text for a model.

An excerpt is exactly the text that a model or a template got, so that the check of its readers compares the right text.
"""

from datetime import UTC, tzinfo
from enum import StrEnum
from typing import Self

from app.agent.runtime.state import ToolOutcome
from app.domain.drafting.draft import Source, SourceKind
from app.domain.ids import MessageId
from app.domain.mail.message import Account, Address, Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.recipients import own_addresses
from app.domain.policy.red_flags import readers
from app.domain.ports.agents import OwnReply
from app.domain.record import Record
from app.store.search.corpus import StoreCorpus

EXCERPT_LIMIT = 900
"""Characters of an excerpt."""


class RefKind(StrEnum):
    """What an id in `context` refers to."""

    MESSAGE = "message"
    OWN_REPLY = "own_reply"


class Ref(Record):
    """An id in `context`: `message:12@0.83`, or `own_reply:34/30@0.71` with the answered mail."""

    kind: RefKind
    message_id: MessageId
    question_id: MessageId = MessageId(0)
    score: float = 0.0

    def __str__(self) -> str:
        question = f"/{self.question_id}" if self.question_id else ""
        return f"{self.kind}:{self.message_id}{question}@{self.score:.4f}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The inverse of `str`. Raises `ValueError`."""
        kind, _, rest = text.partition(":")
        ids, _, score = rest.partition("@")
        message_id, _, question_id = ids.partition("/")
        return cls(RefKind(kind), MessageId(int(message_id)), MessageId(int(question_id or 0)), float(score))


def excerpt_of(message: Message) -> str:
    """The newest part of a mail, cut to `EXCERPT_LIMIT`."""
    return (newest_part(message.body_text) or message.body_text).strip()[:EXCERPT_LIMIT]


def own_replies(context: list[str], corpus: StoreCorpus) -> tuple[OwnReply, ...]:
    refs = [ref for ref in map(Ref.parse, context) if ref.kind is RefKind.OWN_REPLY]
    return tuple(OwnReply(corpus.message(ref.question_id), corpus.message(ref.message_id), ref.score) for ref in refs)


def mail_sources(context: list[str], corpus: StoreCorpus) -> tuple[Source, ...]:
    kinds = {RefKind.MESSAGE: SourceKind.MESSAGE, RefKind.OWN_REPLY: SourceKind.OWN_REPLY}
    found = []
    for ref in map(Ref.parse, context):
        message = corpus.message(ref.message_id)
        found.append(Source(kinds[ref.kind], message.subject, excerpt_of(message), message.id, readers(message), ref.score))
    return tuple(found)


def tool_sources(results: dict[str, ToolOutcome], account: Account) -> tuple[Source, ...]:
    """Results of calendar and contact tools as sources. Only the owner's addresses count as readers."""
    own = own_addresses(account)
    kinds = {"check_calendar": SourceKind.CALENDAR, "get_contact": SourceKind.CONTACT}
    return tuple(
        Source(kinds[tool], tool, str(outcome["result"].get("summary", ""))[:EXCERPT_LIMIT], readers=own)
        for tool, outcome in results.items()
        if tool in kinds and not outcome["error"] and outcome["result"].get("summary")
    )


BODY_LIMIT = 6000
"""Characters of the newest part that a model sees."""


def message_text(message: Message, limit: int = BODY_LIMIT, zone: tzinfo = UTC) -> str:
    """A mail as a model sees it: main headers, attachment names, and the newest part cut to `limit` characters."""
    body = newest_part(message.body_text) or message.body_text
    cut = body if len(body) <= limit else f"{body[:limit]}\n[cut: {len(body) - limit} more characters]"
    names = ", ".join(one.filename for one in message.attachments if one.filename and not one.inline)
    lines = [
        f"From: {_written(message.sender)}",
        f"To: {', '.join(map(_written, message.to + message.cc))}",
        f"Date: {message.date.astimezone(zone):%A %Y-%m-%d %H:%M %Z}",
        f"Subject: {message.subject}",
        *([f"Attachments: {names}"] if names else []),
    ]
    return "\n".join(lines) + f"\n\n{cut}"


def _written(address: Address) -> str:
    return f"{address.name} <{address.email}>" if address.name else address.email

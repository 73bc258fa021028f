"""Tools `mail_search`, `read_thread` and `get_contact`: read the owner's mail, each text with its readers."""

import asyncio
import json
from collections.abc import Iterable
from typing import Any

from app.agent.agents.builtin_tools.case import Case
from app.agent.agents.pipeline.retrieve import secret
from app.agent.drafting.sources import message_text
from app.agent.tools.execution import LONGEST_RESULT, RegisteredTool
from app.agent.tools.registry import a_text, an_object
from app.agent.tools.tool_calls import ReadTexts, as_json
from app.domain.agents.call_flags import ReadText
from app.domain.agents.requests import MailScope
from app.domain.agents.tools import Json, ToolDefinition
from app.domain.errors import NotFound
from app.domain.ids import ThreadId
from app.domain.mail.message import Message
from app.domain.policy.policy import Effect
from app.domain.policy.red_flags import readers
from app.domain.record import replace

MOST_HITS = 10
EXCERPT = 1200
"""Characters of each message."""
MOST_MAILS = 20
LEAST_ROOM = 100
"""Characters of a result kept for the JSON around the messages."""

SEARCH = ToolDefinition(
    "mail_search",
    "Search the owner's mail by words and by meaning.",
    an_object(
        ("query",),
        query=a_text("What to look for.", 300),
        limit={"type": "integer", "minimum": 1, "maximum": MOST_HITS, "default": 5},
    ),
    Effect.READ,
)
THREAD = ToolDefinition(
    "read_thread",
    "Read the whole conversation that a mail belongs to; without a number, that of the mail at hand.",
    an_object((), thread_id={"type": "integer", "minimum": 1, "description": "A thread_id from mail_search."}),
    Effect.READ,
)
NAMED_THREAD = replace(
    THREAD, description="Read a whole conversation.", parameters=an_object(("thread_id",), **THREAD.parameters["properties"])
)
"""`THREAD` for runs without a mail."""

CONTACT = ToolDefinition(
    "get_contact",
    "What the owner's mail knows of an address.",
    an_object(("email",), email=a_text("The address.", 254)),
    Effect.READ,
)


def mail_tools(case: Case) -> Iterable[RegisteredTool]:
    """The tools. `mail_search` only if there is a search."""

    async def mail_search(query: str, limit: int = 5) -> ReadTexts:
        assert case.toolbox.search is not None, "it is not offered without"
        found = await case.toolbox.search.find(case.account.id, query, limit, case.scope)
        return limited(reading(found), case.scope)

    async def read_thread(thread_id: int = 0) -> ReadTexts:
        wanted = ThreadId(thread_id) if thread_id else case.thread_id
        mails = await asyncio.to_thread(case.deps.corpus.thread, wanted)
        mine = [one for one in mails if case.may_read(one)]
        if not mine:
            raise NotFound(f"There is no thread {thread_id}{' in ' + case.scope.words if case.scope.words else ''}.")
        return limited(reading(reversed(mine[-MOST_MAILS:]), backwards=True), case.scope)

    async def get_contact(email: str) -> Json:
        card = await asyncio.to_thread(case.deps.corpus.contact, case.account.id, email.strip().lower())
        if card is None:
            return {"known": False}
        last = card.last_contact.date().isoformat() if card.last_contact else None
        about = {"name": card.address.name, "organization": card.organization, "notes": card.notes}
        return {"known": True, **about, "received": card.received, "sent": card.sent, "last_contact": last}

    if case.toolbox.search is not None:
        yield RegisteredTool(SEARCH, mail_search)
    yield RegisteredTool(THREAD if case.thread_id else NAMED_THREAD, read_thread)
    yield RegisteredTool(CONTACT, get_contact)


def limited(read: ReadTexts, scope: MailScope) -> ReadTexts:
    """The result with what the owner limits it to."""
    return replace(read, value={"only": scope.words, **as_json(read.value)}) if scope.words else read


def reading(found: Iterable[Message], *, backwards: bool = False, excerpt: int = EXCERPT) -> ReadTexts:
    """Messages for the model, each with its readers.

    Holds as many of the first ones as fit in a result and skips those with login codes. `excerpt` is in characters per body. With
    `backwards` the result is in reverse order.
    """
    fit: list[tuple[Message, dict[str, Any]]] = []
    left = LONGEST_RESULT - LEAST_ROOM
    for one in found:
        shown = {} if secret(one) else _shown(one, excerpt)
        left -= len(json.dumps(shown, ensure_ascii=False)) + 2
        if left < 0:
            break
        if shown:
            fit.append((one, shown))
    if backwards:
        fit.reverse()
    return ReadTexts({"messages": [shown for _, shown in fit]}, tuple(chunk_of(one) for one, _ in fit))


def chunk_of(message: Message) -> ReadText:
    return ReadText(f"{message.subject}\n{message.body_text}", readers(message), trusted=message.outgoing)


def _shown(message: Message, excerpt: int) -> dict[str, Any]:
    return {"id": message.id, "thread_id": message.thread_id, "text": message_text(message, excerpt)}

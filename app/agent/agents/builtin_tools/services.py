"""What the tools of a run work on: the account, the current call and, for a profile run, the mail."""

import asyncio
import json
from collections.abc import Iterable
from typing import Any

from app.agent.agents.pipeline.retrieve import secret
from app.agent.agents.responder.tools import TOOLS, look_up, meeting_proposal
from app.agent.drafting.sources import message_text
from app.agent.llm.turns import ToolCall
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.state import MailState
from app.agent.tools.registry import LONGEST_RESULT, RegisteredTool, Toolbox, a_number, a_text, an_object
from app.agent.tools.tool_calls import ReadTexts, as_json
from app.domain.agents.call_flags import ReadText
from app.domain.agents.egress import LONGEST_SEARCH, LONGEST_URL
from app.domain.agents.requests import ALL_MAIL, MailScope
from app.domain.agents.tools import AgentProfile, Json, NetRule, Preprocessed, ToolDefinition
from app.domain.drafting.meeting import CHECK_CALENDAR, SCHEDULE_MEETING
from app.domain.drafting.review import Proposal, RedFlag
from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import RunId, ThreadId
from app.domain.mail.message import Account, Message
from app.domain.policy.policy import Effect
from app.domain.policy.red_flags import readers
from app.domain.record import Record, replace
from app.mail.file_process import DocumentReader


class Case(Record, kw_only=True):
    """A run for one account without a mail.

    `scope` is the mail that may be read, `conversation` the only one of it, 0 for any. `call_id` names the call, so that its
    effect happens once. `maker` is the model, `flags` are policy's flags on the call.
    """

    deps: Deps
    toolbox: Toolbox
    run_id: RunId
    account: Account
    call_id: str = ""
    maker: str = ""
    flags: tuple[RedFlag, ...] = ()
    scope: MailScope = ALL_MAIL
    conversation: ThreadId = ThreadId(0)

    @property
    def thread_id(self) -> ThreadId:
        """The current conversation, 0 for none."""
        return self.conversation

    def may_read(self, message: Message) -> bool:
        """Whether a message is of the account, in the scope, and may reach a model."""
        inside = self.scope.holds(message) and self.conversation in (0, message.thread_id)
        return inside and message.account_id == self.account.id and not self.deps.stays_here(message)

    @property
    def effect_key(self) -> str:
        """Stays the same when the call runs again after a crash."""
        return f"{self.run_id}:{self.call_id}"


class MailCase(Case, kw_only=True):
    """A profile run of a mail. `given` is the preprocessed mail."""

    state: MailState
    profile: AgentProfile
    message: Message
    given: Preprocessed

    @property
    def thread_id(self) -> ThreadId:
        return self.message.thread_id


MOST_HITS = 10
EXCERPT = 1200
"""Characters of each message."""
MOST_MAILS = 20
LEAST_ROOM = 100
"""Characters of a result kept for the JSON around the messages."""

MAIL_SEARCH = ToolDefinition(
    "mail_search",
    "Search the owner's mail by words and by meaning.",
    an_object(
        ("query",),
        query=a_text("What to look for.", 300),
        limit=a_number(MOST_HITS, default=5),
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
        yield RegisteredTool(MAIL_SEARCH, mail_search)
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
        shown = {"id": one.id, "thread_id": one.thread_id, "text": message_text(one, excerpt)}
        if secret(one):
            continue
        left -= len(json.dumps(shown, ensure_ascii=False)) + 2
        if left < 0:
            break
        fit.append((one, shown))
    if backwards:
        fit.reverse()
    return ReadTexts({"messages": [shown for _, shown in fit]}, tuple(chunk_of(one) for one, _ in fit))


def chunk_of(message: Message) -> ReadText:
    return ReadText(f"{message.subject}\n{message.body_text}", readers(message), trusted=message.outgoing)


TEXT_ENDINGS = (".txt", ".md", ".csv", ".json", ".html")
LONGEST_TEXT = 100_000
LONGEST_READ = 20_000

READ_DOCUMENT = ToolDefinition(
    "read_document",
    "Read a text, Word or PDF file of the app, by its handle.",
    an_object(("document",), document=a_text("The handle.", 100)),
    Effect.READ,
    attach_args=("document",),
)
WRITE_DOCUMENT = ToolDefinition(
    "write_document",
    "Write a text file into the app's own folder; its handle comes back.",
    an_object(
        ("name", "content"),
        name=a_text(f"The file's name, ending in one of {', '.join(TEXT_ENDINGS)}.", 80),
        content=a_text("The words.", LONGEST_TEXT),
    ),
    Effect.LOCAL_WRITE,
)


def document_tools(case: Case) -> Iterable[RegisteredTool]:
    """The tools, if there is an artifact store."""
    artifacts, texts = case.toolbox.artifacts, case.toolbox.texts
    if artifacts is None or texts is None:
        return

    async def read_document(document: str) -> Json:
        return await read_text(texts, document)

    async def write_document(name: str, content: str) -> Json:
        if not name.lower().endswith(TEXT_ENDINGS):
            raise NotAllowed(f"A document's name ends in one of {', '.join(TEXT_ENDINGS)}.")
        handle = await asyncio.to_thread(artifacts.write, name, content.encode("utf-8", "replace"))
        return {"document": handle.id, "name": handle.name, "size": handle.size}

    yield RegisteredTool(READ_DOCUMENT, read_document)
    yield RegisteredTool(WRITE_DOCUMENT, write_document)


async def read_text(texts: DocumentReader, document: str) -> Json:
    """The beginning of a document's text by its handle, for a model. Raises `NotFound`, `NotAllowed`."""
    found = await texts.read(document)
    cut = found.cut or len(found.text) > LONGEST_READ
    return {"document": found.handle.id, "name": found.handle.name, "text": found.text[:LONGEST_READ], "cut": cut}


MOST_WEB_HITS = 8

WEB_SEARCH = ToolDefinition(
    "web_search",
    "Search the web with general words: no names, addresses, numbers or sentences of the mail.",
    an_object(("query",), query=a_text("A few words.", LONGEST_SEARCH)),
    Effect.NET,
    text_args=("query",),
    net=NetRule.SEARCH,
    public=True,
)
FETCH = ToolDefinition(
    "fetch_url",
    "Read one page of a site that the owner allowed, as plain text.",
    an_object(("url",), url=a_text("The address, https only.", LONGEST_URL)),
    Effect.NET,
    text_args=("url",),
    net=NetRule.FETCH,
    public=True,
)


def web_tools(case: Case) -> Iterable[RegisteredTool]:
    """The tools that are configured."""
    web, reader = case.toolbox.web, case.toolbox.reader

    async def web_search(query: str) -> Json:
        assert web is not None, "it is not offered without"
        hits = await web.find(query, MOST_WEB_HITS)
        return {"results": [{"title": one.title, "url": one.url, "snippet": one.snippet} for one in hits]}

    async def fetch_url(url: str) -> Json:
        assert reader is not None, "it is not offered without"
        page = await reader.read(url)
        return {"url": page.url, "title": page.title, "text": page.text, "cut": page.cut}

    if web is not None:
        yield RegisteredTool(WEB_SEARCH, web_search)
    if reader is not None:
        yield RegisteredTool(FETCH, fetch_url)


def calendar_reading(case: Case) -> Iterable[RegisteredTool]:
    """`check_calendar`, if a calendar is connected. The model never sees event titles."""

    async def check_calendar(dates: list[str]) -> Json:
        return {"summary": (await look_up(dates, case.deps)).summary}

    if case.deps.calendar is not None:
        yield RegisteredTool(TOOLS[CHECK_CALENDAR], check_calendar)


def calendar_tools(case: MailCase) -> Iterable[RegisteredTool]:
    """Both tools, each if available."""

    async def schedule_meeting(**arguments: object) -> Json:
        return {"status": "queued"}

    async def propose(**arguments: object) -> Proposal:
        return await meeting_proposal(ToolCall(case.call_id, SCHEDULE_MEETING, dict(arguments)), case.state, case.deps)

    yield from calendar_reading(case)
    if case.deps.may_schedule(case.account.id):
        yield RegisteredTool(TOOLS[SCHEDULE_MEETING], schedule_meeting, propose=propose)

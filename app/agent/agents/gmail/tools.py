"""The Gmail agent's tools: `gmail_search`, `read_file_content`, `gmail_send`, and `Done`, which ends a search.

They read the mail of one account, without login codes and password resets, and files of this request. None of them sends.
"""

import re
from collections.abc import Iterable, Sequence

from app.agent.agents.builtin_tools.documents import read_text
from app.agent.agents.builtin_tools.mail import EXCERPT, MOST_HITS, limited, reading
from app.agent.agents.gmail.state import GMAIL_SEND, TaskContext
from app.agent.drafting.sources import BODY_LIMIT
from app.agent.tools.execution import RegisteredTool
from app.agent.tools.registry import a_text, an_object
from app.agent.tools.tool_calls import ReadTexts, as_json
from app.agent.tools.toolbox import Toolbox
from app.domain.agents.requests import MailScope
from app.domain.agents.tools import Json, ToolDefinition
from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import AccountId
from app.domain.mail.message import Message
from app.domain.policy.policy import Effect
from app.domain.ports.services import MailSearch
from app.domain.record import replace

USUAL_HITS = 5
LONGEST_ANSWER = 6000

SEARCH = ToolDefinition(
    "gmail_search",
    "Search the owner's mail, by words or with Gmail's operators; all of them must match. "
    f"Each mail comes with up to {EXCERPT} characters of its text; with limit 1 the one mail with up to {BODY_LIMIT}.",
    an_object(
        ("query",),
        query=a_text("Words, or Gmail's operators: from:ann subject:report after:2026/01/31.", 300),
        limit={"type": "integer", "minimum": 1, "maximum": MOST_HITS, "default": USUAL_HITS},
    ),
    Effect.READ,
)
READ_FILE = ToolDefinition(
    "read_file_content",
    "Read a text, Word or PDF file of this request.",
    an_object(("document",), document=a_text("The file's handle.", 100)),
    Effect.READ,
    attach_args=("document",),
)
_ADDRESSES = {"type": "array", "items": {"type": "string"}, "description": "Plain addresses, one an item."}
SEND = ToolDefinition(
    GMAIL_SEND,
    "Propose a mail. The owner sees it first and may change it; it leaves afterwards.",
    an_object(
        ("to", "subject", "body"),
        to={
            "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}],
            "description": "Exactly one plain address, or a list of such.",
        },
        subject={"type": "string", "description": "The subject, in one line."},
        body={"type": "string", "description": "The words of the mail as plain text."},
        attachments={"type": "array", "items": {"type": "string"}, "description": "Handles of files of this request."},
        cc=_ADDRESSES,
        bcc=_ADDRESSES,
        reply_to_message_id={"type": "integer", "minimum": 0, "description": "The id of the found mail that this answers."},
    ),
    Effect.SEND,
    ("to", "cc", "bcc"),
    ("subject", "body"),
    ("attachments",),
)
DONE = ToolDefinition(
    "Done",
    "End the search with what the owner is told.",
    an_object(
        ("answer", "message_ids"),
        answer=a_text("The answer for the owner, in the language of the request, as plain text.", LONGEST_ANSWER),
        message_ids={
            "type": "array",
            "items": {"type": "integer"},
            "maxItems": MOST_HITS,
            "description": "The ids of the found mails that the answer is taken from, the one that was looked for first; "
            "empty where none fits.",
        },
    ),
    Effect.READ,
)


def gmail_tools(
    account_id: AccountId, box: Toolbox, given: TaskContext, found: frozenset[int] | None
) -> Iterable[RegisteredTool]:
    """The tools whose services are available. `found` are ids of the messages found so far, None before any search."""
    documents, scope = given.documents, given.scope

    along = {one.handle: one for one in documents if one.text}

    async def gmail_search(query: str, limit: int = USUAL_HITS) -> ReadTexts:
        assert box.search is not None, "it is not offered without"
        return limited(await _searched(box.search, account_id, query, limit, scope), scope)

    async def read_file_content(document: str) -> Json:
        if document in along:
            one = along[document]
            return {"document": document, "name": one.name, "text": one.text, "cut": one.cut}
        if box.texts is None:
            raise NotFound("This file can be attached, and not read here.")
        return await read_text(box.texts, document)

    async def done(answer: str, message_ids: Sequence[int]) -> Json:
        if found is None:
            raise NotAllowed("Search with gmail_search first.")
        if strange := [one for one in message_ids if one not in found]:
            raise NotAllowed(f"No mail with the id {strange[0]} was found. Found were: {', '.join(map(str, sorted(found)))}.")
        return {"status": "done"}

    if box.search is not None:
        yield RegisteredTool(SEARCH, gmail_search)
    if documents and (box.texts is not None or along):
        yield RegisteredTool(READ_FILE, read_file_content)
    yield RegisteredTool(SEND, _gmail_send)
    yield RegisteredTool(DONE, done)


async def _gmail_send(**_arguments: object) -> Json:
    return {"status": "queued"}


NOT_FOUND = {"result": "not_found"}
WIDENED = "No mail matches this query. These only have some of its words or are close in meaning: check whether one is meant."
_OPERATORS = re.compile(r'[:"()]|(?:^|\s)-\S|\bOR\b')


async def _searched(search: MailSearch, account_id: AccountId, query: str, limit: int, scope: MailScope) -> ReadTexts:
    found, widened = await _mails(search, account_id, query, limit, scope)
    read = reading(found, excerpt=BODY_LIMIT if limit == 1 else EXCERPT)
    shown = as_json(read.value)
    said = {"widened": WIDENED} if widened and read.chunks else {}
    return replace(read, value={**({} if read.chunks else NOT_FOUND), **said, **shown})


async def _mails(
    search: MailSearch, account_id: AccountId, query: str, limit: int, scope: MailScope
) -> tuple[Sequence[Message], bool]:
    """The messages that match as Gmail would, newest first, and whether the search was widened.

    Only a query of plain words is widened when nothing matches: operators mean what they say. Raises `NotAllowed` for an
    operator that Gmail does not have.
    """
    met = await search.query(account_id, query, limit, scope)
    if met or _OPERATORS.search(query):
        return met, False
    return await search.find(account_id, query, limit, scope), True

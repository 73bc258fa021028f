"""The Gmail agent's tools: `gmail_search`, `read_file_content`, `gmail_send`, and `Done`, which ends a search.

They read the mail of one account, without login codes and password resets, and files of this request. None of them sends.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from app.agent.agents.builtin_tools.services import EXCERPT, MOST_HITS, limited, read_text, reading
from app.agent.agents.gmail.interface import GMAIL_SEND, SendArguments, TaskContext, TaskDocument
from app.agent.drafting.sources import BODY_LIMIT
from app.agent.tools.registry import RegisteredTool, Toolbox, a_list, a_number, a_text, an_object
from app.agent.tools.tool_calls import ReadTexts, as_json
from app.domain.agents.call_flags import plain_address
from app.domain.agents.requests import MailScope
from app.domain.agents.tools import Json, ToolDefinition
from app.domain.error_texts import Cause
from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import AccountId
from app.domain.mail.letter import MOST_FILE_BYTES
from app.domain.policy.policy import Effect
from app.domain.ports.services import MailSearch
from app.domain.record import Record, replace

USUAL_HITS = 5
LONGEST_ANSWER = 6000

SEARCH = ToolDefinition(
    "gmail_search",
    "Search the owner's mail, by words or with Gmail's operators; all of them must match. "
    f"Each mail comes with up to {EXCERPT} characters of its text; with limit 1 the one mail with up to {BODY_LIMIT}.",
    an_object(
        ("query",),
        query=a_text("Words, or Gmail's operators: from:ann subject:report after:2026/01/31.", 300),
        limit=a_number(MOST_HITS, default=USUAL_HITS),
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
_ADDRESSES = a_list({"type": "string"}, "Plain addresses, one an item.")
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
        attachments=a_list({"type": "string"}, "Handles of files of this request."),
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
        message_ids=a_list(
            {"type": "integer"},
            "The ids of the found mails that the answer is taken from, the one that was looked for first; empty where none fits.",
            maxItems=MOST_HITS,
        ),
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
    """The messages that match as Gmail would, newest first. Raises `NotAllowed` for an operator that Gmail does not have.

    Only a query of plain words is widened when nothing matches: operators mean what they say.
    """
    said: dict[str, str] = {}
    found = await search.query(account_id, query, limit, scope)
    if not found and not _OPERATORS.search(query):
        found, said = await search.find(account_id, query, limit, scope), {"widened": WIDENED}
    read = reading(found, excerpt=BODY_LIMIT if limit == 1 else EXCERPT)
    return replace(read, value={**(said if read.chunks else NOT_FOUND), **as_json(read.value)})


LONGEST_SUBJECT = 300
LONGEST_BODY = 20_000
MOST_RECIPIENTS = 50
MOST_ATTACHMENTS = 10


class AllowedReferences(Record):
    """What a mail may name.

    `documents` are files of the request, `answerable` ids of found messages. `address` tells whether an address occurs in the
    owner's texts, in mail that was read, or in the contacts.
    """

    documents: Sequence[TaskDocument]
    answerable: frozenset[int]
    address: Callable[[str], bool]


def checked(arguments: Mapping[str, Any], known: AllowedReferences) -> SendArguments:
    """Normalises arguments of `gmail_send` that fit its schema.

    Addresses become lower case with ASCII domains, each once. Raises `NotAllowed`.
    """
    people: dict[str, str] = {}
    for where in ("to", "cc", "bcc"):
        for address in _addresses(arguments.get(where), where, known):
            people.setdefault(address, where)
    to, cc, bcc = (tuple(one for one, where in people.items() if where == name) for name in ("to", "cc", "bcc"))
    if not to:
        raise NotAllowed("A mail needs a recipient in to.")
    if len(people) > MOST_RECIPIENTS:
        raise NotAllowed(Cause.TOO_MANY_RECIPIENTS, MOST_RECIPIENTS)
    answered = arguments.get("reply_to_message_id") or 0
    if answered and answered not in known.answerable:
        raise NotAllowed(f"Mail {answered} was not found by gmail_search in this task; find the mail that is answered first.")
    subject, body = arguments["subject"].strip(), arguments["body"].replace("\r\n", "\n").strip()
    if _has_control(subject):
        raise NotAllowed("The subject must be one line without control characters.")
    if _has_control(body.replace("\n", "").replace("\t", "")):
        raise NotAllowed("The body must be plain text without control characters.")
    for name, text, longest in (("subject", subject, LONGEST_SUBJECT), ("body", body, LONGEST_BODY)):
        if not text or len(text) > longest:
            raise NotAllowed(f"The {name} has 1 to {longest} characters.")
    files = _attachments(arguments.get("attachments"), known.documents)
    return SendArguments(to, subject, body, files, cc, bcc, answered)


def _addresses(given: object, where: str, known: AllowedReferences) -> tuple[str, ...]:
    found = []
    for one in _items(given):
        address = plain_address(one)
        if address is None:
            raise NotAllowed(
                f"{one[:120]!r} in {where} is not exactly one plain mail address: no names, no lists, no line breaks."
            )
        if not known.address(address):
            raise NotAllowed(f"{address} stands neither in the request nor in mail that was found. Search for the right address.")
        found.append(address)
    return tuple(dict.fromkeys(found))


def _attachments(given: object, documents: Sequence[TaskDocument]) -> tuple[str, ...]:
    files = {one.handle: one for one in documents}
    handles = tuple(dict.fromkeys(_items(given)))
    if any(one not in files for one in handles):
        listed = ", ".join(f"{one.handle} ({one.name})" for one in documents) or "none"
        raise NotAllowed(f"Only files of this request can be attached, by handle, never by path or name: {listed}.")
    if len(handles) > MOST_ATTACHMENTS or sum(files[one].size for one in handles) > MOST_FILE_BYTES:
        raise NotAllowed(f"A mail has at most {MOST_ATTACHMENTS} files and {MOST_FILE_BYTES >> 20} MB.")
    return handles


def _items(given: object) -> tuple[str, ...]:
    if isinstance(given, str):
        return (given,)
    return tuple(given) if isinstance(given, Iterable) else ()


def _has_control(text: str) -> bool:
    """Whether it has a control character, a line separator or a surrogate."""
    return any(unicodedata.category(letter) in {"Cc", "Cs", "Zl", "Zp"} for letter in text)

"""Gmail's `users.drafts` methods."""

import json
from collections.abc import Mapping

from app.sandbox.call import Answer, Handler, MethodCall
from app.sandbox.gmail.mailbox import StoredMessage
from app.sandbox.google_api.errors import invalid_argument
from app.sandbox.google_api.json_values import JsonObject, encode, text_of
from app.sandbox.google_api.quirks import strange_entries
from app.sandbox.methods.messages import (
    MOST_PAGE,
    PAGE,
    brief,
    draft_message,
    format_of,
    listing,
    page_key,
    page_token,
    raw_of,
    wanted_of,
)


def draft_handlers() -> Mapping[str, Handler]:
    """Handlers by method name (after `gmail.users.drafts.`)."""
    return {"list": list_drafts, "get": get, "create": create, "update": update, "send": send, "delete": delete}


def list_drafts(ask: MethodCall) -> Answer:
    """A page of drafts, newest first. The index lag applies only to requests with a query."""
    size, before = ask.args.count("maxResults", PAGE, MOST_PAGE), page_key(ask)
    held = [entry for entry in ask.account.drafts.listed() if before is None or entry[1].key < before]
    if ask.args.text("q"):
        accept = ask.account.search.accepts(wanted_of(ask))
        held = [entry for entry in held if accept(entry[1])]
    strange = ask.account.habits.answers(ask.args.text("q"))
    if strange is not None:
        everything = [_entry(*entry) for entry in ask.account.drafts.listed()]
        return listing("drafts", strange_entries(strange, {draft_id for draft_id, _ in held}, everything), None)
    entries = [_entry(*entry) for entry in held[:size]]
    return listing("drafts", entries, page_token(held[size - 1][1]) if len(held) > size else None)


def _entry(draft_id: str, row: StoredMessage) -> JsonObject:
    return {"id": draft_id, "message": {"id": row.id, "threadId": row.thread_id}}


def get(ask: MethodCall) -> Answer:
    """One draft with its message in the requested format."""
    row = ask.account.drafts.get(ask.path["id"])
    message = ask.account.content.message(row, format_of(ask))
    return b'{"id":' + json.dumps(ask.path["id"]).encode() + b',"message":' + message + b"}"


def create(ask: MethodCall) -> Answer:
    message = draft_message(ask)
    draft_id, row = ask.account.drafts.create(raw_of(ask, message), text_of(message, "threadId"))
    return {"id": draft_id, "message": brief(row)}


def update(ask: MethodCall) -> Answer:
    """Replaces a draft's content; its message gets a new id."""
    message = draft_message(ask)
    row = ask.account.drafts.update(ask.path["id"], raw_of(ask, message), text_of(message, "threadId"))
    return {"id": ask.path["id"], "message": brief(row)}


def send(ask: MethodCall) -> Answer:
    """Sends a draft, which is then deleted."""
    draft_id = text_of(ask.body, "id")
    if not draft_id:
        raise invalid_argument("Missing draft id")
    message = draft_message(ask)
    given = raw_of(ask, message) if ask.media is not None or text_of(message, "raw") else None
    return encode(brief(ask.office.send_draft(ask.account, draft_id, given, text_of(message, "threadId"))))


def delete(ask: MethodCall) -> Answer:
    """Deletes a draft permanently."""
    ask.account.drafts.delete(ask.path["id"])
    return None

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


def list_drafts(call: MethodCall) -> Answer:
    """A page of drafts, newest first. The index lag applies only to requests with a query."""
    size, before = call.args.count("maxResults", PAGE, MOST_PAGE), page_key(call)
    found = [entry for entry in call.account.drafts.listed() if before is None or entry[1].key < before]
    if call.args.text("q"):
        accept = call.account.search.accepts(wanted_of(call))
        found = [entry for entry in found if accept(entry[1])]
    strange = call.account.habits.answers(call.args.text("q"))
    if strange is not None:
        everything = [_entry(*entry) for entry in call.account.drafts.listed()]
        return listing("drafts", strange_entries(strange, {draft_id for draft_id, _ in found}, everything), None)
    entries = [_entry(*entry) for entry in found[:size]]
    return listing("drafts", entries, page_token(found[size - 1][1]) if len(found) > size else None)


def _entry(draft_id: str, row: StoredMessage) -> JsonObject:
    return {"id": draft_id, "message": {"id": row.id, "threadId": row.thread_id}}


def get(call: MethodCall) -> Answer:
    """One draft with its message in the requested format."""
    row = call.account.drafts.get(call.path["id"])
    message = call.account.content.message(row, format_of(call))
    return b'{"id":' + json.dumps(call.path["id"]).encode() + b',"message":' + message + b"}"


def create(call: MethodCall) -> Answer:
    message = draft_message(call)
    draft_id, row = call.account.drafts.create(raw_of(call, message), text_of(message, "threadId"))
    return {"id": draft_id, "message": brief(row)}


def update(call: MethodCall) -> Answer:
    """Replaces a draft's content; its message gets a new id."""
    message = draft_message(call)
    row = call.account.drafts.update(call.path["id"], raw_of(call, message), text_of(message, "threadId"))
    return {"id": call.path["id"], "message": brief(row)}


def send(call: MethodCall) -> Answer:
    """Sends a draft, which is then deleted."""
    draft_id = text_of(call.body, "id")
    if not draft_id:
        raise invalid_argument("Missing draft id")
    message = draft_message(call)
    given = raw_of(call, message) if call.media is not None or text_of(message, "raw") else None
    return encode(brief(call.office.send_draft(call.account, draft_id, given, text_of(message, "threadId"))))


def delete(call: MethodCall) -> Answer:
    """Deletes a draft permanently."""
    call.account.drafts.delete(call.path["id"])
    return None

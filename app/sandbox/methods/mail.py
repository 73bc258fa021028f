"""Gmail's methods for messages, threads, drafts and history."""

import json
from collections.abc import Sequence
from itertools import islice

from app.sandbox.call import Answer, HandlerTable, MethodCall
from app.sandbox.gmail.labels import FIXED
from app.sandbox.gmail.mailbox import Key, StoredMessage
from app.sandbox.gmail.search import ListQuery
from app.sandbox.google_api.errors import invalid_argument, invalid_value, not_found
from app.sandbox.google_api.json_values import JsonObject, encode, from_base64url
from app.sandbox.google_api.quirks import strange_entries
from app.sandbox.google_api.schema import page_size

PAGE, MOST_PAGE = 100, 500
MOST_IDS = 1_000
MANY = 201
Rows = Sequence[tuple[str, StoredMessage]]
HANDLERS = HandlerTable()


@HANDLERS.serves("gmail.users.messages.list")
def list_messages(call: MethodCall) -> Answer:
    """A page of ids, newest first."""
    habits, search = call.account.habits, call.account.search
    found = list(islice(search.rows(_wanted(call), _page_key(call)), _size(call) + 1))
    most = (call.args.get("labelIds") and habits.label_lists_end_after) or habits.lists_end_after
    if most:
        found = found[:most]
    everything = call.account.mailbox.newest_first()
    return _listing(call, "messages", [(row.id, row) for row in found], [(row.id, row) for row in everything])


@HANDLERS.serves("gmail.users.drafts.list")
def list_drafts(call: MethodCall) -> Answer:
    """A page of drafts, newest first. The index lag applies only to requests with a query."""
    before, everything = _page_key(call), call.account.drafts.listed()
    accept = call.account.search.accepts(_wanted(call)) if call.args.get("q") else None
    found = [entry for entry in everything if before is None or entry[1].key < before]
    return _listing(call, "drafts", [entry for entry in found if accept is None or accept(entry[1])], everything)


def _listing(call: MethodCall, name: str, found: Rows, everything: Rows) -> JsonObject:
    """A page as Gmail returns it. An empty list is left out, and the size is only an estimate."""
    size, habits = _size(call), call.account.habits
    strange = habits.search_answers if call.args.get("q") else habits.list_answers
    entries = [_entry(name, *one) for one in found[:size]]
    answer: JsonObject = {}
    if strange is not None:
        listed = [_entry(name, *one) for one in everything]
        entries = strange_entries(strange, {entry_id for entry_id, _ in found}, listed)
    elif len(found) > size:
        row = found[size - 1][1]
        answer["nextPageToken"] = str((row.internal_ms << 64) | int(row.id, 16))
    answer["resultSizeEstimate"] = max(MANY, len(entries)) if answer else len(entries)
    return {name: entries, **answer} if entries else answer


def _entry(name: str, entry_id: str, row: StoredMessage) -> JsonObject:
    message = {"id": row.id, "threadId": row.thread_id}
    return {"id": entry_id, "message": message} if name == "drafts" else message


@HANDLERS.serves("gmail.users.messages.get")
def get_message(call: MethodCall) -> Answer:
    return call.account.content.message(_row(call), *_format(call))


@HANDLERS.serves("gmail.users.messages.send")
def send(call: MethodCall) -> Answer:
    return brief(call.office.send(call.account, _raw(call, call.body), call.body.get("threadId")))


@HANDLERS.serves("gmail.users.messages.modify")
def modify(call: MethodCall) -> Answer:
    row = _row(call)
    call.account.mailbox.relabel(row, *_label_changes(call))
    return brief(row)


@HANDLERS.serves("gmail.users.messages.batchModify")
def batch_modify(call: MethodCall) -> Answer:
    """Changes the labels of up to a thousand messages; unknown ids are skipped."""
    changes, ids = _label_changes(call), call.body.get("ids", [])
    if not ids or len(ids) > MOST_IDS:
        raise invalid_argument(f"Too many message ids: {len(ids)} > {MOST_IDS}" if ids else "No message ids specified")
    rows = [call.account.mailbox.find(_checked_id(message_id)) for message_id in ids]
    if not any(rows) or (call.account.habits.batches_refuse_gaps and not all(rows)):
        raise not_found()
    for row in filter(None, rows):
        call.account.mailbox.relabel(row, *changes)
    return None


@HANDLERS.serves("gmail.users.messages.delete")
def delete(call: MethodCall) -> Answer:
    """Deletes a message permanently."""
    call.account.drafts.erase(_row(call))
    return None


@HANDLERS.serves("gmail.users.messages.attachments.get")
def get_attachment(call: MethodCall) -> Answer:
    return call.account.content.attachment(_row(call, "messageId"), call.path["id"])


@HANDLERS.serves("gmail.users.threads.get")
def get_thread(call: MethodCall) -> Answer:
    """A thread with its messages, oldest first."""
    hidden = call.account.habits.hidden_in_threads
    rows = [row for row in call.account.mailbox.thread(_checked_id(call.path["id"])) if not row.labels & hidden]
    if not rows:
        raise not_found()
    head = encode({"id": call.path["id"], "historyId": str(max(row.history_id for row in rows))})[:-1]
    messages = b",".join(call.account.content.message(row, *_format(call)) for row in rows)
    return head + b',"messages":[' + messages + b"]}"


@HANDLERS.serves("gmail.users.history.list")
def list_history(call: MethodCall) -> Answer:
    """A page of changes since a history id."""
    start = call.args.get("startHistoryId", "")
    if not start.isdecimal():
        raise invalid_argument("Missing or invalid startHistoryId")
    kinds, label = call.args.get("historyTypes", ()), call.args.get("labelId")
    return call.account.mailbox.history.page(int(start), kinds, label, _size(call), call.args.get("pageToken"))


@HANDLERS.serves("gmail.users.drafts.get")
def get_draft(call: MethodCall) -> Answer:
    """One draft with its message in the requested format."""
    message = call.account.content.message(call.account.drafts.get(call.path["id"]), *_format(call))
    return b'{"id":' + json.dumps(call.path["id"]).encode() + b',"message":' + message + b"}"


@HANDLERS.serves("gmail.users.drafts.create")
def create_draft(call: MethodCall) -> Answer:
    message = call.body.get("message", {})
    draft_id, row = call.account.drafts.create(_raw(call, message), message.get("threadId"))
    return {"id": draft_id, "message": brief(row)}


@HANDLERS.serves("gmail.users.drafts.update")
def update_draft(call: MethodCall) -> Answer:
    """Replaces a draft's content; its message gets a new id."""
    message = call.body.get("message", {})
    row = call.account.drafts.update(call.path["id"], _raw(call, message), message.get("threadId"))
    return {"id": call.path["id"], "message": brief(row)}


@HANDLERS.serves("gmail.users.drafts.send")
def send_draft(call: MethodCall) -> Answer:
    """Sends a draft, which is then deleted."""
    draft_id, message = call.body.get("id"), call.body.get("message", {})
    if not draft_id:
        raise invalid_argument("Missing draft id")
    given = _raw(call, message) if call.media is not None or message.get("raw") else None
    return brief(call.office.send_draft(call.account, draft_id, given, message.get("threadId")))


@HANDLERS.serves("gmail.users.drafts.delete")
def delete_draft(call: MethodCall) -> Answer:
    """Deletes a draft permanently."""
    call.account.drafts.delete(call.path["id"])
    return None


def brief(row: StoredMessage) -> JsonObject:
    return {"id": row.id, "threadId": row.thread_id, "labelIds": sorted(row.labels)}


def _row(call: MethodCall, name: str = "id") -> StoredMessage:
    """The message that the path names. Raises `ApiError` 400 and 404."""
    return call.account.mailbox.get(_checked_id(call.path[name]))


def _checked_id(message_id: str) -> str:
    """Returns the id. Raises `ApiError` 400 if it cannot be one."""
    if not 1 <= len(message_id) <= 16 or not set(message_id) <= set("0123456789abcdef"):
        raise invalid_argument("Invalid id value")
    return message_id


def _size(call: MethodCall) -> int:
    return page_size(call.args, "maxResults", PAGE, MOST_PAGE)


def _format(call: MethodCall) -> tuple[str, Sequence[str]]:
    """The requested format and headers."""
    format_ = call.args.get("format") or "full"
    return format_, call.args.get("metadataHeaders", ()) if format_ == "metadata" else ()


def _wanted(call: MethodCall) -> ListQuery:
    """The query of a list request. Raises `ApiError` 400 for an unknown label."""
    labels = call.args.get("labelIds", [])
    for label in labels:
        if not call.account.mailbox.labels.known(label):
            raise invalid_argument(f"Invalid label: {label}")
    return ListQuery(call.args.get("q", ""), labels, call.args.get("includeSpamTrash", False))


def _page_key(call: MethodCall) -> Key | None:
    """Key below which the page starts. Raises `ApiError` 400 for an invalid token."""
    token = call.args.get("pageToken")
    if not token:
        return None
    if not token.isdecimal() or len(token) > 60:
        raise invalid_argument("Invalid pageToken")
    return int(token) >> 64, f"{int(token) & 0xFFFFFFFFFFFFFFFF:016x}"


def _raw(call: MethodCall, message: JsonObject) -> bytes:
    """The mail of a request, uploaded or in `raw`. Raises `ApiError` 400."""
    if call.media is not None:
        return call.media
    if not message.get("raw"):
        raise invalid_argument("'raw' RFC822 payload message string or uploading message via /upload/* URL required")
    raw = from_base64url(message["raw"])
    if raw is None:
        raise invalid_value("raw" if message is call.body else "message.raw", "TYPE_BYTES", "Base64 decoding failed")
    return raw


def _label_changes(call: MethodCall) -> tuple[list[str], list[str]]:
    """Labels to add and remove; TRASH and SPAM also remove INBOX.

    Raises `ApiError` 400 if there are none or more than a hundred of either, and for unknown or fixed labels (SENT, DRAFT, CHAT).
    """
    add, remove = call.body.get("addLabelIds", []), call.body.get("removeLabelIds", [])
    if not add and not remove:
        raise invalid_argument("No label add or removes specified")
    if len(add) > 100 or len(remove) > 100:
        raise invalid_argument("Too many labels")
    for label in [*add, *remove]:
        if not call.account.mailbox.labels.known(label) or label in FIXED:
            raise invalid_argument(f"Invalid label: {label}")
    return add, [*remove, "INBOX"] if "TRASH" in add or "SPAM" in add else remove

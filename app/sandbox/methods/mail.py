"""Gmail's methods for messages, threads, drafts and history."""

import json
from collections.abc import Collection, Sequence
from itertools import islice

from app.sandbox.call import Answer, HandlerTable, MethodCall
from app.sandbox.gmail.headers import facts_of
from app.sandbox.gmail.labels import FIXED
from app.sandbox.gmail.mailbox import Key, StoredMessage, thread_for_arrival, thread_for_own
from app.sandbox.gmail.search import ListQuery
from app.sandbox.google_api.errors import invalid_argument, invalid_value, not_found
from app.sandbox.google_api.json_values import JsonObject, encode, from_base64url
from app.sandbox.google_api.quirks import strange_entries
from app.sandbox.google_api.schema import page_size

PAGE, MOST_PAGE = 100, 500
MOST_IDS = 1_000
MANY = 201
Rows = Sequence[tuple[str, StoredMessage]]
LabelChanges = tuple[Collection[str], Collection[str]]
"""Labels to add and to remove."""
TRASHED: LabelChanges = ({"TRASH"}, {"INBOX", "SPAM"})
UNTRASHED: LabelChanges = ((), {"TRASH"})
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


@HANDLERS.serves("gmail.users.threads.list")
def list_threads(call: MethodCall) -> Answer:
    """A page of threads, ordered by their newest matching message."""
    wanted, mailbox, search = _wanted(call), call.account.mailbox, call.account.search
    accept = search.accepts(wanted)
    newest = (
        (row.thread_id, row)
        for row in search.rows(wanted, _page_key(call))
        if not any(other.key > row.key and accept(other) for other in mailbox.thread(row.thread_id))
    )
    return _listing(call, "threads", list(islice(newest, _size(call) + 1)), None)


def _listing(call: MethodCall, name: str, found: Rows, everything: Rows | None) -> JsonObject:
    """A page as Gmail returns it. An empty list is left out, and the size is only an estimate.

    With `everything`, a quirk may return other entries than those found.
    """
    size, habits = _size(call), call.account.habits
    strange = habits.search_answers if call.args.get("q") else habits.list_answers
    entries = [_entry(call, name, *one) for one in found[:size]]
    answer: JsonObject = {}
    if strange is not None and everything is not None:
        listed = [_entry(call, name, *one) for one in everything]
        entries = strange_entries(strange, {entry_id for entry_id, _ in found}, listed)
    elif len(found) > size:
        row = found[size - 1][1]
        answer["nextPageToken"] = str((row.internal_ms << 64) | int(row.id, 16))
    answer["resultSizeEstimate"] = max(MANY, len(entries)) if answer else len(entries)
    return {name: entries, **answer} if entries else answer


def _entry(call: MethodCall, name: str, entry_id: str, row: StoredMessage) -> JsonObject:
    if name == "threads":
        rows = call.account.mailbox.thread(entry_id)
        snippet = json.loads(call.account.content.message(rows[-1], "minimal"))["snippet"]
        return {"id": entry_id, "snippet": snippet, "historyId": str(max(one.history_id for one in rows))}
    message = {"id": row.id, "threadId": row.thread_id}
    return {"id": entry_id, "message": message} if name == "drafts" else message


@HANDLERS.serves("gmail.users.messages.get")
def get_message(call: MethodCall) -> Answer:
    return call.account.content.message(_row(call), *_format(call))


@HANDLERS.serves("gmail.users.messages.send")
def send(call: MethodCall) -> Answer:
    return brief(call.office.send(call.account, _raw(call, call.body), call.body.get("threadId")))


@HANDLERS.serves("gmail.users.messages.insert")
def insert(call: MethodCall) -> Answer:
    """Adds a mail as received now; it joins only the thread given."""
    return _added(call, "receivedTime", arrives=False)


@HANDLERS.serves("gmail.users.messages.import")
def import_(call: MethodCall) -> Answer:
    """Adds a mail as if it had arrived at its own date."""
    return _added(call, "dateHeader", arrives=True)


def _added(call: MethodCall, source: str, *, arrives: bool) -> JsonObject:
    """Adds the mail of a request, dated by `source` unless the request says otherwise.

    With `arrives` and no thread given it joins the thread that its headers name. Raises `ApiError` 400 and 404.
    """
    raw, mailbox, wanted = _raw(call, call.body), call.account.mailbox, call.body.get("threadId")
    facts, labels = facts_of(raw), _known(call, call.body.get("labelIds") or [])
    date_s = facts.date_s if call.args.get("internalDateSource", source) == "dateHeader" else None
    internal_ms = mailbox.clock.now_ms() if date_s is None else int(date_s * 1000)
    if arrives and not wanted:
        thread = thread_for_arrival(mailbox, facts, internal_ms)
    else:
        thread = thread_for_own(mailbox, facts, wanted)
    return brief(mailbox.add(raw, facts, labels, internal_ms, thread))


@HANDLERS.serves("gmail.users.messages.modify")
def modify(call: MethodCall) -> Answer:
    return _relabelled(call, [_row(call)], _label_changes(call))[0]


@HANDLERS.serves("gmail.users.messages.trash")
def trash(call: MethodCall) -> Answer:
    return _relabelled(call, [_row(call)], TRASHED)[0]


@HANDLERS.serves("gmail.users.messages.untrash")
def untrash(call: MethodCall) -> Answer:
    return _relabelled(call, [_row(call)], UNTRASHED)[0]


@HANDLERS.serves("gmail.users.messages.batchModify")
def batch_modify(call: MethodCall) -> Answer:
    """Changes the labels of up to a thousand messages; unknown ids are skipped."""
    changes = _label_changes(call)
    _relabelled(call, _batch(call), changes)
    return None


@HANDLERS.serves("gmail.users.messages.batchDelete")
def batch_delete(call: MethodCall) -> Answer:
    """Deletes up to a thousand messages permanently; unknown ids are skipped."""
    for row in _batch(call):
        call.account.drafts.erase(row)
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
    rows = _thread(call, call.account.habits.hidden_in_threads)
    head = encode({"id": call.path["id"], "historyId": str(max(row.history_id for row in rows))})[:-1]
    messages = b",".join(call.account.content.message(row, *_format(call)) for row in rows)
    return head + b',"messages":[' + messages + b"]}"


@HANDLERS.serves("gmail.users.threads.modify")
def modify_thread(call: MethodCall) -> Answer:
    """Changes the labels of every message of a thread."""
    return {"id": call.path["id"], "messages": _relabelled(call, _thread(call), _label_changes(call))}


@HANDLERS.serves("gmail.users.threads.trash")
def trash_thread(call: MethodCall) -> Answer:
    return {"id": call.path["id"], "messages": _relabelled(call, _thread(call), TRASHED)}


@HANDLERS.serves("gmail.users.threads.untrash")
def untrash_thread(call: MethodCall) -> Answer:
    return {"id": call.path["id"], "messages": _relabelled(call, _thread(call), UNTRASHED)}


@HANDLERS.serves("gmail.users.threads.delete")
def delete_thread(call: MethodCall) -> Answer:
    """Deletes a thread permanently."""
    for row in _thread(call):
        call.account.drafts.erase(row)
    return None


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


def _thread(call: MethodCall, hidden: frozenset[str] = frozenset()) -> list[StoredMessage]:
    """Messages of the thread that the path names, without those with a hidden label. Raises `ApiError` 400 and 404."""
    rows = [row for row in call.account.mailbox.thread(_checked_id(call.path["id"])) if not row.labels & hidden]
    if not rows:
        raise not_found()
    return rows


def _batch(call: MethodCall) -> list[StoredMessage]:
    """The messages that the body names. Raises `ApiError` 400 for none or too many ids, 404 if none exists."""
    ids = call.body.get("ids", [])
    if not ids or len(ids) > MOST_IDS:
        raise invalid_argument(f"Too many message ids: {len(ids)} > {MOST_IDS}" if ids else "No message ids specified")
    rows = [call.account.mailbox.find(_checked_id(message_id)) for message_id in dict.fromkeys(ids)]
    if not any(rows) or (call.account.habits.batches_refuse_gaps and not all(rows)):
        raise not_found()
    return [row for row in rows if row]


def _relabelled(call: MethodCall, rows: list[StoredMessage], changes: LabelChanges) -> list[JsonObject]:
    """Changes the labels of messages and returns their JSON."""
    for row in rows:
        call.account.mailbox.relabel(row, *changes)
    return [brief(row) for row in rows]


def _known(call: MethodCall, labels: list[str], refused: Collection[str] = ()) -> list[str]:
    """Returns the labels. Raises `ApiError` 400 for an unknown or refused one."""
    for label in labels:
        if not call.account.mailbox.labels.known(label) or label in refused:
            raise invalid_argument(f"Invalid label: {label}")
    return labels


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
    labels = _known(call, call.args.get("labelIds", []))
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


def _label_changes(call: MethodCall) -> LabelChanges:
    """The requested changes; TRASH and SPAM also remove INBOX.

    Raises `ApiError` 400 if there are none or more than a hundred of either, and for unknown or fixed labels (SENT, DRAFT, CHAT).
    """
    add, remove = call.body.get("addLabelIds", []), call.body.get("removeLabelIds", [])
    if not add and not remove:
        raise invalid_argument("No label add or removes specified")
    if len(add) > 100 or len(remove) > 100:
        raise invalid_argument("Too many labels")
    _known(call, [*add, *remove], FIXED)
    return add, [*remove, "INBOX"] if "TRASH" in add or "SPAM" in add else remove

"""Gmail's `users.messages` methods, and what other methods share with them."""

from collections.abc import Iterator, Mapping
from itertools import islice

from app.sandbox.account import GoogleAccount
from app.sandbox.call import Answer, Handler, MethodCall
from app.sandbox.gmail.headers import facts_of
from app.sandbox.gmail.labels import FIXED
from app.sandbox.gmail.mailbox import Key, StoredMessage, thread_for_own
from app.sandbox.gmail.search import ListQuery
from app.sandbox.google_api.errors import ApiError, invalid_argument, invalid_value, not_found
from app.sandbox.google_api.json_values import JsonObject, from_base64url, object_of, text_of, texts_of
from app.sandbox.google_api.quirks import strange_entries

PAGE, MOST_PAGE = 100, 500
MOST_IDS = 1_000
MANY = 201


def message_handlers() -> Mapping[str, Handler]:
    """Handlers by method name (after `gmail.users.messages.`)."""
    return {
        "list": list_messages,
        "get": get_message,
        "send": send,
        "insert": insert,
        "import": import_,
        "modify": modify,
        "batchModify": batch_modify,
        "batchDelete": batch_delete,
        "trash": lambda call: _trashed(call, trash=True),
        "untrash": lambda call: _trashed(call, trash=False),
        "delete": delete,
        "attachments.get": get_attachment,
    }


def list_messages(call: MethodCall) -> Answer:
    """A page of ids, newest first."""
    size = call.args.count("maxResults", PAGE, MOST_PAGE)
    found = list(islice(call.account.search.rows(wanted_of(call), page_key(call)), size + 1))
    habits = call.account.habits
    strange = habits.answers(call.args.text("q"))
    if strange is not None:
        everything = [_entry(row) for row in call.account.mailbox.newest_first()]
        return listing("messages", strange_entries(strange, {row.id for row in found}, everything), None)
    most = (call.args.texts("labelIds") and habits.label_lists_end_after) or habits.lists_end_after
    if most:
        found = found[:most]
    entries = [_entry(row) for row in found[:size]]
    return listing("messages", entries, page_token(found[size - 1]) if len(found) > size else None)


def _entry(row: StoredMessage) -> JsonObject:
    return {"id": row.id, "threadId": row.thread_id}


def get_message(call: MethodCall) -> Answer:
    format_ = format_of(call)
    row = call.account.mailbox.get(checked_id(call.path["id"]))
    return call.account.content.message(row, format_, call.args.texts("metadataHeaders") if format_ == "metadata" else ())


def send(call: MethodCall) -> Answer:
    return brief(call.office.send(call.account, raw_of(call, call.body), text_of(call.body, "threadId")))


def insert(call: MethodCall) -> Answer:
    """Adds a mail as it is; it joins only the thread given."""
    raw = raw_of(call, call.body)
    facts, mailbox = facts_of(raw), call.account.mailbox
    thread = thread_for_own(mailbox, facts, text_of(call.body, "threadId"))
    labels = _new_labels(call)
    return brief(mailbox.add(raw, facts, labels, _internal_ms(call, raw, "receivedTime"), thread))


def import_(call: MethodCall) -> Answer:
    """Adds a mail to the mailbox as if it arrived."""
    raw = raw_of(call, call.body)
    labels, internal_ms = _new_labels(call), _internal_ms(call, raw, "dateHeader")
    wanted = text_of(call.body, "threadId")
    if wanted:
        facts = facts_of(raw)
        thread = thread_for_own(call.account.mailbox, facts, wanted)
        return brief(call.account.mailbox.add(raw, facts, labels, internal_ms, thread))
    return brief(call.office.arrive(call.account, raw, labels, internal_ms))


def modify(call: MethodCall) -> Answer:
    add, remove = label_changes(call)
    row = call.account.mailbox.get(checked_id(call.path["id"]))
    call.account.mailbox.relabel(row, add, remove)
    return brief(row)


def batch_modify(call: MethodCall) -> Answer:
    """Changes the labels of up to a thousand messages; unknown ids are skipped."""
    add, remove = label_changes(call)
    for row in _requested_rows(call):
        call.account.mailbox.relabel(row, add, remove)
    return None


def batch_delete(call: MethodCall) -> Answer:
    """Deletes up to a thousand messages permanently."""
    for row in _requested_rows(call):
        erase(call.account, row)
    return None


def delete(call: MethodCall) -> Answer:
    """Deletes a message permanently."""
    erase(call.account, call.account.mailbox.get(checked_id(call.path["id"])))
    return None


def get_attachment(call: MethodCall) -> Answer:
    row = call.account.mailbox.get(checked_id(call.path["messageId"]))
    return call.account.content.attachment(row, call.path["id"])


def erase(account: GoogleAccount, row: StoredMessage) -> None:
    """Removes a message and the draft it belongs to, if any."""
    account.drafts.forget_message(row.id)
    account.mailbox.remove(row)


def trash_changes(*, trash: bool) -> tuple[set[str], set[str]]:
    """Labels to add and remove when mail is moved to the trash or back."""
    return ({"TRASH"}, {"INBOX", "SPAM"}) if trash else (set(), {"TRASH"})


def brief(row: StoredMessage) -> JsonObject:
    return {"id": row.id, "threadId": row.thread_id, "labelIds": sorted(row.labels)}


def checked_id(message_id: str) -> str:
    """Returns the id. Raises `ApiError` 400 if it cannot be one."""
    if not 1 <= len(message_id) <= 16 or not set(message_id) <= set("0123456789abcdef"):
        raise invalid_argument("Invalid id value")
    return message_id


def format_of(call: MethodCall) -> str:
    """The requested format. Raises `ApiError` 403 if the scope allows only metadata."""
    format_ = call.args.text("format") or "full"
    if call.metadata_only and format_ in {"full", "raw"}:
        raise ApiError(403, f"Metadata scope doesn't allow format {format_.upper()}", "forbidden")
    return format_


def wanted_of(call: MethodCall) -> ListQuery:
    """The query of a list request.

    Raises `ApiError` 400 for an unknown label, 403 if the scope allows no query.
    """
    labels = call.args.texts("labelIds")
    for label in labels:
        if not call.account.mailbox.labels.known(label):
            raise invalid_argument(f"Invalid label: {label}")
    query = call.args.text("q") or ""
    if query and call.metadata_only:
        raise ApiError(403, "Metadata scope does not support 'q' parameter", "forbidden")
    return ListQuery(query, labels, call.args.flag("includeSpamTrash"))


def page_key(call: MethodCall) -> Key | None:
    """Key below which the page starts. Raises `ApiError` 400 for an invalid token."""
    token = call.args.text("pageToken")
    if not token:
        return None
    if not token.isdecimal() or len(token) > 60:
        raise invalid_argument("Invalid pageToken")
    number = int(token)
    return number >> 64, f"{number & 0xFFFFFFFFFFFFFFFF:016x}"


def page_token(row: StoredMessage) -> str:
    return str((row.internal_ms << 64) | int(row.id, 16))


def listing(name: str, entries: list[JsonObject] | list[dict[str, str]], next_token: str | None) -> JsonObject:
    """A page as Gmail returns it. An empty list is left out, and the size is only an estimate."""
    answer: JsonObject = {name: entries} if entries else {}
    if next_token:
        answer["nextPageToken"] = next_token
    answer["resultSizeEstimate"] = max(MANY, len(entries)) if next_token else len(entries)
    return answer


def raw_of(call: MethodCall, message: JsonObject) -> bytes:
    """The mail of a request, uploaded or in `raw`. Raises `ApiError` 400."""
    if call.media is not None:
        return call.media
    text = text_of(message, "raw")
    if not text:
        raise invalid_argument("'raw' RFC822 payload message string or uploading message via /upload/* URL required")
    raw = from_base64url(text)
    if raw is None:
        raise invalid_value("raw" if message is call.body else "message.raw", "TYPE_BYTES", "Base64 decoding failed")
    return raw


def label_changes(call: MethodCall) -> tuple[list[str], list[str]]:
    """Labels to add and remove; TRASH and SPAM also remove INBOX.

    Raises `ApiError` 400 if there are none or more than a hundred of either, and for unknown or fixed labels (SENT, DRAFT, CHAT).
    """
    add, remove = texts_of(call.body, "addLabelIds"), texts_of(call.body, "removeLabelIds")
    if not add and not remove:
        raise invalid_argument("No label add or removes specified")
    if len(add) > 100 or len(remove) > 100:
        raise invalid_argument("Too many labels")
    for label in [*add, *remove]:
        if not call.account.mailbox.labels.known(label) or label in FIXED:
            raise invalid_argument(f"Invalid label: {label}")
    if "TRASH" in add or "SPAM" in add:
        remove = [*remove, "INBOX"]
    return add, remove


def draft_message(call: MethodCall) -> JsonObject:
    return object_of(call.body, "message")


def _trashed(call: MethodCall, *, trash: bool) -> JsonObject:
    row = call.account.mailbox.get(checked_id(call.path["id"]))
    call.account.mailbox.relabel(row, *trash_changes(trash=trash))
    return brief(row)


def _requested_rows(call: MethodCall) -> Iterator[StoredMessage]:
    ids = texts_of(call.body, "ids")
    if not ids:
        raise invalid_argument("No message ids specified")
    if len(ids) > MOST_IDS:
        raise invalid_argument(f"Too many message ids: {len(ids)} > {MOST_IDS}")
    rows = [call.account.mailbox.find(checked_id(message_id)) for message_id in ids]
    if not any(rows) or (call.account.habits.batches_refuse_gaps and not all(rows)):
        raise not_found()
    return (row for row in rows if row is not None)


def _new_labels(call: MethodCall) -> list[str]:
    labels = texts_of(call.body, "labelIds")
    for label in labels:
        if not call.account.mailbox.labels.known(label):
            raise invalid_argument(f"Invalid label: {label}")
    return labels


def _internal_ms(call: MethodCall, raw: bytes, default: str) -> int:
    if (call.args.text("internalDateSource") or default) == "dateHeader":
        date_s = facts_of(raw).date_s
        if date_s is not None:
            return int(date_s * 1000)
    return call.account.mailbox.clock.now_ms()

"""Admin actions on mail: what other people, other clients and the owner's phone do to a mailbox."""

import hashlib
from collections.abc import Callable, Mapping

from app.sandbox.account import GoogleAccount
from app.sandbox.gmail.mailbox import StoredMessage
from app.sandbox.gmail.mime import parse_mail, plain_text
from app.sandbox.google_api.errors import invalid_argument
from app.sandbox.google_api.json_values import JsonObject, from_base64url, int_of, text_of, texts_of, to_base64url
from app.sandbox.methods.messages import brief, erase
from app.sandbox.world.world import SandboxState

Action = Callable[[SandboxState, JsonObject], JsonObject]


def mail_actions() -> Mapping[tuple[str, str], Action]:
    """Actions by verb and path (after `/sandbox/`)."""
    return {
        ("POST", "deliver"): deliver,
        ("POST", "delete"): delete,
        ("POST", "labels"): change_labels,
        ("POST", "draft"): edit_draft,
        ("POST", "send"): send,
        ("GET", "drafts"): drafts,
        ("GET", "dump"): dump,
        ("GET", "sent"): sent,
        ("GET", "raw"): raw,
    }


def deliver(world: SandboxState, body: JsonObject) -> JsonObject:
    """A mail arrives: {raw, account?, labels?, internal_ms?} to {id, threadId, labelIds}."""
    account = _account(world, body)
    names = texts_of(body, "labels") if "labels" in body else ["INBOX", "UNREAD"]
    at_ms = int_of(body, "internal_ms")
    moment_ms = world.clock.now_ms() if at_ms is None else at_ms
    return brief(world.office.arrive(account, _raw(body), _labels(account, names), moment_ms))


def delete(world: SandboxState, body: JsonObject) -> JsonObject:
    """Another client deletes messages permanently: {ids}."""
    account = _account(world, body)
    for message_id in texts_of(body, "ids"):
        erase(account, account.mailbox.get(message_id))
    return {}


def change_labels(world: SandboxState, body: JsonObject) -> JsonObject:
    """Another client changes labels, by id or name: {ids, add?, remove?}."""
    account = _account(world, body)
    add, remove = _labels(account, texts_of(body, "add")), _labels(account, texts_of(body, "remove"))
    for message_id in texts_of(body, "ids"):
        account.mailbox.relabel(account.mailbox.get(message_id), add, remove)
    return {}


def edit_draft(world: SandboxState, body: JsonObject) -> JsonObject:
    """The owner edits a draft in Gmail, which keeps it in its thread: {id, raw}."""
    account = _account(world, body)
    draft_id = text_of(body, "id") or ""
    old = account.drafts.get(draft_id)
    return {"id": draft_id, "message": brief(account.drafts.replace(draft_id, _raw(body), old.thread_id))}


def send(world: SandboxState, body: JsonObject) -> JsonObject:
    """The owner sends from another device: {raw, threadId?}."""
    return brief(world.office.send(_account(world, body), _raw(body), text_of(body, "threadId")))


def drafts(world: SandboxState, body: JsonObject) -> JsonObject:
    """Every draft: {drafts: [{id, message}]}."""
    held = _account(world, body).drafts.listed()
    return {"drafts": [{"id": draft_id, "message": brief(row)} for draft_id, row in held]}


def dump(world: SandboxState, body: JsonObject) -> JsonObject:
    """Every message with labels, thread and digest, sorted by id, to compare mailboxes."""
    account = _account(world, body)
    rows = sorted(account.mailbox.newest_first(), key=lambda row: row.id)
    entries = [{**brief(row), "internalDate": str(row.internal_ms), "sha256": _sha256(account, row)} for row in rows]
    return {
        "emailAddress": account.address,
        "historyId": str(account.mailbox.history.current),
        "labels": account.mailbox.labels.shapes(),
        "messages": entries,
    }


def sent(world: SandboxState, body: JsonObject) -> JsonObject:
    """Every message in SENT, oldest first.

    `textSha256` is over the text with LF line ends and without trailing white space.
    """
    account = _account(world, body)
    rows = [row for row in account.mailbox.newest_first() if "SENT" in row.labels]
    return {"messages": [_sent_entry(account, row) for row in reversed(rows)]}


def raw(world: SandboxState, body: JsonObject) -> JsonObject:
    """The bytes of a message: {raw}."""
    account = _account(world, body)
    return {"raw": to_base64url(account.mailbox.raw(account.mailbox.get(text_of(body, "id") or "")))}


def _sent_entry(account: GoogleAccount, row: StoredMessage) -> JsonObject:
    facts = row.facts
    text = plain_text(parse_mail(account.mailbox.raw(row))).replace("\r\n", "\n").rstrip()
    return {
        **brief(row),
        "messageId": facts.message_id,
        "inReplyTo": list(facts.in_reply_to),
        "references": list(facts.references),
        "from": facts.sender,
        "to": facts.to,
        "cc": facts.cc,
        "bcc": facts.bcc,
        "subject": facts.subject,
        "textSha256": hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(),
    }


def _account(world: SandboxState, body: JsonObject) -> GoogleAccount:
    return world.account(text_of(body, "account") or "")


def _raw(body: JsonObject) -> bytes:
    data = from_base64url(text_of(body, "raw") or "")
    if not data:
        raise invalid_argument("raw: base64url of a mail is required")
    return data


def _labels(account: GoogleAccount, names: list[str]) -> set[str]:
    found: set[str] = set()
    for name in names:
        label_id = account.mailbox.labels.id_for_name(name)
        if label_id is None:
            raise invalid_argument(f"labels: there is no label {name!r}")
        found.add(label_id)
    return found


def _sha256(account: GoogleAccount, row: StoredMessage) -> str:
    return hashlib.sha256(account.mailbox.raw(row)).hexdigest()

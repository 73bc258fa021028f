"""The admin interface under /sandbox/: what tests, the demo and other clients do to the server and its mailboxes.

It needs the static token.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import datetime

from app.sandbox.account import GoogleAccount
from app.sandbox.call import ApiReply, ApiRequest, json_reply
from app.sandbox.gmail.mailbox import StoredMessage
from app.sandbox.gmail.mime import parse_mail, plain_text
from app.sandbox.google_api.errors import ApiError, invalid_argument, not_found, unauthenticated
from app.sandbox.google_api.json_values import (
    JsonObject,
    flag_of,
    from_base64url,
    int_of,
    number_of,
    object_of,
    text_of,
    texts_of,
    to_base64url,
)
from app.sandbox.google_api.quirks import ServerQuirks, checked_kinds
from app.sandbox.methods.messages import brief, erase
from app.sandbox.world.oauth import EVERYTHING
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
    entries = [
        {**brief(row), "internalDate": str(row.internal_ms), "sha256": hashlib.sha256(account.mailbox.raw(row)).hexdigest()}
        for row in rows
    ]
    return {
        "emailAddress": account.address,
        "historyId": str(account.mailbox.history.current),
        "labels": account.mailbox.labels.shapes(),
        "messages": entries,
    }


def sent(world: SandboxState, body: JsonObject) -> JsonObject:
    """Every message in SENT, oldest first. `textSha256` is over the text with LF line ends and without trailing white space."""
    account = _account(world, body)
    rows = [row for row in account.mailbox.newest_first() if "SENT" in row.labels]
    return {"messages": [_sent_entry(account, row) for row in reversed(rows)]}


def raw(world: SandboxState, body: JsonObject) -> JsonObject:
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


TEXTS = ("name", "organization", "notes")
LISTS = ("emails", "phones")


def change_contacts(world: SandboxState, body: JsonObject) -> JsonObject:
    """Adds a contact, or with an id changes or deletes one.

    {id?, delete?, name?, emails?, phones?, organization?, notes?, account?} to {resourceName}.
    """
    book = world.account(text_of(body, "account") or "").contacts
    given: dict[str, object] = {name: text_of(body, name) or "" for name in TEXTS if name in body}
    given |= {name: texts_of(body, name) for name in LISTS if name in body}
    resource_id = (text_of(body, "id") or "").removeprefix("people/")
    if resource_id and body.get("delete"):
        book.delete(resource_id)
        return {"resourceName": f"people/{resource_id}"}
    if resource_id:
        return {"resourceName": book.change(resource_id, given).resource_name}
    if not given:
        raise invalid_argument("contacts: a name or addresses are needed")
    emails, phones = texts_of(body, "emails"), texts_of(body, "phones")
    name, organization, notes = (text_of(body, field) or "" for field in TEXTS)
    return {"resourceName": book.add(name, emails, phones, organization, notes).resource_name}


YEAR_S = 31_536_000


def admin_reply(world: SandboxState, actions: Mapping[tuple[str, str], Action], call: ApiRequest) -> ApiReply:
    """Answers an admin request. GET and DELETE take their arguments from the query."""
    try:
        if not world.authority.is_static(call.bearer()):
            raise unauthenticated()
        action = actions.get((call.verb, call.path.removeprefix("/sandbox/")))
        if action is None:
            raise not_found()
        return json_reply(action(world, _arguments(call)))
    except ApiError as error:
        return json_reply(error.body(), error.code)


def admin_actions() -> Mapping[tuple[str, str], Action]:
    """Actions by verb and path (after `/sandbox/`)."""
    return {
        **mail_actions(),
        ("GET", "clock"): _clock_shape,
        ("POST", "clock"): set_clock,
        ("GET", "faults"): lambda world, _: {"faults": [rule.shape() for rule in world.faults.listed()]},
        ("POST", "faults"): lambda world, body: world.faults.add(body).shape(),
        ("DELETE", "faults"): remove_faults,
        ("POST", "quota"): set_quota,
        ("GET", "counters"): lambda world, _: world.quota.totals.shape(),
        ("DELETE", "counters"): reset_counters,
        ("GET", "log"): log,
        ("DELETE", "log"): clear_log,
        ("POST", "lag"): set_lag,
        ("POST", "habits"): set_habits,
        ("POST", "history/expire"): expire_history,
        ("POST", "history/move"): move_history,
        ("GET", "invitations"): invitations,
        ("POST", "contacts"): change_contacts,
        ("POST", "oauth"): set_consent,
        ("POST", "tokens"): issue_token,
        ("POST", "accounts"): add_account,
        ("POST", "accounts/rename"): rename_account,
    }


def set_clock(world: SandboxState, body: JsonObject) -> JsonObject:
    """{set_s? or set? (ISO 8601 with offset), advance_s?, freeze?} to {now_s}."""
    iso, moment_s = text_of(body, "set"), number_of(body, "set_s")
    if iso is not None:
        try:
            moment_s = datetime.fromisoformat(iso).astimezone().timestamp()
        except ValueError as error:
            raise invalid_argument(f"clock: {iso!r} is no ISO 8601 moment") from error
    if moment_s is not None:
        world.clock.set(moment_s)
    world.clock.advance(number_of(body, "advance_s") or 0.0)
    frozen = flag_of(body, "freeze")
    if frozen is not None:
        world.clock.freeze(frozen)
    return _clock_shape(world, body)


def remove_faults(world: SandboxState, body: JsonObject) -> JsonObject:
    """{id?}: one rule, or every rule."""
    rule_id = text_of(body, "id")
    if rule_id:
        world.faults.remove(rule_id)
    else:
        world.faults.clear()
    return {}


def set_quota(world: SandboxState, body: JsonObject) -> JsonObject:
    """{enforce?, units_a_minute?, refusal?, concurrent?, retry_after?}."""
    world.quota.set_rules(body)
    return {"units_a_minute": world.quota.rules.units_a_minute}


def reset_counters(world: SandboxState, _: JsonObject) -> JsonObject:
    world.quota.reset()
    return {}


def log(world: SandboxState, body: JsonObject) -> JsonObject:
    """{since?: the number of the last entry seen} to {entries}."""
    since = text_of(body, "since") or "0"
    return {"entries": [entry.shape() for entry in world.journal.since(int(since) if since.isdecimal() else 0)]}


def clear_log(world: SandboxState, _: JsonObject) -> JsonObject:
    world.journal.clear()
    return {}


def set_lag(world: SandboxState, body: JsonObject) -> JsonObject:
    """{seconds}: how long a new message stays out of lists and searches."""
    for account in world.accounts:
        account.search.lag_s = number_of(body, "seconds") or 0.0
    return {}


def set_habits(world: SandboxState, body: JsonObject) -> JsonObject:
    """Sets the quirks; those left out are off.

    {hidden_in_threads?, lists_end_after?, label_lists_end_after?, batches_refuse_gaps?, search_answers?, list_answers?,
    odd_numbers?: {id: {field: value}}}.
    """
    hidden = frozenset(texts_of(body, "hidden_in_threads"))
    end, label_end = (int_of(body, name) or 0 for name in ("lists_end_after", "label_lists_end_after"))
    asked = ("search_answers", "list_answers")
    strange = {name: checked_kinds(texts_of(body, name)) for name in asked if body.get(name) is not None}
    odd = {name: fields for name, fields in object_of(body, "odd_numbers").items() if isinstance(fields, dict)}
    refuse = flag_of(body, "batches_refuse_gaps") or False
    for account in world.accounts:
        account.habits = ServerQuirks(hidden, end, label_end, refuse, odd_numbers=odd, **strange)
    return {}


def expire_history(world: SandboxState, body: JsonObject) -> JsonObject:
    """Makes every history cursor given so far return 404."""
    world.account(text_of(body, "account") or "").mailbox.history.expire()
    return {}


def move_history(world: SandboxState, body: JsonObject) -> JsonObject:
    """Continues with history ids after this one: {after, account?}. Raises `ApiError` 400 for an id already given."""
    history, after = world.account(text_of(body, "account") or "").mailbox.history, int_of(body, "after") or 0
    if not history.current < after < 2**64:
        raise invalid_argument(f"history: {after} is no id that is still to come")
    history.current = after
    return {}


def invitations(world: SandboxState, body: JsonObject) -> JsonObject:
    """Mails that Google would have sent to guests."""
    noted = world.account(text_of(body, "account") or "").calendar.invitations
    return {
        "invitations": [
            {"eventId": entry.event_id, "action": entry.action, "sendUpdates": entry.send_updates, "guests": entry.guests}
            for entry in noted
        ]
    }


def set_consent(world: SandboxState, body: JsonObject) -> JsonObject:
    """{testing?, refuse_refresh?, refuse_account? (an address, '' for none), chosen? (the same), deny?, granted? (list of scopes;
    [] grants everything again)}.
    """
    screen = world.authority.screen
    screen.testing = _given_or(flag_of(body, "testing"), screen.testing)
    screen.refuse_refresh = _given_or(flag_of(body, "refuse_refresh"), screen.refuse_refresh)
    if "refuse_account" in body:
        screen.refuse_account = text_of(body, "refuse_account") or ""
    if "chosen" in body:
        screen.chosen = text_of(body, "chosen") or ""
    screen.deny = _given_or(flag_of(body, "deny"), screen.deny)
    if "granted" in body:
        screen.granted = tuple(texts_of(body, "granted")) or None
    return {}


def issue_token(world: SandboxState, body: JsonObject) -> JsonObject:
    """{scopes?, account?, lifetime_s?} to {access_token}."""
    account = world.account(text_of(body, "account") or "")
    scopes = tuple(texts_of(body, "scopes")) or EVERYTHING
    lifetime_s = int_of(body, "lifetime_s") or 3_600
    return {"access_token": world.authority.issue(account.address, scopes, "sandbox", lifetime_s)}


def add_account(world: SandboxState, body: JsonObject) -> JsonObject:
    """Adds an account: {address, name?, timezone?, ids_of?} to {access_token}.

    The token has every scope for a year. `ids_of` is the address of another account: equal mail then gets equal ids in both.
    """
    timezone, ids_of = text_of(body, "timezone") or "UTC", text_of(body, "ids_of") or ""
    account = world.add_account(text_of(body, "address") or "", text_of(body, "name") or "", timezone, ids_of)
    return {"access_token": world.authority.issue(account.address, EVERYTHING, "sandbox", YEAR_S)}


def rename_account(world: SandboxState, body: JsonObject) -> JsonObject:
    """{account?, address}: gives the account another address."""
    address = text_of(body, "address") or ""
    if "@" not in address or any(account.owns(address) for account in world.accounts):
        raise invalid_argument(f"accounts: {address!r} is taken or no address")
    world.account(text_of(body, "account") or "").rename(address)
    return {}


def _arguments(call: ApiRequest) -> JsonObject:
    if call.verb != "POST":
        return {name: values[-1] for name, values in call.query.items()}
    try:
        body = json.loads(call.body or b"{}")
    except ValueError as error:
        raise invalid_argument("The body is no JSON") from error
    if not isinstance(body, dict):
        raise invalid_argument("The body is no JSON object")
    return body


def _clock_shape(world: SandboxState, _: JsonObject) -> JsonObject:
    return {"now_s": world.clock.now_s()}


def _given_or(value: bool | None, otherwise: bool) -> bool:
    return otherwise if value is None else value

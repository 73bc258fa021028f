"""The admin interface under /sandbox/: what tests, the demo and other clients do to the server and its mailboxes.

It needs the static token. The arguments of an action are the fields of its JSON body, or of the query for GET and DELETE.
`account` is an address; '' is the owner's.
"""

import hashlib
import inspect
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, TypeAlias

import msgspec

from app.domain.record import asdict, replace
from app.sandbox.account import GoogleAccount
from app.sandbox.call import ApiReply, ApiRequest, error_reply, json_reply
from app.sandbox.gmail.mime import parse_mail, plain_text
from app.sandbox.google_api.errors import ApiError, invalid_argument, not_found, unauthenticated
from app.sandbox.google_api.json_values import JsonObject, from_base64url, to_base64url
from app.sandbox.google_api.quirks import ServerQuirks
from app.sandbox.methods.mail import brief
from app.sandbox.server.dispatch import read_json
from app.sandbox.world.oauth import EVERYTHING, ConsentScreen
from app.sandbox.world.quota import Totals
from app.sandbox.world.world import SandboxState

Action: TypeAlias = Callable[..., JsonObject | None]
ACTIONS: dict[tuple[str, str], Action] = {}
"""Actions by verb and path (after `/sandbox/`)."""
NAMES = {"id": "of", "set": "moment", "threadId": "thread_id"}
"""Names of arguments in Python, where the field's name means something else."""
YEAR_S = 31_536_000


def admin_reply(world: SandboxState, call: ApiRequest) -> ApiReply:
    """Answers an admin request."""
    try:
        if not world.authority.is_static(call.bearer()):
            raise unauthenticated()
        action = ACTIONS.get((call.verb, call.path.removeprefix("/sandbox/")))
        if action is None:
            raise not_found()
        given = read_json(call.body) if call.verb == "POST" else {name: values[-1] for name, values in call.query.items()}
        try:
            bound = inspect.signature(action).bind(world, **{NAMES.get(name, name): value for name, value in given.items()})
            return json_reply(action(*bound.args, **bound.kwargs) or {})
        except (TypeError, ValueError) as error:
            raise invalid_argument(f"{call.path}: {error}") from error
    except ApiError as error:
        return error_reply(error)


def _action(verb: str, path: str) -> Callable[[Action], Action]:
    def register(action: Action) -> Action:
        ACTIONS[verb, path] = action
        return action

    return register


@_action("POST", "deliver")
def deliver(
    world: SandboxState,
    raw: str,
    labels: Sequence[str] = ("INBOX", "UNREAD"),
    internal_ms: int | None = None,
    account: str = "",
) -> JsonObject:
    """A mail arrives."""
    to = world.account(account)
    return brief(world.office.arrive(to, _mail(raw), _labels(to, labels), internal_ms or world.clock.now_ms()))


@_action("POST", "delete")
def delete(world: SandboxState, ids: Sequence[str], account: str = "") -> None:
    """Another client deletes messages permanently."""
    owner = world.account(account)
    for message_id in ids:
        owner.drafts.erase(owner.mailbox.get(message_id))


@_action("POST", "labels")
def change_labels(
    world: SandboxState, ids: Sequence[str], add: Sequence[str] = (), remove: Sequence[str] = (), account: str = ""
) -> None:
    """Another client changes labels, by id or name."""
    owner = world.account(account)
    for message_id in ids:
        owner.mailbox.relabel(owner.mailbox.get(message_id), _labels(owner, add), _labels(owner, remove))


@_action("POST", "draft")
def edit_draft(world: SandboxState, of: str, raw: str, account: str = "") -> JsonObject:
    """The owner edits a draft in Gmail, which keeps it in its thread."""
    held = world.account(account).drafts
    return {"id": of, "message": brief(held.replace(of, _mail(raw), held.get(of).thread_id))}


@_action("POST", "send")
def send(world: SandboxState, raw: str, thread_id: str = "", account: str = "") -> JsonObject:
    """The owner sends from another device."""
    return brief(world.office.send(world.account(account), _mail(raw), thread_id))


@_action("GET", "drafts")
def drafts(world: SandboxState, account: str = "") -> JsonObject:
    """Every draft."""
    held = world.account(account).drafts.listed()
    return {"drafts": [{"id": draft_id, "message": brief(row)} for draft_id, row in held]}


@_action("GET", "dump")
def dump(world: SandboxState, account: str = "") -> JsonObject:
    """Every message with labels, thread and digest, sorted by id, to compare mailboxes."""
    owner = world.account(account)
    return {
        "emailAddress": owner.address,
        "historyId": str(owner.mailbox.history.current),
        "labels": owner.mailbox.labels.shapes(),
        "messages": [
            {**brief(row), "internalDate": str(row.internal_ms), "sha256": hashlib.sha256(owner.mailbox.raw(row)).hexdigest()}
            for row in sorted(owner.mailbox.newest_first(), key=lambda row: row.id)
        ],
    }


@_action("GET", "sent")
def sent(world: SandboxState, account: str = "") -> JsonObject:
    """Every message in SENT, oldest first. `textSha256` is over the text with LF line ends and without trailing white space."""
    mailbox, entries = world.account(account).mailbox, []
    for row in reversed([row for row in mailbox.newest_first() if "SENT" in row.labels]):
        facts, text = row.facts, plain_text(parse_mail(mailbox.raw(row))).replace("\r\n", "\n").rstrip()
        entry = {name: getattr(facts, name) for name in ("references", "to", "cc", "bcc", "subject")}
        headers = {"messageId": facts.message_id, "inReplyTo": facts.in_reply_to, "from": facts.sender}
        digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
        entries.append({**brief(row), **entry, **headers, "textSha256": digest})
    return {"messages": entries}


@_action("GET", "raw")
def raw_mail(world: SandboxState, of: str, account: str = "") -> JsonObject:
    """The bytes of a message."""
    mailbox = world.account(account).mailbox
    return {"raw": to_base64url(mailbox.raw(mailbox.get(of)))}


def _mail(raw: str) -> bytes:
    data = from_base64url(raw)
    if not data:
        raise invalid_argument("raw: base64url of a mail is required")
    return data


def _labels(account: GoogleAccount, names: Sequence[str]) -> set[str]:
    found = {name: account.mailbox.labels.id_for_name(name) for name in names}
    if unknown := [name for name, label_id in found.items() if label_id is None]:
        raise invalid_argument(f"labels: there is no label {unknown[0]!r}")
    return set(filter(None, found.values()))


@_action("POST", "contacts")
def change_contacts(world: SandboxState, of: str = "", delete: bool = False, account: str = "", **fields: Any) -> JsonObject:
    """Adds a contact, or with an id changes or deletes one. `fields`: name, emails, phones, organization, notes."""
    book, resource_id = world.account(account).contacts, of.removeprefix("people/")
    if resource_id and delete:
        book.delete(resource_id)
    elif resource_id:
        book.change(resource_id, fields)
    elif fields:
        resource_id = book.add(**fields).id
    else:
        raise invalid_argument("contacts: a name or addresses are needed")
    return {"resourceName": f"people/{resource_id}"}


@_action("GET", "clock")
def read_clock(world: SandboxState) -> JsonObject:
    return {"now_s": world.clock.now_s()}


@_action("POST", "clock")
def set_clock(world: SandboxState, moment: str = "", advance_s: float = 0.0, freeze: bool | None = None) -> JsonObject:
    """Sets the clock to an ISO 8601 time with offset, advances, freezes or resumes it."""
    if moment:
        world.clock.set(datetime.fromisoformat(moment).astimezone().timestamp())
    world.clock.advance(advance_s)
    if freeze is not None:
        world.clock.freeze(freeze)
    return read_clock(world) or {}


@_action("GET", "faults")
def faults(world: SandboxState) -> JsonObject:
    return {"faults": [rule.shape() for rule in world.faults.rules.values()]}


@_action("POST", "faults")
def add_fault(world: SandboxState, **rule: Any) -> JsonObject:
    """Adds a rule of these fields of `FaultRule`."""
    return world.faults.add(rule).shape()


@_action("DELETE", "faults")
def remove_faults(world: SandboxState, of: str = "") -> None:
    """Removes one rule, or every rule."""
    world.faults.remove(of)


@_action("POST", "quota")
def set_quota(world: SandboxState, **rules: Any) -> None:
    """Sets the quota: fields of `QuotaRules`."""
    world.quota.set_rules(rules)


@_action("GET", "counters")
def counters(world: SandboxState) -> JsonObject:
    totals: JsonObject = msgspec.to_builtins(world.quota.totals)
    return totals


@_action("DELETE", "counters")
def reset_counters(world: SandboxState) -> None:
    world.quota.totals = Totals()


@_action("GET", "log")
def log(world: SandboxState, since: str = "0") -> JsonObject:
    """The requests after the entry with this number."""
    return {"entries": [entry for entry in world.journal.entries if entry["number"] > int(since)]}


@_action("DELETE", "log")
def clear_log(world: SandboxState) -> None:
    world.journal.entries.clear()


@_action("POST", "lag")
def set_lag(world: SandboxState, seconds: float) -> None:
    """Sets how long a new message stays out of lists and searches."""
    for account in world.accounts:
        account.search.lag_s = seconds


@_action("POST", "habits")
def set_habits(world: SandboxState, **habits: Any) -> None:
    """Sets the quirks, fields of `ServerQuirks`; those left out are off."""
    for account in world.accounts:
        account.habits = msgspec.convert(habits, ServerQuirks)


@_action("POST", "history/expire")
def expire_history(world: SandboxState, account: str = "") -> None:
    """Makes every history cursor given so far return 404."""
    world.account(account).mailbox.history.expire()


@_action("POST", "history/move")
def move_history(world: SandboxState, after: int, account: str = "") -> None:
    """Continues with history ids after this one. Raises `ApiError` 400 for an id already given."""
    history = world.account(account).mailbox.history
    if not history.current < after < 2**64:
        raise invalid_argument(f"history: {after} is no id that is still to come")
    history.current = after


@_action("GET", "invitations")
def invitations(world: SandboxState, account: str = "") -> JsonObject:
    """Mails that Google would have sent to guests."""
    return {"invitations": world.account(account).calendar.invitations}


@_action("POST", "oauth")
def set_consent(world: SandboxState, **screen: Any) -> None:
    """Changes fields of `ConsentScreen`; no `granted` scopes grant everything again."""
    changed = msgspec.convert({**asdict(world.authority.screen), **screen}, ConsentScreen)
    world.authority.screen = replace(changed, granted=changed.granted or None)


@_action("POST", "tokens")
def issue_token(world: SandboxState, scopes: Sequence[str] = (), account: str = "", lifetime_s: int = 3_600) -> JsonObject:
    """An access token with these scopes, or with every scope."""
    address = world.account(account).address
    return {"access_token": world.authority.issue(address, tuple(scopes) or EVERYTHING, "sandbox", lifetime_s)}


@_action("POST", "accounts")
def add_account(world: SandboxState, address: str, name: str = "", timezone: str = "UTC", ids_of: str = "") -> JsonObject:
    """Adds an account and returns a token with every scope for a year.

    `ids_of` is the address of another account: equal mail then gets equal ids in both.
    """
    account = world.add_account(address, name, timezone, ids_of)
    return {"access_token": world.authority.issue(account.address, EVERYTHING, "sandbox", YEAR_S)}


@_action("POST", "accounts/rename")
def rename_account(world: SandboxState, address: str, account: str = "") -> None:
    """Gives the account another address."""
    world.check_new(address)
    world.account(account).rename(address)

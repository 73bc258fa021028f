"""Gmail's methods for the profile, labels, send-as addresses and the vacation responder."""

from app.domain.record import replace
from app.sandbox.account import Identity
from app.sandbox.call import Answer, HandlerTable, MethodCall
from app.sandbox.google_api.errors import invalid_argument, not_found

HANDLERS = HandlerTable()


@HANDLERS.serves("gmail.users.getProfile")
def get_profile(call: MethodCall) -> Answer:
    """Address, counts and the current history id."""
    mailbox = call.account.mailbox
    return {
        "emailAddress": call.account.address,
        "messagesTotal": len(mailbox),
        "threadsTotal": mailbox.thread_count,
        "historyId": str(mailbox.history.current),
    }


@HANDLERS.serves("gmail.users.labels.list")
def list_labels(call: MethodCall) -> Answer:
    return {"labels": call.account.mailbox.labels.shapes()}


@HANDLERS.serves("gmail.users.labels.get")
def get_label(call: MethodCall) -> Answer:
    """One label with its counts."""
    shape = call.account.mailbox.labels.shape(call.path["id"])
    rows = [row for row in call.account.mailbox.newest_first() if call.path["id"] in row.labels]
    unread = [row for row in rows if "UNREAD" in row.labels]
    return {
        **shape,
        "messagesTotal": len(rows),
        "messagesUnread": len(unread),
        "threadsTotal": len({row.thread_id for row in rows}),
        "threadsUnread": len({row.thread_id for row in unread}),
    }


@HANDLERS.serves("gmail.users.labels.create")
def create_label(call: MethodCall) -> Answer:
    return call.account.mailbox.labels.create(call.body)


@HANDLERS.serves("gmail.users.labels.update")
def update_label(call: MethodCall) -> Answer:
    """Replaces a label; fields missing in the body get their defaults."""
    return call.account.mailbox.labels.update(call.path["id"], call.body)


@HANDLERS.serves("gmail.users.labels.patch")
def patch_label(call: MethodCall) -> Answer:
    """Changes the given fields of a label."""
    labels, label_id = call.account.mailbox.labels, call.path["id"]
    return labels.update(label_id, {**labels.shape(label_id), **call.body})


@HANDLERS.serves("gmail.users.labels.delete")
def delete_label(call: MethodCall) -> Answer:
    """Deletes a label and removes it from every message."""
    label_id = call.path["id"]
    call.account.mailbox.labels.delete(label_id)
    for row in [row for row in call.account.mailbox.newest_first() if label_id in row.labels]:
        call.account.mailbox.relabel(row, (), {label_id})
    return None


@HANDLERS.serves("gmail.users.settings.sendAs.list")
def list_send_as(call: MethodCall) -> Answer:
    return {"sendAs": [identity.shape() for identity in call.account.identities]}


@HANDLERS.serves("gmail.users.settings.sendAs.get")
def get_send_as(call: MethodCall) -> Answer:
    return _identity(call).shape()


@HANDLERS.serves("gmail.users.settings.sendAs.patch")
def patch_send_as(call: MethodCall) -> Answer:
    """Changes name and signature of a send-as address."""
    identity = _identity(call)
    name, signature = call.body.get("displayName", identity.name), call.body.get("signature", identity.signature)
    changed = replace(identity, name=name, signature=signature)
    call.account.identities[call.account.identities.index(identity)] = changed
    return changed.shape()


@HANDLERS.serves("gmail.users.settings.getVacation")
def get_vacation(call: MethodCall) -> Answer:
    return call.account.vacation


@HANDLERS.serves("gmail.users.settings.updateVacation")
def update_vacation(call: MethodCall) -> Answer:
    """Replaces the vacation responder. Google refuses one without subject and text, and an end before the start."""
    wanted = call.body
    if wanted.get("enableAutoReply") and not (wanted.get("responseSubject") or wanted.get("responseBodyPlainText")):
        raise invalid_argument("Vacation responder needs a subject or a body.")
    start, end = (int(wanted.get(name) or 0) for name in ("startTime", "endTime"))
    if start and end and end <= start:
        raise invalid_argument("The start time must be before the end time.")
    call.account.vacation = {"enableAutoReply": False, **wanted}
    return call.account.vacation


def _identity(call: MethodCall) -> Identity:
    """The send-as address that the path names. Raises `ApiError` 404."""
    identity = call.account.identity(call.path["sendAsEmail"])
    if identity is None:
        raise not_found()
    return identity

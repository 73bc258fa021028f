"""Gmail's `users.labels` methods, and those of `users.settings` for send-as addresses and the vacation responder."""

from collections.abc import Mapping

from app.domain.record import replace
from app.sandbox.call import Answer, Handler, MethodCall
from app.sandbox.google_api.errors import invalid_argument, not_found
from app.sandbox.google_api.json_values import JsonObject


def label_handlers() -> Mapping[str, Handler]:
    """Handlers by method name (after `gmail.users.`)."""
    return {
        "labels.list": lambda call: {"labels": call.account.mailbox.labels.shapes()},
        "labels.get": get,
        "labels.create": lambda call: call.account.mailbox.labels.create(call.body).shape(),
        "labels.update": lambda call: _updated(call, whole=True),
        "labels.patch": lambda call: _updated(call, whole=False),
        "labels.delete": delete,
        "settings.sendAs.list": lambda call: {"sendAs": [identity.shape() for identity in call.account.identities]},
        "settings.sendAs.get": get_send_as,
        "settings.sendAs.patch": patch_send_as,
        "settings.getVacation": lambda call: call.account.vacation,
        "settings.updateVacation": update_vacation,
    }


def get(call: MethodCall) -> Answer:
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


def delete(call: MethodCall) -> Answer:
    """Deletes a label and removes it from every message."""
    label_id = call.path["id"]
    call.account.mailbox.labels.delete(label_id)
    for row in [row for row in call.account.mailbox.newest_first() if label_id in row.labels]:
        call.account.mailbox.relabel(row, (), {label_id})
    return None


def get_send_as(call: MethodCall) -> Answer:
    identity = call.account.identity(call.path["sendAsEmail"])
    if identity is None:
        raise not_found()
    return identity.shape()


def patch_send_as(call: MethodCall) -> Answer:
    """Changes name and signature of a send-as address."""
    identity = call.account.identity(call.path["sendAsEmail"])
    if identity is None:
        raise not_found()
    name, signature = call.body.get("displayName", identity.name), call.body.get("signature", identity.signature)
    changed = replace(identity, name=str(name), signature=str(signature))
    call.account.identities[call.account.identities.index(identity)] = changed
    return changed.shape()


def update_vacation(call: MethodCall) -> Answer:
    """Replaces the vacation responder. Google refuses one without subject and text, and an end before the start."""
    wanted = call.body
    if wanted.get("enableAutoReply") and not (wanted.get("responseSubject") or wanted.get("responseBodyPlainText")):
        raise invalid_argument("Vacation responder needs a subject or a body.")
    start, end = (int(str(wanted.get(name) or 0)) for name in ("startTime", "endTime"))
    if start and end and end <= start:
        raise invalid_argument("The start time must be before the end time.")
    call.account.vacation = {"enableAutoReply": False, **wanted}
    return call.account.vacation


def _updated(call: MethodCall, *, whole: bool) -> JsonObject:
    return call.account.mailbox.labels.update(call.path["id"], call.body, whole=whole).shape()

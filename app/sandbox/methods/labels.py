"""Gmail's `users.labels` and `users.settings.sendAs` methods."""

from collections.abc import Mapping

from app.sandbox.call import Answer, Handler, MethodCall
from app.sandbox.google_api.errors import not_found
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
    """One send-as address."""
    identity = call.account.identity(call.path["sendAsEmail"])
    if identity is None:
        raise not_found()
    return identity.shape()


def _updated(call: MethodCall, *, whole: bool) -> JsonObject:
    return call.account.mailbox.labels.update(call.path["id"], call.body, whole=whole).shape()

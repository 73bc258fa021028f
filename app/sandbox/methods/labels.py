"""Gmail's `users.labels` and `users.settings.sendAs` methods."""

from collections.abc import Mapping

from app.sandbox.call import Answer, Handler, MethodCall
from app.sandbox.google_api.errors import not_found
from app.sandbox.google_api.json_values import JsonObject


def label_handlers() -> Mapping[str, Handler]:
    """Handlers by method name (after `gmail.users.`)."""
    return {
        "labels.list": lambda ask: {"labels": ask.account.mailbox.labels.shapes()},
        "labels.get": get,
        "labels.create": lambda ask: ask.account.mailbox.labels.create(ask.body).shape(),
        "labels.update": lambda ask: _updated(ask, whole=True),
        "labels.patch": lambda ask: _updated(ask, whole=False),
        "labels.delete": delete,
        "settings.sendAs.list": lambda ask: {"sendAs": [identity.shape() for identity in ask.account.identities]},
        "settings.sendAs.get": get_send_as,
    }


def get(ask: MethodCall) -> Answer:
    """One label with its counts."""
    shape = ask.account.mailbox.labels.shape(ask.path["id"])
    held = [row for row in ask.account.mailbox.newest_first() if ask.path["id"] in row.labels]
    unread = [row for row in held if "UNREAD" in row.labels]
    return {
        **shape,
        "messagesTotal": len(held),
        "messagesUnread": len(unread),
        "threadsTotal": len({row.thread_id for row in held}),
        "threadsUnread": len({row.thread_id for row in unread}),
    }


def delete(ask: MethodCall) -> Answer:
    """Deletes a label and removes it from every message."""
    label_id = ask.path["id"]
    ask.account.mailbox.labels.delete(label_id)
    for row in [row for row in ask.account.mailbox.newest_first() if label_id in row.labels]:
        ask.account.mailbox.relabel(row, (), {label_id})
    return None


def get_send_as(ask: MethodCall) -> Answer:
    """One send-as address."""
    identity = ask.account.identity(ask.path["sendAsEmail"])
    if identity is None:
        raise not_found()
    return identity.shape()


def _updated(ask: MethodCall, *, whole: bool) -> JsonObject:
    return ask.account.mailbox.labels.update(ask.path["id"], ask.body, whole=whole).shape()

"""Gmail's `users.threads`, `users.history` and `users.getProfile` methods."""

from collections.abc import Mapping

from app.sandbox.call import Answer, Handler, MethodCall
from app.sandbox.gmail.history import HistoryFilter
from app.sandbox.google_api.errors import invalid_argument, not_found
from app.sandbox.google_api.json_values import encode
from app.sandbox.methods.messages import MOST_PAGE, PAGE, checked_id, format_of


def thread_handlers() -> Mapping[str, Handler]:
    """Handlers by method name (after `gmail.users.`)."""
    return {
        "threads.get": get_thread,
        "history.list": list_history,
        "getProfile": get_profile,
    }


def get_thread(call: MethodCall) -> Answer:
    """A thread with its messages, oldest first."""
    hidden, format_ = call.account.habits.hidden_in_threads, format_of(call)
    rows = [row for row in call.account.mailbox.thread(checked_id(call.path["id"])) if not row.labels & hidden]
    if not rows:
        raise not_found()
    names = call.args.texts("metadataHeaders") if format_ == "metadata" else ()
    head = encode({"id": call.path["id"], "historyId": str(max(row.history_id for row in rows))})[:-1]
    messages = b",".join(call.account.content.message(row, format_, names) for row in rows)
    return head + b',"messages":[' + messages + b"]}"


def list_history(call: MethodCall) -> Answer:
    """A page of changes since a history id."""
    start = call.args.text("startHistoryId") or ""
    if not start.isdecimal():
        raise invalid_argument("Missing or invalid startHistoryId")
    wanted = HistoryFilter(call.args.texts("historyTypes"), call.args.text("labelId"))
    size = call.args.count("maxResults", PAGE, MOST_PAGE)
    return call.account.mailbox.history.page(int(start), wanted, size, call.args.text("pageToken"))


def get_profile(call: MethodCall) -> Answer:
    """Address, counts and the current history id."""
    mailbox = call.account.mailbox
    return {
        "emailAddress": call.account.address,
        "messagesTotal": len(mailbox),
        "threadsTotal": mailbox.thread_count,
        "historyId": str(mailbox.history.current),
    }

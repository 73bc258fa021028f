"""Gmail's `users.threads`, `users.history` and `users.getProfile` methods."""

from collections.abc import Mapping

from app.sandbox.call import Answer, Handler, MethodCall
from app.sandbox.gmail.content import Content
from app.sandbox.gmail.history import HistoryFilter
from app.sandbox.gmail.mailbox import StoredMessage
from app.sandbox.google_api.errors import invalid_argument, not_found
from app.sandbox.google_api.json_values import JsonObject, encode
from app.sandbox.methods.messages import (
    MOST_PAGE,
    PAGE,
    brief,
    checked_id,
    erase,
    format_of,
    label_changes,
    listing,
    page_key,
    page_token,
    trash_changes,
    wanted_of,
)


def thread_handlers() -> Mapping[str, Handler]:
    """Handlers by method name (after `gmail.users.`)."""
    return {
        "threads.list": list_threads,
        "threads.get": get_thread,
        "threads.modify": modify,
        "threads.trash": lambda call: _trashed(call, trash=True),
        "threads.untrash": lambda call: _trashed(call, trash=False),
        "threads.delete": delete,
        "history.list": list_history,
        "getProfile": get_profile,
    }


def list_threads(call: MethodCall) -> Answer:
    """A page of threads, ordered by their newest matching message."""
    size, accept = call.args.count("maxResults", PAGE, MOST_PAGE), call.account.search.accepts(wanted_of(call))
    mailbox = call.account.mailbox
    heads: list[StoredMessage] = []
    more = False
    for row in mailbox.newest_first(page_key(call)):
        newer = (other for other in mailbox.thread(row.thread_id) if other.key > row.key)
        if not accept(row) or any(accept(other) for other in newer):
            continue
        if len(heads) == size:
            more = True
            break
        heads.append(row)
    entries = [_entry(call.account.content, mailbox.thread(row.thread_id)) for row in heads]
    return listing("threads", entries, page_token(heads[-1]) if more else None)


def get_thread(call: MethodCall) -> Answer:
    """A thread with its messages, oldest first."""
    hidden, format_ = call.account.habits.hidden_in_threads, format_of(call)
    rows = [row for row in _rows(call) if not row.labels & hidden]
    if not rows:
        raise not_found()
    names = call.args.texts("metadataHeaders") if format_ == "metadata" else ()
    head = encode({"id": call.path["id"], "historyId": str(max(row.history_id for row in rows))})[:-1]
    messages = b",".join(call.account.content.message(row, format_, names) for row in rows)
    return head + b',"messages":[' + messages + b"]}"


def modify(call: MethodCall) -> Answer:
    """Changes the labels of every message of a thread."""
    add, remove = label_changes(call)
    return _relabelled(call, add, remove)


def delete(call: MethodCall) -> Answer:
    """Deletes a thread permanently."""
    for row in _rows(call):
        erase(call.account, row)
    return None


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


def _trashed(call: MethodCall, *, trash: bool) -> JsonObject:
    add, remove = trash_changes(trash=trash)
    return _relabelled(call, add, remove)


def _relabelled(call: MethodCall, add: list[str] | set[str], remove: list[str] | set[str]) -> JsonObject:
    rows = _rows(call)
    for row in rows:
        call.account.mailbox.relabel(row, add, remove)
    return {"id": call.path["id"], "messages": [brief(row) for row in rows]}


def _rows(call: MethodCall) -> list[StoredMessage]:
    rows = call.account.mailbox.thread(checked_id(call.path["id"]))
    if not rows:
        raise not_found()
    return rows


def _entry(content: Content, rows: list[StoredMessage]) -> JsonObject:
    newest = str(max(row.history_id for row in rows))
    return {"id": rows[0].thread_id, "snippet": content.snippet(rows[-1]), "historyId": newest}

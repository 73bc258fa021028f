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
        "threads.trash": lambda ask: _moved(ask, trash=True),
        "threads.untrash": lambda ask: _moved(ask, trash=False),
        "threads.delete": delete,
        "history.list": list_history,
        "getProfile": get_profile,
    }


def list_threads(ask: MethodCall) -> Answer:
    """A page of threads, ordered by their newest matching message."""
    size, accept = ask.args.count("maxResults", PAGE, MOST_PAGE), ask.account.search.accepts(wanted_of(ask))
    mailbox = ask.account.mailbox
    heads: list[StoredMessage] = []
    more = False
    for row in mailbox.newest_first(page_key(ask)):
        newer = (other for other in mailbox.thread(row.thread_id) if other.key > row.key)
        if not accept(row) or any(accept(other) for other in newer):
            continue
        if len(heads) == size:
            more = True
            break
        heads.append(row)
    entries = [_entry(ask.account.content, mailbox.thread(row.thread_id)) for row in heads]
    return listing("threads", entries, page_token(heads[-1]) if more else None)


def get_thread(ask: MethodCall) -> Answer:
    """A thread with its messages, oldest first."""
    hidden, format_ = ask.account.habits.hidden_in_threads, format_of(ask)
    rows = [row for row in _rows(ask) if not row.labels & hidden]
    if not rows:
        raise not_found()
    names = ask.args.texts("metadataHeaders") if format_ == "metadata" else ()
    head = encode({"id": ask.path["id"], "historyId": str(max(row.history_id for row in rows))})[:-1]
    messages = b",".join(ask.account.content.message(row, format_, names) for row in rows)
    return head + b',"messages":[' + messages + b"]}"


def modify(ask: MethodCall) -> Answer:
    """Changes the labels of every message of a thread."""
    add, remove = label_changes(ask)
    return _relabelled(ask, add, remove)


def delete(ask: MethodCall) -> Answer:
    """Deletes a thread permanently."""
    for row in _rows(ask):
        erase(ask.account, row)
    return None


def list_history(ask: MethodCall) -> Answer:
    """A page of changes since a history id."""
    start = ask.args.text("startHistoryId") or ""
    if not start.isdecimal():
        raise invalid_argument("Missing or invalid startHistoryId")
    wanted = HistoryFilter(ask.args.texts("historyTypes"), ask.args.text("labelId"))
    size = ask.args.count("maxResults", PAGE, MOST_PAGE)
    return ask.account.mailbox.history.page(int(start), wanted, size, ask.args.text("pageToken"))


def get_profile(ask: MethodCall) -> Answer:
    """Address, counts and the current history id."""
    mailbox = ask.account.mailbox
    return {
        "emailAddress": ask.account.address,
        "messagesTotal": len(mailbox),
        "threadsTotal": mailbox.thread_count,
        "historyId": str(mailbox.history.current),
    }


def _moved(ask: MethodCall, *, trash: bool) -> JsonObject:
    add, remove = trash_changes(trash=trash)
    return _relabelled(ask, add, remove)


def _relabelled(ask: MethodCall, add: list[str] | set[str], remove: list[str] | set[str]) -> JsonObject:
    rows = _rows(ask)
    for row in rows:
        ask.account.mailbox.relabel(row, add, remove)
    return {"id": ask.path["id"], "messages": [brief(row) for row in rows]}


def _rows(ask: MethodCall) -> list[StoredMessage]:
    rows = ask.account.mailbox.thread(checked_id(ask.path["id"]))
    if not rows:
        raise not_found()
    return rows


def _entry(content: Content, rows: list[StoredMessage]) -> JsonObject:
    newest = str(max(row.history_id for row in rows))
    return {"id": rows[0].thread_id, "snippet": content.snippet(rows[-1]), "historyId": newest}

"""Taking back what the last reading of an archive did, piece by piece: mail it brought goes, labels and places are as before.

May be cut short anywhere and done again. Refuses to touch what an earlier reading brought.
"""

import json
import sqlite3

from app.domain.ids import AccountId, GmailId
from app.store.applying import apply_page
from app.store.packing import id_list
from app.store.pages import Applied, SyncPage
from app.store.wiping import erase_rows

AT_ONCE = 300
_BACK = """UPDATE archive_places SET file = ?, start = ?, length = ?, digest = ?, reading = ?, former = ''
    WHERE account_id = ? AND gmail_id = ?"""
_LABELS = """SELECT m.gmail_id, l.label FROM messages m JOIN message_labels l ON l.message_id = m.id
    WHERE m.account_id = ? AND m.gmail_id IN (SELECT value FROM json_each(?))"""
_AS_BEFORE = """UPDATE archives SET state = 'done', place = '', done_bytes = 0, total_bytes = 0, seen = 0, added = 0,
        relabelled = 0, path = iif(former_path = '', path, former_path), former_path = '',
        mails = (SELECT count(*) FROM messages m WHERE m.account_id = archives.account_id)
    WHERE account_id = ?"""


def undo_some(connection: sqlite3.Connection, account_id: AccountId) -> Applied | None:
    """Some mails of the last reading, then the archive's row; None once nothing is left to do."""
    sql = """SELECT p.gmail_id FROM archive_places p JOIN archives a ON a.account_id = p.account_id AND p.added = a.reading
        WHERE p.account_id = ? LIMIT ?"""
    brought = [GmailId(row[0]) for row in connection.execute(sql, (account_id, AT_ONCE))]
    if brought:
        return _take_away(connection, account_id, brought)
    sql = "SELECT gmail_id, former FROM archive_places WHERE account_id = ? AND former <> '' LIMIT ?"
    changed = {GmailId(row[0]): json.loads(row[1]) for row in connection.execute(sql, (account_id, AT_ONCE))}
    if changed:
        return _put_back(connection, account_id, changed)
    if connection.execute("SELECT 1 FROM archive_places WHERE account_id = ? LIMIT 1", (account_id,)).fetchone() is None:
        erase_rows(connection, account_id)
    else:
        connection.execute(_AS_BEFORE, (account_id,))
    return None


def _take_away(connection: sqlite3.Connection, account_id: AccountId, brought: list[GmailId]) -> Applied:
    applied = apply_page(connection, account_id, SyncPage(delete=tuple(brought), index=False))
    sql = "DELETE FROM archive_places WHERE account_id = ? AND gmail_id IN (SELECT value FROM json_each(?))"
    connection.execute(sql, (account_id, id_list(brought)))
    sql = "UPDATE archives SET mails = mails - ?, added = max(0, added - ?) WHERE account_id = ?"
    connection.execute(sql, (len(brought), len(brought), account_id))
    return applied


def _put_back(connection: sqlite3.Connection, account_id: AccountId, changed: dict[GmailId, list[object]]) -> Applied:
    now: dict[GmailId, set[str]] = {gid: set() for gid in changed}
    for gid, name in connection.execute(_LABELS, (account_id, id_list(changed))):
        now[gid].add(name)
    before = {gid: _names(former[5]) for gid, former in changed.items()}
    page = SyncPage(
        add_labels=tuple((gid, before[gid] - now[gid]) for gid in changed if before[gid] - now[gid]),
        remove_labels=tuple((gid, frozenset(now[gid] - before[gid])) for gid in changed if now[gid] - before[gid]),
        index=False,
    )
    connection.executemany(_BACK, [(*former[:5], account_id, gid) for gid, former in changed.items()])
    return apply_page(connection, account_id, page)


def _names(labels: object) -> frozenset[str]:
    return frozenset(map(str, labels)) if isinstance(labels, list) else frozenset()

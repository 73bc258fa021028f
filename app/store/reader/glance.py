"""Reads the first rows of a list for the window's first frame, before most modules are imported.

Imports only sqlite3 and a few domain types.
"""

import sqlite3
from pathlib import Path

from app.domain.protocol.views import VIEW_LABELS, Glance, GlanceRow, MailView
from app.store.db.errors import VERSION
from app.store.reviews.first_frame_columns import with_columns

_THREADS = """SELECT t.sender, t.subject, t.snippet, t.last_date, t.unread, t.message_count, 0, ''
    FROM thread_labels l INDEXED BY thread_labels_newest JOIN threads t ON t.id = l.thread_id
    WHERE l.label = ? ORDER BY l.last_date DESC, l.thread_id DESC LIMIT ?"""

_REVIEWS = with_columns("""SELECT PEOPLE, SUBJECT, SNIPPET, r.mail_date, 0, 1, GOES_OUT, r.kind
    FROM reviews r JOIN review_revisions p ON p.review_id = r.id AND p.revision = r.revision
    LEFT JOIN messages m ON m.id = r.message_id
    WHERE r.status = 'pending' ORDER BY QUEUE_ORDER LIMIT ?""")

_LABELS = {**VIEW_LABELS, MailView.ALL: "*"}
BUSY_TIMEOUT_S = 0.1


def glance(path: Path, page: str, limit: int) -> Glance:
    """The first `limit` rows of a mail list or the review queue; no rows for other pages."""
    if not path.exists():
        return Glance(accounts=False)
    connection = None
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_TIMEOUT_S)
        if connection.execute("PRAGMA user_version").fetchone()[0] != VERSION:
            return Glance(accounts=True)
        accounts = connection.execute("SELECT EXISTS (SELECT 1 FROM accounts)").fetchone()[0]
        return Glance(bool(accounts), tuple(_rows(connection, page, limit)))
    except sqlite3.Error:
        return Glance(accounts=True)
    finally:
        if connection is not None:
            connection.close()


def _rows(connection: sqlite3.Connection, page: str, limit: int) -> list[GlanceRow]:
    label = next((found for view, found in _LABELS.items() if view == page), "")
    if not label and page != "review":
        return []
    found = connection.execute(_THREADS, (label, limit)) if label else connection.execute(_REVIEWS, (limit,))
    return [
        GlanceRow(who, subject, snippet, at, bool(unread), count, bool(goes_out), kind)
        for who, subject, snippet, at, unread, count, goes_out, kind in found
    ]

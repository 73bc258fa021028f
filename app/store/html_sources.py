"""HTML as strangers wrote it, kept until somebody wants to see it, and the cleaned HTML that takes its place.

Refuses to clean: the engine hands the cleaning in. Nothing here is read by the window.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace

from app.domain.errors import DiskFull
from app.domain.ids import MessageId
from app.domain.mail import Message
from app.store.database import Database
from app.store.packing import id_list, pack_text, unpack_text

Clean = Callable[[str], str]
"""HTML of a stranger to HTML that is safe to show."""

_WAITING = """SELECT m.id FROM messages m INDEXED BY messages_date WHERE m.date >= ?
    AND EXISTS (SELECT 1 FROM html_sources s WHERE s.message_id = m.id) ORDER BY m.date DESC LIMIT ?"""
_SOURCES = "SELECT message_id, source FROM html_sources WHERE message_id IN (SELECT value FROM json_each(?))"


class HtmlSources:
    """What waits to be cleaned."""

    def __init__(self, db: Database, clean: Clean) -> None:
        self._db = db
        self._clean = clean

    def waiting(self, since_ms: int, limit: int) -> list[MessageId]:
        """Mail from Unix milliseconds `since_ms` on whose HTML waits, newest first."""
        return [MessageId(row[0]) for row in self._db.read(_WAITING, (since_ms, limit))]

    def clean(self, ids: Iterable[MessageId]) -> None:
        """Clean the HTML of these messages where it waits, and keep the result."""
        cleaned = self._cleaned(ids)
        if cleaned:
            self._keep(cleaned)

    def shown(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        """The messages with all of their HTML, cleaned now where it waited. On a full disk it is only not kept."""
        waiting = [one.id for one in messages if one.html_waits]
        if not waiting:
            return messages
        cleaned = self._cleaned(waiting)
        with suppress(DiskFull):  # it waits on, and the next reader cleans it again
            self._keep(cleaned)
        return tuple(
            replace(one, body_html=cleaned.get(one.id, one.body_html), html_waits=False) if one.html_waits else one
            for one in messages
        )

    def _cleaned(self, ids: Iterable[MessageId]) -> dict[MessageId, str]:
        rows = self._db.read(_SOURCES, (id_list(ids),))
        return {MessageId(number): self._clean(unpack_text(source)) for number, source in rows}

    def _keep(self, cleaned: Mapping[MessageId, str]) -> None:
        """Put the clean HTML in the place of its source, unless the message was replaced or deleted meanwhile."""
        with self._db.transaction() as connection:
            for number, html in cleaned.items():
                if connection.execute("DELETE FROM html_sources WHERE message_id = ?", (number,)).rowcount:
                    connection.execute("UPDATE bodies SET html = ? WHERE message_id = ?", (pack_text(html), number))

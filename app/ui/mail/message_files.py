"""The files of the message on screen: which are on disk, which are coming, and what the reader wanted them for.

Refuses to fetch what was not asked for, but for the small pictures that the mail itself shows.
"""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

from PySide6.QtCore import QObject, Signal

from app.domain.events import Event
from app.domain.ids import MessageId
from app.domain.mail import Attachment, Message
from app.domain.mail_files import FetchFile, FileChanged, FileState
from app.ui.context import Context
from app.ui.told import Told

SHOWN_PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
LARGEST_INLINE = 10_000_000
Wish = Callable[[Path], object]


class MessageFiles(QObject):
    """`changed` says that a file of this message moved (its part id), `pictures` that inline pictures came."""

    changed = Signal(str)
    pictures = Signal()

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._message: Message | None = None
        self._wishes: dict[tuple[MessageId, str], Wish] = {}
        self._coming: dict[str, int] = {}
        self._errors: dict[str, str] = {}
        stop = context.link.subscribe(self._heard)
        self.destroyed.connect(lambda: stop())

    def show_message(self, message: Message) -> None:
        """Another message; its inline pictures are fetched."""
        if self._message is not None and self._message.id == message.id:
            return
        self._message = message
        self._coming.clear()
        self._errors.clear()
        for one in _inline(message):
            if self.path(one.part_id) is None:
                self._context.link.send(FetchFile(message.id, one.part_id))

    def inline(self) -> dict[str, Path]:
        """Inline pictures that are here, by content id."""
        found = {one.content_id: self.path(one.part_id) for one in (_inline(self._message) if self._message else ())}
        return {key: path for key, path in found.items() if path is not None}

    def path(self, part_id: str) -> Path | None:
        """The file if it is here."""
        if self._message is None:
            return None
        file = None
        with Told(self._context.notices):
            file = self._context.reader.file(self._message.id, part_id)
        return file.path if file is not None and file.state is FileState.HERE and file.path.exists() else None

    def coming(self, part_id: str) -> int | None:
        """Bytes that came so far, None if it is not on its way."""
        return self._coming.get(part_id)

    def error(self, part_id: str) -> str:
        """Why it did not come: a code, empty if nothing went wrong."""
        return self._errors.get(part_id, "")

    def want(self, part_id: str, wish: Wish) -> None:
        """Do `wish` with the file, now or when it is here."""
        if self._message is None:
            return
        path = self.path(part_id)
        if path is not None:
            wish(path)
            return
        self._wishes[self._message.id, part_id] = wish
        self._errors.pop(part_id, None)
        self._coming[part_id] = 0
        self._context.link.send(FetchFile(self._message.id, part_id))
        self.changed.emit(part_id)

    def _heard(self, event: Event) -> None:
        if not isinstance(event, FileChanged):
            return
        wish = self._wishes.pop((event.message_id, event.part_id), None) if event.state is not FileState.WANTED else None
        if self._message is None or event.message_id != self._message.id:
            return
        self._note(event)
        self.changed.emit(event.part_id)
        if event.state is FileState.HERE:
            if any(one.part_id == event.part_id for one in _inline(self._message)):
                self.pictures.emit()
            path = self.path(event.part_id)
            if wish is not None and path is not None:
                wish(path)

    def _note(self, event: FileChanged) -> None:
        self._coming.pop(event.part_id, None)
        self._errors.pop(event.part_id, None)
        if event.state is FileState.WANTED:
            self._coming[event.part_id] = event.done_bytes
        if event.error:
            self._errors[event.part_id] = event.error


def _inline(message: Message) -> list[Attachment]:
    """The pictures that the mail's HTML shows."""
    source = unquote(message.body_html) if "cid:" in message.body_html else ""
    return [
        one
        for one in message.attachments
        if one.content_id and one.mime_type in SHOWN_PICTURES and one.size <= LARGEST_INLINE and f"cid:{one.content_id}" in source
    ]

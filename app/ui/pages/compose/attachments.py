"""Attachments of the open letter: attaching, removing and restoring files, and the list that shows them."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from uuid import uuid4

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QToolButton, QWidget

from app.domain.errors import ExpectedError
from app.domain.ids import LetterId
from app.domain.mail.letter import MOST_FILE_BYTES, MOST_PICTURE_BYTES, Letter, LetterFile, StoredLetter, picture_type
from app.domain.ports.window import MailboxReader
from app.domain.protocol.letter_commands import CloseLetter, InsertPicture, RemoveFile, RestoreFile
from app.ui.context import Context
from app.ui.i18n.formatting import size_words
from app.ui.pages.compose.editor import LetterTextEditor
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import RoleFrame, clear, column, label, put, row, tab_through, tool_button
from app.ui.widgets.labels import ElidedLabel

OFFERED_MS = 10_000
NAME_WIDEST = 260


def files_at_hand(reader: MailboxReader, letter: Letter, stored: StoredLetter | None) -> tuple[LetterFile, ...]:
    """Returns the letter's files. Until the engine has stored the letter, those of the letters in `instead_of`."""
    if stored is not None:
        return stored.files
    before = (reader.letter(letter_id) for letter_id in letter.instead_of)
    return tuple(file for stored_letter in before if stored_letter is not None for file in stored_letter.files)


class LetterFiles(QWidget):
    """List of the open letter's attachments with name, size or fetch state, and buttons that remove them, with Undo.

    Ctrl+Z in `editor` restores a removed file if nothing was typed since. `open_letter` returns the letter's id.
    """

    def __init__(self, context: Context, editor: LetterTextEditor) -> None:
        super().__init__()
        self._context, self._editor = context, editor
        self.open_letter: Callable[[], LetterId | None] = lambda: None
        self._removed: list[tuple[int, str, int]] = []
        self._pictures: dict[str, bytes] = {}
        """Pictures inserted since the start that are still open."""
        self._rows = column(self, 0, Space.TIGHT)
        self._shown: tuple[LetterFile, ...] = ()
        self._buttons: list[QToolButton] = []
        editor.undo_first = self.undo
        editor.picture = self._picture
        self.hide()

    def insert(self, letter_id: LetterId, data: bytes) -> None:
        """Shows a picture at the cursor and stores it. Says so where it is none or too large."""
        kind = picture_type(data)
        if not kind or len(data) > MOST_PICTURE_BYTES:
            words = self.tr("Only PNG, JPEG and GIF pictures of up to %1 can be in the text. Attach it as a file.")
            self._context.notices.tell(words.replace("%1", size_words(MOST_PICTURE_BYTES)))
            return
        name = f"picture-{uuid4().hex[:12]}.{kind.removeprefix('image/')}"
        self._pictures[name] = data
        self._context.link.send(InsertPicture(letter_id, name, data))
        self._editor.put_picture(name)

    def _picture(self, name: str) -> bytes:
        """The bytes of a picture; of one the engine does not have yet, those inserted here."""
        letter_id = self.open_letter()
        data = self._pictures.get(name, b"")
        if not data and letter_id is not None:
            with suppress(ExpectedError):  # the place of the picture stays
                data = self._context.reader.letter_picture(letter_id, name)
        return data

    def remove(self, file_id: int, name: str) -> None:
        letter_id = self.open_letter()
        if letter_id is None:
            return
        self._removed.append((file_id, name, self._editor.document().availableUndoSteps()))
        self._context.link.send(RemoveFile(letter_id, file_id))
        words = self.tr("Removed “%1”").replace("%1", name)
        self._context.notices.tell(words, self.tr("Undo"), lambda: self._restore(file_id), OFFERED_MS)

    def undo(self) -> bool:
        """Restores the last removed file if that was the last change. Returns whether it did."""
        if not self._removed or self._removed[-1][2] != self._editor.document().availableUndoSteps():
            return False
        self._restore(self._removed[-1][0])
        return True

    def close_letter(self) -> None:
        """Ends the work on the letter: removed files are deleted."""
        letter_id = self.open_letter()
        if self._removed and letter_id is not None:
            self._context.link.send(CloseLetter(letter_id))
        self._removed = []
        self._pictures = {}

    def _restore(self, file_id: int) -> None:
        letter_id, found = self.open_letter(), next((entry for entry in self._removed if entry[0] == file_id), None)
        if letter_id is None or found is None:
            return
        self._removed.remove(found)
        self._context.link.send(RestoreFile(letter_id, file_id))
        self._context.notices.tell(self.tr("“%1” is attached again.").replace("%1", found[1]))

    def show_files(self, files: tuple[LetterFile, ...]) -> None:
        """Lists the files. The focus stays with the button in its place, and goes to the text after the last one."""
        files = tuple(one for one in files if not one.inline)
        if files == self._shown:
            return
        self._shown = files
        focused = next((at for at, button in enumerate(self._buttons) if button.hasFocus()), -1)
        clear(self._rows)
        self._buttons = []
        for file in files:
            self._rows.addWidget(self._line(file))
        if len(files) > 1:
            total = sum(file.size for file in files)
            words = self.tr("%n file(s)", "", len(files)) + " · "
            words += self.tr("%1 of %2").replace("%1", size_words(total)).replace("%2", size_words(MOST_FILE_BYTES))
            self._rows.addWidget(label(words, Type.CAPTION, "soft"))
        tab_through(self, self._buttons)
        self.setVisible(bool(files))
        if focused >= 0 and files:
            button = self._buttons[min(focused, len(files) - 1)]
            QTimer.singleShot(0, button, button.setFocus)  # the button is visible only after the next layout
        elif focused >= 0:
            self._editor.setFocus()

    def _line(self, file: LetterFile) -> RoleFrame:
        made = RoleFrame("notice")
        name = ElidedLabel(file.name or self.tr("unnamed file"))
        name.setMaximumWidth(NAME_WIDEST)
        facts = size_words(file.size) if file.here else self.tr("downloading from Gmail…")
        words = self.tr("Remove %1").replace("%1", file.name)
        off = tool_button(self._context.icons.icon("close"), words, partial(self.remove, file.id, file.name))
        self._buttons.append(off)
        layout = row(made, (Space.SMALL, Space.HAIR, Space.HAIR, Space.HAIR))
        put(layout, name, label(facts, Type.CAPTION, "soft"), 1, (off, Qt.AlignmentFlag.AlignRight))
        return made

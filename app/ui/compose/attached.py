"""The files of the letter at hand as the user changes them: attached, taken off, and put back while the letter is open.

Also what is shown of them while the letter takes the place of another account's and the engine has not heard of it yet.
Refuses to hold bytes: a file is the engine's from the moment it is attached.
"""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject

from app.domain.ids import LetterId
from app.domain.letter import Letter, LetterFile, StoredLetter
from app.domain.ports.window import MailboxReader
from app.domain.writing import AttachFile, CloseLetter, RemoveFile, RestoreFile
from app.ui.compose.editor import LetterEditor
from app.ui.context import Context

OFFERED_MS = 10_000


def files_at_hand(reader: MailboxReader, letter: Letter, stored: StoredLetter | None) -> tuple[LetterFile, ...]:
    """The letter's files; until the engine has it, those of the letters whose place it takes."""
    if stored is not None:
        return stored.files
    before = (reader.letter(one) for one in letter.instead_of)
    return tuple(file for one in before if one is not None for file in one.files)


class Attached(QObject):
    """`at_hand` gives the id of the letter on screen. In `editor`, Ctrl+Z puts a file back while nothing was typed since."""

    def __init__(self, context: Context, editor: LetterEditor, at_hand: Callable[[], LetterId | None], parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._editor = editor
        self._at_hand = at_hand
        self._taken_off: list[tuple[int, str, int]] = []
        editor.undo_before(self.undo)

    def attach(self, letter_id: LetterId, paths: list[Path]) -> None:
        """Copy files into the letter."""
        for path in paths:
            self._context.link.send(AttachFile(letter_id, path))

    def remove(self, file_id: int, name: str) -> None:
        """Take a file off, with a way back."""
        letter_id = self._at_hand()
        if letter_id is None:
            return
        self._taken_off.append((file_id, name, self._steps()))
        self._context.link.send(RemoveFile(letter_id, file_id))
        words = self.tr("“%1” was taken off.").replace("%1", name)
        self._context.notices.tell(words, self.tr("Undo"), lambda: self._restore(file_id), OFFERED_MS)

    def undo(self) -> bool:
        """Put the last file back if that is what was done last; whether it was."""
        if not self._taken_off or self._taken_off[-1][2] != self._steps():
            return False
        self._restore(self._taken_off[-1][0])
        return True

    def close(self) -> None:
        """The letter goes off the screen: what was taken off goes for good."""
        letter_id = self._at_hand()
        if self._taken_off and letter_id is not None:
            self._context.link.send(CloseLetter(letter_id))
        self._taken_off = []

    def _restore(self, file_id: int) -> None:
        letter_id, found = self._at_hand(), next((one for one in self._taken_off if one[0] == file_id), None)
        if letter_id is None or found is None:
            return
        self._taken_off.remove(found)
        self._context.link.send(RestoreFile(letter_id, file_id))
        self._context.notices.tell(self.tr("“%1” is attached again.").replace("%1", found[1]))

    def _steps(self) -> int:
        """How much there is to undo in the text."""
        return self._editor.document().availableUndoSteps()

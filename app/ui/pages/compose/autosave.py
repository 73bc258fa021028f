"""Saves the open letter while it is typed: a copy in window.ini and one in the engine.

The copy in window.ini is removed when the engine confirms the save. A crash of either process or both loses at most the last half
second of typing.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.domain.ids import LetterId
from app.domain.mail.letter import Letter, LetterState
from app.domain.ports.window import EngineLink
from app.domain.protocol.letter_commands import SaveLetter
from app.ui.context import Context
from app.ui.services.async_task import single_shot
from app.ui.session.typed_text import LETTER_AT_HAND, KeptLetters

TYPED_MS = 400


def at_hand(context: Context) -> Letter | None:
    """Returns the letter that was open before a restart, if it is not sent or discarded. Reads window.ini if the engine does not
    have it.
    """
    letter_id = LetterId(str(context.state.value(LETTER_AT_HAND) or ""))
    if not letter_id:
        return None
    stored, copy = context.reader.letter(letter_id), KeptLetters(context.state).find(letter_id)
    if stored is None:
        return copy[1] if copy is not None else None
    return stored.letter if stored.state is LetterState.OPEN else None


class Autosave(QObject):
    """Saves the open letter, which `read` returns, and calls `saved` after each save."""

    def __init__(
        self, kept: KeptLetters, link: EngineLink, read: Callable[[], Letter | None], saved: Callable[[], object], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._copies, self._link, self._read, self._saved = kept, link, read, saved
        self._last: Letter | None = None
        self.revision = 0
        self._timer = single_shot(self, self.flush, TYPED_MS)

    def begin(self, letter: Letter, revision: int) -> None:
        """Switches to another letter; `revision` 0 if it was never saved."""
        self._timer.stop()
        self._last, self.revision = letter, revision

    def touch(self) -> None:
        """Schedules a save within `TYPED_MS`."""
        if not self._timer.isActive():
            self._timer.start()

    def flush(self) -> None:
        """Saves now if the letter changed."""
        self._timer.stop()
        letter = self._read()
        if letter is not None and letter != self._last:
            self.save(letter)

    def save(self, letter: Letter) -> None:
        """Saves `letter`, changed or not."""
        self.revision += 1
        self._last = letter
        self._copies.keep(letter, self.revision)
        self._link.send(SaveLetter(letter, self.revision))
        self._saved()

    def end(self) -> None:
        self._timer.stop()
        self._last = None

"""Saves the open letter while it is typed: a copy in window.ini and one in the engine.

The copy in window.ini is removed when the engine confirms the save. A crash of either process or both loses at most the last half
second of typing.
"""

from collections.abc import Callable

import msgspec
from PySide6.QtCore import QObject, QSettings

from app.domain.ids import LetterId
from app.domain.mail.letter import Letter, LetterState
from app.domain.ports.window import EngineLink
from app.domain.protocol.letter_commands import LetterChanged, SaveLetter
from app.ui.context import Context
from app.ui.services.async_task import single_shot
from app.ui.session.forget_account import LETTER_AT_HAND, LETTERS

TYPED_MS = 400


class KeptLetters:
    """Copies in window.ini of letters that the engine has not confirmed. An unreadable copy is ignored.

    Revision 0 is an opened letter without any text yet; it is only in window.ini.
    """

    def __init__(self, state: QSettings) -> None:
        self._state = state

    def keep(self, letter: Letter, revision: int) -> None:
        """Saves the copy; QSettings writes it to disk later."""
        self._state.setValue(f"{LETTERS}/{letter.id}", msgspec.json.encode((revision, letter)).decode())

    def forget(self, letter_id: LetterId, revision: int) -> None:
        """Removes the copy if it is not newer than `revision`."""
        found = self.find(letter_id)
        if found is None or found[0] <= revision:
            self._state.remove(f"{LETTERS}/{letter_id}")

    def find(self, letter_id: LetterId) -> tuple[int, Letter] | None:
        """Returns the revision and the letter."""
        text = self._state.value(f"{LETTERS}/{letter_id}")
        try:
            return msgspec.json.decode(text, type=tuple[int, Letter]) if isinstance(text, str) else None
        except msgspec.DecodeError:
            return None

    def all(self) -> list[tuple[int, Letter]]:
        self._state.beginGroup(LETTERS)
        names = self._state.childKeys()
        self._state.endGroup()
        return [found for name in names if (found := self.find(LetterId(name))) is not None]

    def resend(self, link: EngineLink) -> None:
        """Sends every copy to the engine, except revision 0. The engine ignores revisions it has."""
        for revision, letter in self.all():
            if revision:
                link.send(SaveLetter(letter, revision))


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
        if letter is None or letter == self._last:
            return
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

    def hear(self, event: LetterChanged) -> None:
        """Removes the copy that the engine has confirmed."""
        self._copies.forget(event.letter_id, event.revision)

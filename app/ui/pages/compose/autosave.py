"""Keeps a letter while it is typed: a copy in window.ini and one in the engine; the first goes when the engine says it has it.

So neither a crash of the window nor one of the engine, nor of both at once, loses more than the last half second.
"""

from collections.abc import Callable

import msgspec
from PySide6.QtCore import QObject, QSettings, QTimer

from app.domain.ids import LetterId
from app.domain.mail.letter import Letter, LetterState
from app.domain.ports.window import EngineLink
from app.domain.protocol.letter_commands import LetterChanged, SaveLetter
from app.ui.context import Context
from app.ui.session.forget_account import LETTER_AT_HAND, LETTERS

TYPED_MS = 400


class KeptLetters:
    """Letters in window.ini that the engine has not confirmed; an unreadable one counts as none. Revision 0 is a letter that was
    opened and in which nothing was written yet: it comes back after a restart, and is nowhere else."""

    def __init__(self, state: QSettings) -> None:
        self._state = state

    def keep(self, letter: Letter, revision: int) -> None:
        """Put the copy on its way to the disk."""
        self._state.setValue(f"{LETTERS}/{letter.id}", msgspec.json.encode((revision, letter)).decode())

    def forget(self, letter_id: LetterId, revision: int) -> None:
        """The engine has this revision."""
        found = self.find(letter_id)
        if found is None or found[0] <= revision:
            self._state.remove(f"{LETTERS}/{letter_id}")

    def find(self, letter_id: LetterId) -> tuple[int, Letter] | None:
        """The copy and its revision."""
        text = self._state.value(f"{LETTERS}/{letter_id}")
        try:
            return msgspec.json.decode(text, type=tuple[int, Letter]) if isinstance(text, str) else None
        except msgspec.DecodeError:
            return None

    def all(self) -> list[tuple[int, Letter]]:
        """Every copy."""
        self._state.beginGroup(LETTERS)
        names = self._state.childKeys()
        self._state.endGroup()
        return [found for name in names if (found := self.find(LetterId(name))) is not None]

    def resend(self, link: EngineLink) -> None:
        """Give the engine what it may have missed; it ignores what it has, and never hears of a letter without a word."""
        for revision, letter in self.all():
            if revision:
                link.send(SaveLetter(letter, revision))


def at_hand(context: Context) -> Letter | None:
    """The letter of before a restart, while it is open; from window.ini where the engine has never heard of it."""
    letter_id = LetterId(str(context.state.value(LETTER_AT_HAND) or ""))
    if not letter_id:
        return None
    stored, copy = context.reader.letter(letter_id), KeptLetters(context.state).find(letter_id)
    if stored is None:
        return copy[1] if copy is not None else None
    return stored.letter if stored.state is LetterState.OPEN else None


class Autosave(QObject):
    """Saves the letter at hand. `read` gives it as it stands; `saved` is called after it was handed on."""

    def __init__(
        self, kept: KeptLetters, link: EngineLink, read: Callable[[], Letter | None], saved: Callable[[], object], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._kept, self._link, self._read, self._saved = kept, link, read, saved
        self._last: Letter | None = None
        self.revision = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(TYPED_MS)
        self._timer.timeout.connect(self.flush)

    def begin(self, letter: Letter, revision: int) -> None:
        """Another letter; `revision` 0 for one that nobody has yet."""
        self._timer.stop()
        self._last, self.revision = letter, revision

    def touch(self) -> None:
        """Something was typed."""
        if not self._timer.isActive():
            self._timer.start()

    def flush(self) -> None:
        """Keep it now, if anything changed."""
        self._timer.stop()
        letter = self._read()
        if letter is None or letter == self._last:
            return
        self.save(letter)

    def save(self, letter: Letter) -> None:
        """Keep it, changed or not."""
        self.revision += 1
        self._last = letter
        self._kept.keep(letter, self.revision)
        self._link.send(SaveLetter(letter, self.revision))
        self._saved()

    def end(self) -> None:
        """Nothing more is to be kept."""
        self._timer.stop()
        self._last = None

    def hear(self, event: LetterChanged) -> None:
        """The engine has it."""
        self._kept.forget(event.letter_id, event.revision)

"""Completes addresses by any word of the name or the address."""

import re
import unicodedata
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QStringListModel, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView

from app.domain.ports.window import KnownAddress
from app.ui.context import Notices
from app.ui.editor.recipients import written
from app.ui.services.notices import OnceNotice
from app.ui.theme.appearance import PopupStyle

MOST = 8

_FOREIGN = re.compile(r"[^\x00-\x7f]+")


def folded(text: str) -> str:
    """Lower case without diacritics."""
    if text.isascii():
        return text.lower()
    spread = unicodedata.normalize("NFKD", text.casefold())
    return spread if spread.isascii() else _FOREIGN.sub(_unmarked, spread)


def _unmarked(stretch: re.Match[str]) -> str:
    return "".join(char for char in stretch.group() if not unicodedata.combining(char))


def last_piece(line: str, cursor: int) -> tuple[int, str]:
    """Start and typed text of the address at the cursor. Commas inside quotes do not separate."""
    start, quoted = 0, False
    for place, char in enumerate(line[:cursor]):
        if char == '"':
            quoted = not quoted
        elif char in ",;" and not quoted:
            start = place + 1
    return start, line[start:cursor].lstrip()


class AddressCompleter(QObject):
    """Attached to one line edit. `find` returns at most that many people for the typed text; `taken` is called after a match was
    chosen.
    """

    def __init__(
        self, line: QLineEdit, find: Callable[[str, int], Sequence[KnownAddress]], notices: Notices, taken: Callable[[], object]
    ) -> None:
        super().__init__(line)
        self._line, self._find, self._taken = line, find, taken
        self._notice = OnceNotice(notices)
        self._model = QStringListModel(self)
        self.completer = QCompleter(self._model, self)
        self.completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.completer.setWidget(line)
        self.completer.setMaxVisibleItems(MOST)
        self.popup = QListView()
        self.popup.setAccessibleName(line.accessibleName())
        self.completer.setPopup(self.popup)
        PopupStyle(self.popup, line)
        self.completer.activated.connect(self._take)
        line.textEdited.connect(self._typed)
        line.installEventFilter(self)
        self.popup.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tab and Return take the selected match while the list is open. Escape closes the list and not the letter."""
        if not isinstance(event, QKeyEvent) or not self.popup.isVisible():
            return False
        if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        if event.type() != QEvent.Type.KeyPress or (watched is self.popup and event.key() != Qt.Key.Key_Tab):
            return False  # the popup has the keys, and Qt handles Return there
        if event.key() not in (Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return False
        self._take(self._model.stringList()[max(0, self.popup.currentIndex().row())])
        self.popup.hide()
        return True

    def _typed(self, text: str) -> None:
        _, piece = last_piece(text, self._line.cursorPosition())
        people = self._notice.read(lambda: self._find(piece, MOST)) or ()
        found = [written((one.address,)) for one in people]
        self._model.setStringList(found)
        if found:
            self.completer.complete()
            self.popup.setCurrentIndex(self._model.index(0))
        else:
            self.popup.hide()

    def _take(self, address: str) -> None:
        text, cursor = self._line.text(), self._line.cursorPosition()
        start, _ = last_piece(text, cursor)
        rest = text[cursor:].lstrip(" ,;")
        before = f"{text[:start].rstrip()} " if text[:start].strip() else ""
        self._line.setText(f"{before}{address}, {rest}")
        self._line.setCursorPosition(len(before) + len(address) + 2)
        self._taken()

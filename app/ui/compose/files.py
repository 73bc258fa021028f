"""The files of a letter in a row: name, size, whether they are still being fetched, and a way to take each off."""

from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QToolButton, QWidget

from app.domain.letter import MOST_FILE_BYTES, LetterFile
from app.ui.build import clear, column, label, row, tab_through, tool_button
from app.ui.elided import ElidedLabel
from app.ui.icons import Icons
from app.ui.scale import Space, Type
from app.ui.text import size_words

NAME_WIDEST = 260


class FileStrip(QWidget):
    """`removed` with a file's id and name; `emptied` when the last one went that had the keyboard."""

    removed = Signal(int, str)
    emptied = Signal()

    def __init__(self, icons: Icons) -> None:
        super().__init__()
        self._icons = icons
        self._rows = column(self, 0, Space.TIGHT)
        self._shown: tuple[LetterFile, ...] = ()
        self._buttons: list[QToolButton] = []
        self.hide()

    def show_files(self, files: tuple[LetterFile, ...]) -> None:
        """Fill in; hidden without files."""
        if files == self._shown:
            return
        self._shown = files
        held = next((at for at, one in enumerate(self._buttons) if one.hasFocus()), -1)
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
        if held >= 0 and files:
            button = self._buttons[min(held, len(files) - 1)]
            QTimer.singleShot(0, button, button.setFocus)  # it can be seen from the next turn on
        elif held >= 0:
            self.emptied.emit()

    def _line(self, file: LetterFile) -> QFrame:
        made = QFrame()
        made.setProperty("role", "notice")
        inside = row(made, 0, Space.SMALL)
        inside.setContentsMargins(Space.SMALL, Space.HAIR, Space.HAIR, Space.HAIR)
        name = ElidedLabel(file.name or self.tr("unnamed file"))
        name.setMaximumWidth(NAME_WIDEST)
        inside.addWidget(name)
        facts = size_words(file.size) if file.here else self.tr("fetching from Gmail…")
        inside.addWidget(label(facts, Type.CAPTION, "soft"))
        inside.addStretch(1)
        words = self.tr("Remove %1").replace("%1", file.name)
        off = tool_button(self._icons.icon("close"), words, partial(self.removed.emit, file.id, file.name))
        self._buttons.append(off)
        inside.addWidget(off, 0, Qt.AlignmentFlag.AlignRight)
        return made

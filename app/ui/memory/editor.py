"""Where the user writes a preference: the words of one that stands there, or a new one for a group."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from app.domain.memory import LONGEST_TEXT, Namespace
from app.ui.build import button, column, label, row
from app.ui.choice_box import ChoiceBox
from app.ui.icons import Icons
from app.ui.memory.words import namespace_words
from app.ui.parts import comes_back
from app.ui.scale import Space, Type
from app.ui.settings.controls import with_arrow
from app.ui.text import number_words

NEW_IN = (Namespace.RESPONSE, Namespace.TRIAGE, Namespace.CALENDAR)
LONGEST_BACKGROUND = 4000
LINES = 4
LINES_OF_BACKGROUND = 9


class PreferenceEditor(QFrame):
    """`saved(namespace, words)` is called with what was written; Ctrl+Enter saves, Escape leaves everything as it was."""

    def __init__(self, icons: Icons, saved: Callable[[Namespace, str], object], left: Callable[[], object]) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._saved, self._left = saved, left
        self._limit = LONGEST_TEXT
        self._opened = ""
        self.title = label("", Type.TITLE)
        self.hint = label("", Type.CAPTION, "soft", wrap=True)
        self.too_long = label("", Type.CAPTION, "danger")
        self.group = ChoiceBox()
        self.group.setAccessibleName(self.tr("What it is about"))
        with_arrow(self.group, icons)
        self.text = QPlainTextEdit()
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(self.tr("The words to remember"))
        self.save = button(self.tr("Save"), "primary", self.submit)
        self.cancel = button(self.tr("Cancel"), "link", self._left)
        buttons = row(None, 0, Space.SMALL)
        buttons.addWidget(self.save)
        buttons.addWidget(self.cancel)
        buttons.addStretch(1)
        layout = column(self, Space.LARGE, Space.SMALL)
        for widget in (self.title, self.group, self.text, self.too_long, self.hint):
            layout.addWidget(widget)
        layout.addLayout(buttons)
        self.text.textChanged.connect(self._enable)
        comes_back(self.text)

    def write_new(self) -> None:
        """Open empty, for a group that the user chooses."""
        self._choose(NEW_IN)
        self._open(self.tr("New preference"), "", self.tr("One sentence, as you would say it to an assistant."), LONGEST_TEXT)

    def change(self, namespace: Namespace, title: str, words: str) -> None:
        """Open with the words that stand there."""
        self._choose((namespace,))
        background = namespace is Namespace.BACKGROUND
        hint = self.tr("Who you are and what you do; each draft starts from it.") if background else ""
        self._open(title, words, hint, LONGEST_BACKGROUND if background else LONGEST_TEXT)

    @property
    def changed(self) -> bool:
        """Whether something was written that is not saved."""
        return self.text.toPlainText() != self._opened

    def submit(self) -> None:
        """Save what stands there, unless it cannot be saved."""
        if self.save.isEnabled():
            self._saved(Namespace(self.group.currentData()), self.text.toPlainText().strip())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves, Ctrl+Enter saves."""
        if event.key() == Qt.Key.Key_Escape:
            self._left()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.submit()
        else:
            super().keyPressEvent(event)

    def _choose(self, groups: tuple[Namespace, ...]) -> None:
        self.group.clear()
        for one in groups:
            self.group.addItem(namespace_words(one), one.value)
        self.group.setVisible(len(groups) > 1)

    def _open(self, title: str, words: str, hint: str, limit: int) -> None:
        self._limit = limit
        lines = LINES_OF_BACKGROUND if limit == LONGEST_BACKGROUND else LINES
        self.text.setFixedHeight(self.text.fontMetrics().lineSpacing() * lines + Space.XLARGE)
        self.title.setText(title)
        self.hint.setText(hint)
        self.hint.setVisible(bool(hint))
        self._opened = words
        self.text.setPlainText(words)
        self._enable()
        self.text.setFocus()
        self.text.selectAll()

    def _enable(self) -> None:
        """Nothing and too much cannot be saved, except that the background may be emptied. How much too much is said."""
        words = self.text.toPlainText().strip()
        empty_allowed = self.group.currentData() == Namespace.BACKGROUND
        self.too_long.setText(f"{number_words(len(words))} / {number_words(self._limit)}")
        self.too_long.setVisible(len(words) > self._limit)
        self.save.setEnabled((bool(words) or empty_allowed) and len(words) <= self._limit)

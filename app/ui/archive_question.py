"""A file shares mail with an archive that is here: bring that one up to date, or keep them apart? Decides nothing by itself."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from app.domain.archives import ImportArchive, ImportQuestion
from app.ui.build import button, column, label, row, set_title
from app.ui.scale import Space, Type
from app.ui.text import number_words

NARROWEST = 430
"""Pixels of words; the buttons below may need more."""


class AlikeDialog(QDialog):
    """`read` begins what was decided."""

    def __init__(self, question: ImportQuestion, read: Callable[[ImportArchive], object], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Open a mail archive"))
        self._question = question
        self._read = read
        layout = column(self, Space.LARGE, Space.MEDIUM)
        title = label("", Type.TITLE, wrap=True)
        set_title(title, self.tr("Is this a newer copy of %1?").replace("%1", question.name))
        words = self.tr("Of the mails of %1 that were looked at (%2), so many are in %3 already: %4.")
        words = words.replace("%2", number_words(question.looked)).replace("%4", number_words(question.known))
        self.words = label(words.replace("%1", question.path.name).replace("%3", question.name), wrap=True)
        what = self.tr(
            "Bringing it up to date adds the mails it lacks and takes the new labels over. Nothing is doubled, and mail that the "
            "file no longer has stays. Keeping them apart makes a second archive, with all its mail."
        )
        layout.addWidget(title)
        layout.addWidget(self.words)
        layout.addWidget(label(what, tone="soft", wrap=True))
        layout.addStretch(1)
        across = row(None, 0, Space.SMALL)
        self.update_it = button(self.tr("Bring up to date"), "primary", self._update)
        self.apart = button(self.tr("Keep apart"), "", self._apart)
        across.addWidget(button(self.tr("Cancel"), "link", self.reject))
        across.addStretch(1)
        across.addWidget(self.apart)
        across.addWidget(self.update_it)
        layout.addLayout(across)
        layout.addStrut(NARROWEST)

    def _update(self) -> None:
        self.accept()
        self._read(ImportArchive(self._question.path, into=self._question.account_id))

    def _apart(self) -> None:
        self.accept()
        self._read(ImportArchive(self._question.path, apart=True))

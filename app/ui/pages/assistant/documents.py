"""The bar that asks what to do with a document made by the assistant."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFrame

from app.domain.mail.files import ArtifactHandle, runs_when_opened
from app.ui.context import Context
from app.ui.services import files
from app.ui.services.notices import ErrorNotice
from app.ui.theme.metrics import Space
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import button, column, label, put


def show_file(path: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


class DocumentBar(QFrame):
    """Shown above the steps after a click on a document; hidden otherwise."""

    def __init__(self, context: Context, show_it: Callable[[Path], object] = show_file) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self._context = context
        self._open_file = show_it
        self._handle: ArtifactHandle | None = None
        self.words = label("", wrap=True)
        self.open = button(self.tr("Open"), "", self._open)
        self.save = button(self.tr("Save as…"), "", self._ask_where)
        self.close_it = button(self.tr("Dismiss"), "link", self.hide)
        put(column(self, Space.SMALL, Space.TIGHT), self.words, FlowRow((self.open, self.save, self.close_it), Space.SMALL))
        self.hide()

    def offer(self, handle: ArtifactHandle) -> None:
        """Asks what to do with a document. A file that would run as a program can only be saved."""
        self._handle = handle
        runs = runs_when_opened(handle.name)
        asked = self.tr("“%1” was made by the assistant from what it read. Open it?")
        only = self.tr("“%1” would run on your computer. It can only be saved.")
        self.words.setText((only if runs else asked).replace("%1", handle.name))
        self.open.setVisible(not runs)
        self.show()
        (self.save if runs else self.open).setFocus()

    def put(self, target: Path) -> None:
        source = self._file()
        if source is None:
            return
        if files.put(self._context.notices, target, source):
            self.hide()

    def _open(self) -> None:
        path = self._file()
        if path is not None:
            self.hide()
            self._open_file(path)

    def _ask_where(self) -> None:
        if self._handle is not None:
            files.ask_where(self._context, self, self._handle.name, self.put)

    def _file(self) -> Path | None:
        """Path of the document. If it is missing or was changed, a notice says so and None is returned."""
        found = None
        with ErrorNotice(self._context.notices) as told:
            found = self._context.reader.document(self._handle) if self._handle is not None else None
        if found is None and not told.failed:
            self._context.notices.tell(self.tr("The document is gone."))
        return found

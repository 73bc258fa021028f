"""The bar that asks what to do with a document made by the assistant."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFrame

from app.domain.errors import ExpectedError
from app.domain.mail.files import ArtifactHandle, runs_when_opened
from app.domain.protocol.assistant_commands import DocumentPreview, PreviewDocument
from app.domain.protocol.commands import Answer
from app.ui.context import Context
from app.ui.pages.assistant.answer import AnswerText
from app.ui.services import files
from app.ui.services.async_task import EngineQuestion
from app.ui.services.notices import ErrorNotice, said_of
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
        self.preview = button(self.tr("Preview"), "", self._ask_text)
        self.open = button(self.tr("Open"), "", self._open)
        self.save = button(self.tr("Save as…"), "", self._ask_where)
        self.close_it = button(self.tr("Dismiss"), "link", self.hide)
        self.text = AnswerText(context.appearance, self.tr("Preview"))
        self._question = EngineQuestion(context.link, self)
        buttons = FlowRow((self.preview, self.open, self.save, self.close_it), Space.SMALL)
        put(column(self, Space.SMALL, Space.TIGHT), self.words, buttons, self.text)
        self.hide()

    def offer(self, handle: ArtifactHandle) -> None:
        """Asks what to do with a document. A file that would run as a program can only be saved."""
        self._handle = handle
        self._question.cancel()
        self.text.hide()
        runs = runs_when_opened(handle.name)
        asked = self.tr("“%1” was made by the assistant from what it read. Open it?")
        only = self.tr("“%1” would run on your computer. It can only be saved.")
        self.words.setText((only if runs else asked).replace("%1", handle.name))
        self.open.setVisible(not runs)
        self.preview.setVisible(not runs)
        self.show()
        (self.save if runs else self.open).setFocus()

    def put(self, target: Path) -> None:
        source = self._file()
        if source is None:
            return
        if files.put(self._context.notices, target, source):
            self.hide()

    def _ask_text(self) -> None:
        if self._handle is not None:
            self._question.ask(PreviewDocument(self._handle.id), self._show_text, self._say_why)

    def _show_text(self, answer: Answer) -> None:
        assert isinstance(answer, DocumentPreview)
        more = self.tr("This is only the beginning.")
        self.text.show_answer(f"{answer.text}\n\n{more}" if answer.cut else answer.text, ())
        self.text.show()

    def _say_why(self, error: ExpectedError) -> None:
        self.text.show_answer(said_of(error, self._context.reader), ())
        self.text.show()

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

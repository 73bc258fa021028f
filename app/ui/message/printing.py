"""Prints a mail or saves it as PDF, in light colours.

HTML is laid out in a separate web view that is deleted afterwards; without Chromium the text is printed as Qt rich text.
"""

from __future__ import annotations

import html as markup
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QColor, QTextDocument
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from app.config.paths import resource
from app.domain.mail.message import Message
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.i18n.formatting import when_long
from app.ui.message.attachments import pictures_here
from app.ui.message.body import web_refused
from app.ui.message.header import address_words
from app.ui.message.remote_images import RemoteImageChoice, described, placed
from app.ui.message.rendering import page, text_html
from app.ui.theme.appearance import Theme, load_theme
from app.ui.theme.metrics import Type

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

    from app.ui.message.web_view import WebBody

LONGEST_NAME = 80


class MailPrinter(QObject):
    """Prints the message that `current` returns, triggered by the actions of `page`."""

    def __init__(self, context: Context, current: Callable[[], Message | None], page: QWidget) -> None:
        super().__init__(page)
        self._context, self._current, self._page = context, current, page
        self._view: WebBody | None = None
        connect_actions(page, context, {"mail.print": self.ask_for_printer, "mail.pdf": self.ask_for_file})

    @property
    def _light(self) -> Theme:
        return load_theme(resource("themes", "light.toml"))

    def ask_for_file(self) -> None:
        message = self._current()
        if message is None:
            return
        dialog = QFileDialog(self._page, self.tr("Save as PDF"), str(self._context.save_folder), self.tr("PDF files (*.pdf)"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("pdf")
        dialog.selectFile(file_name(message.subject))
        dialog.fileSelected.connect(lambda path: self.save(message, Path(path)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def ask_for_printer(self) -> None:
        message = self._current()
        if message is None:
            return
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(message.subject[:LONGEST_NAME])
        dialog = QPrintDialog(printer, self._page)
        dialog.accepted.connect(lambda: self.print_on(message, printer))
        dialog.finished.connect(dialog.deleteLater)
        QDialog.open(dialog)

    def save(self, message: Message, path: Path) -> None:
        if not web_refused() and message.body_html:
            view = self._laid_out(message)
            view.page().pdfPrintingFinished.connect(lambda _path, fine: self._ended(fine, path.name))
            view.loadFinished.connect(lambda _fine: view.page().printToPdf(str(path)))
            return
        from PySide6.QtPrintSupport import QPrinter

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        printer.setOutputFileName(str(path))
        self.print_on(message, printer)
        self._ended(path.exists(), path.name)

    def print_on(self, message: Message, printer: QPrinter) -> None:
        if not web_refused() and message.body_html:
            view = self._laid_out(message)
            view.printFinished.connect(lambda fine: self._ended(fine, ""))
            view.loadFinished.connect(lambda _fine: view.print(printer))
            return
        document = QTextDocument(self)
        document.setDefaultFont(self._context.appearance.fonts[Type.BODY])
        document.setHtml(self._head(message) + text_html(message.body_text, self._light))
        document.print_(printer)
        document.deleteLater()

    def _laid_out(self, message: Message) -> WebBody:
        """A view that begins to load the message."""
        from app.ui.message.web_view import WebBody

        if self._view is not None:
            self._view.deleteLater()
        view = self._view = WebBody(lambda _url: None)
        body, addresses = message.body_html, list[str]()
        if RemoteImageChoice(self._context.state).allowed(message.sender.email):
            body = placed(body, view.next_picture, addresses)
        font = self._context.appearance.fonts[Type.BODY]
        family = (font.families() or [font.family()])[0]
        whole = page(self._head(message) + described(body), self._light, family, font.pointSizeF(), pictures=f"{message.id}/")
        view.set_inline(pictures_here(self._context.reader, message.pictures))
        view.show_page(whole, QColor("#FFFFFF"), tuple(addresses))
        return view

    def _head(self, message: Message) -> str:
        pictures = message.pictures
        lines = [
            (self.tr("From"), address_words(message.sender)),
            (self.tr("To"), ", ".join(map(address_words, message.to))),
            (self.tr("Cc"), ", ".join(map(address_words, message.cc))),
            (self.tr("Bcc"), ", ".join(map(address_words, message.bcc))),
            (self.tr("Date"), when_long(message.date)),
            (self.tr("Attachments"), ", ".join(one.filename for one in message.attachments if one not in pictures)),
        ]
        rows = "".join(f"<div><b>{markup.escape(name)}:</b> {markup.escape(words)}</div>" for name, words in lines if words)
        return f"<h2>{markup.escape(message.subject)}</h2>{rows}<hr>"

    def _ended(self, fine: bool, name: str) -> None:
        if self._view is not None:
            self._view.deleteLater()
            self._view = None
        if not fine:
            self._context.notices.tell(self.tr("It could not be printed."))
        elif name:
            self._context.notices.tell(self.tr("Saved as %1.").replace("%1", name))


def file_name(subject: str) -> str:
    words = re.sub(r"[^\w\- ]+", " ", subject)
    return f"{' '.join(words.split())[:LONGEST_NAME].strip() or 'mail'}.pdf"

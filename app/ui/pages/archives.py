"""Dialogs for mail archives: choosing a file or folder, and import progress."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QFileDialog, QProgressBar, QWidget

from app.domain.ids import AccountId
from app.domain.mail.message import Account
from app.domain.ports.window import MailboxReader
from app.domain.protocol.archive_commands import ContinueImport, ImportArchive, ImportProgress, StopImport
from app.domain.protocol.commands import WipeAccount
from app.domain.protocol.views import MailView
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.i18n.formatting import number_words
from app.ui.session.typed_text import forget_account
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.containers import Dialog
from app.ui.widgets.factory import STRETCH, button, column, label, named, row, set_title

STEPS = 1000
PROGRESS_WIDTH = 450
"""Minimum width in pixels; the buttons may need more."""


class ImportProgressDialog(Dialog):
    """Progress of one archive import. Closing the dialog does not affect the import."""

    def __init__(self, archives: "ArchivesController", parent: QWidget) -> None:
        super().__init__(parent, self.tr("Importing a mail archive"))
        self._archives = archives
        self._progress: ImportProgress | None = None
        self.title = label("", Type.TITLE, wrap=True)
        self.bar = named(QProgressBar(), self.tr("Import progress"))
        self.bar.setRange(0, STEPS)
        self.bar.setTextVisible(False)
        self.counts = label("", tone="soft", wrap=True)
        self.sure = label("", wrap=True)
        self.cancel = button(self.tr("Stop import…"), "link", self._ask)
        self.keep = button(self.tr("Keep imported mail"), "", self._keep)
        self.take_away = button(self.tr("Remove it"), "danger", self._take_away)
        self.pause = button(self.tr("Pause"), "", self._pause)
        self.go_on = button(self.tr("Resume"), "primary", self._go_on)
        self.leave = button(self.tr("Close"), "", self.close)
        self.open_mail = button(self.tr("Open All mail"), "primary", self._open_mail)
        others = (self.take_away, self.keep, self.pause, self.go_on, self.leave, self.open_mail)
        across = row(None, 0, Space.SMALL, self.cancel, STRETCH, *others)
        parts = (self.title, self.bar, self.counts, self.sure, STRETCH, across)
        column(self, Space.LARGE, Space.MEDIUM, *parts).addStrut(PROGRESS_WIDTH)
        self._confirming = False
        self.leave.setFocus()

    def show_progress(self, event: ImportProgress) -> None:
        self._progress = event
        self._confirming = self._confirming and event.state == "reading"
        set_title(self.title, progress_words(event)[0])
        self.bar.setValue(event.done_bytes * STEPS // max(event.total_bytes, 1) if event.state != "done" else STEPS)
        self.counts.setText(count_words(event))
        self._update_buttons()

    @property
    def account_id(self) -> int | None:
        return None if self._progress is None else self._progress.account_id

    def _update_buttons(self) -> None:
        state = "" if self._progress is None else self._progress.state
        self.cancel.setVisible(not self._confirming and state in ("reading", "stopped", "failed"))
        self.pause.setVisible(not self._confirming and state == "reading")
        self.go_on.setVisible(self._confirming or state in ("stopped", "failed"))
        for part in (self.keep, self.take_away, self.sure):
            part.setVisible(self._confirming)
        self.open_mail.setVisible(state == "done")
        self.leave.setVisible(not self._confirming and state != "done")
        if state == "done":
            self.open_mail.setFocus()
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Makes the dialog as high as its wrapped texts need at its width."""
        if self.isVisible():
            self.resize(self.width(), max(self.height(), self.heightForWidth(self.width())))

    def _open_mail(self) -> None:
        self.close()
        self._archives.open_mail()

    def _ask(self) -> None:
        now = self._progress
        if now is None:
            return
        self._confirming = True
        words = self.tr(
            "Stop the import? “Keep” saves the emails imported so far (%1). “Remove it” deletes them from this "
            "computer. The file itself is not changed."
        )
        self.sure.setText(words.replace("%1", number_words(now.mails)))
        self._update_buttons()
        self.keep.setFocus()

    def _keep(self) -> None:
        self._confirming = False
        self._update_buttons()
        self._pause()

    def _take_away(self) -> None:
        if self._progress is not None:
            self._archives.forget(self._progress.account_id)
        self.close()

    def _pause(self) -> None:
        if self._progress is not None:
            self._archives.pause(self._progress.account_id)

    def _go_on(self) -> None:
        if self._confirming and self._progress is not None and self._progress.state == "reading":
            self._confirming = False
            self._update_buttons()
        elif self._progress is not None:
            self._confirming = False
            self._archives.go_on(self._progress.account_id)


def count_words(event: ImportProgress) -> str:
    read = QCoreApplication.translate("ImportProgressDialog", "Emails read: %1. New: %2. Already here: %3.")
    words = read.replace("%1", number_words(event.seen)).replace("%2", number_words(event.added))
    return words.replace("%3", number_words(max(event.seen - event.added, 0)))


def progress_words(event: ImportProgress) -> tuple[str, bool]:
    percent = min(event.done_bytes * 100 // max(event.total_bytes, 1), 100)
    sentences = {
        "reading": QCoreApplication.translate("Archives", "Importing %1: %2%, %3 emails"),
        "done": QCoreApplication.translate("Archives", "Imported %1: %3 emails, in All mail"),
        "stopped": QCoreApplication.translate("Archives", "Import of %1 paused at %2%. %3 emails imported."),
        "failed": QCoreApplication.translate("Archives", "Only part of %1 could be read. %3 emails imported."),
    }
    text = sentences[event.state].replace("%1", event.name).replace("%2", str(percent)).replace("%3", number_words(event.mails))
    return text, event.state == "reading"


SHOWN_MS = 15_000
CHOICE_WIDTH = 430
"""Minimum width in pixels; the buttons may need more."""


class ArchivesController(QObject):
    """Opens the archive dialogs and shows import events; one per window."""

    def __init__(self, context: Context, window: QWidget) -> None:
        super().__init__(window)
        self._context, self._window = context, window
        self._show_next = False
        self.destroyed.connect(context.link.subscribe(self._on_event))

    def choose(self) -> None:
        ArchiveChoice(self, self._context.reader, self._window).open()

    def pick(self, folder: bool) -> None:
        dialog = QFileDialog(self._window, self.tr("Import a mail archive"), str(Path.home()))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if folder:
            dialog.setFileMode(QFileDialog.FileMode.Directory)
        else:
            dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
            kinds = self.tr("Mail archives (*.mbox *.mbx *.zip *.tgz *.tar *.gz *.eml *.emlx mbox)")
            dialog.setNameFilters([kinds, self.tr("All files (*)")])
        dialog.fileSelected.connect(lambda name: self.read(ImportArchive(Path(name))))
        dialog.open()

    def forget(self, account_id: AccountId) -> None:
        """Removes an archive's mail from this computer; its file stays."""
        forget_account(self._context.state, self._context.reader, account_id)
        self._context.navigator.forget_words()
        self._context.link.send(WipeAccount(account_id))

    def read(self, wanted: ImportArchive) -> None:
        self._show_next = True
        self._context.link.send(wanted)
        self._context.notices.tell(self.tr("Opening %1…").replace("%1", wanted.path.name))

    def open_mail(self) -> None:
        self._context.navigator.show_page(str(MailView.ALL))

    def go_on(self, account_id: AccountId) -> None:
        self._show_next = True
        self._context.link.send(ContinueImport(account_id))

    def pause(self, account_id: AccountId) -> None:
        self._context.link.send(StopImport(account_id))

    def show_reading(self, event: ImportProgress) -> None:
        dialog = self._dialog(event.account_id) or ImportProgressDialog(self, self._window)
        dialog.show_progress(event)
        dialog.show()
        dialog.raise_()

    def _dialog(self, account_id: AccountId) -> ImportProgressDialog | None:
        dialogs = self._window.findChildren(ImportProgressDialog)
        return next((dialog for dialog in dialogs if dialog.account_id == account_id and not dialog.isHidden()), None)

    def _on_event(self, event: Event) -> None:
        if not isinstance(event, ImportProgress):
            return
        dialog = self._dialog(event.account_id)
        if dialog is not None:
            dialog.show_progress(event)
        elif self._show_next and event.state == "reading":
            self.show_reading(event)
        else:
            words, going_on = progress_words(event)
            if going_on:
                self._context.notices.tell(words, self.tr("Show"), lambda: self.show_reading(event), SHOWN_MS, leads=True)
            else:
                there = self.tr("Open All mail") if event.state == "done" else ""
                self._context.notices.tell(words, there, self.open_mail, SHOWN_MS, leads=True)
        self._show_next = self._show_next and event.state != "reading"


class KnownArchive(QWidget):
    """Row of an imported archive: its progress and buttons to continue and remove it. Removing takes two clicks."""

    def __init__(self, archives: ArchivesController, account: Account, reading: ImportProgress | None, chosen: QDialog) -> None:
        super().__init__()
        self._archives, self._account, self._reading, self._parent_dialog = archives, account, reading, chosen
        across = row(
            self, 0, Space.SMALL, (label(progress_words(reading)[0] if reading is not None else account.email, wrap=True), 1)
        )
        self.show_it = button(self.tr("Show"), "link", self._show)
        self.show_it.setVisible(reading is not None and reading.state == "reading")
        self.go_on = button(self.tr("Resume"), "link", self._go_on)
        self.go_on.setVisible(reading is not None and reading.state in ("stopped", "failed"))
        self.forget = button(self.tr("Remove from here"), "link", self._ask)
        self.sure = button(self.tr("Remove its mail, keep the file"), "danger", self._forget)
        self.sure.hide()
        for each in (self.show_it, self.go_on, self.forget, self.sure):
            each.setAccessibleDescription(account.email)
            across.addWidget(each)

    def _show(self) -> None:
        self._parent_dialog.accept()
        if self._reading is not None:
            self._archives.show_reading(self._reading)

    def _go_on(self) -> None:
        self._parent_dialog.accept()
        self._archives.go_on(self._account.id)

    def _ask(self) -> None:
        self.forget.hide()
        self.sure.show()

    def _forget(self) -> None:
        self._archives.forget(self._account.id)
        self.hide()


class ArchiveChoice(Dialog):
    """Asks for a file or a folder: the system's file dialogs offer only one of them."""

    def __init__(self, archives: ArchivesController, reader: MailboxReader, parent: QWidget) -> None:
        super().__init__(parent, self.tr("Import a mail archive"))
        self._archives = archives
        words = self.tr("Old mail becomes a local account you can read and search. The file isn't changed, and nothing is sent.")
        title = label(self.tr("Import a mail archive"), Type.TITLE, wrap=True)
        readings = {progress.account_id: progress for progress in reader.archive_readings()}
        known = [KnownArchive(archives, account, readings.get(account.id), self) for account in reader.archives()]
        buttons = row(
            None,
            0,
            Space.SMALL,
            button(self.tr("Cancel"), "link", self.reject),
            STRETCH,
            button(self.tr("Folder of mail (Maildir, .mbox, .eml)…"), "", lambda: self._pick(folder=True)),
            button(self.tr("mbox or Google Takeout file…"), "primary", lambda: self._pick(folder=False)),
        )
        explained = label(words, tone="soft", wrap=True)
        column(self, Space.LARGE, Space.MEDIUM, title, explained, *known, STRETCH, buttons).addStrut(CHOICE_WIDTH)

    def _pick(self, *, folder: bool) -> None:
        self.accept()
        self._archives.pick(folder)

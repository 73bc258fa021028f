"""Dialogs for mail archives: choosing a file or folder, and import progress."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFileDialog, QProgressBar, QWidget

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
PAUSED = ("stopped", "failed")
"""States of an import that can go on."""
PROGRESS_WIDTH = 450
"""Minimum width in pixels; the buttons may need more."""


class ImportProgressDialog(Dialog):
    """Progress of one archive import. Closing the dialog does not affect the import."""

    def __init__(self, archives: "ArchivesController", event: ImportProgress, parent: QWidget) -> None:
        super().__init__(parent, self.tr("Importing a mail archive"))
        self._archives, self._event = archives, event
        self.account_id = event.account_id
        self.title = label("", Type.TITLE, wrap=True)
        self.bar = named(QProgressBar(), self.tr("Import progress"))
        self.bar.setRange(0, STEPS)
        self.bar.setTextVisible(False)
        self.counts = label("", tone="soft", wrap=True)
        self.sure = label("", wrap=True)
        self.cancel = button(self.tr("Stop import…"), "link", lambda: self._confirm(True))
        self.keep = button(self.tr("Keep imported mail"), "", self._keep)
        self.take_away = button(self.tr("Remove it"), "danger", self._take_away)
        self.pause = button(self.tr("Pause"), "", lambda: archives.pause(event.account_id))
        self.go_on = button(self.tr("Resume"), "primary", self._go_on)
        self.leave = button(self.tr("Close"), "", self.close)
        self.open_mail = button(self.tr("Open All mail"), "primary", self.close)
        self.open_mail.clicked.connect(archives.open_mail)
        others = (self.take_away, self.keep, self.pause, self.go_on, self.leave, self.open_mail)
        across = row(None, 0, Space.SMALL, self.cancel, STRETCH, *others)
        parts = (self.title, self.bar, self.counts, self.sure, STRETCH, across)
        column(self, Space.LARGE, Space.MEDIUM, *parts).addStrut(PROGRESS_WIDTH)
        self._confirming = False
        self.leave.setFocus()
        self.show_progress(event)

    def show_progress(self, event: ImportProgress) -> None:
        self._event = event
        set_title(self.title, progress_words(event))
        self.bar.setValue(event.done_bytes * STEPS // max(event.total_bytes, 1) if event.state != "done" else STEPS)
        words = self.tr("Emails read: %1. New: %2. Already here: %3.").replace("%1", number_words(event.seen))
        words = words.replace("%2", number_words(event.added))
        self.counts.setText(words.replace("%3", number_words(max(event.seen - event.added, 0))))
        self._confirm(self._confirming and event.state == "reading")

    def _confirm(self, confirming: bool) -> None:
        """Asks what to do with the mail imported so far, or shows the buttons of the state."""
        asks, self._confirming, state = confirming and not self._confirming, confirming, self._event.state
        self.cancel.setVisible(not confirming and state in ("reading", *PAUSED))
        self.pause.setVisible(not confirming and state == "reading")
        self.go_on.setVisible(confirming or state in PAUSED)
        for part in (self.keep, self.take_away, self.sure):
            part.setVisible(confirming)
        self.open_mail.setVisible(state == "done")
        self.leave.setVisible(not confirming and state != "done")
        if state == "done":
            self.open_mail.setFocus()
        elif asks:
            words = self.tr(
                "Stop the import? “Keep” saves the emails imported so far (%1). “Remove it” deletes them from this "
                "computer. The file itself is not changed."
            )
            self.sure.setText(words.replace("%1", number_words(self._event.mails)))
            self.keep.setFocus()
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Makes the dialog as high as its wrapped texts need at its width."""
        if self.isVisible():
            self.resize(self.width(), max(self.height(), self.heightForWidth(self.width())))

    def _keep(self) -> None:
        self._confirm(False)
        self._archives.pause(self.account_id)

    def _take_away(self) -> None:
        self._archives.forget(self.account_id)
        self.close()

    def _go_on(self) -> None:
        thought_better = self._confirming and self._event.state == "reading"
        self._confirm(False)
        if not thought_better:
            self._archives.go_on(self.account_id)


def progress_words(event: ImportProgress) -> str:
    percent = min(event.done_bytes * 100 // max(event.total_bytes, 1), 100)
    sentences = {
        "reading": QCoreApplication.translate("Archives", "Importing %1: %2%, %3 emails"),
        "done": QCoreApplication.translate("Archives", "Imported %1: %3 emails, in All mail"),
        "stopped": QCoreApplication.translate("Archives", "Import of %1 paused at %2%. %3 emails imported."),
        "failed": QCoreApplication.translate("Archives", "Only part of %1 could be read. %3 emails imported."),
    }
    words = sentences[event.state].replace("%1", event.name)
    return words.replace("%2", str(percent)).replace("%3", number_words(event.mails))


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
        dialog = self._dialog(event.account_id) or ImportProgressDialog(self, event, self._window)
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
            words = progress_words(event)
            if event.state == "reading":
                self._context.notices.tell(words, self.tr("Show"), lambda: self.show_reading(event), SHOWN_MS, leads=True)
            else:
                there = self.tr("Open All mail") if event.state == "done" else ""
                self._context.notices.tell(words, there, self.open_mail, SHOWN_MS, leads=True)
        self._show_next = self._show_next and event.state != "reading"


class ArchiveChoice(Dialog):
    """Asks for a file or a folder, because the system's file dialogs offer only one of them. Lists the imported archives."""

    def __init__(self, archives: ArchivesController, reader: MailboxReader, parent: QWidget) -> None:
        super().__init__(parent, self.tr("Import a mail archive"))
        self._archives = archives
        words = self.tr("Old mail becomes a local account you can read and search. The file isn't changed, and nothing is sent.")
        title = label(self.tr("Import a mail archive"), Type.TITLE, wrap=True)
        readings = {progress.account_id: progress for progress in reader.archive_readings()}
        known = [self._known(account, readings.get(account.id)) for account in reader.archives()]
        cancel = button(self.tr("Cancel"), "link", self.reject)
        folder = button(self.tr("Folder of mail (Maildir, .mbox, .eml)…"), "", lambda: self._leave_to(archives.pick, True))
        file = button(self.tr("mbox or Google Takeout file…"), "primary", lambda: self._leave_to(archives.pick, False))
        buttons = row(None, 0, Space.SMALL, cancel, STRETCH, folder, file)
        explained = label(words, tone="soft", wrap=True)
        column(self, Space.LARGE, Space.MEDIUM, title, explained, *known, STRETCH, buttons).addStrut(CHOICE_WIDTH)

    def _known(self, account: Account, reading: ImportProgress | None) -> QWidget:
        """Row of an imported archive: its progress and buttons to continue and remove it. Removing takes two clicks."""
        line, archives = QWidget(), self._archives
        across = row(
            line, 0, Space.SMALL, (label(progress_words(reading) if reading is not None else account.email, wrap=True), 1)
        )
        sure = button(self.tr("Remove its mail, keep the file"), "danger", lambda: archives.forget(account.id))
        sure.clicked.connect(line.hide)
        forget = button(self.tr("Remove from here"), "link", sure.show)
        forget.clicked.connect(forget.hide)
        show = button(self.tr("Show"), "link", lambda: self._leave_to(archives.show_reading, reading))
        go_on = button(self.tr("Resume"), "link", lambda: self._leave_to(archives.go_on, account.id))
        state = reading.state if reading is not None else ""
        for each, there in ((show, state == "reading"), (go_on, state in PAUSED), (forget, True), (sure, False)):
            each.setAccessibleDescription(account.email)
            across.addWidget(each)
            each.setVisible(there)
        return line

    def _leave_to(self, act: Callable[..., object], *given: object) -> None:
        self.accept()
        act(*given)

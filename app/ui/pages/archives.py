"""Dialogs for mail archives: choosing a file or folder, import progress, and updating a known archive."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QProgressBar, QWidget

from app.domain.ids import AccountId
from app.domain.mail.message import Account
from app.domain.ports.window import EngineLink
from app.domain.protocol.archive_commands import (
    CancelImport,
    ContinueImport,
    ImportArchive,
    ImportProgress,
    ImportQuestion,
    StopImport,
)
from app.domain.protocol.commands import WipeAccount
from app.domain.protocol.events import Event
from app.ui.context import Context
from app.ui.i18n.formatting import number_words
from app.ui.session.forget_account import forget_account
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import button, column, label, row, set_title

STEPS = 1000
PROGRESS_WIDTH = 450
"""Minimum width in pixels; the buttons may need more."""
GOING_ON = frozenset({"reading", "leaving"})


class ImportProgressDialog(QDialog):
    """Progress of one archive import. Closing the dialog does not affect the import."""

    def __init__(self, link: EngineLink, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Reading a mail archive"))
        self._link = link
        self._progress: ImportProgress | None = None
        layout = column(self, Space.LARGE, Space.MEDIUM)
        self.title = label("", Type.TITLE, wrap=True)
        self.bar = QProgressBar()
        self.bar.setRange(0, STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("How far the archive is read"))
        self.counts = label("", tone="soft", wrap=True)
        self.sure = label("", wrap=True)
        for widget in (self.title, self.bar, self.counts, self.sure):
            layout.addWidget(widget)
        layout.addStretch(1)
        across = row(None, 0, Space.SMALL)
        self.cancel = button(self.tr("Cancel reading…"), "link", self._ask)
        self.keep = button(self.tr("Keep what was read"), "", lambda: self._end(take_away=False))
        self.take_away = button(self.tr("Take it away"), "danger", lambda: self._end(take_away=True))
        self.pause = button(self.tr("Pause"), "", self._pause)
        self.go_on = button(self.tr("Go on"), "primary", self._go_on)
        self.leave = button(self.tr("Close"), "", self.close)
        across.addWidget(self.cancel)
        across.addStretch(1)
        for each in (self.take_away, self.keep, self.pause, self.go_on, self.leave):
            across.addWidget(each)
        layout.addLayout(across)
        layout.addStrut(PROGRESS_WIDTH)
        self._confirming = False
        self.leave.setFocus()

    def show_progress(self, event: ImportProgress) -> None:
        """Shows the newest progress event of this archive."""
        self._progress = event
        self._confirming = self._confirming and event.state == "reading"
        set_title(self.title, progress_words(event)[0])
        self.bar.setValue(event.done_bytes * STEPS // max(event.total_bytes, 1) if event.state != "done" else STEPS)
        self.counts.setText(count_words(event))
        self._update_buttons()

    @property
    def account_id(self) -> int | None:
        """The archive shown, None before the first event."""
        return None if self._progress is None else self._progress.account_id

    def _update_buttons(self) -> None:
        state = "" if self._progress is None else self._progress.state
        self.cancel.setVisible(not self._confirming and state in ("reading", "stopped", "failed"))
        self.pause.setVisible(not self._confirming and state == "reading")
        self.go_on.setVisible(self._confirming or state in ("stopped", "ended", "failed"))
        for part in (self.keep, self.take_away, self.sure):
            part.setVisible(self._confirming)
        self.leave.setVisible(not self._confirming)
        for widget in (self.bar, self.counts):
            widget.setVisible(state != "gone")

    def _ask(self) -> None:
        now = self._progress
        if now is None:
            return
        self._confirming = True
        if now.update:
            words = self.tr(
                "End it here? “Keep” leaves the new mails (%1) and the labels taken over so far. “Take it away” makes the "
                "archive what it was before this reading. The file itself is not touched."
            )
        else:
            words = self.tr(
                "End it here? “Keep” leaves the mails that were read (%1). “Take it away” removes the archive from this "
                "computer. The file itself is not touched."
            )
        self.sure.setText(words.replace("%1", number_words(now.added if now.update else now.mails)))
        self._update_buttons()
        self.keep.setFocus()

    def _end(self, *, take_away: bool) -> None:
        if self._progress is not None:
            self._link.send(CancelImport(self._progress.account_id, take_away))
        self._confirming = False
        self._update_buttons()

    def _pause(self) -> None:
        if self._progress is not None:
            self._link.send(StopImport(self._progress.account_id))

    def _go_on(self) -> None:
        if self._confirming and self._progress is not None and self._progress.state == "reading":
            self._confirming = False
            self._update_buttons()
        elif self._progress is not None:
            self._confirming = False
            self._link.send(ContinueImport(self._progress.account_id))


def count_words(event: ImportProgress) -> str:
    """Returns the counts of this import as a sentence."""
    if event.update:
        read = QCoreApplication.translate(
            "ImportProgressDialog", "Mails read: %1. New: %2. Here before: %3. Other labels taken over: %4."
        )
    else:  # a first import: a message that is not new is a duplicate inside the archive
        read = QCoreApplication.translate("ImportProgressDialog", "Mails read: %1. New: %2. More than once in the archive: %3.")
    words = read.replace("%1", number_words(event.seen)).replace("%2", number_words(event.added))
    words = words.replace("%3", number_words(max(event.seen - event.added, 0)))
    return words.replace("%4", number_words(event.relabelled))


def progress_words(event: ImportProgress) -> tuple[str, bool]:
    """Returns a sentence about the import and whether it is still running."""
    percent = min(event.done_bytes * 100 // max(event.total_bytes, 1), 100)
    sentences = {
        "reading": QCoreApplication.translate("Archives", "Reading %1: %2 %, %3 mails"),
        "done": QCoreApplication.translate("Archives", "%1 is read: %3 mails, in All mail"),
        "stopped": QCoreApplication.translate("Archives", "Reading %1 is paused at %2 %; %3 mails are here."),
        "ended": QCoreApplication.translate("Archives", "Reading %1 was ended at %2 %; %3 mails are here."),
        "failed": QCoreApplication.translate("Archives", "%1 could not be read to its end; %3 mails are here."),
        "leaving": QCoreApplication.translate("Archives", "Taking away what was read of %1; %3 mails are still here."),
        "gone": QCoreApplication.translate("Archives", "%1 was taken away. Its file is where it was."),
    }
    text = sentences[event.state].replace("%1", event.name).replace("%2", str(percent)).replace("%3", number_words(event.mails))
    return text, event.state in GOING_ON


DUPLICATE_WIDTH = 430
"""Minimum width in pixels; the buttons may need more."""


class DuplicateArchiveDialog(QDialog):
    """Asks whether a file updates the archive it shares mail with, or is kept apart.

    The choice is passed to `read`.
    """

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
        layout.addStrut(DUPLICATE_WIDTH)

    def _update(self) -> None:
        self.accept()
        self._read(ImportArchive(self._question.path, into=self._question.account_id))

    def _apart(self) -> None:
        self.accept()
        self._read(ImportArchive(self._question.path, apart=True))


SHOWN_MS = 15_000
CHOICE_WIDTH = 430
"""Minimum width in pixels; the buttons may need more."""


class ArchivesController(QObject):
    """Opens the archive dialogs and shows import events; one per window."""

    def __init__(self, context: Context, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self._show_next = False
        stop = context.link.subscribe(self._on_event)
        self.destroyed.connect(lambda: stop())

    def choose(self, into: Account | None = None) -> None:
        """Asks for the kind of archive, then for its path. `into` is the archive to update."""
        ArchiveChoice(self, self._window, into).open()

    def pick(self, folder: bool, into: AccountId | None = None) -> None:
        """Asks for a file or a folder and imports it. `into` is the archive to update."""
        dialog = QFileDialog(self._window, self.tr("Open a mail archive"), str(Path.home()))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if folder:
            dialog.setFileMode(QFileDialog.FileMode.Directory)
        else:
            dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
            kinds = self.tr("Mail archives (*.mbox *.mbx *.zip *.tgz *.tar *.gz *.eml *.emlx mbox)")
            dialog.setNameFilters([kinds, self.tr("All files (*)")])
        dialog.fileSelected.connect(lambda name: self.read(ImportArchive(Path(name), into)))
        dialog.open()

    def known(self) -> tuple[Account, ...]:
        """Returns the archives in the store."""
        return self._context.reader.archives()

    def readings(self) -> dict[AccountId, ImportProgress]:
        """Returns the import progress of each archive."""
        return {progress.account_id: progress for progress in self._context.reader.archive_readings()}

    def forget(self, account: Account) -> None:
        """Removes an archive's mail from this computer; its file stays."""
        forget_account(self._context.state, self._context.reader, account.id)
        self._context.navigator.forget_words()
        self._context.link.send(WipeAccount(account.id))

    def read(self, wanted: ImportArchive) -> None:
        """Starts an import."""
        self._show_next = True
        self._context.link.send(wanted)
        self._context.notices.tell(self.tr("Opening %1…").replace("%1", wanted.path.name))

    def go_on(self, account_id: AccountId) -> None:
        """Continues an import that was paused, ended or failed."""
        self._show_next = True
        self._context.link.send(ContinueImport(account_id))

    def show_reading(self, event: ImportProgress) -> None:
        """Shows the progress dialog of an import."""
        dialog = self._dialog(event.account_id) or ImportProgressDialog(self._context.link, self._window)
        dialog.show_progress(event)
        dialog.show()
        dialog.raise_()

    def _dialog(self, account_id: AccountId) -> ImportProgressDialog | None:
        dialogs = self._window.findChildren(ImportProgressDialog)
        return next((dialog for dialog in dialogs if dialog.account_id == account_id and not dialog.isHidden()), None)

    def _on_event(self, event: Event) -> None:
        if isinstance(event, ImportQuestion):
            DuplicateArchiveDialog(event, self.read, self._window).open()
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
                self._context.notices.tell(words, for_ms=SHOWN_MS)
        self._show_next = self._show_next and event.state != "reading"
        if event.state == "gone":
            self._context.navigator.forget_words()


class KnownArchive(QWidget):
    """Row of an imported archive: its progress and buttons to continue, update and remove it. Removing takes two clicks."""

    def __init__(self, archives: ArchivesController, account: Account, reading: ImportProgress | None, chosen: QDialog) -> None:
        super().__init__()
        self._archives = archives
        self._account = account
        self._reading = reading
        self._parent_dialog = chosen
        across = row(self, 0, Space.SMALL)
        across.addWidget(label(progress_words(reading)[0] if reading is not None else account.email, wrap=True), 1)
        self.show_it = button(self.tr("Show"), "link", self._show)
        self.show_it.setVisible(reading is not None and reading.state in ("reading", "leaving"))
        self.go_on = button(self.tr("Go on"), "link", self._go_on)
        self.go_on.setVisible(reading is not None and reading.state in ("stopped", "ended", "failed"))
        self.update_it = button(self.tr("Bring up to date…"), "link", self._update)
        self.update_it.setVisible(reading is not None and reading.state != "reading")
        self.forget = button(self.tr("Remove from here"), "link", self._ask)
        self.sure = button(self.tr("Remove its mail, keep the file"), "danger", self._forget)
        self.sure.hide()
        for each in (self.show_it, self.go_on, self.update_it, self.forget, self.sure):
            each.setAccessibleDescription(account.email)
            across.addWidget(each)

    def _show(self) -> None:
        self._parent_dialog.accept()
        if self._reading is not None:
            self._archives.show_reading(self._reading)

    def _go_on(self) -> None:
        self._parent_dialog.accept()
        self._archives.go_on(self._account.id)

    def _update(self) -> None:
        self._parent_dialog.accept()
        self._archives.choose(self._account)

    def _ask(self) -> None:
        self.forget.hide()
        self.sure.show()

    def _forget(self) -> None:
        self._archives.forget(self._account)
        self.hide()


class ArchiveChoice(QDialog):
    """Asks for a file or a folder: the system's file dialogs offer only one of them. `into` is the archive to update."""

    def __init__(self, archives: ArchivesController, parent: QWidget, into: Account | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Open a mail archive"))
        self._archives = archives
        self._into = into
        layout = column(self, Space.LARGE, Space.MEDIUM)
        if into is not None:
            title = self.tr("Bring %1 up to date").replace("%1", into.email)
            words = self.tr(
                "Choose its newer copy. What is new is added, new labels are taken over, nothing is doubled or removed."
            )
        else:
            title = self.tr("Open a mail archive")
            words = self.tr(
                "Old mail becomes a local account that you can read and search. "
                "The file is not changed, nothing is sent, and no server is told."
            )
        layout.addWidget(label(title, Type.TITLE, wrap=True))
        layout.addWidget(label(words, tone="soft", wrap=True))
        if into is None:
            readings = archives.readings()
            for account in archives.known():
                layout.addWidget(KnownArchive(archives, account, readings.get(account.id), self))
        layout.addStretch(1)
        buttons = row(None, 0, Space.SMALL)
        buttons.addWidget(button(self.tr("Cancel"), "link", self.reject))
        buttons.addStretch(1)
        buttons.addWidget(button(self.tr("Folder of mail (Maildir, .mbox, .eml)…"), "", lambda: self._pick(folder=True)))
        buttons.addWidget(button(self.tr("mbox or Google Takeout file…"), "primary", lambda: self._pick(folder=False)))
        layout.addLayout(buttons)
        layout.addStrut(CHOICE_WIDTH)

    def _pick(self, *, folder: bool) -> None:
        self.accept()
        self._archives.pick(folder, None if self._into is None else self._into.id)

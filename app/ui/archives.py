"""Opening a mail archive, and how far its reading is, with a way to see more of it. Refuses to read anything itself."""

from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from app.domain.archives import ContinueImport, ImportArchive, ImportProgress, ImportQuestion
from app.domain.commands import WipeAccount
from app.domain.events import Event
from app.domain.ids import AccountId
from app.domain.mail import Account
from app.ui.archive_question import AlikeDialog
from app.ui.archive_reading import ReadingDialog, progress_words
from app.ui.build import button, column, label, row
from app.ui.context import Context
from app.ui.forgetting import forget_account
from app.ui.scale import Space, Type

SHOWN_MS = 15_000
NARROWEST = 430
"""Pixels of words; the buttons below may need more."""


class Archives(QObject):
    """One a window."""

    def __init__(self, context: Context, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self._asked = False
        stop = context.link.subscribe(self._heard)
        self.destroyed.connect(lambda: stop())

    def choose(self, into: Account | None = None) -> None:
        """Ask what kind of archive it is, then which; with `into` for a newer copy of that one."""
        ArchiveChoice(self, self._window, into).open()

    def pick(self, folder: bool, into: AccountId | None = None) -> None:
        """Ask for the file or the folder; with `into` it brings that archive up to date."""
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
        """The archives that are here."""
        return self._context.reader.archives()

    def readings(self) -> dict[AccountId, ImportProgress]:
        """How far each of them was read."""
        return {one.account_id: one for one in self._context.reader.archive_readings()}

    def forget(self, account: Account) -> None:
        """Take an archive's mail away from this computer; its file stays."""
        forget_account(self._context.state, self._context.reader, account.id)
        self._context.navigator.forget_words()
        self._context.link.send(WipeAccount(account.id))

    def read(self, wanted: ImportArchive) -> None:
        """Begin."""
        self._asked = True
        self._context.link.send(wanted)
        self._context.notices.tell(self.tr("Opening %1…").replace("%1", wanted.path.name))

    def go_on(self, account_id: AccountId) -> None:
        """Read on where it was left."""
        self._asked = True
        self._context.link.send(ContinueImport(account_id))

    def show_reading(self, event: ImportProgress) -> None:
        """Its own little window."""
        dialog = self._dialog(event.account_id) or ReadingDialog(self._context.link, self._window)
        dialog.show_progress(event)
        dialog.show()
        dialog.raise_()

    def _dialog(self, account_id: AccountId) -> ReadingDialog | None:
        open_ones = self._window.findChildren(ReadingDialog)
        return next((one for one in open_ones if one.account_id == account_id and not one.isHidden()), None)

    def _heard(self, event: Event) -> None:
        if isinstance(event, ImportQuestion):
            AlikeDialog(event, self.read, self._window).open()
        if not isinstance(event, ImportProgress):
            return
        dialog = self._dialog(event.account_id)
        if dialog is not None:
            dialog.show_progress(event)
        elif self._asked and event.state == "reading":
            self.show_reading(event)
        else:
            words, going_on = progress_words(event)
            if going_on:
                self._context.notices.tell(words, self.tr("Show"), lambda: self.show_reading(event), SHOWN_MS, leads=True)
            else:
                self._context.notices.tell(words, for_ms=SHOWN_MS)
        self._asked = self._asked and event.state != "reading"
        if event.state == "gone":
            self._context.navigator.forget_words()


class KnownArchive(QWidget):
    """An archive that is here: how far it was read, how it goes on, and the way to forget it, by two clicks."""

    def __init__(self, archives: Archives, account: Account, reading: ImportProgress | None, chosen: QDialog) -> None:
        super().__init__()
        self._archives = archives
        self._account = account
        self._reading = reading
        self._chosen = chosen
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
        for one in (self.show_it, self.go_on, self.update_it, self.forget, self.sure):
            one.setAccessibleDescription(account.email)
            across.addWidget(one)

    def _show(self) -> None:
        self._chosen.accept()
        if self._reading is not None:
            self._archives.show_reading(self._reading)

    def _go_on(self) -> None:
        self._chosen.accept()
        self._archives.go_on(self._account.id)

    def _update(self) -> None:
        self._chosen.accept()
        self._archives.choose(self._account)

    def _ask(self) -> None:
        self.forget.hide()
        self.sure.show()

    def _forget(self) -> None:
        self._archives.forget(self._account)
        self.hide()


class ArchiveChoice(QDialog):
    """A file or a folder: the system's dialogs can only offer one of them. `into` is the archive to be brought up to date."""

    def __init__(self, archives: Archives, parent: QWidget, into: Account | None = None) -> None:
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
        layout.addStrut(NARROWEST)

    def _pick(self, *, folder: bool) -> None:
        self.accept()
        self._archives.pick(folder, None if self._into is None else self._into.id)

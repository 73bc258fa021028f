"""Opening a mail archive, and how far its reading is, with a way to stop it. Refuses to read anything itself."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from app.domain.archives import ImportArchive, ImportProgress, StopImport
from app.domain.commands import WipeAccount
from app.domain.events import Event
from app.domain.mail import Account
from app.ui.build import button, column, label, row
from app.ui.context import Context
from app.ui.forgetting import forget_account
from app.ui.scale import Space, Type
from app.ui.text import number_words
from app.ui.told import Told

SHOWN_MS = 15_000


class Archives(QObject):
    """One a window."""

    def __init__(self, context: Context, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        stop = context.link.subscribe(self._heard)
        self.destroyed.connect(lambda: stop())

    def choose(self) -> None:
        """Ask what kind of archive it is, then which."""
        ArchiveChoice(self, self._window).open()

    def pick(self, folder: bool) -> None:
        """Ask for the file or the folder."""
        dialog = QFileDialog(self._window, self.tr("Open a mail archive"), str(Path.home()))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if folder:
            dialog.setFileMode(QFileDialog.FileMode.Directory)
        else:
            dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
            dialog.setNameFilters([self.tr("Mail archives (*.mbox *.zip *.tgz *.tar *.eml mbox)"), self.tr("All files (*)")])
        dialog.fileSelected.connect(self.read)
        dialog.open()

    def known(self) -> tuple[Account, ...]:
        """The archives that are here; none while the file cannot be read, which a notice says."""
        with Told(self._context.notices):
            return self._context.reader.archives()
        return ()

    def forget(self, account: Account) -> None:
        """Take an archive's mail away from this computer; its file stays. Nothing goes while nobody can read what is its own."""
        with Told(self._context.notices):
            forget_account(self._context.state, self._context.reader, account.id)
            self._context.navigator.forget_words()
            self._context.link.send(WipeAccount(account.id))

    def read(self, name: str) -> None:
        """Begin."""
        self._context.link.send(ImportArchive(Path(name)))
        self._context.notices.tell(self.tr("Opening %1…").replace("%1", Path(name).name))

    def _heard(self, event: Event) -> None:
        if not isinstance(event, ImportProgress):
            return
        words, going_on = progress_words(event)
        if going_on:
            stop = StopImport(event.account_id)
            self._context.notices.tell(words, self.tr("Stop"), lambda: self._context.link.send(stop), SHOWN_MS)
        else:
            self._context.notices.tell(words, for_ms=SHOWN_MS)


def progress_words(event: ImportProgress) -> tuple[str, bool]:
    """A sentence about an archive, and whether its reading goes on."""
    percent = event.done_bytes * 100 // max(event.total_bytes, 1)
    sentences = {
        "reading": QCoreApplication.translate("Archives", "Reading %1: %2 %, %3 mails"),
        "done": QCoreApplication.translate("Archives", "%1 is read: %3 mails, in All mail"),
        "stopped": QCoreApplication.translate("Archives", "Stopped reading %1 at %2 %. Open it again to go on."),
        "failed": QCoreApplication.translate("Archives", "%1 could not be read to its end; %3 mails are here."),
    }
    text = sentences[event.state].replace("%1", event.name).replace("%2", str(percent)).replace("%3", number_words(event.mails))
    return text, event.state == "reading"


class KnownArchive(QWidget):
    """An archive that is here, with the way to forget it: two clicks, since it has to be read again then."""

    def __init__(self, archives: Archives, account: Account) -> None:
        super().__init__()
        self._archives = archives
        self._account = account
        across = row(self, 0, Space.SMALL)
        across.addWidget(label(account.email), 1)
        self.forget = button(self.tr("Remove from here"), "link", self._ask)
        self.sure = button(self.tr("Remove its mail, keep the file"), "danger", self._forget)
        self.sure.hide()
        across.addWidget(self.forget)
        across.addWidget(self.sure)

    def _ask(self) -> None:
        self.forget.hide()
        self.sure.show()

    def _forget(self) -> None:
        self._archives.forget(self._account)
        self.hide()


class ArchiveChoice(QDialog):
    """A file or a folder: the system's dialogs can only offer one of them."""

    def __init__(self, archives: Archives, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Open a mail archive"))
        self._archives = archives
        layout = column(self, Space.LARGE, Space.MEDIUM)
        layout.addWidget(label(self.tr("Open a mail archive"), Type.TITLE))
        words = self.tr(
            "Old mail becomes a local account that you can read and search. "
            "The file is not changed, nothing is sent, and no server is told."
        )
        layout.addWidget(label(words, tone="soft", wrap=True))
        for account in archives.known():
            layout.addWidget(KnownArchive(archives, account))
        buttons = row(None, 0, Space.SMALL)
        buttons.addWidget(button(self.tr("Cancel"), "link", self.reject))
        buttons.addStretch(1)
        buttons.addWidget(button(self.tr("Maildir folder…"), "", lambda: self._pick(folder=True)))
        buttons.addWidget(button(self.tr("mbox or Google Takeout file…"), "primary", lambda: self._pick(folder=False)))
        layout.addLayout(buttons)
        self.setMinimumWidth(460)

    def _pick(self, *, folder: bool) -> None:
        self.accept()
        self._archives.pick(folder)

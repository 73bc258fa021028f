"""How far the reading of a mail archive is, with counts, and the ways to pause it, to go on and to end it.

Refuses to take anything away without having said what that is.
"""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QDialog, QProgressBar, QWidget

from app.domain.archives import CancelImport, ContinueImport, ImportProgress, StopImport
from app.domain.ports.window import EngineLink
from app.ui.build import button, column, label, row, set_title
from app.ui.scale import Space, Type
from app.ui.text import number_words

STEPS = 1000
NARROWEST = 450
"""Pixels of words; the buttons below may need more."""
GOING_ON = frozenset({"reading", "leaving"})


class ReadingDialog(QDialog):
    """One archive; closing it changes nothing."""

    def __init__(self, link: EngineLink, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Reading a mail archive"))
        self._link = link
        self._now: ImportProgress | None = None
        layout = column(self, Space.LARGE, Space.MEDIUM)
        self.title = label("", Type.TITLE, wrap=True)
        self.bar = QProgressBar()
        self.bar.setRange(0, STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("How far the archive is read"))
        self.counts = label("", tone="soft", wrap=True)
        self.sure = label("", wrap=True)
        for one in (self.title, self.bar, self.counts, self.sure):
            layout.addWidget(one)
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
        layout.addStrut(NARROWEST)
        self._asking = False
        self.leave.setFocus()

    def show_progress(self, event: ImportProgress) -> None:
        """The newest of this archive."""
        self._now = event
        self._asking = self._asking and event.state == "reading"
        set_title(self.title, progress_words(event)[0])
        self.bar.setValue(event.done_bytes * STEPS // max(event.total_bytes, 1) if event.state != "done" else STEPS)
        self.counts.setText(count_words(event))
        self._offer()

    @property
    def account_id(self) -> int | None:
        """Which archive it shows."""
        return None if self._now is None else self._now.account_id

    def _offer(self) -> None:
        state = "" if self._now is None else self._now.state
        self.cancel.setVisible(not self._asking and state in ("reading", "stopped", "failed"))
        self.pause.setVisible(not self._asking and state == "reading")
        self.go_on.setVisible(self._asking or state in ("stopped", "ended", "failed"))
        for part in (self.keep, self.take_away, self.sure):
            part.setVisible(self._asking)
        self.leave.setVisible(not self._asking)
        for one in (self.bar, self.counts):
            one.setVisible(state != "gone")

    def _ask(self) -> None:
        now = self._now
        if now is None:
            return
        self._asking = True
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
        self._offer()
        self.keep.setFocus()

    def _end(self, *, take_away: bool) -> None:
        if self._now is not None:
            self._link.send(CancelImport(self._now.account_id, take_away))
        self._asking = False
        self._offer()

    def _pause(self) -> None:
        if self._now is not None:
            self._link.send(StopImport(self._now.account_id))

    def _go_on(self) -> None:
        if self._asking and self._now is not None and self._now.state == "reading":
            self._asking = False
            self._offer()
        elif self._now is not None:
            self._asking = False
            self._link.send(ContinueImport(self._now.account_id))


def count_words(event: ImportProgress) -> str:
    """What this reading did so far."""
    if event.update:
        read = QCoreApplication.translate(
            "ReadingDialog", "Mails read: %1. New: %2. Here before: %3. Other labels taken over: %4."
        )
    else:  # nothing was here before: what is not new stands in the archive more than once
        read = QCoreApplication.translate("ReadingDialog", "Mails read: %1. New: %2. More than once in the archive: %3.")
    words = read.replace("%1", number_words(event.seen)).replace("%2", number_words(event.added))
    words = words.replace("%3", number_words(max(event.seen - event.added, 0)))
    return words.replace("%4", number_words(event.relabelled))


def progress_words(event: ImportProgress) -> tuple[str, bool]:
    """A sentence about an archive, and whether something goes on with it."""
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

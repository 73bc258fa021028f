"""Waiting for the mail: a bar and counts that sync reported, and a way not to wait for all of it."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar

from app.domain.events import SyncPhase, SyncProgress
from app.ui.build import button, label
from app.ui.scale import Type
from app.ui.text import number_words
from app.ui.welcome.screen import Screen


class SyncScreen(Screen):
    """Never shows a number that was not reported."""

    def __init__(self, hurry: Callable[[], object]) -> None:
        super().__init__(
            self.tr("Fetching your mail"),
            self.tr("Newest first, to this computer only. You can close the window; it goes on where it stopped."),
        )
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Mails fetched"))
        self.counts = label("", Type.BODY)
        self.hurry = button(self.tr("Go on with what is here"), "", hurry)
        self.lines.addWidget(self.bar)
        self.lines.addWidget(self.counts)
        self.lines.addWidget(self.hurry, 0, Qt.AlignmentFlag.AlignLeft)
        self.start = self.hurry
        self.show_progress(None, 0)

    def show_progress(self, progress: SyncProgress | None, messages: int) -> None:
        """What sync reported last; `messages` are stored."""
        self.hurry.setEnabled(messages > 0)
        if progress is None or progress.total <= 0:
            self.bar.setRange(0, 0)
            listing = progress is not None and progress.phase is SyncPhase.LISTING
            self.counts.setText(self.tr("Counting…") if listing else self.tr("Waiting for the first answer…"))
            return
        self.bar.setRange(0, progress.total)
        self.bar.setValue(progress.done)
        words = self.tr("%1 of %2 mails").replace("%1", number_words(progress.done)).replace("%2", number_words(progress.total))
        if progress.phase is SyncPhase.PAUSED:
            words += " · " + self.tr("paused")
        elif progress.eta_s >= 0:
            words += " · " + self.tr("about %n minute(s) left", "", max(1, round(progress.eta_s / 60)))
        self.counts.setText(words)

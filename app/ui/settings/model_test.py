"""The row that calls the model once and says how it went."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.domain.commands import Answer, ModelTest, TestModel
from app.domain.errors import ExpectedError
from app.domain.ports.window import EngineLink
from app.ui.build import button, column, label, row, set_tone
from app.ui.scale import Space, Type
from app.ui.settings.asking import Asker
from app.ui.text import seconds_words
from app.ui.trouble import sentence


class ModelTestRow(QWidget):
    """A button; while the model thinks, the same button stops waiting."""

    def __init__(self, link: EngineLink, wanted: Callable[[], TestModel]) -> None:
        super().__init__()
        self._wanted = wanted
        self._asker = Asker(link, self)
        self.start = button("", "", self._clicked, turns=True)
        self.outcome = label("", Type.STRONG)
        self.detail = label("", Type.CAPTION, "soft", wrap=True)
        lines = column(self, 0, Space.TIGHT)
        first = row(None, 0, Space.MEDIUM)
        first.addWidget(self.start)
        first.addWidget(self.outcome, 1, Qt.AlignmentFlag.AlignVCenter)
        lines.addLayout(first)
        lines.addWidget(self.detail)
        self.setFocusProxy(self.start)
        self.idle()

    def idle(self) -> None:
        """Nothing was tested, or what was tested has changed."""
        self._asker.cancel()
        self._say("", "", "")

    def _clicked(self) -> None:
        if self._asker.busy:
            self.idle()
            return
        self._asker.ask(self._wanted(), self._answered, self._failed)
        self._say(self.tr("Asking the model…"), "", "soft")

    def _answered(self, answer: Answer) -> None:
        if isinstance(answer, ModelTest) and answer.ok:
            words = self.tr("It answered in %1").replace("%1", seconds_words(answer.latency_ms))
            self._say(words, answer.detail, "positive")
        elif isinstance(answer, ModelTest):
            self._say(self.tr("It does not answer"), answer.detail, "danger")

    def _failed(self, error: ExpectedError) -> None:
        self._say(self.tr("It could not be asked"), sentence(error.code, error.detail, error.remedy), "danger")

    def _say(self, outcome: str, detail: str, tone: str) -> None:
        set_tone(self.outcome, tone)
        self.outcome.setText(outcome)
        self.detail.setText(detail)
        self.detail.setVisible(bool(detail))
        self.start.setText(self.tr("Stop waiting") if self._asker.busy else self.tr("Test"))
        self.setAccessibleDescription(" ".join(filter(None, (outcome, detail))))

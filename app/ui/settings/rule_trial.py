"""The live test under a rule: how many of the last mails its conditions hold for, which ones, and what would go elsewhere."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from app.domain.commands import Answer
from app.domain.errors import ExpectedError
from app.domain.ids import MessageId
from app.domain.mail import Message
from app.domain.routing import Rule
from app.domain.rule_commands import RulesTried, TriedMail, TryRules
from app.ui.build import column, label, set_tone
from app.ui.context import Context
from app.ui.scale import Space, Type
from app.ui.settings.asking import Asker
from app.ui.settings.rule_words import routed_words, trial_words
from app.ui.tips import plain_tip
from app.ui.told import Told
from app.ui.trouble import said

PAUSE_MS = 350
SHOWN = 50
LINES = 6


class RuleTrial(QWidget):
    """`ask` after each change of the rule; the answer comes when typing has paused. Enter on a mail opens it."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._asker = Asker(context.link, self)
        self._wanted: TryRules | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self._ask_now)
        self.words = label("", Type.STRONG, wrap=True)
        self.words.setObjectName("trial")
        self.mails = QListWidget()
        self.mails.setAccessibleName(self.tr("Mails this rule is about"))
        self.mails.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.mails.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.mails.itemActivated.connect(self._open)
        self.mails.hide()
        lines = column(self, 0, Space.TIGHT)
        lines.addWidget(self.words)
        lines.addWidget(self.mails)
        lines.addStretch(1)

    def ask(self, rules: Sequence[Rule], focus: str) -> None:
        """Try these rules; `focus` names the one that is being written."""
        self._wanted = TryRules(tuple(rules), focus)
        self._timer.start()

    def wait(self, words: str) -> None:
        """Nothing to try yet, and why."""
        self._timer.stop()
        self._asker.cancel()
        self._say(words, "soft")

    def _ask_now(self) -> None:
        if self._wanted is not None:
            self._asker.ask(self._wanted, self._answered, self._failed)

    def _answered(self, answer: Answer) -> None:
        if not isinstance(answer, RulesTried):
            return
        held = [one for one in answer.mails if one.holds]
        changed = [one for one in answer.mails if one.changes]
        self._say(trial_words(len(held), len(changed), answer.looked_at), "")
        if answer.slow:
            slow = self.tr("A header pattern takes too long and counts as no match: %1")
            self._say(slow.replace("%1", ", ".join(answer.slow)), "warning")
        self._show(list(dict.fromkeys([*held, *changed])))

    def _failed(self, error: ExpectedError) -> None:
        self._say(said(error.code, error.detail, error.remedy), "danger")

    def _say(self, words: str, tone: str) -> None:
        self.words.setText(words)
        set_tone(self.words, tone)
        self.mails.clear()
        self.mails.hide()

    def _show(self, mails: Sequence[TriedMail]) -> None:
        for one in mails[:SHOWN]:
            message = self._message(one.message_id)
            if message is None:
                continue
            words = f"{message.sender.name or message.sender.email}  ·  {message.subject}"
            if one.changes:
                words += f"  →  {routed_words(one.then)}"
            item = QListWidgetItem(words)
            item.setToolTip(plain_tip(words))
            item.setData(Qt.ItemDataRole.UserRole, one.message_id)
            self.mails.addItem(item)
        rows = min(self.mails.count(), LINES)
        self.mails.setVisible(rows > 0)
        self.mails.setFixedHeight(rows * max(self.mails.sizeHintForRow(0), 1) + 2 * self.mails.frameWidth())

    def _message(self, message_id: MessageId) -> Message | None:
        """The mail, None where it is gone or cannot be read now."""
        with Told(self._context.notices):
            return self._context.reader.message(message_id)
        return None

    def _open(self, item: QListWidgetItem) -> None:
        self._context.navigator.show_message(MessageId(int(item.data(Qt.ItemDataRole.UserRole))))

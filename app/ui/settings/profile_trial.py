"""Trying a profile on a mail: choose one, see what its agent read and what it would have done. Nothing is done."""

from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QWidget

from app.domain.commands import Answer
from app.domain.errors import ExpectedError
from app.domain.ids import MessageId, ThreadId
from app.domain.ports.window import MailView
from app.domain.profile_trial import ProfileTried, TryProfile
from app.ui.build import button, column, label, row, set_tone
from app.ui.choice_box import ChoiceBox
from app.ui.context import Context
from app.ui.scale import Space, Type
from app.ui.settings.asking import Asker
from app.ui.settings.controls import with_arrow
from app.ui.settings.profile_words import tried_words
from app.ui.told import Told
from app.ui.trouble import said

MAILS = 30
LINES = 12
SUBJECT = 80


class ProfileTrial(QWidget):
    """`show_profile` names the profile; the mails are the newest of the inbox."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._profile = ""
        self._asker = Asker(context.link, self)
        self.mail = ChoiceBox()
        self.mail.setAccessibleName(self.tr("Mail to try the profile on"))
        self.mail.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.mail.setMinimumContentsLength(30)
        with_arrow(self.mail, context.icons)
        self.start = button(self.tr("Try it"), "", self._toggle, turns=True)
        self.words = label("", wrap=True)
        self.words.hide()
        self.found = QPlainTextEdit()
        self.found.setReadOnly(True)
        self.found.setTabChangesFocus(True)
        self.found.setAccessibleName(self.tr("What the agent did and would have done"))
        self.found.setFixedHeight(self.found.fontMetrics().lineSpacing() * LINES + Space.XLARGE)
        self.found.hide()
        across = row(None, 0, Space.SMALL)
        across.addWidget(self.mail, 1)
        across.addWidget(self.start)
        lines = column(self, 0, Space.SMALL)
        lines.addWidget(label(self.tr("Try it on a mail"), Type.STRONG))
        hint = self.tr("The agent reads and answers as it would, and its model is called. Nothing is changed, drafted or sent.")
        lines.addWidget(label(hint, Type.CAPTION, "soft", wrap=True))
        lines.addLayout(across)
        lines.addWidget(self.words)
        lines.addWidget(self.found)

    def show_profile(self, name: str) -> None:
        """Another profile is shown; what was found of the one before goes."""
        if name != self._profile:
            self._profile = name
            self._asker.cancel()
            self._rest("", "")
        if not self.mail.count():
            self._fill()

    def _fill(self) -> None:
        """The newest conversations of the inbox, by their last mail."""
        reader = self._context.reader
        with Told(self._context.notices):
            for thread_id in reader.thread_ids(MailView.INBOX, limit=MAILS):
                messages = [one for one in reader.messages(ThreadId(thread_id)) if not one.outgoing]
                if messages:
                    last = messages[-1]
                    self.mail.addItem(f"{last.sender.name or last.sender.email}: {last.subject}"[:SUBJECT], last.id)
        self.start.setEnabled(self.mail.count() > 0)

    def _toggle(self) -> None:
        """Start, or stop waiting."""
        if self._asker.busy:
            self._asker.cancel()
            self._rest("", "")
            return
        self.found.hide()
        self._say(self.tr("The agent is at work…"), "soft")
        self.start.setText(self.tr("Stop waiting"))
        query = TryProfile(self._profile, MessageId(int(self.mail.currentData())))
        self._asker.ask(query, self._answered, self._failed)

    def _answered(self, answer: Answer) -> None:
        if isinstance(answer, ProfileTried):
            self._rest(answer.trouble, "danger")
            self.found.setPlainText(tried_words(answer))
            self.found.show()

    def _failed(self, error: ExpectedError) -> None:
        self._rest(said(error.code, error.detail, error.remedy), "danger")

    def _rest(self, words: str, tone: str) -> None:
        self.start.setText(self.tr("Try it"))
        self._say(words, tone)
        if not words:
            self.found.hide()

    def _say(self, words: str, tone: str) -> None:
        self.words.setText(words)
        self.words.setVisible(bool(words))
        set_tone(self.words, tone)

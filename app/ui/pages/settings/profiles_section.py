"""The Profiles section: limits, tools, prompt and tool servers of each agent profile, and a trial on a message.

Profiles are edited in their file.
"""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QWidget

from app.config.paths import resource
from app.domain.errors import ExpectedError
from app.domain.ids import MessageId, ThreadId
from app.domain.ports.window import MailView
from app.domain.protocol.agent_commands import (
    AllowServer,
    AllowTool,
    ForbidServer,
    ProfileRow,
    ProfilesAnswer,
    ProfileTried,
    ReadProfiles,
    TryProfile,
)
from app.domain.protocol.commands import Answer
from app.domain.protocol.events import CommandFailed, EngineReady, Event, ProfilesChanged, RulesChanged
from app.ui.context import Context
from app.ui.i18n.error_messages import said, sentence
from app.ui.pages.settings.form import FileErrorNotice, FreeForm
from app.ui.pages.settings.settings_writer import SettingsWriter
from app.ui.pages.settings.tool_server import ServerCard, limits_words, tried_words
from app.ui.services.async_task import EngineQuestion, loop_runs
from app.ui.services.notices import ErrorNotice, said_of
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.buttons import ChoiceBox
from app.ui.widgets.factory import button, clear, column, label, put, row, say
from app.ui.widgets.form_controls import with_arrow

MAILS = 30
LINES = 12
SUBJECT = 80


class ProfileTrial(QWidget):
    """Tries a profile on one of the newest inbox messages. The model is called, but nothing is changed."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._profile = ""
        self._query = EngineQuestion(context.link, self)
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
        hint = self.tr("The agent reads and answers as it would, and its model is called. Nothing is changed, drafted or sent.")
        put(
            column(self),
            label(self.tr("Try it on an email"), Type.STRONG),
            label(hint, Type.CAPTION, "soft", wrap=True),
            put(row(), (self.mail, 1), self.start),
            self.words,
            self.found,
        )

    def show_profile(self, name: str) -> None:
        if name != self._profile:
            self._profile = name
            self._query.cancel()
            self._end_trial("", "")
        if not self.mail.count():
            self._fill()

    def _fill(self) -> None:
        """Lists the newest inbox conversations by their last received message."""
        reader = self._context.reader
        with ErrorNotice(self._context.notices):
            for thread_id in reader.thread_ids(MailView.INBOX, limit=MAILS):
                messages = [message for message in reader.messages(ThreadId(thread_id)) if not message.outgoing]
                if messages:
                    last = messages[-1]
                    self.mail.addItem(f"{last.sender.name or last.sender.email}: {last.subject}"[:SUBJECT], last.id)
        self.start.setEnabled(self.mail.count() > 0)

    def _toggle(self) -> None:
        if self._query.busy:
            self._query.cancel()
            self._end_trial("", "")
            return
        self.found.hide()
        self._say(self.tr("The agent is at work…"), "soft")
        self.start.setText(self.tr("Stop waiting"))
        query = TryProfile(self._profile, MessageId(int(self.mail.currentData())))
        self._query.ask(query, self._answered, self._failed)

    def _answered(self, answer: Answer) -> None:
        if isinstance(answer, ProfileTried):
            self._end_trial(answer.error, "danger")
            self.found.setPlainText(tried_words(answer))
            self.found.show()

    def _failed(self, error: ExpectedError) -> None:
        self._end_trial(said(error.code, error.text), "danger")

    def _end_trial(self, words: str, tone: str) -> None:
        self.start.setText(self.tr("Try it"))
        self._say(words, tone)
        if not words:
            self.found.hide()

    def _say(self, words: str, tone: str) -> None:
        say(self.words, words, tone)
        self.words.setVisible(bool(words))


PROMPT_LINES = 9
COMMANDS = {command.__name__ for command in (AllowServer, AllowTool, ForbidServer)}


class ProfilesSection(FreeForm):
    """Shows one profile at a time. `open_path` opens a file in the system's editor."""

    def __init__(self, writer: SettingsWriter, context: Context, open_path: Callable[[Path], object]) -> None:
        self._context, self._open_path = context, open_path
        self.now: ProfilesAnswer | None = None
        self.cards: dict[str, ServerCard] = {}
        super().__init__(writer, "", "")
        self._query = EngineQuestion(context.link, self)
        self._show()

    def _lay_out(self, title: str, intro: str) -> None:
        """Replaces the rows of a form."""
        self.setAccessibleName(self.tr("Profiles"))
        self.file_error = FileErrorNotice(self._open_path)
        self.choice = ChoiceBox()
        self.choice.setAccessibleName(self.tr("Profile"))
        with_arrow(self.choice, self._context.icons)
        self.choice.currentIndexChanged.connect(lambda _at: self._show_profile())
        self.limits = label("", wrap=True)
        self.tools = label("", wrap=True)
        self.prompt = QPlainTextEdit()
        self.prompt.setReadOnly(True)
        self.prompt.setTabChangesFocus(True)
        self.prompt.setAccessibleName(self.tr("Its prompt"))
        self.prompt.setFixedHeight(self.prompt.fontMetrics().lineSpacing() * PROMPT_LINES + Space.XLARGE)
        self.error = label("", Type.BODY, "danger", wrap=True)
        self.error.hide()
        words = self.tr("There are no profiles. A profile answers one kind of mail with a prompt and tools of its own.")
        self.empty = label(words, wrap=True)
        self.shown = QWidget()
        self.servers = column(None, 0, Space.MEDIUM)
        self.trial = ProfileTrial(self._context)
        put(column(self.shown, 0, Space.MEDIUM), self.choice, self.limits, self.tools, self.prompt, self.servers, self.trial)
        self._lay_out_page()

    def _lay_out_page(self) -> None:
        words = self.tr(
            "Agents for mail that a rule sends to them. Whatever a prompt says, no mail is sent without your approval."
        )
        outer = self.begin_page(self.tr("Profiles"), words)
        for widget in (self.file_error, self.empty, self.shown, self.error):
            outer.addWidget(widget)
        self.open_file = button(self.tr("Open the file"), "", lambda: self._open_path(Path(self.now.path if self.now else "")))
        self.open_prompt = button(self.tr("Open the prompt"), "", self._open_prompt)
        self.open_example = button(self.tr("Open the example"), "", lambda: self._open_path(resource("routing.example.yaml")))
        outer.addLayout(put(row(), self.open_file, self.open_prompt, self.open_example, 1))
        outer.addStretch(1)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.read()

    def read(self) -> None:
        if loop_runs():
            self._query.ask(ReadProfiles(), self._answered, self._not_read)

    def _not_read(self, error: ExpectedError) -> None:
        self._refuse(said_of(error, self._context.reader))

    def hear(self, event: Event) -> None:
        if isinstance(event, RulesChanged | ProfilesChanged | EngineReady) and self.isVisible():
            self.read()
        elif isinstance(event, CommandFailed) and event.command in COMMANDS:
            self._refuse(sentence(event.code, event.text))

    def _answered(self, answer: Answer) -> None:
        if isinstance(answer, ProfilesAnswer):
            self.now = answer
            self._refuse("")
            self._show()

    def _refuse(self, words: str) -> None:
        self.error.setText(words)
        self.error.setVisible(bool(words))

    def _show(self) -> None:
        now = self.now
        names = [profile.name for profile in now.profiles] if now else []
        self.file_error.show_rules_error(Path(now.path) if now else Path(), now.error if now else None, bool(names))
        if names != [self.choice.itemText(at) for at in range(self.choice.count())]:
            before = self.choice.currentText()
            self.choice.blockSignals(True)
            self.choice.clear()
            self.choice.addItems(names)
            self.choice.setCurrentIndex(max(self.choice.findText(before), 0) if names else -1)
            self.choice.blockSignals(False)
        self.empty.setVisible(now is not None and now.error is None and not names)
        self.open_example.setVisible(not names)
        self.shown.setVisible(bool(names))
        self.open_file.setVisible(bool(names))
        self.open_prompt.setVisible(bool(names))
        self._show_profile()

    def _profile(self) -> ProfileRow | None:
        found = self.now.profiles if self.now else ()
        return next((profile for profile in found if profile.name == self.choice.currentText()), None)

    def _show_profile(self) -> None:
        profile = self._profile()
        if profile is None or self.now is None:
            return
        self.limits.setText(limits_words(profile))
        self.trial.show_profile(profile.name)
        none = self.tr("none")
        self.tools.setText(self.tr("Tools: %1").replace("%1", ", ".join(profile.tools) or none))
        if self.prompt.toPlainText() != profile.prompt:
            self.prompt.setPlainText(profile.prompt)
        wanted = {status.server: status for status in self.now.servers if status.profile == profile.name}
        keys = [f"{profile.name}/{name}" for name in wanted]
        if keys != list(self.cards):
            clear(self.servers)
            self.cards = {key: ServerCard(self._context.link, status) for key, status in zip(keys, wanted.values(), strict=True)}
            for card in self.cards.values():
                self.servers.addWidget(card)
        for key, status in zip(keys, wanted.values(), strict=True):
            self.cards[key].show_status(status)

    def _open_prompt(self) -> None:
        profile = self._profile()
        if profile is not None:
            self._open_path(Path(profile.prompt_file))

"""The first-run page: shows the screen of the current stage and sends each choice to the engine or another page."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Qt, Signal

from app.config.paths import built_in_client
from app.config.settings import Settings
from app.domain.errors import BadFile, ExpectedError, LoginNeeded, SignInCancelled
from app.domain.ids import AccountId
from app.domain.mail.message import Account
from app.domain.protocol.account_commands import CancelSignIn
from app.domain.protocol.archive_commands import ImportProgress
from app.domain.protocol.commands import ConnectGmail, StartDrafting
from app.domain.protocol.events import (
    CommandFailed,
    ConnectionChanged,
    EngineReady,
    MailChanged,
    SettingsChanged,
    SignInOpened,
    SyncProgress,
)
from app.domain.protocol.views import MailView
from app.domain.record import replace
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.i18n.error_messages import sentence
from app.ui.pages.base import Page
from app.ui.pages.welcome.guide import GuideScreen
from app.ui.pages.welcome.screens import (
    HINDRANCES,
    ChooseScreen,
    ModelScreen,
    PreviewScreen,
    Screen,
    SignInScreen,
    SyncScreen,
    WelcomeFacts,
    WelcomeStage,
    stage_of,
)
from app.ui.session.session_store import PageState
from app.ui.widgets.factory import announce, button, column, put
from app.ui.widgets.split_view import Stack

WITHOUT_MODEL = "welcome/without_model"


def make_welcome_page(context: Context) -> "WelcomePage":
    """Makes the page; without a sample command it does not offer the sample mailbox."""
    command = context.sample_command
    return WelcomePage(context, SampleProgram(command) if command else None, built_in_client())


CONNECT_GMAIL = 10
"""Exit code of the sample's program when the user wants to connect Gmail."""
FAILED = 1
CRASHED, NOT_STARTED = QProcess.ExitStatus.CrashExit, QProcess.ProcessError.FailedToStart
STOP_MS = 3000


class SampleProgram(QObject):
    """Emits `opened` when the sample's window is there, and `ended` with the exit code."""

    opened = Signal()
    ended = Signal(int)

    def __init__(self, command: Sequence[str]) -> None:
        super().__init__()
        self._process = QProcess(self)
        self._process.setProgram(command[0])
        self._process.setArguments(list(command[1:]))
        self._process.setProcessEnvironment(QProcessEnvironment.systemEnvironment())
        self._process.setStandardErrorFile(QProcess.nullDevice())
        self._process.readyReadStandardOutput.connect(self._read)
        # Methods of this object are disconnected when it is destroyed, which ends the process; lambdas would still be called.
        self._process.finished.connect(self._finished)
        self._process.errorOccurred.connect(self._failed)
        self.destroyed.connect(self._process.kill)

    @property
    def pid(self) -> int:
        """Process id, 0 while it does not run."""
        return self._process.processId()

    def start(self) -> None:
        """Starts the program unless it runs."""
        if self._process.state() is QProcess.ProcessState.NotRunning:
            self._process.start()

    def stop(self) -> None:
        """Ends the program, because the user did not wait for its window."""
        self._process.terminate()
        if not self._process.waitForFinished(STOP_MS):
            self._process.kill()

    def _read(self) -> None:
        if b"ready" in self._process.readAllStandardOutput().data():
            self.opened.emit()

    def _finished(self, exit_code: int, status: QProcess.ExitStatus) -> None:
        self.ended.emit(FAILED if status is CRASHED else exit_code)

    def _failed(self, error: QProcess.ProcessError) -> None:
        if error is NOT_STARTED:
            self.ended.emit(FAILED)


class WelcomePage(Page):
    """While the sample's window is open, this window is hidden. Without `sample_program` the choice is hidden."""

    def __init__(self, context: Context, sample_program: SampleProgram | None = None, built_in: Path | None = None) -> None:
        super().__init__(context, "welcome", "")
        self.title = self.tr("Welcome")
        self.setAccessibleName(self.title)
        self._sample_program = sample_program
        self._sample_failed = False
        if sample_program is not None:
            sample_program.setParent(self)
            sample_program.opened.connect(lambda: self.window().hide())
            sample_program.ended.connect(self._sample_ended)
        self._account: Account | None = None
        self._answered: set[AccountId] = set()
        """Accounts that the user started or put off, so that the next one is asked about."""
        self._accounts: set[AccountId] | None = None
        self._connections: dict[AccountId, ConnectionChanged] = {}
        self._progress: dict[AccountId, SyncProgress] = {}
        self._client_file, self._built_in = Path(), built_in
        self.known = WelcomeFacts(model_settled=context.state.value(WITHOUT_MODEL, False, type=bool) is True)
        sample = self._sample if sample_program is not None else None
        self.choose = ChooseScreen(context, self._connect_gmail, sample, self._guide if built_in is not None else None)
        self.guide = GuideScreen(context, self._connect, self._back_to_choice)
        self.sign_in = SignInScreen(context, self._cancel_sign_in)
        title, words = self.tr("Starting the sample mailbox"), self.tr("It replaces this window in a few seconds.")
        self.sample = Screen(title, words)
        self.sample.start = button(self.tr("Cancel"), "", self._leave_sample)
        put(self.sample.lines, (self.sample.start, Qt.AlignmentFlag.AlignLeft))
        self.model = ModelScreen(context, partial(context.navigator.show_settings, "model"), self._without_model)
        self.sync = SyncScreen(lambda: self._set_facts(replace(self.known, hurried=True)))
        self.preview = PreviewScreen(context.link, context.icons, self._begin, partial(self._go_on, "inbox"))
        self._screens: dict[WelcomeStage, Screen] = {
            WelcomeStage.CHOOSE: self.choose,
            WelcomeStage.CONNECT: self.guide,
            WelcomeStage.SIGN_IN: self.sign_in,
            WelcomeStage.SAMPLE: self.sample,
            WelcomeStage.MODEL: self.model,
            WelcomeStage.SYNC: self.sync,
            WelcomeStage.PREVIEW: self.preview,
        }
        self.stack = Stack(*self._screens.values())
        column(self, 0, 0, self.stack)
        self.stack.currentChanged.connect(self.moved)

    def save_state(self) -> PageState:
        """Says whether the guide is open: the user alternates between it and the browser."""
        return {"guiding": int(self.known.guiding and not self.known.connected)}

    def restore_state(self, state: PageState) -> None:
        self._set_facts(replace(self.known, guiding=bool(state.get("guiding"))))

    @property
    def stage(self) -> WelcomeStage:
        return stage_of(self.known)

    def refresh(self) -> None:
        try:
            accounts = self.context.reader.accounts()
            waiting = self.context.reader.unchecked()
            messages = self.context.reader.counts().messages if accounts else 0
        except ExpectedError as error:
            self.choose.show_error(sentence(error.code, error.text), self.tr("Try again"), self.touch)
            self.stack.setCurrentWidget(self.choose)
            return
        self.choose.show_error("")
        if self._sample_failed:
            self.choose.show_error(sentence("trouble"), self.tr("Try again"), self._sample)
        left = [one for one in accounts if one.id in waiting.keys() - self._answered]
        left = left or [one for one in accounts if one.id in waiting] or list(accounts)
        self._account = left[-1] if left else None
        messages = waiting.get(self._account.id, messages) if self._account is not None else 0
        ids = {account.id for account in accounts}
        if self._accounts is not None and ids != self._accounts:  # the choices made on the way are over
            self.known = replace(self.known, adding=False, guiding=False, signing_in=False, sample=False, hurried=False)
        self._accounts = ids
        progress = self._progress.get(self._account.id) if self._account is not None else None
        settings = self.context.settings()
        settled = bool(settings.model.name) or self.context.state.value(WITHOUT_MODEL, False, type=bool) is True
        self.known = replace(self.known, connected=bool(accounts), messages=messages, model_settled=settled, progress=progress)
        self._show_stage(settings)

    def concerned_by(self, event: Event) -> bool:
        return isinstance(event, EngineReady | MailChanged | SettingsChanged | SyncProgress | ConnectionChanged)

    def says(self, event: Event) -> bool:
        """Whether the page shows this failed command itself."""
        asked = {StartDrafting.__name__, *([ConnectGmail.__name__] if self.known.signing_in else [])}
        return self.isVisible() and isinstance(event, CommandFailed) and event.command in asked

    def hear(self, event: Event) -> None:
        """Keeps the last sync progress and connection state, also while hidden."""
        if isinstance(event, SyncProgress):
            self._progress[event.account_id] = event
        elif isinstance(event, ConnectionChanged):
            self._connections[event.account_id] = event
        elif isinstance(event, SignInOpened):
            self.sign_in.show_link(event)
        elif isinstance(event, CommandFailed):
            self._refused(event)
        elif isinstance(event, ImportProgress) and event.state == "done" and self.choose.isVisible():
            self.context.navigator.show_page(str(MailView.ALL))
        super().hear(event)

    def take_focus(self) -> None:
        self._screens[self.stage].take_focus()

    def go_back(self) -> bool:
        """From signing in to the guide, from the guide or the starting sample to the choice."""
        ways = {
            WelcomeStage.SIGN_IN: self._cancel_sign_in,
            WelcomeStage.CONNECT: self._back_to_choice,
            WelcomeStage.SAMPLE: self._leave_sample,
        }
        way = ways.get(self.stage)
        if way is not None:
            way()
        return way is not None

    def _show_stage(self, settings: Settings) -> None:
        stage = self.stage
        screen = self._screens[stage]
        moved = self.stack.currentWidget() is not screen
        connection = self._connections.get(self._account.id) if self._account is not None else None
        code = HINDRANCES.get(connection.state, "") if connection is not None else ""
        if stage is WelcomeStage.SYNC:
            self.sync.show_progress(self.known.progress, self.known.messages)
            self.sync.show_error(sentence(code) if code else "")
        elif stage is WelcomeStage.PREVIEW and self._account is not None:
            self.preview.show_account(self._account.id, self._account.email, settings.drafting.days, bool(settings.model.name))
            if code:  # the status line shows this state too, so the account must not be called connected here
                self.preview.words.setText(sentence(code))
        self.stack.setCurrentWidget(screen)
        if moved and self.isVisible():
            screen.take_focus()

    def _set_facts(self, known: WelcomeFacts) -> None:
        self.known = known
        self.touch()

    def _guide(self) -> None:
        self._set_facts(replace(self.known, guiding=True))

    def _connect_gmail(self) -> None:
        """Signs in with the built-in client, else opens the guide."""
        if self._built_in is not None:
            self._connect(self._built_in)
        else:
            self._guide()

    def add_account(self) -> None:
        """Connects another account; Back returns to the settings."""
        self._set_facts(replace(self.known, adding=True, guiding=self._built_in is None, signing_in=False))
        if self._built_in is not None:
            self._connect(self._built_in)

    def _back_to_choice(self) -> None:
        if self.known.adding:
            self.context.navigator.show_page("settings")
        self._set_facts(replace(self.known, adding=False, guiding=False, signing_in=False, sample=False))

    def _back_to_guide(self) -> None:
        """Back to where the sign-in began: the guide, or the choice with a built-in client."""
        own = self._client_file != self._built_in
        if self.known.adding and not own:
            self._back_to_choice()
        else:
            self._set_facts(replace(self.known, guiding=own, signing_in=False))

    def _cancel_sign_in(self) -> None:
        self.context.link.send(CancelSignIn())
        self._back_to_guide()

    def _sample(self) -> None:
        if self._sample_program is not None:
            self._sample_failed = False
            self._set_facts(replace(self.known, sample=True))
            self._sample_program.start()

    def _leave_sample(self) -> None:
        self._back_to_choice()
        if self._sample_program is not None:
            self._sample_program.stop()

    def _sample_ended(self, exit_code: int) -> None:
        """Comes back, at the guide if the user wants to connect Gmail."""
        if not self.known.sample:
            return  # the user did not wait for it
        self._sample_failed = exit_code not in (0, CONNECT_GMAIL)
        self._set_facts(replace(self.known, sample=False, guiding=exit_code == CONNECT_GMAIL))
        window = self.window()
        window.show()
        window.raise_()
        window.activateWindow()

    def _connect(self, client_file: Path) -> None:
        if self.known.signing_in:
            return  # pressed twice
        self._client_file = client_file
        self.sign_in.begin()
        self.context.link.send(ConnectGmail(client_file))
        self._set_facts(replace(self.known, signing_in=True))

    def _without_model(self) -> None:
        self.context.state.setValue(WITHOUT_MODEL, True)
        self.touch()

    def _begin(self, days: int) -> None:
        if self._account is not None:
            self.context.link.send(StartDrafting(self._account.id, days))
            self._go_on("review")

    def _go_on(self, page: str) -> None:
        """Asks about the next account that is not checked, else opens a page."""
        self.preview.forget()
        if self._account is not None:
            self._answered.add(self._account.id)
        if self.context.reader.unchecked().keys() - self._answered:
            self.touch()
        else:
            self._answered.clear()
            self.context.navigator.show_page(page)

    def _refused(self, event: CommandFailed) -> None:
        words = sentence(event.code, event.text)
        if self.says(event):
            announce(self, words, urgent=True)
        if event.code == SignInCancelled.code:
            return  # the next sign-in may wait already
        if event.command == ConnectGmail.__name__ and self.known.signing_in:
            screen = self.choose if self._client_file == self._built_in else self.guide
            if event.code == LoginNeeded.code:  # there is no earlier sign-in to speak of
                words = self.tr("You didn't finish signing in in your browser.")
            if event.code == BadFile.code and screen is self.guide:  # trying again with the same file would fail again
                self.guide.refuse_file(words)
            else:
                screen.show_error(words, self.tr("Try again"), lambda: self._connect(self._client_file))
            self._back_to_guide()
        elif event.command == StartDrafting.__name__:
            self.preview.show_error(words)

"""What the window's own actions and events do, beyond what its pages test: pause, sync, where to begin."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, SignalInstance
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from app.cli.arguments import parser
from app.config.paths import DataFolder
from app.demo.command import run_demo
from app.domain.error_texts import NO_TEXT, Cause, ErrorText
from app.domain.ids import AccountId
from app.domain.mail.outbox import OutboxState
from app.domain.protocol.account_commands import CancelSignIn, SignInAgain
from app.domain.protocol.archive_commands import ImportProgress
from app.domain.protocol.commands import PauseAgents, SyncNow
from app.domain.protocol.events import (
    CommandFailed,
    ConnectionChanged,
    ConnectionState,
    EngineReady,
    SignInOpened,
    SyncPhase,
    SyncProgress,
    WorkChanged,
)
from app.domain.record import replace
from app.store.archives import Archives
from app.store.db.database import Database
from app.store.outbox import Outbox
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.actions import TABLE, ActionScope
from app.ui.pages.archives import ArchivesController, ImportProgressDialog
from app.ui.pages.compose.page import ComposePage
from app.ui.pages.settings.accounts_section import AccountsSection
from app.ui.pages.settings.page import SettingsPage
from app.ui.pages.welcome.page import CONNECT_GMAIL, WelcomePage
from app.ui.pages.welcome.screens import WelcomeStage
from app.ui.startup.application import WindowOptions, build_window
from app.ui.startup.assembly import first_page
from app.ui.window.main_window import RESTART, MainWindow
from app.ui.window.navigator import WindowNavigator
from app.ui.window.toast import Toast
from fakes.engine.store.run_store import RunStore
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.keyboard import Keyboard
from fakes.window.recorded_engine import RecordedEngine


def test_a_message_that_was_not_sent_is_told(window: MainWindow, store: LivelyStore, link: RecordedEngine) -> None:
    """Its user has turned to something else since."""
    window._event_handler.count()
    toast, outbox = window.findChild(Toast), Outbox(store.db, store.clock)
    assert toast is not None and toast.isHidden()
    item = next(one for one in window.context.reader.open_items() if one.state is OutboxState.QUEUED)
    outbox.move(item.id, OutboxState.QUEUED, OutboxState.HELD, reason="newer_mail")
    window._event_handler.count()
    assert "on hold" in toast.words.text()
    toast.action.click()
    assert window.name == "outbox"
    window._event_handler.count()
    assert toast.isHidden(), "once"


def test_actions_say_and_do_what_the_engine_last_said(window: MainWindow, link: RecordedEngine) -> None:
    actions = window.actions_by_id
    link.tell(WorkChanged(0, 0, True, 0, 0, 0.0))
    assert "Resume" in actions["window.pause"].text()
    actions["window.pause"].trigger()
    actions["window.sync"].trigger()
    assert link.commands[-2:] == [PauseAgents(False), SyncNow()]
    link.tell(WorkChanged(0, 0, False, 0, 0, 0.0))
    assert "Pause" in actions["window.pause"].text()


def test_a_model_that_is_refused_is_told_until_it_is_mended(window: MainWindow, link: RecordedEngine) -> None:
    refused = WorkChanged(0, 0, False, 0, 0, 0.0, ErrorText.of(Cause.MODEL_KEY_REFUSED, "models.example"))
    link.tell(refused)
    banner = window.model_banner
    assert banner.isVisible() and "models.example rejected the key" in banner.words
    banner.choose.click()
    page = window.page("settings")
    assert isinstance(page, SettingsPage) and window.name == "settings" and page.sections["model"].isVisible()
    assert banner.isVisible()
    link.tell(replace(refused, refusal=NO_TEXT))
    assert banner.isHidden()


def test_a_page_made_later_hears_of_each_account(window: MainWindow, link: RecordedEngine) -> None:
    """Two accounts: what was told last is about one of them only."""
    told = [
        ConnectionChanged(AccountId(1), ConnectionState.LOGIN_NEEDED, 0, ""),
        ConnectionChanged(AccountId(2), ConnectionState.ONLINE, 0, ""),
    ]
    for event in told:
        link.tell(event)
    page = window.page("settings")
    assert isinstance(page, SettingsPage)
    page.show_section("accounts")
    section = page.sections["accounts"]
    assert isinstance(section, AccountsSection)
    assert "sign in again" in section.cards[AccountId(1)].state.text()


def test_signing_in_again_is_one_key_away(window: MainWindow, link: RecordedEngine) -> None:
    """Two accounts, of which one waits for the user; the button goes when it is done."""
    action = window.actions_by_id["window.sign_in"]
    banner, button = window.banner, window.banner.sign_in
    link.tell(ConnectionChanged(AccountId(1), ConnectionState.ONLINE, 0, ""))
    assert banner.isHidden()
    action.trigger()
    link.tell(ConnectionChanged(AccountId(2), ConnectionState.LOGIN_NEEDED, 0, ""))
    link.tell(ConnectionChanged(AccountId(1), ConnectionState.ONLINE, 0, ""))
    assert button.isVisible()
    assert "No mail is sent or received" in banner.words
    assert banner.geometry().top() == 0
    assert "wants you to sign in" in window.status.connection.words
    assert "again" in button.text()
    Keyboard().press("Ctrl+Shift+S")
    assert link.commands[-1] == SignInAgain(AccountId(2))
    assert not button.isEnabled()
    link.tell(SignInOpened("https://accounts.example/auth", False, 300.0))
    assert "No browser opened" in banner.words
    banner.copy.click()
    assert QGuiApplication.clipboard().text() == "https://accounts.example/auth"
    assert "browser" in window.status.connection.words
    link.tell(CommandFailed("SignInAgain", "offline", ErrorText.of("no route")))
    assert not banner.copy.isVisible()
    button.click()
    assert link.commands[-2:] == [SignInAgain(AccountId(2))] * 2
    banner.cancel.click()
    assert link.commands[-1] == CancelSignIn()
    link.tell(CommandFailed("SignInAgain", "sign_in_cancelled", account_id=AccountId(2)))
    assert button.isEnabled()
    link.tell(ConnectionChanged(AccountId(2), ConnectionState.ONLINE, 0, ""))
    assert banner.isHidden()
    assert window.status.connection.words == "Online"


def test_an_account_that_was_forgotten_asks_for_no_sign_in(window: MainWindow, link: RecordedEngine, qtbot: QtBot) -> None:
    """The second account is in no file: it was forgotten while it waited for the user."""
    action = window.actions_by_id["window.sign_in"]
    link.tell(ConnectionChanged(AccountId(1), ConnectionState.ONLINE, 0, ""))
    link.tell(ConnectionChanged(AccountId(2), ConnectionState.LOGIN_NEEDED, 0, ""))
    assert action.isEnabled()
    link.tell(EngineReady(1.0, ""))
    link.tell(ConnectionChanged(AccountId(1), ConnectionState.ONLINE, 0, ""))
    qtbot.waitUntil(lambda: not action.isEnabled(), timeout=30_000)
    assert not action.isVisible()
    assert window.status.connection.words == "Online"
    before = list(link.commands)
    action.trigger()
    assert link.commands == before


def test_the_steps_to_a_client_open_although_there_is_mail(window: MainWindow) -> None:
    window.context.navigator.show_guide()
    page = window.page("welcome")
    assert isinstance(page, WelcomePage)
    assert (window.name, page.stage) == ("welcome", WelcomeStage.CONNECT)
    assert page.guide.isVisible()
    assert page.go_back()
    assert window.name == "settings"


def test_the_windows_actions_are_the_windows(window: MainWindow) -> None:
    here = {action.objectName() for action in window.actions()}
    assert {spec.id for spec in TABLE if spec.where is ActionScope.WINDOW} == here


def test_writing_quitting_and_searching(window: MainWindow) -> None:
    quitting: SignalInstance = window.quitting
    heard = QSignalSpy(quitting)
    actions = window.actions_by_id
    actions["window.compose"].trigger()
    assert window.name == "compose"
    assert isinstance(window.page("compose"), ComposePage)
    actions["window.quit"].trigger()
    assert heard.count() == 1
    window.activateWindow()
    actions["window.search"].trigger()
    assert window.search.hasFocus()


def test_a_link_that_opens_nowhere_can_be_copied(window: MainWindow) -> None:
    navigator = window.context.navigator
    assert isinstance(navigator, WindowNavigator)
    opened = navigator.open_link("https://console.example/", lambda address: False)
    assert opened is False
    toast = window.findChild(Toast)
    assert "No browser opened" in toast.words.text()
    toast.action.click()
    assert QGuiApplication.clipboard().text() == "https://console.example/"


@pytest.fixture(params=[False, True])
def fresh(qtbot: QtBot, qapp: QApplication, data: DataFolder, request: pytest.FixtureRequest) -> Iterator[MainWindow]:
    """A window without an account; of the sample mailbox for `True`."""
    qapp.setStyleSheet("")
    RunStore(data.database).close()
    reader = SqliteMailboxReader(data.database)
    made = build_window(data, reader, RecordedEngine(), WindowOptions(sample=request.param))
    made.resize(1000, 760)
    with qtbot.waitExposed(made, timeout=30_000):
        made.show()
    made.activateWindow()
    yield made
    made.close()
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    reader.close()


@pytest.mark.parametrize("fresh", [False], indirect=True)
def test_an_imported_archive_opens_the_window(fresh: MainWindow, data: DataFolder, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "a.mbox").touch()
    db = Database.open(data.database)
    account_id = Archives(db).open(tmp_path / "a.mbox", 1).account_id
    db.close()
    link = fresh.context.link
    assert isinstance(link, RecordedEngine)
    fresh.findChildren(ArchivesController)[0].show_reading(ImportProgress(account_id, "a.mbox", "reading", 0, 1, 0, 0, 0))
    (dialog,) = fresh.findChildren(ImportProgressDialog)
    link.tell(ImportProgress(account_id, "a.mbox", "done", 1, 1, 12, 12, 12))
    assert (fresh.name, fresh.navigation.isVisible()) == ("all", True)
    fresh.show_page("settings")
    dialog.open_mail.click()
    assert (fresh.name, dialog.isVisible(), first_page(fresh.context)) == ("all", False, "all")
    keys = Keyboard()
    keys.press("Ctrl+2")
    assert fresh.name == "inbox"
    keys.press("Ctrl+N")
    (toast,) = fresh.findChildren(Toast)
    assert "Connect Gmail" in toast.words.text()
    toast.action.click()
    assert fresh.name == "welcome"


@pytest.mark.parametrize("fresh", [False], indirect=True)
def test_only_welcome_is_there_before_an_account(fresh: MainWindow, qtbot: QtBot) -> None:
    page = fresh.page("welcome")
    assert isinstance(page, WelcomePage)
    page.choose.connect_gmail.click()
    qtbot.waitUntil(page.guide.isVisible)
    keys = Keyboard()
    for pressed in ("/", "?", "Ctrl+K", "Ctrl+1", "Ctrl+8", "Ctrl+N", "Ctrl+,"):
        keys.press(pressed)
        assert fresh.name == "welcome", pressed
        assert page.guide.isVisible(), pressed
        assert not [one for one in fresh.findChildren(QDialog) if one.isVisible()], pressed
    assert not fresh.navigation.isVisible()
    assert not fresh.search.isVisible()
    keys.press("Escape")
    qtbot.waitUntil(page.choose.isVisible)
    assert not fresh.sample_strip.isVisible()


@pytest.mark.parametrize("fresh", [True], indirect=True)
def test_the_samples_window_is_marked_and_leads_to_gmail(fresh: MainWindow) -> None:
    assert fresh.sample_strip.isVisible()
    assert "Sample" in fresh.windowTitle()
    quitting = QSignalSpy(fresh.quitting)
    fresh.sample_strip.connect_gmail.click()
    assert quitting.count() == 1
    assert fresh.exit_code == CONNECT_GMAIL


@pytest.mark.parametrize("fresh", [True], indirect=True)
def test_the_sample_restarts_for_a_new_text_size(fresh: MainWindow) -> None:
    quitting = QSignalSpy(fresh.quitting)
    fresh.context.navigator.restart()
    assert (quitting.count(), fresh.exit_code) == (1, RESTART)


def test_a_restarting_sample_keeps_its_mailbox(monkeypatch: pytest.MonkeyPatch, data: DataFolder) -> None:
    """The window starts again over the same folder and server, at the page it was left on."""
    starts: list[tuple[DataFolder, str, bool]] = []

    def run(folder: DataFolder, _open: object, _engine: object, options: WindowOptions) -> int:
        starts.append((folder, options.page, options.sample))
        return RESTART if len(starts) == 1 else 0

    monkeypatch.setattr("app.ui.startup.application.run_window", run)
    monkeypatch.setattr("app.demo.command.has_display", lambda: True)
    command = ["demo", "--data", str(data.root / "sample")]
    assert run_demo(parser().parse_args(command), lambda _folder: []) == 0
    assert [(page, sample) for _folder, page, sample in starts] == [("review", True), ("", True)]
    assert starts[0][0] is starts[1][0]


@pytest.mark.parametrize("fresh", [True], indirect=True)
def test_review_says_that_mail_is_coming_until_the_first_sync_is_done(fresh: MainWindow, qtbot: QtBot) -> None:
    link, page = fresh.context.link, fresh.review_page
    assert isinstance(link, RecordedEngine)
    fresh.show_page("review")
    assert page.state._title.text() == "Getting your mail…"
    link.tell(SyncProgress(AccountId(1), SyncPhase.BACKFILL, 40, 200, -1.0))
    qtbot.waitUntil(lambda: "40 of 200" in page.state._sentence.text())
    link.tell(SyncProgress(AccountId(1), SyncPhase.CURRENT, 200, 200, -1.0))
    qtbot.waitUntil(lambda: page.state._title.text() == "Nothing here yet")

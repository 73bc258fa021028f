"""What the window's own actions and events do, beyond what its pages test: pause, sync, where to begin."""

from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.domain.error_texts import ErrorText
from app.domain.ids import AccountId
from app.domain.protocol.account_commands import CancelSignIn, SignInAgain
from app.domain.protocol.commands import PauseAgents, SyncNow
from app.domain.protocol.events import (
    CommandFailed,
    ConnectionChanged,
    ConnectionState,
    EngineReady,
    SignInOpened,
    WorkChanged,
)
from app.ui.pages.settings.accounts_section import AccountsSection
from app.ui.pages.settings.page import SettingsPage
from app.ui.pages.welcome.page import WelcomePage
from app.ui.pages.welcome.screens import WelcomeStage
from app.ui.startup.assembly import first_page
from app.ui.window.main_window import MainWindow
from fakes.window.keyboard import Keyboard
from fakes.window.recorded_engine import RecordedEngine


def test_actions_say_and_do_what_the_engine_last_said(window: MainWindow, link: RecordedEngine) -> None:
    actions = window.actions_by_id
    link.tell(WorkChanged(0, 0, True, 0, 0, 0.0))
    assert "Resume" in actions["window.pause"].text()
    actions["window.pause"].trigger()
    actions["window.sync"].trigger()
    assert link.commands[-2:] == [PauseAgents(False), SyncNow()]
    link.tell(WorkChanged(0, 0, False, 0, 0, 0.0))
    assert "Pause" in actions["window.pause"].text()


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


def test_it_begins_where_the_user_left(window: MainWindow) -> None:
    window.show_page("outbox")
    window._session.save()  # what a moment brings
    assert first_page(window._context) == "outbox"


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
    window._context.navigator.show_guide()
    page = window.page("welcome")
    assert isinstance(page, WelcomePage)
    assert (window.name, page.stage) == ("welcome", WelcomeStage.CONNECT)
    assert page.guide.isVisible()
    assert page.go_back()
    assert window.name == "settings"

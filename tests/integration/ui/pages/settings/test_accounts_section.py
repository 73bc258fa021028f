"""The accounts section: how each stands, resting, colours, signing in again, forgetting, another account's file."""

from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.domain.error_texts import Cause, ErrorText
from app.domain.ids import AccountId, GmailId, GmailThreadId
from app.domain.protocol.account_commands import ClientFileChecked, PauseAccount, RecolourAccount, SignInAgain
from app.domain.protocol.commands import ConnectGmail, SyncNow, WipeAccount
from app.domain.protocol.events import (
    CommandFailed,
    ConnectionChanged,
    ConnectionState,
    EngineReady,
    ErrorReported,
    Initiator,
    MailChanged,
)
from app.link.frames import LinkClosed
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage, ToFetch
from app.ui.pages.settings.accounts_section import AccountCard, AccountsSection
from app.ui.pages.settings.page import SettingsPage
from fakes.window.page_setup import NOW, Stage, cut, nameless, until

ME = AccountId(1)


@pytest.fixture
def marks(stage: Stage) -> Accounts:
    db = Database.open(stage.data.database)
    Accounts(db).add("me@example.com", "Mia", ("me@example.com",), "", "#3b6fd4")
    return Accounts(db)


def section(stage: Stage, wait: bool = True) -> tuple[SettingsPage, AccountsSection]:
    page = SettingsPage(stage.context)
    stage.show(page, wait=wait)
    page.show_section("accounts")
    shown = page.sections["accounts"]
    assert isinstance(shown, AccountsSection)
    return page, shown


def answers(stage: Stage, state: ConnectionState) -> None:
    stage.engine.tell(ConnectionChanged(ME, state, 0, ""))


def card(stage: Stage) -> AccountCard:
    return section(stage)[1].cards[ME]


def test_an_account_shows_how_it_stands(stage: Stage, marks: Accounts) -> None:
    page, shown = section(stage)
    mine = shown.cards[ME]
    assert mine.state.text() == "Connected"
    answers(stage, ConnectionState.OFFLINE)
    assert mine.state.text().startswith("Offline")
    answers(stage, ConnectionState.ONLINE)
    assert mine.state.text() == "Online"
    marks.set_paused(ME, True)
    answers(stage, ConnectionState.PAUSED)
    assert mine.state.text().startswith("Paused")
    assert mine.pause.text() == "Resume"
    QApplication.processEvents()  # the longer word is laid out
    assert not nameless(page)
    assert not cut(page)


def test_a_damaged_store_is_said_and_read_again_when_it_is_whole(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = stage.data.root / "whole.db"
    db = Database.open(whole)
    Accounts(db).add("me@example.com", "Mia", ("me@example.com",), "", "#3b6fd4")
    db.close()
    stage.data.database.write_bytes(b"\xa5" * 20_000)
    page, shown = section(stage)
    assert page.shown == "accounts"
    assert "is damaged" in shown.unreadable.words
    assert not shown.client.line.isEnabled()
    whole.replace(stage.data.database)
    shown.unreadable.button.click()
    assert list(shown.cards) == [ME]
    assert shown.unreadable.isHidden()
    assert shown.client.line.isEnabled()


def test_the_rules_own_page_says_what_is_wrong_with_their_file(stage: Stage, marks: Accounts) -> None:
    page, _shown = section(stage)
    trouble = ErrorReported("bad_file", ErrorText(Cause.UNKNOWN_ROUTE.name, ("x", "agent"), f"{stage.data.rules}:12"))
    assert not page.says(trouble)
    page.show_section("rules")
    assert page.says(trouble)


def test_mail_that_cannot_be_fetched_is_shown_and_tried_again(stage: Stage, marks: Accounts) -> None:
    page, shown = section(stage)
    mine = shown.cards[ME]
    assert (mine.aside.isVisible(), mine.try_again.isVisible()) == (False, False)
    rows = [ToFetch(GmailId(f"m{tries}"), GmailThreadId("t"), "server_trouble", 0, tries) for tries in range(3)]
    Messages(Database.open(stage.data.database)).apply(ME, SyncPage(to_fetch=tuple(rows)))
    assert [(one.gmail_id, one.attempts) for one in stage.context.reader.set_aside(ME)] == [("m2", 2), ("m1", 1)]
    answers(stage, ConnectionState.ONLINE)
    assert mine.aside.text().startswith("2 email")
    assert "problem" in mine.aside.text()
    mine.try_again.click()
    assert stage.engine.commands == [SyncNow()]
    assert not nameless(page)
    assert not cut(page)


def test_an_account_whose_mail_is_not_checked_says_so_until_the_user_agrees(stage: Stage, marks: Accounts) -> None:
    page, shown = section(stage)
    mine = shown.cards[ME]
    assert mine.unchecked.isVisible()
    assert not nameless(page)
    assert not cut(page)
    mine.check.click()
    assert stage.neighbours.went == ["welcome"]
    marks.set_consent(ME, 0)
    answers(stage, ConnectionState.ONLINE)
    assert (mine.unchecked.isVisible(), mine.check.isVisible()) == (False, False)


def test_removing_asks_once_more_and_may_fail(stage: Stage, marks: Accounts) -> None:
    mine = card(stage)
    mine.forget.click()
    assert stage.engine.commands == []
    mine.keep.click()
    assert not mine.really.isVisible()
    mine.forget.click()
    mine.really.click()
    assert stage.engine.commands == [WipeAccount(ME)]
    assert not mine.isEnabled()
    stage.engine.tell(CommandFailed("WipeAccount", "disk_full"))
    assert mine.isEnabled() and mine.forget.isEnabled()
    mine.pause.click()
    mine.colour.announce("#2d7d46")
    assert stage.engine.commands[1:] == [PauseAccount(ME, True), RecolourAccount(ME, "#2d7d46")]


def test_signing_in_again_waits_and_says_what_went_wrong(stage: Stage, marks: Accounts) -> None:
    mine = card(stage)
    answers(stage, ConnectionState.LOGIN_NEEDED)
    mine.sign_in.click()
    assert (stage.engine.commands, mine.waiting, mine.sign_in.isEnabled()) == ([SignInAgain(ME)], True, False)
    stage.engine.tell(CommandFailed("SignInAgain", "refused", ErrorText.of("You signed in as you@example.com."), ME))
    assert (mine.waiting, mine.sign_in.isEnabled()) == (False, True)
    assert "you@example.com" in mine.note.text()
    mine.sign_in.click()
    answers(stage, ConnectionState.ONLINE)
    assert (mine.waiting, mine.state.text(), mine.note.isVisible()) == (False, "Online", False)


def test_a_sign_in_that_ended_as_in_testing_says_so(stage: Stage, marks: Accounts) -> None:
    marks.ended_early(ME)
    mine = card(stage)
    answers(stage, ConnectionState.LOGIN_NEEDED)
    assert "7 days" in mine.state.text()
    marks.signed_in(ME, NOW)
    answers(stage, ConnectionState.ONLINE)
    assert mine.state.text() == "Online"


def test_another_account_is_added_with_a_file_that_was_looked_at(stage: Stage, qtbot: QtBot, tmp_path: Path) -> None:
    _, shown = section(stage)
    path = tmp_path / "client.json"
    shown.guide.click()
    assert stage.neighbours.went == ["guide"]
    stage.engine.tell(CommandFailed("ConnectGmail", "offline"))
    assert not shown.check_result.text(), "it was asked elsewhere"
    shown.checked(ClientFileChecked(ErrorText.of("This is not JSON.", "Download it again."), 3))
    assert "Line 3" in shown.check_result.text()
    assert not shown.connect_it.isEnabled()
    shown.client.line.setText(str(path))
    shown.checked(ClientFileChecked())
    shown.connect_it.click()
    assert stage.engine.commands == [ConnectGmail(path)]
    stage.engine.tell(CommandFailed("ConnectGmail", "login_needed"))
    assert shown.connect_it.isEnabled()
    shown.connect_it.click()
    assert "browser" in shown.check_result.text()
    with closing(Database.open(stage.data.database)) as db:
        Accounts(db).add("you@example.com", "You", ("you@example.com",), "", "#3b6fd4")
    stage.engine.tell(EngineReady(1.0, ""))
    assert "browser" not in shown.check_result.text(), "ready for another account"


def test_another_account_needs_no_file_where_the_program_has_a_client(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = tmp_path / "client.json"
    client.write_text("{}")
    monkeypatch.setenv("REPLYROOM_GOOGLE_CLIENT", str(client))
    _, shown = section(stage)
    shown.client.line.setText(str(tmp_path / "own.json"))
    assert not shown.connect_it.isEnabled(), "it is looked at first"
    shown.client.line.clear()
    shown.connect_it.click()
    assert stage.engine.commands == [ConnectGmail(client)]


def test_accounts_that_came_and_went_unseen_are_right_when_shown(stage: Stage, marks: Accounts) -> None:
    page, shown = section(stage)
    page.show_section("about")
    db = Database.open(stage.data.database)
    Accounts(db).add("you@example.com", "You", ("you@example.com",), "", "#3b6fd4")
    stage.engine.tell(MailChanged(ME, (), Initiator.SYNC))
    assert len(shown.cards) == 1
    page.show_section("accounts")
    assert len(shown.cards) == 2
    db.close()


async def test_a_file_that_could_not_be_looked_at_is_looked_at_when_the_engine_is_up(stage: Stage, tmp_path: Path) -> None:
    _page, shown = section(stage, wait=False)
    shown.client.line.setText(str(tmp_path / "client.json"))
    await until(lambda: len(stage.engine.queries) == 1)
    stage.engine.refuse(LinkClosed("The engine is not running."))
    await until(lambda: "restarting in the background" in shown.check_result.text())
    stage.engine.tell(EngineReady(1.0, ""))
    await until(lambda: len(stage.engine.queries) == 2)
    stage.engine.answer(ClientFileChecked())
    await until(shown.connect_it.isEnabled)

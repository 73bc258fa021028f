"""A mail archive is chosen, and its progress is told with a way to stop it."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.domain.archives import ImportArchive, ImportProgress, StopImport
from app.domain.commands import WipeAccount
from app.domain.ids import AccountId
from app.domain.mail import ARCHIVE, Account
from app.ui.archives import ArchiveChoice, Archives, KnownArchive, progress_words
from app.ui.main_window import MainWindow
from app.ui.toast import Toast
from fakes.recorded_engine import RecordedEngine


def test_the_action_asks_which_kind(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    window.actions_by_id["window.import"].trigger()
    choice = window.findChildren(ArchiveChoice)[0]
    asked: list[bool] = []
    monkeypatch.setattr(choice._archives, "pick", asked.append)
    choice._pick(folder=True)
    assert asked == [True]


def test_reading_is_told_and_can_be_stopped(window: MainWindow, link: RecordedEngine) -> None:
    archives = window.findChildren(Archives)[0]
    archives.read("/home/me/old.mbox")
    assert link.commands[-1] == ImportArchive(Path("/home/me/old.mbox"))
    link.tell(ImportProgress(AccountId(7), "old.mbox", "reading", 25, 100, 1234))
    toast = window.findChildren(Toast)[0]
    assert "25 %" in toast.words.text()
    assert toast.take_action()
    assert link.commands[-1] == StopImport(AccountId(7))
    link.tell(ImportProgress(AccountId(7), "old.mbox", "done", 100, 100, 5000))
    assert not toast.action_offered


@pytest.mark.parametrize("state", ["reading", "done", "stopped", "failed"])
def test_every_state_has_words(state: str) -> None:
    words, going_on = progress_words(ImportProgress(AccountId(7), "old.mbox", state, 0, 0, 0))
    assert "old.mbox" in words
    assert going_on == (state == "reading")


def test_an_archive_is_forgotten_by_two_clicks(qtbot: QtBot, window: MainWindow, link: RecordedEngine) -> None:
    archives = window.findChildren(Archives)[0]
    account = Account(AccountId(7), "old.mbox", "old.mbox", (), "", "#111111", kind=ARCHIVE)
    row = KnownArchive(archives, account)
    qtbot.addWidget(row)
    row.forget.click()
    assert link.commands == []
    row.sure.click()
    assert link.commands == [WipeAccount(AccountId(7))]
    assert archives.known() == ()

"""A mail archive is chosen, brought up to date or kept apart; its reading is shown, paused and ended."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.domain.archives import CancelImport, ContinueImport, ImportArchive, ImportProgress, ImportQuestion, StopImport
from app.domain.commands import WipeAccount
from app.domain.ids import AccountId
from app.domain.mail import ARCHIVE, Account
from app.ui.archive_question import AlikeDialog
from app.ui.archive_reading import ReadingDialog, count_words, progress_words
from app.ui.archives import ArchiveChoice, Archives, KnownArchive
from app.ui.main_window import MainWindow
from app.ui.toast import Toast
from fakes.recorded_engine import RecordedEngine


def progress(state: str, seen: int = 0, *, update: bool = False) -> ImportProgress:
    """A quarter of an archive."""
    return ImportProgress(AccountId(7), "old.mbox", state, 25, 100, 1234, seen, 20, 3, update)


def test_the_action_asks_which_kind(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    window.actions_by_id["window.import"].trigger()
    choice = window.findChildren(ArchiveChoice)[0]
    asked: list[tuple[bool, AccountId | None]] = []
    monkeypatch.setattr(choice._archives, "pick", lambda folder, into: asked.append((folder, into)))
    choice._pick(folder=True)
    assert asked == [(True, None)]


def test_reading_is_shown_with_counts_and_can_be_paused_and_ended(window: MainWindow, link: RecordedEngine) -> None:
    archives = window.findChildren(Archives)[0]
    wanted = ImportArchive(Path("/home/me/old.mbox"))
    archives.read(wanted)
    assert link.commands[-1] == wanted
    link.tell(progress("reading", 30))
    (dialog,) = window.findChildren(ReadingDialog)
    assert (dialog.bar.value(), dialog.pause.isVisible(), dialog.go_on.isVisible()) == (250, True, False)
    assert "30" in dialog.counts.text() and "20" in dialog.counts.text()
    dialog.pause.click()
    assert link.commands[-1] == StopImport(AccountId(7))
    link.tell(progress("stopped", 30))
    dialog.go_on.click()
    assert link.commands[-1] == ContinueImport(AccountId(7))
    link.tell(progress("reading", 31))
    for answer, command in ((dialog.keep, False), (dialog.take_away, True)):
        assert not answer.isVisible()
        dialog.cancel.click()
        assert answer.isVisible() and dialog.sure.isVisible()
        answer.click()
        assert link.commands[-1] == CancelImport(AccountId(7), command)
    dialog.cancel.click()
    sent = len(link.commands)
    dialog.go_on.click()  # thought better of it
    assert len(link.commands) == sent and not dialog.keep.isVisible() and dialog.pause.isVisible()
    link.tell(progress("done", 40))
    assert dialog.bar.value() == 1000 and not dialog.cancel.isVisible() and dialog.leave.isVisible()


def test_reading_that_goes_on_after_a_restart_is_told_with_a_way_to_it(window: MainWindow, link: RecordedEngine) -> None:
    link.tell(progress("reading"))
    toast = window.findChildren(Toast)[0]
    assert "25 %" in toast.words.text()
    assert toast.take_action()
    assert window.findChildren(ReadingDialog)[0].account_id == 7
    window.findChildren(ReadingDialog)[0].close()
    link.tell(progress("done"))
    assert not toast.action_offered


def test_a_file_with_the_same_mail_is_asked_about(window: MainWindow, link: RecordedEngine) -> None:
    path = Path("/home/me/new.mbox")
    for answer in ("update_it", "apart"):
        link.tell(ImportQuestion(path, AccountId(7), "old.mbox", 200, 170))
        dialog = window.findChildren(AlikeDialog)[-1]
        assert "170" in dialog.words.text() and "200" in dialog.words.text()
        getattr(dialog, answer).click()
    assert link.commands[-2:] == [ImportArchive(path, into=AccountId(7)), ImportArchive(path, apart=True)]


def test_no_button_of_a_dialog_is_ever_cut(window: MainWindow, link: RecordedEngine) -> None:
    link.tell(ImportQuestion(Path("/home/me/new.mbox"), AccountId(7), "old.mbox", 200, 170))
    for dialog in (*window.findChildren(AlikeDialog), ArchiveChoice(window.findChildren(Archives)[0], window)):
        dialog.show()
        dialog.resize(1, 1)
        assert all(one.width() >= one.sizeHint().width() for one in dialog.findChildren(QPushButton))


def test_what_was_taken_away_has_no_bar(window: MainWindow) -> None:
    archives = window.findChildren(Archives)[0]
    archives.show_reading(progress("leaving"))
    (dialog,) = window.findChildren(ReadingDialog)
    assert dialog.bar.isVisible() and dialog.focusWidget() is dialog.leave
    dialog.show_progress(progress("gone"))
    assert not dialog.bar.isVisible() and not dialog.counts.isVisible()


def test_what_is_not_new_in_a_new_archive_was_not_here_before() -> None:
    """It stands in the archive more than once."""
    new, update = (ImportProgress(AccountId(7), "old.mbox", "done", 9, 9, 30, 40, 30, 0, one) for one in (False, True))
    assert "More than once in the archive: 10." in count_words(new)
    assert "Here before" not in count_words(new)
    assert "Here before: 10." in count_words(update)


def test_what_an_update_did_is_counted() -> None:
    assert "3" not in count_words(progress("done", 40))
    assert "3" in count_words(progress("done", 40, update=True))


@pytest.mark.parametrize("state", ["reading", "done", "stopped", "ended", "failed", "leaving", "gone"])
def test_every_state_has_words(state: str) -> None:
    words, going_on = progress_words(ImportProgress(AccountId(7), "old.mbox", state, 0, 0, 0))
    assert "old.mbox" in words
    assert going_on == (state in ("reading", "leaving"))


def test_an_archive_is_forgotten_by_two_clicks(qtbot: QtBot, window: MainWindow, link: RecordedEngine) -> None:
    archives = window.findChildren(Archives)[0]
    account = Account(AccountId(7), "old.mbox", "old.mbox", (), "", "#111111", kind=ARCHIVE)
    row = KnownArchive(archives, account, None, ArchiveChoice(archives, window))
    qtbot.addWidget(row)
    row.forget.click()
    assert link.commands == []
    row.sure.click()
    assert link.commands == [WipeAccount(AccountId(7))]
    assert archives.known() == ()


def test_a_paused_archive_goes_on_and_a_read_one_is_brought_up_to_date(
    window: MainWindow, link: RecordedEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    archives = window.findChildren(Archives)[0]
    account = Account(AccountId(7), "old.mbox", "old.mbox", (), "", "#111111", kind=ARCHIVE)
    monkeypatch.setattr(archives, "known", lambda: (account,))
    monkeypatch.setattr(archives, "readings", lambda: {AccountId(7): progress("stopped")})
    archives.choose()
    (row,) = window.findChildren(KnownArchive)
    assert row.go_on.isVisible() and not row.show_it.isVisible()
    row.go_on.click()
    assert link.commands == [ContinueImport(AccountId(7))]
    archives.choose()
    window.findChildren(KnownArchive)[-1].update_it.click()
    choice = window.findChildren(ArchiveChoice)[-1]
    picked: list[object] = []
    monkeypatch.setattr(archives, "pick", lambda folder, into: picked.append((folder, into)))
    choice._pick(folder=False)
    assert picked == [(False, AccountId(7))]

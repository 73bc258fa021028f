"""What keeps mail back is said in the same words everywhere, and only of the account it is about."""

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.domain.ids import AccountId
from app.domain.protocol.events import ConnectionChanged, ConnectionState
from app.ui.widgets.notice_line import ConnectionNote, ConnectionStatus
from fakes.window.page_setup import Stage

ME, CLUB = AccountId(1), AccountId(2)
HELD = (ConnectionState.OFFLINE, ConnectionState.LOGIN_NEEDED, ConnectionState.PAUSED)


def changed(account: AccountId, state: ConnectionState) -> ConnectionChanged:
    return ConnectionChanged(account, state, 0, "")


@pytest.mark.parametrize("state", ConnectionState)
def test_what_is_held_back_is_held_back_for_one_reason(qtbot: QtBot, state: ConnectionState) -> None:
    standings = ConnectionStatus()
    standings.hear(changed(ME, state))
    said = (standings.once_approved(ME), standings.waiting(ME))
    assert [bool(words) for words in said] == [state in HELD] * 2
    assert len({words.partition(".")[0] for words in said}) == 1, "one reason"
    assert not standings.waiting(CLUB)
    assert bool(standings.undone(ME)) == (state in HELD)
    assert "is sent" not in standings.undone(ME)


@pytest.mark.usefixtures("czech")
@pytest.mark.parametrize("state", HELD)
def test_in_czech_a_label_change_does_not_leave(state: ConnectionState) -> None:
    standings = ConnectionStatus()
    standings.hear(changed(ME, state))
    for words in (standings.once_approved(ME), standings.waiting(ME)):
        assert "odešle se" in words or "se odešle" in words
        assert " to" not in words
    assert "provede se" in standings.undone(ME)


def test_the_note_follows_its_letters_account(qtbot: QtBot, stage: Stage) -> None:
    note = ConnectionNote(stage.context.icons)
    qtbot.addWidget(note)
    note.hear(changed(CLUB, ConnectionState.OFFLINE))
    note.about(ME)
    assert note.isHidden()
    note.about(CLUB)
    assert not note.isHidden()
    assert note.accessibleName() == note.words == note.findChildren(QLabel)[0].text() != ""
    note.hear(changed(CLUB, ConnectionState.ONLINE))
    assert note.isHidden()
    note.hear(changed(CLUB, ConnectionState.PAUSED))
    note.about(None)
    assert note.isHidden()

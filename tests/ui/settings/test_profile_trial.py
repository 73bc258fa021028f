"""Trying a profile: a mail is chosen, the answer tells each call, and waiting can be stopped."""

from collections.abc import Callable, Coroutine

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.domain.errors import Refused
from app.domain.profile_trial import ProfileTried, TriedCall, TryProfile
from app.engine.tables import open_tables
from app.store.pages import SyncPage
from app.ui.settings.profile_trial import ProfileTrial
from fakes.page_stage import Stage, drive, until
from fakes.stored_mail import ME, HandClock, remote

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

CALLS = (
    TriedCall("search_drugs", '{"query": "paralen"}', True, "allow", '{"drugs": []}'),
    TriedCall("send_reply", '{"to": "jana@x.cz"}', False, "ask", ""),
)


def on_screen(stage: Stage, qtbot: QtBot, work: Callable[[ProfileTrial], Coroutine[None, None, None]]) -> None:
    """Show the widget over an inbox of two mails and do `work` there."""
    tables = open_tables(stage.data.database, HandClock())
    account = tables.accounts.add(ME.email, "", (ME.email,), "", "#123456")
    tables.messages.apply(account, SyncPage(messages=(remote("a", subject="Old"), remote("b", subject="New", minutes=5))))
    tables.db.close()
    widget = ProfileTrial(stage.context)
    qtbot.addWidget(widget)
    widget.show()
    widget.show_profile("pharmacy")
    drive(work(widget))


def test_what_it_did_and_would_have_done_is_told(stage: Stage, qtbot: QtBot) -> None:
    async def work(trial: ProfileTrial) -> None:
        assert [trial.mail.itemText(at) for at in range(trial.mail.count())] == ["Ana Novák: New", "Ana Novák: Old"]
        qtbot.keyClick(trial.start, Qt.Key.Key_Space)
        await until(lambda: bool(stage.engine.queries))
        assert stage.engine.queries == [TryProfile("pharmacy", trial.mail.itemData(0))]
        assert trial.start.text() == "Stop waiting"
        stage.engine.answer(ProfileTried("completed", "New support inquiry", "Done.", CALLS))
        await until(trial.found.isVisible)
        told = trial.found.toPlainText()
        assert "1. search_drugs: read" in told
        assert "2. send_reply: held back; it would have asked you" in told
        assert told.endswith("Its last words:\nDone.")
        assert trial.start.text() == "Try it"

    on_screen(stage, qtbot, work)


def test_trouble_is_told_and_waiting_can_be_stopped(stage: Stage, qtbot: QtBot) -> None:
    async def work(trial: ProfileTrial) -> None:
        trial.start.click()
        await until(lambda: bool(stage.engine.queries))
        stage.engine.refuse(Refused("The model has no key.", "Store one."))
        await until(lambda: trial.words.text() == "The model has no key. Store one.")
        trial.start.click()
        await until(lambda: len(stage.engine.queries) == 2)
        trial.start.click()
        await until(lambda: len(stage.engine.withdrawn) == 1)
        assert trial.start.text() == "Try it"
        assert not trial.words.isVisible()

    on_screen(stage, qtbot, work)

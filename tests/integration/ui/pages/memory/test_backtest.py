"""The dialog "Test on past email": progress, cancel, the result in words, and a choice that becomes a setting."""

import json

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.config.settings_file import change
from app.domain.agents.backtest import STANDARD, BacktestRow, limits_for
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, MessageId, ThreadId
from app.domain.protocol.agent_commands import BacktestDone, RunBacktest
from app.domain.protocol.commands import ChangeSettings
from app.domain.protocol.events import BacktestProgress
from app.domain.record import replace
from app.engine.runtime.tables import open_tables
from app.ui.pages.memory.backtest import BacktestDialog
from app.ui.pages.memory.page import MemoryPage
from fakes.engine.store.values import ME, HandClock
from fakes.window.page_setup import Stage, until

DAY_MS = 24 * 3600 * 1000


def opened(stage: Stage, qtbot: QtBot) -> BacktestDialog:
    """The dialog, opened by its key on the Memory page."""
    tables = open_tables(stage.data.database, HandClock())
    tables.accounts.add(ME.email, ME.name, (ME.email,), "", "#123456")
    tables.close()
    page = MemoryPage(stage.context)
    stage.show(page, wait=False)
    page.list.setFocus()
    stage.context.actions["memory.try"].trigger()
    found = page.findChild(BacktestDialog)
    assert found is not None and found.isVisible()
    return found


def done(strongest: tuple[tuple[str, float], ...] = (("written_to", 1.0), ("list", -1.0))) -> BacktestDone:
    """Ten answered messages, likelier each time, and ten that were not."""
    rows = [BacktestRow(MessageId(at), ThreadId(at), at / 10, 0.0, "", True) for at in range(1, 11)]
    rows += [BacktestRow(MessageId(900 + at), ThreadId(900 + at), at / 20, 0.0, "", False) for at in range(10)]
    return BacktestDone(AccountId(1), 0, 70 * DAY_MS, tuple(rows), 200, 40, strongest)


async def run(stage: Stage, qtbot: QtBot, answer: BacktestDone) -> BacktestDialog:
    dialog, link = opened(stage, qtbot), stage.engine
    qtbot.mouseClick(dialog.start, Qt.MouseButton.LeftButton)
    await until(lambda: link.asked(RunBacktest) > 0)
    assert dialog.cancel.isVisible() and not dialog.start.isVisible()
    link.tell(BacktestProgress(answer.account_id, 7, 20))
    assert (dialog.bar.value(), dialog.bar.maximum()) == (7, 20)
    link.answer(answer, RunBacktest)
    await until(lambda: dialog.misses.isVisible())
    return dialog


async def test_the_result_in_words_and_a_choice_that_is_applied(stage: Stage, qtbot: QtBot) -> None:
    answer = done()
    dialog = await run(stage, qtbot, answer)
    assert "20" in dialog.words.text() and "10" in dialog.words.text()
    assert "people you know" in dialog.learned.text() and "mailing lists" in dialog.learned.text()
    assert "Missed: 4 of the 10" in dialog.outcome.text()
    assert dialog.model.rowCount() == 4
    dialog.shown.setCurrentIndex(1)
    assert dialog.model.rowCount() == 1, "of those not answered one would be marked"
    assert not dialog.apply.isEnabled(), "standard is in force"
    dialog.misses.setCurrentIndex(dialog.misses.findText("10 in 100 emails you answer"))
    assert "Missed: 1 of the 10" in dialog.outcome.text()
    qtbot.mouseClick(dialog.apply, Qt.MouseButton.LeftButton)
    change, limits = stage.engine.commands[-1], limits_for(answer.rows, 10)
    assert isinstance(change, ChangeSettings)
    assert {key: json.loads(value) for key, value in change.values} == {
        "triage.respond_from": limits.respond_from,
        "triage.ignore_from": limits.ignore_from,
    }
    stage.neighbours.offers[-1]()
    undone = stage.engine.commands[-1]
    assert isinstance(undone, ChangeSettings) and dict(undone.values)["triage.respond_from"] == str(STANDARD.respond_from)


async def test_standard_is_the_limit_that_past_mail_taught(stage: Stage, qtbot: QtBot) -> None:
    """With too little to learn from, that is said instead."""
    dialog = await run(stage, qtbot, replace(done(()), respond_from=0.25))
    assert dialog.misses.currentText() == "Standard"
    assert "Missed: 2 of the 10" in dialog.outcome.text()
    assert dialog.model.rowCount() == 2
    assert dialog.learned.text().startswith("Too few to learn from")


async def test_another_limit_in_force_is_offered_and_can_be_reset(stage: Stage, qtbot: QtBot) -> None:
    change(stage.data.settings, (("triage.respond_from", "0.25"),))
    dialog = await run(stage, qtbot, done())
    assert dialog.limits.respond_from == 0.25 and dialog.reset.isVisible()
    qtbot.mouseClick(dialog.reset, Qt.MouseButton.LeftButton)
    sent = stage.engine.commands[-1]
    assert isinstance(sent, ChangeSettings) and dict(sent.values)["triage.respond_from"] == str(STANDARD.respond_from)


async def test_it_is_cancelled_and_an_error_is_told(stage: Stage, qtbot: QtBot) -> None:
    dialog, link = opened(stage, qtbot), stage.engine
    qtbot.mouseClick(dialog.start, Qt.MouseButton.LeftButton)
    await until(lambda: link.asked(RunBacktest) == 1)
    qtbot.mouseClick(dialog.cancel, Qt.MouseButton.LeftButton)
    await until(lambda: len(link.withdrawn) == 1)
    assert dialog.start.isVisible()
    qtbot.mouseClick(dialog.start, Qt.MouseButton.LeftButton)
    await until(lambda: link.asked(RunBacktest) == 2)
    link.refuse(NotAllowed("A trial is already running."), RunBacktest)
    await until(dialog.start.isVisible)
    assert "running" in dialog.words.text()

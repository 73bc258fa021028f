"""What a widget waits for: one thing at a time, and nothing once the widget or the window is gone.

Bursts become few calls, and none is lost.
"""

import asyncio

import qasync
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.domain.ids import ThreadId
from app.domain.protocol.commands import SearchMail, ThreadIds
from app.ui.pages.mail.page import MailPage
from app.ui.services.async_task import AsyncTask, LatePainting, ThrottledCall, end_all
from fakes.window.page_setup import Stage, until


def gone(page: MailPage) -> None:
    page.close()
    page.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


async def test_a_page_that_is_gone_reads_nothing_more(stage: Stage) -> None:
    """The answer comes when the page is gone and the file is closed."""
    page, engine = MailPage(stage.context), stage.engine
    before = asyncio.all_tasks()
    page.search("label:Invoices")
    await until(lambda: bool(engine.queries))
    asking = asyncio.all_tasks() - before
    engine.answer(ThreadIds((ThreadId(1),)))
    gone(page)
    stage.reader.close()
    await until(lambda: all(one.done() for one in asking))
    assert [one.cancelled() for one in asking] == [True]
    assert engine.queries == [SearchMail("label:Invoices")]


def test_a_newer_errand_takes_the_older_ones_place_and_the_end_ends_all(qapp: QApplication) -> None:
    begun: list[str] = []
    ended: list[str] = []

    async def wait(name: str) -> None:
        begun.append(name)
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(name)

    loop = qasync.QEventLoop(qapp)
    with loop:
        errand, other = AsyncTask(qapp), AsyncTask(qapp)

        async def scenario() -> None:
            errand.begin(wait("first"))
            await until(lambda: begun == ["first"])
            errand.begin(wait("second"))
            other.begin(wait("third"))
            await until(lambda: ended == ["first"] and len(begun) == 3)
            assert errand.under_way

        loop.run_until_complete(scenario())
        end_all(loop)
        assert not errand.under_way
        assert not asyncio.all_tasks(loop)
    assert sorted(ended) == ["first", "second", "third"]


def test_painting_waits_for_the_next_turn(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    filled: list[bool] = []
    painting = LatePainting(widget, lambda: filled.append(widget.updatesEnabled()))
    with painting:
        assert widget.updatesEnabled()  # a hidden widget is painted when it is shown
    with qtbot.waitExposed(widget):
        widget.show()
    with painting, painting:
        pass
    assert not widget.updatesEnabled()
    filled.clear()
    qtbot.waitUntil(widget.updatesEnabled)
    assert filled == [False], "the part that was put off is there when it is painted"


def test_a_burst_is_one_call_now_and_one_later(qtbot: QtBot) -> None:
    parent, calls = QObject(), []
    throttle = ThrottledCall(lambda: calls.append(1), 40, parent)
    for _ in range(50):
        throttle.poke()
    assert calls == []
    qtbot.waitUntil(lambda: len(calls) == 1)
    for _ in range(50):
        throttle.poke()
    qtbot.waitUntil(lambda: len(calls) == 2)
    qtbot.wait(100)
    assert len(calls) == 2

"""The page with the real engine process behind it, without a model and offline: asked while the engine is down, answered when it
is there, and still there at the next start."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from typing import cast

import qasync
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from app.config.paths import DataFolder
from app.domain.assistant import RequestStatus
from app.store.mailbox import SqliteMailbox
from app.ui.application import WindowOptions, build_window
from app.ui.assistant.page import AssistantPage
from app.ui.bridge import Bridge
from app.ui.main_window import MainWindow
from fakes.engine_process import environment
from fakes.lively_store import LivelyStore
from fakes.page_stage import until

NOWHERE = "http://127.0.0.1:9"
"""Nobody answers there."""
Part = Callable[[MainWindow, Bridge, AssistantPage], Coroutine[None, None, None]]


def spend(app: QApplication, data: DataFolder, part: Part) -> None:
    """A while at the window over a data folder; the engine is started by the part."""
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    reader = SqliteMailbox(data.database)
    bridge = Bridge([sys.executable, "-m", "app", "engine", "--data", str(data.root)], environment(NOWHERE, "x"), "tests")
    window = build_window(data, reader, bridge, WindowOptions(page="assistant", open_link=lambda address: None))
    window.resize(1280, 820)
    window.show()
    try:
        loop.run_until_complete(asyncio.wait_for(part(window, bridge, cast("AssistantPage", window.page("assistant"))), 120))
    finally:
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        bridge.stop()
        reader.close()
        loop.close()


async def _ask(window: MainWindow, bridge: Bridge, page: AssistantPage) -> None:
    QTest.keyClicks(page.bar.field, "Delivery of order 4411")
    QTest.keyClick(page.bar.field, Qt.Key.Key_Return)
    assert page.detail.status.text() == "handed over"
    bridge.start()
    await until(lambda: page.desk.request is not None and page.desk.request.status is RequestStatus.DONE)
    await until(lambda: page.detail.cards[0].answer.isVisible())
    card = page.detail.cards[0]
    assert card.step.sources, "the mails found are cited"
    assert "Delivery of order 4411" in card.answer.toPlainText()
    card.chips.findChildren(QPushButton)[0].click()
    assert window.mail_page.reading.thread_id is not None
    await asyncio.sleep(0.6)


async def _look(_window: MainWindow, _bridge: Bridge, page: AssistantPage) -> None:
    assert page.desk.request is not None
    assert page.desk.request.text == "Delivery of order 4411"
    assert page.detail.cards[0].answer.isVisible()
    assert page.asked.ids == ()
    await asyncio.sleep(0)


def test_a_request_is_answered_once_the_engine_is_there(qapp: QApplication, data: DataFolder, store: LivelyStore) -> None:
    data.settings.write_text("[sync]\npoll_s = 300\n", encoding="utf-8")
    store.close()
    qapp.setStyle("Fusion")
    spend(qapp, data, _ask)
    spend(qapp, data, _look)

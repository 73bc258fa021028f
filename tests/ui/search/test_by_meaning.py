"""Search by meaning as a whole: a real window, the real engine with its model and its Chroma, killed and damaged on the way."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime

import qasync
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from app.config.paths import DataFolder
from app.domain.events import EngineReady, Event
from app.store.mailbox import SqliteMailbox
from app.ui.application import WindowOptions, build_window
from app.ui.bridge import Bridge
from app.ui.main_window import MainWindow
from app.ui.search.page import SearchPage
from app.ui.search.words import is_alike
from fakes.engine_process import environment
from fakes.lively_store import LivelyStore

NOWHERE = "http://127.0.0.1:9"
SETTINGS = "[sync]\npoll_s = 300\n[sending]\nundo_s = 300\n"
WORDS = "when will my parcel arrive"
PATIENCE_S = 120


def alike(page: SearchPage) -> list[int]:
    """Conversations listed for their meaning."""
    return [key for key, found in page._found.items() if is_alike(found)]


async def until(holds: Callable[[], object], page: SearchPage) -> None:
    """Wait long: the engine imports, loads and indexes."""
    for _ in range(PATIENCE_S * 20):
        if holds():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"never happened; {page.note.text()!r}, {page.state.accessibleName()!r}")


async def everything_indexed(page: SearchPage) -> None:
    """The answer counts all mail, and some is alike."""
    await until(lambda: page._alike._answer is not None and not page._alike._answer.waiting and alike(page), page)


async def scenario(window: MainWindow, bridge: Bridge, data: DataFolder, store: LivelyStore) -> None:
    page = window.search_page
    window.show_page("search")
    told: list[Event] = []
    bridge.subscribe(told.append)
    bridge.start()
    await until(lambda: any(isinstance(one, EngineReady) for one in told), page)
    page.look_for(WORDS)
    await everything_indexed(page)
    assert int(store.mails["m03"].thread_id) in alike(page)[:3], "it asks when an order arrives"
    page.look_for(f"{WORDS} from:lee")
    await until(lambda: page._answered.endswith("lee") and not page._alike.under_way, page)
    assert int(store.mails["m03"].thread_id) not in alike(page), "operators hold"
    page.look_for("from:ana")
    await until(lambda: page._answered == "from:ana" and not page._alike.under_way, page)
    assert page._found
    assert not alike(page)
    assert not page.note.text()
    page.look_for(WORDS)
    await until(lambda: alike(page), page)
    os.kill(bridge.pid, signal.SIGKILL)
    await until(lambda: not bridge.pid, page)
    (data.chroma / "chroma.sqlite3").write_bytes(b"garbage" * 2000)
    page.refresh()
    await until(lambda: "Search failed" in page.state.accessibleName(), page)
    await everything_indexed(page)
    assert int(store.mails["m03"].thread_id) in alike(page)[:3], "the index was built anew, and the page asked again by itself"


def test_a_window_an_engine_and_its_index(qapp: QApplication, data: DataFolder, store: LivelyStore) -> None:
    store.db.close()
    data.settings.write_text(SETTINGS)
    loop = qasync.QEventLoop(qapp)
    asyncio.set_event_loop(loop)
    reader = SqliteMailbox(data.database)
    bridge = Bridge([sys.executable, "-m", "app", "engine", "--data", str(data.root)], environment(NOWHERE, "x"), "tests")
    options = WindowOptions(page="search", open_link=lambda address: None, clock=lambda: datetime.now(UTC))
    window = build_window(data, reader, bridge, options)
    window.show()
    try:
        loop.run_until_complete(scenario(window, bridge, data, store))
    finally:
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        bridge.stop()
        reader.close()
        loop.close()

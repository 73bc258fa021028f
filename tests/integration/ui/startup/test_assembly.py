"""Pages are imported beside the window and built on its thread, one by one, and no more after `stop`."""

import sys
import threading
from functools import partial

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.ui.startup.assembly import PagePreloader
from app.ui.startup.run_window import WEB_MODULE, warm_modules


def test_everything_is_built_in_order_on_the_windows_thread(qtbot: QtBot) -> None:
    parent, built = QObject(), []
    threads = set()

    def build(name: str) -> None:
        threads.add(threading.current_thread())
        built.append(name)

    sys.modules.pop("wave", None)
    warming = PagePreloader(("wave",), [partial(build, name) for name in ("one", "two")], parent)
    warming.start()
    qtbot.waitUntil(lambda: warming.done, timeout=30_000)
    warming.stop()
    assert built == ["one", "two"]
    assert threads == {threading.main_thread()}
    assert "wave" in sys.modules


def test_chromium_is_prepared_only_where_there_is_mail_and_it_may_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.ui.startup.run_window.web_refused", lambda: False)
    assert WEB_MODULE not in warm_modules(there_is_mail=False)
    assert WEB_MODULE in warm_modules(there_is_mail=True)
    monkeypatch.setattr("app.ui.startup.run_window.web_refused", lambda: True)
    assert WEB_MODULE not in warm_modules(there_is_mail=True)


def test_nothing_is_built_after_the_stop(qtbot: QtBot) -> None:
    parent, built = QObject(), []
    warming = PagePreloader((), [partial(built.append, name) for name in ("one", "two", "three")], parent)
    warming.start()
    qtbot.waitUntil(lambda: bool(built))
    warming.stop()
    before = list(built)
    qtbot.wait(400)
    assert built == before
    assert not warming.done

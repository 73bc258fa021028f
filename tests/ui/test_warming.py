"""Pages are imported beside the window and built on its thread, one by one, and no more after `stop`."""

import sys
import threading
from functools import partial

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.ui.warming import Warming


def test_everything_is_built_in_order_on_the_windows_thread(qtbot: QtBot) -> None:
    parent, built = QObject(), []
    threads = set()

    def build(name: str) -> None:
        threads.add(threading.current_thread())
        built.append(name)

    sys.modules.pop("wave", None)
    warming = Warming(("wave",), [partial(build, name) for name in ("one", "two")], parent)
    with qtbot.waitSignal(warming.finished, timeout=30_000):
        warming.start()
    assert warming.done
    warming.stop()
    assert built == ["one", "two"]
    assert threads == {threading.main_thread()}
    assert "wave" in sys.modules


def test_nothing_is_built_after_the_stop(qtbot: QtBot) -> None:
    parent, built = QObject(), []
    warming = Warming((), [partial(built.append, name) for name in ("one", "two", "three")], parent)
    warming.start()
    qtbot.waitUntil(lambda: len(built) == 1, timeout=5000)
    warming.stop()
    qtbot.wait(400)
    assert built == ["one"]
    assert not warming.done


def test_stopping_before_the_start_is_harmless(qtbot: QtBot) -> None:
    parent = QObject()
    warming = Warming(("wave",), [lambda: None], parent)
    warming.stop()
    assert not warming.done
